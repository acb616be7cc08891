"""With the security headers of deploy/serve.py the pages work as without them: the policy stops nothing that they need."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, link, settled, upload

pytestmark = pytest.mark.browser
SAMPLE = "Request server, MUCH collection · sample"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "data", tmp_path / "server.log")
    started.script = "deploy/serve.py"
    started.start()
    yield started
    started.stop()


def test_pages_pictures_uploads_and_tables_work_under_the_policy(guarded, new_page) -> None:
    page = new_page()
    page.goto(guarded.url)
    settled(page)
    page.goto(link(guarded, "merge", dataset=SAMPLE))
    settled(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    rows = "".join(f"{2000 + 7 * row % 90},{300 + row},{2100 + 5 * row % 70},{400 + row}\n" for row in range(40))
    upload(page, guarded, [{"name": "mine.csv", "mimeType": "text/csv", "buffer": f"X1,X24,X1.1,X110\n{rows}".encode()}], "Merge these")
    settled(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
