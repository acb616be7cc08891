// A plotly picture, mounted once and then changed in place, so that its zoom survives parameter changes.
// data: bytes of JSON {plotly: address of plotly.js, alt, height, fits: whether it takes the height that the window has left, figure: {data, layout}, config, picks: whether clicks are reported,
// meanings: what the events are that it names, by name, in plain text,
// zoom: {axis: [low, high]} that was chosen, null: it is not reported,
// live: {slider: class of the slider that it follows, id, stands: its value in the figure, rest: everything else that the figure depends on},
// frames: what it shows at each slider value, by that id; sent once}.

const SHOW = "Show this picture full screen";
const LEAVE = "Back to the page";
const GAP = 24;
const LEGEND_ROW = 30;
const AXIS_ROW = 40; // an axis's title and numbers
// Of its own height, a picture that fits the window has at least (one with cells, or any other) and at most this much.
const LEAST_CELLS = 0.5;
const LEAST = 0.72;
const MOST = 1.5;
// px below a picture that fits: in a tall window its table begins there.
const BELOW = 14;
const BELOW_TALL = 150;
const TALL = 860;
const NARROW = 768;
// ms that a zoom stays before it is reported.
const REST = 400;
const DIGIT_ROW = 14;
const ROW = 3; // px of a row above the size of its name
const DENSE = { size: 9, row: 11, seen: 0.9 }; // of many rows, where so much of the picture is within the window so, and not otherwise
const UPRIGHT = { size: 10.7, line: 13, letter: 5.3, bold: 7.2 }; // px: of a name of 10 px one line, another, a letter; and a letter of a label
// As in charts/look.py: characters that fit 420 px, and px per line.
const TITLE = { characters: 47, line: 18 };
const SUBTITLE = { characters: 56, line: 16 };
const WITHIN_WORD = "\u200b"; // before a line break where there was no blank: see wrapped in charts/look.py

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

// Frames by id, the newest last; more than the server has recorded.
const known = new Map();
const MOST_KNOWN = 16;

function learn(id, frames) {
  known.delete(id);
  known.set(id, frames);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
}

// The index of the frame of a value: the last one that starts at or below it; undefined if only the server knows.
function frameAt({ stops, highest }, value) {
  if (!(value >= stops[0] && value <= highest)) return undefined;
  let [low, high] = [0, stops.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (stops[middle] <= value) low = middle; else high = middle;
  }
  return low;
}

// The figure at `value`.
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

// New positions, or, with steps, the hover texts: each point shows the columns of its step.
function changed(trace, { begins, columns, ...places }) {
  if (begins === undefined) return { ...trace, ...places };
  let step = 0;
  const customdata = Array.from(numbers(trace.x), (x) => {
    while (step + 1 < begins.length && x >= begins[step + 1]) step += 1;
    return columns.map((column) => column[step]);
  });
  return { ...trace, customdata };
}

// The names of a heatmap's columns and rows (layout.meta): `names` and `ticks` of both (charts/correlation_matrices.py), or `across` and `down`
// with their own. An axis without them is as the figure has it.
function namesOfCells({ ticks, names, size, across, down } = {}) {
  return ticks ? { across: { ticks, names, size }, down: { ticks, names, size } } : { across, down };
}

// A heatmap with as much text as fits it: digits if all of them fit their cells, and every name, or every second, third ... one, on each side.
// Other figures are unchanged.
function legible({ data, layout }, width, height) {
  const { across, down } = namesOfCells(layout.meta);
  if (!across && !down) return { data, layout };
  const { l, r, t, b } = layout.margin;
  const [cell, row] = [(width - l - r) / across?.ticks.length, (height - t - b) / down?.ticks.length];
  const every = (axis, room) => {
    if (!axis) return {};
    const { ticks, size } = axis;
    const step = Math.max(1, Math.ceil((size + 2) / Math.max(room, 0.1)));
    const tickvals = ticks.map((_, place) => place).filter((place) => place % step === 0);
    return { tickvals, ticktext: tickvals.map((place) => ticks[place]) };
  };
  const fits = cell >= layout.meta.digits && row >= DIGIT_ROW;
  const written = data.map((trace) => (trace.name === "digits" ? { ...trace, visible: fits } : trace));
  const [xaxis, yaxis] = [{ ...layout.xaxis, ...every(across, cell) }, { ...layout.yaxis, ...every(down, row) }];
  return { data: written, layout: { ...layout, xaxis, yaxis } };
}

