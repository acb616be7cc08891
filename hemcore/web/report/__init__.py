"""The Report page's own room."""

from hemcore.web.page import Page

PAGE: Page[object] = Page(
    name="report",
    title="Report",
    icon=":material/summarize:",
    section="Show",
    purpose="Your findings in the order you choose: one file that opens anywhere, and a notebook that computes them again.",
    answers="How do I present my findings? Collect answers from any page, order and annotate them, and download them as one file.",
)
