"""The constants that formulas need: under which names each is known, what it means, and what is taken where no one says.

A value that is given counts first, then one that the definitions' files state, then what the table itself says (how long an interval
is), then an assumption, which is told. Sources: linux, tools/perf/util/expr.c; intel/perfmon, metrics; LIKWID wiki.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.errors import ParameterError

Floats = NDArray[np.float64]
COLUMNS = ("constant", "value", "source", "title", "unit")
TABLE, GIVEN, ASSUMED = "the table's times", "given", "assumed"


@dataclass(frozen=True)
class Quantity:
    """What several constants say in their own units. assumed: its value where nothing else is known; None: it must be given."""

    title: str
    unit: str
    assumed: float | None = None


def _same(value: float) -> float:
    return value


@dataclass(frozen=True)
class _Spelling:
    quantity: str
    to: Callable[..., float] = _same
    back: Callable[..., float] = _same


QUANTITIES = {
    "duration": Quantity("Time that the counts took", "s"),
    "tsc": Quantity("Frequency of the time-stamp counter", "Hz"),
    "smt": Quantity("Simultaneous multithreading is on (1) or off (0)", "", 0.0),
    "core_wide": Quantity("Every thread of a core was counted (1) or not (0)", "", 1.0),
    "sockets": Quantity("Sockets", "", 1.0),
    "dies": Quantity("Dies", "", 1.0),
    "pmem": Quantity("The machine has persistent memory (1) or not (0)", "", 0.0),
}
# Lower case, without "#" -> the quantity, and the constant's value of it.
_SPELLINGS = {
    "duration_time": _Spelling("duration"),
    "durationtimeinseconds": _Spelling("duration"),
    "durationtimeinmilliseconds": _Spelling("duration", lambda s: s * 1e3, lambda ms: ms / 1e3),
    "time": _Spelling("duration"),
    "system_tsc_freq": _Spelling("tsc"),
    "inverseclock": _Spelling("tsc", lambda hz: 1 / hz, lambda s: 1 / s),
    "smt_on": _Spelling("smt"),
    "hyperthreading_on": _Spelling("smt"),
    "threads_per_core": _Spelling("smt", lambda on: on + 1, lambda threads: threads - 1),
    "core_wide": _Spelling("core_wide"),
    "socket_count": _Spelling("sockets"),
    "num_packages": _Spelling("sockets"),
    "num_dies": _Spelling("dies"),
    "has_pmem": _Spelling("pmem"),
}
_TITLES = {
    "cores_per_socket": "Cores per socket",
    "chas_per_socket": "Caching agents (CHA) per socket",
    "num_cpus_online": "Logical processors online",
    "num_cpus": "Logical processors",
    "num_cores": "Cores",
    "slots": "Slots of the pipeline per cycle",
}


class Constants:
    """The value of each constant that formulas ask for, and where it is from; `used` lists those that were asked for."""

    def __init__(self, given: Mapping[str, float] | None, stated: pd.DataFrame, durations: Floats | None) -> None:
        """given: by name, with or without "#". stated: those of the definitions. durations: seconds per row of the table, if known.

        Raises ParameterError for a value that is no finite number.
        """
        self.given = {_plain(name): _checked(name, value) for name, value in (given or {}).items()}
        self._quantities = {}
        for name, value in self.given.items():
            spelling = _SPELLINGS.get(name)
            if spelling is not None and (value or name != "inverseclock"):
                self._quantities[spelling.quantity] = spelling.back(value)
        self._stated = {
            _plain(name): (float(value), str(source))
            for name, value, source in zip(stated["constant"], stated["value"], stated["source"], strict=True)
        }
        self.durations = durations
        self.used: dict[str, dict[str, object]] = {}

    def value(self, name: str) -> float | Floats | None:
        """The value of `name`, one per row if it is the table's; None if it must be given."""
        value, source = self._found(_plain(name))
        if value is not None:
            shown = float(np.mean(value)) if isinstance(value, np.ndarray) else value
            title, unit = self.label(name)
            self.used[name] = {"constant": name, "value": shown, "source": source, "title": title, "unit": unit}
        return value

    def knows(self, name: str) -> bool:
        """Whether `name` without "#" is a constant and not an event: one that was given, is stated, or means a time."""
        plain = _plain(name)
        spelling = _SPELLINGS.get(plain)
        return plain in self.given or plain in self._stated or (spelling is not None and spelling.quantity in ("duration", "tsc"))

    @staticmethod
    def label(name: str) -> tuple[str, str]:
        """What `name` means, and its unit."""
        plain = _plain(name)
        spelling = _SPELLINGS.get(plain)
        if spelling is None:
            if plain.startswith("source_count("):
                return f"Units over which {name[13:-1]} was added up", ""
            if plain.startswith("strcmp_cpuid_str("):
                return f"The processor is {name[17:-1]} (1) or not (0)", ""
            return _TITLES.get(plain, name), ""
        quantity = QUANTITIES[spelling.quantity]
        return quantity.title, "ms" if plain.endswith("milliseconds") else "s per cycle" if plain == "inverseclock" else quantity.unit

    @property
    def frame(self) -> pd.DataFrame:
        """The constants that were used: constant, value (the mean, if it differs by row), source, title, unit."""
        return pd.DataFrame(list(self.used.values()), columns=list(COLUMNS))

    def _found(self, name: str) -> tuple[float | Floats | None, str]:
        if name in self.given:
            return self.given[name], GIVEN
        spelling = _SPELLINGS.get(name)
        if spelling is not None and spelling.quantity in self._quantities:
            return spelling.to(self._quantities[spelling.quantity]), GIVEN
        if name in self._stated:
            return self._stated[name]
        if spelling is None:
            return (1.0, ASSUMED) if name.startswith("source_count(") else (None, "")
        if spelling.quantity == "duration" and self.durations is not None:
            return np.asarray(spelling.to(self.durations), dtype=float), TABLE
        assumed = QUANTITIES[spelling.quantity].assumed
        return (None, "") if assumed is None else (spelling.to(assumed), ASSUMED)


def _plain(name: str) -> str:
    return str(name).removeprefix("#").strip().lower()


def _checked(name: str, value: object) -> float:
    if isinstance(value, bool | int | float | np.number) and np.isfinite(float(value)):
        return float(value)
    raise ParameterError(f"constants: {str(name)[:60]!r} is {str(value)[:40]!r}; it must be a finite number. Correct it.")
