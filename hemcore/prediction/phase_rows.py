"""Which phases of a table a question is about, and their counts as numbers that can be compared whatever their size."""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.phase_table import KEYS, PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.explore.event_groups import instructions_of, target_of
from hemcore.prediction.explore.params import ExploreParams

_ENOUGH = 4_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Keys:
    """Program, granularity and load of each row of a table as numbers: places in `programs`, `granularities` and `loads` (as texts)."""

    program: Whole
    granularity: Whole
    load: Whole
    programs: tuple[str, ...]
    granularities: tuple[str, ...]
    loads: tuple[str, ...]

    @property
    def sizes(self) -> Whole:
        """How many phases there are of each granularity under each load, shape (granularities, loads)."""
        found = np.zeros((len(self.granularities), len(self.loads)), dtype=np.int64)
        np.add.at(found, (self.granularity, self.load), 1)
        return found


_known: "weakref.WeakKeyDictionary[PhaseTable, Keys]" = weakref.WeakKeyDictionary()


def keys_of(table: PhaseTable) -> Keys:
    """The keys of `table`, found once."""
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
class Asked:
    """What a question is about, named in full. rows: places in the table's frame, at least one; load "" = every load."""

    rows: Whole
    target: str
    granularity: str
    load: str

    @property
    def words(self) -> str:
        """Granularity and load as text."""
        loads = self.load or "every load"
        return f"{int(self.granularity):,} blocks, {loads}" if self.granularity.isdigit() else f"{self.granularity}, {loads}"


def asked_of(table: PhaseTable, params: ExploreParams, *, all_loads: bool = False) -> Asked:
    """The rows of the granularity and load that `params` name. Raises ParameterError for a name the table does not have, and for none."""
    keys = keys_of(table)
    target = params.target or target_of(table.counters)
    if target not in table.counters:
        raise ParameterError(f"Target: {target[:60]!r} is no counter of the table; they are {listed(table.counters)}. Choose one of them.")
    load = 0 if not params.load else _place(keys.loads, params.load, "Load")
    sizes = keys.sizes.sum(axis=1) if all_loads else keys.sizes[:, load]
    granularity = _usual(sizes) if not params.granularity else _place(keys.granularities, params.granularity, "Granularity")
    chosen = keys.granularity == granularity
    if not all_loads:
        chosen &= keys.load == load
    rows = np.flatnonzero(chosen)
    if not len(rows):
        raise ParameterError(
            f"Granularity and load: no phase was read at {keys.granularities[granularity]}, {keys.loads[load]}. Choose another pair."
        )
    return Asked(rows=rows, target=target, granularity=keys.granularities[granularity], load="" if all_loads else keys.loads[load])


def _place(known: Sequence[str], asked: str, title: str) -> int:
    if asked not in known:
        raise ParameterError(f"{title}: {asked[:60]!r} was not read; the table has {listed(known)}. Choose one of them.")
    return known.index(asked)


def _usual(sizes: Whole) -> int:
    """The granularity whose number of phases is closest to some thousands: enough to learn from, quick to compute."""
    return int(np.where(sizes > 0, np.abs(np.log(np.maximum(sizes, 1) / _ENOUGH)), np.inf).argmin())


def programs_of(table: PhaseTable, asked: Asked) -> list[str]:
    """The programs that have a phase among those rows, in the table's order."""
    keys = keys_of(table)
    return [keys.programs[code] for code in np.unique(keys.program[asked.rows])]


def varied_program(table: PhaseTable, asked: Asked) -> str:
    """The program whose phases differ most in the target an instruction, so that it is worth choosing among them; else the largest."""
    keys = keys_of(table)
    program = keys.program[asked.rows]
    sizes = np.bincount(program, minlength=len(keys.programs))
    work = instructions_of(table.counters)
    values = _shares(table, asked.target, asked.rows)
    if work is not None and work != asked.target:
        executed = _shares(table, work, asked.rows)
        values = np.where(executed > 1e-12, values / np.where(executed > 1e-12, executed, 1.0), np.nan)
    known = np.isfinite(values)
    n = np.bincount(program[known], minlength=len(sizes))
    mean = np.bincount(program[known], values[known], minlength=len(sizes)) / np.maximum(n, 1)
    spread = np.sqrt(np.bincount(program[known], (values[known] - mean[program[known]]) ** 2, minlength=len(sizes)) / np.maximum(n, 1))
    share = np.where((n == sizes) & (mean > 0), spread / np.where(mean > 0, mean, 1.0), 0.0)
    return keys.programs[int(share.argmax() if share.max() > 0 else sizes.argmax())]


def _shares(table: PhaseTable, name: str, rows: Whole) -> Floats:
    """The counts in these rows as shares of the largest, so that their squares are numbers too."""
    values: Floats = table.frame[name].to_numpy(dtype=float, na_value=np.nan)[rows]
    largest = float(np.nanmax(values, initial=0.0))
    return values / largest if largest > 0 else values


def counts_of(table: PhaseTable, rows: Whole) -> pd.DataFrame:
    """The counters of these rows; their index is the rows' places."""
    return table.frame[list(table.counters)].iloc[rows]


def numbers_of(table: PhaseTable | pd.DataFrame) -> pd.DataFrame:
    """The counters of a table of phases; of a plain frame its columns of numbers but the keys of phases.

    Raises ParameterError where there is none.
    """
    if isinstance(table, PhaseTable):
        return table.frame[list(table.counters)]
    found = [name for name in table.columns if name not in KEYS and _is_number(table[name])]
    if not found:
        raise ParameterError(f"table: no column of numbers; the columns are {listed(table.columns)}. Name the counters.")
    return table[found]


def within(column: pd.Series) -> tuple[Floats, float]:
    """(counts from 0, the least, to 1, the largest; how much lies between the two). NaN where not counted; zeros for a constant.

    In whole numbers as long as they are whole, so that counts around 2**63 keep their differences.
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
    # By its largest first: a difference of the smallest numbers that there are is no number to divide by.
    return np.minimum((values - least) / reach, 1.0), reach


def counted(column: pd.Series) -> Flags:
    """Whether each value was counted."""
    found: Flags = column.notna().to_numpy()
    return found


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column)) and not pd.api.types.is_bool_dtype(column)


def values_of(table: PhaseTable, name: str, rows: Whole, *, per_instruction: bool = False) -> Floats:
    """The counts of one counter in these rows, or its counts an executed instruction; NaN where that is not known. Shape (rows,).

    Raises ParameterError for rates where no counter has the instructions.
    """
    counts: Floats = table.frame[name].to_numpy(dtype=float, na_value=np.nan)[rows]
    if not per_instruction:
        return counts
    work = instructions_of(table.counters)
    if work is None:
        raise ParameterError("Per instruction: no counter of the table is known to be executed instructions. Choose counts.")
    executed = table.frame[work].to_numpy(dtype=float, na_value=np.nan)[rows]
    with np.errstate(over="ignore"):
        found: Floats = counts / np.where(executed > 0, executed, np.nan)
    return np.where(np.isfinite(found), found, np.nan)


def one_phase(table: PhaseTable, row: int, rows: Whole) -> pd.DataFrame:
    """The counters of the phase at `row`, a row each, beside those of the phases at `rows`.

    counter, count, per instruction (where instructions are counted), median (of the others' counts), more than (the share of them that
    have less). NaN where not counted. Raises ParameterError for a row that the table does not have.
    """
    if not 0 <= row < len(table.frame):
        raise ParameterError(f"row: {row!r} is no phase of the table, which has {len(table.frame):,}. Click a point again.")
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
