"""What-if: predictions for a phase with changed counts, by models trained on the table and by saved ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import HemError, ParameterError
from hemcore.headline import percent
from hemcore.prediction.evaluate.asked_change import changes_of
from hemcore.prediction.evaluate.phase_changes import ChangeAnswer, change_by, changed_phases, phase_weights
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.model_files import KeptModel, model_kept
from hemcore.prediction.models.trained_models import FittedModels, with_interval
from hemcore.prediction.params import PredictionParams, names_of

_selected: "WeakKeyDictionary[PhaseTable, dict[PredictionParams, Rows]]" = WeakKeyDictionary()
_SELECTED_BY = ("target", "counters", "granularity", "load", "train_granularity", "train_load", "group", "most_phases")
_MOST_SELECTIONS = 4


@dataclass(frozen=True, kw_only=True)
class ErrorHere:
    """A saved model's error on the phases of a table whose target was measured.

    mape: relative error per phase, mean over programs; NaN where it cannot predict. programs: of how many. unseen: whether the model was
    trained on none of them (by their names); otherwise it was on all. promised: its error in training, on programs left out.
    """

    mape: float
    programs: int
    unseen: bool
    promised: float


@dataclass(frozen=True, kw_only=True, eq=False)
class WhatIf:
    """Models that predict a phase with changed counts.

    ready: trained on the table's programs; kept: saved models by their displayed names. measured: the table's phases with their target,
    which tell how far off a saved model is here. phases: the possible starting phases, with columns row (of ready.example), program,
    phase, measured. change: what params.change does to the phases of `subject`, as text; None without models that say how they respond.
    kept_changes: that of each saved model.
    """

    ready: FittedModels
    kept: dict[str, KeptModel]
    measured: Rows
    phases: pd.DataFrame
    notes: tuple[str, ...]
    params: PredictionParams
    change: ChangeAnswer | None = None
    subject: str = ""
    kept_changes: dict[str, float] = field(default_factory=dict)

    def changed(self, asked: Mapping[str, float]) -> ChangeAnswer:
        """The answer for another change of the same phases. Raises ParameterError as `changed_phases` does."""
        rows, _ = phases_asked(self.ready, self.measured, self.phases, self.params)
        return changed_phases(self.ready, rows, asked, together=self.params.together, even=self.params.scope == "all programs")

    @property
    def summary(self) -> pd.DataFrame:
        """As FittedModels.summary, followed by the saved models, with their error on the phases measured here."""
        here = self.kept_errors
        rows = [(name, here[name].mape, f"saved; {percent(here[name].promised, 1)} in training") for name in self.kept]
        kept = pd.DataFrame(rows, columns=["model", "mape", "settings"])
        return pd.concat([self.ready.summary, kept], ignore_index=True) if rows else self.ready.summary

    @cached_property
    def kept_errors(self) -> dict[str, ErrorHere]:
        """How far off each saved model is on the phases measured here."""
        return {name: self.error_here(model) for name, model in self.kept.items()}

    def error_here(self, model: KeptModel) -> ErrorHere:
        """How far off `model`, which must fit the counters, is on the phases measured here: the mean error of a program, as in training."""
        rows = self.measured
        try:
            predicted = model.fitted.predict(read_by(model, rows))
        except ParameterError:  # counts per instruction, without instructions
            predicted = np.full(len(rows), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(predicted - rows.y) / rows.y
        codes = [int(code) for code in np.unique(rows.group)]
        new = [code for code in codes if rows.groups[code] not in model.programs]
        errors = [float(off[rows.group == code].mean()) for code in new or codes]
        promised = model.scores.get("mape", float("nan"))
        return ErrorHere(mape=float(np.mean(errors)), programs=len(errors), unseen=bool(new), promised=promised)

    def answer(self, row: int, counts: Mapping[str, float], *, promised: float = 0.8) -> pd.DataFrame:
        """Each model's prediction of the example's `row` with these counts instead of its own; columns as FittedModels.answer.

        The distance is to each model's own training phases; NaN for a saved model without them. Raises as FittedModels.changed does.
        """
        rows = self.ready.changed(row, counts)
        found = [self.ready.answer(rows, promised=promised)]
        for name, model in self.kept.items():
            own = read_by(model, rows)
            predicted, low, high = with_interval(model.fitted, own, model.off, promised)
            distance, far = (np.full(1, np.nan), np.nan) if model.reach is None else (model.reach.of(own), model.reach.far)
            one: dict[str, object] = {"row": [0], "model": name, "predicted": predicted, "low": low, "high": high, "distance": distance}
            found.append(pd.DataFrame(one).assign(far_from=far, far=distance > far))
        return pd.concat(found, ignore_index=True)


def what_if(table: PhaseTable, params: PredictionParams, progress: Progress | None, ready: FittedModels) -> WhatIf:
    """`ready` and the saved models named by params.kept. One that is missing or needs other counters is reported in the notes."""
    kept, notes = {}, []
    for name in names_of(params.kept):
        try:
            model = model_kept(name, DatasetStore().root)
        except HemError as error:
            notes.append(str(error))
            continue
        if why := unfit(model, ready.target, ready.example.counters):
            notes.append(f"{model.name}, saved {name[:8]}, cannot be used: {why}.")
        else:
            kept[f"{model.name}, saved {name[:8]}"] = model
    example = ready.example
    phases = pd.DataFrame(
        {
            "row": np.arange(len(example)),
            "program": np.array(example.groups, dtype=object)[example.group],
            "phase": table.frame["phase"].to_numpy()[example.place],
            "measured": example.y,
        }
    )
    measured = _measured(table, params)
    rows, subject = phases_asked(ready, measured, phases, params)
    asked = changes_of(params.change, example.counters)
    even = params.scope == "all programs"
    older = ready.cloud is None
    change = None if older else changed_phases(ready, rows, asked, together=params.together, even=even)
    return WhatIf(
        ready=ready,
        kept=kept,
        measured=measured,
        phases=phases,
        notes=(*ready.notes, *notes),
        params=params,
        change=change,
        subject=subject,
        kept_changes={} if older else _kept_changes(ready, kept, rows, asked, params),
    )


def _kept_changes(
    ready: FittedModels, kept: Mapping[str, KeptModel], rows: Rows, asked: Mapping[str, float], params: PredictionParams
) -> dict[str, float]:
    assert ready.cloud is not None
    after = ready.cloud.moved(rows, {name: 1 + share for name, share in asked.items()}, together=params.together)
    weights = phase_weights(rows, even=params.scope == "all programs")
    return {name: change_by(model.fitted, read_by(model, rows), read_by(model, after), weights) for name, model in kept.items()}


def phases_asked(ready: FittedModels, measured: Rows, phases: pd.DataFrame, params: PredictionParams) -> tuple[Rows, str]:
    """The phases that params.scope means, and what they are, as text. A program or phase that is not there is the usual one."""
    if params.scope == "all programs":
        return measured, f"all {len(np.unique(measured.group))} programs"
    start = starting_phase(phases, params.start, params.start_phase)
    if params.scope == "phase":
        return ready.example.take(np.array([int(start["row"])])), f"phase {int(start['phase']):,} of {start['program']}"
    own = phases.loc[phases["program"] == start["program"], "row"].to_numpy()
    return ready.example.take(own), str(start["program"])


def starting_phase(phases: pd.DataFrame, program: str, phase: int | None) -> pd.Series:
    """The row of WhatIf.phases of that program and phase; by default the first program, and its phase with the median target."""
    own = phases[phases["program"] == (program if program in set(phases["program"]) else phases["program"].iloc[0])]
    chosen = own[own["phase"] == phase]
    if len(chosen):
        return chosen.iloc[0]
    return own.sort_values("measured", kind="stable").iloc[len(own) // 2]


def _measured(table: PhaseTable, params: PredictionParams) -> Rows:
    """The phases of the table with their target; selected once, since every move of a slider asks for them."""
    known = _selected.setdefault(table, {})
    key = params.only(_SELECTED_BY)
    if key not in known:
        if len(known) >= _MOST_SELECTIONS:
            known.clear()
        known[key] = select(table, params).test
    return known[key]


def far_away(rows: pd.DataFrame) -> list[tuple[float, float, list[str]]]:
    """The extrapolations among the rows of WhatIf.answer: (distance, distance that counts as far, models) of each distinct pair."""
    found: dict[tuple[float, float], list[str]] = {}
    off = rows[rows["far"].to_numpy(dtype=bool)]
    for model, distance, far_from in zip(off["model"], off["distance"].tolist(), off["far_from"].tolist(), strict=True):
        found.setdefault((distance, far_from), []).append(str(model))
    return [(distance, far_from, models) for (distance, far_from), models in found.items()]


def unfit(model: KeptModel, target: str, counters: tuple[str, ...]) -> str:
    """Why a saved model cannot predict phases with these counters; "" if it can."""
    if model.target != target:
        return f"it predicts {model.target}, not {target}"
    lacking = [name for name in model.counters if name not in counters]
    return f"it needs {lacking[0]}, which is not among the features" if lacking else ""


def read_by(model: KeptModel, rows: Rows) -> Rows:
    """`rows` with the counters used by `model`, in its order."""
    places = [rows.counters.index(name) for name in model.counters]
    return replace(rows, X=np.ascontiguousarray(rows.X[:, places]), counters=model.counters)
