"""What pages write in short: names of datasets, where they come from, days."""

from datetime import UTC, date, datetime, time
from types import SimpleNamespace

import pytest

from hemcore.datasets.shelf.records import DatasetRecord, Lineage
from hemcore.web.data.shelf_table import added, distinct_names, source
from hemcore.web.multiplexing import tabs
from hemcore.web.sentences import as_text
from hemcore.web.signatures.database import _as_field, _moment


def record(name: str, created: str, id: str = "a" * 64, files: tuple[str, ...] = (), lineage: Lineage | None = None) -> DatasetRecord:
    return DatasetRecord(
        id=id, name=name, kind="CounterSeries", shape="", source_names=files, created=created, lineage=lineage,
    )  # fmt: skip


def test_datasets_of_one_name_have_their_time_or_else_their_id() -> None:
    first, second, third = "2026-05-03T10:00:59+00:00", "2026-05-03T10:01:00+00:00", "2026-05-03T10:01:30+00:00"
    assert distinct_names([record("a", first), record("b", first)]) == ["a", "b"]
    assert distinct_names([record("a", first), record("a", second)]) == ["a · 2026-05-03 10:00 UTC", "a · 2026-05-03 10:01 UTC"]
    found = distinct_names([record("a", first), record("a", second, "b" * 64), record("a", third, "c" * 64)])
    assert found == ["a · 2026-05-03 10:00 UTC", "a · bbbbbbbb", "a · cccccccc"]
    assert added(record("a", "yesterday")) == "yesterday"
    assert added(record("a", "2026-05-03T10:00:00+02:00")) == "2026-05-03 08:00 UTC"


def test_where_a_dataset_comes_from() -> None:
    assert [source(record("a", "", files=tuple("xyzw"[:n])), {}) for n in (0, 1, 2, 3, 4)] == [
        "", "x", "x, y", "x, y and 1 more", "x, y and 2 more",
    ]  # fmt: skip
    lineage = Lineage(parent="b" * 64, parent_name="old", analysis="merge.hrm", params={}, version="1", gives="merged")
    kept = record("a", "", lineage=lineage)
    assert source(kept, {"b" * 64: "new"}) == "kept from new by HRM merge"
    assert source(kept, {}) == "kept from old by HRM merge"


def test_a_day_of_the_database_from_its_first_to_its_last_second() -> None:
    day = date(2026, 5, 3)
    assert _moment(day, time.min) == datetime(2026, 5, 3, tzinfo=UTC)
    assert _moment(None, time.min) is None
    assert _as_field("url: it is none. Give one.") == "Address: it is none. Give one."
    assert _as_field("job: url: 5") == "job: url: 5"


def test_markdown_is_text() -> None:
    assert as_text("a*b_c<d>$e: 5-3") == r"a\*b\_c\<d\>\$e\: 5\-3"


@pytest.mark.parametrize(("picked", "known", "put"), [("4.0", True, 4), (["8", "event"], True, 8), ("4", False, None)])
def test_a_click_on_the_curve_of_k_chooses_it(
    picked: str | list[str], known: bool, put: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tabs.PAGE.key("slots_per_count")
    chosen: dict[str, object] = {}
    monkeypatch.setattr(tabs, "st", SimpleNamespace(session_state={key: 2} if known else {}))
    monkeypatch.setattr(tabs, "put", chosen.__setitem__)
    tabs._take_k(picked)
    assert chosen.get(key) == put
