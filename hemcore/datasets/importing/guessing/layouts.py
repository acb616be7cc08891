"""What a row of a part is, from the roles of its columns."""

from collections.abc import Mapping, Sequence

import pandas as pd

from hemcore.datasets.importing.guessing.column_facts import Facts, epoch_unit, grows, step_of
from hemcore.datasets.importing.guessing.numbering import numbers_jobs
from hemcore.datasets.importing.header_words import PHASE_NAMES, plain
from hemcore.datasets.importing.recipe import ColumnRole, Layout, Role, TimeUnit, column_role

# Why runs that are numbered anew in each text of a column, as of variants, are sets of runs.
SETS = "each of its texts numbers its runs anew"
DAYS = "days alone, the same in several rows, are no times of intervals"


class Given:
    """The roles that were given so far, by the column's place."""

    def __init__(self) -> None:
        self.roles: dict[int, ColumnRole] = {}

    @property
    def in_order(self) -> tuple[ColumnRole, ...]:
        return tuple(role for _, role in sorted(self.roles.items()))

    def __call__(self, fact: Facts, role: Role, why: str = "", unit: TimeUnit = "", of: str = "") -> None:
        self.roles[fact.place] = column_role(fact.name, role, why, unit, of)


def tell_sets_apart(facts: Sequence[Facts], give: Given) -> None:
    """Where runs come several times, a column of texts or of a setting that stays the same meanwhile is that of their sets."""
    roles = {column.role: place for place, column in give.roles.items()}
    if "run" not in roles or roles.keys() & {"time", "date", "interval", "program", "subexperiment", "stage", "phase"}:
        return
    run = facts[roles["run"]].texts
    for fact in facts if run.duplicated().any() else ():
        column = give.roles[fact.place]
        named = column.why == "it holds text" and fact.meaning.role != "text"
        if not (named or (column.role == "event" and fact.meaning.role == "setting")) or not 1 < fact.distinct <= len(fact.texts) / 2:
            continue
        changes = int((fact.texts != fact.texts.shift()).sum())
        if changes == fact.distinct and not pd.DataFrame({"run": run, "set": fact.texts}).duplicated().any():
            give(fact, "subexperiment", SETS)
            return


def layout_of(facts: Sequence[Facts], give: Given, *, sampled: bool) -> tuple[Layout, str]:
    """What a row is; the time of runs is no time of intervals."""
    of = {column.role: place for place, column in give.roles.items() if column.role not in ("event", "ignore", "share")}
    rows = len(facts[0].texts) if facts else 0
    run = facts[of["run"]] if "run" in of else None
    of_program = {place: facts[place].texts.to_numpy() for place, column in give.roles.items() if column.role == "program"}
    programs = len(pd.DataFrame(of_program).drop_duplicates())
    if "time" in of and facts[of["time"]].date == "date" and not {"interval", "date"} & of.keys():
        told = pd.DataFrame({role: facts[of[role]].texts for role in ("time", "program", "run", "stage") if role in of})
        if rows > 2 and 2 * int(told.duplicated().sum()) >= rows:
            give(facts[of.pop("time")], "ignore", DAYS)
    if programs > 1 and "subexperiment" in of:
        give(facts[of.pop("subexperiment")], "ignore", "subexperiments are of one program, and here are several")
    keys = pd.DataFrame(of_program | {role: facts[of[role]].texts.to_numpy() for role in ("run", "subexperiment", "load") if role in of})
    phase = facts[of["stage"]] if "stage" in of and not {"time", "interval", "run"} & of.keys() else None
    named = phase is not None and plain(phase.name) in PHASE_NAMES and 1 < programs <= rows / 2
    if phase is not None and named and len(keys.assign(phase=phase.texts.to_numpy()).drop_duplicates()) == rows:
        if phase.is_whole and phase.numbers.min() >= 0:
            give(phase, "phase")
        return "phases", "one row per phase of a program"
    numbered = phase is not None and "program" not in of and phase.ascends and phase.numbers.iloc[0] in (0, 1)
    if phase is not None and numbered and plain(phase.name) in PHASE_NAMES:
        give(phase, "phase")
        return "phases", "one row per phase of a program"
    place = of.get("stage")
    regions = place is not None and facts[place].distinct == rows > 1 and plain(facts[place].name) in PHASE_NAMES
    if (
        regions
        and "time" in of
        and not {"run", "program", "interval"} & of.keys()
        and facts[of["time"]].is_numeric
        and not grows(facts[of["time"]])
    ):
        give(facts[of["time"]], "event", "a row is a phase, so this is how long it took")
        return "phases", "one row per phase of a program"
    each_alone = not keys.empty and len(keys.drop_duplicates()) == rows
    if ("granularity" in of or "load" in of) and "program" in of and "time" not in of:
        return "phases", "one row per phase of a program"
    if run is not None and "time" in of and each_alone and programs <= 1 and step_of(facts[of["time"]]):
        give(run, "ignore", "it numbers the rows")
        return "intervals", "one row per interval"
    if run is not None and numbers_jobs(run) and programs > 1:
        if "time" in of and not facts[of["time"]].is_numeric:
            give(facts[of["time"]], "ignore", "when a job ran, or how long, is no count")
        return "phases", "one row per job"
    if run is not None and each_alone and rows > 1 and (programs <= 1 or "subexperiment" in of):
        if "time" in of:
            time = facts[of["time"]]
            if time.date or time.duration or epoch_unit(time):
                give(time, "ignore", "when a run was made is no count")
            else:
                give(time, "event", "a row is a run, so this is how long it took")
        if "interval" in of:
            give(facts[of["interval"]], "ignore", "it numbers the rows")
        return "runs", f"one row per run ({run.name or 'first column'})"
    if "subexperiment" in of and "time" not in of and "interval" not in of:
        return "runs", "one row per run, with the subexperiment that it belongs to"
    if programs > 1 and programs == rows and "interval" not in of and not ("time" in of and facts[of["time"]].date):
        if "time" in of:
            give(facts[of["time"]], "event", "a row is a program, so this is how long it took")
        return "phases", "one row per program: totals of whole runs"
    if "time" in of or "interval" in of:
        return "intervals", "one row per interval"
    if programs > 1 and each_alone:
        return "phases", "one row per program: totals of whole runs"
    if programs == 1 and run is None:
        return "runs", "one row per run of the same command"
    if run is not None or programs or "stage" in of:
        return "intervals", "one row per interval of a run"
    if facts and sampled:
        return "intervals", "one row per interval, as samplers such as vmstat print them"
    return "runs", "columns of counts without time or program: each row is a run"


def may_be_runs(facts: Sequence[Facts], columns: Mapping[int, ColumnRole]) -> bool:
    """Whether rows without times may be runs: rows of programs, without stages, or with stages that come again in one order, each once."""
    of = {column.role: facts[place].texts.to_numpy() for place, column in columns.items() if column.role in ("program", "stage")}
    if len(of) < 2:
        return "program" in of
    for _, stages in pd.Series(of["stage"]).groupby(of["program"], sort=False):
        n, names = stages.nunique(), stages.to_numpy()
        if not 1 < n < len(names) or len(names) % n or not bool((names.reshape(-1, n) == names[:n]).all()):
            return False
    return True