// The names that stand upright in narrow bars of the first trace (layout.meta.upright, one per annotation): the longest text that fits its bar,
// or none; instead of the bar's own label where that does not fit.
function upright({ data, layout }, width, height) {
  const rooms = layout.meta?.upright;
  if (!rooms || !layout.annotations?.length) return { data, layout };
  const { l, r, t, b } = layout.margin;
  const text = [...data[0].text];
  const annotations = layout.annotations.map((each, place) => {
    const { tile, lying, texts, ...room } = rooms[place];
    const [across, along] = [room.width * (width - l - r), room.height * (height - t - b)];
    const lies = lying > 0 && lying * UPRIGHT.bold + UPRIGHT.size <= across;
    const holds = ({ lines, letters }) => (lines - 1) * UPRIGHT.line + UPRIGHT.size <= across && letters * UPRIGHT.letter <= along;
    const fits = lies ? undefined : texts.find(holds);
    if (fits) text[tile] = "";
    return { ...each, visible: Boolean(fits), text: fits?.text ?? each.text };
  });
  return { data: [{ ...data[0], text }, ...data.slice(1)], layout: { ...layout, annotations } };
}

function lines(text, characters) {
  const found = [];
  const parts = new RegExp(`(?:&\\w+;|.){1,${characters}}`, "gsu"); // of a word longer than a line
  const words = text.replaceAll(WITHIN_WORD + "<br>", "").split(/<br>| /).flatMap((word) => word.match(parts) ?? []);
  for (const word of words) {
    const longer = found.length ? `${found[found.length - 1]} ${word}` : word;
    if (found.length && longer.length <= characters) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

// The layout with its title, which is broken to fit 420 px, on fewer lines where there is room; saved: px that this frees.
function retitled(layout, width) {
  const text = layout.title?.text ?? "";
  if (!text.includes("<br>")) return { layout, saved: 0 };
  const [head, mark = "", end = ""] = text.split(/<br>(<span.*?>)/s);
  const rest = end.replace(/<\/span>$/, "");
  const fits = (kind) => Math.max(1, Math.floor((kind.characters * (width - GAP)) / 420));
  const [above, below] = [lines(head, fits(TITLE)), rest ? lines(rest, fits(SUBTITLE)) : []];
  const count = (part) => part.split("<br>").length;
  const saved = (count(head) - above.length) * TITLE.line + (rest ? (count(rest) - below.length) * SUBTITLE.line : 0);
  if (saved <= 0) return { layout, saved: 0 };
  const one = above.length === 1 && !rest;
  const title = { ...layout.title, text: above.join("<br>") + (rest ? `<br>${mark}${below.join("<br>")}</span>` : ""), pad: { t: one ? 6 : 16 } };
  return { layout: { ...layout, title, margin: { ...layout.margin, t: layout.margin.t - saved } }, saved };
}

// The least height at which the names of all rows are legible; 0 if there are none, or some of them are left out anyway. row: px of one.
function leastOfRows({ data, layout }, row = (layout.yaxis?.tickfont?.size ?? 11) + ROW) {
  if (namesOfCells(layout.meta).down) return 0;
  const { tickvals, domain = [0, 1] } = layout.yaxis ?? {};
  const named = data.filter(({ yaxis = "y" }) => yaxis === "y").flatMap(({ y }) => (Array.isArray(y) && typeof y[0] === "string" ? y : []));
  const rows = (Array.isArray(tickvals) ? tickvals : numbers(tickvals))?.length ?? new Set(named).size;
  if (rows < 2) return 0;
  return (rows * row) / (domain[1] - domain[0]) + layout.margin.t + layout.margin.b;
}

// A picture with more rows than the window shows has what its colors and its axis mean above the rows, not below.
function headed(layout, height) {
  if (!layout.xaxis?.title || layout.xaxis2 || layout.annotations?.length) return layout;
  const { t, b } = layout.margin;
  const more = AXIS_ROW + (layout.showlegend ? LEGEND_ROW : 0);
  const legend = { ...layout.legend, y: 1 - (t - 8) / height, yanchor: "top" };
  return { ...layout, legend, margin: { ...layout.margin, t: t + more, b: Math.max(8, b - more) }, xaxis: { ...layout.xaxis, side: "top" } };
}

// Hovering over a shortened name shows the full one. An axis has drag handles above its names, so search at the position of the pointer.
function showFullName(plot, event) {
  const { across, down } = namesOfCells(plot.layout?.meta);
  if (!across && !down) return;
  const tick = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.matches(".xtick text, .ytick text"));
  const title = (tick?.closest(".xtick") ? across : down)?.names[tick?.__data__?.x] ?? "";
  if (plot.title !== title) plot.title = title;
}

// What the hover on the screen names and `meanings` explain: [name, meaning], each once.
function explained(plot, meanings) {
  const labels = [...plot.querySelectorAll(".hoverlayer .hovertext text")];
  const rows = labels.flatMap((label) => { const found = [...label.querySelectorAll("tspan.line")]; return found.length ? found : [label]; });
  const words = rows.flatMap((row) => row.textContent.split(/[^\w.:/-]+/)).map((word) => word.replace(/[.:/-]+$/, ""));
  return [...new Set(words)].filter((word) => Object.hasOwn(meanings, word)).map((word) => [word, meanings[word]]);
}

// The ranges that were chosen in a change of the layout, added to those of `zoom`; as short as the picture shows them.
function zoomed(zoom, change) {
  const found = { ...zoom };
  for (const [name, value] of Object.entries(change)) {
    const [, letter, number] = name.match(/^([xy])axis(\d*)\.(?:autorange|range)/) ?? [];
    if (!letter) continue;
    const axis = letter + number;
    if (name.endsWith("autorange")) { delete found[axis]; continue; }
    const ends = name.endsWith("range") ? value : [change[`${letter}axis${number}.range[0]`], change[`${letter}axis${number}.range[1]`]];
    if (!ends?.every?.(Number.isFinite)) continue;
    const digits = Math.min(12, Math.max(0, Math.ceil(3 - Math.log10(Math.abs(ends[1] - ends[0])))));
    found[axis] = ends.map((end) => Number(end.toFixed(digits)));
  }
  return found;
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
    // The button first: its tab looks for something to focus whenever the picture changes.
    this.meaning = document.createElement("div");
    this.meaning.className = "hem-picture-meaning";
    this.meaning.hidden = true;
    this.host.append(this.button, this.plot, this.meaning);
    parent.append(this.host);
    this.width = 0;
    this.rows = 0;
    // The zoom on the screen; what of it came from the link; and what was reported and is not answered yet.
    this.zoom = {};
    this.linked = {};
    this.asked = undefined;
    this.began = []; // the axes that a link zoomed
    this.backing = 0; // changes of the layout to come that are no zoom
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.host);
    // A new verdict is read aloud.
    document.querySelector(".st-key-frame-top")?.setAttribute("aria-live", "polite");
    // What stands above it may come and go: a verdict, figures, the progress of its job.
    const around = this.host.closest(".st-key-frame-right");
    for (const each of [...document.querySelectorAll(".st-key-frame-top, .st-key-frame-figures"), ...(around ? [around] : [])]) this.resized.observe(each);
    this.windowed = () => this.fit();
    window.addEventListener("resize", this.windowed);
    this.turn = Promise.resolve();
    this.thumb = new MutationObserver(() => this.follow());
    // A hand or a key on the slider: it may be another element than when the picture came.
    this.held = () => this.watch();
    for (const each of ["pointerdown", "keydown"]) document.addEventListener(each, this.held, true);
    this.name(SHOW);
  }

  name(label) {
    this.button.title = label;
    this.button.setAttribute("aria-label", label);
  }

  show(data) {
    if (same(this.data, data)) return;
    this.data = data;
    const spec = JSON.parse(new TextDecoder().decode(data));
    this.takeZoom(spec.zoom);
    if (this.stands(spec)) {
      this.spec = spec;
      return;
    }
    if (!spec.figure) { // nothing to draw yet: only load plotly.js
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

  // Whether the picture already shows the slider's value and the server's answer has nothing else new. An answer to an earlier value is
  // ignored: the next one is on its way.
  stands(spec) {
    const [now, before] = [spec.live, this.spec?.live];
    return Boolean(this.moved && now?.rest && before && now.rest === before.rest && now.id === before.id && this.stand() === this.at);
  }

  // The server's zoom is another one when a link or Back names it, or when the picture shows something else.
  takeZoom(zoom) {
    if (!zoom) return;
    const [theirs, ours] = [JSON.stringify(zoom), JSON.stringify(this.zoom)];
    if (this.asked === theirs) this.asked = undefined;
    if (this.asked !== undefined || theirs === ours) return;
    this.zoom = this.linked = zoom;
  }

  // Reported when it rests.
  tellZoom(zoom) {
    if (!this.spec.zoom || JSON.stringify(zoom) === JSON.stringify(this.zoom)) return;
    this.zoom = zoom;
    this.asked = JSON.stringify(zoom);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => { if (!this.gone) this.report("zoomed", zoom); }, REST);
  }

  showAll() {
    if (this.gone) return;
    const own = this.began.map((name) => {
      const range = this.figure.layout[name]?.range;
      return range ? [`${name}.range`, [...range]] : [`${name}.autorange`, true];
    });
    this.backing += 1;
    window.Plotly.relayout(this.plot, Object.fromEntries(own));
  }

  stand() {
    return this.slider ? parseFloat(this.slider.getAttribute("aria-valuetext") ?? this.slider.value) : undefined;
  }

  // The slider may be a new element.
  watch() {
    const slider = this.spec?.live ? document.querySelector(`.st-key-${this.spec.live.slider} input[type=range]`) : null;
    if (slider === this.slider) return;
    this.thumb.disconnect();
    this.slider = slider;
    if (slider) this.thumb.observe(slider, { attributes: true, attributeFilter: ["value", "aria-valuetext"] });
  }

  // The slider has moved: the picture follows at once, before the server answers.
  follow() {
    const live = known.get(this.spec.live?.id);
    if (!live || !this.drawn) return;
    const value = this.stand();
    if (value === this.at) return;
    const figure = moved(this.spec.figure, live, value);
    this.moved = figure !== undefined;
    if (!this.moved) return;
    // Within a frame only the title changes.
    const titleAlone = frameAt(live, value) === frameAt(live, this.at);
    this.at = value;
    this.figure = figure;
    // After the browser has notified the server.
    setTimeout(() => {
      if (this.gone) return;
      if (titleAlone && !this.waits) window.Plotly.relayout(this.plot, { "title.text": retitled(this.figure.layout, this.width).layout.title.text });
      else this.later();
    });
  }

  // One at a time; of those waiting, only the newest.
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

  heightNow() {
    this.spills = this.dense = false;
    if (this.isWhole()) return window.innerHeight - GAP;
    const { saved } = retitled(this.figure.layout, this.host.clientWidth);
    const own = this.spec.height + this.rows - saved;
    if (!this.spec.fits) return own;
    const main = this.host.closest("[data-testid='stMain']");
    const top = this.host.getBoundingClientRect().top + (main?.scrollTop ?? 0);
    if (window.innerWidth < NARROW) {
      this.spills = top + own > window.innerHeight && leastOfRows(this.figure) > 0;
      return own;
    }
    if (top > 0.6 * window.innerHeight) return own; // below another: what it takes of the window is for the reader to scroll
    const room = window.innerHeight - top - (window.innerHeight >= TALL ? BELOW_TALL : BELOW);
    const cells = this.figure.data.some((trace) => trace.type === "heatmap");
    const least = Math.max((cells ? LEAST_CELLS : LEAST) * own, Math.min(own, leastOfRows(this.figure)));
    this.spills = least > room + GAP;
    const rows = leastOfRows(this.figure, DENSE.row);
    const close = rows + this.rows - saved;
    const isSeen = (height) => DENSE.seen * height <= window.innerHeight - top;
    this.dense = this.spills && rows > 0 && !isSeen(least) && isSeen(close);
    if (this.dense) return Math.round(close);
    return Math.round(Math.max(least, Math.min(MOST * own, room)));
  }

  // Reserve the height of the picture; in full screen the style sheet sets it.
  take() { this.host.style.height = this.isWhole() ? "" : `${this.heightNow()}px`; }

  async draw(plotly) {
    const width = this.host.clientWidth;
    if (!width || this.gone) return; // hidden; drawn as soon as it is visible
    if (width !== this.width) this.rows = 0;
    await this.drawIn(plotly, width);
    if (this.gone) return;
    // The bottom margin fits a legend of one row; with more rows the picture gets taller.
    const { legend, xaxis } = this.plot._fullLayout;
    const rows = this.plot._fullLayout.showlegend && xaxis?.automargin === false ? Math.max(0, Math.ceil(legend._height) - LEGEND_ROW) : 0;
    if (Math.abs(rows - this.rows) > 2) {
      this.rows = rows;
      await this.drawIn(plotly, width);
    }
  }

  async drawIn(plotly, width) {
    const height = this.heightNow();
    const { layout: fitted } = retitled(this.figure.layout, width);
    const titled = this.dense ? { ...fitted, yaxis: { ...fitted.yaxis, tickfont: { ...fitted.yaxis.tickfont, size: DENSE.size } } } : fitted;
    const named = legible({ ...this.figure, layout: this.spills ? headed(titled, height) : titled }, width, height);
    const { data, layout } = upright(named, width, height);
    this.take();
    [this.width, this.height] = [width, height];
    // Copies: plotly writes zoom and hidden traces into its input and would take them for our values the next time.
    const sized = { ...structuredClone(layout), autosize: false, width, height };
    if (this.rows) sized.margin[this.spills ? "t" : "b"] += this.rows;
    for (const [axis, range] of Object.entries(this.linked)) {
      const name = `${axis[0]}axis${axis.slice(1)}`;
      sized[name] = { ...sized[name], range: [...range], autorange: false };
      if (!this.began.includes(name)) this.began.push(name);
    }
    const traces = data.map((trace) => ({ ...trace }));
    if (this.drawn) {
      await plotly.react(this.plot, traces, sized, this.spec.config);
      return;
    }
    this.plot.textContent = "";
    this.drawn = true;
    await plotly.newPlot(this.plot, traces, sized, this.spec.config);
    if (this.gone) { plotly.purge(this.plot); return; }
    this.plot.addEventListener("pointermove", (event) => showFullName(this.plot, event));
    this.plot.on("plotly_click", ({ points }) => {
      const point = points.find((each) => each.customdata !== undefined && each.customdata !== null);
      if (!this.spec.picks || point === undefined) return;
      const picked = point.customdata;
      this.report("picked", typeof picked === "object" ? Array.from(picked) : picked);
    });
    this.plot.on("plotly_hover", () => this.explain());
    this.plot.on("plotly_unhover", () => { this.meaning.hidden = true; });
    this.plot.on("plotly_relayout", (change) => {
      if (this.backing) this.backing -= 1;
      else this.tellZoom(zoomed(this.zoom, change));
    });
    // Plotly goes back to where it began, and reports that next. Where it began with a zoom from a link, it is led on to all of it.
    this.plot.on("plotly_doubleclick", () => {
      this.linked = {};
      this.backing += 1;
      this.tellZoom({});
      if (this.began.length) setTimeout(() => this.showAll());
    });
    // A box in axis units, so it also covers rows that are not drawn.
    this.plot.on("plotly_selected", (selected) => {
      const range = selected?.range ?? {};
      const [x, y] = ["x", "y"].map((axis) => range[Object.keys(range).find((name) => name.startsWith(axis))]); // "y3": of the third plot
      if (this.spec.picks && x && y) this.report("picked", { box: [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)] });
    });
  }

  // Below the hover, or above it where there is no room, what the events that it names count.
  explain() {
    const found = explained(this.plot, this.spec.meanings ?? {});
    this.meaning.hidden = !found.length;
    if (!found.length) return;
    this.meaning.replaceChildren(...found.map(([name, meaning]) => {
      const [line, bold] = [document.createElement("div"), document.createElement("b")];
      bold.textContent = name;
      line.append(bold, `: ${meaning}`);
      return line;
    }));
    const [host, label] = [this.host, this.plot.querySelector(".hoverlayer .hovertext")].map((each) => each.getBoundingClientRect());
    const { offsetWidth: width, offsetHeight: height } = this.meaning;
    const below = label.bottom - host.top + 4;
    const top = below + height <= host.height ? below : Math.max(0, label.top - host.top - height - 4);
    this.meaning.style.top = `${top}px`;
    this.meaning.style.left = `${Math.max(0, Math.min(label.left - host.left, host.width - width))}px`;
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
    window.removeEventListener("resize", this.windowed);
    window.removeEventListener("keydown", this.leave);
    for (const each of ["pointerdown", "keydown"]) document.removeEventListener(each, this.held, true);
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
  picture.report = setTriggerValue;
  if (data) picture.show(data);
  return () => {
    picture.end();
    pictures.delete(parentElement);
  };
}
