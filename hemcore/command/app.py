"""Starts the app from any folder: on localhost unless told otherwise, without telemetry, with security headers."""

import os
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

from hemcore import resources
from hemcore.errors import HemError, StoreError

_ADDRESS = "localhost"


def start(*, port: int, data: Path | None, browse: bool, demo: bool = False, address: str = _ADDRESS, prefix: str = "") -> int:
    """Run the app until it is stopped; returns its exit code. data: the folder of the datasets, created if missing. browse, demo: open it,
    or its demo, in the browser. address: that it listens on. prefix: the path that its addresses begin with, behind a proxy.

    Raises HemError if Streamlit is not installed, StoreError if the folder `data` cannot be created.
    """
    try:
        from streamlit.web import cli
    except ImportError:
        raise HemError("app: Streamlit is not installed; the app needs it. Install it: pip install 'hem-workbench[app]'") from None
    if data is not None:
        try:
            data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"--data: the folder {data} cannot be created ({error.strerror or error}). Name another one.") from None
        os.environ["HEM_DATA_DIR"] = str(data.resolve())
    # Streamlit reads its configuration from the current folder.
    os.chdir(resources.ROOT)
    url = f"http://{address}:{port}/{prefix.strip('/')}".rstrip("/")
    print(f"HEM Workbench: {url}", file=sys.stderr)
    if demo:
        threading.Thread(target=_open_demo, args=(url,), name="open-demo", daemon=True).start()
    options = {
        "server.port": port,
        "server.address": address,
        "server.baseUrlPath": prefix.strip("/"),
        "server.headless": str(demo or not browse).lower(),
        "browser.gatherUsageStats": "false",
        "browser.serverAddress": _ADDRESS,
    }
    sys.argv = ["streamlit", "run", str(resources.SERVER), *(f"--{name}={value}" for name, value in options.items())]
    try:
        cli.main()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    return 0


def _open_demo(address: str) -> None:
    """Open the demo as soon as the server answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    webbrowser.open(f"{address}/?demo=1")
