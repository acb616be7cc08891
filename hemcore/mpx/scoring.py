"""Scores of every estimator for every run and event of an application."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx.dtw import cost_of_logs
from hemcore.mpx.estimate_scores import LEAST_SCORED
from hemcore.mpx.estimators import Estimator, estimator_named
from hemcore.mpx.hidden_slots import Method, estimate, filled_by
from hemcore.mpx.prepared import Prepared
from hemcore.mpx.sampled import Floats, matrix_of
from hemcore.mpx.score_sums import tally

SCORED = ("application", "run", "event", "method", "ra", "wa", "total", "scored", "zeros")


def name_of(method: Method) -> str:
    """What a table of scores calls a method."""
    return method if isinstance(method, str) else method.name


def filled(prepared: Prepared, table: CounterSeries, method: Method) -> Floats:
    """The counts of every slot by `method`, the shape of prepared.sampled.counts. Raises as estimate does."""
    if isinstance(method, str | Estimator):
        return filled_by(prepared.sampled, estimator_named(method) if isinstance(method, str) else method)
    return matrix_of(estimate(prepared.series(table), method).counts)


def scores_of(prepared: Prepared, estimates: dict[str, Floats], *, clamp: bool = True) -> pd.DataFrame:
    """One row a method, event and run: SCORED.

    ra, wa: over hidden slots with a truth; total: signed, of the whole run. NaN where fewer than 20 hidden slots have a truth above 0
    (`scored`); zeros: hidden slots whose truth is 0. Empty where no truth is known.
    """
    if prepared.truth is None:
        return pd.DataFrame({name: [] for name in SCORED})
    sums = np.stack([tally(each, prepared.truth, prepared.sampled.hidden, prepared.sampled.starts) for each in estimates.values()])
    return _table(sums, prepared, list(estimates), clamp)


def mean_ra(prepared: Prepared, values: Floats, *, clamp: bool = True) -> float:
    """The mean of `ra` of `scores_of` for one method's counts; NaN where none is scored."""
    if prepared.truth is None:
        return float("nan")
    ra = _ra(tally(values, prepared.truth, prepared.sampled.hidden, prepared.sampled.starts), clamp)
    return float(np.nanmean(ra)) if np.isfinite(ra).any() else float("nan")


def _ra(sums: Floats, clamp: bool) -> Floats:
    """RA from `tally`, NaN where too few hidden slots have a truth; shape (..., events, runs)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ra = 1 - sums[..., 2] / sums[..., 0]
    return np.where(sums[..., 0] >= LEAST_SCORED, np.maximum(ra, 0.0) if clamp else ra, np.nan)


def _table(sums: Floats, prepared: Prepared, methods: Sequence[str], clamp: bool) -> pd.DataFrame:
    scored = sums[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        wa = 1 - sums[..., 3] / sums[..., 4]
        total = sums[..., 5] / sums[..., 6]
    enough = scored >= LEAST_SCORED
    shape = sums.shape[:3]
    codes = np.indices(shape).reshape(3, -1)
    return pd.DataFrame(
        {
            "application": prepared.application,
            "run": np.array(prepared.runs)[codes[2]],
            "event": pd.Categorical.from_codes(codes[1], categories=pd.Index(prepared.events)),
            "method": pd.Categorical.from_codes(codes[0], categories=pd.Index(list(methods))),
            "ra": _ra(sums, clamp).ravel(),
            "wa": np.where(enough, wa, np.nan).ravel(),
            "total": np.where(enough, total, np.nan).ravel(),
            "scored": scored.ravel().astype(np.int64),
            "zeros": sums[..., 1].ravel().astype(np.int64),
        }
    )


def dtw_of(prepared: Prepared, estimates: dict[str, Floats]) -> Floats:
    """The DTW-cost (of log10(1 + count)) of each method, event and run, in the order of scores_of; NaN where a slot has no truth."""
    truth = prepared.truth
    if truth is None:
        return np.empty(0)
    starts = prepared.sampled.starts
    logs = np.log10(1 + truth)
    costs = []
    for values in estimates.values():
        own = np.log10(1 + values)
        for event in range(len(truth)):
            for start, end in pairwise(starts):
                one, other = own[event, start:end], logs[event, start:end]
                known = not (np.isnan(one).any() or np.isnan(other).any())
                costs.append(cost_of_logs(one, other) if known else np.nan)
    return np.array(costs)


def ceiling_of(prepared: Prepared, *, clamp: bool = True) -> pd.DataFrame:
    """What a perfect estimator scores where another OCOE run stands for the truth: one row per run and event, as SCORED without method.

    Each run's truth against that of the next run of the application (the last one's is the first), slot by slot up to the end of the
    shorter one; all slots count. Empty for one run and where the truth is not of the runs themselves.
    """
    if prepared.truth is None or not prepared.same_run or len(prepared.runs) < 2:
        return pd.DataFrame({name: [] for name in SCORED if name != "method"})
    starts = prepared.sampled.starts
    other = np.full(prepared.truth.shape, np.nan)
    for run in range(len(prepared.runs)):
        after = (run + 1) % len(prepared.runs)
        length = min(starts[run + 1] - starts[run], starts[after + 1] - starts[after])
        other[:, starts[run] : starts[run] + length] = prepared.truth[:, starts[after] : starts[after] + length]
    sums = tally(other, prepared.truth, np.ones(other.shape, dtype=bool), starts)
    return _table(sums[None], prepared, ["perfect"], clamp).drop(columns="method")


def means(scores: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Scores averaged over the series (an event in a run) that have any: one row per group of `by`.

    Columns: `by`, ra, wa, total (signed), off (mean of |total|), dtw where it was taken, series (averaged), left_out (series with too few
    truths above 0). NaN where none is left.
    """
    known = scores.assign(off=scores["total"].abs(), series=scores["ra"].notna().astype(int), left_out=scores["ra"].isna().astype(int))
    if "dtw" in known.columns:
        known["dtw"] = known["dtw"].where(known["ra"].notna())
    groups = known.groupby(list(by), sort=False, observed=True)
    averaged = ["ra", "wa", "total", "off", *(["dtw"] if "dtw" in known.columns else [])]
    return pd.concat([groups[averaged].mean(), groups[["series", "left_out"]].sum()], axis=1).reset_index()
