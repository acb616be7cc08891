"""Parquet, Arrow and Feather files: each becomes a CSV within limits, which is then recognised as any other."""

import io
from collections.abc import Callable, Iterator
from contextlib import suppress

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hemcore.errors import ReadError

_PARQUET, _ARROW, _OLD_FEATHER, _ENCRYPTED = b"PAR1", b"ARROW1", b"FEA1", b"PARE"
ENDINGS = (".parquet", ".pq", ".feather", ".arrow", ".ipc")
_ROWS = 20_000
_AT_ONCE = 8 << 20  # bytes of rows that are texts at once
_PER_CELL = 25
_LONGEST_TEXT = 32_767  # as a cell of Excel
_OF_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
_UNNAMED = "__index_level_"
_AGAIN = "Write it with pandas (`frame.to_parquet(FILE)`), or send CSV."


def is_columnar(content: bytes) -> bool:
    """Whether a file begins as Parquet, Arrow IPC or Feather do."""
    return content.startswith((_PARQUET, _ARROW, _OLD_FEATHER, _ENCRYPTED))


def csv_of(name: str, content: bytes, *, max_cells: int, max_bytes: int, take: Callable[[str, int], None]) -> bytes:
    """The table as CSV: the columns' names first, empty where a value is missing, times as ISO 8601 (those with a zone in UTC).

    max_cells, max_bytes: of the table, unpacked. take(name, bytes): is given the size of what is made, and may raise. Raises ReadError for
    a file that is damaged or encrypted, over a limit, or holds nested columns (lists, structs).
    """
    if content.startswith(_ENCRYPTED):
        raise ReadError(f"{name}: an encrypted Parquet file. Send it without encryption.")
    made = io.BytesIO()
    try:
        with suppress(StopIteration):
            for batch in _batches(name, content, max_cells, max_bytes):
                widest = _check_columns(name, batch)
                rows = min(max(_AT_ONCE // widest, 1), _ROWS)
                for start in range(0, max(batch.num_rows, 1), rows):
                    text = _frame(batch.slice(start, rows)).to_csv(index=False, header=not made.tell(), lineterminator="\n")
                    part = text.encode(errors="replace")
                    take(name, len(part))
                    made.write(part)
    except ReadError:
        raise
    except MemoryError:
        raise ReadError(
            f"{name}: a damaged Parquet or Arrow file, or one that takes more memory than it may. Write it again with fewer rows."
        ) from None
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        said = str(error).split("\n")[0][:120]
        raise ReadError(f"{name}: a damaged Parquet or Arrow file ({said}). {_AGAIN}") from None
    if not made.tell():
        raise ReadError(f"{name}: a table without rows or columns. {_AGAIN}")
    return made.getvalue()


def _batches(name: str, content: bytes, max_cells: int, max_bytes: int) -> Iterator[pa.RecordBatch]:
    if content.startswith(_PARQUET):
        file = pq.ParquetFile(pa.BufferReader(content))
        meta = file.metadata
        _check_size(name, meta.num_rows, meta.num_columns, max_cells)
        _check_types(name, file.schema_arrow)
        unpacked = sum(meta.row_group(number).total_byte_size for number in range(meta.num_row_groups))
        if unpacked > max_bytes:
            raise ReadError(
                f"{name}: {unpacked / 2**20:,.0f} MiB unpacked; at most {max_bytes / 2**20:,.0f} MiB are read. Send fewer rows."
            )
        # Texts stay numbers of a dictionary: a small file may repeat a long one a million times.
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)]
        yield from pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts).iter_batches(_ROWS)
        return
    if content.startswith(_OLD_FEATHER):
        raise ReadError(f"{name}: a Feather file of version 1. Write it again with `frame.to_feather(FILE)` of a pandas since 1.0.")
    reader = pa.ipc.open_file(pa.BufferReader(content))
    _check_types(name, reader.schema)
    rows = 0
    for number in range(reader.num_record_batches):
        batch = reader.get_batch(number)
        rows += batch.num_rows
        _check_size(name, rows, batch.num_columns, max_cells)
        for start in range(0, batch.num_rows, _ROWS):
            yield batch.slice(start, _ROWS)


def _check_size(name: str, rows: int, columns: int, most: int) -> None:
    if rows * columns > most:
        raise ReadError(f"{name}: {rows:,} rows x {columns:,} columns; at most {most:,} cells are read. Send fewer rows or columns.")


def _check_types(name: str, schema: pa.Schema) -> None:
    """Raise ReadError for a column of lists or of bytes, before any is unpacked."""
    for field in schema:
        type = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_nested(type) or any(of_bytes(type) for of_bytes in _OF_BYTES):
            raise ReadError(f"{name}: column {field.name!r} holds {field.type} values, not numbers or texts. Leave the column out.")


def _check_columns(name: str, batch: pa.RecordBatch) -> int:
    """The bytes that the longest row may have as texts. Raises ReadError for a column of too long texts."""
    widest = _PER_CELL * batch.num_columns
    for field, column in zip(batch.schema, batch.columns, strict=True):
        values = column.dictionary if pa.types.is_dictionary(field.type) else column
        if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
            longest = pc.max(pc.binary_length(values)).as_py() or 0
            widest += longest
            if longest > _LONGEST_TEXT:
                raise ReadError(f"{name}: column {field.name!r} has a text of {longest:,} bytes; at most {_LONGEST_TEXT:,}. Shorten it.")
    return max(widest, 1)


def _frame(batch: pa.RecordBatch) -> pd.DataFrame:
    """The batch without what pandas wrote about it; an index of pandas without a name, which it writes last, comes first as in CSV, called
    "time" where it holds times; of several levels each has the name that `reset_index` gives it."""
    columns = {}
    fields = sorted(zip(batch.schema, batch.columns, strict=True), key=lambda pair: not pair[0].name.startswith(_UNNAMED))
    levels = sum(field.name.startswith(_UNNAMED) for field, _ in fields)
    for place, (field, column) in enumerate(fields):
        name = field.name
        if name.startswith(_UNNAMED):
            name = "time" if pa.types.is_temporal(field.type) else "" if levels == 1 else f"level_{place}"
        if pa.types.is_dictionary(field.type):
            column = column.dictionary_decode()
        if pa.types.is_duration(field.type):
            column = pc.divide(column.cast(pa.int64()).cast(pa.float64()), _PER_SECOND[field.type.unit])
        if pa.types.is_timestamp(field.type) and field.type.tz is not None:
            column = pc.cast(column, pa.timestamp(field.type.unit, "UTC"))
        columns[name] = column.to_pandas(integer_object_nulls=True) if pa.types.is_integer(column.type) else column.to_pandas()
    frame = pd.DataFrame(columns)
    for name in frame.columns:
        if isinstance(frame[name].dtype, pd.DatetimeTZDtype) or pd.api.types.is_datetime64_any_dtype(frame[name]):
            frame[name] = frame[name].map(lambda stamp: "" if pd.isna(stamp) else stamp.isoformat(sep=" "))
    return frame


_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
