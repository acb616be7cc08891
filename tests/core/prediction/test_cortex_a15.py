"""Power of a Cortex-A15 on the published readings: the authors' split, a clock not learnt from, and features that physics asks for."""

from pathlib import Path

import numpy as np
import pytest

from hemcore.datasets.readers.phases import powmon_phases
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.feature_forms import forms_of
from hemcore.prediction.models.tuning import Tuned, fit_models

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "cortex_a15_cbench"
POWER, CLOCK, VOLTAGE = "A15 Power(W)", "CPU(4) Frequency(MHz)", "A15 Voltage(V)"

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the Cortex-A15 readings are not here (../shared/data/cortex_a15_cbench)")


@pytest.fixture(scope="module")
def table() -> PhaseTable:
    """Every reading at every clock, told apart by the number of the phase."""
    names = ("xu3_cset_perfcpu_cBench_eMMC_big.data", "cbench_split.data")
    found, _, _ = powmon_phases.read([UploadedFile(name, (FOLDER / name).read_bytes()) for name in names])
    frame = found.frame.assign(load="every clock")
    return PhaseTable(frame=frame.assign(phase=frame.groupby("program").cumcount()), counters=found.counters)


def rows_of(table: PhaseTable, *more: str) -> tuple[Rows, np.ndarray]:
    """(every reading, its events and `more` as features; whether the authors learn from it)."""
    events = [name for name in table.counters if "(" not in name]
    asked = PredictionParams(target=POWER, counters="; ".join([*events, *more]), most_phases=20_000)
    selection = select(table, asked)
    assert selection.notes == ("SW_INCR is constant and is left out.",)
    return selection.train, (table.frame.loc[selection.train.place, "split"] == "train").to_numpy()


def error(model: Tuned, rows: Rows) -> float:
    return float(np.mean(np.abs(model.fitted.predict(rows) - rows.y) / rows.y))


def test_events_times_the_square_of_the_voltage_give_power_to_within_3_percent(table: PhaseTable) -> None:
    assert forms_of(table) == ("counts", "rates", "V2")
    rows, learnt = rows_of(table)
    models = fit_models(rows.take(learnt), ("OLS", "cost per event"), "V2")
    errors = {name: error(model, rows.take(~learnt)) for name, model in models.items()}
    assert min(errors.values()) <= 0.034
    assert errors["cost per event"] <= 0.034
    # The events alone do not say how much energy each takes.
    assert error(fit_models(rows.take(learnt), ("OLS",), "counts")["OLS"], rows.take(~learnt)) > 0.15


def test_a_clock_that_was_not_learnt_from_is_predicted(table: PhaseTable) -> None:
    rows, learnt = rows_of(table)
    unseen = rows.hertz == 1500
    assert 0 < unseen.sum() < len(rows)
    model = fit_models(rows.take(learnt & ~unseen), ("cost per event",), "V2")["cost per event"]
    assert error(model, rows.take(unseen & ~learnt)) <= 0.05


def test_a_lasso_whose_penalty_the_training_programs_choose(table: PhaseTable) -> None:
    rows, learnt = rows_of(table, CLOCK, VOLTAGE)
    lasso = fit_models(rows.take(learnt), ("Lasso",), "counts")["Lasso"]
    assert 0.054 <= error(lasso, rows.take(~learnt)) <= 0.060
