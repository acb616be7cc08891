"""From the column names of a raw file to HEM names."""

import re
from collections.abc import Collection, Hashable, Iterable, Mapping

from hemcore.datasets.tables.checks import listed
from hemcore.errors import TableError, UnknownNameError
from hemcore.events.t2080 import T2080_EVENTS

Names = Mapping[int, str] | Mapping[str, str]

_CODE = re.compile(r"X?(\d+)(?:\.\d+)?")
_REPEAT = re.compile(r"(.+)\.\d+", re.DOTALL)


def hem_names(columns: Iterable[Hashable], names: Names | None = None, *, known: Collection[str] = ()) -> list[str]:
    """The HEM that each column holds, in order; a HEM that is read more than once comes more than once.

    columns: `X24`, `X24.3`, `24`, `24.3` (event number 24) or plain names; of a plain name, `.1`, `.2` ... (what R and pandas add to a
        repeated name) is cut off where the name without it is also a column, here or in `known`.
    names: event number -> HEM (plain name -> HEM is allowed too); default: the e6500/T2080 table.

    No columns give []. Raises UnknownNameError for event numbers that `names` does not have, TableError for a blank name.
    """
    texts = [str(column) for column in columns]
    table = {str(code): hem for code, hem in (T2080_EVENTS if names is None else names).items()}
    bases = {*texts, *known}
    found: list[str] = []
    unknown: list[str] = []
    for position, text in enumerate(texts, start=1):
        if not text.strip():
            raise TableError(f"column {position} has no name; a column must be named after its HEM or its event number. Name it.")
        code = _CODE.fullmatch(text)
        if code is None:
            plain = _without_repeat(text, bases)
            found.append(table.get(plain, plain))
        elif str(int(code[1])) in table:
            found.append(table[str(int(code[1]))])
        else:
            unknown.append(text)
    if unknown:
        which = "the e6500/T2080 table" if names is None else "the table given as `names`"
        raise UnknownNameError(f"columns {listed(unknown)}: no such event number in {which}. Correct them, or give `names` (code -> HEM).")
    return found


def as_written(columns: Iterable[Hashable]) -> dict[int, str]:
    """`names` for hem_names by which event numbers stay as they are written: numbers in cells are ids of the file's own."""
    return {int(code[1]): str(column) for column in columns if (code := _CODE.fullmatch(str(column))) is not None}


def names_told(tables: Iterable[Iterable[Hashable]]) -> dict[int, str] | None:
    """`names` for hem_names of the columns of `tables`: None, the e6500/T2080 table, where an event number comes again, in one or in two
    that differ, as the anchor does in that machine's tables; else `as_written`: the numbers are of a machine that no file names."""
    written = {tuple(map(str, columns)) for columns in tables}
    keys = [key for texts in written for key, text in zip(_identities(list(texts)), texts, strict=True) if _CODE.fullmatch(text)]
    return None if len(set(keys)) < len(keys) else as_written(text for texts in written for text in texts)


def propose_n_pmcs(columns: Iterable[Hashable]) -> int:
    """How many HEMs were probably read at once, from where the first HEM comes again; columns are named as for `hem_names`.

    With an anchor HEM in front of each group that is the distance to its second column. Where the columns do not divide by it, or a
    group would hold a HEM twice, the largest number that fits is proposed. All columns when no HEM repeats. At least 1; raises
    TableError for no column at all.
    """
    keys = _identities([str(column) for column in columns])
    if not keys:
        raise TableError("0 columns; at least one is needed to propose n_pmcs. Is the file empty?")
    if keys[0] in keys[1:]:
        distance = keys.index(keys[0], 1)
        if _fits(keys, distance):
            return distance
    return next(size for size in range(len(keys), 0, -1) if _fits(keys, size))


def _fits(keys: list[str], size: int) -> bool:
    if len(keys) % size:
        return False
    groups = (keys[start : start + size] for start in range(0, len(keys), size))
    return all(len(set(group)) == len(group) for group in groups)


def _identities(texts: list[str]) -> list[str]:
    """What makes two columns the same HEM, without asking any table."""
    bases = set(texts)
    codes = [_CODE.fullmatch(text) for text in texts]
    return [str(int(code[1])) if code else _without_repeat(text, bases) for text, code in zip(texts, codes, strict=True)]


def _without_repeat(text: str, bases: Collection[str]) -> str:
    repeat = _REPEAT.fullmatch(text)
    return repeat[1] if repeat and repeat[1] in bases else text
