"""The app with security headers on every answer: `streamlit run deploy/serve.py`, alone or behind deploy/Caddyfile.

Without HEM_AUTH it serves one user, on this machine. With HEM_AUTH=oidc or HEM_AUTH=proxy it serves a team: docs/deploy.md.
"""

import os
import sys
from pathlib import Path

from starlette.middleware import Middleware
from streamlit import config
from streamlit.starlette import App

ROOT = Path(__file__).resolve().parents[1]
# Streamlit finds what lies beside the script that it is given, and that is here.
sys.path.insert(0, str(ROOT))

from deploy.headers import SecurityHeaders  # noqa: E402
from hemcore.errors import HemError  # noqa: E402
from hemcore.web.api.api_mount import mounted  # noqa: E402
from hemcore.web.team.team_settings import OPEN, check_address, settings  # noqa: E402

try:
    check_address(config.get_option("server.address"), os.environ)
    given = settings()
except HemError as error:
    print(error, file=sys.stderr, flush=True)
    os._exit(2)  # Streamlit would print a traceback, and what an environment holds must not be in one

if given.auth:
    from hemcore.web.team.team_server import team_app

    try:
        app = team_app(ROOT / "app.py", given, [Middleware(SecurityHeaders)])
    except HemError as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(2)
else:
    from hemcore.web.team.one_user_door import OneUserDoor

    named = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{named}" if named else ""
    door = [] if os.environ.get(OPEN) == "yes" and not given.key else [Middleware(OneUserDoor, key=given.key, prefix=prefix)]
    app = App(ROOT / "app.py", routes=[mounted(prefix)], middleware=[Middleware(SecurityHeaders), *door])
