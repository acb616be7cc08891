"""Cost shares: the part of the target that RelativeNnls assigns to each group of events, with bootstrap intervals over programs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.event_groups import GROUPS, group_of
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.relative_nnls import relative_fit
from hemcore.prediction.params import PredictionParams

LEVEL = 0.9
UNEXPLAINED = "unexplained"


@dataclass(frozen=True, kw_only=True, eq=False)
class CostStack:
    """Shares of the target by group of events.

    overall: index group; share, low, high: of the predicted target, with equal weight for each program, and the 90% bootstrap interval.
    programs: one row per program and group (program, group, share, low, high; target, the program's sum, and predicted over measured).
    costs: one row per counter (counter, group, cost: target per event, low, high); uncertain for counters that are correlated.
    causes: one row per program and group, and one "unexplained" (program, cause): amount, the part of the measured target, which may be
        below 0 for "unexplained"; low, high: its 90% interval; measured, instructions: the program's sums (NaN if not counted).
    groups: those with at least one counter, in order.
    """

    overall: pd.DataFrame
    programs: pd.DataFrame
    costs: pd.DataFrame
    causes: pd.DataFrame
    groups: tuple[str, ...]
    target: str
    notes: tuple[str, ...]
    params: PredictionParams


def cost_stack(table: PhaseTable, params: PredictionParams | None = None, progress: Progress | None = None) -> CostStack:
    """The cost stack of the phases selected by `params`. Raises ParameterError as `select` does."""
    params = params if params is not None else PredictionParams()
    selection = select(table, params)
    rows = selection.train
    codes = np.unique(rows.group)
    sizes = np.array([(rows.group == code).sum() for code in codes])
    place = np.searchsorted(codes, rows.group)
    share = (1 / sizes)[place]
    best, _ = relative_fit(rows.X, rows.y, share)
    random = np.random.default_rng(params.seed)
    drawn = np.empty((params.n_bootstrap, len(best)))
    for number in range(params.n_bootstrap):
        if progress is not None and number % 10 == 0:
            progress(number / params.n_bootstrap, f"bootstrap {number + 1} of {params.n_bootstrap}")
        times = np.bincount(random.integers(0, len(codes), len(codes)), minlength=len(codes))
        drawn[number] = relative_fit(rows.X, rows.y, share * times[place])[0]
    groups = tuple(group for group in GROUPS if any(group_of(name) == group for name in rows.counters))
    member = np.array([[group_of(name) == group for group in groups] for name in rows.counters], dtype=float)
    sums = np.stack([rows.X[rows.group == code].sum(axis=0) for code in codes])
    parts, drawn_parts = (sums * best) @ member, np.stack([(sums * theta) @ member for theta in drawn])
    found, spread = _shares(parts), _shares(drawn_parts)
    measured = np.array([rows.y[rows.group == code].sum() for code in codes])
    predicted = sums @ best
    mean, means = np.nanmean(found, axis=0), np.nanmean(spread, axis=1)
    low, high = _interval(means)
    program_low, program_high = _interval(spread)
    cost_low, cost_high = _interval(drawn)
    return CostStack(
        overall=pd.DataFrame({"share": mean, "low": low, "high": high}, index=pd.Index(groups, name="group")),
        programs=pd.DataFrame(
            [
                {
                    "program": rows.groups[code],
                    "group": group,
                    "share": found[at, k],
                    "low": program_low[at, k],
                    "high": program_high[at, k],
                    "target": measured[at],
                    "predicted_over_measured": predicted[at] / measured[at],
                }
                for at, code in enumerate(codes)
                for k, group in enumerate(groups)
            ]
        ),
        costs=pd.DataFrame(
            {
                "counter": rows.counters,
                "group": [group_of(name) for name in rows.counters],
                "cost": best,
                "low": cost_low,
                "high": cost_high,
            }
        ),
        causes=_causes(rows, _instructions(table, rows), groups, _with_rest(parts, measured), _with_rest(drawn_parts, measured)),
        groups=groups,
        target=selection.chosen.target,
        notes=selection.notes,
        params=params,
    )


def _shares(parts: Floats) -> Floats:
    """The share of each group in the predicted target, shape (..., groups); NaN if the prediction is 0."""
    total = parts.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(parts, total, out=np.full_like(parts, np.nan), where=total > 0)
    return found


def _with_rest(parts: Floats, measured: Floats) -> Floats:
    """The parts, shape (..., programs, groups), and what is left of the measured sums, as one more."""
    rest = measured - parts.sum(axis=-1)
    return np.concatenate([parts, rest[..., None]], axis=-1)


def _instructions(table: PhaseTable, rows: Rows) -> Floats:
    """The executed instructions of each row, which need not be among the features; NaN if not counted."""
    name = instructions_of(table.counters)
    return np.full(len(rows), np.nan) if name is None else table.frame[name].to_numpy(dtype=float)[rows.place]


def _causes(rows: Rows, counted: Floats, groups: tuple[str, ...], parts: Floats, drawn: Floats) -> pd.DataFrame:
    """CostStack.causes. counted: instructions; parts: shape (programs, groups + 1); drawn: shape (samples, programs, groups + 1)."""
    low, high = _interval(drawn)
    codes, each, names = np.unique(rows.group), parts.shape[1], (*groups, UNEXPLAINED)
    sums = {"measured": rows.y, "instructions": counted}
    return pd.DataFrame(
        {
            "program": np.repeat(np.array([rows.groups[code] for code in codes], dtype=object), each),
            "cause": np.array(names * len(codes), dtype=object),
            "amount": parts.ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            **{name: np.repeat([values[rows.group == code].sum() for code in codes], each) for name, values in sums.items()},
        }
    )


def _interval(drawn: Floats) -> tuple[Floats, Floats]:
    edge = (1 - LEVEL) / 2
    low, high = np.nanquantile(drawn, [edge, 1 - edge], axis=0)
    return low, high
