"""Of many files with the same header, each is looked at by itself: one that differs is read as what it is, and what differs is named."""

import re

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, Subexperiments
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers import recognition
from hemcore.datasets.readers.uploaded_files import UploadedFile

_EVENTS, _ROWS, _FILES = 12, 10, 12
_LAST = f"m{_FILES}.csv"
_HEADER = "Zeit;" + ";".join(f"E{event}" for event in range(_EVENTS))


def _count(file: int, row: int, event: int) -> int:
    """1,000 to 1,996, up and down in no order."""
    return 1_000 + (331 * row + 577 * event + 113 * file) % 997


def _line(time: str, counts: list[int]) -> str:
    return ";".join([time, *map(str, counts)])


def _rows(file: int) -> list[str]:
    return [_line(f"{row // 2},{5 * (row % 2)}", [_count(file, row, event) for event in range(_EVENTS)]) for row in range(_ROWS)]


def _sums(file: int) -> list[int]:
    return [sum(_count(file, row, event) for row in range(_ROWS)) for event in range(_EVENTS)]


def _look(last: list[str], *, header: str = _HEADER) -> Preview:
    """The look at eleven files of one shape and a last one with the rows `last`."""
    texts = [[f"Messung {number} im Labor", _HEADER, *_rows(number)] for number in range(1, _FILES)]
    texts.append([f"Messung {_FILES} im Labor", header, *last])
    return inspect([UploadedFile(f"m{number}.csv", ("\n".join(lines) + "\n").encode()) for number, lines in enumerate(texts, start=1)])


def _series(preview: Preview) -> CounterSeries:
    assert preview.result is not None, preview.fault
    table = preview.result.table
    assert isinstance(table, CounterSeries)
    return table


def _counts_of_last(table: CounterSeries) -> np.ndarray:
    return table.counts[(table.intervals["run"] == _FILES).to_numpy()].to_numpy(dtype=float)


def _said_of_last(preview: Preview) -> list[str]:
    return [line for line in preview.repairs if re.search(rf"{re.escape(_LAST)}\b", line)]


_EXPECTED = np.array([[_count(_FILES, row, event) for event in range(_EVENTS)] for row in range(_ROWS)], dtype=float)


def test_alike_files_are_runs_of_one_series() -> None:
    table = _series(_look(_rows(_FILES)))
    assert table.counts.shape == (_FILES * _ROWS, _EVENTS)
    np.testing.assert_array_equal(_counts_of_last(table), _EXPECTED)


@pytest.mark.parametrize("key", ["Summe", "", "5,0"])
def test_a_row_of_sums_at_the_end_of_one_file_is_left_out(key: str) -> None:
    preview = _look([*_rows(_FILES), _line(key, _sums(_FILES))])
    np.testing.assert_array_equal(_counts_of_last(_series(preview)), _EXPECTED)
    assert any("row 13" in line and "sums" in line for line in _said_of_last(preview))


def test_sums_within_one_file_are_left_out() -> None:
    rows = _rows(_FILES)
    halves = [
        _line("Zwischensumme", [sum(_count(_FILES, row, event) for row in range(first, first + 5)) for event in range(_EVENTS)])
        for first in (0, 5)
    ]
    preview = _look([*rows[:5], halves[0], *rows[5:], halves[1]])
    np.testing.assert_array_equal(_counts_of_last(_series(preview)), _EXPECTED)
    assert any("row 8" in line for line in _said_of_last(preview))
    assert any("row 14" in line for line in _said_of_last(preview))


def test_means_and_spreads_below_one_file_are_left_out() -> None:
    values = _EXPECTED
    below = [
        ";".join([name, *(f"{value:.3f}".replace(".", ",") for value in found)])
        for name, found in (("Mittelwert", values.mean(axis=0)), ("Stdabw", values.std(axis=0, ddof=1)), ("Max", values.max(axis=0)))
    ]
    preview = _look([*_rows(_FILES), "", *below])
    np.testing.assert_array_equal(_counts_of_last(_series(preview)), _EXPECTED)
    said = " ".join(line for line in _said_of_last(preview) if "sums or means" in line)
    assert {int(row) for row in re.findall(r"\b\d+\b", said)} >= {14, 15, 16}


