// One plotly picture. Mounted once and then changed in place, so that its zoom stays while a parameter moves.
// data: bytes of JSON {plotly: address of plotly.js, alt, height, figure: {data, layout}, config, picks: whether a click is told,
// live: {slider: class of the slider whose thumb it follows, id, stands: its value in the figure, rest: all else that the figure hangs on},
// frames: what it shows at each stand, by that id; sent once}.

const SHOW = "Show this picture on the whole screen";
const LEAVE = "Back to the page";
const GAP = 24;
const LEGEND_ROW = 30;

function plotlyFrom(address) {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  window.hemPlotly ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(window.Plotly);
    script.onerror = () => {
      window.hemPlotly = undefined;
      script.remove();
      failed(new Error(`plotly.js did not come from ${address}`));
    };
    document.head.append(script);
  });
  return window.hemPlotly;
}

// Frames by their id, the newest last; more than the server believes to be here.
const known = new Map();
const MOST_KNOWN = 16;

function learn(id, frames) {
  known.delete(id);
  known.set(id, frames);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
}

// The number of a value's frame: the last one that begins at or below it; undefined where only the server knows.
function frameAt({ stops, highest }, value) {
  if (!(value >= stops[0] && value <= highest)) return undefined;
  let [low, high] = [0, stops.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (stops[middle] <= value) low = middle; else high = middle;
  }
  return low;
}

// The figure as it stands at `value`.
function moved({ data, layout }, live, value) {
  const number = frameAt(live, value);
  if (number === undefined) return undefined;
  const frame = live.frames[number];
  const text = layout.title?.text;
  const said = new RegExp(`${live.named}[0-9.e+-]+`);
  const titled = live.named && text ? { ...layout, title: { ...layout.title, text: text.replace(said, `${live.named}${value}`) } } : layout;
  return { data: data.map((trace) => (frame[trace.meta] ? changed(trace, frame[trace.meta]) : trace)), layout: titled };
}

const KINDS = { f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

function numbers(values) {
  if (!values?.bdata) return values;
  const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
  return new KINDS[values.dtype](bytes.buffer);
}

// Other places, or, where steps are given, what each point tells: the columns of the step that it lies in.
function changed(trace, { begins, columns, ...places }) {
  if (begins === undefined) return { ...trace, ...places };
  let step = 0;
  const customdata = Array.from(numbers(trace.x), (x) => {
    while (step + 1 < begins.length && x >= begins[step + 1]) step += 1;
    return columns.map((column) => column[step]);
  });
  return { ...trace, customdata };
}

// A heatmap with as much written on it as its width has room for (layout.meta of charts/correlation.py): digits where the cells are wide
// enough for all of them, and every name, or every second, third ... one under it. Other figures as they are.
function legible({ data, layout }, width) {
  const { ticks, size, digits } = layout.meta ?? {};
  if (!ticks) return { data, layout };
  const cell = (width - layout.margin.l - layout.margin.r) / ticks.length;
  const step = Math.max(1, Math.ceil((size + 2) / Math.max(cell, 0.1)));
  const places = ticks.map((_, place) => place).filter((place) => place % step === 0);
  const xaxis = { ...layout.xaxis, tickvals: places, ticktext: places.map((place) => ticks[place]) };
  const written = data.map((trace) => (trace.name === "digits" ? { ...trace, visible: cell >= digits } : trace));
  return { data: written, layout: { ...layout, xaxis } };
}

// Hovering a shortened name tells the whole one. What moves an axis lies over its names, so the pointer's place is asked and not its target.
function tellName(plot, event) {
  const names = plot.layout?.meta?.names;
  if (!names) return;
  const tick = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.matches(".xtick text, .ytick text"));
  const words = names[tick?.__data__?.x] ?? "";
  if (plot.title !== words) plot.title = words;
}

const same = (one, other) => one !== undefined && one.length === other.length && one.every((byte, place) => byte === other[place]);

