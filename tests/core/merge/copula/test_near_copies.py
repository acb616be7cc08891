"""Near copies keep their measured correlation, and two names of one event are one."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri

from hemcore.merge import copula_merge
from hemcore.merge.copula.near_copies import keep_near_copies, with_copies
from hemcore.merge.copula.normal_scores import scored
from hemcore.merge.inputs import complete_subexperiments


def plan(n: int, copy: float, seed: int = 0, *, sign: int = 1) -> list[pd.DataFrame]:
    """Two subexperiments that read A with C and B with C, and one that reads A with B; B is A, with noise of `copy` of its deviation."""
    random = np.random.default_rng(seed)

    def counts(columns: str) -> pd.DataFrame:
        a = random.normal(size=n)
        values = {"A": a, "B": sign * a + copy * random.normal(size=n), "C": 0.6 * a + 0.8 * random.normal(size=n)}
        return pd.DataFrame({name: np.rint(50_000 + 5_000 * values[name]) for name in columns})

    return [counts("AC"), counts("BC"), counts("AB")]


@pytest.mark.slow
@pytest.mark.parametrize(("copy", "sign"), [(0.02, 1), (0.1, 1), (0.1, -1)])
@pytest.mark.parametrize("n", [25, 45])
def test_near_copies_keep_their_correlation(n: int, copy: float, sign: int) -> None:
    frames = plan(n, copy, sign=sign)
    measured = frames[2].corr().loc["A", "B"]
    assert abs(measured) > 0.98
    merged = copula_merge(frames, 1_000).achieved_correlation
    # A and B are also read apart, so their distributions differ by the sampling noise of those runs.
    assert merged.loc["A", "B"] == pytest.approx(measured, abs=0.035)
    assert np.sign(merged.loc["A", "C"]) == sign * np.sign(merged.loc["B", "C"])


def test_two_names_of_one_event_are_one() -> None:
    frames = plan(25, 0.0)
    given = [frame.copy() for frame in frames]
    merged = copula_merge(frames, 500)
    assert merged.merged["A"].equals(merged.merged["B"].rename("A"))
    assert merged.achieved_correlation.loc["A", "B"] == pytest.approx(1)
    # What was read is still told as it was.
    assert merged.pair_readings.loc["A", "B"] == 25
    assert merged.pair_readings.loc["A", "C"] == 25
    for frame, before in zip(frames, given, strict=True):
        pd.testing.assert_frame_equal(frame, before)
    everywhere = with_copies(complete_subexperiments(frames))
    assert [sorted(frame.columns) for frame in everywhere.frames] == [["A", "B", "C"], ["A", "B", "C"], ["A", "B"]]


def test_two_units_of_one_event_are_one() -> None:
    lines = [frame.rename(columns={"B": "bytes"}) for frame in plan(25, 0.0)]
    for frame in lines[1:]:
        frame["bytes"] *= 64
    table = with_copies(complete_subexperiments(lines))
    assert [sorted(frame.columns) for frame in table.frames] == [["A", "C", "bytes"], ["A", "C", "bytes"], ["A", "bytes"]]
    assert (table.frames[0]["bytes"] == 64 * lines[0]["A"]).all()
    assert (table.frames[1]["A"] == lines[1]["bytes"] / 64).all()
    merged = copula_merge(lines, 300).merged
    assert (merged["bytes"] == 64 * merged["A"]).all()
    # A negative factor, an offset or one other value is no other unit.
    for change in (lambda x: -x, lambda x: x + 1, lambda x: np.where(x == x.max(), x + 1, x)):
        other = [lines[0], lines[1], lines[2].assign(bytes=change(lines[2]["bytes"].to_numpy()))]
        complete = complete_subexperiments(other)
        assert with_copies(complete) is complete


def test_equal_by_chance_or_almost_equal_is_not_one_event() -> None:
    few = pd.DataFrame({"A": [1, 2] * 20, "B": [1, 2] * 20})
    off = pd.DataFrame({"A": np.arange(40), "B": np.r_[np.arange(39), 99]})
    for frame in (few, off):
        table = complete_subexperiments([frame, pd.DataFrame({"A": np.arange(9), "C": np.arange(9)})])
        assert with_copies(table) is table


def test_only_what_is_too_weak_is_rebuilt_and_the_rest_of_a_score_stays() -> None:
    random = np.random.default_rng(1)
    a = random.normal(size=40)
    frame = pd.DataFrame({"A": a, "B": a + 0.05 * random.normal(size=40), "C": random.normal(size=40)})
    data = scored(complete_subexperiments([frame]))
    ranks = np.column_stack([np.argsort(np.argsort(frame[name])) for name in "ABC"]).astype(np.int32)
    close = ranks.copy()
    keep_near_copies(data, close)
    # Already as close as measured: nothing moves.
    np.testing.assert_array_equal(close, ranks)
    loose = ranks.copy()
    weak = 0.8 * a + 0.6 * frame["C"]
    loose[:, 1] = np.argsort(np.argsort(weak))
    keep_near_copies(data, loose)
    np.testing.assert_array_equal(loose[:, [0, 2]], ranks[:, [0, 2]])
    scores = ndtri((loose + 0.5) / 40)
    rho = np.corrcoef(data.normal[0][:, 0], data.normal[0][:, 1])[0, 1]
    assert np.corrcoef(scores[:, 0], scores[:, 1])[0, 1] == pytest.approx(rho, abs=0.01)
    # The part of B that A does not explain still goes with C.
    assert np.corrcoef(scores[:, 1] - scores[:, 0], scores[:, 2])[0, 1] > 0.5
    # With 300 runs or more the model's own relation stays.
    many = pd.concat([frame + 0.001 * copy for copy in range(8)], ignore_index=True)
    untouched = np.column_stack([np.argsort(np.argsort(many[name])) for name in "BAC"]).astype(np.int32)
    before = untouched.copy()
    keep_near_copies(scored(complete_subexperiments([many])), untouched)
    np.testing.assert_array_equal(untouched, before)
    assert sorted(loose[:, 1].tolist()) == list(range(40))
