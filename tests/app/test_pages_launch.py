"""Every page of the page table opens through app.py, and Home leads into the work."""

import pytest
from streamlit.testing.v1 import AppTest

from hemcore.datasets.shelf.library import entries
from hemcore.web import shelf
from hemcore.web.navigation import HOME, PAGES, script

TITLES = {"home": "HEM Workbench", "data": "Data", "merge": "Merge subexperiments", "segmentation": "Segmentation"}


@pytest.mark.parametrize("page", [HOME, *PAGES], ids=lambda page: page.url_path)
def test_page_launches_with_its_title(workbench, page) -> None:
    at = workbench.open(page.url_path)
    assert [each.value for each in at.title] == [TITLES[page.url_path]]
    assert not at.error


def test_app_opens_on_home(workbench) -> None:
    at = AppTest.from_file("../../app.py", default_timeout=60).run()
    assert not at.exception
    assert at.title[0].value == "HEM Workbench"


def test_every_script_under_pages_is_in_the_page_table() -> None:
    folder = script("home").parent
    assert {path.name for path in folder.glob("*.py")} == {page.script for page in (HOME, *PAGES)}


def test_home_says_what_each_page_answers_and_starts_it(workbench) -> None:
    at = workbench.open("home")
    told = {each.value for each in at.markdown}
    assert {page.answers for page in PAGES} <= told
    assert len(at.page_link) == len(PAGES)


def test_homes_start_link_names_a_dataset_that_merge_opens(workbench) -> None:
    to_merge = [link for link in workbench.open("home").page_link if link.proto.page == "merge"]
    assert len(to_merge) == 1
    assert to_merge[0].label
    named = workbench.query_of(to_merge[0])["dataset"]
    assert named in [entry.label for entry in entries(shelf.store())]
    at = workbench.merge(named)
    assert not at.error
    assert at.metric
