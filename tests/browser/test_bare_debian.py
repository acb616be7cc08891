"""docs/deploy.md on a bare Debian: its block of commands is run as it stands, and somebody signs in. A root of debootstrap's, which shares
this machine's kernel and network.
"""

import os
import re
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT
from tests.browser.test_team_journey import provider, sign_in  # noqa: F401

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (shutil.which("debootstrap") and hasattr(os, "geteuid") and os.geteuid() == 0 and os.environ.get("HEM_BARE_DEBIAN")),
        reason="needs root, debootstrap, the network, and ports 80, 443 and 8501: HEM_BARE_DEBIAN=yes (or the folder of a bare root)",
    ),
]
_PATIENCE_S = 1200
SECRET = "the client's secret of the test"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A root with nothing but Debian's base, and this repository in /srv/hem.git."""
    given = Path(os.environ["HEM_BARE_DEBIAN"])
    root = given if given.is_dir() else tmp_path / "root"
    if not given.is_dir():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(root), "http://deb.debian.org/debian"], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    subprocess.run(["git", "clone", "-q", "--bare", str(ROOT), str(root / "srv" / "hem.git")], check=True)
    return root


def test_the_page_leads_to_a_server(bare: Path, provider: tuple[str, object], browser, tmp_path: Path) -> None:  # noqa: F811
    block, *_ = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "deploy.md").read_text(), flags=re.S)
    # What the reader puts in the place of the examples: the repository, the name of the site, the provider.
    for example, own in (("REPOSITORY", "/srv/hem.git"), ("hem.example.org", "localhost"), ("https://sso.example.org", provider[0])):
        assert example in block
        block = block.replace(example, own)
    (bare / "block.sh").write_text(f"set -e\nexport DEBIAN_FRONTEND=noninteractive\n{block}")
    inside = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" bash /block.sh'
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", inside, str(bare)]
    plain = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
    if authority := os.environ.get("PIP_CERT"):  # of a network with an authority of its own
        shutil.copy(authority, bare / "srv" / "authority.crt")
        plain["PIP_CERT"] = "/srv/authority.crt"
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    with (tmp_path / "log").open("wb") as log, secret.open("rb") as pasted:
        process = subprocess.Popen(command, env=plain, stdin=pasted, stdout=log, stderr=log, start_new_session=True)
    anyone = ssl.create_default_context()
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    try:
        until = time.monotonic() + _PATIENCE_S
        while not _is_ready(anyone):
            assert process.poll() is None, (tmp_path / "log").read_text()[-4000:]
            assert time.monotonic() < until, (tmp_path / "log").read_text()[-4000:]
            time.sleep(1)
        sign_in(browser, "https://localhost", "ada")
        assert (bare / "var/lib/hem").stat().st_mode & 0o777 == 0o700
        assert (bare / "etc/hem/client").read_text() == SECRET
        assert SECRET not in (tmp_path / "log").read_text()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _is_ready(anyone: ssl.SSLContext) -> bool:
    try:
        return bool(urllib.request.urlopen("https://localhost/readyz", context=anyone, timeout=5).read() == b'{"ready":true}')
    except OSError:
        return False
