// The dataset that was just added is where its visitor looks: the button was below a long panel, which is gone once the page is drawn.

const DRAWN = "[data-testid='stApp'][data-test-script-state='notRunning']";
const BELOW_THE_NAVIGATION = "5rem";
const TRIES = 50;
const EACH = 100; // ms

export default function () {
  // Boxes above it open and close for a moment: it is looked for until it stays where it is.
  const look = (left, before) => {
    const head = document.querySelector(".st-key-data-head");
    const top = head && document.querySelector(DRAWN) ? head.getBoundingClientRect().top : null;
    if (top !== null && top === before) {
      head.style.scrollMarginTop = BELOW_THE_NAVIGATION;
      head.scrollIntoView({ block: "nearest" });
    } else if (left) {
      setTimeout(look, EACH, left - 1, top);
    }
  };
  look(TRIES, null);
}
