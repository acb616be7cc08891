"""The first of the forms that fits a text: of tables that are not written as rows of separated cells."""

import csv
import re

from hemcore.datasets.importing.other_forms import (
    json_lines,
    line_protocol,
    lost_lines,
    sensor_logs,
    tool_dumps,
    tool_reports,
    written_tables,
    xml_records,
)
from hemcore.datasets.importing.profiles import (
    benchmark_prints,
    benchmark_tables,
    console_prints,
    counter_prints,
    flat_sheets,
    ipm_banners,
    label_rows,
    machine_logs,
    profile_tables,
    round_robin,
    ruled_tables,
    run_reports,
    scientific_texts,
    system_prints,
    written_values,
)
from hemcore.datasets.readers import decoding
from hemcore.errors import ReadError

# Forms whose numbers stand in the table as others -> what is said of it; "" where they are added up or scaled (Valgrind, perf script).
_CONVERTED = (
    (re.compile(r"^(?:fn=|[ \t]*CPU[ \t]+THREAD[ \t]+VAL[ \t]+ENA)", re.MULTILINE), ""),
    (re.compile(r"\A\s*Benchmark \d+ \(\d+ runs\): "), "means over the runs are read, in s and bytes where they have units"),
    (re.compile(r"\Agroup,function,value,"), "each sample's time is divided by its iteration_count"),
    (re.compile(r"\ASample in Buffer,"), "columns whose radix is not 10 became decimal numbers"),
    (re.compile(r"^\s*[╶┌└] +\S.*\d%", re.MULTILINE), "of LinuxPerf.jl the counts are read, without shares and remarks beside them"),
    (re.compile(r"\A(?:[A-Z]+\s+)+CPU\(cores\)"), "processors are in cores, memory in bytes"),
)


def as_csv(name: str, text: str, notes: list[str], *, whole: bool) -> str | None:
    """`text` as that of a CSV with commas, a header and rows; None where it is of no form that is known.

    name: of the file, for messages. whole: whether it is all of it. `notes` gets a sentence on what stands in no row. Raises ReadError
    where it says two things of one key, and as the forms do.
    """
    try:
        table = json_lines.as_table(text, notes)
        unread: list[str] = []
        printed = None if table is not None else _printed(name, text, unread)
        if printed is not None:
            notes += _said_of(text, printed) + lost_lines.note_of_unread(unread)
            return printed
        table = sensor_logs.as_table(text) if table is None else table
        table = line_protocol.as_table(text) if table is None else table
        table = written_tables.as_table(text, notes) if table is None else table
    except decoding.RepeatedKeyError as error:
        raise ReadError(f"{name}: {error}") from None
    except csv.Error as error:
        raise ReadError(f"{name}: a cell is not readable ({error}). Close its quotation mark, or leave the line out.") from None
    table = flat_sheets.as_table(name, text) if table is None else table
    return xml_records.as_table(name, text, whole=whole) if table is None else table


def _said_of(text: str, table: str) -> list[str]:
    """What was done with the numbers of a form, or which stand in no row."""
    said = next((what for form, what in _CONVERTED if form.search(text)), None)
    return list(filter(None, [lost_lines.note_of(text, table) if said is None else said]))


def _printed(name: str, text: str, unread: list[str]) -> str | None:
    """The table of what a tool wrote, in the order of the forms. `unread` gets the lines of readings that do not fit."""
    table = tool_dumps.as_table(name, text)
    table = tool_reports.as_table(text) if table is None else table
    table = benchmark_tables.as_table(text) if table is None else table
    table = profile_tables.as_table(text) if table is None else table
    table = run_reports.as_table(text) if table is None else table
    table = ipm_banners.as_table(text) if table is None else table
    table = ruled_tables.as_table(text) if table is None else table
    table = benchmark_prints.as_table(text, unread) if table is None else table
    table = console_prints.as_table(text, unread) if table is None else table
    table = label_rows.as_table(text) if table is None else table
    table = written_values.as_table(text) if table is None else table
    table = machine_logs.as_table(text) if table is None else table
    table = round_robin.as_table(text) if table is None else table
    table = scientific_texts.as_table(text) if table is None else table
    table = counter_prints.as_table(text) if table is None else table
    return system_prints.as_table(text) if table is None else table
