"""Leave-one-program-out evaluation: each program is predicted by models chosen and fitted on the others.

Strictly nested: no row of the predicted program is used in a fit, a scaler or a choice of settings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from hemcore.analysis import Each, Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.headline import amount
from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.evaluate.prediction_scores import MEASURED, independent_errors, program_scores, summary
from hemcore.prediction.explore.representative_phases import representatives
from hemcore.prediction.model_rows import Rows, Selection, select
from hemcore.prediction.models.catalogue import model_named
from hemcore.prediction.models.fitted import geometric_mean
from hemcore.prediction.models.tuning import Tuned, fit_models
from hemcore.prediction.params import PredictionParams

# How many phases of a program are measured in the alternative to predicting it.
MEASURED_PHASES = 5
# Models that are fitted in a moment: every program by these comes before any program by the others.
INSTANT = "OLS"
QUICK = (INSTANT, "Lasso", "Ridge", "kNN10", "copy the other load")


@dataclass(frozen=True, kw_only=True, eq=False)
class Fold:
    """One program, predicted by models that were chosen and fitted on the others.

    phases: program, granularity, load, phase, measured, and one column per model. settings: the chosen settings by model. by_measuring: the
    relative error of the program's target if MEASURED_PHASES of its phases are measured and represent the others; NaN after part 0.
    """

    phases: pd.DataFrame
    by_measuring: float
    settings: dict[str, Settings]
    notes: tuple[str, ...]
    params: PredictionParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """All programs, each predicted by models trained without it.

    phases: one row per phase (program, granularity, load, phase, measured, one column per model). programs, summary: the results of
    `program_scores` and `summary`. settings: columns granularity, load, program, model, settings (text): chosen with that program left out.
    by_measuring: the error of each program's total, in the order of the folds, if some of its phases are measured instead.
    """

    phases: pd.DataFrame
    programs: pd.DataFrame
    summary: pd.DataFrame
    settings: pd.DataFrame
    by_measuring: tuple[float, ...]
    models: tuple[str, ...]
    target: str
    notes: tuple[str, ...]
    params: PredictionParams

    @property
    def independent(self) -> int:
        """The independent errors behind the best model's mean error: of phases, or only of programs (`independent_errors`)."""
        of = self._of_best
        errors = of[self.best["model"]].to_numpy(dtype=float) / of[MEASURED].to_numpy(dtype=float) - 1
        return independent_errors(errors, of["program"].to_numpy())

    @property
    def control(self) -> float:
        """The mean relative error per phase, over programs, of predicting the mean of the other programs' phases; NaN with one program."""
        of = self._of_best
        measured, programs = of[MEASURED].astype(float), of["program"]
        own = measured.groupby(programs, sort=False)
        others = (measured.sum() - own.transform("sum")) / (len(of) - own.transform("size"))
        return float((others / measured - 1).abs().groupby(programs, sort=False).mean().mean())

    @property
    def _of_best(self) -> pd.DataFrame:
        best = self.best
        return self.phases[(self.phases["granularity"] == best["granularity"]) & (self.phases["load"] == best["load"])]

    @property
    def trained(self) -> tuple[str, ...]:
        """The models that are trained: all except copies of another load."""
        return tuple(name for name in self.models if not name.startswith("copy"))

    @property
    def best(self) -> pd.Series:
        """The row of `summary` for the model with the smallest mean error, without copies."""
        own = self.summary[self.summary["model"].isin(self.trained)]
        return own.iloc[int(own["mape_mean"].to_numpy().argmin())]


def evaluate_models(
    table: PhaseTable,
    target: str = "",
    models: Sequence[str] | None = None,
    *,
    group: str = "program",
    params: PredictionParams | None = None,
    each: Each = map,
) -> Evaluation:
    """Predict every program by models trained on the others. target, models and group replace those of `params` if given.

    group: a column; rows with the same value are never split across folds ("domain"). each: applies a function to the programs, such as
    `map` or an executor's. Raises ParameterError for names that are not in the table, no remaining row, or fewer than two programs.
    """
    params = params if params is not None else PredictionParams()
    changed = params.but(
        target=target or params.target,
        models="; ".join(models) if models is not None else params.models,
        group=group if group != "program" else params.group,
    )
    pieces = programs_to_hold_out(table, changed)
    return gathered(table, changed, list(each(partial(fold, table), pieces)))


