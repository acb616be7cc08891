"""The value of each metric in each row of a table, and what could not be evaluated and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import UnknownNameError
from hemcore.events.spelling import EventColumns
from hemcore.formulas.grammar import Formula
from hemcore.formulas.graph import Graph, Node
from hemcore.formulas.machine import Computed, compute
from hemcore.metrics.known_constants import Constants
from hemcore.metrics.read_together import joint_parts
from hemcore.metrics.run_means import RunMeans
from hemcore.metrics.table_counts import Counts, Measured, counts_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The metrics of a table.

    frame: a row per row of the table, a column per metric; NaN where it has no value. needs: by metric, the events and constants
    ("#name") that it lacks. notes: by metric, sentences on what has no value and why. constants: those used (constant, value, source,
    title, unit).
    """

    frame: pd.DataFrame
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: pd.DataFrame = field(default_factory=pd.DataFrame)


def evaluate(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    anchor: str | None = None,
) -> pd.DataFrame:
    """The metrics of `definitions` over `table`: a column per metric, the rows of the table; of Subexperiments, one row.

    table: Subexperiments (means over runs; ratios by anchor where a HEM was read in each), a CounterSeries (a row per interval), a
    PhaseTable (a row per phase), a SignatureTable, or a DataFrame with a column of counts per event. Names are matched in any spelling
    (hemcore.events.spelling).
    constants: what formulas call #name or declare as constants, by those names. metrics: which; default: all. anchor: of Subexperiments,
    the HEM to use; "" = none.

    A value is the formula's own; times `Metric.scale` it is in `Metric.unit`. It is NaN where an event was not counted and where a
    division is by zero; `.attrs["notes"]` of the frame says what and why, by metric; `evaluation` gives all of it.
    Raises TableError for a table without counts, UnknownNameError for a metric that is not there, ParameterError for a constant that is no
    number.
    """
    found = evaluation(definitions, table, constants=constants, metrics=metrics, anchor=anchor)
    found.frame.attrs["notes"] = {name: " ".join(notes) for name, notes in found.notes.items()}
    return found.frame


def evaluation(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    anchor: str | None = None,
) -> Evaluation:
    """As `evaluate`, with what is missing and the constants that were used. Raises as it does."""
    counts = counts_of(table, anchor)
    known = Constants(constants, definitions.constants, counts.durations)
    compiled = Compiled(definitions, counts.events, known, chosen(definitions, metrics))
    computed = compiled.compute(counts.columns, len(counts.index))
    frame = pd.DataFrame(computed.outputs.T, index=counts.index, columns=compiled.names, copy=False)
    if isinstance(table, Subexperiments):
        frame = frame.assign(**_read_together(definitions, RunMeans(table, anchor), known.given, compiled))
    return Evaluation(
        frame=frame,
        needs=compiled.needs,
        notes=compiled.notes(computed, counts),
        constants=known.frame,
    )


def _read_together(
    definitions: MetricDefinitions, means: RunMeans, constants: Mapping[str, float], compiled: "Compiled"
) -> dict[str, Floats]:
    """The metrics that are taken from the runs which read all their events alone (see read_together)."""
    found: dict[str, Floats] = {}
    parts = joint_parts(definitions, compiled.names, means, constants, lambda columns, n: compiled.compute(columns, n).outputs)
    for members, names in parts.items():
        values = compiled.compute(means.means([np.ones((1, n)) for n in means.runs], members), 1).outputs
        found |= {name: values[compiled.names.index(name)] for name in names}
    return found


def chosen(definitions: MetricDefinitions, metrics: Sequence[str] | None) -> list[str]:
    """The metrics to evaluate, in order. Raises UnknownNameError for one that is not there."""
    if metrics is None:
        return definitions.names
    unknown = [name for name in metrics if name not in definitions.metrics]
    if unknown:
        raise UnknownNameError(f"metrics: {listed(unknown)} is not defined; there are {listed(definitions.names)}. Correct the name.")
    return list(dict.fromkeys(metrics))


def evaluable(definitions: MetricDefinitions, counts: Counts, constants: Mapping[str, float] | None = None) -> list[str]:
    """The metrics that lack neither an event of `counts` nor a constant, in their order; without identities, which are no numbers.

    Raises ParameterError for a constant that is no number.
    """
    known = Constants(constants, definitions.constants, counts.durations)
    lacks = Compiled(definitions, counts.events, known, definitions.names).needs
    return [name for name, metric in definitions.metrics.items() if name not in lacks and not metric.formula.is_identity]


