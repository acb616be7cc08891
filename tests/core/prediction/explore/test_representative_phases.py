"""The phases to measure: by hand, their weights, and what they are worth on the sample (a whole program within a per cent)."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.analysis import MEASURE, REPRESENT
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.representative_phases import representatives


@pytest.fixture(scope="module")
def table() -> PhaseTable:
    found = samples.load("phases")
    assert isinstance(found, PhaseTable)
    return found


def two_kinds() -> pd.DataFrame:
    """Phases of two kinds by their rates, of different lengths."""
    work = np.array([100.0, 200, 300, 400, 500, 600])
    rate = np.array([0.1, 0.5, 0.1, 0.5, 0.1, 0.5])
    return pd.DataFrame({"Ir": work, "miss": work * rate}, index=[10, 11, 12, 13, 14, 15])


def test_one_phase_of_each_kind_stands_for_the_instructions_of_its_kind() -> None:
    found = representatives(two_kinds(), 2)
    frame = two_kinds()
    assert len(found) == 2
    assert sorted(frame.loc[found.index, "miss"] / frame.loc[found.index, "Ir"]) == pytest.approx([0.1, 0.5])
    odd = found[found.index.isin([10, 12, 14])]
    assert odd.iloc[0] * frame.loc[odd.index[0], "Ir"] == pytest.approx(900)
    # A target that hangs on the kind alone is exact.
    target = frame["Ir"] * np.where(frame.index % 2 == 0, 2.0, 5.0)
    assert (found * target[found.index]).sum() == pytest.approx(target.sum())


def test_all_phases_measured_are_the_program_itself() -> None:
    assert representatives(two_kinds(), 6).tolist() == [1.0] * 6


def test_without_instructions_a_phase_counts_as_one() -> None:
    found = representatives(pd.DataFrame({"a": [1.0, 1.1, 9.0, 9.1, 9.2]}), 2)
    assert sorted(found) == [2.0, 3.0]


def test_the_cycles_are_not_looked_at(table: PhaseTable) -> None:
    frame = table.frame
    own = frame[(frame["program"] == "lz_compress") & (frame["granularity"] == 10_000) & (frame["load"] == "single core")]
    found = representatives(own, 5)
    pd.testing.assert_series_equal(representatives(own.assign(CYCLES=1, CYCLES_IQR=np.arange(len(own)) * 1000), 5), found)
    assert set(found.index) <= set(own.index)
    assert (found * own.loc[found.index, "Ir"]).sum() == pytest.approx(own["Ir"].sum())


def test_the_same_seed_gives_the_same_and_the_frame_is_left_alone() -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.integers(1, 1000, (200, 4)), columns=["Ir", "a", "b", "c"])
    before = frame.copy()
    pd.testing.assert_series_equal(representatives(frame, 7, seed=3), representatives(frame, 7, seed=3))
    pd.testing.assert_frame_equal(frame, before)


def test_of_very_many_phases_some_are_chosen_among(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("hemcore.prediction.explore.representative_phases"), "MOST_ROWS", 50)
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"Ir": 1000.0, "a": np.repeat([10.0, 500.0], 150) + random.normal(0, 1, 300)})
    assert sorted(representatives(frame, 2)) == pytest.approx([150, 150])


@pytest.mark.parametrize(
    ("n", "seed", "frame", "said"),
    [
        (0, 0, None, "n: 0 must be a whole number from 1 to the number of phases, 6"),
        (7, 0, None, "n: 7 must be"),
        (True, 0, None, "n: True must be"),
        (2, -1, None, "seed: -1 must be"),
        (1, 0, pd.DataFrame({"a": [1.0, np.nan]}), "no counter was counted in every phase"),
        (1, 0, pd.DataFrame({"program": ["a", "b"]}), "no numeric column"),
    ],
)
def test_what_cannot_be_chosen_is_told(n: int, seed: int, frame: pd.DataFrame | None, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        representatives(two_kinds() if frame is None else frame, n, seed=seed)


@pytest.mark.parametrize("granularity", ["10000", "30000"])
def test_five_phases_give_a_program_to_within_about_a_per_cent(table: PhaseTable, granularity: str) -> None:
    found = REPRESENT.of(table, ExploreParams(granularity=granularity, load="single core"))
    assert found.errors.shape == (33, 5)
    assert found.median <= 0.012
    assert found.mean <= 0.016
    assert found.worst <= 0.06
    assert found.random_median > 3 * found.median


@pytest.mark.slow
def test_a_programs_phases_and_the_error_against_their_number(table: PhaseTable) -> None:
    found = MEASURE.of(table, ExploreParams(program="lz_compress", granularity="10000", n_measured=5))
    assert found.program == "lz_compress"
    assert len(found.curve.programs) == 33
    assert len(found.measured) == 5
    assert found.measured["stands_for"].sum() == len(found.rows)
    assert found.measured["share"].sum() == pytest.approx(1)
    assert set(found.stands_for) == set(found.weights.index)
    assert found.estimate == pytest.approx((1 + found.error) * found.cost.sum())
    assert found.curve.curve["n"].tolist()[:6] == [1, 2, 3, 4, 5, 6]
    assert (found.curve.curve["error"] <= found.curve.curve["largest"]).all()
    with pytest.raises(ParameterError, match="Program: 'nobody' is not one of the table's 33 programs"):
        MEASURE.of(table, ExploreParams(program="nobody"))


def test_a_target_with_gaps_has_no_error_but_still_phases_to_measure(table: PhaseTable) -> None:
    frame = table.frame[(table.frame["program"] == "queens") & (table.frame["granularity"] == 30_000)].assign(CYCLES=np.nan)
    gaps = PhaseTable(frame=frame, counters=table.counters)
    found = MEASURE.of(gaps, ExploreParams())
    assert np.isnan(found.error)
    assert found.curve.curve.empty
    assert MEASURE.verdict(found).answer.startswith("Measure 5 phases of queens: ")
    with pytest.raises(ParameterError, match="CYCLES: every program at .* has a phase without it"):
        REPRESENT.of(gaps, ExploreParams())
