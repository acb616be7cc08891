"""The formats that an upload can have: each recognised by its first lines and read into a typed table."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import ModuleType

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from hemcore.datasets.readers import csv_text, eacct
from hemcore.datasets.readers import subexperiments as subexperiment_csv
from hemcore.datasets.readers.files import UploadedFile
from hemcore.datasets.readers.perf import csv as perf_stat_csv
from hemcore.datasets.readers.perf import json as perf_stat_json
from hemcore.datasets.readers.perf import text as perf_stat_text
from hemcore.datasets.readers.raw_experiments import MIN_MEAN
from hemcore.datasets.readers.repairs import repairs_table
from hemcore.datasets.readers.series import cortex_a15 as cortex_a15_log
from hemcore.datasets.readers.series import cumulative_csv
from hemcore.datasets.readers.series import wide_csv as wide_series_csv
from hemcore.datasets.readers.series.columns import is_number, words_alone
from hemcore.datasets.readers.series.readings import SeriesReadings
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import HemError, ReadError

# How much of a file tells a table from text.
_HEAD_LENGTH = 1_000_000
_FIRST_LINES = 60
# Columns of numbers alone are a series with this score at most.
_MAYBE_SERIES = 0.5
_NAMED = 5


class ReadOptions(BaseModel):
    """How subexperiments are read; other formats ignore it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    n_pmcs: int | None = Field(
        default=None,
        title="HEMs read at once (n_pmcs)",
        description="Columns of each subexperiment in a stacked file. Left empty: proposed from where the first HEM repeats.",
        ge=1,
        le=1_000,
    )
    min_mean: float = Field(
        default=MIN_MEAN,
        title="Mean bound",
        description="HEMs whose mean is at most this are left out, as mergingTools does with 100, and listed under Repairs.",
        ge=0,
        le=1e15,
        json_schema_extra={"step": 10.0, "unit": "counts a run"},
    )