def test_another_unit_of_the_time_of_one_file_is_told() -> None:
    rows = [_line(str(500 * row), [_count(_FILES, row, event) for event in range(_EVENTS)]) for row in range(_ROWS)]
    preview = _look(rows, header=_HEADER.replace("Zeit", "Zeit [ms]"))
    assert preview.fault or any("ms" in line for line in _said_of_last(preview))
    if preview.result is not None:
        times = _series(preview).intervals
        assert times["time"][(times["run"] == _FILES).to_numpy()].max() < 10


def test_a_column_in_thousands_of_one_file_is_multiplied() -> None:
    preview = _look(_rows(_FILES), header=_HEADER.replace("E3;", "E3 (k);"))
    np.testing.assert_array_equal(_counts_of_last(_series(preview))[:, 3], _EXPECTED[:, 3] * 1_000)
    assert any("thousands" in line and "E3 (k)" in line for line in _said_of_last(preview))


def test_a_column_that_one_file_lacks_was_not_counted_in_it() -> None:
    rows = [line.rpartition(";")[0] for line in _rows(_FILES)]
    table = _series(_look(rows, header=_HEADER.rpartition(";")[0]))
    np.testing.assert_array_equal(_counts_of_last(table)[:, :-1], _EXPECTED[:, :-1])
    assert np.isnan(_counts_of_last(table)[:, -1]).all()
    assert not table.counts.iloc[:-_ROWS].isna().any(axis=None)


def test_a_cell_of_words_in_one_file_is_named() -> None:
    rows = _rows(_FILES)
    rows[4] = rows[4].replace(f";{_count(_FILES, 4, 2)};", ";kaputt;", 1)
    preview = _look(rows)
    assert _LAST in preview.fault
    assert "kaputt" in preview.fault


def test_cumulative_counters_in_one_file_are_asked_about() -> None:
    grown = np.cumsum(_EXPECTED, axis=0).astype(int)
    preview = _look([_line(f"{row // 2},{5 * (row % 2)}", grown[row].tolist()) for row in range(_ROWS)])
    assert _LAST in preview.fault
    assert "cumulative" in preview.fault


def test_a_second_table_in_one_file_is_named() -> None:
    rows = _rows(_FILES)
    other = ";".join(["Leistung", *(f"P{event}" for event in range(_EVENTS))])
    preview = _look([*rows[:6], other, *rows[6:]])
    assert _LAST in preview.fault
    assert "second table" in preview.fault


def test_runs_of_one_header_keep_their_sums_apart() -> None:
    def text(number: int) -> str:
        rows = [_line(str(row + 1), [_count(number, row, event) for event in range(_EVENTS)]) for row in range(_ROWS)]
        rows += [_line("Summe", _sums(number))] * (number == _FILES)
        return "\n".join(["Lauf;" + _HEADER.partition(";")[2], *rows]) + "\n"

    preview = inspect([UploadedFile(f"m{number}.csv", text(number).encode()) for number in range(1, _FILES + 1)])
    assert preview.result is not None
    table = preview.result.table
    assert isinstance(table, Subexperiments)
    np.testing.assert_array_equal(table.frames[-1].to_numpy(dtype=float), _EXPECTED)


def test_of_files_that_begin_alike_but_for_numbers_a_few_are_looked_at_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []
    whole = recognition._matches

    def counted(files: list[UploadedFile]) -> list[recognition.Match]:
        looked_at.extend(file.name for file in files if len(files) == 1)
        return whole(files)

    monkeypatch.setattr(recognition, "_matches", counted)
    texts = ["\n".join([f"Messung {number} im Labor", _HEADER, *_rows(number)]) + "\n" for number in range(1, _FILES + 1)]
    found = recognition.taken_for([UploadedFile(f"m{number}.csv", text.encode()) for number, text in enumerate(texts, start=1)])
    assert set(found) == {"a series as people write it (titles, dates, units, comments)"}
    assert len(looked_at) == 8
