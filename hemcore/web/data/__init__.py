"""The Data page's own room."""

from hemcore.web.page import Page

# In the address: the job that reads an upload, so that a refresh finds it again.
READING = "reading"
PAGE: Page[object] = Page(
    name="data",
    title="Data",
    icon=":material/database:",
    section="Prepare",
    purpose="Readings come in here, are checked once, and stay through refresh and restart.",
    answers="Which readings do I have, and what had to be repaired? Upload files, see what is in them, keep them.",
    in_address=(READING,),
    story="Bring readings in: upload your own files, or look at the bundled samples and at every repair that was made.",
)
