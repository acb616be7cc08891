"""What each column of a part is, from its name and its values, and what a row is; every guess with its reason."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.importing import date_times
from hemcore.datasets.importing.guessing import column_facts, numbering, statistics_columns
from hemcore.datasets.importing.guessing.column_facts import Facts, epoch_unit, grows, is_place, step_of
from hemcore.datasets.importing.guessing.layouts import Given, layout_of, tell_sets_apart
from hemcore.datasets.importing.header_words import ROW_NAMES, may_be_negative, meaning_of, plain, role_or_ignore, share_of
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import ColumnRole, Layout, Role
from hemcore.datasets.importing.units.cell_kinds import filled
from hemcore.datasets.readers.series.column_roles import is_measure

# Fewer negative values are faults in a column of counts.
_FEW_NEGATIVE, _SEVERAL = 0.1, 3
_MOST_COMPARED = 12  # columns across, of which one may be the ratio of others
_DATED = ("time", "date", "row", "year", "interval", "place", "")  # what columns of dates are called: "Tid" is a time in Danish


@dataclass(frozen=True, eq=False)
class PartGuess:
    """The roles of the columns of one part, in order, and what its rows are."""

    columns: tuple[ColumnRole, ...]
    layout: Layout
    why: str


def guess(part: Part) -> PartGuess:
    """The roles of the columns of `part`. Never raises for what is in it."""
    facts = [Facts(part, place) for place in range(len(part.names))]
    give = Given()
    for fact in facts:
        if fact.is_empty:
            give(fact, "ignore", "it is empty")
    free = [fact for fact in facts if fact.place not in give.roles]
    words = [fact for fact in free if not fact.is_numeric and not fact.date]
    if (mean := statistics_columns.mean_alone(free)) is not None:
        give(mean, "event", statistics_columns.MEAN)
    for fact in statistics_columns.statistics(free):
        give(fact, "ignore", statistics_columns.STATISTIC)
    for fact in numbering.repetitions(free):
        give(fact, "ignore", "it numbers the runs, together with another column")
    free = [fact for fact in free if fact.place not in give.roles]
    numbered = [fact for fact in free if fact.is_numeric]
    candidates = [fact for fact in (*words, *numbered) if column_facts.names_events(fact, free)]
    names = max(candidates, key=statistics_columns.often_counted, default=None)
    if names is None and words[:1] == facts[:1] and column_facts.lies_across(words[0], free):
        names = words[0]
    if names is not None:
        give(names, "event name")
        values = [fact for fact in free if fact.is_numeric and fact is not names]
        if len(values) == 1 and values[0].meaning.role == "stage":
            give(values[0], "value")  # "state" of Home Assistant
        _shares_and_identity(free, give)
        layout = _long_or_transposed(names, [fact for fact in free if fact.place not in give.roles], part, give)
        _tell_apart(facts, give)
        why = "one row per event, one column per run or program" if layout == "hems_as_rows" else "one row per event and reading"
        return PartGuess(give.in_order, layout, why)
    _shares_and_identity(free, give)
    _times([fact for fact in free if fact.place not in give.roles], part, give)
    rest = [fact for fact in free if fact.place not in give.roles]
    numeric = [fact for fact in rest if fact.is_numeric]
    summaries = 2 * sum(fact.meaning.role == "summary" for fact in numeric) >= len(numeric)
    tables = {"result", "table"} <= {fact.name for fact in facts}
    rows_named = any(map(column_facts.names_rows, facts))
    for fact in rest:
        if tables and fact.name == "table":
            give(fact, "ignore", "it numbers the tables of InfluxDB")
        else:
            _event_or_not(fact, give, summaries_count=summaries, rows_named=rows_named)
    _tell_apart(facts, give)
    _name_rows(facts, give)
    tell_sets_apart(facts, give)
    layout, why = layout_of(facts, give, sampled=part.is_sampled)
    for fact in facts if layout == "runs" else ():
        if give.roles[fact.place].role == "event" and fact.is_computed:
            give(fact, "ignore", "computed: it has errors of a spreadsheet, which would take their runs away")
    return PartGuess(give.in_order, layout, why)


def _shares_and_identity(free: Sequence[Facts], give: Given) -> None:
    names = {fact.name for fact in free}
    # Of columns that name parts of the machine, the one with the most parts: a thread, not its core.
    named = any(column_facts.names_rows(fact) for fact in free)  # functions or kernels go before the threads that ran them
    processes = numbering.processes(free)  # so do they, before the processors on which they ran last
    places = [] if named or processes else [fact for fact in free if fact.meaning.role == "place" and is_place(fact)]
    finest = max(places, key=lambda fact: fact.distinct, default=None)
    for fact in free:
        if fact.place in give.roles:
            continue
        taken = {column.role for column in give.roles.values()}
        role = role_or_ignore(fact.meaning)
        of = share_of(fact.name)
        if of and of in names and fact.is_numeric and fact.numbers.min() >= 0 and fact.numbers.max() <= 100:
            give(fact, "share", f"the share of the interval in which {of!r} was counted", of=of)
        elif fact in processes or ("program" not in taken and (fact is finest or numbering.is_part(fact, free))):
            give(fact, "program", f"a {'process' if fact in processes else 'part of the machine'}: each is read by itself")
        elif fact.meaning.role == "run" and "run" not in taken and numbering.may_be_runs(fact, free):
            give(fact, "run")
        elif numbering.numbers_jobs(fact) and "run" not in taken:
            give(fact, "run", column_facts.JOBS)
        elif (
            role in ("program", "load", "subexperiment")
            and role not in taken
            and not fact.date
            and (not fact.is_numeric or role == "subexperiment" or numbering.numbers_blocks(fact, free))
        ) or (role == "granularity" and role not in taken):
            give(fact, role)
        elif role == "stage" and role not in taken and not fact.date:
            give(fact, "stage")


def _times(free: Sequence[Facts], part: Part, give: Given) -> None:
    """Gives the roles of time, date and interval."""
    dates = [fact for fact in free if fact.date in ("date-time", "date") and fact.meaning.role in _DATED]
    dates.sort(key=lambda fact: (fact.meaning.role not in ("time", "date"), not fact.meaning.sure))  # among "start", "stop" and "time"
    stamped = next((fact for fact in dates if fact.date == "date-time"), None)
    day = next((fact for fact in dates if fact.date == "date"), None)
    clocks = [fact for fact in free if fact.date == "clock" and fact.distinct > 1]
    clock = next((fact for fact in clocks if fact.meaning.role in ("time", "date") or fact.name.lower() in ("", "#", "clock")), None)
    if clock is None and day is not None and day.distinct == 1 < len(day.texts):
        clock = next(iter(clocks), None)  # whatever it is called: the day alone tells no row from another
    numeric = [fact for fact in free if fact.meaning.role == "time" and (fact.is_numeric or fact.duration)]
    numeric = numeric or column_facts.instants(free)
    epochs = [fact for fact in numeric if not fact.meaning.unit and epoch_unit(fact)]
    named = _has(give, "granularity") or any(column_facts.names_rows(fact) for fact in free)  # rows with names are no instants
    plain = [fact for fact in numeric if fact not in epochs and (fact.meaning.sure or (grows(fact) and not named))]
    plain = [fact for fact in plain if not (named and column_facts.mostly_falls(fact)) and not numbering.says_how_long(fact)]
    plain = [fact for fact in plain if not column_facts.lasts(fact, free) and not (column_facts.is_length(fact) and len(fact.texts) > 1)]
    told = [Facts(part, place) for place, column in give.roles.items() if column.role in ("program", "run", "subexperiment")]
    plain = [fact for fact in plain if not numbering.falls_within(fact, told)]
    # A length of each interval is no time that goes on.
    plain.sort(key=lambda fact: (fact.distinct == 1 < len(fact.texts), not fact.meaning.sure))
    if stamped is not None or epochs:
        plain = [fact for fact in plain if not column_facts.mostly_falls(fact)]  # how long something took
    serial = next((fact for fact in free if column_facts.are_serial_days(fact)), None)
    if serial is not None and stamped is None and not epochs:
        give(serial, "time", "days since 1899, as spreadsheets keep dates", unit="serial day")
    elif plain and column_facts.are_years(plain[0]):
        give(plain[0], "interval", "years are kept as they are", unit="year")
    elif plain:
        give(plain[0], "time", unit=plain[0].unit)
        other = stamped or (epochs[0] if epochs else None)
        if other is not None:
            give(other, "date", "kept beside the time", unit="date-time" if other.date else epoch_unit(other))
    elif stamped is not None:
        give(stamped, "time", unit="date-time")
    elif epochs:
        give(epochs[0], "time", unit=epoch_unit(epochs[0]))
    elif clock is not None:
        give(clock, "time", unit="mm:ss" if day is None and date_times.are_minutes(clock.texts) else "clock")
        if day is not None:
            give(day, "date", "joined with the time of day", unit="date")
    elif day is not None:
        give(day, "time", unit="date")
    _numbered(free, give)
    for fact in [fact for fact in free if fact.place not in give.roles]:
        if stamped is not None and _has(give, "time") and column_facts.are_instants_of(fact, stamped):
            give(fact, "ignore", f"it holds the instants of {stamped.name!r}")
        elif plain and fact is not plain[0] and fact.meaning.role == "time" and column_facts.is_length_of(fact, plain[0]):
            give(fact, "ignore", "it is the length of each interval")
        elif plain and fact in plain[1:] and (fact.numbers - plain[0].numbers).round(6).nunique() == 1:
            give(fact, "ignore", "it runs with the time")
        elif fact.date or (
            fact.meaning.role == "time" and fact.meaning.sure
            and not (fact.is_numeric and (column_facts.mostly_falls(fact) or column_facts.lasts(fact, free)))
        ):  # fmt: skip
            give(fact, "ignore", "another column is the time" if _has(give, "time") else "it holds dates or times")
        elif fact.meaning.role == "year" and fact.ascends:
            give(fact, "interval", "years are kept as they are", unit="year")
        elif fact.meaning.role == "interval" and fact.distinct == 1 < len(fact.texts) and _has(give, "time"):
            give(fact, "ignore", "it is the same in every row")
        elif fact.name == "index" and _has(give, "program") and step_of(fact) == 1:
            give(fact, "ignore", "it numbers the rows")  # of pandas
        elif fact.meaning.role == "interval" and numbering.numbers_intervals(fact, timed=_has(give, "time")):
            give(fact, "interval")
        elif fact.meaning.role == "row" and (fact.ascends or (not fact.name and fact.is_numeric)):
            give(fact, "ignore", "it numbers the rows")
        taken = [column.role for column in give.roles.values()]
        if taken.count("interval") > 1:
            give(fact, "ignore", "another column numbers the intervals")


def _numbered(free: Sequence[Facts], give: Given) -> None:
    """The first column, of an unknown name, whose numbers rise by one step: 0, 1, 2 are rows; 0, 0.5, 1 times; sizes 64, 128."""
    if not free or free[0].place or free[0].place in give.roles or free[0].meaning.role or not (step := step_of(free[0])):
        return
    if step == 1:
        give(free[0], "ignore", "it numbers the rows")
    elif step % 1 and free[0].numbers.iloc[0] == 0 and not _has(give, "time"):
        give(free[0], "time", "its steps are all alike", unit=free[0].meaning.unit)


def _has(give: Given, role: Role) -> bool:
    return any(column.role == role for column in give.roles.values())


def _tell_apart(facts: Sequence[Facts], give: Given) -> None:
    """Where a time comes several times, the column by which its rows differ is that of programs: hosts, disks, networks; where a program
    does, that of its parts of the machine."""
    day = ("date",) if any(column.unit == "clock" for column in give.roles.values()) else ()
    keys = [fact for fact in facts if fact.place in give.roles and give.roles[fact.place].role in ("time", "run", "event name", *day)]
    programs = [fact for fact in facts if fact.place in give.roles and give.roles[fact.place].role == "program"]
    rows = pd.DataFrame({fact.place: fact.texts for fact in (*keys, *programs)})
    if not (programs or _has(give, "time")) or not rows.duplicated().any():
        return
    for part in numbering.parts_beside(programs[0], facts, rows) if programs else ():
        give(part, "program", "a part of the machine: each is read by itself")
    for fact in sorted(facts, key=lambda fact: fact.is_numeric) if not programs else ():  # names before numbers
        named = give.roles[fact.place].role == "ignore" if fact.place in give.roles else True
        named = numbering.counts_up(fact) if fact.is_numeric else named
        if named and not fact.date and is_place(fact) and not rows.assign(own=fact.texts).duplicated().any():
            give(fact, "program", "rows of the same time differ by it: each is read by itself")
            return


def _event_or_not(fact: Facts, give: Given, *, summaries_count: bool, rows_named: bool) -> None:
    if not fact.is_numeric and fact.name and fact.duration and fact.distinct > 1:
        give(fact, "event", "how long each took")
        return
    if why := numbering.why_no_count(fact):
        give(fact, "ignore", why)
        return
    negative, there = fact.below_zero
    often = negative >= _SEVERAL and negative > _FEW_NEGATIVE * there
    if column_facts.is_length(fact):
        give(fact, "ignore", "it is the length of each interval")
    elif negative and (often or may_be_negative(fact.name) or is_measure(fact.name)):
        give(fact, "ignore", column_facts.BELOW)
    elif negative and negative == there and fact.distinct == 1:
        give(fact, "ignore", "below 0 in every row, so it is no count")
    elif fact.meaning.role == "setting" and fact.distinct == 1 < len(fact.texts):
        give(fact, "ignore", "a setting, the same in every row")
    elif fact.meaning.role == "place" and fact.is_whole and (fact.distinct == 1 or rows_named or _has(give, "program")):
        give(fact, "ignore", "it names a part of the machine")
    elif fact.name and (fact.meaning.role == "text" or (fact.meaning.role == "summary" and not summaries_count)):
        give(fact, "ignore", "its name is that of a comment or a summary")
    else:
        give(fact, "event")


def _name_rows(facts: Sequence[Facts], give: Given) -> None:
    """Where nothing else says what rows are, a column of names does, the first or "name": those of programs, or runs ("R1", "R2")."""
    first = next((fact for fact in facts if not fact.is_numeric and plain(fact.name) in ROW_NAMES), facts[0])
    roles = {column.role for column in give.roles.values()}
    untimed = first.meaning.role == "time" and not first.texts.str.contains(r"\d").all()
    unnamed = give.roles[first.place].why not in (numbering.TEXT, numbering.ADDRESSES)
    named_else = roles & {"time", "interval", "run", "program", "subexperiment"}
    if unnamed or named_else or (first.meaning.role not in ("", "row", "address") and not untimed):
        return
    stems = {re.sub(r"\d+$", "", text) for text in first.texts}  # "sort/8" and "sort/64" are benchmarks of several sizes
    named = first.meaning.role == "address" or plain(first.name) in ROW_NAMES - {"name"}
    of_place = meaning_of(next(iter(stems)).strip(" ._-")).role == "place"
    one_stem = len(stems) == 1 and "/" not in "".join(stems)
    if first is facts[0] and not (named or of_place) and one_stem and first.distinct == len(first.texts):
        give(first, "run")
    elif first.distinct > 1:
        give(first, "program", "the names of the rows")


def _long_or_transposed(names: Facts, free: list[Facts], part: Part, give: Given) -> Layout:
    numeric = [
        fact for fact in free if fact.is_numeric and fact.meaning.role not in ("time", "interval", "row", "year", "summary", "share")
    ]
    codes = [fact for fact in numeric if statistics_columns.codes_events(fact, [each for each in numeric if each is not fact])]
    for fact in codes if len(codes) < len(numeric) else ():
        give(fact, "ignore", "it numbers the events, or their counters")
    numeric, free = ([fact for fact in facts if fact.place not in give.roles] for facts in (numeric, free))
    value = next((fact for fact in free if fact.meaning.role == "value" and fact.is_numeric), None)
    known = any(column.role == "value" for column in give.roles.values())
    if value is None and not known and len(numeric) > 1 and names.distinct == len(filled(names.texts)) == len(names.texts):
        for fact in statistics_columns.ratios(numeric[:_MOST_COMPARED]):
            give(fact, "ignore", statistics_columns.RATIO)
        for fact in [fact for fact in free if fact.place not in give.roles]:
            if fact in numeric:
                give(fact, "value")
            else:
                give(fact, "ignore", "a summary of the runs" if fact.meaning.role == "summary" else "it is no run")
        return "hems_as_rows"
    _times([fact for fact in free if fact is not value], part, give)
    rest = [fact for fact in free if fact.place not in give.roles]
    again = next((fact for fact in rest if fact.meaning.role == "run" and fact.is_whole and _has(give, "run")), None)
    if again is not None and not _has(give, "time") and not _has(give, "interval"):
        give(again, "interval", "it numbers the readings within a run")
        rest.remove(again)
    value = value or next((fact for fact in rest if fact in numeric and not known and not column_facts.is_length(fact)), None)
    for fact in rest:
        if fact is value:
            give(fact, "value")
        elif fact.meaning.role == "share" and fact.is_numeric:
            give(fact, "share", "the share of the interval in which the event was counted")
        else:
            give(fact, "ignore", "it is neither the event nor its value")
    return "long"
