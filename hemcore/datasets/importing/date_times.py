"""Dates, times of day, epochs and durations with a unit in columns: what they are, and as seconds or date-times."""

import re
from collections.abc import Sequence
from typing import Literal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from hemcore.datasets.importing.header_words import UNITS
from hemcore.datasets.importing.recipe import TimeUnit
from hemcore.datasets.importing.units.local_dates import plain, plain_column
from hemcore.errors import ReadError

# "10:0:0.101" of HWiNFO too.
_CLOCK = r"(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9}|:\d{3})?)?(?:\s*[AaPp]\.?[Mm]\.?)?|\d{1,2}:\d{1,2}:\d{1,2}[.,]\d{1,9})"
_ISO = re.compile(
    rf"\d{{4}}-(?:0[1-9]|1[0-2])|\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}(?:[T _]+{_CLOCK}\s*(?:Z|UTC|GMT|[+-]\d{{2}}:?\d{{2}}|[+-]\d{{2}})?)?"
    rf"|\d{{4}}\.\d{{1,2}}\.\d{{1,2}}[T _]+{_CLOCK}"
)
# As names of files have it: "2026-03-05_10-00-00", "20260305_100000".
_FILED = re.compile(r"((?:19|20)\d{2})(-?)(0[1-9]|1[0-2])\2([0-3]\d)[ T_-]([0-2]\d)(-?)([0-5]\d)\6([0-5]\d)")
_LOCAL = re.compile(rf"(\d{{1,2}})([./-])(\d{{1,2}})\2(\d{{4}}|\d{{2}})(?:,?\s+(?:{_CLOCK}))?")
_TIME = re.compile(_CLOCK)
_LONG_CLOCK = re.compile(r"\d{1,4}:\d{2}:\d{2}(?:[.,]\d{1,9})?")
# "0 days 00:00:00.5" of pandas, "1:02.5" of minutes.
_DAYS, _MINUTES = re.compile(r"(\d{1,5}) days?,? (\d{1,2}):(\d{2}:\d{2}(?:\.\d{1,9})?)"), re.compile(r"(\d{1,2}):(\d{2}[.,]\d{1,9})")
_ONE_DIGIT = re.compile(r"(?<=:)(\d)(?!\d)")
_MICROSECONDS = re.compile(r"(\d{2}:\d{2}\.\d{3})\.(\d{3})")  # "00:01.100.123" of Instruments
# "24-11 09:00:00" of dstat, "Nov 24 09:00:00" of syslog: no year.
_NO_YEAR = re.compile(rf"(\d{{1,2}})[-/.](\d{{1,2}})\.? ({_CLOCK})")
_BASIC = re.compile(r"(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2}(?:[.,]\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?")
_DAY_ALONE = re.compile(r"^((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?= |$)")
_MONTHS = {month: number for number, months in enumerate(
    ("jan", "feb", "mar mär mrz", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"), start=1
) for month in months.split()}  # fmt: skip
_NAME = rf"({'|'.join(_MONTHS)})[a-zä]*\.?"
_ZONE = r"(?: *(Z|UTC|GMT|[+-]\d{2}:?\d{2})| [A-Z]{3,4})?"
_DAY_NAME = r"(?:[A-Z][a-z]{1,9}\.?,? )?"
_DAY_FIRST = re.compile(rf"{_DAY_NAME}(\d{{1,2}})\.?[ -]{_NAME}[ -](\d{{4}}|\d{{2}}),?(?:[ T]+({_CLOCK}))?{_ZONE}", re.IGNORECASE)
_MONTH_FIRST = re.compile(
    rf"{_DAY_NAME}{_NAME}(?: +|-)(\d{{1,2}})(?:, ?(\d{{4}}),?)? +(?:@ *)?({_CLOCK}){_ZONE}(?: (\d{{4}}))?", re.IGNORECASE
)
_LEAP = "2000"
MIDNIGHT = re.compile(r"[ T]00:00(?::00(?:\.0+)?)?$")
_TWO_PARTS, _LAST_HOUR = re.compile(r"\d{1,2}:\d{2}"), 23
_DURATION = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*([a-zµμ]{1,12})", re.IGNORECASE)
_GO = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(\d+(?:\.\d+)?)s")  # "1m30.5s"
PER_SECOND = {"": 1.0, "s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9, "min": 1 / 60, "h": 1 / 3600}
# From 1990 to 2100.
_EPOCHS: tuple[tuple[TimeUnit, float], ...] = (("epoch s", 1.0), ("epoch ms", 1e3), ("epoch us", 1e6), ("epoch ns", 1e9))
_FIRST, _LAST = 631_152_000.0, 4_102_444_800.0
ORDER_ASKED = "Choose it under 'Dates such as 03/04/2026'."
Order = Literal["", "day first", "month first"]


def kind_of(cell: str) -> TimeUnit:
    """ "date-time", "date" or "clock" for a text of that form, else ""."""
    cell = plain(cell)
    if not cell[:1].isdigit():
        return "date-time" if cell[:1].isalpha() and len(cell) > 12 and with_numbers(cell) else ""
    if _BASIC.fullmatch(cell) or _FILED.fullmatch(cell) or (len(cell) > 8 and with_numbers(cell)):
        return "date-time"
    if _DAYS.fullmatch(cell) or _MINUTES.fullmatch(cell) or _MICROSECONDS.fullmatch(cell) or _NO_YEAR.fullmatch(cell):
        return "clock"
    if (_ISO.fullmatch(cell) or _LOCAL.fullmatch(cell)) is not None:
        return "date-time" if ":" in cell else "date"
    return "clock" if _TIME.fullmatch(cell) or _LONG_CLOCK.fullmatch(cell) else ""


def are_minutes(column: pd.Series) -> bool:
    """Whether cells such as "45:30" can be minutes and seconds alone, since one begins with more than 23."""
    return all(map(_TWO_PARTS.fullmatch, column)) and any(int(cell.partition(":")[0]) > _LAST_HOUR for cell in column)


def may_be_minutes(column: pd.Series) -> bool:
    """Whether cells such as "12:30" may be hours and minutes, or minutes and seconds."""
    return len(column) > 0 and all(map(_TWO_PARTS.fullmatch, column))


def is_midnight(cell: str) -> bool:
    """Whether a date-time is the beginning of a day."""
    return MIDNIGHT.search(cell) is not None


def is_day_alone(cell: str) -> bool:
    """Whether a cell may be a day without signs, "20260312"; only its column's name says so."""
    return len(cell) == 8 and _DAY_ALONE.match(cell) is not None


def with_numbers(cell: str) -> str:
    """A date with the name of its month ("12-Nov-2026 14:30:00", "Thu Nov 12 14:30:00 2026") as ISO; "" for any other text.

    Without a year, as syslog writes it ("Nov 12 14:30:00"), it is of 2000, a leap year: see lacks_year.
    """
    if (found := _DAY_FIRST.fullmatch(cell)) is not None:
        day, name, year, clock, zone = found.groups()
    elif (found := _MONTH_FIRST.fullmatch(cell)) is not None:
        name, day, year, clock, zone, last = found.groups()
        year = year or last
    else:
        return ""
    if not clock:
        return ""
    year = year or _LEAP
    year = year if len(year) == 4 else f"20{year}"
    if clock[-1:].lower() == "m":
        hour, _, rest = clock.rstrip(" AaPpMm.").partition(":")
        clock = f"{int(hour) % 12 + 12 * ('p' in clock.lower()):02d}:{rest}"
    zone = "Z" if (zone or "").upper() in ("UTC", "GMT", "Z") else zone or ""
    return f"{year}-{_MONTHS[name.lower()]:02d}-{int(day):02d} {clock.zfill(len(clock) + (clock[1] == ':'))}{zone}"


def lacks_year(cell: str) -> bool:
    """Whether a date with the name of its month has no year: only how long after another it was is known."""
    return with_numbers(cell).startswith(_LEAP) and _LEAP not in cell


def duration_of(cell: str) -> tuple[float, TimeUnit] | None:
    """(number, unit) of "12.5 ms" and "1m30s"; None for any other text."""
    if (long := _GO.fullmatch(cell)) is not None:
        return 3_600 * float(long[1] or 0) + 60 * float(long[2] or 0) + float(long[3]), "s"
    found = _DURATION.fullmatch(cell)
    if found is None or (unit := found[2].lower().replace("µ", "u").replace("μ", "u")) not in UNITS:
        return None
    return float(found[1].replace(",", ".")), UNITS[unit]


def epoch_of(values: np.ndarray, first: float = _FIRST, last: float = _LAST) -> TimeUnit:
    """Which epoch the numbers are, by their size; "" where they are none. values: not empty. first, last: bounds, in seconds since 1970."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return next((unit for unit, scale in _EPOCHS if first * scale <= low and high <= last * scale), "")


def order_of(cells: Sequence[str]) -> Order | None:
    """Which of the first two numbers of local dates is the day; "" where there are none such, None where the dates do not show it."""
    found = [match for cell in cells if (match := _LOCAL.fullmatch(cell)) is not None]
    if not found:
        return ""
    first, second = {int(match[1]) for match in found}, {int(match[3]) for match in found}
    if max(first) > 12 or found[0][2] == ".":
        return "day first"
    if max(second) > 12 or any(re.search(r"[AaPp]\.?[Mm]", match[0]) for match in found):
        return "month first"
    # The part that stays while the other moves on is the month.
    if len(first) != len(second) and min(len(first), len(second)) == 1 and max(len(first), len(second)) > 2:
        return "day first" if len(first) > len(second) else "month first"
    return None


def is_one_unclear_day(column: pd.Series) -> bool:
    """Whether all local dates are of one day, and either of its first two numbers may be the month."""
    found = [_LOCAL.fullmatch(plain(cell)) for cell in column.tolist()]
    days = {(int(each[1]), int(each[3]), each[4]) for each in found if each is not None}
    unclear = None not in found and order_of([plain(cell) for cell in column.iloc[:200].tolist()]) is None
    return unclear and len(days) == 1 and all(day != month for day, month, _ in days)


def stamps_of(where: str, column: pd.Series, unit: TimeUnit, zone: str, order: Order) -> pd.Series:
    """`column` of texts as date-times: UTC where a zone is known or the texts have one, else local without a zone.

    Raises ReadError, naming the row (its index), for a cell that is none, and for dates that may have the day or the month first.
    """
    if unit.startswith("epoch"):
        scale = dict(_EPOCHS)[unit]
        digits = pd.to_numeric(column, errors="coerce")
        _check(where, column, digits.isna(), "is not a number")
        if bool(column.str.fullmatch(r"\d{1,19}").all()):
            return pd.to_datetime(column.astype("int64") * int(1e9 / scale), unit="ns", utc=True)
        return pd.to_datetime((digits * (1e9 / scale)).round().astype("int64"), unit="ns", utc=True)
    if unit == "serial day":
        days = pd.to_numeric(column, errors="coerce")
        _check(where, column, days.isna(), "is not a number of days")
        return (pd.Timestamp("1899-12-30") + pd.to_timedelta((days * 86_400_000).round(), unit="ms")).astype("datetime64[ns]")
    column = (
        plain_column(column)
        .str.replace(rf"^{_FILED.pattern}$", r"\1-\3-\4 \5:\7:\8", regex=True)
        .str.replace("_", " ")
        .str.replace(_DAY_ALONE, r"\1-\2-\3", regex=True)
        .str.replace(_BASIC, r"\1-\2-\3T\4:\5:\6\7", regex=True)
    )
    if bool(column.str.contains(r"[^\W\d_]{3}", regex=True).any()):
        column = pd.Series([with_numbers(cell) or cell for cell in column.tolist()], index=column.index, dtype=object)
    local = column.str.fullmatch(_LOCAL)
    if 2 * int(local.sum()) > len(local):
        _check(where, column, ~local, "is not a date or time")
        # What the dates themselves show goes before what was guessed from elsewhere.
        found = order_of(list(column.iloc[:2_000])) or order
        if not found:
            raise ReadError(
                f"{where}: {column.iloc[0]!r} may have the day or the month first, and no date in the column shows which. {ORDER_ASKED}"
            )
        swapped = column.str.replace(_LOCAL_PARTS, r"\4-\3-\1" if found == "day first" else r"\4-\1-\3", regex=True)
        column = swapped.str.replace(r"^(\d{2})-", r"20\1-", regex=True)
    texts = column.str.replace(",", ".").str.replace(r"^(\d{4})[/.](\d{1,2})[/.]", r"\1-\2-", regex=True)
    texts = texts.str.replace(r"\s*(?:UTC|GMT)$", "Z", regex=True).str.replace(r"\.?\s+", " ", regex=True)
    texts = texts.str.replace(r"-(\d)(?=[-T ]|$)", r"-0\1", regex=True).str.replace(r"([T ])(\d):", r"\g<1>0\2:", regex=True)
    texts = texts.str.replace(_ONE_DIGIT, r"0\1", regex=True)
    zoned = bool(texts.str.contains(r"(?:Z|[+-]\d{2}:?\d{2}|\d[+-]\d{2})$", regex=True).any() and texts.str.contains(":").any())
    half_days = bool(texts.str.contains(r"[AaPp]\.?[Mm]\.?$", regex=True).any())
    if half_days:
        texts = texts.str.replace(r"([AaPp])\.?[Mm]\.?$", r"\1m", regex=True)
    stamps = pd.to_datetime(texts, format="mixed" if half_days else "ISO8601", errors="coerce", utc=zoned)
    _check(where, column, stamps.isna(), "is not a date or time")
    # What fits into nanoseconds.
    _check(where, column, ~stamps.dt.year.between(1678, 2261), "is not in the years 1678 to 2261")
    stamps = stamps.astype("datetime64[ns, UTC]" if zoned else "datetime64[ns]")
    if zone and not zoned:
        try:
            stamps = stamps.dt.tz_localize(ZoneInfo(zone), ambiguous="infer", nonexistent="shift_forward").dt.tz_convert("UTC")
        except (KeyError, ValueError, OSError) as error:
            raise ReadError(f"{where}: zone {zone!r} does not fit these times ({error}). Give a name such as Europe/Berlin.") from None
    return stamps


def clock_seconds(where: str, column: pd.Series) -> tuple[pd.Series, int]:
    """(seconds of times of day such as 14:30:05.5, growing on over midnight; how often midnight passed). Raises ReadError as stamps_of."""
    column = plain_column(column).str.replace(r"^(\d{1,2}:\d{2}:\d{2}):(\d{3})$", r"\1.\2", regex=True)  # as AMD uProf writes thousandths
    column = column.str.replace(_MICROSECONDS, r"\1\2", regex=True).str.replace(_ONE_DIGIT, r"0\1", regex=True)
    if bool(column.str.fullmatch(_NO_YEAR).all()):
        return _without_year(where, column)
    column = column.str.replace(_MINUTES, r"0:\1:\2", regex=True) if bool(column.str.fullmatch(_MINUTES).all()) else column
    if bool((days := column.str.fullmatch(_DAYS)).any()):
        found = column.str.extract(_DAYS)
        column = column.mask(days, (24 * found[0].astype(float) + found[1].astype(float)).map("{:.0f}:".format) + found[2])
    parts = column.str.replace(",", ".").str.extract(r"^(\d{1,4}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([AaPp])?\.?[Mm]?\.?$")
    _check(where, column, parts[0].isna(), "is not a time of day")
    hours = parts[0].astype(float)
    afternoon, half_day = parts[3].str.lower() == "p", parts[3].notna()
    hours = hours.where(~half_day, hours % 12) + 12 * afternoon
    seconds = hours * 3600 + parts[1].astype(float) * 60 + parts[2].fillna("0").astype(float)
    days = (seconds.diff() < -43_200).cumsum()
    return seconds + 86_400.0 * days, int(days.iloc[-1]) if len(days) else 0


def _without_year(where: str, column: pd.Series) -> tuple[pd.Series, int]:
    """clock_seconds of a day, a month and a time each: in the order of the first two that makes days follow each other sooner.

    A day below the one before is of the next year.
    """
    parts = column.str.extract(_NO_YEAR)
    first, second = (parts[place].astype(int).to_numpy() for place in (0, 1))
    seconds, _ = clock_seconds(where, parts[2])  # midnight is passed in it too
    of_day = seconds.to_numpy() % 86_400
    orders = [_days(day, month) for day, month in ((first, second), (second, first)) if month.max() <= 12 and day.max() <= 31]
    if not orders:
        _check(where, column, pd.Series(True, index=column.index), "is not a day, a month and a time")
    days = min(orders, key=lambda each: int(each[-1]))
    return pd.Series(86_400.0 * days + of_day, index=column.index), int(days[-1])


def _days(day: np.ndarray, month: np.ndarray) -> np.ndarray:
    """The days since the first of some days and months, each in the year of the one before or, where it is earlier, in the next."""
    of_year = np.array([_BEFORE[each - 1] for each in month]) + day
    years = np.cumsum(np.diff(of_year, prepend=of_year[:1]) < 0)
    return of_year - of_year[0] + 365 * years


_BEFORE = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30])  # days before each month
_LOCAL_PARTS = re.compile(r"^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2}),?")


def _check(where: str, column: pd.Series, wrong: pd.Series, what: str) -> None:
    if bool(wrong.any()):
        place = int(wrong.to_numpy(dtype=bool).argmax())
        row = column.index[place]
        raise ReadError(
            f"{where}, row {row}: {str(column.iloc[place])[:60]!r} {what}. Correct it, skip the row, or give the column another role."
        )
