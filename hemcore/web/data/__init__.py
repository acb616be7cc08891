"""The Data page's own room."""

from hemcore.web.page import Page

# In the address: the job that reads an upload, so that a refresh finds it again.
READING = "reading"
PAGE: Page[object] = Page(
    name="data",
    title="Data",
    icon=":material/database:",
    section="Prepare",
    purpose="Upload readings here: they are checked once and survive refresh and restart.",
    answers="Which readings do I have, and what was repaired? Upload files, inspect them and keep them.",
    in_address=(READING,),
)
