"""r of counts and of ranks, and their errors, against leaving each run out in turn."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import pearsonr

from hemcore.rank_correlation import _halves, _Ranked, normal_scores, of_counts, of_ranks, r_of_ranks


def jackknife(estimate: object, counts: np.ndarray) -> float:
    n, scored = len(counts), normal_scores if estimate is of_ranks else np.asarray
    left = np.array([np.corrcoef(scored(np.delete(counts, at, axis=0)).T)[0, 1] for at in range(n)])
    return float(np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))


def test_r_is_pearsons_of_counts_and_of_normal_scores() -> None:
    counts = np.random.default_rng(1).gamma(2, 1, (200, 3))
    assert of_counts(counts).r[0, 2] == pytest.approx(pearsonr(counts[:, 0], counts[:, 2])[0])
    ranks = ndtri((np.argsort(np.argsort(counts, axis=0), axis=0) + 1) / 201)
    # The correction for chance ranks is far below this away from 1.
    assert of_ranks(counts).r[0, 2] == pytest.approx(pearsonr(ranks[:, 0], ranks[:, 2])[0], abs=0.005)


def test_r_alone_is_the_same_r() -> None:
    counts = np.random.default_rng(2).poisson(4, (50, 3)).astype(float)
    counts[:, 2] = 2 * counts[:, 0] + 1
    assert r_of_ranks(counts).tolist() == of_ranks(counts).r.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("r", [0.0, 0.6, -0.8])
def test_errors_are_those_of_leaving_each_run_out(r: float, ties: bool) -> None:
    counts = np.random.default_rng(3).multivariate_normal([0, 0], [[1, r], [r, 1]], 400)
    counts = np.maximum(np.round(counts * 2), -1) if ties else counts
    for estimate, near in ((of_counts, 0.05), (of_ranks, 0.015)):
        assert estimate(counts).error[0, 1] == pytest.approx(jackknife(estimate, counts), rel=near)


def test_many_columns_are_each_two_of_them() -> None:
    counts = np.random.default_rng(5).poisson(3, (60, 4)).astype(float)
    for estimate in (of_counts, of_ranks):
        every, two = estimate(counts), estimate(counts[:, [1, 3]])
        for name in ("r", "error", "freedom"):
            found = getattr(every, name)
            assert found[1, 3] == found[3, 1] == pytest.approx(getattr(two, name)[0, 1])


def test_freedom_is_lost_where_few_runs_decide() -> None:
    """u^2 of 1, 2, 3, 4 twice: all influences are 0.36 or -0.36, so nothing is lost; one far run leaves the least."""
    even = np.column_stack([np.tile([1.0, 2, 3, 4], 2), np.tile([1.0, 3, 2, 4], 2)])
    assert of_counts(even).freedom[0, 1] == 6
    far = np.random.default_rng(0).normal(size=(50, 2))
    far[0] = 1e6, -30
    assert of_counts(far).freedom[0, 1] < 3
    assert of_ranks(far).freedom[0, 1] > 8


def test_a_constant_column_has_no_r_and_a_copy_is_exact() -> None:
    column = np.arange(10.0)
    for estimate in (of_counts, of_ranks):
        found = estimate(np.column_stack([column, 3 * column + 0.1, -column, np.full(10, 7.0)]))
        low, high = found.ends(0.9)
        assert (found.r[0, 1], low[0, 1], high[0, 1], found.r[0, 2], low[0, 2]) == (1, 1, 1, -1, -1)
        assert np.isnan(found.r[0, 3])


def test_scores_of_three_runs_by_hand() -> None:
    """Ranks 1, 2, 3 of 4: quantiles of 1/4, 1/2, 3/4 are -0.674, 0, 0.674, with deviation 0.674 sqrt(2/3)."""
    assert normal_scores(np.array([[5.0], [900], [7]]))[:, 0] == pytest.approx([-np.sqrt(1.5), np.sqrt(1.5), 0])


def test_halves_show_that_r_of_few_runs_is_too_high_or_too_low() -> None:
    """Random halves of 400 runs and of 399; a capped count has too high an r of normal scores in few runs, a near copy too low a one."""
    random = np.random.default_rng(6)
    for n in (400, 399):
        cause = random.normal(size=(n, 1))
        counts = np.hstack([cause, np.minimum(cause + 0.2 * random.normal(size=(n, 1)), -0.2), cause + 0.03 * random.normal(size=(n, 1))])
        scores = np.corrcoef(normal_scores(counts).T)[0]
        found = of_ranks(counts).r[0]
        assert found[1] < scores[1] - 1e-4
        assert found[2] > scores[2] + 1e-5


def test_distances_in_halves_are_those_of_their_own_scores() -> None:
    counts = np.random.default_rng(7).poisson(2, (25, 2)).astype(float)
    counts[:, 1] -= counts[:, 0]
    halves = [normal_scores(counts[half]).T for half in _halves(25)]
    assert [len(half.T) for half in halves] == [12] * 20
    expected = np.mean([np.sqrt(1 + np.corrcoef(half)[0, 1]) for half in halves]) ** 2
    sign = -np.ones((2, 2)) + 2 * np.eye(2)
    assert _Ranked.of(counts).half_distances(sign)[0, 1] == pytest.approx(expected)


def test_scores_with_ties_have_the_mean_0_and_freedom_ends_at_n_minus_2() -> None:
    # Ranks 1.5, 1.5 and 3 of 4 give -0.3186, -0.3186 and 0.6745, whose mean is 0.0124 and whose standard deviation 0.4682.
    scores = normal_scores(np.array([[1.0], [1.0], [2.0]]))[:, 0]
    np.testing.assert_allclose(scores, [-0.7071, -0.7071, 1.4142], atol=1e-4)
    # All four signs of two columns, twice: each run has the same influence on r, which is 0.
    square = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]] * 2)
    assert of_counts(square).freedom[0, 1] == 6


def test_a_kind_of_run_that_was_not_seen_counts_as_one_run() -> None:
    """8 of 40 runs count one event, 8 others the other: u is 2 or -1/2, r = -1/4. A run of both would move r by (2 x 2 + (4 + 4) / 8) / 40:
    its part of the error is 5 / sqrt(40 x 37) = 0.130; the runs themselves have 0.063. If four are common, nothing is unseen."""
    counts = np.zeros((40, 3))
    counts[:8, 0] = counts[8:16, 1] = counts[4:12, 2] = 1
    found, of_seen = of_ranks(counts), of_counts(counts)
    assert found.error[0, 1] == pytest.approx(np.hypot(0.063, 0.130), abs=0.003)
    assert found.error[0, 2] == pytest.approx(of_seen.error[0, 2], rel=0.1)


@pytest.mark.parametrize(("runs", "known"), [(3, False), (4, True)])
def test_counts_above_0_in_too_few_runs_have_no_error(runs: int, known: bool) -> None:
    counts = np.zeros((50, 2))
    counts[:runs, 0] = np.arange(1, runs + 1)
    counts[1:runs, 1] = np.arange(1, runs)[::-1]
    found = of_ranks(counts)
    assert np.isfinite(found.r[0, 1])
    assert np.isfinite(found.error[0, 1]) == known
    for copies, exact in ((9, False), (10, True)):
        counts[:, 0] = np.concatenate([np.arange(1, copies + 1), np.zeros(50 - copies)])
        low, high = of_ranks(counts[:, [0, 0]]).ends(0.9)
        assert (low[0, 1] == high[0, 1] == 1) == exact
        assert np.isnan(low[0, 1]) != exact
