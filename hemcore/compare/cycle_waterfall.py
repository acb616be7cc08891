"""Cycles before and after: how much of their change the events of the cost stack explain, bar by bar, and what remains unexplained.

One cost per event (cycles per miss, and so on) is fitted to the rows of both sets together, by the cost stack of Prediction. Each bar is
cost x change of the counts, summed over a group of events; "unexplained" is the rest, so that the bars sum to the change.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from hemcore.analysis import AnyAnalysis
from hemcore.compare.dependent_runs import run_order
from hemcore.compare.params import CompareParams
from hemcore.compare.run_sets import WHOLE_RUN, Floats
from hemcore.compare.stages.program_runs import ProgramRuns, programs_of
from hemcore.compare.stages.stage_cuts import whole
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError, TableError
from hemcore.events.usual_names import cycles_of

UNEXPLAINED = "unexplained"
# Of fewer programs, each row is drawn for itself when costs are drawn again.
_FEWEST_PROGRAMS, _DRAWS, _MOST_ROWS = 5, 100, 2_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Waterfall:
    """The change of the cycles, in bars.

    rows: one row per group of events, the last "unexplained": group; change in cycles, error (standard error: runs and costs; NaN with one
        run, or where no cost was found). before, after: mean cycles per run, summed over programs. target: the counter of cycles.
    costs: one row per event: counter, group, cost (cycles per event), low, high (90%). notes: sentences. params: of the comparison.
    """

    rows: pd.DataFrame
    before: float
    after: float
    target: str
    costs: pd.DataFrame
    notes: tuple[str, ...]
    params: CompareParams

    def at(self, params: CompareParams) -> "Waterfall":
        """The same at the level of `params`."""
        return replace(self, params=params)

    @property
    def table(self) -> pd.DataFrame:
        """One row per bar: group; change, low to high at params.level; share of `before`. The changes sum to after - before."""
        reach = -float(ndtri((1 - self.params.level) / 2)) * self.rows["error"]
        change = self.rows["change"]
        share = change / self.before if self.before > 0 else change * np.nan
        return pd.DataFrame(
            {"group": self.rows["group"], "change": change, "low": change - reach, "high": change + reach, "share_of_before": share}
        )


def waterfall(before: PhaseTable, after: PhaseTable, *, level: float = 0.9, seed: int = 0) -> Waterfall:
    """The cycles of two tables of phases, or of merged runs, explained by their events.

    level, seed: as of CompareParams. Intervals come from the scatter of runs and of the costs, taken as independent of one another, which
    is wide where events move together. Raises TableError where a table has no counter of cycles, no other one, or no program in common.
    """
    return waterfall_of(before, after, CompareParams(level=level, seed=seed))


def waterfall_of(before: PhaseTable, after: PhaseTable, params: CompareParams) -> Waterfall:
    """The waterfall of `waterfall`, at the level and seed of `params`."""
    for name, table in (("before", before), ("after", after)):
        if not isinstance(table, PhaseTable):
            raise TableError(f"waterfall: {name} is a {type(table).__name__}. Give tables of phases, or merge the subexperiments first.")
    target = cycles_of(after.counters)
    if target is None or target not in before.counters:
        raise TableError(f"waterfall: no counter of cycles is in both sets; after has {listed(after.counters)}. Count cycles too.")
    sides = [{each.name: each for each in programs_of(table)} for table in (before, after)]
    names = [name for name in sides[1] if name in sides[0]]
    if not names and len(sides[0]) == len(sides[1]) == 1:
        sides[0] = {name: next(iter(sides[0].values())) for name in sides[1]}
        names = list(sides[1])
    if not names:
        raise TableError(
            f"waterfall: no program is in both sets; before has {listed(sides[0])}, after {listed(sides[1])}. Name them alike."
        )
    hems = [hem for hem in after.counters if hem in before.counters]
    pairs = [(sides[0][name].of_hems(hems), sides[1][name].of_hems(hems)) for name in names]
    stack = _costs(pairs, hems, target, params)
    costs = stack.costs.reset_index(drop=True)
    if params.among:  # costs are those of all programs, bars of this one
        pairs = [pair for pair in pairs if pair[1].name == params.among or pair[1].name.startswith(f"{params.among}, ")]
    if not pairs:
        raise ParameterError(f"among: {params.among[:60]!r} is not in both sets, which have {listed(names)}. Choose another one.")
    means, variances = _totals(pairs, hems, target, costs)
    change = means[1] - means[0]
    by_event = costs["cost"].to_numpy(dtype=float) * change[[hems.index(name) for name in costs["counter"]]]
    # The spread of a cost, from its 90% interval.
    spread = (costs["high"] - costs["low"]).to_numpy(dtype=float) / (2 * float(ndtri(0.95)))
    doubt = np.square(spread * change[[hems.index(name) for name in costs["counter"]]])
    whole_change = float(change[hems.index(target)])
    rows, explained, unfound = [], 0.0, list[str]()
    for group in stack.groups:
        own = (costs["group"] == group).to_numpy()
        bar = float(by_event[own].sum())
        explained += bar
        error = float(np.sqrt(variances[group] + doubt[own].sum()))
        if error == 0 and not costs.loc[own, "cost"].any():
            # No draw found a cost, as where another event moves alike: that is no proof that there is none.
            error, unfound = float("nan"), [*unfound, str(group)]
        rows.append({"group": group, "change": bar, "error": error})
    rest = {"group": UNEXPLAINED, "change": whole_change - explained, "error": float(np.sqrt(variances[UNEXPLAINED] + doubt.sum()))}
    at = hems.index(target)
    return Waterfall(
        rows=pd.DataFrame([*rows, rest]),
        before=float(means[0][at]),
        after=float(means[1][at]),
        target=target,
        costs=costs,
        notes=tuple(_notes(pairs, stack.notes, unfound)),
        params=params,
    )


def asked_by_waterfall() -> tuple[AnyAnalysis, ...]:
    """What events cost."""
    from hemcore.prediction.evaluate.predictions import COST_STACK  # who compares runs alone does not wait for it

    return (COST_STACK,)


def _costs(pairs: list[tuple[ProgramRuns, ProgramRuns]], hems: list[str], target: str, params: CompareParams) -> Any:
    """The cost stack of the pieces of both sets."""
    names, blocks = [], []
    for one, two in pairs:
        for run in (*one.runs, *two.runs):
            blocks.append(run)
            names += [one.name] * len(run)
    rows = np.concatenate(blocks)
    labels = names if len(pairs) >= _FEWEST_PROGRAMS else [f"row {place}" for place in range(len(rows))]
    frame = pd.DataFrame({"program": labels, "granularity": WHOLE_RUN, "load": "both", "phase": np.arange(len(rows))})
    frame[hems] = rows
    if len(pairs) < _FEWEST_PROGRAMS and len(frame) > _MOST_ROWS:
        frame = frame.iloc[np.linspace(0, len(frame) - 1, _MOST_ROWS).astype(int)]
    analysis = asked_by_waterfall()[0]
    table = PhaseTable(frame=frame, counters=tuple(hems))
    return analysis.of(table, analysis.params(target=target, n_bootstrap=_DRAWS, seed=params.seed, most_phases=_MOST_ROWS))


def _totals(
    pairs: list[tuple[ProgramRuns, ProgramRuns]], hems: list[str], target: str, costs: pd.DataFrame
) -> tuple[tuple[Floats, Floats], dict[str, float]]:
    """Mean counts of both sets, shape (hems,), summed over programs; and by bar the variance of its change over runs, NaN with one run."""
    weights = {}
    for group in dict.fromkeys(costs["group"]):
        own = costs["group"] == group
        weights[str(group)] = _weights(hems, costs[own])
    weights[UNEXPLAINED] = -_weights(hems, costs)
    weights[UNEXPLAINED][hems.index(target)] += 1.0
    means = [np.zeros(len(hems)), np.zeros(len(hems))]
    variances = dict.fromkeys(weights, 0.0)
    for pair in pairs:
        for side, program in enumerate(pair):
            counts = whole(program).counts[:, 0, :]
            full = counts[np.isfinite(counts).all(axis=1)]
            if not len(full):
                raise TableError(f"waterfall: in {program.name}, no run counted every HEM. Merge the subexperiments, or leave HEMs out.")
            means[side] += full.mean(axis=0)
            for name, each in weights.items():
                bars = full @ each
                variances[name] += float(bars.var(ddof=1)) / len(full) * run_order(bars).time if len(full) > 1 else float("nan")
    return (means[0], means[1]), variances


def _weights(hems: list[str], costs: pd.DataFrame) -> Floats:
    found = np.zeros(len(hems))
    found[[hems.index(name) for name in costs["counter"]]] = costs["cost"].to_numpy(dtype=float)
    return found


def _notes(pairs: list[tuple[ProgramRuns, ProgramRuns]], of_stack: tuple[str, ...], unfound: list[str]) -> Iterator[str]:
    yield from of_stack
    if unfound:
        yield f"No cost was found for {listed(unfound)}, which may move with another event: the bar says little."
    if len(pairs) < _FEWEST_PROGRAMS:
        yield "Costs are fitted to runs of few programs: events that move together share their cost by chance."
    if any(len(each.runs) < 2 for pair in pairs for each in pair):
        yield "Where a set has one run of a program, no interval is known."
