"""Selection of the phases of a table, and their counts scaled so that counters of any size are comparable."""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import KEYS, PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.explore.event_groups import target_of
from hemcore.prediction.explore.params import ExploreParams

_ENOUGH = 4_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Keys:
    """Program, granularity and load of each row of a table, as indices into `programs`, `granularities` and `loads` (texts)."""

    program: Whole
    granularity: Whole
    load: Whole
    programs: tuple[str, ...]
    granularities: tuple[str, ...]
    loads: tuple[str, ...]

    @property
    def sizes(self) -> Whole:
        """Number of phases of each granularity under each load, shape (granularities, loads)."""
        found = np.zeros((len(self.granularities), len(self.loads)), dtype=np.int64)
        np.add.at(found, (self.granularity, self.load), 1)
        return found


_known: "weakref.WeakKeyDictionary[PhaseTable, Keys]" = weakref.WeakKeyDictionary()


def keys_of(table: PhaseTable) -> Keys:
    """The keys of `table`, computed once."""
    if table not in _known:
        frame = table.frame
        granularities = table.granularities
        _known[table] = Keys(
            program=pd.Index(table.programs).get_indexer(pd.Index(frame["program"])).astype(np.int64),
            granularity=pd.Index(granularities).get_indexer(pd.Index(frame["granularity"])).astype(np.int64),
            load=pd.Index(table.loads).get_indexer(pd.Index(frame["load"])).astype(np.int64),
            programs=tuple(str(each) for each in table.programs),
            granularities=tuple(str(each) for each in granularities),
            loads=tuple(table.loads),
        )
    return _known[table]


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseSelection:
    """The phases of one granularity and load. rows: row numbers in the table's frame, at least one; load: "" for every load."""

    rows: Whole
    target: str
    granularity: str
    load: str

    @property
    def text(self) -> str:
        """Granularity and load as text."""
        loads = self.load or "every load"
        return f"{int(self.granularity):,} blocks, {loads}" if self.granularity.isdigit() else f"{self.granularity}, {loads}"


def select_phases(table: PhaseTable, params: ExploreParams, *, all_loads: bool = False) -> PhaseSelection:
    """The rows with the granularity and load of `params`. Raises ParameterError for an unknown name, and if there are no rows."""
    keys = keys_of(table)
    target = target_of(table.counters, params.target)
    load = 0 if not params.load else _place(keys.loads, params.load, "Load")
    sizes = keys.sizes.sum(axis=1) if all_loads else keys.sizes[:, load]
    granularity = usual_granularity(sizes) if not params.granularity else _place(keys.granularities, params.granularity, "Granularity")
    chosen = keys.granularity == granularity
    if not all_loads:
        chosen &= keys.load == load
    rows = np.flatnonzero(chosen)
    if not len(rows):
        raise ParameterError(
            f"Granularity and load: there are no phases at {keys.granularities[granularity]}, {keys.loads[load]}. Choose another pair."
        )
    return PhaseSelection(rows=rows, target=target, granularity=keys.granularities[granularity], load="" if all_loads else keys.loads[load])


def _place(known: Sequence[str], name: str, title: str) -> int:
    if name not in known:
        raise ParameterError(f"{title}: {name[:60]!r} is not in the table. Choose one of {listed(known)}.")
    return known.index(name)


def usual_granularity(sizes: Whole) -> int:
    """The index of the granularity whose number of phases is closest to 4,000: enough for training, and quick to compute."""
    return int(np.where(sizes > 0, np.abs(np.log(np.maximum(sizes, 1) / _ENOUGH)), np.inf).argmin())


def programs_of(table: PhaseTable, selection: PhaseSelection) -> list[str]:
    """The programs with a phase among the selected rows, in the table's order."""
    keys = keys_of(table)
    return [keys.programs[code] for code in np.unique(keys.program[selection.rows])]


