// One plotly picture. Mounted once and then changed in place, so that its zoom stays while a parameter moves.
// data: bytes of JSON {plotly: address of plotly.js, alt, height, figure: {data, layout}, config, picks: whether a click is told}.

const SHOW = "Show this picture on the whole screen";
const LEAVE = "Back to the page";
const GAP = 24;

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

const same = (one, other) => one !== undefined && one.length === other.length && one.every((byte, place) => byte === other[place]);

class Picture {
  constructor(parent) {
    this.host = document.createElement("div");
    this.host.className = "hem-picture";
    this.host.setAttribute("role", "figure");
    this.plot = document.createElement("div");
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.addEventListener("click", () => this.whole(!this.host.classList.contains("hem-picture-whole")));
    this.leave = (event) => { if (event.key === "Escape") this.whole(false); };
    // The button first: the tab that it stands in looks for something to focus whenever the picture changes.
    this.host.append(this.button, this.plot);
    parent.append(this.host);
    this.width = 0;
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.host);
    this.turn = Promise.resolve();
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
    if (!spec.figure) { // nothing to draw yet: plotly.js is fetched beforehand
      this.host.hidden = true;
      plotlyFrom(spec.plotly).catch(() => undefined);
      return;
    }
    this.host.hidden = false;
    this.spec = spec;
    this.host.setAttribute("aria-label", spec.alt);
    this.button.hidden = Boolean(spec.config.staticPlot);
    if (!this.isWhole()) this.host.style.height = `${spec.height}px`;
    this.later();
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

  async draw(plotly) {
    const width = this.host.clientWidth;
    if (!width || this.gone) return; // in a hidden place; drawn as soon as it has room
    const { data, layout } = this.spec.figure;
    const height = this.isWhole() ? window.innerHeight - GAP : this.spec.height;
    this.width = width;
    this.height = height;
    const sized = { ...layout, autosize: false, width, height };
    if (this.drawn) {
      await plotly.react(this.plot, data, sized, this.spec.config);
      return;
    }
    this.plot.textContent = "";
    this.drawn = true;
    await plotly.newPlot(this.plot, data, sized, this.spec.config);
    if (this.gone) { plotly.purge(this.plot); return; }
    this.plot.on("plotly_click", ({ points }) => {
      const point = points.find((each) => each.customdata !== undefined && each.customdata !== null);
      if (!this.spec.picks || point === undefined) return;
      const picked = point.customdata;
      this.pick(typeof picked === "object" ? Array.from(picked) : picked);
    });
  }

  fit() {
    if (!this.spec || this.waits || this.host.clientWidth === 0) return;
    const height = this.isWhole() ? window.innerHeight - GAP : this.spec.height;
    if (this.host.clientWidth !== this.width || height !== this.height) this.later();
  }

  whole(wanted) {
    this.host.classList.toggle("hem-picture-whole", wanted);
    this.host.style.height = wanted ? "" : `${this.spec.height}px`;
    this.name(wanted ? LEAVE : SHOW);
    if (wanted) window.addEventListener("keydown", this.leave);
    else window.removeEventListener("keydown", this.leave);
    this.fit();
  }

  end() {
    this.gone = true;
    this.resized.disconnect();
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
