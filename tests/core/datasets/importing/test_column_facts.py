"""What a column of a few cells is."""

import pytest

from hemcore.datasets.importing.guessing import column_facts, numbering
from hemcore.datasets.importing.guessing.column_facts import Facts
from hemcore.datasets.importing.guessing.role_guess import guess
from hemcore.datasets.importing.parts import read_part
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.uploaded_files import UploadedFile


def facts(**columns: str) -> list[Facts]:
    """Of columns, given as cells divided by blanks."""
    cells = [column.split() for column in columns.values()]
    lines = [",".join(columns), *map(",".join, zip(*cells, strict=True))]
    part = read_part(UploadedFile("f.csv", "\n".join(lines).encode()), ImportRecipe())
    return [Facts(part, place) for place in range(len(columns))]


def one(cells: str, name: str = "x") -> Facts:
    n = len(cells.split())
    return facts(**{name: cells, "word": "w " * n, "number": "7 " * n})[0]


def test_numbers_words_and_what_is_below_zero() -> None:
    mixed = one("1 2 a b -3 0")
    assert (mixed.number, mixed.is_numeric, mixed.distinct, mixed.below_zero) == (pytest.approx(4 / 6), True, 6, (1, 4))
    assert one("1 a").is_numeric
    assert not one("1 a b").is_numeric
    assert [one(cells).is_whole for cells in ("1 2", "1 2.5", "1 x")] == [True, False, False]
    assert [one(cells).ascends for cells in ("1 2 3", "1 2 2", "1 2.5 3")] == [True, False, False]


def test_a_place_has_several_rows_each() -> None:
    assert [column_facts.is_place(one(cells)) for cells in ("0 1 0 1", "0 1 2", "0 0 0 0", "0.5 1 0.5 1", "a b a b")] == [
        True, False, False, False, True,
    ]  # fmt: skip


def test_numbers_that_count_up_are_names() -> None:
    assert [numbering.counts_up(one(cells)) for cells in ("0 1 2 0 1 2", "1 2 1 2", "2 3 2 3", "0 1 0 0", "0 2 0 2")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_years_follow_one_another() -> None:
    assert [column_facts.are_years(one(cells, "time")) for cells in ("1500 1501", "1499 1500", "2199 2200", "2200 2201", "1990 1992")] == [
        True, False, True, False, False,
    ]  # fmt: skip


def test_what_grows_never_falls_and_is_not_always_the_same() -> None:
    assert [column_facts.grows(one(cells)) for cells in ("1 1 2", "1 3 2", "5 5 5")] == [True, False, False]


def test_the_one_step_of_a_clock() -> None:
    # From 0 or from one step, at least five numbers.
    assert [column_facts.step_of(one(cells)) for cells in ("0 .5 1 1.5 2", "0.5 1 1.5 2 2.5", "3 3.5 4 4.5 5", "0 .5 1 1.5")] == [
        0.5, 0.5, 0, 0,
    ]  # fmt: skip
    assert column_facts.step_of(one("0 1 2 3 5")) == 0
    assert column_facts.step_of(one("4 3 2 1 0")) == 0


def test_an_index_that_goes_round() -> None:
    assert [numbering.takes_turns(one(cells, "index")) for cells in ("0 1 0 1", "0 1 0 1 0", "0 1 2 3", "0 0 1 1", "0 0 0")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert not numbering.takes_turns(one("0 1 0 1", "core"))


def test_ranks_are_parts_of_the_machine_unless_a_time_goes_on() -> None:
    ranks = facts(rank="0 1 2", time="5 4 6", cycles="7 8 9")
    assert numbering.numbers_parts(ranks[0], ranks)
    growing = facts(rank="0 1 2", time="4 5 6", cycles="7 8 9")  # each took longer than the one before
    assert numbering.numbers_parts(growing[0], growing)
    others = facts(rank="0 1 3", time="4 5 6", cycles="7 8 9")
    assert not numbering.numbers_parts(others[0], others)
    twice = facts(rank="0 1 1", time="5 4 6", cycles="7 8 9")
    assert not numbering.numbers_parts(twice[0], twice)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([1_700_000_000 + each for each in range(5)], True),
        ([1_700_000_000 + each for each in range(4)], False),  # four may be so by chance
        ([1_700_000_000 - each for each in range(5)], False),
        ([1_262_304_000 + each for each in range(5)], True),  # 2010
        ([1_262_303_999 + each for each in range(5)], False),
        ([1_700_000_000 + 20_000_000 * each for each in range(5)], True),  # 80 million long, and 21 times as long ago
        ([1_700_000_000 + 22_000_000 * each for each in range(5)], False),
        ([1_700_000_000 + 100 * each**2 for each in range(5)], False),  # uneven
    ],
)
def test_instants_of_a_column_without_a_known_name(cells: list[int], found: bool) -> None:
    named = facts(stamp0=" ".join(map(str, cells)), cycles=" ".join("7" for _ in cells))
    assert column_facts.instants(named) == named[:1] * found


def test_names_of_events_are_words_beside_values() -> None:
    called = facts(event="cycles misses cycles", value="1 2 3")
    assert column_facts.names_events(called[0], called)
    # "name" is that of an event only beside "value".
    for value, expected in (("value", True), ("other", False)):
        named = facts(**{"name": "cycles misses cycles", value: "1 2 3"})
        assert column_facts.names_events(named[0], named) is expected
    # One event in all rows names none, unless at most one column holds numbers.
    for columns, expected in (({"a": "1 2"}, True), ({"a": "1 2", "b": "3 4"}, False)):
        alone = facts(event="cycles cycles", **columns)
        assert column_facts.names_events(alone[0], alone) is expected


def test_thousands_of_columns_are_not_each_compared_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    is_numeric = Facts.is_numeric.fget
    monkeypatch.setattr(Facts, "is_numeric", property(lambda fact: seen.append(fact.name) or is_numeric(fact)))  # type: ignore[misc]
    names = [f"a{number}" for number in range(60)]
    guess(read_part(UploadedFile("f.csv", f"{','.join(names)}\n{','.join(['1'] * 60)}\n".encode()), ImportRecipe(delimiter=",")))
    assert len(seen) <= 10 * 60


def test_each_row_is_a_part_of_the_machine_where_all_differ() -> None:
    found = [numbering.numbers_parts(one(cells, "core"), []) for cells in ("0 1 2", "3 1 2", "0 1 1", "0.5 1 2", "0")]
    assert found == [True, True, False, False, False]
    assert not numbering.numbers_parts(one("0 1 2"), []), "of another name"
