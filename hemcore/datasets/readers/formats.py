"""The one list of formats that files are read in, in the order in which the page offers them; a plugin registers its own."""

from hemcore.datasets.importing import dataset_archive, table_formats
from hemcore.datasets.readers import eacct, hem_lists, hem_tables, plan_runs
from hemcore.datasets.readers.answers import answer_tables
from hemcore.datasets.readers.format import AnyFormat, Format, ReadOptions, ReadResult, options_key
from hemcore.datasets.readers.likwid import powermeter
from hemcore.datasets.readers.likwid import timeline as likwid_timeline
from hemcore.datasets.readers.likwid import totals as likwid_totals
from hemcore.datasets.readers.metrics import definition_files
from hemcore.datasets.readers.monitoring import cluster_cockpit, otlp, prometheus
from hemcore.datasets.readers.papi import papi_output
from hemcore.datasets.readers.perf import csv as perf_csv
from hemcore.datasets.readers.perf import json as perf_json
from hemcore.datasets.readers.perf import script as perf_script
from hemcore.datasets.readers.perf import stat_text as perf_text
from hemcore.datasets.readers.phases import powmon_phases, thesis
from hemcore.datasets.readers.phases import wide as wide_phases
from hemcore.datasets.readers.profilers import caliper, cube_dump, perfspect, rocprof, toplev
from hemcore.datasets.readers.series import cumulative_csv, powmon_series, wide_csv
from hemcore.datasets.readers.system import ocount, timed_commands
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.kinds import KINDS
from hemcore.errors import ParameterError, ReadError
from hemcore.plugins import offered

__all__ = ["FORMATS", "PLAIN", "TABLES", "AnyFormat", "Format", "ReadOptions", "ReadResult", "format_of", "options_key", "register"]

FORMATS: list[AnyFormat] = [
    hem_tables.STACKED,
    hem_tables.SEPARATE,
    eacct.FORMAT,
    plan_runs.FORMAT,
    perf_csv.FORMAT,
    perf_json.FORMAT,
    perf_text.FORMAT,
    perf_script.FORMAT,
    timed_commands.FORMAT,
    ocount.FORMAT,
    likwid_totals.FORMAT,
    likwid_timeline.FORMAT,
    powermeter.FORMAT,
    papi_output.FORMAT,
    toplev.FORMAT,
    perfspect.FORMAT,
    perfspect.SUMMARY,
    caliper.FORMAT,
    rocprof.FORMAT,
    cube_dump.FORMAT,
    cluster_cockpit.FORMAT,
    prometheus.FORMAT,
    otlp.FORMAT,
    powmon_series.FORMAT,
    wide_csv.FORMAT,
    cumulative_csv.FORMAT,
    wide_phases.FORMAT,
    thesis.FORMAT,
    powmon_phases.FORMAT,
    hem_lists.FORMAT,
    definition_files.FORMAT,
    dataset_archive.FORMAT,
    answer_tables.FORMAT,
    table_formats.SERIES,
    table_formats.RUNS,
    table_formats.PROGRAMS,
]
# Read by an ImportRecipe.
TABLES = (table_formats.SERIES.key, table_formats.RUNS.key, table_formats.PROGRAMS.key)
# Formats of plain tables, which no tool marks as its own: an ImportRecipe can read them all.
PLAIN = ("subexperiments_stacked", "subexperiments_separate", "series_wide", "series_cumulative", "phases_wide", *TABLES)


def register(format: AnyFormat) -> None:
    """Add the format of a plugin, for every upload and page of this process.

    Raises ParameterError for a key that another format has, and for a kind that is no kind of table.
    """
    if any(each.key == format.key for each in FORMATS):
        raise ParameterError(f"format: {format.key!r} is registered already. Give the format another key.")
    if format.kind not in KINDS:
        raise ParameterError(f"format {format.key!r}: kind {format.kind!r} must be one of {listed(KINDS)}.")
    FORMATS.append(format)


for _format in offered("hemcore.readers", Format):
    if all(_format.key != each.key for each in FORMATS):  # a plugin does not replace what is there
        register(_format)


def format_of(key: str) -> AnyFormat:
    """The format of `key`. Raises ReadError, which lists the keys, when there is none."""
    found = next((each for each in FORMATS if each.key == key), None)
    if found is None:
        raise ReadError(f"format: {key!r} is not known; the formats are {listed(each.key for each in FORMATS)}.")
    return found
