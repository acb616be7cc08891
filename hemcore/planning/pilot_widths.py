"""How surely correlations will be known with more or fewer runs per subexperiment, from the spread of pilot readings."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError
from hemcore.planning.params import PlanParams
from hemcore.rank_correlation import Correlated, of_ranks
from hemcore.slider_curve import SliderCurve, points

LEVEL = 0.90
FEWEST, MOST = 10, 10_000
_FEWEST_PILOT = 10
_MOST_RUNS = 2_000


def widths_by_runs(pilot: Subexperiments) -> pd.DataFrame:
    """The half-width of the 90% interval of r, if each subexperiment had that many runs: one row per number of runs, 10 to 10,000.

    Columns: runs; half_width, low, high: median, lower and upper quartile over the pairs read together; pilot_runs: runs of the median
    subexperiment, beyond which nothing is known but the square root law; pairs. Standard errors of Fisher's z of normal scores, as
    `rank_correlation.of_ranks` estimates them, times sqrt(pilot runs / runs). Raises ParameterError if no two HEMs were read together in
    10 runs.
    """
    found, sizes, pairs = [], [], 0
    runs = points(FEWEST, MOST, log=True, whole=True)
    for frame in pilot.frames:
        counts = frame.dropna().to_numpy(dtype=float)[:_MOST_RUNS]
        if len(counts) < _FEWEST_PILOT or counts.shape[1] < 2:
            continue
        sizes.append(len(counts))
        known = of_ranks(counts)
        upper = np.triu_indices(len(known.r), 1)
        r, error, freedom = (each[upper] for each in (known.r, known.error, known.freedom))
        kept = np.isfinite(r) & (np.abs(r) < 1) & np.isfinite(error)
        pairs += int(kept.sum())
        for number in runs:
            # Degrees of freedom grow with the runs, as the error shrinks.
            scale = len(counts) / number
            then = Correlated(r=r[kept], error=error[kept] * np.sqrt(scale), freedom=np.maximum(freedom[kept] / scale, 2.0))
            low, high = then.ends(LEVEL)
            found.append(pd.DataFrame({"runs": number, "half": (high - low) / 2}))
    if not pairs:
        raise ParameterError("pilot: no two of its HEMs were read together in 10 runs. Choose other readings.")
    halves = pd.concat(found, ignore_index=True).groupby("runs")["half"]
    rows = pd.DataFrame({"half_width": halves.median(), "low": halves.quantile(0.25), "high": halves.quantile(0.75)}).reset_index()
    return rows.assign(pilot_runs=int(np.median(sizes)), pairs=pairs)


def runs_curve(rows: pd.DataFrame) -> SliderCurve:
    """`widths_by_runs` as the curve of the runs per subexperiment."""
    pilot = int(rows["pilot_runs"].iloc[0])
    return SliderCurve(
        field="runs",
        label=str(PlanParams.model_fields["runs"].title),
        answer="r known to ±",
        x=rows["runs"].to_numpy(dtype=float),
        y=rows["half_width"].to_numpy(dtype=float),
        low=rows["low"].to_numpy(dtype=float),
        high=rows["high"].to_numpy(dtype=float),
        form=".2g",
        log=True,
        known_to=pilot,
        because=f"the pilot's {pilot:,} runs",
    )
