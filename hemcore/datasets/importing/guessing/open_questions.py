"""What is not certain in a guess, as questions that one click answers; until then a table is read as it was guessed."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.importing.guessing import fault_questions, name_questions, time_questions
from hemcore.datasets.importing.guessing.column_facts import Facts, grows_evenly, is_length
from hemcore.datasets.importing.guessing.doubt import Doubt, epoch_form, event_columns, has, settled, with_role
from hemcore.datasets.importing.guessing.layouts import SETS, may_be_runs
from hemcore.datasets.importing.guessing.statistics_columns import MEAN
from hemcore.datasets.importing.header_words import are_parts, meaning_of
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.recipe import CHOSEN, ColumnRole, ImportRecipe, Kind, Layout
from hemcore.datasets.importing.units.cell_kinds import filled, missing
from hemcore.datasets.importing.units.united_numbers import numbers_alone_of
from hemcore.events.usual_names import cycles_of, instructions_of

_MEASURED = re.compile(r"PAPI_\w+|(?:real|cpu|user|sys|system|wall|wall_?clock|elapsed|run|exec(?:ution)?)[_ ]?time(?:\b.*)?", re.I)
# Fewer rows show no order.
_FEWEST, _FEWEST_IN_ORDER = 6, 10
# Standard errors by which neighbouring rows are more alike than runs would be.
_ALIKE = 4.0
_MOSTLY = 0.9
# "cycles.1", "cycles.2", as R numbers columns of one name.
_NUMBERED = re.compile(r"(.+?)\.(\d+)")
# "cycles_run1", "cycles run 2", "cycles (rep 3)".
_OF_RUN = re.compile(r"(.+?)[\s_.:(\[-]+([^\W\d_]+)[\s_.#-]*\d+[)\]]?")
# "scoreError", "cycles std. err.", but no "errors" that are counted.
_ERROR = re.compile(r"(?:[a-z]Error|\b(?:std|standard)[\W_]*(?:err(?:or)?|dev(?:iation)?)\.?)$")
_MOST = 4
# "7.42m", "5 of 10": numbers with something behind them, but no ranges or versions such as "1.2.3".
_UNREAD = re.compile(r"[^\d\s.,:/\w-]{0,3}\s*[-+]?\d+(?:[.,]\d+)?\s*(?:[^\d\s.,:/-][^\d\s]{0,9})?$|\d{1,3}(?:,\d{2,3})+$")
_SMALL_M = re.compile(r"[-+]?\d+(?:[.,]\d+)?\s*m$")
# Why columns of texts are left out, where they may tell programs apart.
_TEXTS = ("it holds text", "it is neither the event nor its value")


def doubts_of(parts: Sequence[Part], recipe: ImportRecipe) -> tuple[Doubt, ...]:
    """What a person should look at before `parts` are read by `recipe`, at most four; none of what the recipe has settled.

    Asked are: numbers that rise evenly without another time, times in an unknown unit, rows that may be events, numbers that repeat in a
    fixed order (settings), texts that are left out and may tell programs apart, rows in an order that runs have not, names of events that
    number runs, and files of one column each.
    """
    facts = [Facts(parts[0], place) for place in range(len(parts[0].names))] if parts else []
    columns = {fact.place: column for fact in facts if (column := recipe.role_of(fact.name)) is not None and column.why != CHOSEN}
    sampled = bool(parts) and parts[0].is_sampled  # rows of these tools are intervals, and no column is their time
    found = [
        *([] if sampled else time_questions.times(facts, columns, recipe)),
        *time_questions.unit_doubts(facts, columns, recipe),
        *time_questions.forms(facts, columns, recipe),
        *([] if sampled else time_questions.cumulative(facts, columns, recipe)),
        *time_questions.durations(facts, columns, recipe),
        *name_questions.names_of_rows(parts, recipe),
        *name_questions.names_above(parts, recipe),
        *_lying(facts, columns, recipe),
        *name_questions.keys(facts, columns, recipe),
        *name_questions.summary_rows(facts, columns, recipe),
        *_settings(facts, columns, recipe, sampled=sampled),
        *_unread(facts, columns, recipe),
        *_names(facts, columns, recipe),
        *_sets(facts, columns, recipe),
    ]
    found += [
        *name_questions.totals(facts, columns, recipe),
        *name_questions.periods(facts, columns, recipe),
        *_statistics(facts, columns, recipe),
        *([] if sampled else _order(facts, columns, recipe)),
        *_numbered(facts, columns, recipe),
        *fault_questions.points(parts, facts, columns, recipe),
        *_of_files(parts, recipe),
        *name_questions.files_of_programs(parts, recipe),
        *_cut_off(parts, facts, columns, recipe),
    ]
    open_ones = {each.key: each for each in found if each.key not in recipe.settled}  # columns of one name are asked about once
    return tuple(open_ones.values())[:_MOST]


def is_setting(texts: pd.Series) -> bool:
    """Whether cells repeat two values or more in a fixed order, each as often and at least twice: 1 1 2 2, or 64 128 64 128."""
    codes, values = pd.factorize(texts)
    n, distinct = len(codes), len(values)
    if n < _FEWEST or distinct < 2 or 2 * distinct > n or n % distinct:
        return False
    first = int((codes != codes[0]).argmax())
    return bool((codes == np.arange(n) // first % distinct).all())


def _settings(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe, *, sampled: bool) -> Iterator[Doubt]:
    told = _sizes_in_names(facts, columns)
    keys = {fact.place: fact.texts for fact in facts if fact.place in columns and columns[fact.place].role in ("time", "program")}
    timed = sampled or (has(recipe, "time") and not pd.DataFrame(keys).duplicated().any())
    for fact in event_columns(facts, columns):
        grows_by = grows_evenly(fact.numbers)
        named = fact.meaning.role == "setting" and fact.distinct > 1
        repeats = is_setting(fact.texts) and not (timed and fact.texts.iloc[0] != fact.texts.iloc[1])  # nobody sets anew at each reading
        if named or ((grows_by or repeats) and not (epoch_form(fact) or _is_measured(fact.name) or told)):
            key = f"setting {fact.name}"
            shown = ", ".join(fact.texts.drop_duplicates().iloc[:3])
            repeated = f"repeats {fact.distinct} values in a fixed order" if is_setting(fact.texts) else "varies"
            does = "grows by one factor" if grows_by else repeated
            apart = (
                []
                if has(recipe, "program")
                else [("It tells programs apart", with_role(recipe, fact.name, "program", layout=_apart(recipe)))]
            )
            yield Doubt(
                key=key,
                question=f"{fact.name!r} {does} ({shown}): is it a setting, or a count?",
                answers=(("A setting: leave it out", with_role(recipe, fact.name, "ignore")), *apart, ("A count", settled(recipe, key))),
            )


def _is_measured(name: str) -> bool:
    """Whether a name is that of a counter or of a time that a benchmark took, which is never set."""
    return _MEASURED.fullmatch(name) is not None or instructions_of([name]) is not None or cycles_of([name]) is not None


def _sizes_in_names(facts: Sequence[Facts], columns: dict[int, ColumnRole]) -> bool:
    """Whether the names of the rows differ by a number, "sort/8" and "sort/64": then they say what was set."""
    names = [fact for fact in facts if fact.place in columns and columns[fact.place].role == "program" and not fact.is_numeric]
    return any(fact.distinct > 1 and bool(fact.texts.str.contains(r"[^\W\d]\D*/\d").all()) for fact in names)


def _apart(recipe: ImportRecipe) -> Layout:
    """What a row is once programs are told apart."""
    return recipe.layout if recipe.layout in ("intervals", "long") else "phases"


def _lying(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    names = next((fact for fact in facts if fact.place in columns and columns[fact.place].role == "program"), None)
    events = [fact.name for fact in event_columns(facts, columns)]
    if recipe.layout != "phases" or names is None or names.meaning.role not in ("", "row") or not are_parts(events):
        return
    rows, values = {names.name: "event name"}, dict.fromkeys(events, "value")
    made = tuple(each.but(role=(rows | values)[each.name], why=CHOSEN) if each.name in rows | values else each for each in recipe.columns)
    yield Doubt(
        key="lying",
        question=f"Columns are parts of the machine ({', '.join(events[:3])}): do rows name events or programs?",
        answers=(
            ("Events", recipe.but(columns=made, layout="hems_as_rows", kind="", settled=(*recipe.settled, "lying"))),
            ("Programs", settled(recipe, "lying")),
        ),
    )


def _unread(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    names = [
        fact.name
        for fact in facts
        if (column := columns.get(fact.place)) is not None and column.why == _TEXTS[0] and not fact.duration and _are_unread(fact)
    ]
    if names:
        place = next(fact for fact in facts if fact.name == names[0])
        cells = filled(place.texts)
        shown, leave = cells.iloc[0][:20], ("Leave out", settled(recipe, "unread"))
        if cells.str.match(_SMALL_M).any():
            anew = {"columns": (), "layout": "", "kind": "", "per_interval": "", "blanks": ""}
            meanings = ("millions", "thousandths", "minutes")
            made = tuple((meaning.capitalize(), recipe.but(small_m=meaning, **anew)) for meaning in meanings)
            yield Doubt(key="unread", question=f"{', '.join(names[:4])}: what is the m of {shown}?", answers=(*made, leave))
            return
        chosen = tuple(ColumnRole(name=each.name, role="event", why=CHOSEN) if each.name in names else each for each in recipe.columns)
        question = f"{', '.join(names[:4])}: numbers with something around them ({shown}) are left out. Is that right?"
        alike = all(numbers_alone_of(fact.texts, missing(fact.texts)) is not None for fact in facts if fact.name in names)
        alone = [("Read the numbers alone", recipe.but(columns=chosen))] if alike else []
        yield Doubt(key="unread", question=question, answers=(*alone, leave))


def _are_unread(fact: Facts) -> bool:
    return bool(fact.texts.str.match(_UNREAD).mean() >= _MOSTLY)


def _names(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    if has(recipe, "program", "stage") or recipe.layout == "hems_as_rows":
        return
    for fact in facts:
        column = columns.get(fact.place)
        texts = column is not None and column.role == "ignore" and not (fact.is_numeric or fact.date) and column.why in _TEXTS
        if not texts or time_questions.look_like_times(fact) or meaning_of(fact.name).role == "text" or _are_unread(fact):
            continue
        few = 2 * fact.distinct <= len(fact.texts) or recipe.layout == "runs"
        if fact.distinct < 2 or not few or float((fact.texts != "").mean()) < _MOSTLY:
            continue
        key = f"names {fact.name}"
        shown = ", ".join(text[:30] for text in fact.texts.drop_duplicates().iloc[:3])
        stages = [("Stages", with_role(recipe, fact.name, "stage"))] if recipe.layout == "intervals" else []
        yield Doubt(
            key=key,
            question=f"{fact.name!r} holds {fact.distinct} different texts ({shown}): does it tell programs apart?",
            answers=(
                ("Programs", with_role(recipe, fact.name, "program", layout=_apart(recipe))),
                *stages,
                ("A remark: leave it out", settled(recipe, key)),
            ),
        )
        return


def _sets(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    fact = next((fact for fact in facts if fact.place in columns and columns[fact.place].why == SETS), None)
    if fact is not None:
        shown = ", ".join(text[:30] for text in fact.texts.drop_duplicates().iloc[:3])
        yield Doubt(
            key="sets",
            question=f"Runs are numbered anew for each {fact.name!r} ({shown}): what are these?",
            answers=(
                ("Programs", with_role(recipe, fact.name, "program", layout="phases")),
                ("Further runs of the same: leave it out", with_role(recipe, fact.name, "ignore", layout="runs")),
                ("Sets of runs, each by itself", settled(recipe, "sets")),
            ),
        )


def _statistics(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    said = (fact for fact in event_columns(facts, columns) if fact.meaning.role == "summary" or _ERROR.search(fact.name))
    names = [fact.name for fact in said if columns[fact.place].why != MEAN]
    others = [fact for fact in event_columns(facts, columns) if fact.name not in names]
    if not names or not others:
        return
    made = tuple(ColumnRole(name=each.name, role="ignore", why=CHOSEN) if each.name in names else each for each in recipe.columns)
    yield Doubt(
        key="statistics",
        question=f"{', '.join(names[:4])} {'is' if len(names) == 1 else 'are'} named as statistics beside counts: leave out?",
        answers=(("Leave out", recipe.but(columns=made)), ("Counts", settled(recipe, "statistics"))),
    )


def _order(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    if recipe.layout == "intervals" and not has(recipe, "time", "interval", "date") and may_be_runs(facts, columns):
        made = recipe.but(layout="phases", kind="", per_interval="", blanks="", settled=(*recipe.settled, "order"))
        question = "Rows have names and no times: is each row a run of what it names, or the next interval of it?"
        yield Doubt(key="order", question=question, answers=(("A run", made), ("An interval", settled(recipe, "order"))))
    length = next(filter(is_length, facts), None)
    listed = recipe.layout == "long" and recipe.kind == "Subexperiments" and length is not None
    if not (listed or recipe.layout == "runs") or has(recipe, "run", "subexperiment", "program", "event name" if not listed else "run"):
        return
    alike = [neighbours_alike(fact.numbers) for fact in event_columns(facts, columns)]
    if length is not None or (len(alike) and 2 * sum(alike) > len(alike)):
        shown = recipe if length is None else with_role(recipe, length.name, "ignore")
        kind: Kind = "CounterSeries" if listed else ""
        layout: Layout = "long" if listed else "intervals"
        timed = recipe if length is None else with_role(recipe, length.name, "length", length.meaning.unit)
        made = timed.but(layout=layout, kind=kind, per_interval="", blanks="", settled=(*recipe.settled, "order"))
        why = "Rows next to each other are more alike than runs would be" if length is None else f"{length.name!r} is the same in every row"
        question = f"{why}: is each row a run, or an interval of one run?"
        yield Doubt(key="order", question=question, answers=(("An interval", made), ("A run", settled(shown, "order"))))


def neighbours_alike(numbers: pd.Series) -> bool:
    """Whether numbers next to each other are alike by four standard errors of the lag-1 autocorrelation of independent ones, 1/sqrt(n)."""
    values = numbers[np.isfinite(numbers)].to_numpy(dtype=float)
    off = values - values.mean() if len(values) else values
    if len(values) < _FEWEST_IN_ORDER or not (spread := float(off @ off)):
        return False
    return float(off[1:] @ off[:-1]) / spread * np.sqrt(len(values)) > _ALIKE


def _numbered(facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    of: dict[str, list[str]] = {}
    for fact in event_columns(facts, columns):
        named = _OF_RUN.fullmatch(fact.name)
        if named is not None and meaning_of(named[2]).role == "run":
            of.setdefault(named[1], []).append(fact.name)
        elif (numbered := _NUMBERED.fullmatch(fact.name)) is not None:
            of.setdefault(numbered[1], []).append(fact.name)
    name = next((name for name, several in of.items() if len(several) > 1), None)
    if name is not None:
        shown = ", ".join(of[name][:3])
        question = f"{shown} are named as runs of {name!r}. For runs, put one below the other, with a column 'run'. Are they events?"
        yield Doubt(key="numbered", question=question, answers=(("Events", settled(recipe, "numbered")),))


def _cut_off(parts: Sequence[Part], facts: Sequence[Facts], columns: dict[int, ColumnRole], recipe: ImportRecipe) -> Iterator[Doubt]:
    """Whether the last number of a file that ends without an end of line was cut: it alone is smaller than half of all above it."""
    events = list(event_columns(facts, columns))
    if len(parts) != 1 or not parts[0].ends_open or len(events) < 2 or events[-1].place + 1 < len(facts) or not parts[0].grid.whole:
        return
    *others, last = events
    small = [bool(fact.numbers.iloc[-1] < fact.numbers.iloc[:-1].min() / 2) for fact in (*others, last)]
    if len(last.texts) >= _FEWEST and small[-1] and not any(small[:-1]):
        row = int(parts[0].rows[-1])
        made = recipe.but(skip_rows=(*recipe.skip_rows, row), settled=(*recipe.settled, "cut"))
        shown = f"the file ends within row {row}, and {last.name!r} is {last.texts.iloc[-1]} there, less than half of any other"
        answers = ((f"Yes: leave row {row} out", made), ("No, it is whole", settled(recipe, "cut")))
        yield Doubt(key="cut", question=f"Was the last number cut off? T{shown[1:]}.", answers=answers)


def _of_files(parts: Sequence[Part], recipe: ImportRecipe) -> Iterator[Doubt]:
    events = [column.name for column in recipe.columns if column.role in ("event", "value")]
    if len(parts) < 2 or len(events) != 1 or meaning_of(events[0]).role != "value" or has(recipe, "event name"):
        return
    question = (
        f"Each of the {len(parts):,} files has one column, {events[0]!r}. Is each file a program or run? For an event per file, put the"
        " columns next to each other, named, in one file."
    )
    yield Doubt(key="files", question=question, answers=(("Programs or runs", settled(recipe, "files")),))
