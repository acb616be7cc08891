"""Our change points beside those of ruptures' searches: one row a search, whatever the series."""

import itertools
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import ruptures

from hemcore.errors import ParameterError
from hemcore.segmentation.compare import peer_searches as comparison
from hemcore.segmentation.compare.peer_searches import BINSEG, OURS, PELT, SEARCHES, WINDOW, compare_searches
from hemcore.segmentation.search.cost_variance import CostVariance
from hemcore.segmentation.segments import segment

ROOT = Path(__file__).parents[4]
ONE_CHANGE = np.array([1.0, -1.0] * 10 + [100.0, 120.0] * 10)
SERIES = {
    "one change": ONE_CHANGE,
    "constant": np.full(30, 5.0),
    "zeros": np.zeros(30),
    "two samples": np.array([1.0, 100.0]),
    "three samples": np.array([1.0, 100.0, 0.0]),
    "five samples": np.array([1.0, 1.0, 1.0, 90.0, 80.0]),
    "largest counts": np.array([1.0] * 12 + [2.0**53] * 12),
    "largest samples": np.array([1e-140] * 12 + [1e140, -1e140] * 6),
}
COLUMNS = [
    *("search", "asks_for", "change_points", "n_change_points", "objective", "seconds"),
    *("covering", "hausdorff", "f1", "covering_true", "f1_true", "note"),
]


def test_all_find_one_change_of_size() -> None:
    frame = compare_searches(ONE_CHANGE, (20,), 12, true_change_points=[21])
    assert list(frame.columns) == COLUMNS
    assert frame["search"].tolist() == [OURS, *SEARCHES]
    assert frame["asks_for"].tolist() == ["threshold 12"] * 4 + ["1 change point"] * 2 + ["its own penalty"]
    assert frame["change_points"].tolist() == [(20,)] * 7
    assert frame["n_change_points"].tolist() == [1] * 7
    # 20 log(1) + 20 log((100^2 + 120^2) / 2) + 12
    assert frame["objective"].to_numpy() == pytest.approx(20 * math.log(12200) + 12)
    assert frame["covering"].tolist() == frame["f1"].tolist() == frame["f1_true"].tolist() == [1] * 7
    assert frame["hausdorff"].tolist() == [0] * 7
    # Segments of 21 and 19, of which 20 of 21 and 19 of 20 are covered.
    assert frame["covering_true"].to_numpy() == pytest.approx((21 * 20 / 21 + 19 * 19 / 20) / 40)
    assert math.isnan(frame["seconds"][0])
    assert (frame["seconds"][1:] >= 0).all()
    assert frame["note"].tolist() == [""] * 7


@pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)
@pytest.mark.parametrize("ours", [(), (2,)], ids=["none", "one"])
def test_every_search_answers_or_says_why_not(series: np.ndarray, ours: tuple[int, ...]) -> None:
    if len(series) < 4:
        ours = ()
    before = series.copy()
    frame = compare_searches(series, ours, 5)
    assert (series == before).all()
    assert frame["search"].tolist() == [OURS, *SEARCHES]
    for row in frame.to_dict("records"):
        if row["note"]:
            assert row["change_points"] is None
            assert pd.isna(row["n_change_points"])
            assert all(math.isnan(row[measure]) for measure in ("objective", "seconds", "covering", "hausdorff", "f1"))
            assert row["note"].endswith(".")
            assert row["note"].startswith("The series is too short")
        else:
            assert all(type(point) is int for point in row["change_points"])
            assert row["n_change_points"] == len(row["change_points"])
            assert np.diff([0, *row["change_points"], len(series)]).min() >= 2
            assert math.isfinite(row["objective"])
            assert 0 <= row["covering"] <= 1
        assert math.isnan(row["covering_true"])
        assert math.isnan(row["f1_true"])
    again = compare_searches(series[:, None], list(ours), 5)
    pd.testing.assert_frame_equal(frame.drop(columns="seconds"), again.drop(columns="seconds"))


def test_without_change_points_of_ours_the_kernels_are_asked_for_none() -> None:
    frame = compare_searches(np.full(30, 5.0), (), 5).set_index("search")
    assert frame["asks_for"]["KernelCPD, rbf"] == "0 change points"
    assert frame["change_points"].tolist() == [()] * 7
    assert frame["f1"].tolist() == [1] * 7


@pytest.mark.parametrize(("n_samples", "fits"), [(4, False), (5, True)])
def test_a_series_too_short_for_the_window_says_so(n_samples: int, fits: bool) -> None:
    row = compare_searches(np.ones(n_samples), (), 5, searches=[comparison.WINDOW]).iloc[1]
    assert row["note"] == ("" if fits else "The series is too short: 4 samples, and a window of 4 needs at least 5.")
    assert pd.isna(row["n_change_points"]) == (not fits)


def test_a_series_shorter_than_the_distance_says_so() -> None:
    notes = compare_searches(np.ones(6), (), 5, min_distance=8).set_index("search")["note"]
    assert notes["Pelt"] == "The series is too short: 6 samples do not hold a segment of at least 8 samples."
    assert notes["Window"] == "The series is too short: 6 samples, and a window of 16 needs at least 17."


