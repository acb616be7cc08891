"""Large tables of signatures on the shelf: what a page begins with is read at once, the rest when it is asked for."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.signatures.points import facts
from hemcore.datasets import load
from hemcore.datasets.shelf import table_files
from hemcore.datasets.tables.kinds import kind_of, shape
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable, StoredSignatures, first_columns
from hemcore.errors import StoreError
from hemcore.signatures import SignatureParams
from hemcore.signatures.analysis import CLASSIFY


@pytest.fixture
def whole() -> SignatureTable:
    return load("sample-signatures")


@pytest.fixture
def stored(whole: SignatureTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SignatureTable:
    """The same table from files that count as large."""
    monkeypatch.setattr(table_files, "_LARGE", 0)
    table_files.write(tmp_path, whole)
    return table_files.read(tmp_path, "SignatureTable")


@pytest.mark.slow
def test_classes_and_facts_need_no_further_column(whole: SignatureTable, stored: SignatureTable, tmp_path: Path) -> None:
    assert isinstance(stored, StoredSignatures)
    assert len(stored.first.columns) < 40 < len(whole.frame.columns)
    (tmp_path / "0000.parquet").unlink()
    for params in (SignatureParams(), SignatureParams(set_aside="GPU active and busy waiting", rules="5.2", mem_gbs=180)):
        found, expected = (CLASSIFY.compute(table, CLASSIFY.relevant_params(params), None, None) for table in (stored, whole))
        pd.testing.assert_frame_equal(found.classes, expected.classes)
        assert found.seen == expected.seen
    assert facts(stored) == facts(whole)
    assert (kind_of(stored).name, shape(stored)) == ("SignatureTable", "5,000 signatures")
    assert stored.identifiers == whole.identifiers


def test_the_whole_is_there_when_it_is_asked_for_and_read_once(whole: SignatureTable, stored: SignatureTable) -> None:
    pd.testing.assert_frame_equal(stored.frame, whole.frame)
    assert stored.frame is stored.frame


def test_a_file_that_went_away_is_said(stored: SignatureTable, tmp_path: Path) -> None:
    (tmp_path / "0000.parquet").unlink()
    with pytest.raises(StoreError, match="its files cannot be read any more"):
        _ = stored.frame


def test_the_first_columns_of_loops_and_of_gpus_without_utilisation() -> None:
    names = ["JOBID", "LOOPID", "TIMESTAMP", *METRICS, "DPOPS_512", "GPU0_POWER_W", "TEMP0"]
    assert first_columns(names) == names[:-1]
    assert first_columns([*(name for name in names if name != "LOOPID"), "GPU1_UTIL_PERC"]) == [
        *("JOBID", "TIMESTAMP", *METRICS),
        "GPU1_UTIL_PERC",
    ]


def test_a_loop_is_told_and_rated_from_the_first_columns() -> None:
    names = ["JOBID", "STEPID", "NODENAME", "LOOPID", "LOOP_SIZE", "TIMESTAMP", "CPI", "TPI", "MEM_GBS", "GFLOPS", "DPOPS_512", "TEMP0"]
    frame = pd.DataFrame({name: np.arange(1.0, 4.0) for name in names}).assign(NODENAME="n1")
    first = frame[[name for name in frame.columns if name != "TEMP0"]]
    table = StoredSignatures(first, list(frame.columns), lambda: frame[["TEMP0"]])
    pd.testing.assert_frame_equal(table.frame, frame)
    assert facts(table) == facts(SignatureTable(frame=frame))
