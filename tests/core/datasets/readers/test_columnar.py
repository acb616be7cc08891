"""Parquet, Arrow and Feather are read as the same table in CSV is, within limits."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.importing import dataset_archive
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.recognition import unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits, expand
from hemcore.datasets.shelf import samples
from hemcore.errors import ReadError
from hemcore.web.actions.downloads import parquet_bytes
from tests.core.datasets.zipped import zipped

SERIES = pd.DataFrame({"time": [0.5, 1.0, 1.5, 2.0], "cycles": [2**53 + 1, 7, 9, 2**60], "misses": [0.1, np.nan, np.nan, 1 / 3]})


def parquet(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


def feather(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(frame, out, compression="zstd")
    return out.getvalue()


def arrow(frame: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    table = pa.Table.from_pandas(frame)
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


@pytest.mark.parametrize("write", [parquet, feather, arrow])
def test_it_is_the_same_as_csv_to_the_last_digit(write) -> None:
    as_csv = expand([UploadedFile("f.csv", SERIES.to_csv(index=False).encode())])
    made = expand([UploadedFile("f.parquet", write(SERIES))])
    assert made[0].content == as_csv[0].content
    assert expand([UploadedFile("f.zip", zipped({"f.parquet": write(SERIES)}))])[0].content == as_csv[0].content


def test_an_index_of_times_and_categories_are_columns() -> None:
    frame = pd.DataFrame(
        {"kind": pd.Categorical(["a", "b"]), "n": pd.array([1, None], dtype="Int64")},
        index=pd.date_range("2026-01-01", periods=2, freq="s", tz="Europe/Berlin"),
    )
    text = expand([UploadedFile("f.parquet", parquet(frame))])[0].content.decode()
    assert text == "time,kind,n\n2025-12-31 23:00:00+00:00,a,1\n2025-12-31 23:00:01+00:00,b,\n"
    preview = inspect(
        [UploadedFile("f.parquet", parquet(SERIES.drop(columns="time").set_index(pd.date_range("2026", periods=4, freq="s"))))]
    )
    assert preview.result is not None
    assert isinstance(preview.result.table, CounterSeries)
    assert preview.result.table.applications == ["f"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (parquet(SERIES)[:300], "a damaged Parquet or Arrow file"),
        (b"ARROW1\0\0" + b"x" * 90, "a damaged Parquet or Arrow file"),
        (b"PARE" + b"\0" * 90, "an encrypted Parquet file"),
        (b"FEA1" + b"\0" * 90, "a Feather file of version 1"),
        (parquet(pd.DataFrame({"a": [[1], [2]]})), "column 'a' holds list"),
        (parquet(pd.DataFrame({"a": ["x" * 40_000] * 3})), "column 'a' has a text of 40,000 bytes"),
        (parquet(pd.DataFrame({"a": range(60)})), "60 rows x 1 columns; at most 50 cells are read"),
    ],
)
def test_what_cannot_be_read_is_told(content: bytes, said: str) -> None:
    with pytest.raises(ReadError) as error:
        expand([UploadedFile("f.parquet", content)], UploadLimits(max_cells=50))
    assert said in str(error.value)


def test_a_download_as_parquet_is_read_back() -> None:
    table = samples.load("hems-t2080")
    again = unpack([UploadedFile("z.zip", dataset_archive.archive_of(table, parquet_bytes, "parquet"))]).read().table
    pd.testing.assert_frame_equal(table.frame, again.frame)  # type: ignore[union-attr]


def test_an_index_without_a_name_shifts_no_column() -> None:
    counts = pd.DataFrame({"cycles": [5, 9, 7], "misses": [1, 3, 2]})

    def text(frame: pd.DataFrame) -> str:
        return expand([UploadedFile("f.parquet", parquet(frame))])[0].content.decode()

    assert text(counts.sort_values("cycles")) == ",cycles,misses\n0,5,1\n2,7,2\n1,9,3\n"
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    assert text(counts.set_index(levels)) == "level_0,level_1,cycles,misses\na,1,5,1\na,2,9,3\nb,1,7,2\n"
    times = text(counts.set_index(pd.to_timedelta([0, 0.5, 1], unit="s")))
    assert times.splitlines()[:3] == ["time,cycles,misses", "0.0,5,1", "0.5,9,3"]
