"""Columns of whole numbers that are names: of parts of a machine, jobs, benchmarks, runs."""

import re
from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.importing.guessing.column_facts import FALLS, Facts, grows, mostly_falls, names_rows
from hemcore.datasets.importing.header_words import plain
from hemcore.datasets.importing.units.cell_kinds import filled
from hemcore.events.hardware_tree import level_of_column

# A word of hexadecimal digits, as addresses are written.
_HEXADECIMAL = re.compile(r"0x[0-9a-f]{1,16}|[0-9a-f]{3,16}", re.IGNORECASE)
ADDRESSES, TEXT = "it holds addresses", "it holds text"


def why_no_count(fact: Facts) -> str:
    """Why a column holds no counts by the kind of its cells: names of processes, addresses, words; "" where they are other numbers."""
    if fact.meaning.role == "identifier" and fact.is_numeric:
        return "its numbers are names: of processes, users, jobs"
    hexadecimal = fact.meaning.role == "address" and fact.number < 1 and all(map(_HEXADECIMAL.fullmatch, filled(fact.texts)))
    if hexadecimal or (fact.meaning.role == "address" and fact.meaning.sure and fact.is_whole):
        return ADDRESSES
    truths = set(fact.texts.str.lower()) <= {"true", "false", "yes", "no", "ja", "nein", "oui", "non", ""}
    return "" if fact.is_numeric else "it holds true or false" if truths else TEXT


# How long something took, though it may grow from row to row.
_LASTS = re.compile(
    r"(?:^|[\W_])(?:exec(?:ution)?|run|cpu|user|sys(?:tem)?|response|wait|comp(?:ute|utation)?|processing|solver?|service|kernel|build|compile)"
    r"[\W_]*time(?![a-z])",
    re.IGNORECASE,
)


def says_how_long(fact: Facts) -> bool:
    """Whether a time is called that of something that was run, and grows by uneven steps, if at all."""
    return _LASTS.search(fact.name) is not None and are_uneven(fact.numbers.diff().iloc[1:])


def are_uneven(steps: pd.Series) -> bool:
    """Whether some steps differ from the middle one by more than a quarter of it."""
    return bool(((steps - steps.median()).abs() > abs(float(steps.median())) / 4).any())