class Compiled:
    """The metrics `names` as one graph over the columns `events` and `constants`. nodes: by metric, those that `names` need included.

    also: formulas that `extra` adds before `compute`, so that the metrics they name are there.
    """

    def __init__(
        self,
        definitions: MetricDefinitions,
        events: EventColumns,
        constants: Constants,
        names: Sequence[str],
        also: Sequence[Formula] = (),
    ) -> None:
        self.names = list(names)
        self.graph = Graph()
        self._events, self._constants = events, constants
        self.nodes: dict[str, int] = {}
        self._durations: list[str] = []
        named = [*self.names, *(name for formula in also for name in formula.names if name in definitions.metrics)]
        wanted = {each for name in named for each in definitions.reached(name)}
        for name in definitions.in_order:
            if name in wanted:
                self.nodes[name] = self.extra(definitions.metrics[name].formula)
        self.outputs = [self.nodes[name] for name in self.names]

    def extra(self, formula: Formula) -> int:
        """The node of a further formula over the metrics, events and constants."""
        return self.graph.add(formula, self._name, self._constant, lambda event: self._events.find(event) is not None)

    @property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """By metric, what it lacks; metrics that lack nothing are left out."""
        return {
            name: tuple(sorted(lacks)) for name, node in zip(self.names, self.outputs, strict=True) if (lacks := self.graph.missing[node])
        }

    def compute(self, columns: Mapping[str, Floats], n_rows: int, extra: Sequence[int] = ()) -> Computed:
        """The values of all metrics, then of the nodes `extra`: shape (metrics + extra, n_rows)."""
        durations = self._constants.durations
        if self._durations and durations is not None:
            columns = {**columns, **{name: np.asarray(self._constants.value(name.removeprefix("#"))) for name in self._durations}}
        return compute(self.graph, [*self.outputs, *extra], columns, n_rows)

    def notes(self, computed: Computed, counts: Counts) -> dict[str, tuple[str, ...]]:
        """By metric, what has no value and why."""
        found: dict[str, tuple[str, ...]] = {}
        divided = self._reached({*computed.zero_divisions, *computed.overflows, *computed.ratios})
        for name, node in zip(self.names, self.outputs, strict=True):
            if lacks := self.graph.missing[node]:
                found[name] = (self._lack(lacks, counts),)
                continue
            notes = []
            for what, by_node in (
                ("divides by zero; it has no value there", computed.zero_divisions),
                ("leaves the range of a number; it has no value there", computed.overflows),
                ("has d_ratio with a denominator of 0, which gives 0", computed.ratios),
            ):
                rows = max((by_node.get(each, 0) for each in divided[node]), default=0)
                if rows:
                    notes.append(f"{name} {what}: {rows:,} of {len(counts.index):,} rows.")
            if notes:
                found[name] = tuple(notes)
        return found

    def _lack(self, lacks: frozenset[str], counts: Counts) -> str:
        events = sorted(each for each in lacks if not each.startswith("#"))
        several = [(each, self._events.several(each)) for each in events]
        unclear = next(((each, columns) for each, columns in several if columns), None)
        if unclear is not None:
            return f"needs {unclear[0]}, which may be {listed(unclear[1])}: leave one of them out, or name it in the formula."
        constants = sorted(each for each in lacks if each.startswith("#"))
        parts = [f"{', '.join(events)}, {counts.where}"] if events else []
        parts += [f"the value of {', '.join(constants)}: give it in constants"] if constants else []
        return f"needs {'; and '.join(parts)}."

    def _name(self, name: str) -> int:
        if name in self.nodes:
            return self.nodes[name]
        column = self._events.find(name)
        if column is not None:
            return self.graph.node(Node("column", text=column))
        if self._constants.knows(name):
            return self._constant(name)
        return self.graph.node(Node("missing", text=name))

    def _constant(self, name: str) -> int:
        value = self._constants.value(name)
        if value is None:
            column = self._events.find(name)
            return self.graph.node(Node("missing", text=f"#{name}") if column is None else Node("column", text=column))
        if isinstance(value, np.ndarray):
            column = f"#{name}"
            if column not in self._durations:
                self._durations.append(column)
            return self.graph.node(Node("column", text=column))
        return self.graph.number(value)

    def _reached(self, wanted: set[int]) -> list[frozenset[int]]:
        """By node, which of `wanted` lead to it, itself included."""
        found: list[frozenset[int]] = []
        for number, node in enumerate(self.graph.nodes):
            own = frozenset({number}) if number in wanted else frozenset()
            found.append(own.union(*(found[each] for each in node.on)) if node.on else own)
        return found
