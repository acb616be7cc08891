"""The list of what reading left out or repaired, and why; the same for every reader."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import plain_numbers_alone
from hemcore.errors import TableError

_FEW_FILES = 3


class Note(str):
    """A sentence on what reading left out or changed. kind: what is asked about it ("much": it is much of the file), "" for nothing."""

    kind: str

    def __new__(cls, text: str, kind: str = "") -> "Note":
        """The note of this text and kind."""
        note = super().__new__(cls, text)
        note.kind = kind
        return note

    def about(self, name: str) -> "Note":
        """The same with the name of the file in front."""
        return Note(f"{name}: {self}", self.kind)


class Repair(NamedTuple):
    """One thing left out or repaired.

    where: the subexperiment, the run, or the file and line. column: the HEM or event; "" where it is all of them. what: what was found and
    done. rows: how many runs, intervals or lines. value: the value found; bound: the limit it broke; NaN if there is none.
    """

    where: str
    column: str
    what: str
    rows: int
    value: float = np.nan
    bound: float = np.nan


def repairs_table(repairs: Iterable[Repair]) -> pd.DataFrame:
    """`repairs` as a DataFrame with the columns where, column, what, rows, value, bound; no row when there was no repair."""
    return pd.DataFrame(list(repairs), columns=list(Repair._fields))


def over_files(repairs: Sequence[Repair], notes: Sequence[str], names: Sequence[str]) -> tuple[list[Repair], list[str]]:
    """`repairs` and `notes`, of which those that differ in the name of their file alone are one where more than three files have them.

    names: of the files, which stand in front of `where` and of a note.
    """
    known = frozenset(names)
    alike: dict[Hashable, list[Repair]] = {}
    for number, repair in enumerate(repairs):
        file, row, rest = repair.where.partition(", row ")
        alike.setdefault((row + rest, repair.column, repair.what) if file in known else number, []).append(repair)
    said: dict[Hashable, list[str]] = {}
    for number, note in enumerate(notes):
        file, _, text = note.partition(": ")
        said.setdefault((text, getattr(note, "kind", "")) if file in known else number, []).append(note)
    found, sentences = [], []
    for key, same in alike.items():
        if isinstance(key, tuple) and len(same) > _FEW_FILES:
            same = [same[0]._replace(where=f"{len(same):,} files{key[0]}", rows=sum(each.rows for each in same))]
        found += same
    for key, alike_notes in said.items():
        if isinstance(key, tuple) and len(alike_notes) > _FEW_FILES:
            alike_notes = [Note(f"{len(alike_notes):,} files: {key[0]}", key[1])]
        sentences += alike_notes
    return found, sentences


def number_columns(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """`frame` with every column int or float (numbers kept as text are read); its column names must be unique.

    Raises TableError naming the first column, row (from 1) and value that is no finite number; missing values stay.
    """
    if plain_numbers_alone(frame) and not np.isinf(frame.to_numpy()).any():
        return frame
    changed: dict[Hashable, pd.Series] = {}
    for hem in frame.columns:
        column = frame[hem]
        if pd.api.types.is_bool_dtype(column) or pd.api.types.is_complex_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
            raise TableError(f"{where}: column {hem!r} holds {column.dtype} values, not counts. Leave the column out.")
        numbers = column
        if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
            numbers = pd.to_numeric(column, errors="coerce")
            bad = (numbers.isna() & column.notna()).to_numpy()
            if bad.any():
                row = int(bad.argmax())
                value = str(column.iloc[row])[:60]
                raise TableError(f"{where}: column {hem!r}, row {row + 1}: {value!r} is not a number. Correct it or leave the column out.")
            numbers = pd.Series(numbers.to_numpy(dtype=float, na_value=np.nan), index=column.index)
            changed[hem] = numbers
        infinite = np.isinf(numbers.to_numpy())
        if infinite.any():
            row = int(infinite.argmax())
            raise TableError(f"{where}: column {hem!r}, row {row + 1}: {numbers.iloc[row]} must be finite. Correct it or leave it empty.")
    if not changed:
        return frame
    return pd.DataFrame({hem: changed.get(hem, frame[hem]) for hem in frame.columns})


def complete_rows(frame: pd.DataFrame, where: str) -> tuple[pd.DataFrame, list[Repair]]:
    """`frame` without the rows that miss a value, and the repair that says so (none when nothing was missing).

    Raises TableError when no row is left.
    """
    missing = frame.isna()
    broken = missing.to_numpy().any(axis=1)
    if not broken.any():
        return frame.reset_index(drop=True), []
    per_hem = missing.sum()
    if broken.all():
        worst = str(per_hem.idxmax())
        raise TableError(
            f"{where}: none of its {len(frame)} rows is complete; column {worst!r} has no value in {per_hem.max()} of them. At least one "
            "complete row is needed. Leave that column out, or read the subexperiment again."
        )
    hems = ", ".join(str(hem) for hem in frame.columns[per_hem.to_numpy() > 0])
    repair = Repair(where, hems, "rows with a missing value left out", int(broken.sum()))
    return frame.iloc[np.flatnonzero(~broken)].reset_index(drop=True), [repair]
