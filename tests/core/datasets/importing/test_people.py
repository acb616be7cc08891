"""Files as people have them become the table that was written for them; none becomes another one in silence."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.core.datasets.importing.people.cases import Case, Expected, Row, all_cases, case_of, pairs
from tests.core.datasets.importing.people.dialects import Dialect


def check_rows(frame: pd.DataFrame, rows: list[Row]) -> None:
    assert list(frame.columns) == list(rows[0])
    expected = pd.DataFrame(rows, dtype=float)
    np.testing.assert_allclose(frame.to_numpy(dtype=float), expected.to_numpy(), rtol=1e-12)


def check(case: Case) -> None:
    preview = inspect([UploadedFile(name, content) for name, content in case.files])
    assert preview.result is not None, preview.fault
    check_table(preview.result.table, case.expected)
    said = " ".join(preview.repairs)
    for part in case.expected.said:
        assert part in said


def check_table(table: object, expected: Expected) -> None:
    assert type(table).__name__ == expected.kind
    if isinstance(table, CounterSeries):
        keys = table.intervals[["application", "run", "interval"]].itertuples(index=False, name=None)
        assert [tuple(key) for key in keys] == list(expected.keys)
        check_rows(table.counts, list(expected.rows))  # type: ignore[arg-type]
        assert table.mode == expected.mode
        assert ("time" in table.intervals) == (expected.times is not None)
        if expected.times is not None:
            np.testing.assert_allclose(table.intervals["time"], expected.times, rtol=1e-9)
        if expected.dates is not None:
            dates = pd.to_datetime(table.intervals["date"], utc=True).dt.tz_localize(None)
            assert dates.tolist() == [pd.Timestamp(each) for each in expected.dates]
        if expected.stages is not None:
            assert table.intervals["stage"].tolist() == list(expected.stages)
        if expected.unit is not None:
            assert table.interval_unit == expected.unit
        assert (table.share is None) == (expected.share is None)
        if expected.share is not None:
            assert table.share is not None
            for name, values in expected.share.items():
                np.testing.assert_allclose(table.share[name], values)
    elif isinstance(table, Subexperiments):
        assert len(table.frames) == len(expected.rows)
        for frame, rows in zip(table.frames, expected.rows, strict=True):
            check_rows(frame, list(rows))  # type: ignore[arg-type]
    else:
        assert isinstance(table, PhaseTable)
        assert table.frame["program"].tolist() == list(expected.keys)
        check_rows(table.frame[list(table.counters)], list(expected.rows))  # type: ignore[arg-type]


@pytest.mark.long
def test_the_corpus_is_large() -> None:
    cases = all_cases()
    assert len(cases) >= 300
    assert len({case.name for case in cases}) == len(cases)


# Most are long: a few shapes in a few dialects soon, the rest takes minutes.
@pytest.mark.parametrize(
    ("shape", "dialect"),
    [
        pytest.param(shape, dialect, id=f"{shape} {dialect.name}", marks=[pytest.mark.long] * (place % 43 != 0))
        for place, (shape, dialect) in enumerate(pairs())
    ],
)
def test_a_file_becomes_its_table(shape: str, dialect: Dialect) -> None:
    case = case_of(shape, dialect)
    if case is None:
        pytest.skip(f"{dialect.name} cannot write {shape}")
    check(case)