class Picture {
  constructor(parent) {
    this.host = document.createElement("div");
    this.host.className = "hem-picture";
    this.host.setAttribute("role", "figure");
    this.plot = document.createElement("div");
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.addEventListener("click", () => this.whole(!this.isWhole()));
    this.leave = (event) => { if (event.key === "Escape") this.whole(false); };
    // The button first: the tab that it stands in looks for something to focus whenever the picture changes.
    this.host.append(this.button, this.plot);
    parent.append(this.host);
    this.width = 0;
    this.rows = 0;
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.host);
    this.turn = Promise.resolve();
    this.thumb = new MutationObserver(() => this.follow());
    this.name(SHOW);
  }

  name(words) {
    this.button.title = words;
    this.button.setAttribute("aria-label", words);
  }

  show(data) {
    if (same(this.data, data)) return;
    this.data = data;
    const spec = JSON.parse(new TextDecoder().decode(data));
    if (this.stands(spec)) {
      this.spec = spec;
      return;
    }
    if (!spec.figure) { // nothing to draw yet: plotly.js is fetched beforehand
      this.host.hidden = true;
      plotlyFrom(spec.plotly).catch(() => undefined);
      return;
    }
    this.host.hidden = false;
    this.spec = spec;
    this.figure = spec.figure;
    this.at = spec.live?.stands;
    this.moved = false;
    if (spec.live && spec.frames) learn(spec.live.id, spec.frames);
    this.watch();
    this.host.setAttribute("aria-label", spec.alt);
    this.button.hidden = Boolean(spec.config.staticPlot);
    this.take();
    this.later();
  }

  // Whether the slider's thumb has moved the picture to where it stands, and the server's answer has nothing else that is new. An answer
  // to an earlier stand is passed over: the next one is on its way.
  stands(spec) {
    const [now, before] = [spec.live, this.spec?.live];
    return Boolean(this.moved && now?.rest && before && now.rest === before.rest && now.id === before.id && this.stand() === this.at);
  }

  stand() {
    return this.slider ? parseFloat(this.slider.getAttribute("aria-valuetext") ?? this.slider.value) : undefined;
  }

  // The slider may be another element than before.
  watch() {
    const slider = this.spec.live ? document.querySelector(`.st-key-${this.spec.live.slider} input[type=range]`) : null;
    if (slider === this.slider) return;
    this.thumb.disconnect();
    this.slider = slider;
    if (slider) this.thumb.observe(slider, { attributes: true, attributeFilter: ["value", "aria-valuetext"] });
  }

  // The thumb has moved: the picture moves with it, and the server's answer comes after.
  follow() {
    const live = known.get(this.spec.live?.id);
    if (!live || !this.drawn) return;
    const value = this.stand();
    if (value === this.at) return;
    const figure = moved(this.spec.figure, live, value);
    this.moved = figure !== undefined;
    if (!this.moved) return;
    // Within a frame the title alone is another.
    const titleAlone = frameAt(live, value) === frameAt(live, this.at);
    this.at = value;
    this.figure = figure;
    // After the browser has told the server.
    setTimeout(() => {
      if (this.gone) return;
      if (titleAlone && !this.waits) window.Plotly.relayout(this.plot, { "title.text": this.figure.layout.title.text });
      else this.later();
    });
  }

  // One after another, and only the newest of those that wait.
  later() {
    if (this.waits) return;
    this.waits = true;
    this.turn = this.turn.then(async () => {
      const plotly = await plotlyFrom(this.spec.plotly);
      this.waits = false;
      await this.draw(plotly);
    }).catch((error) => {
      this.waits = false;
      this.plot.textContent = `The picture could not be drawn: ${error.message}. Load the page again.`;
    });
  }

  isWhole() { return this.host.classList.contains("hem-picture-whole"); }

  heightNow() { return this.isWhole() ? window.innerHeight - GAP : this.spec.height + this.rows; }

  // Take the room on the page that the picture will fill; over the whole screen the style sheet gives it.
  take() { this.host.style.height = this.isWhole() ? "" : `${this.heightNow()}px`; }

  async draw(plotly) {
    const width = this.host.clientWidth;
    if (!width || this.gone) return; // in a hidden place; drawn as soon as it has room
    if (width !== this.width) this.rows = 0;
    await this.drawIn(plotly, width);
    if (this.gone) return;
    // The margin below is made for a legend of one row; where it takes more, the picture gets taller.
    const { legend, xaxis } = this.plot._fullLayout;
    const rows = this.plot._fullLayout.showlegend && xaxis?.automargin === false ? Math.max(0, Math.ceil(legend._height) - LEGEND_ROW) : 0;
    if (Math.abs(rows - this.rows) > 2) {
      this.rows = rows;
      await this.drawIn(plotly, width);
    }
  }

  async drawIn(plotly, width) {
    const { data, layout } = legible(this.figure, width);
    const height = this.heightNow();
    this.take();
    [this.width, this.height] = [width, height];
    // Copies: plotly writes a zoom, and what the legend hides, into what it is given, and would take that for a wish of ours the next time.
    const sized = { ...structuredClone(layout), autosize: false, width, height };
    if (this.rows) sized.margin.b += this.rows;
    const traces = data.map((trace) => ({ ...trace }));
    if (this.drawn) {
      await plotly.react(this.plot, traces, sized, this.spec.config);
      return;
    }
    this.plot.textContent = "";
    this.drawn = true;
    await plotly.newPlot(this.plot, traces, sized, this.spec.config);
    if (this.gone) { plotly.purge(this.plot); return; }
    this.plot.addEventListener("pointermove", (event) => tellName(this.plot, event));
    this.plot.on("plotly_click", ({ points }) => {
      const point = points.find((each) => each.customdata !== undefined && each.customdata !== null);
      if (!this.spec.picks || point === undefined) return;
      const picked = point.customdata;
      this.pick(typeof picked === "object" ? Array.from(picked) : picked);
    });
    // A box in the units of the axes, so that rows that are not drawn are in it too.
    this.plot.on("plotly_selected", (selected) => {
      const range = selected?.range ?? {};
      const [x, y] = ["x", "y"].map((axis) => range[Object.keys(range).find((name) => name.startsWith(axis))]); // "y3": of the third plot
      if (this.spec.picks && x && y) this.pick({ box: [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)] });
    });
  }

  fit() {
    if (!this.spec || this.waits || this.host.clientWidth === 0) return;
    if (this.host.clientWidth !== this.width || this.heightNow() !== this.height) this.later();
  }

  whole(wanted) {
    this.host.classList.toggle("hem-picture-whole", wanted);
    this.take();
    this.name(wanted ? LEAVE : SHOW);
    if (wanted) window.addEventListener("keydown", this.leave);
    else window.removeEventListener("keydown", this.leave);
    this.fit();
  }

  end() {
    this.gone = true;
    this.resized.disconnect();
    this.thumb.disconnect();
    window.removeEventListener("keydown", this.leave);
    if (this.drawn) window.Plotly.purge(this.plot);
    this.host.remove();
  }
}

const pictures = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let picture = pictures.get(parentElement);
  if (picture === undefined || picture.gone) {
    picture = new Picture(parentElement);
    pictures.set(parentElement, picture);
  }
  picture.pick = (value) => setTriggerValue("picked", value);
  if (data) picture.show(data);
  return () => {
    picture.end();
    pictures.delete(parentElement);
  };
}
