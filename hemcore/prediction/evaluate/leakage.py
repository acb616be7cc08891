"""Leakage: the error with shuffled rows against the error on programs left out.

Phases of one program are similar. If some are used for training and others are predicted, a model that memorizes them looks accurate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.headline import percent
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.catalogue import model_named
from hemcore.prediction.models.tuning import folds
from hemcore.prediction.params import PredictionParams

# Models without settings, so that only the choice of the rows left out differs.
LEAK_MODELS = ("kNN10", "boosting", "cost per event")
# The same number of folds both times, so that the training sets have the same size.
_FOLDS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Leak:
    """scores: one row per model; shuffled and by_program: the mean over programs of the mean relative error, as fractions."""

    scores: pd.DataFrame
    notes: tuple[str, ...]
    params: PredictionParams

    @property
    def sentence(self) -> str:
        """Why not to trust the error with shuffled rows."""
        worst = self.scores.iloc[int((self.scores["by_program"] / self.scores["shuffled"].clip(lower=1e-12)).to_numpy().argmax())]
        return (
            f"{worst['model']} has an error of {percent(worst['shuffled'], 1)} with shuffled rows, but {percent(worst['by_program'], 1)} "
            "on unseen programs: with shuffled rows it was trained on other phases of the same program."
        )


def leak(table: PhaseTable, params: PredictionParams | None = None, progress: Progress | None = None) -> Leak:
    """Errors of each of LEAK_MODELS that the counters allow, both ways. Raises ParameterError as `evaluate_models` does."""
    params = params if params is not None else PredictionParams()
    selection = select(table, params)
    rows = selection.train
    programs = np.unique(rows.group)
    if len(programs) < 2:
        raise ParameterError(f"Phases: {rows.groups[int(programs[0])]!r} is the only {selection.chosen.group}. Add at least one more.")
    names = [name for name in LEAK_MODELS if rows.instructions is not None or not model_named(name).needs_rates]
    order = np.random.default_rng(params.seed).permutation(len(rows))
    shuffled = [np.sort(order[start::_FOLDS]) for start in range(_FOLDS) if len(order[start::_FOLDS])]
    by_program = [np.flatnonzero(np.isin(rows.group, held)) for held in folds(programs, _FOLDS)]
    found = []
    for number, name in enumerate(names):
        if progress is not None:
            progress(number / len(names), name)
        found.append(
            {
                "model": name,
                "shuffled": _score(rows, name, params.form, shuffled),
                "by_program": _score(rows, name, params.form, by_program),
            }
        )
    return Leak(scores=pd.DataFrame(found), notes=selection.notes, params=params)


def _score(rows: Rows, name: str, form: str, held: Sequence[Whole]) -> float:
    """The mean over programs of the mean relative error, each part of the rows predicted by training on the others."""
    model = model_named(name)
    assert model.fit is not None
    predicted: Floats = np.empty(len(rows))
    for part in held:
        out = np.zeros(len(rows), dtype=bool)
        out[part] = True
        predicted[part] = model.fit(rows.take(~out), form, model.grid[0]).predict(rows.take(part))
    errors = np.abs(predicted - rows.y) / rows.y
    return float(np.mean([errors[rows.group == code].mean() for code in np.unique(rows.group)]))
