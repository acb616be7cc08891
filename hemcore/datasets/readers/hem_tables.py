"""Subexperiments in CSV: side by side in one file, or one file each."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import islice

from hemcore.datasets.importing.one_pass.number_tables import like
from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.csv_text import number_table
from hemcore.datasets.readers.decoding import head_lines
from hemcore.datasets.readers.format import Format, ReadResult, SubexperimentOptions
from hemcore.datasets.readers.hem_columns import names_told, propose_n_pmcs
from hemcore.datasets.readers.known_files import remembered
from hemcore.datasets.readers.likwid import timeline as likwid_timeline
from hemcore.datasets.readers.likwid import totals as likwid_totals
from hemcore.datasets.readers.number_marks import plain_head
from hemcore.datasets.readers.perf import csv as perf_csv
from hemcore.datasets.readers.perf.refusals import known_line
from hemcore.datasets.readers.profilers import caliper, cube_dump, perfspect, rocprof, toplev
from hemcore.datasets.readers.raw_experiments import split_raw_experiments, subexperiments_from_frames
from hemcore.datasets.readers.series import powmon_series, wide_csv
from hemcore.datasets.readers.series.column_roles import is_number, words_alone
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ReadError

# Formats whose lines have commas and may look like a header.
_OTHERS = (powmon_series, likwid_timeline, likwid_totals, perf_csv, toplev, perfspect, caliper, rocprof, cube_dump)
_FIRST_LINES = 60
# Codes of events are short, "1.1" is 1 once more; other numbers above numbers are data without a header.
_CODE = re.compile(r"0|[1-9]\d{0,3}(?:\.\d+)?")
# Columns of numbers alone are a series with this score at most.
_MAYBE_SERIES = 0.5
_DEFAULTS = SubexperimentOptions()


def recognise_stacked(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.9, why) where the one file is a table in which the first HEM comes again; 0.4 where it does not; 0 for no table or several."""
    if len(files) != 1:
        return 0.0, ""
    cells, _, _ = csv_text.header_of(files[0].name, head_lines(files[0].content))
    if set(METRICS[:3]) <= set(cells) or not _is_table(files[0]):
        return 0.0, ""
    named = [cell for cell in cells if cell]
    n_pmcs = propose_n_pmcs(named)
    groups = len(named) // n_pmcs
    if groups == 1:
        return 0.4, f"{n_pmcs} columns of numbers, one for each HEM"
    return 0.9, f"{groups} groups of {n_pmcs} columns, from where the first HEM repeats"


def recognise_separate(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(0.8, why) where each of two files or more is a table and none of them is a series of another kind; else 0."""
    if len(files) < 2:
        return 0.0, ""
    if not all(_is_table(file) for file in files):
        return 0.0, ""
    # A series among subexperiments, or two kinds of series: two things were sent together.
    if any(wide_csv.recognise([file])[0] > _MAYBE_SERIES for file in files) and wide_csv.recognise(files)[0] <= _MAYBE_SERIES:
        return 0.0, ""
    return 0.8, f"{len(files)} files, each a subexperiment"


def read_stacked(files: Sequence[UploadedFile], options: SubexperimentOptions = _DEFAULTS) -> ReadResult[Subexperiments]:
    """One wide file (the T2080 layout): groups of n_pmcs columns are subexperiments.

    Raises ReadError for several files and as number_table does, and what split_raw_experiments raises.
    """
    if len(files) != 1:
        raise ReadError(f"subexperiments side by side: {len(files)} files, but all belong in one. Send one file, or choose one CSV each.")
    file = files[0]
    table, notes = number_table(file.name, file.content)
    n_pmcs = options.n_pmcs
    if n_pmcs is None:
        n_pmcs = propose_n_pmcs(table.columns)
        if n_pmcs == 1 and len(set(table.columns)) > 1:
            raise ReadError(
                f"{file.name}: where the first HEM repeats, the {table.shape[1]} columns do not divide into groups of one size."
                " Give n_pmcs, the number of HEMs read at once, or correct the header."
            )
        if n_pmcs < table.shape[1]:
            notes.append(f"n_pmcs was proposed as {n_pmcs}, from where the first HEM repeats.")
    raw = split_raw_experiments(table, n_pmcs, names=names_told([table.columns]), min_mean=options.min_mean)
    return ReadResult(raw.table, raw.repairs, (*notes, *raw.notes))


def read_separate(files: Sequence[UploadedFile], options: SubexperimentOptions = _DEFAULTS) -> ReadResult[Subexperiments]:
    """One file per subexperiment, named after the file; their numbers of rows may differ. Raises as read_stacked does."""
    tables, notes = [], []
    for file in files:
        table, noted = number_table(file.name, file.content)
        tables.append(table)
        notes += noted
    labels: list[str] = []
    for file in files:
        label, number = file.name, 1
        while label in labels:
            number += 1
            label = f"{file.name} ({number})"
        labels.append(label)
    names = names_told(table.columns for table in tables)
    raw = subexperiments_from_frames(tables, names=names, min_mean=options.min_mean, labels=labels)
    return ReadResult(raw.table, raw.repairs, (*notes, *raw.notes))


def _is_table(file: UploadedFile) -> bool:
    """Whether the file starts with a header and what follows is no output of another tool and not words alone."""
    return _is_one(like(file))


@remembered(most=10_000)
def _is_one(file: UploadedFile) -> bool:
    cells, separator, text = csv_text.header_of(file.name, head_lines(file.content))
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not _is_header(cells) or known_line(first) is not None or any(other.recognise([file])[0] for other in _OTHERS):
        return False
    lines = (line for line in io.StringIO(text, newline=None) if line.strip())
    try:
        head = plain_head("".join(islice(lines, _FIRST_LINES)), separator)
        rows = list(csv.reader(io.StringIO(head, newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return True  # the reader says what is wrong
    return not words_alone([[cell.strip() for cell in row] for row in rows[1:]])


def _is_header(cells: Sequence[str]) -> bool:
    """Whether these are two names or more, and no row of perf stat -x: a number, then words. Numbers alone are codes of events."""
    filled = [cell for cell in cells if cell]
    markup = cells[0].lower().startswith(("{", "[{", "<!doctype", "<html", "<?xml"))
    return len(cells) > 1 and not markup and (not is_number("".join(filled[:1])) or all(map(_CODE.fullmatch, filled)))


STACKED = Format(
    key="subexperiments_stacked",
    title="subexperiments side by side in one CSV",
    kind="Subexperiments",
    recognise=recognise_stacked,
    read=read_stacked,
    options=SubexperimentOptions,
    example={
        "readings.csv": "cycles,instructions,cycles,branch-misses\n"
        "812000,640100,815300,2140\n"
        "808400,639800,809900,2095\n"
        "821700,641000,818200,2183\n"
    },
)


SEPARATE = Format(
    key="subexperiments_separate",
    title="subexperiments, one CSV each",
    kind="Subexperiments",
    recognise=recognise_separate,
    read=read_separate,
    options=SubexperimentOptions,
    example={
        "branches.csv": "cycles,instructions,branch-misses\n812000,640100,2140\n808400,639800,2095\n",
        "caches.csv": "cycles,cache-misses,cache-references\n815300,5120,88400\n809900,5034,87950\n",
    },
)
