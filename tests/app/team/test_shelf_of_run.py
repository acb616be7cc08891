"""Whose shelf a run works on: asked once at its beginning, and again in the next one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hemcore.datasets.owners import whose
from hemcore.web import navigation

ADA, BOB = "a" * 32, "b" * 32


@pytest.fixture
def askers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Who asks, next last; a team's server."""
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HEM_AUTH", "oidc")
    asking = [BOB, ADA]
    whose.serve_owners(asking.pop)
    yield asking
    whose.serve_owners(None)


def test_a_run_asks_once_and_the_next_one_again(askers: list[str], tmp_path: Path) -> None:
    for key in (ADA, BOB):
        with navigation._shelf_of_run():
            assert [whose.key_here() for _ in range(3)] == [key] * 3
            assert whose.folder() == tmp_path / "owners" / key
    assert not askers


def test_a_run_that_fails_leaves_its_shelf(askers: list[str]) -> None:
    with pytest.raises(ZeroDivisionError), navigation._shelf_of_run():
        raise ZeroDivisionError
    assert whose.key_here() == BOB


def test_one_user_is_asked_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("HEM_AUTH", raising=False)
    with navigation._shelf_of_run():
        assert whose.folder() == tmp_path
