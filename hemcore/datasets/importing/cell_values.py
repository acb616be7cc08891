"""Values out of the texts of a part: counts, times in s, numbers of runs; each fault named by file, column and row."""

import re

import numpy as np
import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.header_words import meaning_of, plain
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.raw_grid import first_row
from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import missing
from hemcore.datasets.importing.units.named_units import column_of_units
from hemcore.datasets.importing.units.united_numbers import without_units
from hemcore.datasets.readers.repairs import Repair
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import level_of_column

_DIGITS = re.compile(r"(\d{1,15})\D*$")
_FEW_LOST = 0.1  # of the rows of a part of a machine, against another
_UNREAD = (-1, -99, -999, -9999)  # what stands for a counter that could not be read, if nothing else in its column is below 0


def counts_of(part: Part, place: int) -> pd.Series:
    """The counts of column `place`, NaN where nothing was counted; infinite ones are listed as such.

    Raises ReadError for a cell that is no number, or below 0.
    """
    values = part.numbers(place)
    wrong = np.isnan(values.to_numpy())
    if wrong.any():
        texts = part.column(place)
        wrong[wrong] = ~missing(texts[wrong]).to_numpy()
    if wrong.any():
        units = [date_times.duration_of(str(text)) for text in texts[wrong]]
        if all(found is not None for found in units):
            values = values.mask(wrong, pd.Series([found[0] for found in units if found], index=texts.index[wrong]).reindex(texts.index))
        else:
            row = int(values.index[wrong.argmax()])
            raise ReadError(
                f"{part.where(place)}, row {row}: {str(texts[row])[:60]!r} is not a number. Correct or empty it, or ignore the column."
            )
    infinite = np.isinf(values.to_numpy())
    if infinite.any():
        part.repairs.append(Repair(part.name, part.names[place], "infinite: treated as not counted", int(infinite.sum())))
        values = values.mask(infinite)
    if not (values.to_numpy() < 0).any():
        return values
    below = values < 0
    signs = values[below].unique().tolist()
    if len(signs) == 1 and signs[0] in _UNREAD and 2 * int(below.sum()) < len(values):
        part.repairs.append(Repair(part.name, part.names[place], f"{signs[0]:g}: not read, since no count is below 0", int(below.sum())))
        return values.mask(below)
    row = first_row(below)
    raise ReadError(
        f"{part.where(place)}, row {row}: {values[row]:.15g} must be at least 0. Correct it, or ignore the column if it holds none."
    )


def readings_of(part: Part, place: int, events: pd.Series) -> pd.Series:
    """The counts of column `place`, one reading of `events` per row; those of an event whose units differ from row to row, by a column of
    units, in one unit. Raises ReadError as counts_of does, and for units that are not of one kind."""
    values = counts_of(part, place)
    at = column_of_units(part, place)
    if at is None:
        return values
    units = part.column(at)
    several = units[values.notna() & (units != "")].groupby(events).nunique()
    for event in several.index[several > 1]:
        own = (events == event) & values.notna()
        texts = part.column(place)[own] + " " + units[own]
        made, shown = without_units(texts, missing(texts)), ", ".join(units[own].unique()[:4])
        if made is None:
            raise ReadError(
                f"{part.where(at)}: the values of {event!r} are in several units ({shown}). Write them in one, or as events of their own."
            )
        values = values.mask(own, pd.to_numeric(made.texts).reindex(values.index))
        part.repairs.append(Repair(part.name, str(event), f"values in several units ({shown}) became {made.unit}", made.cells))
    return values


def run_numbers(part: Part, place: int) -> pd.Series:
    """The runs as whole numbers: as written, else the number at the end of each name, else numbered in the order of appearance (noted).

    Raises ReadError for an empty cell.
    """
    texts = part.column(place)
    _check_filled(part, place)
    numbers = pd.to_numeric(texts, errors="coerce")
    if bool(((numbers % 1 == 0) & (numbers.abs() < 1e15)).all()):
        return numbers.astype("int64")
    names = list(dict.fromkeys(texts))
    ends = [int(found[1]) if (found := _DIGITS.search(name)) is not None else None for name in names]
    if None in ends or len(set(ends)) < len(ends):
        ends = list(range(1, len(names) + 1))
        part.notes.append(
            f"{part.where(place)}: runs are numbered in their order: {', '.join(names[:5])}{' ...' if len(names) > 5 else ''}."
        )
    return texts.map(dict(zip(names, ends, strict=True))).astype("int64")


def names_of(part: Part, place: int) -> pd.Series:
    """The texts of a column that identifies rows. Raises ReadError for an empty cell."""
    _check_filled(part, place)
    texts = texts_of(part, place).astype(str)
    return _numbered(part, place, texts) if meaning_of(part.names[place]).role == "place" else texts


def texts_of(part: Part, place: int) -> pd.Series:
    """The cells as objects, one text for all rows that have it."""
    codes, texts = pd.factorize(part.column(place))
    return pd.Series(texts.astype(object).to_numpy()[codes], index=part.rows, dtype=object)


