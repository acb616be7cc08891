"""Where the files beside the code are: at the top of a checkout, inside the package once it is installed."""

import importlib.util
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# The wheel has a copy of the checkout's top level here; pyproject.toml says of what.
_INSTALLED = PACKAGE / "_app"
ROOT = _INSTALLED if _INSTALLED.is_dir() else PACKAGE.parent
PAGES = ROOT / "pages"
SAMPLES = ROOT / "sample_data"
# app.py with security headers.
SERVER = ROOT / "deploy" / "serve.py"


def is_installed(package: str) -> bool:
    """Whether `package` can be imported; it is not imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # blocked: sys.modules has None in its place
        return False
