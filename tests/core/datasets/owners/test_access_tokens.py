"""Tokens by hand: who has which, how long, and what ends them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hemcore.datasets.owners import access_tokens, audit_log, whose
from hemcore.errors import ParameterError, UnknownNameError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return whose.folder_of(whose.key_of("i", "ada"), tmp_path)


def test_a_token_opens_its_owners_store_until_it_is_ended(root: Path, tmp_path: Path) -> None:
    text = access_tokens.make(root, "  a   job ", 30)
    (token,) = access_tokens.owned(root)
    assert (token.name, token.owner, token.is_over) == ("a job", whose.key_at(root), False)
    assert datetime.fromisoformat(token.expires) - datetime.fromisoformat(token.made) == timedelta(days=30)
    assert access_tokens.root_of(text, tmp_path) == root
    assert access_tokens.root_of(text[:-1], tmp_path) is None
    assert text not in (tmp_path / "tokens" / f"{token.id}.json").read_text()
    bob = whose.folder_of(whose.key_of("i", "bob"), tmp_path)
    assert access_tokens.owned(bob) == []
    with pytest.raises(UnknownNameError):
        access_tokens.end(bob, token.id)
    access_tokens.end(root, token.id)
    assert access_tokens.root_of(text, tmp_path) is None
    assert [line["what"] for line in audit_log.lines(tmp_path)] == ["token.make", "token.end"]
    assert [line["what"] for line in audit_log.last(tmp_path, 1)] == ["token.end"]


def test_a_token_whose_time_is_up_opens_nothing(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = access_tokens.make(root, "job", 1)
    later = datetime.now(UTC) + timedelta(days=1, seconds=2)
    monkeypatch.setattr(access_tokens, "datetime", type("Later", (datetime,), {"now": classmethod(lambda cls, zone: later)}))
    assert access_tokens.owned(root)[0].is_over
    assert access_tokens.root_of(text, tmp_path) is None


def test_names_days_and_how_many(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_tokens, "MOST", 2)
    for name, days in ((" ", 30), ("job", 0), ("job", 366)):
        with pytest.raises(ParameterError):
            access_tokens.make(root, name, days)
    access_tokens.make(root, "n" * 61, 365)
    path = next((tmp_path / "tokens").glob("*.json"))
    # An older one by its own word: the newest is listed first.
    path.write_text(path.read_text().replace(f'"made": "{datetime.now(UTC):%Y}', '"made": "2020'))
    access_tokens.make(root, "second", 1)
    assert [each.name for each in access_tokens.owned(root)] == ["second", "n" * 60]
    with pytest.raises(ParameterError, match="You have 2 tokens"):
        access_tokens.make(root, "third")
    path.write_text("{}")
    assert [each.name for each in access_tokens.owned(root)] == ["second"]
