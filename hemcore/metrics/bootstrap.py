"""How sure a metric is: its runs drawn again with replacement, within each subexperiment; and which subexperiment the doubt is from.

Runs drawn again scatter less than new runs would, by (n - 1) / n in variance, and few runs hardly know their own scatter. So percentiles
further out are taken, as Student's t for that many runs has them (the expanded percentile interval); of several subexperiments, with the
degrees of freedom of Welch and Satterthwaite.

Sources: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 (several samples) and 13 (percentiles); T. C.
Hesterberg, What Teachers Should Know About the Bootstrap, 2015, doi 10.1080/00031305.2015.1089789, section 5.3; F. E. Satterthwaite, An
Approximate Distribution of Estimates of Variance Components, 1946, doi 10.2307/3002019.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.formulas.grammar import Formula
from hemcore.metrics.known_constants import Constants
from hemcore.metrics.metric_values import Compiled, chosen
from hemcore.metrics.read_together import joint_parts
from hemcore.metrics.run_means import RunMeans, bootstrap_weights
from hemcore.metrics.table_counts import Counts, Measured, counts_of

Floats = NDArray[np.float64]
LEVEL = 0.8
_SHARE_DRAWS = 200
_FEWEST_DRAWS, _MOST_DRAWS = 50, 20_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Bootstrapped:
    """Metrics over whole runs, and how they vary.

    names: the metrics. value: shape (metrics,). draws: shape (metrics, replicates). passed: whether each is past its threshold, by the
    same shapes (1, 0, NaN unknown). parts: the subexperiments (or "runs"), runs: how many runs each has. variances: shape (metrics, parts),
    the variance if the runs of that part alone are drawn again. extra: value and draws of further formulas. needs, notes, constants: as
    in Evaluation.
    """

    names: Sequence[str]
    value: Floats
    draws: Floats
    passed: Floats
    parts: Sequence[str]
    runs: Sequence[int]
    variances: Floats
    extra: Floats
    extra_draws: Floats
    needs: Mapping[str, tuple[str, ...]]
    notes: Mapping[str, tuple[str, ...]]
    constants: pd.DataFrame

    def interval(self, values: Floats | None = None, level: float = LEVEL) -> tuple[Floats, Floats]:
        """Ends of the interval of `level`, shape (metrics,); NaN without a value. values: other draws; theirs are plain percentiles."""
        draws = self.draws if values is None else values
        known = np.isfinite(draws).mean(axis=1) > 0.5 if draws.size else np.zeros(len(draws), dtype=bool)
        upper = self._percentiles(level) if values is None else np.full(len(draws), (1 + level) / 2)
        low, high = np.full(len(draws), np.nan), np.full(len(draws), np.nan)
        for row in np.flatnonzero(known):
            finite = draws[row][np.isfinite(draws[row])]
            # Of few draws, usual quantiles lie too far inside: between the k-th of n draws and the next lies 1 / (n + 1) of further draws.
            low[row], high[row] = np.quantile(finite, [1 - upper[row], upper[row]], method="weibull")
        return low, high

    def _percentiles(self, level: float) -> Floats:
        """The fraction of the draws below the upper end, shape (metrics,): Student's quantile, as the normal distribution has it."""
        # Of parts that were not drawn alone, the one of the fewest runs decides.
        runs = np.array(self.runs if self.variances.shape[1] == len(self.runs) else [min(self.runs)], dtype=float)
        freedom = np.maximum(runs - 1, 1)
        variances = self.variances * runs / freedom
        drawn, total = self.variances.sum(axis=1), variances.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            effective = total**2 / (variances**2 / freedom).sum(axis=1)
            upper = ndtr(stdtrit(effective, (1 + level) / 2) * np.sqrt(total / drawn))
        return np.where(np.isfinite(upper), upper, (1 + level) / 2)

    @property
    def shares(self) -> Floats:
        """The share of each part in the variance, shape (metrics, parts); NaN where nothing varies."""
        total = self.variances.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(total > 0, self.variances / total, np.nan)


