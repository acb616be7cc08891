"""Leakage: the error with shuffled rows against the error on programs left out.

Phases of one program are similar. If some are used for training and others are predicted, a model that memorizes them looks accurate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.headline import percent
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.model_rows import Rows, Selection, select
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


@dataclass(frozen=True, kw_only=True, eq=False)
class LeakFold:
    """Rows left out together, by their numbers, and what each model, trained on the others, predicts for them."""

    rows: Whole
    predicted: dict[str, Floats]


def leak(table: PhaseTable, params: PredictionParams | None = None) -> Leak:
    """Errors of each of LEAK_MODELS that the counters allow, both ways. Raises ParameterError as `evaluate_models` does."""
    params = params if params is not None else PredictionParams()
    return gathered_leak(table, params, [leak_fold(table, each) for each in leak_folds(table, params)])


def leak_folds(table: PhaseTable, params: PredictionParams) -> list[PredictionParams]:
    """The parameters of each fold: rows left out at random, then whole programs."""
    return [params.but(part=number) for number in range(2 * _FOLDS)]


def leak_fold(table: PhaseTable, params: PredictionParams, progress: Progress | None = None) -> LeakFold:
    """One of `leak_folds`; no rows if there are fewer rows, or programs, than folds. Raises as `leak` does."""
    rows = _trained_on(table, params.but(part=0)).train
    if params.part < _FOLDS:
        left = np.sort(np.random.default_rng(params.seed).permutation(len(rows))[params.part :: _FOLDS])
    else:
        held = folds(np.unique(rows.group), _FOLDS)[params.part - _FOLDS :][:1]
        left = np.flatnonzero(np.isin(rows.group, held[0])) if held else np.array([], dtype=np.intp)
    if not len(left):
        return LeakFold(rows=left, predicted={})
    out = np.zeros(len(rows), dtype=bool)
    out[left] = True
    predicted = {}
    for name in LEAK_MODELS:
        model = model_named(name)
        if rows.instructions is not None or not model.needs_rates:
            assert model.fit is not None
            predicted[name] = model.fit(rows.take(~out), params.form, model.grid[0]).predict(rows.take(left))
    return LeakFold(rows=left, predicted=predicted)


def gathered_leak(table: PhaseTable, params: PredictionParams, found: Sequence[LeakFold]) -> Leak:
    """The scores of both ways, from their folds."""
    selection = _trained_on(table, params)
    rows = selection.train
    scores = [
        {"model": name, "shuffled": _score(rows, name, found[:_FOLDS]), "by_program": _score(rows, name, found[_FOLDS:])}
        for name in found[0].predicted
    ]
    return Leak(scores=pd.DataFrame(scores), notes=selection.notes, params=params)


@lru_cache(maxsize=1)  # for all folds that a process does
def _trained_on(table: PhaseTable, params: PredictionParams) -> Selection:
    selection = select(table, params)
    programs = np.unique(selection.train.group)
    if len(programs) < 2:
        only = f"{selection.train.groups[int(programs[0])]!r} is the only {selection.chosen.group}"
        raise ParameterError(f"Phases: {only}. Add at least one more.")
    return selection


def _score(rows: Rows, name: str, found: Sequence[LeakFold]) -> float:
    """The mean over programs of the mean relative error, each part of the rows predicted by training on the others."""
    predicted: Floats = np.empty(len(rows))
    for each in found:
        if len(each.rows):
            predicted[each.rows] = each.predicted[name]
    errors = np.abs(predicted - rows.y) / rows.y
    return float(np.mean([errors[rows.group == code].mean() for code in np.unique(rows.group)]))
