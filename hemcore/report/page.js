// Draws the pictures one after another in the colors of the theme, and again when the theme changes or the page is printed. On paper
// each item fits one page: a long table shows fewer rows, then pictures get smaller, then the whole item.
(() => {
  "use strict";
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const places = [...document.querySelectorAll(".picture")];
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
  // CSS pixels inside the margins of paper.css: as wide as A4, as high as Letter, so that both fit; a PDF knows its paper.
  const PAPER = { width: 700, height: root.dataset.paper === "A4" ? 1005 : 940 };
  const LEGEND_LINE = 22;
  const BESIDE = { gap: 20, scale: 0.68 };
  const SMALLEST = { picture: 0.62, height: 0.6, item: 0.75, rows: 8 };
  const cached = new Map();
  let printing = false;

  const isDark = () => !printing && (root.dataset.ground ? root.dataset.ground === "dark" : prefersDark.matches);

  // A copy of `part` with `value` at `path`; everything else is shared.
  function changed(part, path, value) {
    if (!path.length) return value;
    const copy = Array.isArray(part) ? part.slice() : { ...part };
    const entry = changed(copy[path[0]], path.slice(1), value);
    if (entry === null) delete copy[path[0]];
    else copy[path[0]] = entry;
    return copy;
  }

  function grounds(place) {
    if (!cached.has(place)) {
      const figure = JSON.parse(document.getElementById(place.id + "-drawn").textContent);
      const light = { data: figure.data, layout: figure.layout };
      cached.set(place, { light, dark: figure.dark.reduce((dark, [path, value]) => changed(dark, path, value), light) });
    }
    return cached.get(place);
  }

  // A legend under a picture that needs more lines than on a wider screen would cover the axis.
  function giveLegendRoom(place, figure, layout) {
    const legend = place._fullLayout.legend;
    const more = legend && legend.orientation === "h" && place._fullLayout.showlegend ? Math.ceil(legend._height) - LEGEND_LINE : 0;
    if (more <= 0) return;
    layout.height = (layout.height || 420) + more;
    layout.margin = { ...layout.margin, b: (layout.margin?.b ?? 60) + more };
    place.style.height = `${layout.height}px`;
    Plotly.react(place, figure.data, layout, config);
  }

  // On paper: width in pixels; scale: the size of text and lines; lower: the height as a share of the picture's own.
  function draw(place, width = PAPER.width, scale = 1, lower = 1) {
    const ground = isDark() ? "dark" : "light";
    const figure = grounds(place)[ground];
    const layout = { ...structuredClone(figure.layout), autosize: true };
    if (printing) {
      layout.width = Math.floor(width / scale);
      layout.height = Math.round((layout.height || 420) * lower);
    }
    place.style.height = `${layout.height || 420}px`;
    place.style.zoom = scale;
    try {
      Plotly.react(place, figure.data, layout, config);
      if (printing) giveLegendRoom(place, figure, layout);
      place.dataset.ground = ground;
    } catch (error) {
      place.textContent = "This browser cannot draw this picture.";
    }
  }

  let round = 0;
  // One per turn, so that the page stays responsive.
  function drawAll() {
    const mine = ++round;
    const next = (number) => {
      if (mine !== round || printing) return;
      root.dataset.drawn = number === places.length ? "all" : number;
      if (number === places.length) return;
      draw(places[number]);
      setTimeout(next, 0, number + 1);
    };
    next(0);
  }

  const button = document.getElementById("ground");
  function label() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Switch to light theme" : "Switch to dark theme");
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.ground = isDark() ? "light" : "dark";
    root.style.colorScheme = root.dataset.ground;
    label();
    drawAll();
  });
  prefersDark.addEventListener("change", () => {
    label();
    drawAll();
  });

  // Rows of a table beyond the first `shown` are left out on paper.
  function keepRows(item, shown) {
    item.querySelectorAll("tbody tr").forEach((row, number) => row.classList.toggle("off-paper", number >= shown));
    const note = item.querySelector(".on-paper");
    const all = Number(note.dataset.rows);
    const rows = shown < all ? `the first ${shown} of ${all.toLocaleString("en")} rows` : "";
    const parts = [rows, note.dataset.columns].filter(Boolean);
    note.textContent = parts.length ? `Printed: ${parts.join(" and ")}.` : "";
  }

  function fit(item) {
    const height = () => item.getBoundingClientRect().height;
    const drawn = [...item.querySelectorAll(".picture")];
    const table = item.querySelector("table");
    if (table && table.offsetWidth > PAPER.width) item.classList.add("tight");
    let [width, widest] = [PAPER.width, 1];
    if (height() > PAPER.height && drawn.length > 1) {
      item.classList.add("beside");
      [width, widest] = [(PAPER.width - BESIDE.gap) / 2, BESIDE.scale];
      drawn.forEach((each) => draw(each, width, widest));
    }
    let shown = [...item.querySelectorAll("tbody tr")].filter((row) => row.offsetHeight).length;
    while (shown > SMALLEST.rows && height() > PAPER.height) keepRows(item, (shown -= 1));
    if (height() > PAPER.height && drawn.length) {
      const figures = item.querySelector(".pictures").offsetHeight;
      const share = widest * Math.max(0.1, 1 - (height() - PAPER.height) / figures);
      const scale = Math.max(SMALLEST.picture, share);
      drawn.forEach((each) => draw(each, width, scale, Math.max(SMALLEST.height, Math.min(1, share / scale))));
    }
    while (shown > 0 && height() > PAPER.height) keepRows(item, (shown -= 1));
    if (height() > PAPER.height) item.style.zoom = Math.max(SMALLEST.item, PAPER.height / height());
  }

  const paper = document.getElementById("paper");
  const items = [...document.querySelectorAll(".item")];
  let closed = [];
  addEventListener("beforeprint", () => {
    printing = true;
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((each) => { each.open = true; });
    // The rules of paper on the screen, to measure by.
    paper.media = "all";
    document.body.style.width = `${PAPER.width}px`;
    places.forEach((each) => draw(each));
    items.forEach(fit);
    document.body.style.width = "";
    paper.media = "print";
  });
  addEventListener("afterprint", () => {
    printing = false;
    closed.forEach((each) => { each.open = false; });
    items.forEach((each) => {
      each.style.zoom = "";
      each.classList.remove("beside", "tight");
    });
    places.forEach((each) => { each.style.zoom = ""; });
    drawAll();
  });

  label();
  // Pictures measure their text, so the font comes first.
  Promise.allSettled(["400", "600"].map((weight) => document.fonts.load(`${weight} 14px "Source Sans"`))).then(drawAll);
})();
