"""The rows of a phase table that a model uses: counters, target and program of each; selected, checked and subsampled."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.hardware_levels import levels
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Flags, Floats, Whole
from hemcore.prediction.derived_features import derived_notes
from hemcore.prediction.error_levels import PARTS
from hemcore.prediction.explore.event_groups import target_of
from hemcore.prediction.params import ALL_BUT, PredictionParams, features_of, names_of
from hemcore.prediction.phase_rows import keys_of, usual_granularity
from hemcore.prediction.power.power_units import without_sensors

_VOLTAGE = re.compile(r"volt|\(V\)$|_V$", re.IGNORECASE)
_FREQUENCY = re.compile(r"freq|\(MHz\)$|_MHz$", re.IGNORECASE)
_SMALLEST = 1e-60
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """The input of a model for n phases.

    X: counts, shape (n, d). y: the target, above 0. group: each row's program, an index into `groups`. counters: names of the columns of X.
    copied: the target of the same phase under the other load, NaN if not available. volts, hertz: NaN if unknown. place: row numbers in
    the table's frame. target: its name, "" in older files.
    """

    X: Floats
    y: Floats
    group: Whole
    copied: Floats
    volts: Floats
    hertz: Floats
    place: Whole
    groups: tuple[str, ...]
    counters: tuple[str, ...]
    target: str = ""

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: Flags | Whole) -> Self:
        """Only these rows."""
        taken = {each.name: getattr(self, each.name)[rows] for each in fields(self) if isinstance(getattr(self, each.name), np.ndarray)}
        return replace(self, **taken)

    def with_counts(self, X: Floats) -> Self:
        """These rows with other counts, shape (n, d)."""
        return replace(self, X=np.ascontiguousarray(X))

    def without(self, group: int) -> tuple[Self, Self]:
        """(rows of all other programs, rows of this one)."""
        own = self.group == group
        return self.take(~own), self.take(own)

    @cached_property
    def instructions(self) -> Floats | None:
        """Executed instructions of each row; None if no counter counts them, or one of the counts is 0."""
        name = instructions_of(self.counters)
        if name is None:
            return None
        counted = self.X[:, self.counters.index(name)]
        return counted if (counted > 0).all() else None


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The names of what is predicted, from what.

    target, counters: names. granularity, load: of the predicted rows; train_granularity, train_load: of the training rows.
    """

    target: str
    counters: tuple[str, ...]
    granularity: int | str
    load: str
    train_granularity: int | str
    train_load: str
    group: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Selection:
    """Training rows and rows to predict (one object if they are the same). notes: sentences about what was left out."""

    train: Rows
    test: Rows
    chosen: Chosen
    notes: tuple[str, ...]


def chosen_of(table: PhaseTable, params: PredictionParams) -> Chosen:
    """The names meant by `params`, with defaults filled in. Raises ParameterError for a name that is not in the table."""
    target = target_of(table.counters, params.target)
    chosen = features_of(params.counters, without_sensors([name for name in table.counters if name != target]))
    unknown = [name for name in (*chosen, *names_of(params.counters.removeprefix(ALL_BUT))) if name not in table.counters]
    if unknown:
        raise ParameterError(f"Features: {unknown[0]!r} is not a counter of the table. Choose from {listed(table.counters)}.")
    counters = tuple(name for name in chosen if name != target)
    if not counters:
        raise ParameterError(f"Features: the target {target!r} is the only counter. Choose at least one other.")
    if params.group not in table.frame.columns or params.group in table.counters:
        raise ParameterError(f"Hold out by: {params.group!r} is not a column that groups rows. Name a column such as 'program'.")
    keys = keys_of(table)
    load = _one_of(table.loads, params.load, "Load", table.loads[0])
    granularity = _one_of(
        table.granularities,
        params.granularity,
        "Granularity",
        table.granularities[usual_granularity(keys.sizes[:, keys.loads.index(load)])],
    )
    return Chosen(
        target=target,
        counters=counters,
        granularity=granularity,
        load=load,
        train_granularity=_one_of(table.granularities, params.train_granularity, "Training granularity", granularity),
        train_load=_one_of(table.loads, params.train_load, "Training load", load),
        group=params.group,
    )


def select(table: PhaseTable, params: PredictionParams) -> Selection:
    """The rows selected by `params`, with notes on what was left out.

    Rows without the target or a counter are left out, and so are constant counters. More than params.most_phases rows are subsampled evenly
    within each program. Raises ParameterError if nothing remains, or for a name that is not in the table.
    """
    chosen = chosen_of(table, params)
    frame = table.frame
    sensors = [] if params.counters else [name for name in table.counters if name not in (*chosen.counters, chosen.target)]
    notes = [f"Sensors are no features unless chosen: {listed(sensors)}."] if sensors else []
    if chosen.group == "program" and levels(table):
        notes.append(PARTS)
    cells = {(chosen.granularity, chosen.load), (chosen.train_granularity, chosen.train_load)}
    parts = {cell: _of_cell(frame, chosen, cell, params.most_phases, notes) for cell in sorted(cells, key=str)}
    training = parts[chosen.train_granularity, chosen.train_load]
    counters = _features(training, chosen, notes)
    every = tuple(sorted({str(name) for part in parts.values() for name in part[chosen.group].unique()}))
    made = {cell: _rows(frame, part, chosen, counters, every, cell, notes) for cell, part in parts.items()}
    return Selection(
        train=made[chosen.train_granularity, chosen.train_load],
        test=made[chosen.granularity, chosen.load],
        chosen=replace(chosen, counters=counters),
        notes=tuple(notes),
    )


