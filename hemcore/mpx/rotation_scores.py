"""Accuracy against slots per count, with how much it depends on where the rotation of the event groups begins."""

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.estimators import ESTIMATORS, settled
from hemcore.mpx.params import MpxParams
from hemcore.mpx.prepared import named, prepare
from hemcore.mpx.scoring import filled, mean_ra
from hemcore.slider_curve import SliderCurve

TRIED = (2, 3, 4, 5, 6, 8, 10, 13, 16)
"""The slots per count at which scores are taken."""
_ROTATIONS = 3


def can_rotate(table: CounterSeries, params: MpxParams) -> bool:
    """Whether other k can be scored: of counts that are known in every slot, by an untrained estimator."""
    return len(table.events) > 2 and (table.mode == "OCOE" or table.truth is not None) and params.method in ESTIMATORS


def rotations(table: CounterSeries, params: MpxParams, progress: Progress | None = None) -> pd.DataFrame:
    """Scores of params.method at several k up to 16, with up to 3 places where the rotation begins, evenly spread over the k groups.

    Columns: slots_per_count, ra (mean over the places), low, high (the lowest and highest place), places. NaN where nothing is scored.
    "By event" chooses at the first place, for all places of a k.
    Raises ParameterError if other k cannot be scored, and as `prepare` does.
    """
    asked = named(table, params)
    if not can_rotate(table, asked):
        raise ParameterError("series: other k cannot be scored. Choose an OCOE series of several events, and an untrained estimator.")
    ks = [k for k in TRIED if k <= len(table.events)]
    found: list[tuple[int, float, float, float, int]] = []
    for k in ks:
        if progress is not None:
            progress(len(found) / len(ks), f"1 slot in {k}")
        starts = np.unique(np.arange(_ROTATIONS) * k // _ROTATIONS)
        parts = [prepare(table, asked.but(slots_per_count=k, start=int(start))) for start in starts]
        estimator = settled(str(params.method), parts[0].sampled)
        scores = [mean_ra(each, filled(each, table, estimator), clamp=asked.clamp) for each in parts]
        known = [each for each in scores if np.isfinite(each)] or [np.nan]
        found.append((k, float(np.mean(known)), min(known), max(known), len(starts)))
    return pd.DataFrame(found, columns=["slots_per_count", "ra", "low", "high", "places"])


def rotation_curve(rows: pd.DataFrame, method: str) -> SliderCurve:
    """`rotations` as the curve of the slots per count; method: the estimator's title."""
    k, ra, low, high = (rows[name].to_numpy(dtype=float) for name in ("slots_per_count", "ra", "low", "high"))
    return SliderCurve(
        field="slots_per_count", label="Slots per count", answer=f"RA by {method}", x=k, y=ra, low=low, high=high, form=".1%"
    )


ROTATIONS: Analysis[CounterSeries, MpxParams, pd.DataFrame] = Analysis(
    name="mpx.rotations",
    title="accuracy by slots per count and rotation",
    params=MpxParams,
    reads=("application", "model", "method", "tail", "tail_share", "tail_steps", "min_share", "most_runs", "clamp"),
    added=("model",),  # without it a trained method is none; `rotations` then says that it needs an untrained one
    compute=rotations,
)
