"""The leak made visible: the score with shuffled rows beside the one by program.

Phases of one program are much alike. Where some of them are learnt from and others predicted, a model that remembers looks as if it knew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.catalogue import model_named
from hemcore.prediction.models.tuning import folds
from hemcore.prediction.params import PredictionParams

# Models without settings, so that nothing but the way of leaving rows out differs.
LEAK_MODELS = ("kNN10", "boosting", "RelativeNnls")
# As many parts both ways, so that as much is learnt from.
_FOLDS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Leak:
    """scores: one row a model: shuffled and by_program, the mean over programs of the mean relative error, as shares."""

    scores: pd.DataFrame
    notes: tuple[str, ...]
    params: PredictionParams

    @property
    def sentence(self) -> str:
        """Why the score with shuffled rows is not to be believed."""
        worst = self.scores.iloc[int((self.scores["by_program"] / self.scores["shuffled"].clip(lower=1e-12)).to_numpy().argmax())]
        return (
            f"With rows shuffled, {worst['model']} is off by {worst['shuffled'] * 100:.1f} %, for a program nobody has seen by "
            f"{worst['by_program'] * 100:.1f} %: shuffled, other phases of the same program have told it the answer."
        )


def leak(table: PhaseTable, params: PredictionParams | None = None, progress: Progress | None = None) -> Leak:
    """Each of LEAK_MODELS that the counters allow, scored both ways. Raises ParameterError as `evaluate_models` does."""
    params = params if params is not None else PredictionParams()
    selection = select(table, params)
    rows = selection.train
    programs = np.unique(rows.group)
    if len(programs) < 2:
        raise ParameterError(f"Phases: {rows.groups[int(programs[0])]!r} is the only {selection.chosen.group}; read at least 2.")
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
    """The mean over programs of the mean relative error, the rows of each part predicted by the others."""
    model = model_named(name)
    assert model.fit is not None
    predicted: Floats = np.empty(len(rows))
    for part in held:
        out = np.zeros(len(rows), dtype=bool)
        out[part] = True
        predicted[part] = model.fit(rows.take(~out), form, dict(model.grid[0])).predict(rows.take(part))
    errors = np.abs(predicted - rows.y) / rows.y
    return float(np.mean([errors[rows.group == code].mean() for code in np.unique(rows.group)]))
