"""What fewer subexperiments cost: the width of the metrics' intervals for plans that read fewer pairs of events together.

Every plan is measured in simulation: its subexperiments draw their runs from runs of all events, and the metrics' intervals are those that
the bootstrap gives for them (hemcore.metrics).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Progress
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError
from hemcore.events.spelling import EventColumns
from hemcore.headline import percent
from hemcore.planning.cut_quality import merged_by_copula
from hemcore.planning.plan import Plan
from hemcore.planning.planner import plan_subexperiments
from hemcore.planning.results import MetricWidths
from hemcore.planning.search.problem import problem_of

if TYPE_CHECKING:
    from hemcore.datasets.tables.metric_definitions import MetricDefinitions

SAME_RUNS, SAME_TIME = "same runs each", "same total time"
# The fraction of the metrics, those of the fewest HEMs first, whose pairs a plan reads together.
_SHARES = (0.0, 0.5, 0.75, 0.9, 1.0)
_POPULATION = 2_000
_COLLECTIONS, _DRAWS, _FEWEST_RUNS = 3, 100, 5
_SEARCH_S = 0.5
# Without readings of an event: its mean as a fraction of the largest count, the coefficient of variation, the correlation.
_MEANS, _VARIATION, _CORRELATION = (0.01, 1.0), 0.05, 0.5
# Relative widths do not depend on what these are.
_UNITS = {"duration_time": 1.0, "SYSTEM_TSC_FREQ": 2e9}


def widths_against_subexperiments(
    definitions: "MetricDefinitions",
    hems: HemList,
    pilot: Subexperiments,
    n_pmcs: int,
    *,
    runs: int = 100,
    plan: Plan | None = None,
    constants: Mapping[str, float] | None = None,
    shares: Sequence[float] = _SHARES,
    seed: int = 0,
    progress: Progress | None = None,
) -> MetricWidths:
    """Points (number of subexperiments, median width of the metrics' 80% interval) from "each event once" to "every pair in a metric".

    hems: a list for metrics (`hems_for_metrics`). pilot: readings; events are matched in any spelling. Where one of its subexperiments
    has all of the list's events that it read, its runs are drawn from; else the copula merge of its runs. Events that it did not read get
    typical variation: the median coefficient of variation and correlation of those that it did, and a mean between 1% and 100% of the
    largest count. runs: of each subexperiment. plan: a plan to show too. shares: of the metrics whose pairs are read together, those of
    the fewest HEMs first; the events of the others are read once. Every plan has a HEM in each of its subexperiments: one with a counter
    of its own, else that of the most metrics.

    Raises ParameterError if the list names no metric of `definitions`, and for `runs` below 5; and as the planner and the merge do.
    """
    if runs < _FEWEST_RUNS:
        raise ParameterError(f"runs: {runs} is out of bounds; an interval needs at least {_FEWEST_RUNS} runs of each subexperiment.")
    needs = {name: within for name, within in hems.metrics.items() if name in definitions.metrics}
    if not needs:
        raise ParameterError(
            "definitions: none of the list's metrics is among them. Choose the definitions that the list of HEMs was made from."
        )
    random = np.random.default_rng(seed)
    population, typical = _population(hems.hems, pilot, random)
    plans = _plans(hems, needs, n_pmcs, shares, seed)
    plans += [("this plan", plan.subexperiments)] if plan is not None else []
    most = max(len(groups) for _, groups in plans)
    known = {**_UNITS, "SMT_on": _smt(definitions, needs, population), **(constants or {})}
    rows, done = [], 0
    for what, groups in plans:
        held = [set(group) for group in groups]
        whole = sum(any(group.issuperset(within) for group in held) for within in needs.values())
        in_same_time = max(_FEWEST_RUNS, round(runs * most / len(groups)))
        by_runs: dict[int, NDArray[np.float64]] = {}
        for each, n in ((SAME_RUNS, runs), (SAME_TIME, in_same_time)):
            if progress is not None:
                progress(done / (2 * len(plans)), f"{len(groups):,} subexperiments, {each}")
            done += 1
            if n not in by_runs:
                by_runs[n] = _mean_widths(definitions, list(needs), population, groups, n, known, random)
            row = {"plan": what, "runs are": each, "subexperiments": len(groups), "runs": n}
            width = float(np.median(by_runs[n])) if len(by_runs[n]) else np.nan
            rows.append(row | {"width": width, "metrics": len(by_runs[n]), "whole metrics": whole})
    return MetricWidths(rows=pd.DataFrame(rows), n_metrics=len(needs), typical=typical, n_hems=len(hems.hems), runs=runs)


def _plans(
    hems: HemList, needs: Mapping[str, Sequence[str]], n_pmcs: int, shares: Sequence[float], seed: int
) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    """(what, subexperiments) per share, without plans that take as many subexperiments as another."""
    smallest_first = sorted(needs, key=lambda name: len(needs[name]))
    own = problem_of(hems.hems, n_pmcs, goal="pairs", anchor=None, groups=None, wanted=(), counters=hems.counters, limits=hems.limits).fixed
    by_metrics = max(hems.hems, key=lambda hem: sum(hem in within for within in needs.values()))
    found: dict[int, tuple[str, tuple[tuple[str, ...], ...]]] = {}
    for share in sorted(set(shares), reverse=True):
        together = {name: needs[name] for name in smallest_first[: round(share * len(needs))]}
        plan = plan_subexperiments(
            hems.hems,
            n_pmcs,
            goal="pairs" if own else "anchor",
            anchor=None if own else by_metrics,
            wanted=None if together else (),
            counters=hems.counters,
            limits=hems.limits,
            metrics=together,
            time_limit=_SEARCH_S,
            seed=seed,
        )
        what = "every pair in a metric" if share == 1 else "each event once" if not together else f"{percent(share)} of the metrics"
        found.setdefault(len(plan.subexperiments), (what, plan.subexperiments))
    return [found[size] for size in sorted(found)]


def _population(hems: Sequence[str], pilot: Subexperiments, random: np.random.Generator) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Runs that counted all of `hems`, and which of these have typical variation."""
    events = EventColumns(pilot.hems)
    there = {hem: found for hem in hems if (found := events.find(hem)) is not None}
    read = list(dict.fromkeys(there.values()))
    base = pd.DataFrame()
    if read:
        complete = [frame[read].dropna() for frame in pilot.frames if set(read) <= {*frame.columns}]
        runs = max(complete, key=len) if complete else merged_by_copula(pilot.frames, _POPULATION)[read]
        base = runs.iloc[random.integers(len(runs), size=_POPULATION)].reset_index(drop=True)
    values = {hem: base[found].to_numpy(dtype=float) for hem, found in there.items()}
    missing = tuple(hem for hem in hems if hem not in values)
    if missing:
        values |= _typical(missing, base, random)
    return pd.DataFrame({hem: values[hem] for hem in hems}), missing


def _typical(missing: Sequence[str], base: pd.DataFrame, random: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Counts of events that were not read: log-normal, with the variation of those that were, and correlated with their mean course."""
    common, largest, variation, correlation = random.standard_normal(_POPULATION), 1e6, _VARIATION, _CORRELATION
    counted = base.loc[:, base.std() > 0] if len(base.columns) else base
    if len(counted.columns):
        standard = (counted - counted.mean()) / counted.std()
        largest, variation = float(counted.mean().max()), float((counted.std() / counted.mean()).median())
        course = standard.mean(axis=1)
        common = (course / course.std()).to_numpy() if course.std() > 0 else common
        if len(counted.columns) > 1:
            pairs = standard.corr().to_numpy()[np.triu_indices(len(counted.columns), 1)]
            correlation = float(np.clip(np.nanmedian(pairs), 0.0, 0.99))
    spread = np.sqrt(np.log1p(variation**2))
    found = {}
    for hem in missing:
        mean = largest * np.exp(random.uniform(*np.log(_MEANS)))
        own = random.standard_normal(_POPULATION)
        found[hem] = mean * np.exp(spread * (np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own) - spread**2 / 2)
    return found


def _smt(definitions: "MetricDefinitions", needs: Mapping[str, Sequence[str]], population: pd.DataFrame) -> float:
    """Whether multithreading was on when the list was made: with which the metrics lack fewer events."""
    from hemcore.metrics.metric_values import evaluation  # who plans without metrics does not wait for it

    one = population.iloc[:1]
    lacking = [len(evaluation(definitions, one, constants={**_UNITS, "SMT_on": smt}, metrics=list(needs)).needs) for smt in (0.0, 1.0)]
    return float(lacking[1] < lacking[0])


def _mean_widths(
    definitions: "MetricDefinitions",
    metrics: list[str],
    population: pd.DataFrame,
    groups: Sequence[Sequence[str]],
    runs: int,
    constants: Mapping[str, float],
    random: np.random.Generator,
) -> NDArray[np.float64]:
    """The width of each metric's interval as a fraction of its value, over some collections of runs; without metrics that have none."""
    from hemcore.metrics.bootstrap import bootstrapped

    widths = []
    for _ in range(_COLLECTIONS):
        frames = [population[list(group)].iloc[random.integers(len(population), size=runs)].reset_index(drop=True) for group in groups]
        table = Subexperiments(frames=tuple(frames), n_pmcs=max(frame.shape[1] for frame in frames))
        seed = int(random.integers(2**31))
        found = bootstrapped(definitions, table, constants=constants, metrics=metrics, draws=_DRAWS, seed=seed, by_part=False)
        low, high = found.interval()
        with np.errstate(invalid="ignore", divide="ignore"):
            relative = (high - low) / np.abs(found.value)
        widths.append(np.where(np.isfinite(relative) & (high > low), relative, np.nan))
    counted = np.isfinite(widths).sum(axis=0)
    mean: NDArray[np.float64] = np.nansum(widths, axis=0)[counted > 0] / counted[counted > 0]
    return mean
