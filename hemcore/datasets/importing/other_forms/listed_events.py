"""Lists of events in whatever form: their columns by name, names with codes before them, names alone, headers below titles."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from hemcore.datasets.importing.header_words import UNIT_HEADERS, plain
from hemcore.datasets.tables.hem_list import METRICS

_LOOKED_AT = 20
# What people call the columns of a list, in English, German and French; of the last row, what a list does not hold.
COLUMNS_OF_LISTS = {
    **dict.fromkeys("hem hems name names event events eventname counter ereignis ereignisse zahler evenement compteur".split(), "hem"),
    **dict.fromkeys("performanceevent performanceevents ereignisname nomevenement hemname evento eventi eventos".split(), "hem"),
    **dict.fromkeys("counters pmcs pmc".split(), "counters"),
    **dict.fromkeys("limit limits".split(), "limit"),
    **dict.fromkeys("metrics metric".split(), METRICS),
    **dict.fromkeys(
        "description descriptions desc meaning beschreibung bedeutung definition briefdescription comment bemerkung".split(), ""
    ),
    **dict.fromkeys(
        "code eventcode umask id nr no n type category group alias index number nummer priority prio prioritat priorite".split(), ""
    ),
    **dict.fromkeys("typ kategorie gruppe groupe categorie descripcion descrizione publicdescription".split(), ""),
    **dict.fromkeys(UNIT_HEADERS, ""),
}
# A name of an event: no blank, no number alone, a letter first.
EVENT, FEWEST = re.compile(r"[A-Za-z][\w.:/=-]*"), 2
COUNTED = re.compile(r"cycles|instr|cache|miss|branch|_br_|tlb|papi_|retired|stall|uops|page-fault|context-switch", re.IGNORECASE)
# A code before a name, as in "0x08 INST_RETIRED"; what a column of a list is called; what Intel's lists hold, whatever else they do.
_CODED = re.compile(r"(?:0x[0-9a-fA-F]{1,6}|r[0-9a-fA-F]{2,8})[\s:,;=]+([A-Za-z][\w.:/-]*)")
CALLED = re.compile(r"event|hem|counter|ereignis|zähler|évènement|événement|evenement|compteur|eventi", re.IGNORECASE)
_OF_INTEL = {"eventname", "eventcode"}
_TITLES = 10
_COUNT = re.compile(r"\d{4,}(\.\d+)?|\d+\.\d+")


class ListedEvents(NamedTuple):
    """A list as rows of cells. names: of the columns, as written; meanings: what a list calls them, "" for one that it does not hold."""

    names: list[str]
    meanings: list[str]
    cells: list[list[str]]


def names_alone(lines: Sequence[str], names: Sequence[str], *, in_one_line: bool) -> list[str] | None:
    """The names of a text that holds nothing else, one a line, each after its code or not, or all in one line; of names without codes half
    at least are such as are often counted."""
    coded = [found[1] for line in lines if (found := _CODED.fullmatch(line)) is not None]
    if len(coded) == len(lines) >= FEWEST:
        return coded
    names = [name for each in names if (name := each.strip("[]\"' "))]
    alone = len(names) == len(lines) or (in_one_line and len(lines) == 1)
    counted = sum(COUNTED.search(name) is not None for name in names)
    events = len(names) > FEWEST and all(map(EVENT.fullmatch, names)) and 2 * counted >= len(names)
    return names if alone and events and len(set(names)) == len(names) else None


def below_titles(rows: Sequence[Sequence[str]]) -> ListedEvents | None:
    """The list among rows of cells: its header may stand below titles and have no name over the numbers of the rows. None without one."""
    for number, names in enumerate(rows[:_TITLES]):
        body = rows[number + 1 :]
        # R and pandas write no name over the numbers of the rows.
        header = ["", *names] if body and all(len(row) == len(names) + 1 for row in body) else list(names)
        cells = [[*row, *[""] * (len(header) - len(row))] for row in body]
        if len(names) < FEWEST or len(cells) < FEWEST or any(len(row) > len(header) for row in cells):
            continue
        known = [COLUMNS_OF_LISTS.get(plain(name)) if name else "" for name in header]
        if set(map(plain, header)) >= _OF_INTEL:
            known = ["hem" if plain(name) == "eventname" else "" for name in header]
        known = ["" if all(row[place].isdigit() for row in cells) and each == "hem" else each for place, each in enumerate(known)]
        meanings = [each for each in known if each is not None]
        if len(meanings) < len(known) or meanings.count("hem") != 1:
            continue
        found = [row[meanings.index("hem")] for row in cells]
        events = all(map(EVENT.fullmatch, found)) and any(map(COUNTED.search, found))
        return ListedEvents(header, meanings, cells) if events and not are_counts(meanings, cells) else None
    return None


def are_counts(meanings: Sequence[str | None], cells: Sequence[Sequence[str]]) -> bool:
    """Whether a column beside the names holds what was counted: large numbers, or with a fraction; counters are one or two digits."""
    least = {place: re.compile(r"\d{3,}(\.\d+)?") if each == "counters" else _COUNT for place, each in enumerate(meanings) if each != "hem"}
    return any(place < len(row) and pattern.fullmatch(row[place]) for row in cells[:_LOOKED_AT] for place, pattern in least.items())