@pytest.mark.parametrize(
    ("n_samples", "min_distance", "width"), [(20, 2, 4), (79, 2, 6), (500, 2, 50), (9000, 2, 100), (500, 40, 80), (9000, 70, 140)]
)
def test_the_window_is_a_tenth_of_the_series_within_bounds(n_samples: int, min_distance: int, width: int) -> None:
    assert comparison._width(None, n_samples, min_distance) == width


def test_the_distance_holds_in_every_row() -> None:
    rng = np.random.default_rng(4)
    series = np.concatenate([rng.normal(0, size, 15) for size in (1, 9, 1, 30, 2)])
    for found in compare_searches(series, (15, 30, 45, 60), 1, min_distance=9)["change_points"]:
        assert np.diff([0, *found, len(series)]).min() >= 9


def test_the_objective_is_the_same_measure_in_every_row() -> None:
    rng = np.random.default_rng(5)
    series = np.concatenate([rng.normal(0, size, 40) for size in (1, 4, 1.5)])
    frame = compare_searches(series, (40, 80), 10)
    for found, objective in zip(frame["change_points"], frame["objective"], strict=True):
        segments = np.split(series, found)
        assert objective == pytest.approx(sum(len(part) * math.log(np.mean(part**2)) for part in segments) + 10 * len(found))


def test_pelt_of_ruptures_misses_the_best_of_all_segmentations() -> None:
    series = np.array([0.0, -4, 19, 0, -16, 11, 39, 1, -1, -38, -1, 1])
    threshold = 3.0
    candidates = [
        cuts for number in range(6) for cuts in itertools.combinations(range(2, 11), number) if np.diff([0, *cuts, 12]).min() >= 2
    ]
    costs = {
        cuts: sum(len(part) * math.log(np.mean(part**2)) for part in np.split(series, cuts)) + threshold * len(cuts) for cuts in candidates
    }
    best = min(candidates, key=costs.__getitem__)
    frame = compare_searches(series, best, threshold, searches=[comparison.PELT])
    assert frame["objective"][0] == pytest.approx(costs[best])
    assert frame["objective"][1] > frame["objective"][0] + 2
    assert frame["objective"][1] == pytest.approx(costs[frame["change_points"][1]])


def test_the_kernels_read_counts_of_any_size_alike() -> None:
    rng = np.random.default_rng(6)
    series = np.concatenate([rng.normal(mean, 1, 30) for mean in (10, 14, 11)])
    kernels = SEARCHES[3:]  # and changeforest
    small, large = (compare_searches(series * by, (30, 60), 10, searches=kernels)["change_points"].tolist() for by in (1, 1e12))
    assert small == large
    assert comparison._standardised(np.array([1.0, 2, 3, 4, 10])).tolist() == pytest.approx([-2, -1, 0, 1, 7])
    # More than half of the samples alike: their median absolute deviation is 0, the standard deviation of 0, 0, 0, 2 is sqrt(3) / 2.
    assert comparison._standardised(np.array([5.0, 5, 5, 7])).tolist() == pytest.approx([0, 0, 0, 2 / math.sqrt(0.75)])


def test_a_search_that_raises_has_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("no luck")

    monkeypatch.setattr(ruptures.Pelt, "fit", fails)
    frame = compare_searches(ONE_CHANGE, (20,), 12)
    assert frame["note"].tolist() == ["", "The search failed: RuntimeError: no luck", "", "", "", "", ""]
    assert frame["n_change_points"].isna().tolist() == [False, True, False, False, False, False, False]


def test_binseg_keeps_nothing_of_a_series() -> None:
    compare_searches(ONE_CHANGE, (20,), 12, searches=[comparison.BINSEG])
    assert ruptures.Binseg.single_bkp.cache_info().currsize == 0


def test_progress_is_told_before_each_search_and_may_stop_it() -> None:
    told: list[tuple[float, str]] = []
    compare_searches(ONE_CHANGE, (20,), 12, searches=SEARCHES[1:3], progress=lambda done, note: told.append((done, note)))
    assert told == [(0, "Binseg"), (0.5, "Window")]

    def stop(done: float, note: str) -> None:
        raise InterruptedError(note)

    with pytest.raises(InterruptedError, match="Pelt"):
        compare_searches(ONE_CHANGE, (20,), 12, progress=stop)


def test_other_searches_have_rows_of_their_own_behind_the_others() -> None:
    others = {"mine": lambda: (20,), "one sample": lambda: (1, 20), "none": lambda: [][1]}
    frame = compare_searches(ONE_CHANGE, (20,), 12, searches=(), others=others).set_index("search")
    assert list(frame.index) == [OURS, "mine", "one sample", "none"]
    assert frame["asks_for"].tolist()[1:] == ["its own penalty"] * 3
    assert frame["objective"]["mine"] == frame["objective"][OURS]
    assert math.isnan(frame["objective"]["one sample"])
    assert frame["f1"]["one sample"] == pytest.approx(2 / 3)
    assert frame["note"]["none"].startswith("The search failed: IndexError")


