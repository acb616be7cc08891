// What Streamlit leaves to the browser: which changes of the address are steps of Back, keys that it does not know, and names that it cuts.

// A step: another page, or one of these, by the ends of their names in the address: the dataset, what is open, a baseline, a demo's step.
const STEPS = /(^demo|\.(dataset|opened|open|pin))$/;
// ms in which several changes by the server are one.
const ONE = 1000;
const NARROW = 768;

const whole = (address) => new URL(address, location.href);

// The parameters of a step in which `to` differs from the address; gone: also those that it lacks.
function isStep(to, gone) {
  const [now, then] = [new URLSearchParams(location.search), to.searchParams];
  const names = [...new Set([...now.keys(), ...then.keys()])].filter((name) => STEPS.test(name));
  return names.some((name) => then.get(name) !== now.get(name) && (gone || then.get(name)));
}

// Streamlit makes a step of all that the server writes into the address, and none of what is chosen in a box. Before it changes the page it
// empties the address, as a step of its own, which loses the dataset: until the visitor does something, or a moment has passed, the steps of
// one change are one.
function keepSteps() {
  const [push, replace] = [history.pushState.bind(history), history.replaceState.bind(history)];
  let before = null; // the address before the first of them
  let forget = 0;
  let arriving = true; // nothing was done yet on this page, or after Back: what changes belongs to it

  const step = (state, address) => {
    if (before !== null) replace(state, "", before);
    before = null;
    push(state, "", address);
  };
  history.pushState = (state, title, address) => {
    const to = whole(address ?? location.href);
    if (to.pathname !== location.pathname) {
      step(state, to);
      arriving = true;
    } else if (!arriving && isStep(to, false)) {
      step(state, to);
    } else {
      before ??= location.href;
      clearTimeout(forget);
      forget = setTimeout(() => { before = null; }, ONE);
      replace(state, "", to);
    }
  };
  history.replaceState = (state, title, address) => {
    const to = whole(address ?? location.href);
    if (!arriving && to.pathname === location.pathname && isStep(to, true)) push(state, "", to);
    else replace(state, "", to);
  };
  window.addEventListener("popstate", () => { [arriving, before] = [true, null]; }, { capture: true });
  for (const done of ["pointerdown", "keydown", "click"]) {
    window.addEventListener(done, () => { [arriving, before] = [false, null]; }, { capture: true });
  }
}

// The button that a key presses, by where it is pressed. A slider that was moved has the focus and would take the keys of a presenter's
// remote, which Streamlit takes elsewhere.
const TEXT = "textarea, [contenteditable='true'], input:not([type='range'], [type='checkbox'], [type='radio'], [type='button'], [type='file'])";
const PRESSED = {
  "?": { button: ".st-key-frame-keys button", at: (place) => !place.closest?.(TEXT) },
  PageDown: { button: ".st-key-demo-next button:enabled", at: ({ type }) => type === "range" },
  PageUp: { button: ".st-key-demo-back button:enabled", at: ({ type }) => type === "range" },
};
// What Escape closes by itself.
const OPEN = "[role='dialog'], [role='listbox'], [data-testid='stPopoverBody'], .hem-picture-whole";

function buttonFor({ key, target }) {
  if (key === "Escape") {
    const side = window.innerWidth < NARROW && !document.querySelector(OPEN);
    return side ? document.querySelector("[data-testid='stSidebar']:not([data-collapsed='true']) [data-testid='stSidebarCollapseButton'] button") : null;
  }
  const pressed = PRESSED[key];
  return pressed?.at(target) ? document.querySelector(pressed.button) : null;
}

function listenToKeys() {
  window.addEventListener("keydown", (event) => {
    const button = event.ctrlKey || event.altKey || event.metaKey ? null : buttonFor(event);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  }, { capture: true });
}

// A name that its box cuts is there in full on hover.
const NAMED = "[data-testid='stSelectbox'] input, [role='option'], [data-testid='stMultiSelectTagsContainer'] > span";

function showCutNames() {
  document.addEventListener("pointerover", ({ target }) => {
    const named = target.closest?.(NAMED);
    if (!named) return;
    const cut = [named, ...named.querySelectorAll("*")].some((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth);
    named.title = cut ? named.value ?? named.textContent : "";
  });
}

export default function () {
  if (window.hemBrowser) return;
  window.hemBrowser = true;
  keepSteps();
  listenToKeys();
  showCutNames();
}
