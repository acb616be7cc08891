"""Where the files beside the code are: at the top of a checkout, inside the package once it is installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# The wheel has a copy of the checkout's top level here; pyproject.toml says of what.
_INSTALLED = PACKAGE / "_app"
ROOT = _INSTALLED if _INSTALLED.is_dir() else PACKAGE.parent
PAGES = ROOT / "pages"
SAMPLES = ROOT / "sample_data"
# app.py with security headers.
SERVER = ROOT / "deploy" / "serve.py"
