"""Subexperiments that drew other shares of slow runs: HEMs read in some of them get the share that all of them know."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from hemcore.merge import copula_merge
from hemcore.merge.copula.consistent_margins import _middles, run_weights, with_consistent_margins
from hemcore.merge.copula.near_followers import NearFollower
from hemcore.merge.copula.normal_scores import Scored, scored
from hemcore.merge.copula.same_order import with_leaders_alone
from hemcore.merge.inputs import complete_subexperiments

SLOW = 1_000


def runs(hems: str, slow: int, n: int = 400) -> pd.DataFrame:
    """n runs, the first `slow` of which count over 1,000, all others less; readings of a HEM are distinct."""
    random = np.random.default_rng(ord(hems[-1]) + slow)
    fast = np.arange(n) >= slow
    return pd.DataFrame({hem: random.permutation(n) + 10 + SLOW * ~fast for hem in hems})


def standardised(data: Scored, number: int, at: int) -> np.ndarray:
    return data.values[number][:, at]  # noqa: PD011


def data(*frames: pd.DataFrame) -> Scored:
    return scored(complete_subexperiments(list(frames)))


def test_a_hem_read_once_gets_the_share_of_slow_runs_of_all() -> None:
    """120 of 400 runs that read A and B are slow, 200 of 400 that read A and C: 40% of all, which A alone knows."""
    before = data(runs("AB", 120), runs("AC", 200))
    weights = run_weights(before)
    assert weights is not None
    assert [part.mean() for part in weights] == pytest.approx([1, 1])
    # 4/3 and 4/5 if nine polynomials could follow the step from fast to slow.
    assert 1.2 < weights[0][:120].mean() < 4 / 3
    assert 0.8 < weights[1][:200].mean() < 0.84
    after, _ = with_consistent_margins(before, {})
    assert {hem: len(each) for hem, each in after.pooled.items()} == {"A": 800, "B": 400, "C": 400}
    for hem, number, share in (("B", 0, 0.375), ("C", 1, 0.405)):
        assert set(after.pooled[hem]) <= set(before.pooled[hem])
        assert after.pooled[hem].tolist() == sorted(after.pooled[hem])
        assert float((after.pooled[hem] >= SLOW).mean()) == pytest.approx(share, abs=0.01)
        ranks, values, slow = after.shares[number][:, 1], standardised(after, number, 1), standardised(before, number, 1) > 0
        assert ranks[~slow].max() < 1 - share + 0.01
        assert ranks[slow].min() > 1 - share - 0.01
        assert (np.argsort(ranks) == np.argsort(before.shares[number][:, 1])).all()
        # Of a share s of slow runs, all equal: -s / sd and (1 - s) / sd, sd^2 = s (1 - s).
        s, sd = share, (share * (1 - share)) ** 0.5
        assert [values[~slow].mean(), values[slow].mean()] == pytest.approx([-s / sd, (1 - s) / sd], abs=0.06)
    merged = copula_merge([runs("AB", 120), runs("AC", 200)], 400, swaps=10_000).merged >= SLOW
    assert abs(float(merged["B"].mean() - merged["C"].mean())) < 0.05  # 0.2 by themselves


def test_a_leader_has_the_levels_of_its_readings() -> None:
    before = data(runs("AB", 120), runs("AC", 200))
    levels = np.sort(standardised(before, 0, 1))
    near = NearFollower(leader="B", leads=levels, follows=levels, lead_levels=levels, follow_levels=levels)
    after, found = with_consistent_margins(before, {"D": near, "E": replace(near, leader="D")})
    assert int((found["D"].lead_levels > 0).sum()) == int((after.pooled["B"] >= SLOW).sum()) > 140
    assert found["E"].lead_levels is levels


def test_few_enormous_counts_stay_normal_scores() -> None:
    frames = [frame.assign(A=np.exp(frame["A"] / 60.0)) for frame in (runs("AB", 120), runs("AC", 200))]
    after, _ = with_consistent_margins(data(*frames), {})
    values = np.concatenate([standardised(after, number, 0) for number in (0, 1)])
    shares = np.concatenate([part[:, 0] for part in after.shares])
    scores = ndtri(shares)
    assert np.corrcoef(values, scores)[0, 1] == pytest.approx(1)
    assert values.std() == pytest.approx(1, abs=0.03)


def test_a_hem_that_the_weights_would_make_constant_stays_as_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # C is 1 in one run of 400, and that run counts as a fifth of one.
    frames = runs("AB", 120), runs("AC", 200).assign(C=(np.arange(400) == 0).astype(int))
    before = data(*frames)
    weights = [np.where(np.arange(400) < 120, 1.2, 0.9), np.where(np.arange(400) == 0, 0.2, 1.0)]
    monkeypatch.setattr("hemcore.merge.copula.consistent_margins.run_weights", lambda data: weights)
    after, _ = with_consistent_margins(before, {})
    assert after.pooled["C"].tolist() == [0] * 399 + [1]
    # A mean of 1/400: (1 - 1/400) / sqrt(1/400 * 399/400) is the square root of 399.
    assert standardised(after, 1, 1)[0] == pytest.approx(399**0.5)
    assert standardised(after, 0, 1).tolist() != standardised(before, 0, 1).tolist()


def test_nothing_changes_where_nothing_is_known_or_runs_are_few() -> None:
    for frames in ([runs("AB", 120)], [runs("AB", 30, 19), runs("AC", 120)], [pd.DataFrame({"A": [3, 3]})]):
        before, near = data(*frames), {}
        assert with_consistent_margins(before, near) == (before, near)
    # Subexperiments that drew the same share have nothing to learn from each other.
    weights = run_weights(data(runs("AB", 120), runs("AB", 120)))
    assert weights is not None
    assert np.concatenate(weights) == pytest.approx(1)


def test_equal_readings_share_a_rank() -> None:
    assert _middles(np.array([1.0, 1.0, 2.0]), np.array([0.0, 0.2, 0.5, 1.0])) == pytest.approx([0.25, 0.25, 0.75])


def test_equal_readings_of_two_names_of_one_event_share_a_rank() -> None:
    """B and C are one event, mostly 0, each read where the other was not, too: their zeros are one reading with one rank."""
    random = np.random.default_rng(5)

    def part(hems: str, n: int, zeros: float) -> pd.DataFrame:
        event = np.where(random.random(n) < zeros, 0, random.integers(1, 40, n))
        return pd.DataFrame({hem: event if hem in "BC" else event + random.normal(0, 15, n) for hem in hems})

    both = [part("ABC", 200, 0.6), part("AB", 200, 0.5), part("AC", 200, 0.7)]
    left, followers = with_leaders_alone(data(*both))
    assert list(followers) == ["C"]
    after, _ = with_consistent_margins(left, {})
    place = after.hems.index("B")
    columns = [after.shares[number][:, int(np.flatnonzero(after.places[number] == place)[0])] for number in range(3)]
    zeros = np.concatenate([column[frame[name] == 0] for column, frame, name in zip(columns, both, "BBC", strict=True)])
    assert np.ptp(zeros) == pytest.approx(0)  # otherwise 0.1 or so for those read as B, 0.35 for those read as C
    assert zeros[0] == pytest.approx((after.pooled["B"] == 0).mean() / 2, abs=0.01)