def varied_program(table: PhaseTable, selection: PhaseSelection) -> str:
    """The program whose phases vary most in the target per instruction; the largest if none varies."""
    keys = keys_of(table)
    work = instructions_of(table.counters)
    values = values_of(table, selection.target, selection.rows)
    if work is not None and work != selection.target:
        executed = values_of(table, work, selection.rows)
        values = np.where(executed > 1e-12, values / np.where(executed > 1e-12, executed, 1.0), np.nan)
    by_program = pd.Series(values).groupby(keys.program[selection.rows])
    sizes, mean = by_program.size(), by_program.mean()
    share = (by_program.std(ddof=0) / mean).where((by_program.count() == sizes) & (mean > 0), 0.0)
    most = share if share.max() > 0 else sizes
    return keys.programs[most.index.to_numpy()[most.to_numpy().argmax()]]


def counts_of(table: PhaseTable, rows: Whole) -> pd.DataFrame:
    """The counters of these rows; the index holds the row numbers."""
    return table.frame[list(table.counters)].iloc[rows]


def numbers_of(table: PhaseTable | pd.DataFrame) -> pd.DataFrame:
    """The counters of a phase table; for a plain frame its numeric columns except the keys of phases.

    Raises ParameterError if there are none.
    """
    if isinstance(table, PhaseTable):
        return table.frame[list(table.counters)]
    found = [name for name in table.columns if name not in KEYS and _is_number(table[name])]
    if not found:
        raise ParameterError(f"table: no numeric column among {listed(table.columns)}. Add columns of counts.")
    return table[found]


def within(column: pd.Series) -> tuple[Floats, float]:
    """(counts scaled from 0 at the smallest to 1 at the largest; the range between both). NaN where not counted; zeros for a constant.

    Integers are subtracted as integers, which keeps the differences of counts around 2**63.
    """
    plain = column.to_numpy()
    if plain.dtype.kind in "iu" and len(plain):
        least, most = plain.min(), plain.max()
        reach = float(int(most) - int(least))
        return (plain - least).astype(float) / (reach or 1.0), reach
    values = column.to_numpy(dtype=float, na_value=np.nan)
    known = np.isfinite(values)
    if not known.any():
        return np.full(len(values), np.nan), 0.0
    least, most = values[known].min(), values[known].max()
    reach = float(most - least)
    if not reach:
        return np.where(known, 0.0, np.nan), 0.0
    return np.minimum((values - least) / reach, 1.0), reach


def counted(column: pd.Series) -> Flags:
    """Whether each value was counted (is not NaN)."""
    found: Flags = column.notna().to_numpy()
    return found


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def values_of(table: PhaseTable, name: str, rows: Whole, *, per_instruction: bool = False) -> Floats:
    """The counts of one counter in these rows, or its counts per executed instruction; NaN where unknown. Shape (rows,).

    Raises ParameterError for rates if no counter counts instructions.
    """
    counts: Floats = table.frame[name].to_numpy(dtype=float, na_value=np.nan)[rows]
    if not per_instruction:
        return counts
    work = instructions_of(table.counters)
    if work is None:
        raise ParameterError("Per instruction: no counter of the table counts executed instructions. Choose counts.")
    executed = table.frame[work].to_numpy(dtype=float, na_value=np.nan)[rows]
    with np.errstate(over="ignore"):
        found: Floats = counts / np.where(executed > 0, executed, np.nan)
    return np.where(np.isfinite(found), found, np.nan)


def one_phase(table: PhaseTable, row: int, rows: Whole) -> pd.DataFrame:
    """The counters of the phase at `row`, one per row, compared with the phases at `rows`.

    Columns: counter, count, per instruction (if instructions are counted), median (of `rows`), more than (the share of `rows` with a
    smaller count). NaN where not counted. Raises ParameterError for a row outside the table.
    """
    if not 0 <= row < len(table.frame):
        raise ParameterError(f"row: {row!r} is outside the table of {len(table.frame):,} phases. Click a point again.")
    work = instructions_of(table.counters)
    found = []
    for name in table.counters:
        values = table.frame[name].to_numpy(dtype=float, na_value=np.nan)
        own, others = float(values[row]), values[rows]
        known = others[np.isfinite(others)]
        below = float((known < own).mean()) if len(known) and np.isfinite(own) else float("nan")
        found.append((name, own, float(np.median(known)) if len(known) else float("nan"), below))
    shown = pd.DataFrame(found, columns=["counter", "count", "median", "more than"])
    if work is not None:
        shown.insert(
            2, "per instruction", [float(values_of(table, name, np.array([row]), per_instruction=True)[0]) for name in shown["counter"]]
        )
    return shown
