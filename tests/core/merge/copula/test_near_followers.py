"""HEMs thousandths apart: who follows whom, from which runs, and what is left of a follower."""

import numpy as np
import pandas as pd
import pytest

from hemcore.merge import copula_merge
from hemcore.merge.copula.near_followers import NearFollower, without_near_followers
from hemcore.merge.copula.normal_scores import Scored, scored
from hemcore.merge.inputs import complete_subexperiments


def runs(seed: int, n: int = 120) -> pd.DataFrame:
    """A and B are four thousandths apart, A and C three, B and C five; D is A and a part of E; E is its own."""
    random = np.random.default_rng(seed)
    a, e, noise = random.normal(1e6, 1e5, n), random.normal(500, 50, n), random.normal(0, 1, (3, n))
    d = a + 4_000 * (e - 500) / 50
    return pd.DataFrame({"A": a, "B": a * (1 + 0.004 * noise[0]), "C": a * (1 + 0.003 * noise[1]), "D": d, "E": e})


def data(*groups: str) -> Scored:
    return scored(complete_subexperiments([runs(seed)[list(group)] for seed, group in enumerate(groups)]))


def test_the_hem_read_most_leads_and_the_next_follows_the_closest() -> None:
    left, near = without_near_followers(data("CAE", "CBE", "ABE", "CE"), np.random.default_rng(0))
    assert left.hems == ["C", "E"]
    assert {hem: follower.leader for hem, follower in near.items()} == {"A": "C", "B": "A"}
    # C had its readings of three subexperiments and gets one of its own for each run of the one that read A and B.
    assert [part.shape for part in left.shares] == [(120, 2)] * 4
    assert len(left.pooled["C"]) == 480
    assert len(np.unique(left.pooled["C"])) == 360


def test_what_goes_with_another_hem_does_not_follow() -> None:
    """D and A correlate at .9992, but all that D has beside A is E."""
    assert without_near_followers(data("ADE"), np.random.default_rng(0))[1] == {}
    assert list(without_near_followers(data("AD", "AE", "DE"), np.random.default_rng(0))[1]) == ["D"]


def test_too_few_runs_or_too_far_apart() -> None:
    few = [runs(1, 29)[["A", "B"]]]
    assert without_near_followers(scored(complete_subexperiments(few)), np.random.default_rng(0))[1] == {}
    assert without_near_followers(data("AE"), np.random.default_rng(0))[1] == {}


def test_a_line_and_the_nearest_reading_by_hand() -> None:
    """On the line follows = 2 leads, 100 readings of each: a share of the leader is that of the follower, whichever donor is drawn."""
    levels = np.arange(100.0)
    near = NearFollower(leader="A", leads=levels, follows=2 * levels, lead_levels=levels, follow_levels=2 * levels)
    shares = np.array([0.005, 0.305, 0.995])
    assert near.of(shares, np.random.default_rng(0)) == pytest.approx(shares)
    falling = NearFollower(leader="A", leads=levels, follows=-2 * levels, lead_levels=levels, follow_levels=-2 * levels[::-1])
    assert falling.of(shares, np.random.default_rng(0)) == pytest.approx(1 - shares)
    assert falling.reversed().of(1 - shares, np.random.default_rng(0)) == pytest.approx(shares)
    # A distance of a donor stays with it: every second follower is 10 above the line.
    apart = NearFollower(leader="A", leads=levels, follows=2 * levels + 10 * (levels % 2), lead_levels=levels,
                         follow_levels=np.arange(-100.0, 400))  # fmt: skip
    found = apart.of(np.full(400, 0.505), np.random.default_rng(0)) * 500 - 0.5 - 100
    assert set(np.rint(found).tolist()) == {100.0, 110.0}


def test_equal_readings_have_the_mean_of_their_ranks() -> None:
    """60 of 100 readings are zeros: ranks .3, as everywhere else; a tied leader takes the reading of any of its runs, not of the first."""
    levels = np.maximum(np.arange(100.0) - 59, 0)
    near = NearFollower(leader="A", leads=levels, follows=levels, lead_levels=levels, follow_levels=levels)
    assert near.of(np.array([0.3, 0.005, 0.605, 0.995]), np.random.default_rng(0)) == pytest.approx([0.3, 0.3, 0.605, 0.995])
    mixed = np.where(levels > 0, levels, np.where(np.arange(100) < 30, -1.0, 0.0))
    apart = NearFollower(leader="A", leads=levels, follows=mixed, lead_levels=levels, follow_levels=mixed)
    found = apart.of(np.full(1_000, 0.3), np.random.default_rng(0))
    assert float((found < 0.2).mean()) == pytest.approx(0.5, abs=0.05)


def test_the_merge_keeps_them_thousandths_apart_in_their_own_readings() -> None:
    """By ranks alone they would be further apart, since no run group has the quantiles of another."""
    frames = [runs(seed)[list(group)] for seed, group in enumerate(("AE", "BE", "ABE", "AE"))]
    merged = copula_merge(frames, 300, swaps=2_000).merged
    apart = np.abs(merged["B"] / merged["A"] - 1)
    assert 0.0020 < float(apart.median()) < 0.0045  # 0.0027 in runs that read both, 0.0072 by ranks
    assert set(merged["B"]) <= set(pd.concat([frames[1], frames[2]])["B"])
    assert list(merged) == ["A", "E", "B"]
    again = copula_merge(frames, 300, swaps=2_000).merged
    assert again.equals(merged)
    # One event under another name, or what is left of a budget, follows the follower.
    named = [frame.assign(M=3e6 - frame["B"]) if "B" in frame else frame for frame in frames]
    merged = copula_merge(named, 300, swaps=2_000).merged
    assert merged[["B", "M"]].corr("spearman").iloc[0, 1] == pytest.approx(-1, abs=1e-9)


def test_a_leader_that_another_name_also_reads() -> None:
    """R orders the runs as A does, and is read where neither A nor B is: A has more shares than readings."""
    frames = [runs(seed)[list(group)] for seed, group in enumerate(("AE", "BE", "ABE", "AE", "AE"))]
    frames[3], frames[4] = frames[3].assign(R=np.sqrt(frames[3]["A"])), pd.DataFrame({"R": np.sqrt(frames[4]["A"]), "E": frames[4]["E"]})
    merged = copula_merge(frames, 200, swaps=1_000).merged
    assert merged[["A", "R"]].corr("spearman").iloc[0, 1] > 0.9999  # A has readings twice that R has not
    assert float(np.abs(merged["B"] / merged["A"] - 1).median()) < 0.0045
