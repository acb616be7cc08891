"""Trained models, with the error of each on unseen programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats, Settings, Whole
from hemcore.prediction.evaluate.by_program import apart, settings_text
from hemcore.prediction.evaluate.change_errors import ChangeErrors, Sizes, step_sizes
from hemcore.prediction.evaluate.counter_cloud import Cloud, cloud, counters_of
from hemcore.prediction.evaluate.model_response import responses
from hemcore.prediction.evaluate.training_distance import Reach, reach
from hemcore.prediction.model_rows import Rows, Selection, select
from hemcore.prediction.models.catalogue import model_named
from hemcore.prediction.models.errors_left_out import ModelsWithout, left_out, usual
from hemcore.prediction.models.fitted import AnyFitted, Curves, Linear
from hemcore.prediction.models.thinning import some_of_each
from hemcore.prediction.models.tuning import Tuned, chosen_settings, fit_models, folds
from hemcore.prediction.params import DEFAULT_MODELS, SIGNED_MODELS, PredictionParams

EVERYTHING = "none"
# Parts of the work: models without some of the programs (0 to 7), of all, both (where settings are chosen by many fits); and no model.
_FOLDS = _OF_ALL = 8
_BOTH, _NO_MODEL = 9, 10


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedModels:
    """Models of one target, trained on every program except params.held_out ("none": on all).

    models: by name. off: by name, quantiles of the errors on each program left out, relative to the prediction, shape (programs, steps).
    reach: the training phases, for distances. scores: by name, the mean relative error on programs left out. example: the rows of the
    held-out program, or of all programs: where a what-if starts.
    cloud: all phases measured, those of the held-out program included; None in older files, and empty then are also: response (as
    `responses`), refits (by name, the model without one eighth of the programs, for models that are small), change_errors (by name, how
    wrong it is about changes) and independent (by name, the independent errors behind scores).
    """

    models: dict[str, Tuned]
    off: dict[str, Floats]
    scores: dict[str, float]
    reach: Reach
    example: Rows
    target: str
    programs: tuple[str, ...]
    notes: tuple[str, ...]
    params: PredictionParams
    cloud: Cloud | None = None
    response: pd.DataFrame | None = None
    refits: dict[str, tuple[AnyFitted, ...]] = field(default_factory=dict)
    change_errors: dict[str, ChangeErrors] = field(default_factory=dict)
    independent: dict[str, int] = field(default_factory=dict)

    def answer(self, rows: Rows, *, promised: float = 0.8) -> pd.DataFrame:
        """Each model's prediction of each row. Columns: row, model, predicted, low, high (an interval for the promised share of unseen
        programs), distance (to the nearest training phase), far_from (the distance from which a phase is far), far.

        NaN from a model of counts per instruction for rows without instructions.
        """
        distance = self.reach.of(rows)
        parts = []
        for name, model in self.models.items():
            predicted, low, high = with_interval(model.fitted, rows, self.off[name], promised)
            parts.append(
                pd.DataFrame(
                    {
                        "row": np.arange(len(rows)),
                        "model": name,
                        "predicted": predicted,
                        "low": low,
                        "high": high,
                        "distance": distance,
                        "far_from": self.reach.far,
                        "far": distance > self.reach.far,
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    @property
    def summary(self) -> pd.DataFrame:
        """One row per model: model, mape (on programs left out, as a fraction; NaN if none could be left out), settings as text."""
        rows = [(name, self.scores[name], settings_text(each.settings)) for name, each in self.models.items()]
        return pd.DataFrame(rows, columns=["model", "mape", "settings"]).sort_values("mape", kind="stable", ignore_index=True)

    def changed(self, row: int, counts: Mapping[str, float]) -> Rows:
        """The example's `row` with these counts instead of its own. Raises ParameterError for a counter that no model uses."""
        one = self.example.take(np.array([row]))
        X = one.X.copy()
        for name, value in counts.items():
            if name not in one.counters:
                raise ParameterError(f"What if: {name!r} is not used by the models. Choose one of {', '.join(one.counters)}.")
            if not (np.isfinite(value) and value >= 0):
                raise ParameterError(f"What if: {name} {value!r} must be a finite number of at least 0.")
            X[0, one.counters.index(name)] = value
        return replace(one, X=X)


def with_interval(fitted: AnyFitted, rows: Rows, off: Floats, promised: float) -> tuple[Floats, Floats, Floats]:
    """(predicted, low, high) of each row; NaN where it cannot be predicted. off: one model's entry of FittedModels.off."""
    try:
        predicted = fitted.predict(rows)
    except ParameterError:  # counts per instruction, without instructions
        predicted = np.full(len(rows), np.nan)
    # A program is one observation: of k programs, promised (k + 1).
    programs = len(off)
    reached = float(np.quantile(off, min(1.0, promised * (programs + 1) / programs)))
    return predicted, np.maximum(predicted * (1 - reached), 0.0), predicted * (1 + reached)


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedPart:
    """One of `training_parts`. without: the models without some programs. models, response, sizes: those of all programs, if they are its
    own; sizes: `step_sizes` of `usual` rows. cloud, reach: of the last part alone."""

    without: tuple[ModelsWithout, ...]
    models: dict[str, Tuned]
    response: pd.DataFrame | None
    cloud: Cloud | None
    reach: Reach | None
    sizes: dict[str, Sizes] = field(default_factory=dict)


def fitted_models(table: PhaseTable, params: PredictionParams | None = None) -> FittedModels:
    """The models of params without copies of another load, and SIGNED_MODELS where they are the default.

    Raises ParameterError as `evaluate_models` does.
    """
    params = params if params is not None else PredictionParams()
    return gathered_models(table, params, [trained_part(table, each) for each in training_parts(table, params)])


