// What of the visible text of a page cannot be read: too little contrast, cut off, or one over the other. Returns a sentence for each.
() => {
  const LEAST = 4.5, LEAST_OF_ICONS = 3, SLACK = 2;
  const found = [];

  const dot = document.createElement("canvas");
  dot.width = dot.height = 1;
  const ink = dot.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  // [red, green, blue, alpha] of any colour that CSS writes.
  function channels(colour) {
    if (!known.has(colour)) {
      ink.clearRect(0, 0, 1, 1);
      ink.fillStyle = colour;
      ink.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = ink.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, alpha / 255]);
    }
    return known.get(colour);
  }
  const over = (above, alpha, below) => below.map((each, place) => above[place] * alpha + each * (1 - alpha));
  function luminance(colour) {
    const linear = colour.map((each) => {
      const share = each / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }
  function contrast(element, colour, alpha) {
    const own = element.getBoundingClientRect();
    const [across, down] = [own.x + own.width / 2, own.y + own.height / 2];
    const chain = [];
    let scrolled = false; // what is scrolled out of sight has the ground of what scrolls
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each), box = each.getBoundingClientRect();
      scrolled ||= style.overflowY !== "visible";
      // A slider's value stands over its handle, not on it.
      const under = scrolled || (across >= box.left && across <= box.right && down >= box.top && down <= box.bottom);
      chain.unshift([style, under]);
    }
    let opacity = 1, ground = [255, 255, 255];
    for (const [style, under] of chain) {
      opacity *= Number(style.opacity);
      const layer = channels(style.backgroundColor);
      if (under) ground = over(layer, layer[3] * opacity, ground);
    }
    const text = over(colour, alpha * opacity, ground);
    const [high, low] = [luminance(text), luminance(ground)].sort((one, other) => other - one);
    return { ratio: (high + 0.05) / (low + 0.05), opacity };
  }
  function seen(element) {
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
  }
  const short = (words) => words.replace(/\s+/g, " ").trim().slice(0, 60);

  // Words of the page: each element that has text of its own. What cannot be used at present may be faint.
  const disabled = "[disabled], [aria-disabled='true'], :disabled";
  const rooms = document.querySelectorAll("[data-testid='stMain'], [data-testid='stSidebar'], [data-testid='stHeader'], [data-testid='stPopoverBody']");
  for (const room of rooms) {
    for (const element of room.querySelectorAll("*")) {
      if (element.closest("svg, .js-plotly-plot, canvas, style, script, noscript")) continue;
      const field = element.matches("input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=file]), textarea");
      const words = field ? element.value || "" : [...element.childNodes].filter((each) => each.nodeType === 3).map((each) => each.data).join("");
      if (!words.trim() || !seen(element) || element.closest(disabled) || element.querySelector(":scope > :disabled")) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue; // for screen readers alone
      const style = getComputedStyle(element);
      const [red, green, blue, alpha] = channels(style.color);
      const { ratio, opacity } = contrast(element, [red, green, blue], alpha);
      const icon = element.closest("[data-testid='stIconMaterial']") || /Material/.test(style.fontFamily);
      if (opacity > 0 && ratio < (icon ? LEAST_OF_ICONS : LEAST) - 0.005) found.push(`contrast ${ratio.toFixed(2)}: ${short(words)}`);
    }
  }

  // The corners of a text in a picture, as it is turned.
  function corners(text) {
    const box = text.getBBox(), matrix = text.getScreenCTM();
    return [[0, 0], [1, 0], [1, 1], [0, 1]].map(([right, down]) => {
      const point = new DOMPoint(box.x + right * box.width, box.y + down * box.height).matrixTransform(matrix);
      return [point.x, point.y];
    });
  }
  // By how many pixels two turned boxes lie over each other; negative or 0: not at all.
  function overlap(one, other) {
    let least = Infinity;
    for (const shape of [one, other]) {
      for (const place of [0, 1]) {
        const [x, y] = [shape[place + 1][0] - shape[place][0], shape[place + 1][1] - shape[place][1]];
        const length = Math.hypot(x, y) || 1;
        const reach = (each) => each.map(([across, down]) => (across * x + down * y) / length);
        const [a, b] = [reach(one), reach(other)];
        least = Math.min(least, Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b)));
      }
    }
    return least;
  }
  for (const picture of document.querySelectorAll(".js-plotly-plot")) {
    if (!seen(picture)) continue;
    const frame = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("svg text")]
      .filter((each) => each.textContent.trim() && seen(each) && each.getBoundingClientRect().width > 0)
      .filter((each) => Number(getComputedStyle(each).fillOpacity) > 0)
      .map((each) => ({ element: each, words: short(each.textContent), corners: corners(each) }));
    texts.forEach((each, number) => {
      const style = getComputedStyle(each.element);
      // Digits and names on coloured cells choose black or white by the cell, which the tests of the charts hold.
      if (!each.element.closest(".bartext, .barlayer, .hoverlayer")) {
        const [red, green, blue, alpha] = channels(style.fill);
        const { ratio } = contrast(picture, [red, green, blue], alpha * Number(style.fillOpacity));
        if (ratio < LEAST - 0.005) found.push(`contrast ${ratio.toFixed(2)} in a picture: ${each.words}`);
      }
      const out = Math.max(...each.corners.map(([x, y]) => Math.max(frame.left - x, x - frame.right, frame.top - y, y - frame.bottom)));
      if (out > SLACK) found.push(`cut off by ${out.toFixed(0)} px in a picture: ${each.words}`);
      for (const other of texts.slice(number + 1)) {
        const shared = overlap(each.corners, other.corners);
        if (shared > SLACK) found.push(`${shared.toFixed(0)} px over each other in a picture: ${each.words} | ${other.words}`);
      }
    });
  }

  for (const value of document.querySelectorAll("[data-testid='stMetricValue'], [data-testid='stMetricValue'] *")) {
    if (seen(value) && value.clientWidth && value.scrollWidth > value.clientWidth) found.push(`cut off: ${short(value.textContent)}`);
  }
  const main = document.querySelector("[data-testid='stMain']");
  if (main.scrollWidth > main.clientWidth + 1) found.push(`the page is ${main.scrollWidth} px wide in ${main.clientWidth} px`);
  return [...new Set(found)];
}
