"""The answer over the whole range of one counter's change, and which counters matter most."""

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from hemcore.prediction.evaluate.phase_changes import FAR_PART, change_of, far_part, phase_weights
from hemcore.prediction.evaluate.scenarios import WhatIf, phases_asked
from hemcore.prediction.models.trained_models import FittedModels
from hemcore.prediction.params import PredictionParams

RANGE = (-1.0, 2.0)
_POINTS = 16
HALF = -0.5
_orders: WeakKeyDictionary[FittedModels, dict[PredictionParams, tuple[str, ...]]] = WeakKeyDictionary()


def change_curve(found: WhatIf, counter: str, shares: Sequence[float] = ()) -> pd.DataFrame:
    """The answering model's change, with the other changes as asked: at the share that is asked, the answer itself. Columns: share (of
    `counter`), change, far.

    shares: by default -100% to +200%. Empty without an answering model. Raises ParameterError as `changed_phases` does.
    """
    ready, change = found.ready, found.change
    if change is None or not change.model or ready.cloud is None:
        return pd.DataFrame({"share": [], "change": [], "far": []})
    rows, _ = phases_asked(ready, found.measured, found.phases, found.params)
    weights = phase_weights(rows, even=found.params.scope == "all programs")
    fitted = ready.models[change.model].fitted
    steps = []
    for share in shares or np.linspace(*RANGE, _POINTS).tolist():
        factors = {name: 1 + each for name, each in (change.asked | {counter: share}).items()}
        after = ready.cloud.moved(rows, factors, together=found.params.together)
        far = far_part(ready.cloud, rows, after, weights)[1] > FAR_PART
        steps.append((share, change_of(fitted, rows, after, weights), far))
    return pd.DataFrame(steps, columns=["share", "change", "far"])


def most_effect(found: WhatIf) -> pd.DataFrame:
    """What half of each counter would do, the largest effect first. Columns: counter, change, far; empty without an answering model."""
    rows = [
        (name, *change_curve(found, name, (HALF,))[["change", "far"]].iloc[0])
        for name in found.ready.example.counters
        if found.change is not None and found.change.model
    ]
    table = pd.DataFrame(rows, columns=["counter", "change", "far"])
    return table.reindex(table["change"].abs().sort_values(ascending=False, kind="stable").index).reset_index(drop=True)


def by_effect(found: WhatIf) -> tuple[str, ...]:
    """The counters, that of the largest effect first, in the same order whatever is asked of the same phases: sliders stay in place."""
    known, rest = _orders.setdefault(found.ready, {}), found.params.but(change="")
    if rest not in known:
        asked = found.change is not None and found.change.asked
        order = most_effect(replace(found, change=found.changed({})) if asked else found)["counter"]
        known[rest] = tuple(order) or found.ready.example.counters
    return known[rest]
