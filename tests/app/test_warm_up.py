"""What pages want done before it is asked for is done between the visitors' runs, the visited page's first."""

import pytest

from hemcore.web import navigation
from hemcore.web.pages import PAGES


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> navigation._Visits:
    own = navigation._Visits()
    monkeypatch.setattr(navigation, "_visits", own)
    return own


def test_nothing_is_done_while_a_page_runs(visits: navigation._Visits) -> None:
    visits.page = "b"
    visits.count(1)
    assert navigation._next(["a", "b"]) is None
    visits.count(-1)
    assert navigation._next(["a", "b"]) == "b"


def test_other_pages_wait_until_nobody_asks(visits: navigation._Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    visits.page = "home"
    visits.count(1)
    visits.count(-1)
    assert navigation._next(["a", "b"]) is None
    visits.ended -= navigation._QUIET + 1
    assert navigation._next(["a", "b"]) == "a"


def test_every_wish_is_met_once(visits: navigation._Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    wished = [page.name for page in PAGES if page.warm is not None]
    met: list[str] = []
    for page in PAGES:
        if page.warm is not None:
            monkeypatch.setitem(page.__dict__, "warm", lambda name=page.name: met.append(name))
    visits.ended = float("-inf")
    visits.page = wished[-1]
    monkeypatch.setattr(navigation.gc, "freeze", lambda: met.append("set aside"))
    navigation._warm()
    assert met == [wished[-1], *wished[:-1], "set aside"]
