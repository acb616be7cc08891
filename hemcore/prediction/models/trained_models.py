"""Trained models, with the error of each on unseen programs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats
from hemcore.prediction.evaluate.by_program import apart, settings_text
from hemcore.prediction.evaluate.jackknife import errors_at_steps
from hemcore.prediction.evaluate.training_distance import Reach, reach
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.fitted import AnyFitted
from hemcore.prediction.models.tuning import Tuned, fit_models, folds, some_of_each
from hemcore.prediction.params import PredictionParams

EVERYTHING = "none"


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedModels:
    """Models of one target, trained on every program except params.held_out ("none": on all).

    models: by name. off: by name, quantiles of the errors on each program left out, relative to the prediction, shape (programs, steps).
    reach: the training phases, for distances. scores: by name, the mean relative error on programs left out. example: the rows of the
    held-out program, or of all programs: where a what-if starts.
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


def fitted_models(table: PhaseTable, params: PredictionParams | None = None, progress: Progress | None = None) -> FittedModels:
    """The models of params, without copies of another load. Raises ParameterError as `evaluate_models` does."""
    params = params if params is not None else PredictionParams()
    selection = select(table, params)
    train, example = (selection.train, selection.test) if params.held_out == EVERYTHING else apart(selection, params)
    names = tuple(name for name in params.model_names if not name.startswith("copy"))
    models = fit_models(train, names, params.form)
    if not models:
        raise ParameterError(f"Models: none of {', '.join(params.model_names)} can be fitted to these counters. Choose other models.")
    off = _left_out(train, models, params, progress)
    return FittedModels(
        models=models,
        off={name: errors for name, (errors, _) in off.items()},
        scores={name: score for name, (_, score) in off.items()},
        reach=reach(train),
        example=example,
        target=selection.chosen.target,
        programs=tuple(train.groups[code] for code in np.unique(train.group)),
        notes=selection.notes,
        params=params,
    )


def _left_out(
    train: Rows, models: dict[str, Tuned], params: PredictionParams, progress: Progress | None
) -> dict[str, tuple[Floats, float]]:
    """Each model's errors on programs left out, several at a time, with the settings chosen on all of them."""
    programs = np.unique(train.group)
    if len(programs) < 2:
        return {name: (np.zeros((1, 1)), float("nan")) for name in models}
    tried = some_of_each(train.group)
    predicted = {name: np.full(len(train), np.nan) for name in models}
    parts = folds(programs, 8)
    for number, held in enumerate(parts):
        if progress is not None:
            progress(number / len(parts), f"programs left out, {number + 1} of {len(parts)}")
        out = np.isin(train.group, held)
        own = np.flatnonzero(out & tried)
        again = fit_models(train.take(~out), tuple(models), params.form, {name: each.settings for name, each in models.items()})
        for name, each in again.items():
            predicted[name][own] = each.fitted.predict(train.take(own))
    found = {}
    for name, values in predicted.items():
        off = np.abs(train.y / np.maximum(values, 1e-300) - 1)
        errors = np.abs(values - train.y) / train.y
        steps = np.stack([errors_at_steps(off[(train.group == code) & tried]) for code in programs])
        found[name] = steps, float(np.mean([errors[(train.group == code) & tried].mean() for code in programs]))
    return found
