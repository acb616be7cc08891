// Draws the pictures one after another in the colors of the theme, and again when the theme changes or the page is printed.
(() => {
  "use strict";
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const places = [...document.querySelectorAll(".picture")];
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
  const PAPER_WIDTH = 700;
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

  function draw(place) {
    const ground = isDark() ? "dark" : "light";
    const figure = grounds(place)[ground];
    const layout = { ...structuredClone(figure.layout), autosize: true };
    if (printing) layout.width = PAPER_WIDTH;
    try {
      Plotly.react(place, figure.data, layout, config);
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

  let closed = [];
  addEventListener("beforeprint", () => {
    printing = true;
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((each) => { each.open = true; });
    places.forEach(draw);
  });
  addEventListener("afterprint", () => {
    printing = false;
    closed.forEach((each) => { each.open = false; });
    drawAll();
  });

  label();
  drawAll();
})();