def bootstrapped(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    anchor: str | None = None,
    draws: int = 400,
    seed: int = 0,
    extra: Sequence[Formula] = (),
    by_part: bool = True,
) -> Bootstrapped:
    """The metrics of whole runs with `draws` replicates of them: runs drawn again within each subexperiment, or among a table's rows.

    table: Subexperiments; or a table whose rows are runs (a merged table as PhaseTable or DataFrame, signatures): each event's mean over
    its rows. extra: formulas over metrics and events, evaluated too. by_part: whether the runs of each part are drawn alone too; else
    `variances` has one column, of all parts. Raises as `evaluate` does, ParameterError for draws that are not
    between 50 and 20,000, and TableError for a CounterSeries, whose intervals are no runs.
    """
    if not _FEWEST_DRAWS <= draws <= _MOST_DRAWS:
        raise ParameterError(f"draws: {draws} must be between {_FEWEST_DRAWS} and {_MOST_DRAWS:,}.")
    runs = as_runs(table)
    means = RunMeans(runs, anchor)
    names = chosen(definitions, metrics)
    random = np.random.default_rng(seed)
    count, n_parts = len(means.runs), 1 + draws
    every = bootstrap_weights(dict(enumerate(means.runs)), means.runs, draws, random)
    draws_of = [[np.ones((1, n)) for n in means.runs], every]
    if count > 1 and by_part:
        draws_of += [bootstrap_weights({part: n}, means.runs, _SHARE_DRAWS, random) for part, n in enumerate(means.runs)]
    where = "read in no subexperiment" if isinstance(table, Subexperiments) else "which the table does not have"
    known = Constants(constants, definitions.constants, None)
    whole = _Replicates(definitions, known, names, extra, means.stacked(draws_of), where)
    values, passed, extras = np.split(whole.computed.outputs, [len(names), 2 * len(names)])
    place = {name: row for row, name in enumerate(names)}
    parts_alone = joint_parts(definitions, names, means, known.given, lambda columns, n: whole.compiled.compute(columns, n).outputs)
    for members, alone in parts_alone.items():
        own = _Replicates(definitions, known, alone, (), means.stacked(draws_of, members), where)
        rows = [place[name] for name in alone]
        values[rows], passed[rows] = np.split(own.computed.outputs, 2)
    drawn = values[:, 1:n_parts]
    parts = (
        [values[:, n_parts + part * _SHARE_DRAWS : n_parts + (part + 1) * _SHARE_DRAWS] for part in range(count)]
        if count > 1 and by_part
        else [drawn]
    )
    variances = np.stack([_variance(each) for each in parts], axis=1) if names else np.empty((0, len(parts)))
    return Bootstrapped(
        names=names,
        value=values[:, 0],
        draws=drawn,
        passed=passed[:, :n_parts],
        parts=runs.labels,
        runs=means.runs,
        variances=variances,
        extra=extras[:, 0],
        extra_draws=extras[:, 1:n_parts],
        needs=whole.compiled.needs,
        notes=whole.compiled.notes(whole.computed, whole.counts),
        constants=known.frame,
    )


class _Replicates:
    """Metrics, whether they pass their thresholds, and further formulas, for rows of means: `computed.outputs` in this order."""

    def __init__(
        self,
        definitions: MetricDefinitions,
        known: Constants,
        names: Sequence[str],
        extra: Sequence[Formula],
        columns: Mapping[str, Floats],
        where: str,
    ) -> None:
        rows = len(next(iter(columns.values())))
        self.counts = Counts(columns=columns, index=pd.RangeIndex(rows), where=where)
        thresholds = [definitions.metrics[name].threshold for name in names]
        self.compiled = Compiled(definitions, self.counts.events, known, names, [*filter(None, thresholds), *extra])
        tests = [self.compiled.extra(each) if each is not None else self.compiled.graph.number(np.nan) for each in thresholds]
        self.computed = self.compiled.compute(columns, rows, [*tests, *(self.compiled.extra(each) for each in extra)])


