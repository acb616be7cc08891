"""Prediction intervals by jackknife+ over programs, their coverage, and the distance of phases to the training set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from hemcore.analysis import Each, Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.hardware_tree import adds_up
from hemcore.params import Params
from hemcore.prediction.arrays import Floats
from hemcore.prediction.evaluate.by_program import Evaluation, apart, keys_and_target, programs_to_hold_out
from hemcore.prediction.evaluate.jackknife import errors_at_steps, phase_intervals, whole_interval
from hemcore.prediction.evaluate.prediction_scores import CELL, MEASURED
from hemcore.prediction.evaluate.training_distance import reach
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.catalogue import model_named
from hemcore.prediction.models.fitted import AnyFitted
from hemcore.prediction.params import PredictionParams

PROMISED = (0.8, 0.9)
JACKKNIFE, SHUFFLED = "jackknife+ over programs", "split conformal, rows shuffled"
LEFT_OUT = "errors of the other programs, each left out"
_FEWEST = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class ProgramIntervals:
    """An unseen program. phases: as in `Intervals`; whole: its row of Intervals.programs."""

    phases: pd.DataFrame
    whole: dict[str, float | str]
    notes: tuple[str, ...]
    params: PredictionParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Intervals:
    """Predictions of unseen programs, with intervals.

    phases: program, granularity, load, phase, measured, predicted, low_80, high_80, low_90, high_90, distance (to the nearest training
    phase, in standard deviations of the counts per instruction), far. programs: the same for the sums over phases, and covered_80,
    covered_90 (of the sum), phases_covered_80, phases_covered_90 (fractions), shuffled_covered_80, shuffled_covered_90 (fractions, with
    shuffled rows), far. coverage: columns way, promised, programs, covered (programs whose sum lies in its interval), phases_covered (mean
    fraction of a program's phases), half_width (median over programs, relative to the prediction).
    """

    phases: pd.DataFrame
    programs: pd.DataFrame
    coverage: pd.DataFrame
    model: str
    notes: tuple[str, ...]
    params: PredictionParams

    @property
    def way(self) -> str:
        """How the intervals came about: the first in `coverage`."""
        return str(self.coverage["way"].iloc[0])


def intervals(table: PhaseTable, params: PredictionParams | None = None, *, each: Each = map) -> Intervals:
    """Intervals of every program, each left out in turn. Raises ParameterError as `evaluate_models` does, and for fewer than 4 programs."""
    params = params if params is not None else PredictionParams()
    pieces = programs_to_hold_out(table, params)
    return gathered_intervals(table, params, list(each(partial(program_intervals, table), pieces)))


def program_intervals(table: PhaseTable, params: PredictionParams, progress: Progress | None = None) -> ProgramIntervals:
    """params.held_out predicted by params.model fitted on the others, with jackknife+ over them. Raises as `intervals` does."""
    selection = select(table, params)
    train, test = apart(selection, params)
    codes = np.unique(train.group)
    if len(codes) < _FEWEST:
        raise ParameterError(
            f"Phases: {len(codes)} training programs are too few for intervals. Add programs until there are at least {_FEWEST + 1}."
        )
    predicted = _fitted(params, train).predict(test)
    without, off, whole_off = [], [], []
    for number, code in enumerate(codes):
        if progress is not None:
            progress(number / len(codes), f"without {train.groups[code]}")
        others, own = train.without(int(code))
        model = _fitted(params, others)
        left = np.maximum(model.predict(own), 1e-300)
        off.append(errors_at_steps(np.abs(own.y / left - 1)))
        whole_off.append(abs(own.y.sum() / left.sum() - 1))
        without.append(model.predict(test))
    near = reach(train)
    distance = near.of(test)
    phases = keys_and_target(table, selection, test).assign(predicted=predicted)
    measured = float(test.y.sum())
    whole: dict[str, float | str] = {
        "program": test.groups[int(test.group[0])],
        "phases": len(test),
        "measured": measured,
        "predicted": float(predicted.sum()),
        "distance": float(distance.mean()),
        "far": bool(distance.mean() > near.far),
    }
    sums = np.stack(without).sum(axis=1)
    shuffled = _shuffled_errors(params, train)
    for promised in PROMISED:
        name = f"{round(promised * 100)}"
        low, high = phase_intervals(np.stack(without), np.stack(off), promised)
        phases[f"low_{name}"], phases[f"high_{name}"] = low, high
        bottom, top = whole_interval(sums, np.array(whole_off), promised)
        whole[f"low_{name}"], whole[f"high_{name}"] = bottom, top
        whole[f"covered_{name}"] = bool(bottom <= measured <= top)
        whole[f"phases_covered_{name}"] = float(((low <= test.y) & (test.y <= high)).mean())
        reached = float(np.quantile(shuffled, promised))
        whole[f"shuffled_covered_{name}"] = float((np.abs(test.y / np.maximum(predicted, 1e-300) - 1) <= reached).mean())
        whole[f"shuffled_width_{name}"] = reached
    whole |= _per_program(whole, selection.chosen.target)
    return ProgramIntervals(
        phases=phases.assign(distance=distance, far=distance > near.far), whole=whole, notes=selection.notes, params=params
    )


def _per_program(whole: Mapping[str, float | str], target: str) -> dict[str, float | str]:
    """The sums over the phases of a program; the means of a target that does not add up, such as a temperature."""
    per = 1.0 if adds_up(target) else float(whole["phases"])
    return {
        name: float(value) / per for name, value in whole.items() if name in ("measured", "predicted") or name.startswith(("low_", "high_"))
    }


def left_out_intervals(found: Evaluation, asked: Params) -> Intervals:
    """Intervals of an evaluation's predictions at once: as `intervals`, but without a fit for each pair of programs.

    Each program's errors are of a model that was trained on the one whose interval they make, so they may be a little too small. Of
    asked.model (PredictionParams), or the best one if that is not among the models. Distances, and what shuffled rows give, are not
    known (NaN, False).
    """
    assert isinstance(asked, PredictionParams)
    params, best = asked, found.best
    model = params.model if params.model in found.trained else str(best["model"])
    cell = (found.phases["granularity"] == best["granularity"]) & (found.phases["load"] == best["load"])
    phases = found.phases[cell].rename(columns={model: "predicted"})[["program", *CELL, "phase", MEASURED, "predicted"]]
    own = {str(name): part for name, part in phases.groupby("program", sort=False)}
    y, predicted = ({name: part[column].to_numpy(dtype=float) for name, part in own.items()} for column in (MEASURED, "predicted"))
    at_least = {name: np.maximum(each, 1e-300) for name, each in predicted.items()}
    off = {name: errors_at_steps(np.abs(y[name] / each - 1)) for name, each in at_least.items()}
    whole_off = {name: abs(y[name].sum() / each.sum() - 1) for name, each in at_least.items()}
    parts = []
    for name, part in own.items():
        others = [each for each in own if each != name]
        one = part.assign(distance=np.nan, far=False)
        whole: dict[str, float | str] = {"program": name, "phases": len(part), "measured": float(y[name].sum())}
        whole |= {"predicted": float(predicted[name].sum()), "distance": np.nan, "far": False}
        for promised in PROMISED:
            level = f"{round(promised * 100)}"
            many = np.tile(predicted[name], (len(others), 1))
            low, high = phase_intervals(many, np.stack([off[each] for each in others]), promised)
            bottom, top = whole_interval(many.sum(axis=1), np.array([whole_off[each] for each in others]), promised)
            one[f"low_{level}"], one[f"high_{level}"] = low, high
            whole |= {f"low_{level}": bottom, f"high_{level}": top, f"covered_{level}": bool(bottom <= y[name].sum() <= top)}
            whole[f"phases_covered_{level}"] = float(((low <= y[name]) & (y[name] <= high)).mean())
            whole |= {f"shuffled_covered_{level}": np.nan, f"shuffled_width_{level}": np.nan}
        whole |= _per_program(whole, found.target)
        parts.append(ProgramIntervals(phases=one, whole=whole, notes=found.notes, params=params))
    gathered = gathered_intervals(None, params.but(model=model), parts)
    coverage = gathered.coverage[gathered.coverage["way"] == JACKKNIFE].assign(way=LEFT_OUT)
    return replace(gathered, coverage=coverage)


def gathered_intervals(table: PhaseTable | None, params: PredictionParams, found: Sequence[ProgramIntervals]) -> Intervals:
    """The intervals of all programs, and their coverage."""
    programs = pd.DataFrame([each.whole for each in found])
    rows = []
    for promised in PROMISED:
        name = f"{round(promised * 100)}"
        width = (programs[f"high_{name}"] - programs[f"low_{name}"]) / 2 / programs["predicted"].where(programs["predicted"] > 0)
        shuffled = programs[f"shuffled_covered_{name}"]
        rows += [
            {
                "way": JACKKNIFE,
                "promised": promised,
                "programs": len(programs),
                "covered": int(programs[f"covered_{name}"].sum()),
                "phases_covered": programs[f"phases_covered_{name}"].mean(),
                "half_width": width.median(),
            },
            {
                "way": SHUFFLED,
                "promised": promised,
                "programs": len(programs),
                # A program counts as covered if the promised share of its phases is.
                "covered": int((shuffled >= promised).sum()),
                "phases_covered": shuffled.mean(),
                "half_width": programs[f"shuffled_width_{name}"].median(),
            },
        ]
    return Intervals(
        phases=pd.concat([each.phases for each in found], ignore_index=True),
        programs=programs,
        coverage=pd.DataFrame(rows),
        model=params.model,
        notes=tuple(dict.fromkeys(note for each in found for note in each.notes)),
        params=params,
    )


def _fitted(params: PredictionParams, train: Rows) -> AnyFitted:
    model = model_named(params.model)
    if model.fit is None or (model.needs_rates and train.instructions is None):
        raise ParameterError(f"Model for intervals: {model.name} cannot be fitted to these phases. Choose the model cost per event.")
    return model.fit(train, params.form, model.grid[0])


def _shuffled_errors(params: PredictionParams, train: Rows) -> Floats:
    """Relative errors on half of the shuffled rows by a model fitted on the other half. Too small: programs are in both halves."""
    order = np.random.default_rng(params.seed).permutation(len(train))
    half = len(order) // 2
    fitted, left = train.take(np.sort(order[:half])), train.take(np.sort(order[half:]))
    if not half:
        return np.zeros(1)
    found: Floats = np.abs(left.y / np.maximum(_fitted(params, fitted).predict(left), 1e-300) - 1)
    return found
