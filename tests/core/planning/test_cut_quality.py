"""What fewer runs and fewer subexperiments cost: on readings whose law is known, with a merge and a comparison of the tests' own."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.merge import much_merge
from hemcore.planning import quality_against_time
from hemcore.planning.analysis import cut, cuts, every_cut
from hemcore.planning.cut_quality import Halves
from hemcore.planning.params import PlanParams


def merged(frames: Sequence[pd.DataFrame], rows: int) -> pd.DataFrame:
    return much_merge(frames, rows, 100, 1.0, unmeasured="complete").merged


def error_of_r(one: pd.DataFrame, other: pd.DataFrame) -> Mapping[str, float]:
    hems = list(other)
    apart = (one[hems].corr("spearman") - other.corr("spearman")).to_numpy()[np.triu_indices(len(hems), 1)]
    return {"mse": float((apart * apart).mean())}


@pytest.mark.slow
def test_the_rows_say_what_was_cut_and_what_it_saves() -> None:
    table = samples.load("subexperiments-much")
    assert isinstance(table, Subexperiments)
    rows = quality_against_time(table, merged, error_of_r, shares=(0.2, 0.6), fewer=(1, 3), seconds_per_run=2.0)
    assert rows["what"].tolist() == ["all", "fewer runs", "fewer runs", "fewer subexperiments", "fewer subexperiments"]
    assert rows["subexperiments"].tolist() == [7, 7, 7, 6, 4]
    assert rows["runs"].tolist() == [250, 150, 50, 250, 250]
    assert rows["seconds"].tolist() == [3500, 2100, 700, 3000, 2000]
    assert rows["mse"].notna().all()


def test_cutting_runs_costs_less_than_cutting_subexperiments() -> None:
    table = samples.load("subexperiments-much")
    assert isinstance(table, Subexperiments)
    rows = quality_against_time(table, merged, error_of_r, shares=(0.5,), fewer=(3,)).set_index("what")
    assert rows.loc["fewer runs", "seconds"] < rows.loc["fewer subexperiments", "seconds"]
    assert rows.loc["fewer runs", "mse"] < rows.loc["fewer subexperiments", "mse"]


def test_no_more_is_left_out_than_keeps_the_rest_joined_and_every_hem_read() -> None:
    random = np.random.default_rng(0)
    chain = Subexperiments(frames=tuple(pd.DataFrame(random.random((40, 2)), columns=[*pair]) for pair in ("AB", "BC", "CD")), n_pmcs=2)
    assert quality_against_time(chain, lambda frames, n: frames[0], lambda one, other: {"x": 0.0}).shape[0] == 4
    ring = Subexperiments(
        frames=tuple(pd.DataFrame(random.random((40, 2)), columns=list(pair)) for pair in combinations("ABC", 2)), n_pmcs=2
    )
    rows = quality_against_time(ring, lambda frames, n: frames[0], lambda one, other: {"x": 0.0})
    assert rows["subexperiments"].tolist() == [3, 3, 3, 3, 2]


def test_the_subexperiment_whose_pairs_are_read_elsewhere_is_left_out_first() -> None:
    # A B C twice, then A D and B D. The first A B C has no pair of its own and goes; the second then has three that nothing else reads, and
    # alone reads C, so it stays. A D and B D have one pair each of their own: the first of them goes, the other alone reads D.
    random = np.random.default_rng(0)
    groups = ("ABC", "ABC", "AD", "BD")
    table = Subexperiments(frames=tuple(pd.DataFrame(random.random((40, len(each))), columns=[*each]) for each in groups), n_pmcs=3)
    seen: list[list[str]] = []

    def recorded(frames: Sequence[pd.DataFrame], rows: int) -> pd.DataFrame:
        seen.append(["".join(frame.columns) for frame in frames])
        return frames[0]

    rows = quality_against_time(table, recorded, lambda one, other: {"x": 0.0}, shares=(), fewer=(1, 2, 3))
    assert rows["subexperiments"].tolist() == [4, 3, 2]
    assert seen == [["ABC", "ABC", "AD", "BD"], ["ABC", "AD", "BD"], ["ABC", "BD"]]


def test_it_is_the_same_for_the_same_seed_and_changes_nothing() -> None:
    table = samples.load("subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    before = [frame.copy() for frame in table.frames]
    one, other = (quality_against_time(table, merged, error_of_r, shares=(0.5,), fewer=(), seed=4) for _ in range(2))
    pd.testing.assert_frame_equal(one, other)
    for frame, was in zip(table.frames, before, strict=True):
        pd.testing.assert_frame_equal(frame, was)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"shares": (1.0,)}, "shares: 1.0 is out of bounds"),
        ({"shares": (0.0,)}, "shares: 0.0"),
        ({"fewer": (0,)}, "fewer: 0"),
        ({"seconds_per_run": -1.0}, "seconds_per_run: -1.0"),
    ],
)
def test_what_is_out_of_bounds_is_said(given: dict, said: str) -> None:
    table = Subexperiments(frames=(pd.DataFrame({"A": range(40), "B": range(40)}),), n_pmcs=2)
    with pytest.raises(ParameterError, match=said):
        quality_against_time(table, lambda frames, n: frames[0], error_of_r, **given)


def test_too_few_runs_to_judge_are_said() -> None:
    table = Subexperiments(frames=(pd.DataFrame({"A": range(10), "B": range(10)}),), n_pmcs=2)
    with pytest.raises(TableError, match="no subexperiment has two HEMs and 20 runs"):
        quality_against_time(table, merged, error_of_r)


def test_the_judges_of_a_plan_may_be_asked_in_two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three judges say 1, 2 and 6 of the plan: the first piece has one of them, the second two, and their mean is 3.
    random = np.random.default_rng(0)
    frames = tuple(pd.DataFrame(random.random((40, 2)), columns=list(pair)) for pair in combinations("ABC", 2))
    table = Subexperiments(frames=frames, n_pmcs=2)
    marks = {"AB": 1.0, "AC": 2.0, "BC": 6.0}
    halves = Halves(table)
    asked = [
        halves.figures(0, share, lambda frames, n: frames[0], lambda one, other: {"x": marks["".join(other)]}, shares=halves.shares)
        for share in range(halves.shares)
    ]
    assert asked == [[{"x": 1.0}], [{"x": 2.0}, {"x": 6.0}]]
    whole = halves.row(0, [one for each in asked for one in each])
    assert whole == {"what": "all", "subexperiments": 3, "runs": 20, "seconds": 60.0, "x": 3.0}

    monkeypatch.setattr("hemcore.planning.analysis._pilot", lambda params: table)
    monkeypatch.setattr("hemcore.planning.cut_quality.merged_by_copula", lambda frames, rows: frames[0])
    monkeypatch.setattr("hemcore.planning.cut_quality._compared", lambda one, other: {"x": marks["".join(other)] * len(one)})
    hems = samples.load("hems-request-server")
    assert isinstance(hems, HemList)
    params = PlanParams(pilot="p")
    pieces = every_cut(hems, params)
    assert [each.cut for each in pieces] == list(range(2 * len(halves.plans)))
    found = cuts(hems, params, [cut(hems, each) for each in pieces]).rows
    alone = quality_against_time(table, lambda frames, n: frames[0], lambda one, other: {"x": marks["".join(other)] * len(one)})
    pd.testing.assert_frame_equal(found, alone)
    with pytest.raises(ParameterError, match=rf"cut: {len(pieces)} is out of bounds; there are {len(pieces)}, from 0 on"):
        cut(hems, params.but(cut=len(pieces)))