def metric_intervals(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    anchor: str | None = None,
    level: float = LEVEL,
    draws: int = 400,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per metric of whole runs: metric, value, low, high, unit, scale, passed, passed_share, needs_most, its_share,
    runs_to_halve, note.

    low, high: the interval of `level`, by bootstrap. passed: whether it is past its threshold (NaN without one), passed_share: in which
    share of the draws. needs_most: the subexperiment that its variance is mostly from, its_share: that share; runs_to_halve: how many
    more of its runs halve the interval (NaN if that alone cannot). note: what has no value and why. Values are the formula's own.
    Raises as `bootstrapped` does, and ParameterError for a level outside 0.5 to 0.99.
    """
    if not 0.5 <= level <= 0.99:
        raise ParameterError(f"level: {level} must be between 0.5 and 0.99, such as 0.8.")
    found = bootstrapped(definitions, table, constants=constants, metrics=metrics, anchor=anchor, draws=draws, seed=seed)
    return intervals_frame(definitions, found, level)


def intervals_frame(definitions: MetricDefinitions, found: Bootstrapped, level: float = LEVEL) -> pd.DataFrame:
    """The frame of `metric_intervals` from draws that are there."""
    low, high = found.interval(level=level)
    shares = found.shares
    certain = np.isfinite(shares).all(axis=1)
    most = np.where(certain, np.nan_to_num(shares).argmax(axis=1), -1)
    metrics = [definitions.metrics[name] for name in found.names]
    with_share = [shares[row, part] if part >= 0 else np.nan for row, part in enumerate(most)]
    return pd.DataFrame(
        {
            "metric": list(found.names),
            "value": found.value,
            "low": low,
            "high": high,
            "unit": [metric.unit for metric in metrics],
            "scale": [metric.scale for metric in metrics],
            "passed": found.passed[:, 0],
            "passed_share": _mean(found.passed[:, 1:]),
            "needs_most": [found.parts[part] if part >= 0 else "" for part in most],
            "its_share": with_share,
            "runs_to_halve": [_runs_to_halve(share, found.runs[part]) for share, part in zip(with_share, most, strict=True)],
            "group": ["; ".join(metric.groups) for metric in metrics],
            "formula": [metric.formula.text for metric in metrics],
            "description": [metric.description for metric in metrics],
            "note": [" ".join(found.notes.get(name, ())) for name in found.names],
        }
    )


def variance_shares(found: Bootstrapped) -> pd.DataFrame:
    """One row per metric and subexperiment: metric, subexperiment, runs, share of the variance, runs_to_halve (NaN if it alone cannot)."""
    shares = found.shares
    return pd.DataFrame(
        [
            (name, part, runs, shares[row, column], _runs_to_halve(float(shares[row, column]), runs))
            for row, name in enumerate(found.names)
            for column, (part, runs) in enumerate(zip(found.parts, found.runs, strict=True))
        ],
        columns=["metric", "subexperiment", "runs", "share", "runs_to_halve"],
    )


def are_runs(table: PhaseTable) -> bool:
    """Whether the rows are whole runs of one program under one load, which intervals can be drawn from."""
    return table.granularities == ["whole run"] and len(table.frame[["program", "load"]].drop_duplicates()) == 1


def as_runs(table: Measured) -> Subexperiments:
    """`table` as subexperiments: itself, or one in which each row is a run.

    Raises TableError for a CounterSeries, for phases that are not whole runs, and for whole runs of several programs or loads.
    """
    if isinstance(table, Subexperiments):
        return table
    if isinstance(table, CounterSeries):
        raise TableError(
            "metrics: the intervals of a counter series are no runs, and follow on one another: no interval can be drawn from them."
            " Use evaluate for a value per interval, or give subexperiments or a table of whole runs."
        )
    if isinstance(table, PhaseTable):
        if table.granularities != ["whole run"]:
            raise TableError("metrics: phases follow on one another and are no runs: no interval can be drawn from them. Use evaluate.")
        if len(table.frame[["program", "load"]].drop_duplicates()) > 1:
            raise TableError("metrics: whole runs of several programs or loads are no sample of one thing. Choose one program and load.")
    frame = pd.DataFrame(counts_of(table).columns)
    if not len(frame):
        raise TableError("metrics: the table has no rows. Give one run per row.")
    return Subexperiments(frames=(frame,), n_pmcs=frame.shape[1], labels=("runs",))


def _runs_to_halve(share: float, runs: int) -> float:
    """How many more runs of a part with this share of the variance halve the interval: a quarter of the variance must remain."""
    rest = 0.25 - (1 - share)
    # share * runs / (runs + more) = rest
    return float(np.ceil(runs * (share / rest - 1) - 1e-9)) if rest > 0 else np.nan


def _variance(values: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        found = np.full(len(values), np.nan)
        known = np.isfinite(values).sum(axis=1) > 1
        if known.any():
            found[known] = np.nanvar(values[known], axis=1, ddof=1)
        return found


def _mean(values: Floats) -> Floats:
    found = np.full(len(values), np.nan)
    known = np.isfinite(values).any(axis=1)
    if known.any():
        found[known] = np.nanmean(values[known], axis=1)
    return found
