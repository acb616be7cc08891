"""Definitions of metrics: formulas over events, with units, thresholds and their place in a tree."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import check_column_names, check_columns_present, check_has_rows, listed
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError
from hemcore.formulas.grammar import Formula, parse

MOST_METRICS = 20_000
COLUMNS = ("name", "formula", "unit", "scale", "level", "parent", "group", "threshold", "description")
_DEFAULTS: dict[str, object] = {"scale": 1.0, "level": 0}
EVENT_COLUMNS = ("event", "description", "counters", "counters_smt_off", "alone")
CONSTANT_COLUMNS = ("constant", "value", "source")


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric. formula, threshold: parsed; threshold None if there is none. scale: what its value is multiplied by for `unit`.

    level: in the tree, from 1; 0 = not in the tree. parent: the metric above it, "" if there is none. groups: what it belongs to.
    """

    name: str
    formula: Formula
    unit: str
    scale: float
    level: int
    parent: str
    groups: tuple[str, ...]
    threshold: Formula | None
    description: str


def _no_rows(columns: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=float if name == "value" else str) for name in columns})


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricDefinitions(TypedTable):
    """One row per metric, each name once, in the order in which they came.

    frame: columns `name`; `formula` (grammar: hemcore.formulas.grammar; its own name in it is the event); and, if known, `unit`;
        `scale` (a value times this is in `unit`;
        default 1); `level` (in the tree, from 1; 0: not in it); `parent` (name of the metric above); `group` (names between semicolons);
        `threshold` (a formula that is true where the metric deserves attention); `description`.
    events: what is known of events: `event`, `description`, `counters` (those that may count it, blanks between; "" = any),
        `counters_smt_off` (the same without simultaneous multithreading, if they are others), `alone` (a name that events share of which
        one subexperiment can read one; "" = none). May be empty.
    constants: the values that the files state: `constant`, `value`, `source`. May be empty.

    Raises TableError for no metric, more than 20,000, a name that is blank, not printable or repeated, a formula that does not parse, and
    metrics that need each other in a circle.
    """

    frame: pd.DataFrame
    events: pd.DataFrame = field(default_factory=lambda: _no_rows(EVENT_COLUMNS))
    constants: pd.DataFrame = field(default_factory=lambda: _no_rows(CONSTANT_COLUMNS))

    def __post_init__(self) -> None:
        check_column_names(self.frame.columns, "metrics")
        check_columns_present(self.frame, ("name", "formula"), "metrics")
        check_has_rows(self.frame, "metrics")
        if len(self.frame) > MOST_METRICS:
            raise TableError(f"metrics: {len(self.frame):,} rows; at most {MOST_METRICS:,} are taken. Leave some out.")
        columns = {name: _column(self.frame, name) for name in COLUMNS}
        frame = pd.DataFrame(columns)
        check_names(columns["name"])
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "events", _texts(self.events, EVENT_COLUMNS))
        constants = self.constants.reset_index(drop=True)
        check_columns_present(constants, CONSTANT_COLUMNS, "constants")
        object.__setattr__(self, "constants", constants[list(CONSTANT_COLUMNS)].astype({"value": float, "constant": str, "source": str}))
        _ = self.in_order

    @cached_property
    def metrics(self) -> Mapping[str, Metric]:
        """The metrics by name, parsed."""
        found = {}
        for row in self.frame.to_dict("records"):
            name, threshold = str(row["name"]), str(row["threshold"])
            found[name] = Metric(
                name=name,
                formula=parsed(str(row["formula"]), f"metric {name}"),
                unit=str(row["unit"]),
                scale=float(row["scale"]),
                level=int(row["level"]),
                parent=str(row["parent"]),
                groups=tuple(each for each in str(row["group"]).split(";") if each),
                threshold=parsed(threshold, f"threshold of {name}") if threshold else None,
                description=str(row["description"]),
            )
        return found

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """The metrics' names, each after those that its formula names. Raises TableError for a circle, as the class does."""
        return sorted_by_need({name: metric.formula for name, metric in self.metrics.items()})

    @property
    def names(self) -> list[str]:
        """The metrics' names, in order."""
        return list(self.frame["name"])

    @cached_property
    def needed_events(self) -> Mapping[str, tuple[str, ...]]:
        """The events of each metric, those of the metrics that it names included, in order of first use."""
        return {
            name: tuple(dict.fromkeys(each for metric in self.reached(name) for each in self._own_events(metric))) for name in self.metrics
        }

    def reached(self, name: str) -> tuple[str, ...]:
        """`name` and the metrics that its formula needs, directly or not."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            metric = waiting.pop()
            if metric not in found:
                found[metric] = None
                waiting += [each for each in self.metrics[metric].formula.names if each in self.metrics]
        return tuple(found)

    def _own_events(self, name: str) -> tuple[str, ...]:
        return tuple(each for each in self.metrics[name].formula.names if each not in self.metrics or each == name)


def parsed(text: str, what: str) -> Formula:
    """The formula `text`. Raises TableError, one sentence, if it is none."""
    try:
        return parse(text, what[:120])
    except ValueError as error:
        raise TableError(str(error)) from None


def check_names(names: list[object]) -> None:
    """Raise TableError unless every name is printable text, not blank, of at most 300 characters, and there once."""
    seen: set[object] = set()
    for row, name in enumerate(names, start=1):
        if not isinstance(name, str) or not name or not name.isprintable() or len(name) > 300:
            raise TableError(
                f"metrics: row {row} is named {str(name)[:60]!r}; a name must be printable text of 1 to 300 characters. Rename it."
            )
        if name in seen:
            raise TableError(f"metrics: row {row}: {name[:60]!r} appears more than once; a metric has one formula. Rename or remove one.")
        seen.add(name)


def sorted_by_need(formulas: Mapping[str, Formula]) -> tuple[str, ...]:
    """The names, each after those that its formula needs. Its own name in its formula is the event of that name.

    Raises TableError if one needs itself by way of others.
    """
    needs = {name: [each for each in formula.names if each in formulas and each != name] for name, formula in formulas.items()}
    done: dict[str, None] = {}
    for start in needs:
        path: list[tuple[str, int]] = [(start, 0)]
        on_path = {start}
        while path and path[0][0] not in done:
            name, place = path[-1]
            if place == len(needs[name]):
                path.pop()
                on_path.discard(name)
                done[name] = None
                continue
            path[-1] = (name, place + 1)
            further = needs[name][place]
            if further in on_path:
                circle = [each for each, _ in path]
                circle = [*circle[circle.index(further) :], further]
                raise TableError(f"metrics: {' needs '.join(map(repr, circle[:6]))}: a circle has no value. Correct one of the formulas.")
            if further not in done:
                path.append((further, 0))
                on_path.add(further)
    return tuple(done)


def _column(frame: pd.DataFrame, name: str) -> list[object]:
    if name not in frame.columns:
        return [_DEFAULTS.get(name, "")] * len(frame)
    cells = frame[name]
    if name in _DEFAULTS:
        numbers = pd.to_numeric(cells, errors="coerce").replace([np.inf, -np.inf], np.nan).fillna(float(str(_DEFAULTS[name])))
        return [int(each) for each in numbers.clip(0, 99)] if name == "level" else [float(each) for each in numbers]
    return ["" if pd.isna(cell) else str(cell).strip() for cell in cells]


def _texts(frame: pd.DataFrame, columns: tuple[str, ...]) -> pd.DataFrame:
    check_columns_present(frame, columns[:1], listed(columns))
    given = {name: frame[name] if name in frame.columns else [""] * len(frame) for name in columns}
    return pd.DataFrame({name: ["" if pd.isna(cell) else str(cell) for cell in cells] for name, cells in given.items()}, dtype=str)
