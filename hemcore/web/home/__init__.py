"""Home's own room."""

from hemcore.web.page import Page

PAGE: Page[object] = Page(
    name="home",
    title="Home",
    icon=":material/home:",
    heading="HEM Workbench",
    purpose="",
    answers="What each page answers, and how to start.",
)
