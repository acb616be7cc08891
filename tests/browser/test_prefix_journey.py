"""Behind nginx, under the path of Open OnDemand and under JupyterHub's: every page, link, picture and download stays under it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

import pytest

from hemcore.web.pages import PAGES
from tests.browser.conftest import Server, _free_port, keep, open_actions, pick, settled, take

pytestmark = pytest.mark.browser
expect = pytest.importorskip("playwright.sync_api").expect
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
KEY = "a key of the test, of more than 32 characters"
CONFIG = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; user {user};
events {{}}
http {{
  access_log off; client_max_body_size 210m;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u;
  scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    location {prefix}/ {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      proxy_read_timeout 1h;
      {more}
    }}
  }}
}}
"""


class Prefixed(Server):
    """What Open OnDemand and JupyterHub start: the command, for addresses that begin with `prefix`."""

    environment: ClassVar[dict[str, str]] = {"HEM_KEY": KEY}

    def __init__(self, folder: Path, prefix: str) -> None:
        super().__init__(folder / "data", folder / "server.log")
        self.prefix = prefix

    def command(self) -> list[str]:
        return [sys.executable, "-m", "hemcore.command.cli", "--port", str(self.port), "--prefix", self.prefix]


@dataclass
class Site:
    url: str
    prefix: str
    by_form: bool


@pytest.fixture(scope="module", params=["ondemand", "jupyterhub"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not Path(NGINX).exists():
        pytest.skip("nginx is not here (Debian: apt install nginx-light)")
    folder, port = tmp_path_factory.mktemp("prefix"), _free_port()
    by_form = request.param == "ondemand"
    prefix = f"/node/c1/{port}" if by_form else "/user/ada/hem"
    server = Prefixed(folder, prefix)
    server.start()
    more = "" if by_form else f'proxy_set_header X-HEM-Key "{KEY}";'
    values = {"folder": folder, "user": os.environ.get("USER", "root"), "port": port, "prefix": prefix, "behind": server.port, "more": more}
    (folder / "nginx.conf").write_text(CONFIG.format(**values))
    with (folder / "nginx.log").open("wb") as log:
        proxy = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], stdout=log, stderr=log)
    yield Site(f"http://localhost:{port}", prefix, by_form)
    proxy.terminate()
    proxy.wait(20)
    server.stop()


def test_everything_stays_under_the_path(site: Site, new_page) -> None:
    page, asked = new_page(), []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    if site.by_form:
        assert page.goto(f"{site.url}{site.prefix}/").status == 403
        form = f'<form method="post" action="{site.url}{site.prefix}/enter"><input name="key" value="{KEY}"><button>Connect</button></form>'
        page.set_content(form)
        page.get_by_role("button", name="Connect").click()
    else:
        page.goto(f"{site.url}{site.prefix}/")
    settled(page)
    links: set[str] = set()
    for each in PAGES:
        page.goto(f"{site.url}{site.prefix}/{'' if each.name == 'home' else each.name}")
        settled(page)
        assert page.get_by_text("Page not found").count() == 0
        start = each.start[0].sample if each.start else ""
        if start:
            page.locator(f".st-key-{each.name}-start-{start}").get_by_role("button").click()
            expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
            settled(page)
            open_actions(page, "Download")
            settled(page)
            name, content = take(page, "CSV")
            assert name.endswith(".csv")
            assert b"," in content
            shown = page.locator("[data-testid='stPopoverBody'] code").first.inner_text()
            assert shown.startswith(f"{site.url}{site.prefix}/{each.name}?"), shown
        links |= set(page.locator("a[href]").evaluate_all("all => all.map(each => each.href)"))
        page.wait_for_timeout(300)
    # A file that is sent, a picture as a file, a step to another page, and the link from a report's file back to the app.
    page.goto(f"{site.url}{site.prefix}/data")
    pick(page, {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"A,B\n1000,2000\n3000,4000\n5000,6500\n"})
    keep(page)
    expect(page.get_by_role("heading", name="mine.csv")).to_be_visible()
    page.goto(f"{site.url}{site.prefix}/merge")
    settled(page)
    page.locator(".st-key-merge-start-subexperiments-much").get_by_role("button").click()
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    settled(page)
    open_actions(page, "Download")
    assert take(page, "PNG")[1].startswith(b"\x89PNG")
    page.keyboard.press("Escape")
    open_actions(page, "Add to report")
    page.get_by_role("button", name="Add Merged correlation", exact=True).click()
    page.get_by_role("link", name="Open the reports").click()
    expect(page.get_by_role("button", name="Page (HTML)")).to_be_enabled()
    settled(page)
    assert urlsplit(page.url).path == f"{site.prefix}/report"
    (found,) = re.findall(rb'<a href="([^"]*)">open in HEM Workbench', take(page, "Page (HTML)")[1])
    assert found.startswith(f"{site.url}{site.prefix}/merge?".encode()), found
    for link in links:
        address = urlsplit(link)
        assert address.hostname != "localhost" or address.path.startswith(f"{site.prefix}/") or address.path == site.prefix, link
    strange = {url for url in asked if not urlsplit(url).path.startswith(f"{site.prefix}/") and re.match("https?|ws", url)}
    assert strange == set()
    assert any(url.startswith("ws") for url in asked)
