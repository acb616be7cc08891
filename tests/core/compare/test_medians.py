"""Medians: their error, ties spread over a step, and places of exchanged runs, by hand; and how often their intervals hold."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare
from hemcore.compare.dependent_runs import time_of_median
from hemcore.compare.medians import Medians, _places, _turned_places, median_and_variance, medians_of, spread_ties
from hemcore.datasets.tables.subexperiments import Subexperiments

TENS = np.arange(10.0, 101.0, 10)


def medians(before: np.ndarray, after: np.ndarray, *, ratio: bool = True, paired: bool = False) -> Medians:
    return medians_of(before[:, None], after[:, None], [(1.0, 1.0)], ratio=ratio, paired=paired)


def test_equal_counts_are_spread_over_the_step_to_the_next() -> None:
    np.testing.assert_allclose(spread_ties([np.array([21.0, 20, 20, 21])]), [[19.75, 20.25, 20.75, 21.25]])
    np.testing.assert_allclose(spread_ties([np.array([4.0, 1, 2])]), [[1, 2, 4]])
    # Three of four are 20: over half of the step of 1.
    np.testing.assert_allclose(spread_ties([np.array([20.0, 20, 20, 21])]), [[20 - 1 / 6, 20, 20 + 1 / 6, 21]])
    # A count keeps its sign: the step from 1 is 1 at most.
    np.testing.assert_allclose(spread_ties([np.array([1.0, 1, 9, 9])]), [[0.75, 1.25, 7, 11]])
    np.testing.assert_allclose(spread_ties([np.full(2, 7.0)]), [[7, 7]])


def test_sets_share_the_step_of_a_count() -> None:
    # Of six runs of both sets five are 20: over a third of the step of 1, in the set without another count too.
    spread = spread_ties([np.array([20.0, 20]), np.array([20.0, 20, 20, 21])])
    np.testing.assert_allclose(spread[0], [20 - 1 / 12, 20 + 1 / 12])
    np.testing.assert_allclose(spread[1], [20 - 1 / 9, 20, 20 + 1 / 9, 21])


def test_few_extreme_runs_hardly_move_a_count_that_most_runs_have() -> None:
    assert np.median(spread_ties([np.array([20.0] * 97 + [1_000.0] * 3)])[0]) == pytest.approx(20, rel=0.05)
    # One run of 25 is no change, though all of the other set agree.
    tables = [Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("runs",)) for each in ([0.0] * 25, [0.0] * 24 + [4.0])]
    assert compare(*tables, statistic="median").table.loc[0, "probability"] > 0.3


def test_the_error_of_a_median_is_the_width_of_two_order_statistics() -> None:
    # Of ten the second and the ninth; below the second are less than two of ten with 11 / 1,024, 2.2995 errors from the middle.
    assert median_and_variance(TENS, False) == (55, pytest.approx(((90 - 20) / (2 * 2.2995)) ** 2, rel=1e-3))
    assert median_and_variance(TENS, True)[1] == pytest.approx(((90 - 20) / (2 * 2.2995) / 55) ** 2, rel=1e-3)
    assert np.isnan(median_and_variance(TENS[:4], False)[1])


def test_the_change_of_the_median_is_a_ratio_with_the_errors_of_both() -> None:
    found = medians(TENS, 2 * TENS)
    assert found.as_read.estimate == pytest.approx(np.log(2))
    assert found.as_read.variance == pytest.approx(2 * ((90 - 20) / (2 * 2.2995) / 55) ** 2, rel=1e-3)
    assert medians(TENS, 2 * TENS, ratio=False).as_read.estimate == pytest.approx(55)
    # Of pairs, the median of 10, 20, ..., 100 more.
    paired = medians(TENS, 2 * TENS, ratio=False, paired=True)
    assert paired.as_read.estimate == pytest.approx(55)
    assert paired.size == (10, 10)
    slow = medians_of(TENS[:, None], TENS[:, None], [(3.0, 5.0)], ratio=False, paired=False)
    assert slow.as_read.variance == pytest.approx(8 * slow.plain / 2)


def test_places_are_those_of_a_set_among_both() -> None:
    # Of six, five are of the set: its third (both middles), its first and its fifth.
    assert _places(np.array([[True, False, True, True, True, True]]), 5)[:, 0].tolist() == [3, 3, 0, 5]
    # Changes 1 to 5 by size. Kept: the third, first and fifth. All turned: -3, -5, -1. The fourth alone: -4, 1, 2, 3, 5.
    turned = np.array([[False] * 5, [True] * 5, [False, False, False, True, False]])
    assert _turned_places(turned).T.tolist() == [[3, 3, 1, 5], [-3, -3, -5, -1], [2, 2, -4, 5]]


def test_a_draw_that_puts_all_large_counts_after_finds_what_is_left_between_the_sets() -> None:
    class Kept:
        def random(self, shape: tuple[int, int]) -> np.ndarray:
            # The largest keys stay; a set after has the smallest.
            return np.tile(np.arange(shape[1])[::-1] / shape[1], (shape[0], 1))

    draws = medians(TENS, 2 * TENS).drawn(1, Kept())  # type: ignore[arg-type]
    found = draws.change(np.array([np.log(30)]))
    assert found.estimate[0, 0] == pytest.approx(np.log(30))
    assert found.variance[0, 0] == pytest.approx(2 * ((90 - 20) / (2 * 2.2995) / 55) ** 2, rel=1e-3)


def test_draws_of_dependent_runs_are_as_much_larger_as_their_error() -> None:
    found = [
        medians_of(TENS[:, None], 2 * TENS[:, None], [(time, time)], ratio=True, paired=False)
        .drawn(50, np.random.default_rng(0))
        .change(np.zeros(1))
        for time in (1.0, 4.0)
    ]
    np.testing.assert_allclose(found[1].estimate, 2 * found[0].estimate)
    np.testing.assert_allclose(found[1].variance, 4 * found[0].variance)


def test_of_pairs_changes_lose_or_keep_their_sign() -> None:
    class Kept:
        def random(self, shape: tuple[int, int]) -> np.ndarray:
            return np.ones(shape)

    draws = medians(TENS, 2 * TENS, ratio=False, paired=True).drawn(1, Kept())  # type: ignore[arg-type]
    # Changes of 10 to 100, less their median of 55: 5, 5, 15, 15, 25, 25, ... without signs.
    assert draws.change(np.zeros(1)).estimate[0, 0] == 25
    assert draws.change(np.full(1, 55.0)).estimate[0, 0] == 55


def test_a_median_feels_neighbours_less_than_a_mean() -> None:
    # Correlation .6: 4 / pi times the sum of asin(.6 ** k) = .6435 + .3683 + .2177 + ... = 1.554.
    assert time_of_median(4.0) == pytest.approx(1 + 4 / np.pi * sum(np.arcsin(0.6**k) for k in range(1, 60)))
    assert time_of_median(1.0) == 1


@pytest.mark.slow
@pytest.mark.parametrize("counts", ["normal", "small"])
def test_intervals_of_medians_hold_the_true_change(counts: str) -> None:
    rng = np.random.default_rng(0)
    inside = []
    for seed in range(5):
        sides = [rng.lognormal(0, 0.3, (24, 60)) if counts == "normal" else rng.poisson(5, (24, 60)) + 0.0 for _ in range(2)]
        frames = [
            pd.DataFrame(each * times, columns=[f"H{place}" for place in range(60)]) for each, times in zip(sides, (1, 1.1), strict=True)
        ]
        table = compare(
            *(Subexperiments(frames=(each,), n_pmcs=60, labels=("runs",)) for each in frames), statistic="median", seed=seed
        ).table
        inside += ((table["low"] <= 0.1) & (table["high"] >= 0.1)).tolist()
    assert 0.86 <= np.mean(inside) <= 0.94
