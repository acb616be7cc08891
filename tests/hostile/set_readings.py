"""Sets of files of one shape, read as they are and the long way: `python -m tests.hostile.set_readings --sets 2000 --seed 1`.

Each file is read as one of its set, and by itself with every short cut taken away: both must say the same. So must whole uploads; and what
stands in the files that do not differ must be in their table, where there is one.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import pandas as pd

from hemcore.datasets.importing import parts, plain_tables, table_formats
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.one_pass.alike_parts import AlikeParts
from hemcore.datasets.importing.parts import Part, read_part
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.sheets import sheet_tables
from hemcore.datasets.readers import hem_tables
from hemcore.datasets.readers.series import wide_csv
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError
from tests.hostile.file_sets import FileSet, file_set
from tests.hostile.verdict import values_of


class _OneByOne:
    """AlikeParts that reads each file the long way."""

    def __init__(self, recipe: ImportRecipe, *, limit: int | None) -> None:
        self._recipe, self._limit = recipe, limit

    def read(self, file: UploadedFile) -> Part:
        return read_part(file, self._recipe, limit=self._limit)


@contextmanager
def the_long_way() -> Iterator[None]:
    """Nothing known of one file is used for another, and none is read in one pass."""
    with ExitStack() as stack:
        for where, name, new in (
            (parts, "_of_numbers_alone", lambda file, recipe, limit: None),
            (plain_tables, "AlikeParts", _OneByOne),
            (plain_tables, "_HELD", math.inf),
            (sheet_tables, "_ALIKE", math.inf),
            (table_formats, "like", lambda file: file),
            (wide_csv, "like", lambda file: file),
            (hem_tables, "like", lambda file: file),
            (sheet_tables, "numbers_alone", lambda file: None),
        ):
            stack.enter_context(patch.object(where, name, new))
        yield


def said_of(shown: Preview) -> dict[str, object]:
    """All that a preview says, so that it can be compared."""
    table = [] if shown.result is None else [frame.to_csv() for frame in _frames(shown.result.table)]
    recipe = "" if shown.recipe is None else shown.recipe.to_json()
    used = [(part.name, part.used, part.why_not, part.header_row, part.first_row, part.units_row, part.columns) for part in shown.parts]
    return {
        "fault": shown.fault, "table": table, "recipe": recipe, "repairs": shown.repairs, "parts": used, "title": shown.title,
        "doubts": [(doubt.key, doubt.question) for doubt in shown.doubts], "why": shown.why, "matches": shown.matches,
    }  # fmt: skip


def _frames(table: object) -> list[pd.DataFrame]:
    frames = [getattr(table, name) for name in ("intervals", "counts", "frame") if isinstance(getattr(table, name, None), pd.DataFrame)]
    return frames or list(getattr(table, "frames", ()))


def part_of(read: Callable[[UploadedFile], Part], file: UploadedFile) -> dict[str, object]:
    """All that is said of one file, or its error."""
    try:
        part = read(file)
    except HemError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    found = said_of_part(part)
    if part.is_numbers_alone:
        return {**found, "quick": True}
    small = said_of_part(part.in_little_memory())
    if {name: each for name, each in found.items() if name != "rows"} != {name: each for name, each in small.items() if name != "rows"}:
        found["little memory"] = [name for name in found if found[name] != small[name]]
    return found


def said_of_part(part: Part) -> dict[str, object]:
    """Names, cells, numbers, what was left out, and the rows above the data."""
    places, first = range(len(part.names)), part.found.first
    return {
        "names": part.names, "found": part.found, "decimal": part.decimal, "repairs": list(part.repairs), "notes": list(part.notes),
        "units": part.units, "texts": part.texts.to_numpy(dtype=object).tolist(), "index": part.rows.tolist(), "open": part.ends_open,
        "columns": [part.column(place).tolist() for place in places], "rows": part.grid.rows[:first], "whole": part.grid.whole,
        "numbers": [part.numbers(place).fillna(-1).tolist() for place in places], "separator": part.grid.separator,
        "plain": [repr(part.plain_counts([place])) for place in places], "sampled": part.is_sampled, "lines": part.grid.lines[:first],
        "momentary": [part.is_momentary(name) for name in part.names], "unit cells": [part.unit_cell(place) for place in places],
        "grid notes": (part.grid.notes, part.grid.remarks, part.grid.blanks, part.grid.is_corner_clear),
    }  # fmt: skip


def differing_parts(each: FileSet) -> tuple[list[str], int]:
    """(what the parts of a set say otherwise when they are read as files of one shape; how many were read in one pass)."""
    reader, found, quick = AlikeParts(ImportRecipe()), [], 0
    with patch.object(parts, "_of_numbers_alone", lambda file, recipe, limit: None):
        slow = [part_of(lambda file: read_part(file, ImportRecipe()), file) for file in each.upload()]
    for (name, content), long in zip(each.files, slow, strict=True):
        fast = part_of(reader.read, UploadedFile(name, content))
        quick += fast.pop("quick", False) is True
        if fast != long:
            keys = [key for key in {**fast, **long} if fast.get(key) != long.get(key)]
            found.append(f"{name}: " + "; ".join(f"{key}: {str(fast.get(key))[:200]} | {str(long.get(key))[:200]}" for key in keys[:3]))
        if "little memory" in fast:
            found.append(f"{name}: little memory: {fast['little memory']}")
    return found, quick


def differing_upload(each: FileSet) -> list[str]:
    """What the preview of a set says otherwise when nothing known of one file is used for another; and readings of its plain files that are
    not in the table: of sets without thousands and gaps, which make rows incomplete."""
    shown = inspect(each.upload())
    quick = said_of(shown)
    with the_long_way():
        slow = said_of(inspect(each.upload()))
    found = [f"{key}: {str(quick[key])[:300]} | {str(slow[key])[:300]}" for key in quick if quick[key] != slow[key]]
    if shown.result is not None and "gaps" not in each.shape.numbers and "k" not in each.shape.units:
        there = Counter[float]()
        for (_, value), times in values_of(shown.result).items():
            there[value] += times
        wanted = Counter(float(f"{float(cell):.12g}") for name, cells in each.plain for cell in cells)
        if lost := wanted - there:
            found.append(f"of plain files not in the table: {lost.total()}, as {next(iter(lost))}")
    return found


def main() -> int:
    """Read them; the number of sets that differ, at most 1, is the exit status."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sets", type=int, default=2_000)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--whole", type=int, default=10, help="of so many sets one is also read as a whole upload")
    given = asked.parse_args()
    counts: Counter[str] = Counter()
    for number in range(given.first, given.first + given.sets):
        each = file_set(given.seed, number)
        found, quick = differing_parts(each)
        if number % given.whole == 0:
            found += differing_upload(each)
            counts["whole uploads"] += 1
        counts += Counter({"sets": 1, "files": len(each.files), "in one pass": quick, "that differ": bool(found)})
        for said in found:
            print(f"set {number}: {json.dumps(each.changes)}: {said}", flush=True)
    print(", ".join(f"{times:,} {what}" for what, times in counts.items()))
    return min(1, counts["that differ"])


if __name__ == "__main__":
    sys.exit(main())
