"""From metrics to the HEMs to read for them: the events of each metric, the counters that may hold them, and what takes turns.

Sources: intel/perfmon, README (Counter, CounterHTOff, TakenAlone); linux, tools/perf/Documentation/topdown.txt (slots leads its group).
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.typed_table import Repairs, with_repairs
from hemcore.errors import ParameterError
from hemcore.events.spelling import SLOTS, TOPDOWN, EventColumns, EventKey, event_key

# What perf reads from the clock or an uncore unit takes none of a core's counters.
_CLOCKS = ("duration_time", "user_time", "system_time", "tsc")
# LIKWID's counters of units beside the core: MBOX0C1, CBOX3C0, PWR0. A core's are numbers, or "fixed0".
_UNIT = re.compile(r"[A-Z]+\d+(?:[A-Z]+\d*)*")
# Intel's names for what only a fixed counter counts, where no file of events says so.
_FIXED = {
    "inst_retired_any": "fixed0",
    "cpu_clk_unhalted_thread": "fixed1",
    "cpu_clk_unhalted_thread_any": "fixed1",
    "cpu_clk_unhalted_ref_tsc": "fixed2",
    SLOTS: "fixed3",
}


def hems_for_metrics(
    definitions: MetricDefinitions,
    metrics: Sequence[str] | None = None,
    *,
    levels: int | Iterable[int] | None = None,
    smt: bool = True,
    constants: Mapping[str, float] | None = None,
    known: HemList | None = None,
) -> HemList:
    """The HEMs that `metrics` need, with counters, limits and, per HEM, its metrics: `plan_subexperiments` then wants pairs inside them.

    metrics: names. levels: those of the tree, or the deepest of them as a number; both: either. Neither: the tree, or all without one.
    smt: whether simultaneous multithreading is on: formulas and counters depend on it. constants: as in `hemcore.metrics.evaluate`; the
    side of an `if` that they exclude is not read. Events of a metric include those of the metrics that it names. Events that no core
    counter holds (uncore, clocks) are left out and listed in `repairs`. known: a list whose counters and limits hold where the definitions
    have none.

    Raises UnknownNameError for a metric that is not defined, ParameterError for a level without metrics or metrics without core events.
    """
    from hemcore.metrics.metric_values import chosen  # who plans without metrics does not wait for it

    asked = [*(metrics or ()), *_of_levels(definitions, levels)]
    names = chosen(definitions, asked) if asked else _tree(definitions)
    events, outside = _core_events(definitions, names, {"SMT_on": float(smt), **(constants or {})})
    needs = {name: within for name, within in events.items() if within}
    if not needs:
        raise ParameterError(f"metrics: {listed(names)} needs no event of a core's counters. Choose other metrics.")
    hems = list(dict.fromkeys(event for within in needs.values() for event in within))
    topdown = [hem for hem in hems if event_key(hem).base in TOPDOWN]
    slots = next((hem for hem in hems if event_key(hem).base == SLOTS), "slots")
    leaders = [slots, *topdown] if topdown else []
    facts = _Facts(definitions, smt, known)
    hems = [*leaders, *(hem for hem in hems if hem not in leaders)]
    of = {hem: [name.replace(";", ",") for name, within in needs.items() if hem in within] for hem in hems}
    frame = pd.DataFrame(
        {
            "hem": hems,
            "counters": [facts.counters(hem) for hem in hems],
            "limit": [facts.limit(hem) for hem in hems],
            "metrics": [";".join(of[hem]) for hem in hems],
        }
    )
    return with_repairs(HemList(frame=frame), Repairs(notes=_notes(facts, outside, [name for name in names if name not in needs])))


def general_counters(definitions: MetricDefinitions, smt: bool = True) -> int | None:
    """How many general counters the definitions' events speak of; None if they do not."""
    return _Facts(definitions, smt).general or None


def depends_on_smt(definitions: MetricDefinitions) -> bool:
    """Whether formulas or counters are others where simultaneous multithreading is on."""
    from hemcore.metrics.known_constants import QUANTITIES, Constants

    constants = {name for metric in definitions.metrics.values() for name in metric.formula.constants}
    title = QUANTITIES["smt"].title
    return bool(definitions.events["counters_smt_off"].any()) or any(Constants.label(name)[0] == title for name in constants)


