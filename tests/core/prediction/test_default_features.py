"""What predicts where no features are chosen: counters of events, never sensors that give the target away."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams
from hemcore.prediction.model_rows import select
from hemcore.prediction.power.power_units import without_sensors


def table(*counters: str) -> PhaseTable:
    random = np.random.default_rng(0)
    keys = {"program": np.repeat(["a", "b", "c"], 10), "granularity": 1, "load": "x", "phase": np.tile(np.arange(10), 3)}
    return PhaseTable(frame=pd.DataFrame(keys | {name: random.uniform(1, 9, 30) for name in counters}), counters=counters)


def test_sensors_predict_only_if_chosen() -> None:
    readings = table("A15 Power(W)", "A15 Voltage(V)", "A15 Current(A)", "Temp(C)", "Tctl", "CPU_CYCLES", "INST_RETIRED")
    found = select(readings, PredictionParams(target="A15 Power(W)"))
    assert found.train.counters == ("CPU_CYCLES", "INST_RETIRED")
    assert found.notes[0].startswith("Sensors are no features unless chosen: 'A15 Voltage(V)', 'A15 Current(A)', 'Temp(C)'")
    assert "'Tctl'" in found.notes[0]
    chosen = select(readings, PredictionParams(target="A15 Power(W)", counters="A15 Voltage(V); CPU_CYCLES"))
    assert chosen.train.counters == ("A15 Voltage(V)", "CPU_CYCLES")


def test_where_there_are_only_sensors_they_predict() -> None:
    assert without_sensors(("Power(W)", "Voltage(V)")) == ("Power(W)", "Voltage(V)")
    found = select(table("Power(W)", "Voltage(V)", "Current(A)"), PredictionParams(target="Power(W)"))
    assert found.train.counters == ("Voltage(V)", "Current(A)")
    # The one event is the target.
    assert select(table("Power(W)", "CYCLES"), PredictionParams(target="CYCLES")).train.counters == ("Power(W)",)


def test_events_with_letters_like_units_are_events() -> None:
    names = ("L2_M_A", "INST_RETIRED", "time [s]", "Clock [MHz]")
    assert without_sensors(names) == names
