"""Two people on a team's server, signed in by OpenID Connect: each sees their own, one shares by link, ends it, signs out."""

import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT, Server, _free_port
from tests.deploy.test_headers import CADDY, running

pytestmark = pytest.mark.browser
expect = pytest.importorskip("playwright.sync_api").expect
READINGS = b"A,B\n100,200\n300,400\n500,600\n"


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """A provider that believes everyone; its address and its process."""
    pytest.importorskip("oidc_provider_mock")
    port = _free_port()
    with (tmp_path / "provider.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "oidc_provider_mock", "--port", str(port)], stdout=log, stderr=log)
    url = f"http://localhost:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{url}/.well-known/openid-configuration", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield url, process
    process.kill()
    process.wait()


def set_up(monkeypatch: pytest.MonkeyPatch, url: str, provider: str) -> None:
    """The settings of a team's server that people know as `url`."""
    given = {
        "HEM_AUTH": "oidc",
        "HEM_PUBLIC_URL": url,
        "HEM_OIDC_METADATA_URL": f"{provider}/.well-known/openid-configuration",
        "HEM_OIDC_CLIENT_ID": "hem",
        "HEM_OIDC_CLIENT_SECRET": "a client's secret of the test",
        "HEM_COOKIE_SECRET": "a cookie secret of the test, which is long",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def team(tmp_path: Path, provider: tuple[str, subprocess.Popen], monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server(tmp_path / "data", tmp_path / "server.log")
    set_up(monkeypatch, server.url, provider[0])
    server.start()
    yield server
    server.stop()


@pytest.fixture
def two(tmp_path: Path, provider: tuple[str, subprocess.Popen], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[Server]]]:
    """The address of Caddy, and the two processes behind it, over one store."""
    if CADDY is None:
        pytest.skip("Caddy is not here (Debian: apt install caddy; or HEM_CADDY names it)")
    url = f"https://localhost:{_free_port()}"
    set_up(monkeypatch, url, provider[0])
    servers = [Server(tmp_path / "data", tmp_path / f"server-{number}.log") for number in range(2)]
    for server in servers:
        server.start()
    named = {"HEM_SITE": url, "HEM_SECRET": "a secret of the test", "XDG_DATA_HOME": str(tmp_path / "caddy"), "HOME": str(tmp_path)}
    named["HEM_SERVERS"] = " ".join(f"127.0.0.1:{server.port}" for server in servers)
    config = tmp_path / "Caddyfile"
    config.write_text((ROOT / "deploy" / "Caddyfile").read_text().replace("admin off\n", "admin off\n\tauto_https disable_redirects\n"))
    trusted = ssl.create_default_context()
    trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
    command = [CADDY, "run", "--config", str(config), "--adapter", "caddyfile"]
    with running(command, tmp_path / "caddy.log", f"{url}/_stcore/health", trusted, **named):
        yield url, servers
    for server in servers:
        server.stop()


def sign_in(browser, url: str, name: str):
    page = browser.new_context(ignore_https_errors=True).new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{url}/data", wait_until="commit")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("input[name=sub]", state="attached")
    page.locator("input[name=sub]").fill(name)
    page.locator("button[type=submit], input[type=submit]").first.click()
    expect(page.get_by_role("button", name=name)).to_be_visible()
    # Back at the link, not at Home.
    assert page.url.startswith(f"{url}/data")
    expect(page.get_by_text("Your data", exact=True)).to_be_visible()
    return page


def test_two_people_share_and_end_it(browser, team: Server, provider: tuple[str, subprocess.Popen]) -> None:
    ada, bob = sign_in(browser, team.url, "ada"), sign_in(browser, team.url, "bob")
    ada.locator("input[type=file]").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": READINGS})
    ada.get_by_role("button", name="Add to your data").click()
    expect(ada.get_by_role("heading", name="mine.csv")).to_be_visible()
    bob.reload(wait_until="commit")
    expect(bob.get_by_text("You have no data yet")).to_be_visible()

    ada.get_by_role("button", name="Share").click()
    ada.get_by_role("button", name="By link").click()
    link = ada.locator("code").filter(has_text="?share=").inner_text()
    bob.goto(link, wait_until="commit")
    expect(bob.get_by_text("ada shares it with you since")).to_be_visible()
    expect(bob.get_by_role("button", name="Delete")).to_have_count(0)

    ada.get_by_role("button", name="End", exact=True).click()
    expect(ada.locator("code").filter(has_text="?share=")).to_have_count(0)
    bob.reload(wait_until="commit")
    expect(bob.get_by_text("You have no data yet")).to_be_visible()
    bob.goto(link, wait_until="commit")
    expect(bob.get_by_text("This link opens nothing for you")).to_be_visible()

    ada.get_by_role("button", name="ada").click()
    ada.get_by_role("button", name="Sign out").click()
    expect(ada).to_have_url(re.compile("end_session"))  # the provider asks whether to sign out there too
    provider[1].kill()
    provider[1].wait()
    ada.goto(f"{team.url}/data", wait_until="commit")
    ada.get_by_role("button", name="Sign in").click()
    expect(ada.get_by_text("The sign-in service cannot be used now")).to_be_visible()
    # Who is signed in goes on.
    bob.goto(f"{team.url}/data", wait_until="commit")
    expect(bob.get_by_text("You have no data yet")).to_be_visible()


def until_it_answers(url: str, *pages) -> None:
    """Wait until the proxy knows which process is left, whose health it asks every five seconds."""
    for page in pages:
        for _ in range(120):
            if page.request.get(f"{url}/_stcore/health").ok:
                break
            time.sleep(0.5)


def test_a_session_moves_to_the_other_process(browser, two: tuple[str, list[Server]]) -> None:
    """What began at one process goes on at the other when that one is killed: the sign-in, the data, the share, its end, the way out."""
    url, servers = two
    ada, bob = sign_in(browser, url, "ada"), sign_in(browser, url, "bob")
    ada.locator("input[type=file]").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": READINGS})
    ada.get_by_role("button", name="Add to your data").click()
    expect(ada.get_by_role("heading", name="mine.csv")).to_be_visible()
    servers[0].kill()
    until_it_answers(url, ada, bob)
    for page in (ada, bob):
        page.reload(wait_until="commit")
    expect(ada.get_by_role("heading", name="mine.csv")).to_be_visible()
    expect(ada.get_by_role("button", name="ada")).to_be_visible()
    expect(bob.get_by_text("You have no data yet")).to_be_visible()

    ada.get_by_role("button", name="Share").click()
    ada.get_by_role("button", name="By link").click()
    link = ada.locator("code").filter(has_text="?share=").inner_text()
    servers[0].start()
    servers[1].kill()
    until_it_answers(url, ada, bob)
    bob.goto(link, wait_until="commit")
    expect(bob.get_by_text("ada shares it with you since")).to_be_visible()
    ada.reload(wait_until="commit")
    ada.get_by_role("button", name="Share").click()
    ada.get_by_role("button", name="End", exact=True).click()
    expect(ada.locator("code").filter(has_text="?share=")).to_have_count(0)
    bob.reload(wait_until="commit")
    expect(bob.get_by_text("You have no data yet")).to_be_visible()
    ada.get_by_role("button", name="ada").click()
    ada.get_by_role("button", name="Sign out").click()
    expect(ada).to_have_url(re.compile("end_session"))


def test_the_box_with_the_name_opens_at_once_and_shows_a_new_token_until_it_is_copied(browser, team: Server, provider) -> None:
    page = sign_in(browser, team.url, "ada")
    page.goto(f"{team.url}/segmentation", wait_until="commit")
    page.get_by_role("button", name="ada").click()  # while the page is being drawn
    box = page.get_by_test_id("stPopoverBody")
    expect(box.get_by_text("Your data: 0 kB")).to_be_visible()
    page.wait_for_selector("[data-testid='stApp'][data-test-script-state='notRunning']")
    box.get_by_role("textbox", name="What it is for").fill("nightly")
    box.get_by_role("button", name="Make a token").click()
    expect(box.get_by_text("Copy it now")).to_be_visible()
    box.get_by_role("button", name="I have copied it").click()
    expect(box.get_by_text("Copy it now")).to_have_count(0)
    expect(box.get_by_text("nightly")).to_be_visible()
