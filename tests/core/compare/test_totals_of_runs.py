"""What a run of a series or of phases amounts to, by hand: counts are summed, states are averaged."""

import pandas as pd

from hemcore.compare.run_sets import run_set_of
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable

VALUES = pd.DataFrame({"cycles": [100.0, 200, 300, 500], "temperature_C": [40.0, 60, 50, 70], "ipc": [1.0, 2, 0.5, 1.5]})
TOTALS = {"cycles": [300.0, 800.0], "temperature_C": [50.0, 60.0], "ipc": [1.5, 1.0]}


def test_of_two_runs_of_two_intervals_counts_are_summed_and_states_averaged() -> None:
    intervals = pd.DataFrame({"application": "a", "run": [1, 1, 2, 2], "interval": [0, 1, 0, 1]})
    (runs,) = run_set_of(CounterSeries(intervals=intervals, counts=VALUES, mode="OCOE")).groups
    assert runs.counts.to_dict("list") == TOTALS


def test_of_the_phases_of_two_runs_too() -> None:
    keys = pd.DataFrame({"program": "a", "granularity": "segment", "load": ["run 1", "run 1", "run 2", "run 2"], "phase": [0, 1, 0, 1]})
    (runs,) = run_set_of(PhaseTable(frame=pd.concat([keys, VALUES], axis=1), counters=tuple(VALUES))).groups
    assert runs.counts.to_dict("list") == TOTALS
