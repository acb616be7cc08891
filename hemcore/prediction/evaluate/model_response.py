"""How models respond to a counter that changes alone: whether they move at all, and whether in the direction that its cost demands."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from hemcore.errors import ParameterError
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.event_groups import costs_time, is_time
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted, Local, Together

# The factors tried, the phases they are tried on (fewer for models that are fitted anew at every point), and what counts as a move.
_FACTORS = (0.5, 2.0)
_PHASES, _SLOW_PHASES = 60, 12
_STILL = 1e-9
# Share of phases in which a sound model may go the wrong way by more than a thousandth: what rounding in a local fit does.
_FEW, _WRONG = 0.02, 1e-3


def responses(models: Mapping[str, AnyFitted], rows: Rows, target: str) -> pd.DataFrame:
    """One row per model and counter: model, counter, moves (whether its prediction depends on it), contrary.

    contrary: the share of phases in which it predicts less time with twice the count, or more with half; NaN where the sign of the cost
    is not known.
    """
    found, work = [], instructions_of(rows.counters)
    for name, model in models.items():
        most = _SLOW_PHASES if is_slow(model) else _PHASES
        for place, counter in enumerate(rows.counters):
            counted = np.flatnonzero(rows.X[:, place] > 0)
            tried = rows.take(counted[np.linspace(0, len(counted) - 1, min(len(counted), most)).astype(np.int64)])
            # More instructions among as many misses are also further apart: judged where they are asked for.
            known = is_time(target) and costs_time(counter) and counter != work
            moves, contrary = _tried(model, tried, place) if len(tried) else (False, 0.0)
            found.append((name, counter, moves, contrary if known else np.nan))
    return pd.DataFrame(found, columns=["model", "counter", "moves", "contrary"])


def is_slow(model: AnyFitted) -> bool:
    """Whether the model is fitted anew for every phase that it predicts."""
    return isinstance(model, Local) or (isinstance(model, Together) and any(is_slow(each) for each in model.members))


def sound_models(response: pd.DataFrame) -> list[str]:
    """The models that never predict less time with more of an event that costs time."""
    worst = response.groupby("model", sort=False)["contrary"].max()
    return [str(name) for name, share in worst.items() if not share > _FEW]


def _tried(model: AnyFitted, rows: Rows, place: int) -> tuple[bool, float]:
    steps: list[Floats] = []
    for factor in _FACTORS:
        X = rows.X.copy()
        X[:, place] *= factor
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                steps.append(np.log(model.predict(rows.with_counts(X)) / model.predict(rows)))
        except ParameterError:  # counts per instruction, without instructions
            return False, np.nan
    fewer, more = steps
    # A prediction of 0 or less, whose logarithm is not finite, is wrong in its own way.
    wrong = ~(fewer <= _WRONG) | ~(more >= -_WRONG)
    moves = bool((np.nan_to_num(np.abs(steps)) > _STILL).any()) or not np.isfinite(fewer).any()
    return moves, float(wrong.mean())
