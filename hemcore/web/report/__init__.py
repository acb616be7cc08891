"""The Report page's own room."""

from hemcore.web.page import Page

PAGE: Page[object] = Page(
    name="report",
    title="Report",
    icon=":material/summarize:",
    section="Show",
    purpose="What was found, in the order you tell it: one file that opens anywhere, and a notebook that computes it again.",
    answers="How do I show what I found? Collect answers from any page, order and annotate them, take them away as one file.",
    story="Put the answers that matter in order and take them away as one file that opens anywhere.",
)
