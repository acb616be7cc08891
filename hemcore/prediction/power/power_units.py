"""Which columns of a phase table are power, energy, time, voltage, frequency and temperature, and in which unit; the others are events.

Names as the tools write them: Cortex-A15 logs ("A15 Power(W)"), EAR ("DC_NODE_POWER_W", "TIME_SEC", "AVG_CPUFREQ_KHZ"), perf's RAPL
("power/energy-pkg/", J), LIKWID ("PWR_PKG_ENERGY", J; "Runtime (RDTSC) [s]", "Clock [MHz]") and PAPI's RAPL ("PACKAGE_ENERGY", nJ).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import KEYS, PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import is_core_count, is_temperature

Quantity = Literal["power", "energy", "time", "voltage", "frequency", "temperature", "current", "cores"]
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)

# A unit at the end of a name: "(W)", "[W]", "_W"; the first group that matches.
_UNIT = re.compile(r"(?:[(\[]\s*([^()\[\]]+?)\s*[)\]]|_([A-Za-z°]+))\s*$")
# Factors to W, J, s, V, MHz, degrees C and A.
_UNITS: dict[Quantity, dict[str, float]] = {
    "power": {"W": 1, "mW": 1e-3, "mw": 1e-3, "kW": 1e3, "watt": 1, "watts": 1},
    "energy": {"J": 1, "mJ": 1e-3, "uJ": 1e-6, "nJ": 1e-9, "kJ": 1e3, "joules": 1, "Joules": 1},
    "time": {"s": 1, "sec": 1, "SEC": 1, "seconds": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    "voltage": {"V": 1, "mV": 1e-3},
    "frequency": {"MHz": 1, "GHz": 1e3, "kHz": 1e-3, "KHZ": 1e-3, "KHz": 1e-3, "Hz": 1e-6, "MHZ": 1, "GHZ": 1e3},
    "temperature": {"C": 1, "°C": 1, "degC": 1},
    "current": {"A": 1, "mA": 1e-3},
    "cores": {},
}
# Names that say what they are without a unit, and the unit they have.
_NAMES: tuple[tuple[Quantity, re.Pattern[str], float], ...] = (
    ("energy", re.compile(r"^power/energy-[\w-]+/?$|^energy-(pkg|cores|ram|psys|gpu)$"), 1.0),
    ("energy", re.compile(r"^PWR_\w*ENERGY$"), 1.0),
    ("energy", re.compile(r"^(rapl:::)?\w*(PACKAGE|DRAM|PP0|PP1)_ENERGY(:\w+)?$"), 1e-9),
    ("energy", re.compile(r"^energy$", re.IGNORECASE), 1.0),
    ("power", re.compile(r"(^|[_\s])(power|watts)$", re.IGNORECASE), 1.0),
    ("time", re.compile(r"^duration_time$"), 1e-9),
    ("time", re.compile(r"^(seconds|duration|runtime|elapsed)$", re.IGNORECASE), 1.0),
    ("voltage", re.compile(r"(^|[_\s])(volt(age|s)?|vcore|vdd(_\w*\d)?)$", re.IGNORECASE), 1.0),
    ("current", re.compile(r"^(current|amps|amperes)$", re.IGNORECASE), 1.0),
)
# Of several columns of one quantity the first is taken whose name has the earliest of these: the processor before memory and the node.
_BETTER = re.compile(r"pkg|package|pck|a15|cpu|big|core", re.IGNORECASE)
_WHAT = "a column such as 'A15 Power(W)', 'PCK_POWER_W', 'power/energy-pkg/' or 'Energy [J]'"


@dataclass(frozen=True, kw_only=True)
class PowerColumns:
    """The columns of a table. column: by quantity (name, factor to W, J, s, V, MHz, degrees C), those found; target: the name of the power
    or energy that is predicted; events: the counters that are none of these; measures: everything that is one of them."""

    column: dict[Quantity, tuple[str, float]]
    target: str
    events: tuple[str, ...]
    measures: tuple[str, ...]

    @property
    def of_energy(self) -> bool:
        """Whether the target is an energy, so that power is energy over time."""
        return self.column.get("energy", ("", 0))[0] == self.target

    def values(self, frame: pd.DataFrame, quantity: Quantity) -> pd.Series:
        """The column in W, J, s, V, MHz or degrees C; NaN throughout if the table has none."""
        name, factor = self.column.get(quantity, ("", 1.0))
        return frame[name].astype(float) * factor if name else pd.Series(float("nan"), index=frame.index)


def quantity_of(name: str) -> tuple[Quantity, float] | None:
    """(what a column is, its factor to the unit of `PowerColumns`); None for a counter of events."""
    if is_core_count(name) or name.lower() in ("core", "cpu"):
        return "cores", 1.0
    for quantity, rule, factor in _NAMES:
        if rule.search(name):
            return quantity, factor
    if is_temperature(name):
        return "temperature", 1.0
    unit = _UNIT.search(name)
    if unit is None:
        return None
    text, bracketed = unit[1] or unit[2], unit[1] is not None
    for quantity in QUANTITIES:
        for written in (text,) if bracketed else (text, text.upper()):  # "power_w"
            if written in _UNITS[quantity] and (bracketed or _says(name, quantity)):
                return quantity, _UNITS[quantity][written]
    return None


def without_sensors(names: Sequence[str]) -> tuple[str, ...]:
    """The counters of events among `names`, without power, energy, voltage, current, temperature and core counts: all if none is left.

    Sensors beside a target give it away (P = V I) and say nothing of a program. Times and frequencies stay.
    """
    kinds = {name: quantity_of(name) for name in names}
    kept = tuple(name for name, kind in kinds.items() if kind is None or kind[0] in ("time", "frequency"))
    return kept or tuple(names)


def _says(name: str, quantity: Quantity) -> bool:
    """Whether a name whose unit stands after an underline ("PCK_POWER_W") has a word of its quantity too: "L2_M_A" is an event."""
    words = {"power": "power|watt", "energy": "energ", "time": "time|duration|runtime", "frequency": "freq|clock"}
    words |= {"voltage": "volt|vdd|vcore", "temperature": "temp", "current": "current|amp"}
    return re.search(words.get(quantity, "$^"), name, re.IGNORECASE) is not None


def target_choices(table: PhaseTable) -> list[str]:
    """The columns of power and energy, the likeliest first; empty if there are none."""
    found = [(name, quantity_of(name)) for name in _numeric(table)]
    known = [(name, kind[0]) for name, kind in found if kind is not None and kind[0] in ("power", "energy")]
    return [name for name, _ in sorted(known, key=lambda each: (_BETTER.search(each[0]) is None, each[1] != "power"))]


def power_columns(table: PhaseTable, target: str = "") -> PowerColumns:
    """The columns of `table`; target: "" for the likeliest.

    Raises ParameterError if no column holds power or energy, `target` is none of them, or there is no counter of events.
    """
    choices = target_choices(table)
    if not choices:
        raise ParameterError(f"Watts: no column of the table holds power or energy. Add {_WHAT}, read together with the counters.")
    if target and target not in choices:
        raise ParameterError(f"Target: {target[:60]!r} holds neither power nor energy. Choose one of {listed(choices)}.")
    target = target or choices[0]
    column: dict[Quantity, tuple[str, float]] = {}
    measures = []
    for name in _numeric(table):
        kind = quantity_of(name)
        if kind is None:
            continue
        measures.append(name)
        quantity, factor = kind
        own = name == target
        if quantity in ("power", "energy") and not own:
            continue  # another rail; beside the target it would give it away
        if quantity not in column or (_BETTER.search(name) and not _BETTER.search(column[quantity][0])):
            column[quantity] = (name, factor)
    events = tuple(name for name in table.counters if name not in measures)
    if not events:
        raise ParameterError(f"Watts: the table has {listed(measures)} but no counter of events to explain {target!r}. Add counters.")
    return PowerColumns(column=column, target=target, events=events, measures=tuple(measures))


def _numeric(table: PhaseTable) -> Sequence[str]:
    """The columns of numbers that are no keys; `time`, which says when a phase was read and not how long it took, is none of them."""
    return [
        str(name) for name in table.frame.columns if name not in (*KEYS, "run", "time") and pd.api.types.is_numeric_dtype(table.frame[name])
    ]
