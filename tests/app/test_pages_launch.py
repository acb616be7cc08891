"""Every page of the page table opens through app.py, and every script is in the table."""

import pytest
from streamlit.testing.v1 import AppTest

from hemcore.web.page import Page
from hemcore.web.pages import PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_launches_with_its_title(workbench, page: Page) -> None:
    at = workbench.open(page.name)
    assert [each.value for each in at.title] == [page.heading or page.title]
    assert not at.error


def test_app_opens_on_home(workbench) -> None:
    at = AppTest.from_file("../../app.py", default_timeout=60).run()
    assert not at.exception
    assert at.title[0].value == "HEM Workbench"


def test_every_script_under_pages_is_in_the_page_table() -> None:
    assert set(PAGES[0].script.parent.glob("*.py")) == {page.script for page in PAGES}