def other_load(loads: Sequence[str], load: str) -> str | None:
    """The load whose target is copied for `load`: the first other one."""
    return next((each for each in loads if each != load), None)


def _of_cell(frame: pd.DataFrame, chosen: Chosen, cell: tuple[int | str, str], most: int, notes: list[str]) -> pd.DataFrame:
    granularity, load = cell
    cell_text = f"{granularity}, {load}"
    part = frame[(frame["granularity"] == granularity) & (frame["load"] == load)]
    if part.empty:
        raise ParameterError(f"Granularity and load: there are no phases at {cell_text}. Choose another pair.")
    target = part[chosen.target].to_numpy(dtype=float, na_value=np.nan)
    if not np.isfinite(target).any():
        raise ParameterError(f"Target: {chosen.target} was not counted at {cell_text}. Choose another target or load.")
    uncounted = [name for name in chosen.counters if not part[name].notna().any()]
    known = part[[name for name in chosen.counters if name not in uncounted]].notna().all(axis=1).to_numpy()
    measured = known & np.isfinite(target)
    left = measured & (target > 0)
    for number, why in (
        (int((~measured).sum()), "a counter or the target was not counted"),
        (int((measured & (target <= 0)).sum()), f"{chosen.target} is 0, so a relative error is not defined"),
    ):
        if number:
            notes.append(f"{number:,} of {len(part):,} phases at {cell_text} are left out: {why}.")
    part = part[left]
    if part.empty:
        raise ParameterError(f"Phases: none at {cell_text} has every counter and {chosen.target} above 0. Choose fewer counters.")
    _check_size(part, (*(name for name in chosen.counters if name not in uncounted), chosen.target))
    if len(part) > most:
        step = -(-len(part) // most)
        kept = part[(part["phase"] % step == 0).to_numpy()]
        part = kept if len(kept) else part.iloc[::step]
        notes.append(f"One in {step:,} phases at {cell_text} is used, {len(part):,} in total.")
    return part


def _check_size(part: pd.DataFrame, names: Sequence[str]) -> None:
    """Raise ParameterError for counts whose squares are too small for a float."""
    for name in names:
        values = part[name].to_numpy(dtype=float)
        above = values[values > 0]
        if len(above) and above.min() < _SMALLEST:
            raise ParameterError(
                f"{name}: a count is {above.min():g}; for training it must be 0 or at least {_SMALLEST:g}. Use another unit."
            )


def _features(part: pd.DataFrame, chosen: Chosen, notes: list[str]) -> tuple[str, ...]:
    """The counters that vary in the training rows."""
    target = part[chosen.target].to_numpy(dtype=float)
    used = []
    for name in chosen.counters:
        values = part[name].to_numpy(dtype=float, na_value=np.nan)
        if not np.isfinite(values).any():
            notes.append(f"{name} was not counted and is left out.")
        elif len(values) > 1 and (values == values[0]).all() and (name != instructions_of(chosen.counters) or values[0] == 0):
            notes.append(f"{name} is constant and is left out.")
        else:
            used.append(name)
    if not used:
        raise ParameterError("Features: every counter is constant or not counted. Choose others.")
    notes += derived_notes({name: part[name].to_numpy(dtype=float) for name in used}, target, chosen.target)
    return tuple(used)


def _rows(
    frame: pd.DataFrame,
    part: pd.DataFrame,
    chosen: Chosen,
    counters: tuple[str, ...],
    every: tuple[str, ...],
    cell: tuple[int | str, str],
    notes: list[str],
) -> Rows:
    code = {name: number for number, name in enumerate(every)}
    own, names = pd.factorize(part[chosen.group])
    return Rows(
        X=np.ascontiguousarray(part[list(counters)].to_numpy(dtype=float)),
        y=part[chosen.target].to_numpy(dtype=float),
        group=np.array([code[str(name)] for name in names], dtype=np.int64)[own],
        copied=_copied(frame, part, chosen.target, cell),
        volts=_column(part, _VOLTAGE),
        hertz=_column(part, _FREQUENCY),
        place=part.index.to_numpy(dtype=np.int64),
        groups=every,
        counters=counters,
        target=chosen.target,
    )


def _copied(frame: pd.DataFrame, part: pd.DataFrame, target: str, cell: tuple[int | str, str]) -> Floats:
    granularity, load = cell
    there = frame[frame["granularity"] == granularity]
    other = other_load(sorted(there["load"].unique(), key=lambda each: ("single" not in each, each)), load)
    if other is None:
        return np.full(len(part), np.nan)
    keys = ["program", "phase"]
    known = there.loc[there["load"] == other, [*keys, target]].set_index(keys)[target]
    found: Floats = known.reindex(pd.MultiIndex.from_frame(part[keys])).to_numpy(dtype=float, na_value=np.nan)
    return found


def has_voltage(table: PhaseTable) -> bool:
    """Whether the table has columns of voltage and frequency."""
    return all(_named(table.frame, rule) is not None for rule in (_VOLTAGE, _FREQUENCY))


def _column(part: pd.DataFrame, rule: re.Pattern[str]) -> Floats:
    name = _named(part, rule)
    return np.full(len(part), np.nan) if name is None else part[name].to_numpy(dtype=float, na_value=np.nan)


def _named(frame: pd.DataFrame, rule: re.Pattern[str]) -> str | None:
    return next((name for name in frame.columns if rule.search(str(name)) and pd.api.types.is_numeric_dtype(frame[name])), None)


def _one_of(known: Sequence[T], name: str, title: str, default: T) -> T:
    if not name:
        return default
    found = next((each for each in known if str(each) == name), None)
    if found is None:
        raise ParameterError(f"{title}: {name!r} is not in the table. Choose one of {listed(str(each) for each in known)}.")
    return found
