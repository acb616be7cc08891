"""The app opens on Home, and every script is in the table of pages. How each page opens: test_contract.py."""

from streamlit.testing.v1 import AppTest

from hemcore.web.pages import PAGES
from hemcore.web.team import admin_page


def test_app_opens_on_home(workbench) -> None:
    at = AppTest.from_file("../../app.py", default_timeout=60).run()
    assert not at.exception
    assert at.title[0].value == "HEM Workbench"


def test_every_script_under_pages_is_in_the_page_table() -> None:
    assert set(PAGES[0].script.parent.glob("*.py")) == {page.script for page in (*PAGES, admin_page.PAGE)}
