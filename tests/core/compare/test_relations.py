"""Changed correlations: normal scores and their sums by hand, a lost relation found, no change left in peace, sentences."""

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import relations
from hemcore.compare.relations.block_sums import difference_of, pair_sums, variance_of_ranks
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError
from hemcore.rank_correlation import normal_scores

PAIR = np.array([[0], [1]])


def table(*frames: pd.DataFrame) -> Subexperiments:
    return Subexperiments(frames=frames, n_pmcs=8)


def related(seed: int, n: int, r: float) -> pd.DataFrame:
    """Two HEMs of correlation r, and a third of their own."""
    rng = np.random.default_rng(seed)
    a, own, c = rng.normal(size=(3, n))
    b = r * a + np.sqrt(1 - r * r) * own
    return pd.DataFrame({"A": 1000 + 50 * a, "B": 400 + 10 * b, "C": 90 + c})


def test_normal_scores_by_hand() -> None:
    # Ranks 1, 2, 3 of 3 are the quantiles 1/4, 1/2, 3/4: -q, 0, q; divided by their deviation, q sqrt(2/3), whatever the counts are.
    scores = normal_scores(np.array([[7.0, 5.0], [900.0, 5.0], [20.0, 5.0]]))
    np.testing.assert_allclose(scores[:, 0], [-np.sqrt(1.5), np.sqrt(1.5), 0.0], atol=1e-12)
    assert np.isnan(scores[:, 1]).all()  # constant
    # Equal counts share a rank; what was not counted stays so.
    shared = normal_scores(np.array([[1.0], [np.nan], [3.0], [3.0]]))[:, 0]
    assert np.isnan(shared[1])
    assert shared[2] == shared[3] > 0 > shared[0]
    assert np.nansum(shared) == pytest.approx(0)


def test_sums_over_blocks_by_hand() -> None:
    scores = np.array([[1.0, 2.0], [3.0, -1.0], [np.nan, 5.0], [2.0, 2.0], [1.0, 1.0]])
    sums = pair_sums(scores, PAIR, 2)[:, :, 0]
    # Runs 1 and 2; then the other three, of which two counted both: a b, a a, b b.
    np.testing.assert_allclose(sums[:, :3], [[2 - 3, 1 + 9, 4 + 1], [4 + 1, 4 + 1, 4 + 1]])
    # Squares and products with (a a + b b) / 2; runs; blocks.
    np.testing.assert_allclose(sums[:, 3:], [[1, -7.5, 56.25, 2, 1], [25, 25, 25, 2, 1]])
    np.testing.assert_allclose(pair_sums(scores, PAIR, 1)[:, :3, 0].sum(axis=0), sums[:, :3].sum(axis=0))


def test_r_and_its_error_by_hand() -> None:
    # Four runs (1, 1), (-1, -1), (1, 1), (1, -1): r = 2 / 4. The influence of a run, a b - r, is 0.5, 0.5, 0.5 and -1.5; their squares sum
    # to 3, so the variance is 3 / 4 and, alike in both sets, the error sqrt(0.75 / 3).
    scores = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [1.0, -1.0]])
    total = pair_sums(scores, PAIR, 1).sum(axis=0)
    before, after, error_before, error_after = difference_of(total, total)
    assert (before[0], after[0]) == (0.5, 0.5)
    assert (error_before[0], error_after[0]) == pytest.approx((0.5, 0.5))


def test_a_lost_relation_is_first_and_alone() -> None:
    found = relations(table(related(1, 120, 0.9)), table(related(2, 120, 0.1))).table
    assert found.loc[0, ["hem_a", "hem_b"]].tolist() == ["A", "B"]
    assert found["changed"].tolist() == [True, False, False]
    first = found.iloc[0]
    assert first["change"] == pytest.approx(first["after"] - first["before"])
    assert first["before"] == pytest.approx(0.9, abs=0.06)
    assert first["after"] == pytest.approx(0.1, abs=0.2)
    assert first["low"] < first["change"] < first["high"] < 0
    assert (first["runs_before"], first["runs_after"]) == (120, 120)
    turned = relations(table(related(2, 120, 0.1)), table(related(1, 120, 0.9))).table.iloc[0]
    assert turned["change"] == pytest.approx(-first["change"])


def test_neither_a_mean_nor_a_spread_nor_a_monotone_scale_counts() -> None:
    before, after = related(3, 60, 0.6), related(4, 60, 0.6)
    found = relations(table(before), table(after)).table
    scaled = relations(table(before), table(after.assign(A=lambda f: np.exp(f["A"] / 40), B=lambda f: 7 * f["B"] + 1))).table
    pd.testing.assert_frame_equal(found, scaled)
    assert not found["changed"].any()


def test_one_extreme_run_counts_as_one_run() -> None:
    before, after = related(5, 80, 0.0), related(6, 80, 0.0)
    after.loc[3, ["A", "B"]] = [1e9, 1e9]
    # Pearson's r is 1 by that run alone.
    assert after["A"].corr(after["B"]) > 0.99
    assert not relations(table(before), table(after)).table["changed"].any()


