"""How surely r is known by the runs: Fisher's interval of independent normal counts, which a reader can check."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtrit

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError
from hemcore.planning.pilot_widths import runs_curve, widths_by_runs


def pilot(runs: int, hems: str = "AB") -> Subexperiments:
    random = np.random.default_rng(3)
    return Subexperiments(
        frames=[pd.DataFrame(np.round(1e6 + 1e4 * random.normal(size=(runs, len(hems)))), columns=list(hems))], n_pmcs=len(hems)
    )


def test_of_normal_counts_the_width_is_fishers() -> None:
    # Two HEMs that are not correlated: z is known to t / sqrt(n - 3), t of Student's 90%; r as z, where z is small.
    rows = widths_by_runs(pilot(400)).set_index("runs")
    for n in (100, 1008, 10_000):
        nearest = rows.index[np.abs(rows.index - n).argmin()]
        expected = math.tanh(stdtrit(nearest - 3, 0.95) / math.sqrt(nearest))
        assert rows.loc[nearest, "half_width"] == pytest.approx(expected, rel=0.15)


def test_four_times_the_runs_halve_the_width() -> None:
    curve = runs_curve(widths_by_runs(pilot(200, "ABCD")))
    assert curve.at(4_000) == pytest.approx(curve.at(1_000) / 2, rel=0.02)


def test_beyond_the_pilot_it_is_an_extrapolation() -> None:
    curve = runs_curve(widths_by_runs(pilot(120)))
    assert (curve.extrapolated(120), curve.extrapolated(121)) == (False, True)
    assert curve.sentence(500, 350).startswith("Extrapolated beyond the pilot's 120 runs. Runs per subexperiment 350 (default) → 500: ")


def test_a_pilot_of_few_runs_says_so() -> None:
    with pytest.raises(ParameterError, match="10 runs"):
        widths_by_runs(pilot(9))