@dataclass(frozen=True, kw_only=True)
class ReadResult:
    """A typed table, every repair or drop made on the way (a row each) and notes in words."""

    table: Table
    repairs: pd.DataFrame
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format: how likely the files are of it (0 to 1, and why), and how they are read."""

    key: str
    title: str
    kind: str
    sniff: Callable[[Sequence[UploadedFile]], tuple[float, str]] = field(repr=False)
    read: Callable[[Sequence[UploadedFile], ReadOptions], ReadResult] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Match:
    """A format that fits, how well (0 to 1) and why."""

    format: Format
    score: float
    why: str


def recognise(files: Sequence[UploadedFile]) -> list[Match]:
    """The formats that the files can be of, the likeliest first; empty when none fits. Never raises for what is in the files."""
    matches = []
    for each in FORMATS:
        try:
            score, why = each.sniff(files)
        except HemError:
            continue
        if score > 0:
            matches.append(Match(format=each, score=score, why=why))
    return sorted(matches, key=lambda match: -match.score)


def read_upload(files: Sequence[UploadedFile], *, format_key: str | None = None, options: ReadOptions | None = None) -> ReadResult:
    """Read unpacked `files` as the format `format_key`, or as what is recognised.

    Raises ReadError when no format fits (as why_not_recognised says) or there is none of that key, and what the format's reader raises.
    """
    options = options or ReadOptions()
    if format_key is not None:
        chosen = next((each for each in FORMATS if each.key == format_key), None)
        if chosen is None:
            raise ReadError(f"format: {format_key!r} is not known; the formats are {listed(each.key for each in FORMATS)}.")
        return chosen.read(files, options)
    matches = recognise(files)
    if not matches:
        raise ReadError(why_not_recognised(files))
    return matches[0].format.read(files, options)


def why_not_recognised(files: Sequence[UploadedFile]) -> str:
    """Why `files`, which no format fits together, are not recognised: what is wrong with a file, or what each is by itself."""
    title_of = _titles(files)
    strange = [file for file, title in zip(files, title_of, strict=True) if title is None]
    if len(strange) == len(files):
        if len(files) == 1:
            try:
                csv_text.header_of(files[0].name, files[0].content)
            except ReadError as error:
                return str(error)
        known = ", ".join(each.title for each in FORMATS)
        return f"{'; '.join(_faults(files))}. What can be read: {known}. Choose the format to see why not."
    rest = [file for file, title in zip(files, title_of, strict=True) if title is not None]
    together = recognise(rest) if strange else []
    if together:
        kinds = {_in_words(together[0]): [file.name for file in rest]}
    else:
        kinds = {title: [f.name for f, t in zip(files, title_of, strict=True) if t == title] for title in title_of if title is not None}
    said = "; ".join(f"{_some(names)} {'is' if len(names) == 1 else 'are'} {title}" for title, names in kinds.items())
    if not strange:
        choose = " Where all are of one format, choose it." if all(title.startswith("a series") for title in kinds) else ""
        return f"{said}: upload them separately.{choose}"
    names = _some([file.name for file in strange])
    remedy = f"Leave out {names}, or choose the format." if together else f"Upload them separately, without {names}."
    return f"{'; '.join(_faults(strange))}. {said}. {remedy}"


def _titles(files: Sequence[UploadedFile]) -> list[str | None]:
    """What each file is by itself, in words; None where nothing recognises it. What belongs to a log counts as one beside a log."""
    matches = [recognise([file]) for file in files]
    found = [_in_words(match[0]) if match else None for match in matches]
    log = next((_in_words(match[0]) for match in matches if match and match[0].format.key == "cortex_a15_log"), None)
    if log is not None:
        found = [log if cortex_a15_log.belongs_to_logs(file) else title for file, title in zip(files, found, strict=True)]
    return found


def _in_words(match: Match) -> str:
    return f"a {match.format.title}" if match.format.title.startswith("series") else match.format.title


def _faults(files: Sequence[UploadedFile]) -> list[str]:
    """What is wrong with each of the first `files`, after its name; none of them is recognised."""
    faults = []
    for file in files[:_NAMED]:
        fault = "not recognised"
        try:
            csv_text.header_of(file.name, file.content)
        except ReadError as error:
            # The sentence without its remedy.
            fault = str(error).removeprefix(f"{file.name}: ").partition(". ")[0]
        faults.append(f"{file.name}: {fault}")
    more = len(files) - _NAMED
    return [*faults, f"and {more} more"] if more > 0 else faults


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _sniff_stacked(files: Sequence[UploadedFile]) -> tuple[float, str]:
    if len(files) != 1:
        return 0.0, ""
    cells, _, _ = csv_text.header_of(files[0].name, files[0].content)
    if set(METRICS[:3]) <= set(cells) or not _is_table(files[0]):
        return 0.0, ""
    n_pmcs = subexperiment_csv.proposed_n_pmcs(cells)
    groups = len([cell for cell in cells if cell]) // n_pmcs
    return (0.9 if groups > 1 else 0.4), f"{groups} group(s) of {n_pmcs} columns, from where the first HEM repeats"


def _sniff_separate(files: Sequence[UploadedFile]) -> tuple[float, str]:
    if len(files) < 2:
        return 0.0, ""
    if not all(_is_table(file) for file in files):
        return 0.0, ""
    # A series among subexperiments, or two kinds of series: two things were sent together.
    if any(wide_series_csv.sniff([file])[0] > _MAYBE_SERIES for file in files) and wide_series_csv.sniff(files)[0] <= _MAYBE_SERIES:
        return 0.0, ""
    return 0.8, f"{len(files)} files, each a subexperiment"


def _is_table(file: UploadedFile) -> bool:
    """Whether the file starts with a header and what follows is no log and not words alone."""
    cells, separator, text = csv_text.header_of(file.name, file.content)
    if not _is_header(cells) or cortex_a15_log.sniff([file])[0]:
        return False
    lines = (line for line in io.StringIO(text[:_HEAD_LENGTH], newline=None) if line.strip())
    try:
        rows = list(csv.reader(islice(lines, _FIRST_LINES), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return True  # the reader says what is wrong
    return not words_alone([[cell.strip() for cell in row] for row in rows[1:]])


def _is_header(cells: Sequence[str]) -> bool:
    """Whether these are two names or more, and no row of perf stat -x: a number, then words. Numbers alone are codes of events."""
    filled = [cell for cell in cells if cell]
    return len(cells) > 1 and (not is_number("".join(filled[:1])) or all(is_number(cell) for cell in filled))


def _sniff_eacct(files: Sequence[UploadedFile]) -> tuple[float, str]:
    if len(files) != 1:
        return 0.0, ""
    cells, separator, _ = csv_text.header_of(files[0].name, files[0].content)
    known = {eacct.ALIASES.get(cell, cell) for cell in cells}
    return (1.0, "semicolons, and the columns CPI, TPI, MEM_GBS and GFLOPS") if separator == ";" and set(METRICS) <= known else (0.0, "")


def _read_stacked(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    if len(files) != 1:
        raise ReadError(
            f"stacked subexperiments: {len(files)} files; they stand side by side in one. Send one file, or choose one file each."
        )
    raw, notes = subexperiment_csv.read_stacked(files[0], n_pmcs=options.n_pmcs, min_mean=options.min_mean)
    return ReadResult(table=raw.table, repairs=raw.repairs, notes=tuple(notes))


def _read_separate(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    raw, notes = subexperiment_csv.read_separate(files, min_mean=options.min_mean)
    return ReadResult(table=raw.table, repairs=raw.repairs, notes=tuple(notes))


def _read_eacct(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    if len(files) != 1:
        raise ReadError(f"EAR signatures: {len(files)} files; one is read at a time. Send them one by one.")
    return ReadResult(table=eacct.read_eacct(io.BytesIO(files[0].content), name=files[0].name), repairs=repairs_table([]))


def _series(key: str, title: str, reader: ModuleType) -> Format:
    """The format of a module whose `sniff` and `read` give SeriesReadings; it takes no options."""

    def read(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
        readings: SeriesReadings = reader.read(files)
        return ReadResult(table=readings.table, repairs=readings.repairs, notes=readings.notes)

    return Format(key=key, title=title, kind="CounterSeries", sniff=reader.sniff, read=read)


FORMATS = (
    Format(
        key="subexperiments_stacked",
        title="subexperiments side by side in one CSV",
        kind="Subexperiments",
        sniff=_sniff_stacked,
        read=_read_stacked,
    ),
    Format(
        key="subexperiments_separate",
        title="subexperiments, one CSV each",
        kind="Subexperiments",
        sniff=_sniff_separate,
        read=_read_separate,
    ),
    Format(key="eacct", title="EAR signatures (eacct CSV)", kind="SignatureTable", sniff=_sniff_eacct, read=_read_eacct),
    _series("perf_stat_csv", "perf stat -x (CSV)", perf_stat_csv),
    _series("perf_stat_json", "perf stat -j (JSON)", perf_stat_json),
    _series("perf_stat_text", "perf stat as it prints (text)", perf_stat_text),
    _series("cortex_a15_log", "Cortex-A15 event logs (events_raw.data)", cortex_a15_log),
    _series("series_wide", "series in CSV, one column an event", wide_series_csv),
    _series("series_cumulative", "series in CSV, cumulative counters", cumulative_csv),
)
