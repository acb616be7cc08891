"""The app of a team's server: Streamlit's behind the door, with owners, secrets and addresses of health."""

import logging
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit import config
from streamlit import error as show_error
from streamlit.starlette import App

from hemcore.datasets.owners import audit_log, whose
from hemcore.datasets.shelf import retention
from hemcore.errors import HemError, StoreError
from hemcore.web import sentences
from hemcore.web.api.api_mount import mounted
from hemcore.web.team import guard, left_memory, server_metrics, session_owner, streamlit_owners
from hemcore.web.team.identity import HEADERS
from hemcore.web.team.return_link import ReturnLink
from hemcore.web.team.team_settings import Settings

logger = logging.getLogger(__name__)
_LOOK_S = 600.0


def team_app(script: Path, given: Settings, middleware: Sequence[Middleware]) -> App:
    """The app at `script` for a team. middleware: stands inside the door."""
    if given.auth == "proxy":
        guard.remember_peers()
        config.set_option("server.trustedUserHeaders", HEADERS)
    left_memory.few_heaps()
    streamlit_owners.install()
    session_owner.serve()
    audit_log.source_here = session_owner.source_or_none
    named = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{named}" if named else ""
    inside = [*middleware, Middleware(ReturnLink, public_url=given.public_url, prefix=prefix)] if given.auth == "oidc" else middleware
    if port := os.environ.get("HEM_METRICS_PORT", "").strip():
        server_metrics.serve(port, os.environ.get("HEM_METRICS_ADDRESS", "127.0.0.1"))
    threading.Thread(target=_look_after, args=(whose.base(),), name="hem-daily", daemon=True).start()
    return App(
        script,
        lifespan=left_memory.looked_after,
        secrets={name: dict(section) for name, section in given.secrets().items()} or None,
        routes=[Route(f"{prefix}/healthz", _alive), Route(f"{prefix}/readyz", _ready), mounted(prefix)],
        middleware=[*inside, Middleware(guard.Guard, given=given, prefix=prefix)],
        on_script_error=_sentence,
    )


def _look_after(base: Path) -> None:
    """What is done once a day, by whichever process of the store comes first."""
    while True:
        time.sleep(_LOOK_S)
        from hemcore.report import ReportShelf  # not before the server answers

        try:
            retention.daily(base, lambda root, id: ReportShelf(root).delete(id))
        except (HemError, OSError):
            logger.exception("the daily work in %s could not be done", base)


def _sentence(error: Exception) -> bool:
    """A HemError in a callback, such as of a session that was signed out elsewhere, as its sentence."""
    if isinstance(error, HemError):
        show_error(sentences.as_text(str(error)))
        return True
    return False


async def _alive(request: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _ready(request: Request) -> Response:
    """Whether the store can be written; for a proxy that chooses between servers."""
    try:
        folder = whose.base()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / ".ready"
        probe.write_text("")
        probe.unlink(missing_ok=True)
    except OSError as error:
        return JSONResponse({"ready": False, "why": str(StoreError(f"the store cannot be written ({error.strerror})"))}, status_code=503)
    return JSONResponse({"ready": True})
