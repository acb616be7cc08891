"""The first of the forms that fits a text: of tables that are not written as rows of separated cells."""

import csv

from hemcore.datasets.importing.other_forms import (
    json_lines,
    line_protocol,
    sensor_logs,
    tool_dumps,
    tool_reports,
    written_tables,
    xml_records,
)
from hemcore.datasets.importing.profiles import benchmark_tables, profile_tables
from hemcore.datasets.readers import decoding
from hemcore.errors import ReadError


def as_csv(name: str, text: str, notes: list[str], *, whole: bool) -> str | None:
    """`text` as that of a CSV with commas, a header and rows; None where it is of no form that is known.

    name: of the file, for messages. whole: whether it is all of it. `notes` gets a sentence on what stands in no row. Raises ReadError
    where it says two things of one key, and as the forms do.
    """
    try:
        table = json_lines.as_table(text, notes)
        table = tool_dumps.as_table(name, text) if table is None else table
        table = tool_reports.as_table(text) if table is None else table
        table = benchmark_tables.as_table(text) if table is None else table
        table = profile_tables.as_table(text) if table is None else table
        table = sensor_logs.as_table(text) if table is None else table
        table = line_protocol.as_table(text) if table is None else table
        table = written_tables.as_table(text, notes) if table is None else table
    except decoding.RepeatedKeyError as error:
        raise ReadError(f"{name}: {error}") from None
    except csv.Error as error:
        raise ReadError(f"{name}: a cell is not readable ({error}). Close its quotation mark, or leave the line out.") from None
    return xml_records.as_table(name, text, whole=whole) if table is None else table
