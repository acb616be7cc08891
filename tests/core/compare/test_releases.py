"""Courses over sets: from which set on a HEM changed, what chance alone does, and which sets cannot be followed."""

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.compare.params import CompareParams
from hemcore.compare.releases import releases
from hemcore.compare.releases.course_headline import cards, since, verdict
from hemcore.compare.releases.course_limits import PROBABILITIES, limit_at, most_changes, probability_of
from hemcore.compare.releases.release_analyses import RELEASES
from hemcore.compare.run_sets import run_set_of
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, TableError


def runs(**hems: object) -> Subexperiments:
    return Subexperiments(frames=(pd.DataFrame(hems, dtype=float),), labels=("runs",), n_pmcs=6)


def alternating(*levels: float, scatter: float = 0.01) -> list[Subexperiments]:
    """Sets of two runs around each level; a second HEM moves up and down by a tenth of a percent and never changes."""
    return [
        runs(A=[1_000 * level * (1 - scatter), 1_000 * level * (1 + scatter)], B=[500 + (place % 2), 500 + (place % 2) + 0.1])
        for place, level in enumerate(levels)
    ]


def test_a_step_has_the_set_from_which_on_it_holds_and_its_size() -> None:
    # Levels scatter by 0.1 %; 5 % more from the fifth set on.
    levels = [1.0, 1.001, 1.0, 1.001, 1.05, 1.051, 1.05, 1.051]
    found = releases(dict(zip("abcdefgh", alternating(*levels, scatter=0.0001), strict=True)))
    (row,) = found.changes.to_dict("records")
    assert (row["hem"], row["place"], row["set"]) == ("A", 4, "e")
    assert row["change"] == pytest.approx(np.sqrt(1.05 * 1.051 / 1.001) - 1)
    assert row["low"] < row["change"] < row["high"]
    assert found.over_sets
    table = found.table.set_index("hem")
    assert table["changed"].to_dict() == {"A": True, "B": False}
    assert table.loc["A", "first"] == pytest.approx(1_000)
    assert found.bound == table.loc["B", "provable"]
    course = found.courses[found.courses["hem"] == "A"]
    assert course["change"].iloc[4] == pytest.approx(0.05)
    assert course["segment"].tolist()[:4] == pytest.approx([np.sqrt(1.001) - 1] * 4)
    assert verdict(found).answer == "A: 5.0% more from e on."
    assert [card.text or card.value for card in cards(found)][:2] == ["1 of 2", 1]


def test_the_set_that_is_open_has_words_of_its_own() -> None:
    assert [since(each) for each in ("night 9", "newest set")] == ["from night 9 on", "in the newest set"]


def test_two_steps_of_twelve_sets_are_both_found() -> None:
    found = releases(alternating(*[1.0, 1.001] * 2, *[1.1, 1.101] * 2, *[1.0, 1.001] * 2, scatter=0.0001))
    assert found.changes[["hem", "place"]].to_numpy().tolist() == [["A", 4], ["A", 8]]
    assert found.changes["change"].iloc[1] == pytest.approx(1 / 1.1 - 1, abs=1e-3)


def test_nights_that_differ_are_no_change_although_runs_scatter_little() -> None:
    random = np.random.default_rng(3)
    sets = [runs(A=1_000 * night * random.normal(1, 1e-4, 20)) for night in np.exp(random.normal(0, 0.02, 12))]
    found = releases(sets)
    assert not len(found.changes)
    assert found.bound > 0.02
    few = releases(sets[:4])
    assert len(few.changes) == 3  # the runs alone would call every night a change; the verdict says so
    assert not few.over_sets
    assert "nights that differ" in verdict(few).trust


def test_of_three_sets_each_is_compared_with_the_one_before() -> None:
    random = np.random.default_rng(4)
    sets = [runs(A=random.normal(1_000 * level, 10, 40), B=random.normal(1_000, 10, 40)) for level in (1, 1, 1.03)]
    found = releases(sets)
    assert found.changes[["hem", "place", "set"]].to_numpy().tolist() == [["A", 2, "set 3"]]
    assert found.changes["low"].iloc[0] < 0.03 < found.changes["high"].iloc[0]
    assert found.bound < 0.02


def test_the_scatter_of_runs_is_noise_even_where_sets_happen_to_agree() -> None:
    # Levels of sets agree to 1e-6, runs scatter by a tenth: a step of 1e-5 proves nothing.
    sets = [runs(A=[900 * level, 1_100 * level]) for level in [1.0, 1 + 1e-6] * 3 + [1 + 1e-5, 1 + 1.1e-5] * 3]
    assert not len(releases(sets).changes)
    exact = releases([runs(A=[1_000.0, 1_000.0])] * 6 + [runs(A=[1_001.0, 1_001.0])] * 6)
    assert exact.changes["change"].tolist() == pytest.approx([0.001])