def training_parts(table: PhaseTable, params: PredictionParams) -> list[PredictionParams]:
    """The parameters of each part, the longest first; models whose settings are chosen by many fits are a part each."""
    names = _names(params)
    alone = [name for name in names if (model := model_named(name)).over_programs is None and len(model.grid) > 1]
    together = "; ".join(name for name in names if name not in alone)
    parts = [params.but(models=name, part=_BOTH) for name in alone]
    if together:
        first, *others = [params.but(models=together, part=part) for part in (_OF_ALL, *range(_FOLDS))]
        parts = [first, *parts, *others]
    return [*parts, params.but(models="", part=_NO_MODEL)]


def trained_part(table: PhaseTable, params: PredictionParams, progress: Progress | None = None) -> TrainedPart:
    """One of `training_parts`, with the settings chosen on all programs; nothing without if there are too few programs. Raises as
    `fitted_models` does."""
    selection, train, _ = _rows(table, params.but(models="", part=0))
    if params.part == _NO_MODEL:
        every = train if selection.test is selection.train else _joined(train, selection.test)
        return TrainedPart(without=(), models={}, response=None, cloud=cloud(every, _parts(train)), reach=reach(train))
    settings = _settings(table, params.but(part=0))
    judged = usual(train)
    gone = [held for part, held in enumerate(_parts(train)) if params.part in (part, _BOTH)]
    models = fit_models(train, tuple(settings), params.form, settings) if params.part in (_OF_ALL, _BOTH) else {}
    return TrainedPart(
        without=tuple(_without(train, held, settings, params.form) for held in gone),
        models=models,
        response=responses({name: each.fitted for name, each in models.items()}, train, selection.chosen.target) if models else None,
        cloud=None,
        reach=None,
        sizes={
            name: step_sizes(counters_of(train), judged, each.fitted) for name, each in models.items() if len(np.unique(judged.group)) > 1
        },
    )


def _without(train: Rows, held: Whole, settings: dict[str, Settings], form: str) -> ModelsWithout:
    out = np.isin(train.group, held)
    own = np.flatnonzero(out & some_of_each(train.group))
    again = fit_models(train.take(~out), tuple(settings), form, settings)
    return ModelsWithout(
        rows=own,
        predicted={name: each.fitted.predict(train.take(own)) for name, each in again.items()},
        refits={name: each.fitted for name, each in again.items() if isinstance(each.fitted, Linear | Curves)},
    )


def gathered_models(table: PhaseTable, params: PredictionParams, found: Sequence[TrainedPart]) -> FittedModels:
    """The models of all programs, judged by what those without some of them predict. Raises ParameterError if none could be fitted."""
    selection, train, example = _rows(table, params.but(models="", part=0))
    of_all = {name: model for each in found for name, model in each.models.items()}
    models = {name: of_all[name] for name in _names(params) if name in of_all}
    if not models:
        raise ParameterError(f"Models: none of {', '.join(params.model_names)} can be fitted to these counters. Choose other models.")
    response = pd.concat([each.response for each in found if each.response is not None])
    phases, reached = found[-1].cloud, found[-1].reach
    assert phases is not None
    assert reached is not None
    sizes = {name: each for part in found for name, each in part.sizes.items()}
    left = left_out(train, models, [each for part in found for each in part.without], phases, sizes)
    return FittedModels(
        models=models,
        off={name: each.off for name, each in left.items()},
        scores={name: each.score for name, each in left.items()},
        reach=reached,
        example=example,
        target=selection.chosen.target,
        programs=tuple(train.groups[code] for code in np.unique(train.group)),
        notes=selection.notes,
        params=params,
        cloud=phases,
        response=response.sort_values("model", key=lambda names: names.map(list(models).index), kind="stable", ignore_index=True),
        refits={name: each.refits for name, each in left.items() if each.refits},
        change_errors={name: each.changes for name, each in left.items() if each.changes is not None},
        independent={name: each.independent for name, each in left.items()},
    )


def _names(params: PredictionParams) -> tuple[str, ...]:
    # Who chose models has those; otherwise the ones whose costs have the right sign are there.
    usual_ones, chosen = ([name for name in names if not name.startswith("copy")] for names in (DEFAULT_MODELS, params.model_names))
    return tuple(dict.fromkeys((*chosen, *(SIGNED_MODELS if set(usual_ones) <= set(chosen) else ()))))


# Both for all parts that a process does.
@lru_cache(maxsize=1)
def _rows(table: PhaseTable, params: PredictionParams) -> tuple[Selection, Rows, Rows]:
    """(what is selected, the rows trained on, the example)."""
    selection = select(table, params)
    return selection, *((selection.train, selection.test) if params.held_out == EVERYTHING else apart(selection, params))


@lru_cache(maxsize=2)
def _settings(table: PhaseTable, params: PredictionParams) -> dict[str, Settings]:
    """Of params.models, those that can be fitted, chosen on all programs."""
    return chosen_settings(_rows(table, params.but(models="", part=0))[1], params.model_names, params.form)


def _parts(train: Rows) -> list[Whole]:
    """The programs that are left out together, eight parts at most; none if there is only one program."""
    programs = np.unique(train.group)
    return folds(programs, _FOLDS) if len(programs) > 1 else []


def _joined(one: Rows, other: Rows) -> Rows:
    """The rows of both, which have the same groups and counters."""
    arrays = [each.name for each in fields(one) if isinstance(getattr(one, each.name), np.ndarray)]
    both: dict[str, Any] = {name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in arrays}
    return replace(one, **both)
