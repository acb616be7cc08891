"""The formats that an upload can have: each recognised by its first lines and read into a typed table."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import pandas as pd

from hemcore.datasets.readers import csv_text, eacct, format_examples, hem_lists, hem_tables, papi_output, plan_runs
from hemcore.datasets.readers.format_examples import Example
from hemcore.datasets.readers.likwid import timeline as likwid_timeline
from hemcore.datasets.readers.likwid import totals as likwid_totals
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.perf import csv as perf_csv
from hemcore.datasets.readers.perf import json as perf_json
from hemcore.datasets.readers.perf import stat_text as perf_text
from hemcore.datasets.readers.phases import powmon_phases as phases_cortex_a15
from hemcore.datasets.readers.phases import thesis as phases_thesis
from hemcore.datasets.readers.phases import wide as phases_wide
from hemcore.datasets.readers.raw_experiments import MIN_MEAN
from hemcore.datasets.readers.repairs import Repair, repairs_table
from hemcore.datasets.readers.series import cumulative_csv, powmon_series, wide_csv
from hemcore.datasets.readers.series.readings import SeriesReadings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ReadError
from hemcore.params import Params, parameter


class ReadOptions(Params):
    """How subexperiments, and phases in CSV (counters), are read; other formats ignore it."""

    n_pmcs: int | None = parameter(
        None,
        title="HEMs read at once (n_pmcs)",
        description="Columns of each subexperiment in a stacked file. Left empty: proposed from where the first HEM repeats.",
        ge=1,
        le=1_000,
    )
    min_mean: float = parameter(
        MIN_MEAN,
        title="Mean bound",
        description="HEMs whose mean is at most this are left out, as mergingTools does with 100, and listed under Repairs.",
        ge=0,
        le=1e15,
        step=10.0,
        unit="counts a run",
    )
    counters: str = parameter(
        "",
        title="Counter columns",
        description="The columns of the counters, semicolons between. Left empty: every column of numbers of at least 0.",
    )

    @property
    def key(self) -> str:
        """The options as text, the same as before there were the later ones where these are at their defaults."""
        return self.model_dump_json(exclude=None if self.counters else {"counters"})


@dataclass(frozen=True, kw_only=True)
class ReadResult:
    """A typed table, every repair or drop made on the way (a row each) and notes in words."""

    table: Table
    repairs: pd.DataFrame
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format: how likely the files are of it (0 to 1, and why), and how they are read. example: files of it, by name; none = not told."""

    key: str
    title: str
    kind: str
    sniff: Callable[[Sequence[UploadedFile]], tuple[float, str]] = field(repr=False)
    read: Callable[[Sequence[UploadedFile], ReadOptions], ReadResult] = field(repr=False)
    example: Example = field(default_factory=dict, repr=False, hash=False)


