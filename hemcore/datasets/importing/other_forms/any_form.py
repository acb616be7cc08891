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
from hemcore.datasets.importing.profiles import benchmark_tables, ipm_banners, profile_tables, ruled_tables, run_reports, system_prints
from hemcore.datasets.readers import decoding
from hemcore.errors import ReadError

# Of Valgrind and perf script, whose numbers are added up or scaled.
_ADDED_UP = re.compile(r"^(?:fn=|[ \t]*CPU[ \t]+THREAD[ \t]+VAL[ \t]+ENA)", re.MULTILINE)


def as_csv(name: str, text: str, notes: list[str], *, whole: bool) -> str | None:
    """`text` as that of a CSV with commas, a header and rows; None where it is of no form that is known.

    name: of the file, for messages. whole: whether it is all of it. `notes` gets a sentence on what stands in no row. Raises ReadError
    where it says two things of one key, and as the forms do.
    """
    try:
        table = json_lines.as_table(text, notes)
        printed = None if table is not None else _printed(name, text)
        if printed is not None:
            notes += [note] if not _ADDED_UP.search(text) and (note := lost_lines.note_of(text, printed)) else []
            return printed
        table = sensor_logs.as_table(text) if table is None else table
        table = line_protocol.as_table(text) if table is None else table
        table = written_tables.as_table(text, notes) if table is None else table
    except decoding.RepeatedKeyError as error:
        raise ReadError(f"{name}: {error}") from None
    except csv.Error as error:
        raise ReadError(f"{name}: a cell is not readable ({error}). Close its quotation mark, or leave the line out.") from None
    return xml_records.as_table(name, text, whole=whole) if table is None else table


def _printed(name: str, text: str) -> str | None:
    """The table of what a tool wrote, in the order of the forms."""
    table = tool_dumps.as_table(name, text)
    table = tool_reports.as_table(text) if table is None else table
    table = benchmark_tables.as_table(text) if table is None else table
    table = profile_tables.as_table(text) if table is None else table
    table = run_reports.as_table(text) if table is None else table
    table = ipm_banners.as_table(text) if table is None else table
    table = ruled_tables.as_table(text) if table is None else table
    return system_prints.as_table(text) if table is None else table
