"""The answer over the whole range of one counter's change, and which counters matter most."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.prediction.evaluate.phase_changes import FAR_PART, change_by, far_part, phase_weights
from hemcore.prediction.evaluate.scenarios import WhatIf, phases_asked

RANGE = (-1.0, 2.0)
_POINTS = 16
_MOST_PHASES = 40
HALF = -0.5


def change_curve(found: WhatIf, counter: str, shares: Sequence[float] = ()) -> pd.DataFrame:
    """The answering model's change, with the other changes as asked. Columns: share (of `counter`), change, far.

    shares: by default -100% to +200%. Empty without an answering model. Raises ParameterError as `changed_phases` does.
    """
    ready, change = found.ready, found.change
    if change is None or not change.model or ready.cloud is None:
        return pd.DataFrame({"share": [], "change": [], "far": []})
    rows, _ = phases_asked(ready, found.measured, found.phases, found.params)
    weights = phase_weights(rows, even=found.params.scope == "all programs")
    places = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _MOST_PHASES)).astype(np.int64))
    rows, weights = rows.take(places), weights[places] / weights[places].sum()
    fitted = ready.models[change.model].fitted
    steps = []
    for share in shares or np.linspace(*RANGE, _POINTS).tolist():
        factors = {name: 1 + each for name, each in (change.asked | {counter: share}).items()}
        after = ready.cloud.moved(rows, factors, together=found.params.together)
        far = far_part(ready.cloud, rows, after, weights)[1] > FAR_PART
        steps.append((share, change_by(fitted, rows, after, weights), far))
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
