"""The tile in JupyterLab's launcher: jupyter-server-proxy finds `tile` by the entry point of this package, and starts the app by it."""

import secrets
import sys

from hemcore.resources import PACKAGE


def tile() -> dict[str, object]:
    """How jupyter-server-proxy starts one user's server, and lets that user alone to it: each request through it has a key.

    Without the key, whoever has an account on the machine could open the port.
    """
    key = secrets.token_hex(32)
    return {
        "command": [sys.executable, "-m", "hemcore.command.cli", "--port", "{port}", "--prefix", "{base_url}hem"],
        "environment": {"HEM_KEY": key},
        "request_headers_override": {"X-HEM-Key": key},
        "absolute_url": True,
        "timeout": 120,
        "launcher_entry": {"title": "HEM Workbench", "icon_path": str(PACKAGE / "web" / "favicon.svg")},
    }
