"""Dates and times of day as other languages write them ("6.5.2024 klo 14.03.07", "2024. 11. 07. 8:41", "6 mai 2024", "11:59 πμ"), as ISO.

Source: Unicode CLDR, dates/calendars (names of months, of the halves of a day, medium and long patterns).
"""

import re

import pandas as pd

# The first letters of months; not those that are another month in another language ("lip" is June in Croatian and July in Polish).
_MONTHS = (
    "jan ene gen sty янв ιαν oca led tam", "feb fév fev lut фев φεβ şub úno hel", "mar mär mrz mrt maa мар μαρ bře",
    "apr avr abr kwi апр απρ nis dub huh", "may mai mag maj mei май мая μαΐ μαϊ μάι kvě tou", "jun juin giu cze июн ιουν ιούν haz kes",
    "jul juil lug lipc июл ιουλ ιούλ tem hei", "aug aoû aou ago sie авг αυγ αύγ ağu elo", "sep set wrz сен σεπ eyl zář syy",
    "oct okt out ott paź окт οκτ eki říj lok", "nov ноя νοε νοέ kas marr", "dec dez déc dic gru дек δεκ ara jou",
)  # fmt: skip
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
# Not "am" and "pm", with which the month comes first.
_MORNING, _AFTERNOON = ("πμ", "π.μ.", "de.", "öö", "dop.", "sa", "a. m."), ("μμ", "μ.μ.", "du.", "ös", "odp.", "ch", "p. m.")
_HALF = "|".join(map(re.escape, sorted((*_MORNING, *_AFTERNOON), key=len, reverse=True)))
_CLOCK = (
    rf"(?:(?P<before>{_HALF})\s?)?(?P<hour>\d{{1,2}})[:.h](?P<minute>\d{{2}})(?:[:.m](?P<second>\d{{2}})s?(?P<part>[.,]\d{{1,9}})?)?"
    rf"(?:\s?(?P<after>{_HALF}))?(?:\s?(?:uhr|uur|h|ч|ó))?"
)
_BETWEEN = r"(?:,?\s+(?:(?:klo|kl\.?|um|om|à|a las|às|alle ore|alle|ore|o|в|στις|saat)\s+)?|T)"
_ZONE = r"(?P<zone>\s?(?:gmt|utc|z)?\s?(?:[+-]\d{2}:?\d{2})?)(?:\s\([^()]{3,60}\))?"
_YEAR_FIRST = r"(?P<year>\d{4})(?P<sign>[.]\s?|[-/])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})\.?"
_DAY_FIRST = r"(?P<day2>\d{1,2})(?P<sign2>[./-]\s?)(?P<month2>\d{1,2})(?P=sign2)(?P<year2>\d{4})\.?"
_NAMED = (
    r"(?:[^\W\d]{2,14}\.?,?\s)?(?P<day3>\d{1,2})(?:\.|er|º)?[\s-](?:de\s)?(?P<name>[^\W\d]{3,12})\.?[\s-](?:de\s)?(?P<year3>\d{4})"
    r"(?:\sг\.|\sr\.)?"
)
_MONTH_FIRST = r"(?:[^\W\d]{2,14}\.?,?\s)?(?P<name4>[^\W\d]{3,12})\s(?P<day4>\d{1,2}),?\s(?P<year4>\d{4})"
_DATE = re.compile(rf"(?:{_YEAR_FIRST}|{_DAY_FIRST}|{_NAMED}|{_MONTH_FIRST})(?:{_BETWEEN}{_CLOCK}{_ZONE})?", re.IGNORECASE)
_TIME = re.compile(_CLOCK, re.IGNORECASE)
_BUDDHIST, _FIRST_OF_THEM, _LAST_OF_THEM = 543, 2450, 2650  # years of Thailand
# What only such forms have; most cells have none of them.
_MARK = re.compile(rf"\d\. ?\d{{1,2}}\.? ?\d|[^\W\d_]{{2}}|\d[hч]\d|(?<!\d)2[56]\d\d(?!\d)|(?:{_HALF})", re.IGNORECASE)
# And each of them has a year, or the half of a day beside a number.
_NEEDED = re.compile(rf"(?<!\d)[12]\d{{3}}(?!\d)|\d\s?(?:{_HALF})|(?:{_HALF})\s?\d", re.IGNORECASE)


def plain_column(cells: pd.Series) -> pd.Series:
    """`plain` of each cell."""
    if not bool(cells.str.contains(_MARK).any()):
        return cells
    return pd.Series([plain(cell) for cell in cells.tolist()], index=cells.index, dtype=object)


def plain(cell: str) -> str:
    """A date with or without a time, or a time with the half of the day, as ISO or as "06.05.2024 14:03:07"; any other text as it is."""
    if not (5 < len(cell) < 90) or _NEEDED.search(cell) is None or _MARK.search(cell) is None:
        return cell
    text = " ".join(cell.split())
    if (date := _DATE.fullmatch(text)) is not None:
        day = _day_of(date)
        clock = _clock_of(date) if date["hour"] else ""
        zone = re.sub(r"(?i)\s|gmt|utc", "", date["zone"] or "") or ("Z" if re.search(r"(?i)gmt|utc|z", date["zone"] or "") else "")
        return f"{day} {clock}{zone}".strip() if day and (clock or not date["hour"]) else cell
    if (time := _TIME.fullmatch(text)) is not None and (time["before"] or time["after"]):
        return _clock_of(time) or cell
    return cell


def _day_of(found: re.Match[str]) -> str:
    """The day, in the order in which its numbers stand where that is not certain; "" where a name is that of no month."""
    if found["year"]:
        return f"{_year(found['year'])}-{int(found['month']):02d}-{int(found['day']):02d}"
    if found["year2"]:
        # Where such halves and years are written, the day comes first, as where points stand between.
        local = found["before"] or found["after"] or _year(found["year2"]) != found["year2"]
        sign = "." if local else found["sign2"].strip()
        return f"{found['day2']}{sign}{found['month2']}{sign}{_year(found['year2'])}"
    name, day, year = (found["name"], found["day3"], found["year3"]) if found["year3"] else (found["name4"], found["day4"], found["year4"])
    month = next((number for size in (4, 3) if (number := _NUMBER_OF.get(name.lower()[:size]))), 0)
    return f"{_year(year)}-{month:02d}-{int(day):02d}" if month else ""


def _year(text: str) -> str:
    return str(int(text) - _BUDDHIST) if _FIRST_OF_THEM < int(text) < _LAST_OF_THEM else text


def _clock_of(found: re.Match[str]) -> str:
    """The time of day; "" where its half contradicts its hour."""
    hour, half = int(found["hour"]), (found["before"] or found["after"] or "").lower()
    if half:
        if hour > 12:
            return ""
        hour = hour % 12 + 12 * (half in _AFTERNOON)
    return f"{hour:02d}:{found['minute']}:{found['second'] or '00'}{(found['part'] or '').replace(',', '.')}"