def test_a_short_search_is_timed_without_its_first_call_and_a_long_one_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.1, 1.0, 1.02, 2.0, 2.01, 3.0, 3.03])
    monkeypatch.setattr(comparison.time, "perf_counter", lambda: next(clock))
    calls: list[int] = []
    assert comparison.timed(lambda: calls.append(1)) == (None, pytest.approx(0.02))
    assert len(calls) == 4
    clock = iter([0.0, 5.0])
    assert comparison.timed(lambda: "found") == ("found", 5.0)


def test_changeforest_keeps_the_least_segment() -> None:
    rng = np.random.default_rng(0)
    levels = np.repeat(rng.normal(0, 5, 20), 6)[:, None] + rng.normal(0, 0.1, (120, 2))
    assert len(comparison.changeforest_points(levels)) > 10
    found = comparison.changeforest_points(levels, 15)
    assert found
    assert np.diff([0, *found, 120]).min() >= 15
    assert comparison.changeforest_points(levels[:1]) == comparison.changeforest_points(levels[:10], 5) == ()


def test_no_search_leaves_ours_alone() -> None:
    assert compare_searches(ONE_CHANGE, (20,), 12, searches=())["search"].tolist() == [OURS]


@pytest.mark.parametrize("package", comparison.PEERS)
def test_without_a_package_its_rows_name_it_and_how_to_install_it(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    notes = compare_searches(ONE_CHANGE, (20,), 12, others={"mine": lambda: (20,)}).set_index("search")["note"]
    missing = f"{package} is not installed. Install it: pip install 'hem-workbench[peers]'"
    theirs = [comparison.CHANGEFOREST] if package == "changeforest" else list(SEARCHES[:-1])
    assert notes[notes != ""].to_dict() == dict.fromkeys(theirs, missing)


@pytest.mark.slow
def test_segmentation_and_its_page_load_without_the_peers() -> None:
    program = (
        "import sys\nsys.modules['ruptures'] = sys.modules['changeforest'] = None\n"
        "import hemcore.segmentation.analysis, hemcore.charts.segmentation.pictures, hemcore.web.segmentation.tabs\n"
        "from hemcore import segmentation\n"
        "assert segmentation.segment([1, 2, 900, 901] * 3, 5.0).n_samples == 12\n"
        "try:\n    segmentation.CostRms\nexcept ValueError as error:\n    print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "ParameterError CostRms: ruptures is not installed. Install it: pip install 'hem-workbench[peers]'\n"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"series": [1.0]}, "series has 1 sample"),
        ({"series": [1.0, math.nan, 2.0]}, "series: sample 2 of 3 is nan"),
        ({"series": np.ones((4, 2))}, r"series: shape \(4, 2\) has 2 dimensions"),
        ({"threshold": -1.0}, "threshold is -1;"),
        ({"threshold": math.inf}, "threshold is inf;"),
        ({"min_distance": 1}, "min_distance is 1;"),
        ({"tolerance": -1}, "tolerance is -1;"),
        ({"width": 3}, "width is 3; a window has at least 4 samples"),
        ({"change_points": (40,)}, r"change_points\[0\] is 40;"),
        ({"change_points": (20, 21)}, "segment of 1 samples, 20 to 21"),
        ({"true_change_points": (0,)}, r"true_change_points\[0\] is 0;"),
        ({"searches": ["Pelt, rms"]}, "searches names 'Pelt, rms', which is none of 'Pelt'"),
    ],
)
def test_what_cannot_be_compared_is_refused(changed: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compare_searches(**{"series": ONE_CHANGE, "change_points": (20,), "threshold": 12.0, **changed})


@pytest.mark.parametrize("statistic", ["mean", "std"])
def test_other_searches_keep_the_statistic(statistic: str) -> None:
    # One change of the level that the mean sees, one of the spread that std sees.
    rough = np.tile([90.0, 110.0], 20)
    series = np.concatenate([rough, rough + 1000]) if statistic == "mean" else np.concatenate([rough, np.tile([0.0, 200.0], 20)])
    series = series / series.std()
    ours = segment(series, 5, statistic=statistic, min_distance=5)
    assert ours.change_points == (40,)
    rows = compare_searches(series, ours.change_points, 5, min_distance=5, statistic=statistic, searches=(PELT, BINSEG, WINDOW)).set_index(
        "search"
    )  # type: ignore[arg-type]
    assert set(rows["change_points"]) == {(40,)}
    # Their objective is ours: the costs of both halves and one threshold.
    assert rows["objective"].to_numpy() == pytest.approx(ours.residual + 5)
    cost = CostVariance(statistic).fit([1.0, 3.0, 2.0, 2.0])  # type: ignore[arg-type]
    # Of 1 and 3 the variance is 1: twice 1, or twice log(1).
    assert cost.error(0, 2) == pytest.approx(2.0 if statistic == "mean" else 0.0)
