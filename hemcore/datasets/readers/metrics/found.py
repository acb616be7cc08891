"""What one or several files of metric definitions hold, gathered into one table."""

from dataclasses import dataclass, field

import pandas as pd

from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.tables.metric_definitions import (
    CONSTANT_COLUMNS,
    EVENT_COLUMNS,
    MOST_METRICS,
    MetricDefinitions,
    check_names,
    parsed,
)
from hemcore.errors import ReadError, TableError

REMEDY = (
    "Send what `perf list -j --details` or `perf list --details` prints, Intel's or Arm's JSON, LIKWID's group files, or a CSV with the"
    " columns name and formula."
)
_LONGEST = 5_000


@dataclass
class Found:
    """Metrics (the columns of MetricDefinitions.frame), events, constants, repairs and notes, as readers find them."""

    metrics: dict[str, dict[str, object]] = field(default_factory=dict)
    events: dict[str, dict[str, object]] = field(default_factory=dict)
    constants: dict[str, dict[str, object]] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def metric(self, where: str, name: str, formula: str, **more: object) -> None:
        """Add a metric; one that is there already is kept, and one whose formula or threshold does not parse is left out, and listed."""
        if name in self.metrics:
            known = self.metrics[name]
            if known["formula"] != formula:
                self.repairs.append(Repair(where, name[:80], "a second formula for this name: the first is used", 1))
            return
        if len(self.metrics) >= MOST_METRICS:
            raise ReadError(f"{where}: more than {MOST_METRICS:,} metrics; at most that many are read. Leave some out.")
        try:
            check_names([name])
            parsed(formula, f"metric {name}")
        except TableError as error:
            self.repairs.append(Repair(where, name[:80], f"metric left out: {str(error)[:300]}", 1))
            return
        threshold = str(more.get("threshold", ""))
        if threshold:
            try:
                parsed(threshold, f"threshold of {name}")
            except TableError as error:
                self.repairs.append(Repair(where, name[:80], f"threshold left out: {str(error)[:300]}", 1))
                more["threshold"] = ""
        texts = {key: _text(value) if isinstance(value, str) else value for key, value in more.items()}
        self.metrics[name] = {"name": name, "formula": formula, **texts}

    def event(self, name: str, description: str, **more: str) -> None:
        """Add what is known of an event (the columns of MetricDefinitions.events); the first that says anything stays."""
        known = self.events.setdefault(_text(name), {"event": _text(name)})
        for column, text in {"description": _text(description), **more}.items():
            known[column] = known.get(column) or text

    def constant(self, name: str, value: float, source: str) -> None:
        """Add the value of a constant that a file states."""
        self.constants.setdefault(name, {"constant": name, "value": value, "source": source})

    def table(self, where: str) -> MetricDefinitions:
        """All of it as a table. Raises ReadError if there is no metric, TableError as the table does."""
        if not self.metrics:
            first = f" The first that was left out: {self.repairs[0].what.partition(': ')[2]}" if self.repairs else ""
            raise ReadError(f"{where}: no metric found.{first} {REMEDY}")
        return MetricDefinitions(
            frame=pd.DataFrame(list(self.metrics.values())),
            events=pd.DataFrame(list(self.events.values()), columns=list(EVENT_COLUMNS)),
            constants=pd.DataFrame(list(self.constants.values()), columns=list(CONSTANT_COLUMNS)),
        )


def _text(value: str) -> str:
    """`value` as text that can be kept: of limited length, and without half a surrogate pair, which JSON can say."""
    return value[:_LONGEST].encode("utf-8", "replace").decode()
