"""Cores of one machine share each run, which counts once for all of them."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare
from hemcore.compare.headline import verdict
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level


def series(n_runs: int, core_3: float, seed: int, cores: int = 4) -> CounterSeries:
    """One interval a run; core c counts 1,000 (c + 1) cycles, the last core core_3 times as many, within some 1%."""
    rng = np.random.default_rng(seed)
    places = [(core, run) for core in range(cores) for run in range(1, n_runs + 1)]
    intervals = pd.DataFrame(
        {"application": f"a core {core}", "run": run, "interval": 1, "program": "a", "core": str(core)} for core, run in places
    )
    counts = [1_000 * (core + 1) * (core_3 if core == 3 else 1) * rng.normal(1, 0.01) for core, _ in places]
    return CounterSeries(intervals=intervals, counts=pd.DataFrame({"cycles": counts}), mode="OCOE", interval_unit="whole run")


def test_eight_runs_of_four_cores_are_eight_runs() -> None:
    found = compare(series(8, 1, 0), series(8, 1.2, 1))
    assert found.places == 4
    judged = verdict(found)
    assert judged.level == "limited"
    assert judged.trust == "Its 4 parts share each run: intervals are too narrow."
    assert "Only 8 runs; 30 or more are needed." in judged.why
    assert [(each.label, each.choose) for each in judged.remedies] == [
        ("Whole machine", {"machine_level": "machine"}),
        ("Add runs", {}),
    ]
    assert not judged.too_long()


def test_the_sum_of_the_cores_rests_on_its_runs_alone() -> None:
    """Core 3 counts 4,000 of 10,000 cycles, and 20% more of these: 8% of all."""
    found = compare(at_level(series(40, 1, 0), "machine"), at_level(series(40, 1.2, 1), "machine"))
    assert (found.places, int(found.table["runs_after"][0])) == (1, 40)
    assert found.table["change"][0] == pytest.approx(0.08, abs=0.005)
    assert verdict(found).level == "good"


def test_many_cores_are_no_sample_of_programs() -> None:
    found = compare(series(2, 1, 0, cores=32), series(2, 1, 1, cores=32))
    assert found.over == "programs"
    assert "Only 2 runs; 30 or more are needed." in verdict(found).why
