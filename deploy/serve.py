"""The app with security headers on every answer: `streamlit run deploy/serve.py`, alone or behind deploy/Caddyfile."""

import sys
from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

ROOT = Path(__file__).resolve().parents[1]
# Streamlit finds what lies beside the script that it is given, and that is here.
sys.path.insert(0, str(ROOT))

from deploy.headers import SecurityHeaders  # noqa: E402

app = App(ROOT / "app.py", middleware=[Middleware(SecurityHeaders)])
