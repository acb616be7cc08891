"""Models of one or two features, fitted and asked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models import learners
from hemcore.prediction.models.feature_forms import FORMS
from hemcore.prediction.models.fitted import Copied, Linear, NearestMean, Together, Trees, geometric_mean
from tests.core.prediction.few_programs import Multiple, rows_of

# Features 1 and 3 (mean 2, standard deviation 1), targets 10 and 14: the slope is 2.
TWO = rows_of(y=[10, 14], x=[1, 3], programs=[0, 1])


def of(rows: Rows, *columns: list[float], names: tuple[str, ...] = ("Ir", "miss")) -> Rows:
    return replace(rows, X=np.column_stack(columns).astype(float), counters=names)


def at(*values: float) -> Rows:
    return rows_of(y=[1] * len(values), x=values, programs=[0] * len(values))


def test_least_squares_with_an_intercept() -> None:
    found = learners.ols(TWO, "counts", {})
    assert found.intercept == pytest.approx(8)
    assert found.theta == pytest.approx([2])
    assert found.predict(at(0, 5)) == pytest.approx([8, 18])


def test_ridge_shrinks_the_slope_and_keeps_the_mean() -> None:
    # Standardised features -1 and 1, targets -2 and 2 from the mean of 12: the slope is (2 + 2) / (2 + 2 * penalty).
    found = learners.ridge(TWO, "counts", {"alpha": 1.0})
    assert found.predict(at(1, 2, 3)) == pytest.approx([11, 12, 13])
    # Program 2 is left out, of whose two rows the first is tried; of the others the penalty of 3 leaves a quarter of the slope of 2.
    rows = rows_of(y=[10, 14, 1, 900], x=[1, 3, 3, 7], programs=[0, 1, 2, 2])
    tried, out = np.array([False, False, True, False]), [np.array([2])]
    both = learners.ridge_over(rows, tried, "counts", [{"alpha": 1.0}, {"alpha": 3.0}], out)
    assert both.tolist() == [pytest.approx([13, 12.5])]


def test_a_lasso_penalty_is_a_share_of_the_one_that_leaves_nothing() -> None:
    # A quarter of the largest penalty takes a quarter of the slope of 2.
    assert learners.lasso(TWO, "counts", {"alpha": 0.25}).predict(at(1, 2, 3)) == pytest.approx([10.5, 12, 13.5], rel=1e-4)
    rows = rows_of(y=[10, 14, 1, 900], x=[1, 3, 3, 7], programs=[0, 1, 2, 2])
    tried, out = np.array([False, False, True, False]), [np.array([2])]
    both = learners.lasso_over(rows, tried, "counts", [{"alpha": 0.25}, {"alpha": 1.0}, {"alpha": 0.5}], out)
    assert both.ravel() == pytest.approx([13.5, 12, 13])


def test_a_bin_ends_halfway_between_two_values() -> None:
    assert learners._bin_edges(np.array([5.0, 1.0, 2.0, 1.0]), np.ones(4)).tolist() == [1.5, 3.5]
    assert learners._bin_edges(np.array([7.0, 7.0]), np.ones(2)).tolist() == []


def test_bins_of_many_values_have_about_the_same_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "_BINS", 2)
    # Half of the weight of 12 is reached at 0, which weighs 8; with equal weights it is at 2, of 0 to 4.
    values = np.arange(5.0)
    assert learners._bin_edges(values, np.array([8.0, 1, 1, 1, 1])).tolist() == [0.5]
    assert learners._bin_edges(values, np.ones(5)).tolist() == [2.5]


def test_the_counter_that_explains_most_is_taken_first() -> None:
    rows = of(rows_of(y=[10, 20, 40], x=[1, 1, 1], programs=[0, 1, 2]), [5, 1, 9], [1, 2, 4])
    one = learners.nnls_few(rows, "counts", {"n": 1})
    assert one.theta == pytest.approx([0, 10], abs=1e-6)


def test_a_program_of_many_phases_does_not_choose_the_counter_alone() -> None:
    # Eight phases of one program cost 10 per instruction and have no misses; one phase each of two others costs 2 per miss and 40 per
    # instruction. Instructions at 10 are off by 0, 75% and 75%: half over programs, 15% over phases; misses at 2 by 100%, 0 and 0.
    own = [1.0, 2, 3, 4, 5, 6, 7, 8]
    rows = of(rows_of(y=[*(10 * each for each in own), 2, 6], x=[1] * 10, programs=[0] * 8 + [1, 2]), [*own, 0.05, 0.15], [0] * 8 + [1, 3])
    assert learners.nnls_few(rows, "counts", {"n": 1}).theta == pytest.approx([0, 2], abs=1e-6)


def test_the_nearest_by_rates_in_standard_deviations() -> None:
    # Misses per instruction 0, 1, 9; cycles per instruction 1, 3, 50. A phase with 0.1 misses per instruction is nearest to the first two.
    rows = of(rows_of(y=[10, 30, 500], x=[10, 10, 10], programs=[0, 1, 2]), [10, 10, 10], [0, 10, 90])
    found = learners.nearest(rows, "counts", {"n_neighbors": 2})
    assert found.predict(of(at(100), [100], [10])) == pytest.approx([200])
    # All three: the mean of 1, 3 and 50 is 18.
    assert replace(found, n_neighbors=9).predict(of(at(100), [100], [10])) == pytest.approx([1_800])
    assert replace(found, n_neighbors=1).predict(of(at(100), [100], [880])) == pytest.approx([5_000])
    assert isinstance(found, NearestMean)


def test_more_misses_never_cost_less_by_boosting() -> None:
    random = np.random.default_rng(0)
    misses = random.uniform(0, 1, 80)
    # The more misses the fewer cycles: a trend that no tree may follow.
    rows = of(rows_of(y=list(200 - 100 * misses), x=[100] * 80, programs=[0] * 40 + [1] * 40), [100.0] * 80, list(100 * misses))
    rows = replace(rows, counters=("Ir", "D1mr"))
    found = learners.boosting(rows, "counts", {})
    low, high = found.predict(replace(of(at(100, 100), [100, 100], [5, 95]), counters=("Ir", "D1mr")))
    assert low == pytest.approx(high)
    free = learners.boosting(replace(rows, counters=("Ir", "other")), "counts", {})
    low, high = free.predict(replace(of(at(100, 100), [100, 100], [5, 95]), counters=("Ir", "other")))
    assert low > 1.5 * high


def test_time_never_falls_with_accesses_by_boosting_but_power_may() -> None:
    loads = np.linspace(0, 1, 80)
    rows = of(rows_of(y=list(200 - 100 * loads), x=[100] * 80, programs=[0] * 40 + [1] * 40), [100.0] * 80, list(100 * loads))
    rows = replace(rows, counters=("Ir", "Dr"))
    two = replace(of(at(100, 100), [100, 100], [5, 95]), counters=("Ir", "Dr"))
    low, high = learners.boosting(replace(rows, target="CYCLES"), "counts", {}).predict(two)
    assert low == pytest.approx(high)
    low, high = learners.boosting(replace(rows, target="Power (W)"), "counts", {}).predict(two)
    assert low > 1.5 * high


def test_clslr_over_a_grid_is_clslr_at_each_setting() -> None:
    random = np.random.default_rng(1)
    X = random.gamma(2.0, 1.0, (60, 2))
    rows = of(rows_of(y=list(X @ [1.0, 3.0] * random.uniform(0.8, 1.2, 60)), x=[1] * 60, programs=[0] * 60), *X.T)
    grid = [{"sizes": (size,), "alphas": (alpha,), "positive": True} for size in (10, 40) for alpha in (1e-3, 0.3)]
    found = learners.clslr_over(rows, rows, "counts", grid)
    for place, each in enumerate(grid):
        assert found[:, place] == pytest.approx(learners.clslr(rows, "counts", each).predict(rows))


def test_forms_of_counts() -> None:
    rows = replace(of(at(100, 200), [100, 200], [10, 40]), volts=np.array([2.0, 3.0]), hertz=np.array([5.0, 7.0]))
    assert FORMS["counts"].of(rows).tolist() == [[100, 10], [200, 40]]
    assert FORMS["rates"].of(rows).tolist() == [[1, 0.1], [1, 0.2]]
    assert FORMS["rates"].unit(rows).tolist() == [100, 200]
    # Events times V^2, V, V^2 f.
    assert FORMS["V2"].of(rows).tolist() == [[400, 40, 2, 20], [1800, 360, 3, 63]]


def test_a_linear_model_of_rates_says_the_target_of_the_whole_phase() -> None:
    found = Linear(form="rates", names=("Ir", "miss"), theta=np.array([1.0, 10.0]), intercept=0.5)
    assert found.predict(of(at(100), [100], [20])) == pytest.approx([100 * (1 + 10 * 0.2 + 0.5)])


def test_a_tree_goes_left_up_to_its_threshold() -> None:
    # exp(1 + value): one tree on the second rate, left (value 2) up to 0.5, right (value 3) above.
    found = Trees(
        form="rates",
        start_value=1.0,
        starts=np.array([0]),
        feature=np.array([1, 0, 0]),
        threshold=np.array([0.5, 0, 0]),
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        value=np.array([0.0, 2.0, 3.0]),
    )
    predicted = found.predict(of(at(10, 10, 10), [10, 10, 10], [4, 5, 6]))
    assert predicted == pytest.approx(10 * np.exp([3.0, 3.0, 4.0]))


def test_a_blend_is_a_geometric_mean_of_what_is_above_0() -> None:
    assert geometric_mean([np.array([2.0, -1.0, -3.0]), np.array([8.0, 9.0, -5.0])]) == pytest.approx([4, 9, -3])
    together = Together(members=(Multiple(2.0), Multiple(8.0)))  # type: ignore[arg-type]
    assert together.predict(at(1, 10)) == pytest.approx([4, 40])
    assert Copied().predict(replace(at(1), copied=np.array([7.0]))).tolist() == [7]