def test_the_levels_of_subexperiments_are_averaged_over_those_that_all_sets_have() -> None:
    def of(first: float, second: float, *, more: bool = False) -> Subexperiments:
        frames = [pd.DataFrame({"A": [first, first]}), pd.DataFrame({"A": [second, second]})] + [pd.DataFrame({"A": [9e9]})] * more
        return Subexperiments(frames=tuple(frames), labels=tuple("xyz"[: len(frames)]), n_pmcs=6)

    found = releases([of(100, 400), of(200, 400, more=True), of(100, 400)])
    assert found.courses["change"].tolist() == pytest.approx([0, np.sqrt(2) - 1, 0])
    assert found.levels.counts[:, 0].tolist() == [250, 300, 250]


def test_chance_of_a_statistic_is_read_off_the_table_and_back() -> None:
    assert [most_changes(n) for n in (6, 11, 12, 17, 36, 100)] == [1, 1, 2, 2, 6, 6]
    for n in (6, 12, 33, 100):
        assert [probability_of(limit_at(each, n), n) for each in PROBABILITIES] == pytest.approx(PROBABILITIES)
        assert probability_of(limit_at(5e-6, n), n) == pytest.approx(5e-6)
        assert probability_of(0.0, n) == 1
        assert probability_of(np.inf, n) == 1e-6
    assert limit_at(0.05, 33) == max(limit_at(0.05, 30), limit_at(0.05, 35))


@pytest.mark.slow
def test_normal_courses_change_as_often_as_the_rate_allows() -> None:
    random = np.random.default_rng(5)
    sets = [[runs(A=[value, value]) for value in np.exp(random.normal(0, 0.01, 8))] for _ in range(150)]
    share = np.mean([len(releases(each).changes) > 0 for each in sets])
    assert 0.01 < share < 0.1  # 5%, with 150 courses: standard error 1.8%


@pytest.mark.parametrize(
    ("sets", "sentence"),
    [
        ([runs(A=[1, 2])] * 2, "a course needs 3 to 100"),
        ([runs(A=[1, 2]), runs(B=[1, 2]), runs(A=[1, 2])], "set 2, against set 1: compare: no HEM is in both sets"),
        ([runs(A=[1, 2], B=[1, 2]), runs(B=[1, 2], C=[1, 2]), runs(A=[1, 2], C=[1, 2])], "set 2|no HEM is in all sets"),
        ([runs(A=[0, 0])] * 6, "no HEM counted above 0"),
        ("A", "not several tables"),
    ],
)
def test_what_cannot_be_followed_is_a_sentence(sets: object, sentence: str) -> None:
    with pytest.raises(HemError, match=sentence):
        releases(sets)  # type: ignore[arg-type]


def test_without_sets_the_runs_are_followed_in_six_parts_and_between_needs_before() -> None:
    table = runs(A=np.arange(100, 124))
    found = RELEASES[0].of(table, CompareParams())
    assert found.levels.labels[0] == "part 1"
    assert found.levels.counts[:, 0].tolist() == [101.5 + 4 * part for part in range(6)]
    assert [len(part.groups[0].counts) for part in run_set_of(runs(A=range(7))).parts(2)] == [3, 4]
    with pytest.raises(HemError, match="none before"):
        RELEASES[0].of(table, CompareParams(between="sample-pairs-o1"))
    with pytest.raises(TableError, match="2 sets given"):
        RELEASES[0].of(table, CompareParams(before="sample-pairs-before"))


def test_the_front_door_takes_sets_one_by_one_in_a_list_or_by_name() -> None:
    # 5 % more from the fifth of eight sets on; a set is a frame, a row per run.
    levels = [1.0, 1.001, 1.0, 1.001, 1.05, 1.051, 1.05, 1.051]
    frames = [pd.DataFrame({"A": [1_000 * level] * 2, "B": [500 + place % 2, 501 - place % 2]}) for place, level in enumerate(levels)]
    named = dict(zip("abcdefgh", frames, strict=True))
    answers = [hem.releases(*frames, names=list("abcdefgh")), hem.releases(frames, names="abcdefgh"), hem.releases(named)]
    for answer in answers:
        assert answer.table[["hem", "place", "set"]].to_numpy().tolist() == [["A", 4, "e"]]
        assert answer.verdict.answer == "A: 5.0% more from e on."
    assert hem.releases(*frames, rate=0.01).table["set"].tolist() == ["set 5"]
    assert hem.releases(*frames, statistic="median").params.statistic == "median"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((), r"hem.releases\(january, february, march\)"),
        (([],), r"hem.releases\(january, february, march\)"),
        ((pd.DataFrame({"A": [1, 2]}),) * 2, "2 sets given; a course needs 3"),
        (("series-ocoe", "signatures", "series-ocoe"), "set 2, against set 1"),
    ],
)
def test_what_the_front_door_cannot_follow_is_a_sentence(given: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(HemError, match=sentence):
        hem.releases(*given)


def test_each_set_has_a_name_of_its_own() -> None:
    frames = [pd.DataFrame({"A": [1.0, 2.0]})] * 3
    with pytest.raises(HemError, match="2 different names for 3 sets"):
        hem.releases(*frames, names=["a", "b", "b"])
