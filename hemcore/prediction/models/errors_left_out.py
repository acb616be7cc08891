"""How wrong models are about programs that were left out of their training."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.evaluate.change_errors import ChangeErrors, Sizes, errors_of_changes, step_sizes
from hemcore.prediction.evaluate.counter_cloud import Cloud
from hemcore.prediction.evaluate.jackknife import errors_at_steps
from hemcore.prediction.evaluate.prediction_scores import independent_errors
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted, Curves, Linear
from hemcore.prediction.models.thinning import some_of_each
from hemcore.prediction.models.tuning import Tuned


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelsWithout:
    """Programs left out together: the rows tried, by their numbers, what each model, trained without the programs, predicts for them, and
    these models if they are small, by name."""

    rows: Whole
    predicted: dict[str, Floats]
    refits: dict[str, AnyFitted]


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut:
    """A model's entries of FittedModels.off, scores, refits, change_errors and independent."""

    off: Floats
    score: float
    refits: tuple[AnyFitted, ...] = ()
    changes: ChangeErrors | None = None
    independent: int = 0


def usual(train: Rows) -> Rows:
    """The rows that are tried and have a logarithm: of nearly every model, those whose errors about changes are known."""
    return train.take(some_of_each(train.group) & (train.y > 0))


def left_out(
    train: Rows, models: dict[str, Tuned], found: Sequence[ModelsWithout], phases: Cloud, sizes: dict[str, Sizes]
) -> dict[str, LeftOut]:
    """Each model's errors on programs left out, several at a time, with the settings chosen on all of them."""
    programs = np.unique(train.group)
    if len(programs) < 2:
        return {name: LeftOut(off=np.zeros((1, 1)), score=float("nan")) for name in models}
    tried, known = some_of_each(train.group), usual(train)
    left = {}
    for name in models:
        values = np.full(len(train), np.nan)
        for each in found:
            if name in each.predicted:
                values[each.rows] = each.predicted[name]
        off = np.abs(train.y / np.maximum(values, 1e-300) - 1)
        errors = (values - train.y) / train.y
        own_of = [(train.group == code) & tried for code in programs]
        left[name] = LeftOut(
            off=np.stack([errors_at_steps(off[own]) for own in own_of]),
            score=float(np.mean([np.abs(errors[own]).mean() for own in own_of])),
            refits=tuple(each.refits[name] for each in found if name in each.refits and isinstance(models[name].fitted, Linear | Curves)),
            changes=errors_of_changes(
                phases, train, _log_errors(train.y, values), partial(_sizes, phases, models[name], sizes.get(name), known)
            ),
            independent=independent_errors(errors[tried], train.group[tried]),
        )
    return left


def _sizes(phases: Cloud, model: Tuned, known: Sizes | None, usual: Rows, rows: Rows) -> Sizes:
    """step_sizes of `rows`: those `known`, where these are the `usual` rows."""
    if known is not None and np.array_equal(rows.place, usual.place):
        return known
    return step_sizes(phases, rows, model.fitted)


def _log_errors(measured: Floats, predicted: Floats) -> Floats:
    """The log of measured over predicted; NaN where either is not above 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((measured > 0) & (predicted > 0), np.log(measured / predicted), np.nan)