def is_part(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether a column numbers parts of the machine: it goes round, or each row is one."""
    return takes_turns(fact) or numbers_parts(fact, free)


def numbers_parts(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether each row is a part of the machine, as the ranks of a run are: all differ, and no date or name of the row is there; what is
    called a time may grow with numbers that count the ranks up."""
    each = fact.meaning.role == "place" and fact.is_whole and 1 < fact.distinct == len(fact.texts)
    if not each or any(other.date or names_rows(other) or (other.meaning.role == "program" and not other.is_numeric) for other in free):
        return False
    return counts_up(fact) or not any(other.meaning.role == "time" and grows(other) for other in free)


def parts_beside(program: Facts, facts: Sequence[Facts], rows: pd.DataFrame) -> list[Facts]:
    """The one column of parts of the machine that tells `rows` apart, which those of program and time do not; empty without one, and where
    the program is such a part."""
    places = [fact for fact in facts if level_of_column(plain(fact.name))]
    return [fact for fact in places if program not in places and not rows.assign(own=fact.texts).duplicated().any()][:1]


def numbers_jobs(fact: Facts) -> bool:
    """Whether each row is a job of a batch system: the first column has the name of its number, and no two are alike."""
    return fact.place == 0 and plain(fact.name) in ("jobid", "jobidraw") and fact.distinct == len(fact.texts) > 1


def numbers_blocks(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether whole numbers stand in blocks of equal length, within each of which another column, of phases or runs, counts: 505, 520 of
    benchmarks."""
    turns = int((fact.texts != fact.texts.shift()).sum())
    blocks = fact.is_whole and 1 < turns == fact.distinct <= len(fact.texts) / 2 and fact.texts.value_counts().nunique() == 1
    within = (each for each in free if each is not fact and each.meaning.role in ("stage", "run"))
    return blocks and any(not pd.DataFrame({"of": fact.texts, "each": each.texts}).duplicated().any() for each in within)


def repetitions(free: Sequence[Facts]) -> list[Facts]:
    """Of two columns that are called runs, both, where only together they tell the rows apart: "run" and "rep"."""
    runs = [fact for fact in free if fact.meaning.role == "run" and fact.is_whole]
    if len(runs) != 2 or any(fact.distinct == len(fact.texts) for fact in runs):
        return []
    together = pd.DataFrame({fact.place: fact.texts for fact in runs})
    timed = any(fact.date or (fact.meaning.role in ("time", "interval") and grows(fact)) for fact in free if fact not in runs)
    return [] if timed or bool(together.duplicated().any()) else runs


def counts_up(fact: Facts) -> bool:
    """Whether its numbers are names: whole, without a gap from 0 or 1 on, each as often, as in 0, 1, 2, 0, 1, 2."""
    least, most = fact.numbers.min(), fact.numbers.max()
    return fact.is_whole and least in (0, 1) and most - least == fact.distinct - 1 and fact.texts.value_counts().nunique() == 1


def numbers_intervals(fact: Facts, *, timed: bool) -> bool:
    """Whether what is called an interval numbers the rows: whole numbers; where the name may mean something else ("x", "step"), each larger
    than the one before, and beside a time by one step throughout."""
    if fact.meaning.sure:
        return fact.is_whole
    return fact.ascends and not (timed and fact.numbers.diff().nunique() > 1)


def takes_turns(fact: Facts) -> bool:
    """Whether a column called an index goes round: 0, 1, 0, 1, as nvidia-smi numbers the GPUs of each reading."""
    if plain(fact.name) not in ("index", "idx"):
        return False
    turn = fact.texts.iloc[: fact.distinct].tolist()
    rounds = -(-len(fact.texts) // max(fact.distinct, 1))
    return (
        fact.is_whole and 1 < fact.distinct <= len(fact.texts) / 2
        and len(set(turn)) == len(turn) and fact.texts.tolist() == (turn * rounds)[: len(fact.texts)]
    )  # fmt: skip


def may_be_runs(fact: Facts, free: Sequence[Facts]) -> bool:
    """Whether a column called a run may number or name runs: whole numbers or words, which do not come and go while a time goes on, as the
    number of processes that run does."""
    if fact.date or not (fact.is_whole or not fact.is_numeric):
        return False
    changes = int((fact.texts != fact.texts.shift()).sum())
    return not (fact.is_whole and changes > fact.distinct and any(_goes_on(other) for other in free if other is not fact))


def _goes_on(fact: Facts) -> bool:
    """Whether a column is a time or a time of day that rises in every row."""
    if fact.meaning.role not in ("time", "date") or fact.distinct < len(fact.texts):
        return False
    return bool(fact.texts.is_monotonic_increasing) if fact.date else fact.is_numeric and grows(fact)


def falls_within(fact: Facts, told: Sequence[Facts]) -> bool:
    """Whether what is called a time says how long each row took, since it falls often within the programs and runs that columns tell, or
    from one to the next where each row is one of its own."""
    if not told or not fact.is_numeric or not mostly_falls(fact):
        return False
    steps = fact.numbers.groupby([each.texts for each in told], sort=False).diff().dropna()
    return bool((steps < 0).mean() >= FALLS) if len(steps) else True


def processes(free: Sequence[Facts]) -> list[Facts]:
    """The one column that tells processes apart, as pidstat and top list them: their commands beside their numbers, or the numbers where
    several have one command; empty where rows are no processes."""
    pid = next((fact for fact in free if plain(fact.name) == "pid" and fact.is_whole), None)
    command = next((fact for fact in free if fact.meaning.role == "program" and not fact.is_numeric and not fact.date), None)
    if pid is None or command is None or not 1 < pid.distinct <= len(pid.texts) / 2:
        return []
    return [command if command.distinct == pid.distinct else pid]