def programs_to_hold_out(table: PhaseTable, params: PredictionParams) -> list[PredictionParams]:
    """The parameters of each fold of an evaluation. Raises ParameterError as `evaluate_models` does."""
    selection = select(table, params)
    rows = selection.test
    programs = [rows.groups[code] for code in np.unique(rows.group)]
    trained_on = np.unique(selection.train.group)
    if len(programs) < 2 and len(trained_on) < 2:
        only = f"{programs[0]!r} is the only {selection.chosen.group}"
        raise ParameterError(f"Phases: {only}. Add at least one more, to train on one and predict the other.")
    return [params.but(held_out=name) for name in programs]


def folds_in_turn(table: PhaseTable, params: PredictionParams) -> list[PredictionParams]:
    """The parameters of each part of an evaluation: every program by the quickest models first. Raises as `programs_to_hold_out` does."""
    turns = [tuple(name for name in params.model_names if (name in QUICK) == quick) for quick in (True, False)]
    pieces = programs_to_hold_out(table, params)
    if not all(turns):
        return pieces
    return [piece.but(models="; ".join(names), part=turn) for turn, names in enumerate(turns) for piece in pieces]


def first_folds(table: PhaseTable, params: PredictionParams) -> list[Fold]:
    """Every program by the quickest model alone, in a fraction of a second; empty without that model. Raises as `evaluate_models`."""
    if INSTANT not in params.model_names:
        return []
    # Not part 0, which also measures some phases.
    return [fold(table, piece.but(models=INSTANT, part=1)) for piece in programs_to_hold_out(table, params)]


def fold(table: PhaseTable, params: PredictionParams, progress: Progress | None = None) -> Fold:
    """params.held_out, predicted by the others. Raises ParameterError as `evaluate_models` does."""
    selection = _selection(table, params.but(held_out="", models="", part=0))
    train, test = apart(selection, params)
    found = fit_models(train, params.model_names, params.form)
    return Fold(
        phases=predictions(table, selection, test, found),
        by_measuring=_by_measuring(table, selection, test) if params.part == 0 else float("nan"),
        settings={name: each.settings for name, each in found.items()},
        notes=selection.notes,
        params=params,
    )


@lru_cache(maxsize=1)  # for all folds that a process does
def _selection(table: PhaseTable, params: PredictionParams) -> Selection:
    return select(table, params)


def apart(selection: Selection, params: PredictionParams) -> tuple[Rows, Rows]:
    """(training rows, without params.held_out or else the first program; the rows of that program to predict)."""
    train, test = selection.train, selection.test
    name = params.held_out or test.groups[int(test.group[0])]
    if name not in test.groups:
        raise ParameterError(f"Held-out program: {name!r} has no phases here. Choose another program.")
    code = test.groups.index(name)
    training, own = train.take(train.group != code), test.take(test.group == code)
    if not len(own):
        raise ParameterError(f"Held-out program: {name!r} has no phases at this granularity and load. Choose another program.")
    if not len(training):
        raise ParameterError(
            f"Phases: {name!r} is the only {selection.chosen.group}, so there is nothing to train on. Add at least one more."
        )
    return training, own


def predictions(table: PhaseTable, selection: Selection, rows: Rows, models: dict[str, Tuned]) -> pd.DataFrame:
    """Columns program, granularity, load, phase and measured of `rows`, and each model's prediction."""
    found: dict[str, Floats] = {}
    for name, each in models.items():
        members = model_named(name).blend_of
        # A blend's members were asked already, if they are there too.
        there = bool(members) and set(members) <= set(found)
        found[name] = geometric_mean([found[member] for member in members]) if there else each.fitted.predict(rows)
    return keys_and_target(table, selection, rows).assign(**found)


def keys_and_target(table: PhaseTable, selection: Selection, rows: Rows) -> pd.DataFrame:
    """Columns program (or the group that is held out), granularity, load, phase and measured of `rows`."""
    keys = table.frame.loc[rows.place, ["program", "granularity", "load", "phase"]].reset_index(drop=True)
    if selection.chosen.group != "program":
        keys["program"] = [rows.groups[code] for code in rows.group]
    return keys.assign(**{MEASURED: rows.y})


