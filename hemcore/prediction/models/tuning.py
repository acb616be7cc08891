"""Choice of a model's settings by leave-one-program-out among the training programs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hemcore.prediction.arrays import Settings, Whole
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.catalogue import Model, model_named
from hemcore.prediction.models.fitted import AnyFitted, Copied, Together
from hemcore.prediction.models.thinning import some_of_each

_FEWEST_PROGRAMS = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Tuned:
    """A fitted model and its chosen settings."""

    model: str
    fitted: AnyFitted
    settings: Settings


def fit_models(rows: Rows, names: tuple[str, ...], form: str, settings: Mapping[str, Settings] | None = None) -> dict[str, Tuned]:
    """Each model with chosen settings (or those in `settings`), fitted on all `rows`; the members of a blend are fitted only once.

    Models that cannot be fitted to the rows (no instructions counted) are left out.
    """
    done: dict[str, Tuned] = {}
    for name in names:
        _fit(model_named(name), rows, form, done, settings or {})
    return {name: done[name] for name in names if name in done}


def chosen_settings(rows: Rows, names: tuple[str, ...], form: str) -> dict[str, Settings]:
    """The settings with which `fit_models` fits each model that can be fitted to the rows."""
    able = [model for name in names if _fits(model := model_named(name), rows)]
    return {model.name: {} if model.copies or model.blend_of else choose(model, rows, form) for model in able}


def choose(model: Model, rows: Rows, form: str) -> Settings:
    """The settings of the grid with the smallest mean over programs of the mean relative error, each program left out in turn."""
    programs = np.unique(rows.group)
    if len(model.grid) == 1 or len(programs) < _FEWEST_PROGRAMS:
        return model.grid[0]
    tried = some_of_each(rows.group)
    predicted = np.full((len(rows), len(model.grid)), np.nan)
    left_out = folds(programs, model.most_folds)
    if model.over_programs is not None:
        predicted[tried] = model.over_programs(rows, tried, form, model.grid, left_out)
    for held in left_out if model.over_programs is None else ():
        out = np.isin(rows.group, held)
        train, test = rows.take(~out), rows.take(np.flatnonzero(out & tried))
        if model.over_grid is not None:
            predicted[out & tried] = model.over_grid(train, test, form, model.grid)
        else:
            assert model.fit is not None
            predicted[out & tried] = np.column_stack([model.fit(train, form, each).predict(test) for each in model.grid])
    errors = np.abs(predicted - rows.y[:, None]) / rows.y[:, None]
    errors = np.where(np.isfinite(errors), errors, np.inf)
    by_program = np.stack([errors[(rows.group == program) & tried].mean(axis=0) for program in programs])
    return model.grid[int(by_program.mean(axis=0).argmin())]


def folds(programs: Whole, most: int) -> list[Whole]:
    """Programs that are left out together: one by one up to `most` programs, otherwise in `most` interleaved groups."""
    n = min(len(programs), most)
    return [programs[start::n] for start in range(n)]


def _fit(model: Model, rows: Rows, form: str, done: dict[str, Tuned], known: Mapping[str, Settings]) -> Tuned | None:
    if model.name in done:
        return done[model.name]
    if not _fits(model, rows):
        return None
    if model.copies:
        done[model.name] = Tuned(model=model.name, fitted=Copied(), settings={})
        return done[model.name]
    if model.blend_of:
        members = [found for name in model.blend_of if (found := _fit(model_named(name), rows, form, done, known)) is not None]
        done[model.name] = Tuned(model=model.name, fitted=Together(members=tuple(each.fitted for each in members)), settings={})
        return done[model.name]
    assert model.fit is not None
    settings = known[model.name] if model.name in known else choose(model, rows, form)
    done[model.name] = Tuned(model=model.name, fitted=model.fit(rows, form, settings), settings=settings)
    return done[model.name]


def _fits(model: Model, rows: Rows) -> bool:
    return not (model.needs_rates and rows.instructions is None) and not (model.copies and not np.isfinite(rows.copied).any())