def test_sets_are_judged_at_another_level_without_new_draws() -> None:
    found = relations(table(related(1, 60, 0.9)), table(related(2, 60, 0.5)))
    wide, narrow = (found.at(CompareParams(level=level)).table.iloc[0] for level in (0.99, 0.5))
    assert wide["low"] < narrow["low"] < wide["change"] < narrow["high"] < wide["high"]
    assert not found.at(CompareParams(rate=0.001)).table["changed"].sum() > found.table["changed"].sum()


@pytest.mark.slow
def test_seldom_false_where_nothing_changed() -> None:
    # 100 pairs of sets, 3 pairs of HEMs each, at 5%: 5 expected, 13 or more in one of a thousand.
    found = [
        relations(table(related(200 + n, 20, 0.6)), table(related(900 + n, 50, 0.6)), seed=n).table["changed"].any() for n in range(100)
    ]
    assert sum(found) <= 12


def related_pair(rng: np.random.Generator, n: int, r: float) -> np.ndarray:
    first, second = rng.normal(size=(2, n))
    return np.stack([first, r * first + np.sqrt(1 - r * r) * second], axis=1)


def test_the_variance_of_r_of_ranks_is_that_of_many_samples() -> None:
    rng = np.random.default_rng(4)
    pair = np.array([[0], [1]])

    def on_a_circle(n: int) -> np.ndarray:
        angle = rng.uniform(0, 2 * np.pi, n)
        return np.stack([np.cos(angle), np.sin(angle + 0.5)], axis=1)

    samples = [normal_scores(on_a_circle(200)) for _ in range(200)]
    truth = 200 * np.var([float((each[:, 0] * each[:, 1]).mean()) for each in samples])
    by_rank, normal = np.mean([variance_of_ranks(each, pair) for each in samples], axis=0)[:, 0]
    assert by_rank == pytest.approx(truth, rel=0.25)
    assert normal > 2 * truth
    # Of normal counts both are (1 - r^2)^2 = .41.
    gaussian = rng.normal(size=(2_000, 2))
    gaussian[:, 1] = 0.6 * gaussian[:, 0] + 0.8 * gaussian[:, 1]
    for variance in variance_of_ranks(normal_scores(gaussian), pair):
        assert variance[0] == pytest.approx(0.41, rel=0.12)
    # Also of few near copies, (1 - .95^2)^2 = .0095 of many: a run counts half for itself.
    copies = [normal_scores(related_pair(rng, 50, 0.95)) for _ in range(40)]
    by_rank, normal = np.mean([variance_of_ranks(each, pair) for each in copies], axis=0)[:, 0]
    assert by_rank / normal == pytest.approx(1, abs=0.3)
    # Where ranks take away from it, the error stays as it is.
    sides = [pd.DataFrame(on_a_circle(40) + 50, columns=["A", "B"]) for _ in range(2)]
    row = relations(*(table(each) for each in sides)).rows.iloc[0]
    plain = difference_of(*(pair_sums(normal_scores(each.to_numpy()), pair, 1).sum(axis=0) for each in sides))
    assert row["error_before"] == pytest.approx(plain[2][0])


def test_the_error_of_r_counts_what_ranks_add() -> None:
    rng = np.random.default_rng(5)
    pair = np.array([[0], [1]])

    def copied_where_high(n: int) -> pd.DataFrame:
        first, second = rng.normal(50, 1, (2, n))
        return pd.DataFrame({"A": first, "B": np.where(first > 50, first + 3, second)})

    sides = [copied_where_high(40), copied_where_high(60)]
    row = relations(*(table(each) for each in sides)).rows.iloc[0]
    scores = [normal_scores(each.to_numpy()) for each in sides]
    plain = difference_of(*(pair_sums(each, pair, 1).sum(axis=0) for each in scores))
    # Over both sets, by their runs.
    by_rank, normal = (40 * one + 60 * two for one, two in zip(*(variance_of_ranks(each, pair) for each in scores), strict=True))
    factor = np.sqrt(by_rank[0] / normal[0])
    assert factor > 1.05
    assert [row["error_before"], row["error_after"]] == pytest.approx([factor * plain[2][0], factor * plain[3][0]])


def test_pairs_are_judged_within_the_runs_that_read_both() -> None:
    first = related(1, 40, 0.8)
    parts = (first[["A", "B"]], first[["A", "C"]])
    found = relations(table(*parts), table(*parts)).table
    assert sorted(zip(found["hem_a"], found["hem_b"], strict=True)) == [("A", "B"), ("A", "C")]
    assert found["change"].tolist() == [0, 0]
    assert (found["probability"] > 0.9).all()


def test_what_cannot_be_judged_is_a_sentence() -> None:
    few = related(1, 7, 0.5)
    with pytest.raises(TableError, match="no two HEMs were read together in 8 runs before and 8 after. Read them in more runs"):
        relations(table(few), table(related(2, 30, 0.5)))
    with pytest.raises(TableError, match="every HEM that was read with another one is constant. Choose other datasets"):
        relations(table(related(1, 20, 0.5)), table(related(2, 20, 0.5) * 0 + 5))


def test_the_front_door_gives_the_same() -> None:
    before, after = related(1, 40, 0.9), related(2, 40, 0.1)
    answer = hem.relations(before, after, rate=0.01)
    pd.testing.assert_frame_equal(answer.table, relations(table(before), table(after), rate=0.01).table)
    assert "3 rows x" in repr(answer)
    with pytest.raises(hem.HemError, match=r"hem.relations\(before, after\)"):
        hem.relations(before)
