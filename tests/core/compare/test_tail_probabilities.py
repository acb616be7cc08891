"""Where an interval ends, by the probabilities at steps from the estimate."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr, stdtrit

from hemcore.compare import compare
from hemcore.compare.permuted import change_as_read, exchanged_blocks, in_blocks
from hemcore.compare.tail_probabilities import ends, students_tails, tail_probability
from hemcore.datasets.tables.subexperiments import Subexperiments


@pytest.mark.parametrize("freedom", [4, 30, np.inf])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_an_interval_of_student_s_tails_ends_at_its_quantiles(freedom: float, level: float) -> None:
    below, above = ends(students_tails(freedom)[:, :, None], level)
    expected = stdtrit(min(freedom, 1e9), (1 + level) / 2)
    assert below[0] == pytest.approx(expected, rel=0.01)
    assert above[0] == below[0]


def test_either_side_ends_by_its_own_tail() -> None:
    tails = np.stack([students_tails(4)[0], students_tails(np.inf)[0]])[:, :, None]
    below, above = ends(tails, 0.9)
    assert below[0] == pytest.approx(2.13, abs=0.02)
    assert above[0] == pytest.approx(1.645, abs=0.01)
    assert np.isnan(ends(tails * np.nan, 0.9)).all()


def test_an_exchange_is_worked_by_hand() -> None:
    before, after = np.array([[1.0], [3.0]]), np.array([[4.0], [8.0]])
    blocks = in_blocks(before, after, 1, ratio=True)
    # Log (6 / 2); each mean's variance is that of the runs over 2, as a share of the mean squared: 1 / 4 + 4 / 36.
    assert change_as_read(blocks).estimate[0] == pytest.approx(np.log(3))
    assert change_as_read(blocks).variance[0] == pytest.approx(1 / 4 + 4 / 36)
    # The second run before against the first after: 1 and 4 against 3 and 8, where nothing is taken out.
    exchanged = exchanged_blocks(blocks, np.array([[False, True, False, True]]))
    plain = exchanged.change(np.log([3.0]))
    assert plain.estimate[0, 0] == pytest.approx(np.log(5.5 / 2.5))
    assert plain.variance[0, 0] == pytest.approx(6.25 / 5.5**2 + 2.25 / 2.5**2)
    # With the change of log 3 taken out, runs after are 4 / 3 and 8 / 3.
    without = exchanged.change(np.array([0.0]))
    assert without.estimate[0, 0] == pytest.approx(np.log((3 + 8 / 3) / (1 + 4 / 3)))
    differences = exchanged_blocks(in_blocks(before, after, 1, ratio=False), np.array([[False, True, False, True]]))
    assert differences.change(np.array([4.0])).estimate[0, 0] == pytest.approx(5.5 - 2.5)
    assert differences.change(np.array([0.0])).estimate[0, 0] == pytest.approx((3 + 4) / 2 - (1 + 0) / 2)


@pytest.mark.slow
def test_of_heavy_tails_and_few_runs_intervals_hold() -> None:
    rng = np.random.default_rng(0)
    names = [f"H{place}" for place in range(60)]
    inside = []
    for seed in range(8):
        sides = [pd.DataFrame(rng.lognormal(0, 2, (10, 60)) * times, columns=names) for times in (1, 1.1)]
        tables = [Subexperiments(frames=(each,), n_pmcs=60, labels=("runs",)) for each in sides]
        table = compare(*tables, seed=seed).table
        inside += ((table["low"] <= 0.1) & (table["high"] >= 0.1)).tolist()
    assert 0.86 <= np.mean(inside) <= 0.93


def test_a_set_of_few_runs_is_judged_next_to_a_long_dependent_one() -> None:
    rng = np.random.default_rng(1)
    long = np.cumsum(rng.normal(0, 1, 400)) % 40 + 100
    tables = [
        Subexperiments(frames=(pd.DataFrame({"A": each}),), n_pmcs=1, labels=("runs",)) for each in (rng.permutation(long)[:12], long)
    ]
    for statistic in ("mean", "median"):
        found = compare(*tables, statistic=statistic).table.iloc[0]  # type: ignore[arg-type]
        assert found["block"] == 1
        assert found["low"] < found["change"] < found["high"]
        assert not found["changed"]


def test_a_tail_below_is_as_long_as_one_above() -> None:
    # Lopsided draws: the lower tail of the mirrored ones is the upper tail of these.
    draws = np.random.default_rng(5).exponential(size=1_999) - 1
    for far in (1.0, 6.0, 9.0):
        above = tail_probability(far, draws, freedom=50)
        assert tail_probability(-far, -draws, freedom=50) == pytest.approx(above)
    # Ten of 1,999 draws are beyond 4.3; Student's t with 50 degrees continues from there.
    anchor = np.sort(draws)[-10]
    continued = 2 * 10 / 1_999 * stdtr(50, -6.0) / stdtr(50, -anchor)
    assert tail_probability(6.0, draws, freedom=50) == pytest.approx(continued)


def test_the_difference_of_paired_runs_has_the_error_of_the_changes_of_the_pairs() -> None:
    before = np.array([[-4.0], [0], [2], [6]])
    after = before + np.array([[1.0], [2], [1], [4]])
    change = change_as_read(in_blocks(before, after, 1, ratio=False, paired=True))
    # Changes 1, 2, 1, 4: mean 2, variance 2, of which a quarter is that of the mean.
    assert change.estimate[0] == pytest.approx(2)
    assert change.variance[0] == pytest.approx(np.var([1, 2, 1, 4], ddof=1) / 4)
