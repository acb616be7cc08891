"""Events detrended before they are segmented together, by hand: one step on two ramps."""

import numpy as np
import pytest

from hemcore.analysis import Question
from hemcore.errors import ParameterError
from hemcore.registry import question_from, question_from_link
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import JOINT, JOINT_PATH
from hemcore.segmentation.compare.other_searches import JOINTLY, peers
from hemcore.segmentation.detrend import detrended
from hemcore.segmentation.events.event_tracks import cut_together
from tests.core.segmentation.made import made

N = 120
T = np.arange(N, dtype=float)
LATE = 100.0 * (T >= 60)
LINE = SegmentationParams(detrend="line")


def ramps(a: np.ndarray = 1000 + 10 * T, b: np.ndarray = 5000 - 20 * T, n: int = 3):  # type: ignore[no-untyped-def]
    """Runs of two events: the same step, 100 up at interval 60, on the ramps a and b, each with its own noise."""
    noise = np.random.default_rng(2).normal(0, 5, (2, n, N))
    rows = {"run": np.repeat(np.arange(n), N), "interval": np.tile(np.arange(N), n)}
    return made(rows, A=(a + LATE + noise[0]).ravel(), B=(b + LATE + noise[1]).ravel())


@pytest.fixture(scope="module")
def table():  # type: ignore[no-untyped-def]
    return ramps()


@pytest.fixture(scope="module")
def found(table):  # type: ignore[no-untyped-def]
    return JOINT.of(table, LINE)


def test_the_step_on_two_ramps_is_found_without_their_lines(table, found) -> None:  # type: ignore[no-untyped-def]
    assert [each.segmentation.change_points for each in found.runs] == [(60,)] * 3
    assert JOINT.verdict(found).answer == "2 events together show 2 phases in run 0 of p, their lines removed."
    # With the ramps, the search makes stairs of them, a third of the run each, and the step is lost.
    stairs = JOINT.of(table, SegmentationParams())
    for each in stairs.runs:
        assert [round(place / 40) for place in each.segmentation.change_points] == [1, 2]
    assert "removed" not in JOINT.verdict(stairs).answer


def test_levels_are_those_of_the_single_search(table, found) -> None:  # type: ignore[no-untyped-def]
    """A's mean is 1000 + 10 * 59.5 + 50 = 1645; half of the samples are 50 below it, half 50 above. B's: 5000 - 20 * 59.5 + 50 = 3860."""
    np.testing.assert_allclose(found.shown.levels, [[1595, 3810], [1695, 3910]], atol=8)
    run = cut_together(table, found, "A")
    assert run is not None
    a = table.run("p", 0).counts["A"].to_numpy()
    np.testing.assert_allclose(run.samples.counts, detrended(a, np.arange(N), "line"))
    np.testing.assert_allclose(run.models[:, 3], found.shown.levels[:, 0])


def test_one_event_that_is_left_has_its_line() -> None:
    table = ramps()
    counts = table.counts.assign(B=7.0)
    one = JOINT.of(made({"run": table.intervals["run"], "interval": table.intervals["interval"]}, **dict(counts.items())), LINE)
    assert JOINT.verdict(one).answer == "A shows 2 phases in run 0 of p, its line removed."


def test_each_event_is_detrended_where_it_was_counted() -> None:
    """B lacks half of its ramp, in the middle; a line through zeros or through neighbours would leave steps at 20 and 80."""
    rows = {"run": np.zeros(N, dtype=int), "interval": np.arange(N)}
    step = 300.0 * (T >= 90)
    b = np.where((T >= 20) & (T < 80), np.nan, 1000 + 10 * T)
    noise = np.random.default_rng(3).normal(0, 5, (2, N))
    found = JOINT.of(made(rows, A=1000 + step + noise[0], B=b + step + noise[1]), LINE)
    assert found.shown.segmentation.change_points == (90,)
    assert np.diff(found.shown.levels, axis=0)[0] == pytest.approx([300, 300], abs=6)


def test_trimmed_samples_bend_no_line() -> None:
    start = np.where(T < 10, 50_000.0, 0.0)
    found = JOINT.of(ramps(1000 + 10 * T + start), LINE.but(trim_head=10))
    assert [each.segmentation.change_points for each in found.runs] == [(50,)] * 3
    assert found.segments["start"].tolist()[:2] == [10, 60]


def test_other_searches_and_the_path_take_the_same_samples(table) -> None:  # type: ignore[no-untyped-def]
    path = JOINT_PATH.of(table, LINE).path
    assert (60,) in path.points
    compared = peers(table, LINE.but(event="A", run=0, statistic="mean")).set_index("search")
    assert compared.loc[JOINTLY, "n_change_points"] == 1


def test_a_question_without_detrending_keeps_its_id() -> None:
    """Answers were stored before the search read it: at its default it is no part of their key."""
    plain, lined = (Question(analysis=JOINT, dataset="d", params=each) for each in (SegmentationParams(), LINE))
    assert list(plain.to_dict()["params"]) == [
        *("application", "run", "tolerance", "min_distance", "trim_head", "trim_tail", "joint_penalty", "joint_bursts")
    ]
    assert lined.to_dict()["params"] == {**plain.to_dict()["params"], "detrend": "line"}
    assert plain.id != lined.id
    assert question_from(plain.to_dict()) == plain
    assert question_from_link(lined.link) == question_from(lined.to_dict())
    assert lined.link == '["segmentation.joint","d",{"detrend":"line"}]'
    with pytest.raises(ParameterError):
        question_from({"analysis": "segmentation.joint", "dataset": "d", "params": {"detrend": "everything"}})
