"""Algorithm 1 of Imtiaz et al. (2022), compared with a loop that follows its printed lines."""

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.segmentation import optimal_threshold, primary_threshold, segment

STATISTICS = ("rms", "std", "mean")


def a_run(seed: int, n: int = 300) -> np.ndarray:
    random = np.random.default_rng(seed)
    levels = np.exp(random.normal(3, 1, 7))
    return np.repeat(levels, -(-n // 7))[:n] * random.normal(1, 0.4, n)


def printed_lines(series: np.ndarray, max_threshold: int, **search: object) -> tuple[int, float, bool]:
    """Lines 3 to 12: (threshold, its residual, whether two neighbours were equal)."""
    last, primary, residual = None, 1, float("nan")
    for threshold in range(1, max_threshold + 1):
        found = segment(series, threshold, **search)  # type: ignore[arg-type]
        if last is None:
            residual = found.residual
        elif found.residual == last:
            return threshold, found.residual, True
        last = found.residual
    return primary, residual, False


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("early_exit", [False, True])
def test_primary_threshold_is_that_of_the_printed_lines(statistic: str, early_exit: bool) -> None:
    thresholds = set()
    for seed in range(25):
        x = a_run(seed)
        x = x / np.std(x) if statistic == "mean" else x
        for max_threshold in (3, 30):
            found = primary_threshold(x, max_threshold, statistic=statistic, early_exit=early_exit)
            expected = printed_lines(x, max_threshold, statistic=statistic, early_exit=early_exit)
            assert (found.threshold, found.residual, found.settled) == expected, (seed, max_threshold)
            at_it = segment(x, found.threshold, statistic=statistic, early_exit=early_exit)
            assert (found.n_change_points, found.residual) == (at_it.n_change_points, at_it.residual)
            thresholds.add((found.threshold, found.settled))
    assert len(thresholds) > 2 or early_exit


def test_the_first_two_equal_neighbours_count_though_higher_thresholds_change_again() -> None:
    """Steps that stop paying at about 5 and 11: between 1 and 2 nothing changes, so 2 it is."""
    x = np.tile([1.0, -1.0], 60)
    x[40:80] *= 1.7
    found = primary_threshold(x, 50)
    assert (found.threshold, found.settled, found.n_change_points) == (2, True, 2)
    assert segment(x, 50).n_change_points == 0


def test_where_no_two_neighbours_are_equal_the_first_threshold_stays_and_it_is_said() -> None:
    x = next(x for x in map(a_run, range(200)) if not printed_lines(x, 3)[2])
    found = primary_threshold(x, 3)
    assert (found.threshold, found.settled) == (1, False)
    assert found.residual == segment(x, 1).residual
    assert found.n_change_points == segment(x, 1).n_change_points


def test_one_whole_threshold_has_no_neighbour() -> None:
    for max_threshold in (1, 1.9):
        found = primary_threshold(a_run(0), max_threshold)
        assert (found.threshold, found.settled) == (1, False)


def test_two_thresholds_without_any_change_point_are_equal_neighbours() -> None:
    found = primary_threshold([2.0, 2.0, 2.0], 10)
    assert (found.threshold, found.settled, found.n_change_points) == (2, True, 0)


# The one that serves all runs


@pytest.mark.parametrize("n_runs", [1, 2, 3, 4, 5, 8, 9, 20])
def test_optimal_threshold_is_that_of_the_last_sorted_residual_not_above_the_median(n_runs: int) -> None:
    for first in range(0, 60, 20):
        runs = [a_run(seed, 150 + 7 * (seed % 5)) for seed in range(first, first + n_runs)]
        found = optimal_threshold(runs, 30)
        primary = [primary_threshold(run, 30) for run in runs]
        assert found.per_run["threshold"].tolist() == [each.threshold for each in primary]
        assert found.per_run["residual"].tolist() == [each.residual for each in primary]
        assert found.per_run["n_change_points"].tolist() == [each.n_change_points for each in primary]
        assert found.per_run["settled"].tolist() == [each.settled for each in primary]
        ascending = sorted((each.residual, each.threshold) for each in primary)
        assert found.median_residual == pytest.approx(float(np.median([residual for residual, _ in ascending])))
        assert found.threshold == ascending[(n_runs - 1) // 2][1]


def scaled_to_residual(run: np.ndarray, residual: float, max_threshold: int) -> np.ndarray:
    """`run` in other units, so that its primary residual is `residual` and its thresholds stay."""
    now = primary_threshold(run, max_threshold).residual
    return run * np.exp((residual - now) / (2 * len(run)))


def runs_with(thresholds_and_residuals: list[tuple[int, float]]) -> list[np.ndarray]:
    """Runs with these primary thresholds and residuals."""
    pool: dict[int, np.ndarray] = {}
    for seed in range(400):
        x = a_run(seed)
        pool.setdefault(primary_threshold(x, 30).threshold, x)
    return [scaled_to_residual(pool[threshold], residual, 30) for threshold, residual in thresholds_and_residuals]


def test_an_odd_number_of_runs_gives_the_threshold_of_the_run_in_the_middle() -> None:
    found = optimal_threshold(runs_with([(6, 500.0), (4, 300.0), (5, 400.0)]), 30)
    assert found.per_run["threshold"].tolist() == [6, 4, 5]
    assert found.median_residual == pytest.approx(400)
    assert found.threshold == 5


def test_an_even_number_of_runs_gives_the_threshold_of_the_lower_of_the_two_in_the_middle() -> None:
    found = optimal_threshold(runs_with([(6, 500.0), (4, 300.0), (5, 400.0), (3, 100.0)]), 30)
    assert found.median_residual == pytest.approx(350)
    assert found.threshold == 4


def test_residuals_in_any_order_give_the_same_threshold() -> None:
    runs = runs_with([(6, 500.0), (4, 300.0), (5, 400.0), (3, 100.0), (6, 50.0)])
    random = np.random.default_rng(0)
    found = {optimal_threshold([runs[place] for place in random.permutation(5)], 30).threshold for _ in range(8)}
    assert found == {4}


@pytest.mark.slow
def test_runs_that_are_alike_give_their_own_threshold() -> None:
    for number in (1, 2, 3, 4):
        run = runs_with([(4, 300.0)])[0]
        found = optimal_threshold([run] * number, 30)
        assert found.threshold == 4
        assert found.median_residual == primary_threshold(run, 30).residual


def test_two_runs_with_the_median_residual_give_its_threshold_in_whatever_order() -> None:
    run = np.repeat([2.0, 64.0, 8.0, 512.0], 40)
    alone = primary_threshold(run, 30)
    higher = runs_with([(4, alone.residual + 500)])[0]
    lower = runs_with([(5, alone.residual - 500)])[0]
    for runs in ([run, run, higher, lower], [lower, run, higher, run], [higher, lower, run, run]):
        assert optimal_threshold(runs, 30).threshold == alone.threshold


def test_of_equal_residuals_the_smaller_threshold_comes_first_in_whatever_order() -> None:
    """Both residuals are 0: 1.44 is gained at threshold 1 and not at 2, so that none settles; nothing changes in the other, which does."""
    one, two = [0.0, 0.0, 1.2, 1.2], [5.0] * 4
    assert [primary_threshold(run, 2, statistic="mean").threshold for run in (one, two)] == [1, 2]
    for runs in ([one, two], [two, one]):
        assert optimal_threshold(runs, 2, statistic="mean").threshold == 2


def test_two_runs_that_differ_by_rounding_alone_still_match_one_of_them() -> None:
    for seed in range(30):
        run = a_run(seed)
        either = {primary_threshold(each, 30).threshold for each in (run, run[::-1])}
        assert optimal_threshold([run, run[::-1]], 30).threshold in either


def test_what_was_asked_is_told() -> None:
    found = optimal_threshold([a_run(0), a_run(1)], 12.7, statistic="std", min_distance=5, early_exit=True)
    assert (found.max_threshold, found.statistic, found.min_distance, found.early_exit) == (12, "std", 5, True)


def test_early_exit_reaches_every_run() -> None:
    random = np.random.default_rng(0)
    run = np.concatenate([random.normal(0, 1, 100), random.normal(0, 2.5, 20), random.normal(0, 1, 100)])
    found = [optimal_threshold([run], 30, early_exit=early_exit) for early_exit in (False, True)]
    for each, early_exit in zip(found, (False, True), strict=True):
        expected = printed_lines(run, 30, early_exit=early_exit)
        assert (each.threshold, each.median_residual) == expected[:2]


# Bad input


def test_no_run_is_told() -> None:
    with pytest.raises(ParameterError, match="^runs: empty; at least one is needed"):
        optimal_threshold([], 10)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([[1.0, 2.0], [1.0, float("nan")]], "^run 2: sample 2 of 2 is nan"),
        ([[], [1.0]], "^run 1: no samples"),
        ([[1.0], [1.0], ["a"]], "^run 3: it must be numbers"),
        ([[1.0], 5.0], "^run 2: shape \\(\\) has 0 dimensions"),
    ],
)
def test_a_run_that_cannot_be_segmented_is_told_by_its_number(runs: list, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        optimal_threshold(runs, 10)


@pytest.mark.parametrize("max_threshold", [0, 0.5])
def test_thresholds_begin_at_one(max_threshold: float) -> None:
    with pytest.raises(ParameterError, match=f"^max_threshold: {max_threshold} must be at least 1, where Algorithm 1 starts"):
        primary_threshold([1.0, 2.0], max_threshold)


@pytest.mark.parametrize("max_threshold", [-1, float("nan"), float("inf"), "9"])
def test_a_largest_threshold_that_is_none_is_told(max_threshold: object) -> None:
    with pytest.raises(ParameterError, match="^max_threshold: .* must be a finite number"):
        optimal_threshold([[1.0, 2.0]], max_threshold)  # type: ignore[arg-type]


def test_a_least_segment_too_short_for_the_statistic_is_told() -> None:
    with pytest.raises(ParameterError, match="^min_distance"):
        primary_threshold([1.0, 2.0], 9, min_distance=1)


def test_runs_stay_as_they_were() -> None:
    runs = [a_run(seed) for seed in range(3)]
    before = [run.copy() for run in runs]
    one, two = (optimal_threshold(runs, 20) for _ in range(2))
    for run, old in zip(runs, before, strict=True):
        np.testing.assert_array_equal(run, old)
    assert one.per_run.equals(two.per_run)
    assert one.threshold == two.threshold
