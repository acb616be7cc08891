"""The app with security headers on every answer: `streamlit run deploy/serve.py`, alone or behind deploy/Caddyfile."""

from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from hemcore.web.headers import SecurityHeaders

app = App(Path(__file__).resolve().parents[1] / "app.py", middleware=[Middleware(SecurityHeaders)])