def _read_stacked(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    if len(files) != 1:
        raise ReadError(
            f"stacked subexperiments: {len(files)} files; they stand side by side in one. Send one file, or choose one file each."
        )
    raw, notes = hem_tables.read_stacked(files[0], n_pmcs=options.n_pmcs, min_mean=options.min_mean)
    return ReadResult(table=raw.table, repairs=raw.repairs, notes=tuple(notes))


def _read_separate(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    raw, notes = hem_tables.read_separate(files, min_mean=options.min_mean)
    return ReadResult(table=raw.table, repairs=raw.repairs, notes=tuple(notes))


def _read_plan_runs(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    raw, notes = plan_runs.read(files, min_mean=options.min_mean)
    return ReadResult(table=raw.table, repairs=raw.repairs, notes=tuple(notes))


def _read_eacct(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    if len(files) != 1:
        raise ReadError(f"EAR signatures: {len(files)} files; one is read at a time. Send them one by one.")
    file = files[0]
    cells, separator, text = csv_text.header_of(file.name, file.content)
    text, repairs = eacct.whole_rows(file.name, text, separator, len(cells))
    text, notes = plain_numbers(file.name, cells, text, separator)
    table = eacct.read_eacct(io.StringIO(text), name=file.name)
    unmeasured = int(table.frame[list(METRICS)].isna().all(axis=1).sum())
    if unmeasured:
        repairs.append(Repair(file.name, ", ".join(METRICS), "all four 0 or empty: not measured", unmeasured))
    return ReadResult(table=table, repairs=repairs_table(repairs), notes=tuple(notes))


def _read_hems(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    table, repairs, notes = hem_lists.read(files)
    return ReadResult(table=table, repairs=repairs_table(repairs), notes=tuple(notes))


def _read_wide_phases(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
    table, repairs, notes = phases_wide.read(files, counters=options.counters)
    return ReadResult(table=table, repairs=repairs_table(repairs), notes=tuple(notes))


def _phases(key: str, title: str, reader: ModuleType, example: Example) -> Format:
    """The format of a module whose `read` gives (PhaseTable, repairs, notes); it takes no options."""

    def read(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
        table, repairs, notes = reader.read(files)
        return ReadResult(table=table, repairs=repairs_table(repairs), notes=tuple(notes))

    return Format(key=key, title=title, kind="PhaseTable", sniff=reader.sniff, read=read, example=example)


def _series(key: str, title: str, reader: ModuleType, example: Example) -> Format:
    """The format of a module whose `sniff` and `read` give SeriesReadings; it takes no options."""

    def read(files: Sequence[UploadedFile], options: ReadOptions) -> ReadResult:
        readings: SeriesReadings = reader.read(files)
        return ReadResult(table=readings.table, repairs=readings.repairs, notes=readings.notes)

    return Format(key=key, title=title, kind="CounterSeries", sniff=reader.sniff, read=read, example=example)


FORMATS = (
    Format(
        key="subexperiments_stacked",
        title="subexperiments side by side in one CSV",
        kind="Subexperiments",
        sniff=hem_tables.sniff_stacked,
        read=_read_stacked,
        example=format_examples.STACKED,
    ),
    Format(
        key="subexperiments_separate",
        title="subexperiments, one CSV each",
        kind="Subexperiments",
        sniff=hem_tables.sniff_separate,
        read=_read_separate,
        example=format_examples.SEPARATE,
    ),
    Format(
        key="eacct",
        title="EAR signatures (eacct CSV)",
        kind="SignatureTable",
        sniff=eacct.sniff,
        read=_read_eacct,
        example=format_examples.EACCT,
    ),
    Format(
        key="plan_runs",
        title="runs of a plan (its script's folder)",
        kind="Subexperiments",
        sniff=plan_runs.sniff,
        read=_read_plan_runs,
        example=format_examples.PLAN_RUNS,
    ),
    _series("perf_stat_csv", "perf stat -x (CSV)", perf_csv, format_examples.PERF_CSV),
    _series("perf_stat_json", "perf stat -j (JSON)", perf_json, format_examples.PERF_JSON),
    _series("perf_stat_text", "perf stat as it prints (text)", perf_text, format_examples.PERF_TEXT),
    _series("likwid_totals", "LIKWID totals (likwid-perfctr -o CSV)", likwid_totals, format_examples.LIKWID_TOTALS),
    _series("likwid_timeline", "LIKWID time line (likwid-perfctr -t)", likwid_timeline, format_examples.LIKWID_TIMELINE),
    _phases("papi_hl", "PAPI high-level API (JSON)", papi_output, format_examples.PAPI),
    _series("cortex_a15_log", "Cortex-A15 event logs (events_raw.data)", powmon_series, format_examples.CORTEX_A15_LOG),
    _series("series_wide", "series in CSV, one column an event", wide_csv, format_examples.WIDE),
    _series("series_cumulative", "series in CSV, cumulative counters", cumulative_csv, format_examples.CUMULATIVE),
    Format(
        key="phases_wide",
        title="phases in CSV, one column a counter",
        kind="PhaseTable",
        sniff=phases_wide.sniff,
        read=_read_wide_phases,
        example=format_examples.PHASES_WIDE,
    ),
    _phases("phases_thesis", "phases as input.dat and output.dat", phases_thesis, format_examples.PHASES_THESIS),
    _phases("cortex_a15_phases", "Cortex-A15 table as phases (TSV)", phases_cortex_a15, format_examples.CORTEX_A15_PHASES),
    Format(
        key="hem_list",
        title="HEMs to read (perf list, papi_avail, CSV)",
        kind="HemList",
        sniff=hem_lists.sniff,
        read=_read_hems,
        example=format_examples.HEM_LIST,
    ),
)


def format_of(key: str) -> Format:
    """The format of `key`. Raises ReadError, which lists the keys, when there is none."""
    found = next((each for each in FORMATS if each.key == key), None)
    if found is None:
        raise ReadError(f"format: {key!r} is not known; the formats are {listed(each.key for each in FORMATS)}.")
    return found