def gathered(table: PhaseTable, params: PredictionParams, folds: Sequence[Fold]) -> Evaluation:
    """The folds of all programs as one evaluation. Raises ParameterError if no model, or only copies, could be fitted."""
    folds = _joined(folds)
    models = tuple(name for name in params.model_names if all(name in each.phases.columns for each in folds))
    if not models:
        raise ParameterError(f"Models: none of {', '.join(params.model_names)} can be fitted to these counters. Choose other models.")
    if all(model_named(name).copies for name in models):
        raise ParameterError("Models: only copies of another load are left, which are not predictions. Choose at least one other model.")
    phases = pd.concat([each.phases for each in folds], ignore_index=True)[["program", "granularity", "load", "phase", MEASURED, *models]]
    programs = program_scores(phases, models)
    settings = [
        {"program": each.phases["program"].iloc[0], "granularity": each.phases["granularity"].iloc[0], "load": each.phases["load"].iloc[0],
         "model": name, "settings": settings_text(chosen)}
        for each in folds
        for name, chosen in each.settings.items()
    ]  # fmt: skip
    dropped = [name for name in params.model_names if name not in models]
    notes = [*dict.fromkeys(note for each in folds for note in each.notes)]
    if dropped:
        notes.append(f"Not fitted, because instructions were not counted or there is no other load: {', '.join(dropped)}.")
    return Evaluation(
        phases=phases,
        programs=programs,
        summary=summary(programs),
        settings=pd.DataFrame(settings),
        by_measuring=tuple(each.by_measuring for each in folds),
        models=models,
        target=select(table, folds[0].params).chosen.target,
        notes=tuple(notes),
        params=params,
    )


def _joined(folds: Sequence[Fold]) -> list[Fold]:
    """One fold per program, granularity and load, with the models of all folds of it."""
    found: dict[PredictionParams, Fold] = {}
    for each in folds:
        key = each.params.but(models="", part=0)
        if key not in found:
            found[key] = each
        else:
            first = found[key]
            new = each.phases.drop(columns=[name for name in each.phases.columns if name in first.phases.columns])
            found[key] = replace(first, phases=pd.concat([first.phases, new], axis=1), settings=first.settings | each.settings)
    return list(found.values())


def scores_so_far(pieces: Sequence[PredictionParams], folds: Sequence[Fold | None], first: Sequence[Fold] = ()) -> pd.DataFrame:
    """One row per model while its folds come in: model, programs ("3 of 32"), mape_mean and whole_mean over these.

    pieces: the parameters of all folds; folds: those done, None for the others; first: `first_folds`, which replace those of their model.
    """
    rows: list[dict[str, object]] = []
    for name in dict.fromkeys(name for piece in pieces for name in piece.model_names):
        own: list[Fold | None] = [fold for fold in first if name in fold.phases]
        own = own or [fold for piece, fold in zip(pieces, folds, strict=True) if name in piece.model_names]
        done = [fold.phases[[MEASURED, name]].to_numpy(dtype=float) for fold in own if fold is not None and name in fold.phases]
        errors = [np.abs(each[:, 1] / each[:, 0] - 1).mean() for each in done]
        whole = [abs(each[:, 1].sum() / each[:, 0].sum() - 1) for each in done]
        rows.append(
            {
                "model": name,
                "programs": f"{len(done)} of {len(own)}",
                "mape_mean": float(np.mean(errors)) if errors else np.nan,
                "whole_mean": float(np.mean(whole)) if whole else np.nan,
            }
        )
    return pd.DataFrame(rows)


def _by_measuring(table: PhaseTable, selection: Selection, rows: Rows) -> float:
    phases = table.frame.loc[rows.place]
    weights = representatives(phases, min(MEASURED_PHASES, len(phases)), counters=rows.counters)
    target = phases[selection.chosen.target].astype(float)
    return abs(float((weights * target.loc[weights.index]).sum() / target.sum()) - 1)


def settings_text(settings: Settings) -> str:
    """Settings as text, such as "1,000 neighbors, penalty 0.0001, coefficients of at least 0"."""
    parts = []
    if "n" in settings:
        parts.append(f"{settings['n']} counters")
    if "n_neighbors" in settings:
        parts.append(f"{settings['n_neighbors']} neighbors")
    if "sizes" in settings:
        parts.append(f"{', '.join(f'{size:,}' for size in settings['sizes'])} neighbors")
    if "alpha" in settings:
        parts.append(f"penalty {amount(settings['alpha'], 2)}")
    if "alphas" in settings:
        parts.append(f"penalty {', '.join(f'{amount(alpha, 2)}' for alpha in settings['alphas'])}")
    if "positive" in settings:
        parts.append("coefficients of at least 0" if settings["positive"] else "either sign")
    return ", ".join(parts)
