"""Where the API stands on the server of the pages: imported when it is first asked, so that a server starts as quickly without it."""

from starlette.concurrency import run_in_threadpool
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/api/v1"


def mounted(prefix: str = "") -> Mount:
    """The API's place among the routes. prefix: the path that all addresses begin with, "" without."""
    made: list[ASGIApp] = []

    def make() -> None:
        from hemcore.web.api.api_server import api_app

        made.append(api_app())

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if not made:
            await run_in_threadpool(make)
        await made[0](scope, receive, send)

    return Mount(prefix + PATH, app=app)
