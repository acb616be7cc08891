"""`streamlit run app.py`, without the security headers of `make run`, answers as well: a deep link first, as a fresh server may be met."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, link, settled

pytestmark = pytest.mark.browser
SAMPLE = "Request server, MUCH collection · sample"


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "data", tmp_path / "server.log")
    started.script = "app.py"
    started.start()
    yield started
    started.stop()


def test_a_deep_link_and_home(plain, new_page) -> None:
    page = new_page()
    page.goto(link(plain, "merge", dataset=SAMPLE))
    settled(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_role("link", name="Segmentation").first).to_be_visible()
    page.goto(plain.url)
    settled(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