def _numbered(part: Part, place: int, texts: pd.Series) -> pd.Series:
    """Names of parts of a machine: "core 3", or "socket 0 core 3" where another column tells equal numbers apart, each pair about as
    often."""
    named = part.names[place] + " " + texts if texts.str.isdigit().all() else texts
    for other, name in enumerate(part.names):
        names_places = meaning_of(name).role == "place" or level_of_column(plain(name)) != ""
        if other == place or not names_places or bool(missing(part.column(other)).any()):
            continue
        pairs = part.column(other).str.cat(texts, sep="\n").value_counts()
        about_as_often = pairs.max() - pairs.min() <= _FEW_LOST * pairs.max()
        if texts.nunique() < len(pairs) and about_as_often and 2 * len(pairs) <= len(texts):
            outer = part.column(other)
            outer = name + " " + outer if outer.str.isdigit().all() else outer
            named = outer.str.cat(named, sep=" ") if other < place else named.str.cat(outer, sep=" ")
    return named


def whole_of(part: Part, place: int) -> pd.Series:
    """The whole numbers of a column. Raises ReadError for any other cell."""
    values = part.numbers(place)
    wrong = values.isna() | (values % 1 != 0)
    if bool(wrong.any()):
        row = first_row(wrong)
        text = str(part.column(place)[row])[:60]
        raise ReadError(f"{part.where(place)}, row {row}: {text!r} is not a whole number. Correct it, or give the column another role.")
    return values.astype("int64")


def times_of(part: Part, time: ColumnRole, place: int, day: int | None, recipe: ImportRecipe) -> tuple[pd.Series, pd.Series | None]:
    """(times in s, date-times or None). Date-times, epochs and times of day give seconds since the first row.

    day: the column of days that belongs to a time of day. Raises ReadError for a cell that is no time.
    """
    where = part.where(place)
    as_numbers = time.unit not in ("date-time", "date", "clock", "mm:ss", "serial day") and not time.unit.startswith("epoch")
    texts = pd.Series(dtype=object) if as_numbers else part.column(place)
    if time.unit == "clock" and day is not None:
        texts = part.column(day).str.replace(date_times.MIDNIGHT, "", regex=True).str.cat(texts, sep=" ")
    elif time.unit in ("clock", "mm:ss"):
        seconds, midnights = date_times.clock_seconds(
            where, texts if time.unit == "clock" else "0:" + texts.str.replace(r"^(?=\d:)", "0", regex=True)
        )
        if midnights:
            part.repairs.append(Repair(part.name, part.names[place], "times go on over midnight", midnights))
        _converted(part, place, "times of day became seconds since the first")
        return seconds - seconds.iloc[0], None
    if not as_numbers:
        unit = "date-time" if time.unit == "clock" else time.unit
        # Of one day, which number is the day says nothing about the seconds; it is asked.
        order = recipe.dates or ("month first" if date_times.is_one_unclear_day(texts) else "")
        stamps = date_times.stamps_of(where, texts, unit, time.zone, order)
        what = "numbers since 1970" if unit.startswith("epoch") else "days since 1899" if unit == "serial day" else "date-times"
        if unit == "date-time" and date_times.lacks_year(str(texts.iloc[0])):
            _converted(part, place, "dates without a year became seconds since the first")
            return (stamps - stamps.iloc[0]).dt.total_seconds(), None
        said = f", {order}" if order and date_times.order_of(list(texts.iloc[:2_000])) is None else ""
        _converted(part, place, f"{what} became seconds since the first{said}")
        return (stamps - stamps.iloc[0]).dt.total_seconds(), stamps
    values = part.numbers(place)
    if bool(values.isna().any()):
        texts = part.column(place)
        found = [date_times.duration_of(str(text)) for text in texts]
        values = values.fillna(pd.Series([each[0] if each is not None else np.nan for each in found], index=texts.index))
    wrong = values.isna() | np.isinf(values)
    if bool(wrong.any()):
        row = first_row(wrong)
        raise ReadError(
            f"{where}, row {row}: {str(part.column(place)[row])[:60]!r} is not a time. Correct it, skip the row, or choose another role."
        )
    scale = date_times.PER_SECOND[time.unit]
    if scale != 1.0:
        _converted(part, place, f"converted from {time.unit} to s")
    return values if scale == 1.0 else values / scale, None


def _converted(part: Part, place: int, what: str) -> None:
    part.repairs.append(Repair(part.name, part.names[place], what, len(part.rows)))


def _check_filled(part: Part, place: int) -> None:
    blank = missing(part.column(place))
    if bool(blank.any()):
        row = first_row(blank)
        raise ReadError(
            f"{part.where(place)}, row {row} is empty, but it identifies the row. Fill it in, skip the row, or ignore the column."
        )


def fraction(share: pd.Series) -> pd.Series:
    """Shares from 0 to 1, of some that may be percentages."""
    return share / 100 if float(share.max()) > 1 else share