class _Facts:
    """What the definitions say of events, by their names without terms."""

    def __init__(self, definitions: MetricDefinitions, smt: bool, known: HemList | None = None) -> None:
        rows = [] if known is None else known.frame[["hem", "counters", "limit"]].to_numpy().tolist()
        self.known = {event_key(hem).base: (counters, limit) for hem, counters, limit in rows if counters or limit}
        self._counters: dict[str, list[str]] = {}
        self._alone: dict[str, str] = {}
        for name, counters, smt_off, alone in zip(
            *(definitions.events[each] for each in ("event", "counters", "counters_smt_off", "alone")), strict=True
        ):
            base = event_key(name).base
            self._counters.setdefault(base, (counters if smt or not smt_off else smt_off).split())
            self._alone.setdefault(base, alone)
        every = {number for each in self._counters.values() for number in each if number.isdecimal()}
        self.general = max(map(int, every), default=-1) + 1

    def counters(self, hem: str) -> str:
        """The column `counters` of a HEM; "" for every PMC."""
        base = event_key(hem).base
        if base in TOPDOWN:  # a field of the register that slots leads
            return base.replace("_", "-")
        named = self._counters.get(base) or self.known.get(base, ("", ""))[0].split() or _FIXED.get(base, "").split()
        return "" if len(named) == self.general and all(each.isdecimal() for each in named) else " ".join(named)

    def limit(self, hem: str) -> str:
        """The column `limit` of a HEM."""
        base = event_key(hem).base
        alone = self._alone.get(base, "")
        return f"{alone}:1" if alone else self.known.get(base, ("", ""))[1]


def _of_levels(definitions: MetricDefinitions, levels: int | Iterable[int] | None) -> list[str]:
    if levels is None:
        return []
    wanted = {*levels} if isinstance(levels, Iterable) else {*range(1, levels + 1)} or {levels}
    found = [metric.name for metric in definitions.metrics.values() if metric.level and metric.level in wanted]
    if wanted and not found:
        there = sorted({metric.level for metric in definitions.metrics.values() if metric.level})
        remedy = (
            f"There are levels {', '.join(map(str, there))}. Choose of these." if there else "None has a level: choose metrics by name."
        )
        raise ParameterError(f"levels: no metric is on level {', '.join(map(str, sorted(wanted)))}. {remedy}")
    return found


def _tree(definitions: MetricDefinitions) -> list[str]:
    return [metric.name for metric in definitions.metrics.values() if metric.level] or definitions.names


def _core_events(
    definitions: MetricDefinitions, names: Sequence[str], constants: Mapping[str, float]
) -> tuple[dict[str, list[str]], dict[str, None]]:
    """The events of each metric in core counters, each in one spelling; and those that are outside."""
    from hemcore.metrics.known_constants import Constants
    from hemcore.metrics.metric_values import Compiled

    first: dict[EventKey, str] = {}
    outside: dict[str, None] = {}
    elsewhere = {event_key(event).base for event, held in zip(*(definitions.events[each] for each in ("event", "counters")), strict=True)
                 if held and all(map(_UNIT.fullmatch, held.split()))}  # fmt: skip
    for name in names:
        for event in definitions.needed_events[name]:
            if _is_outside(event) or event_key(event).base in elsewhere:
                outside[event] = None
            else:
                first.setdefault(event_key(event), event)
    compiled = Compiled(definitions, EventColumns(first.values()), Constants(constants, definitions.constants, None), names)
    nodes = compiled.graph.nodes
    found: dict[str, list[str]] = {}
    for name, output in zip(compiled.names, compiled.outputs, strict=True):
        seen, waiting, columns = {output}, [output], set()
        while waiting:
            node = nodes[waiting.pop()]
            columns |= {node.text} if node.operation == "column" else set()
            waiting += {*node.on} - seen
            seen |= {*node.on}
        found[name] = [event for event in first.values() if event in columns]
    return found, outside


def _is_outside(event: str) -> bool:
    key = event_key(event)
    return bool(key.pmu) or key.base.startswith("unc_") or key.base in _CLOCKS


def _notes(facts: _Facts, outside: Iterable[str], without: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if outside := list(outside):
        notes.append(f"Not planned, since no core counter reads them: {listed(outside)}. perf stat counts them beside any subexperiment.")
    if without:
        notes.append(f"Metrics that need no event of a core's counters with these constants: {listed(without)}.")
    if not facts.general and facts.known:
        notes.append("Counters and limits are those of the chosen list.")
    elif not facts.general:
        notes.append(
            "No counters are known: each event is taken to fit on every PMC. Intel's *_core.json, read along with the metrics, names them."
        )
    return tuple(notes)
