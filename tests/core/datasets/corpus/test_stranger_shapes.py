"""Each shape becomes the table that was written for it by hand, with the one question that it leaves or none."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.core.datasets.corpus.logged_shapes import CDL_CORES, EMON, JULIA, XPORT, logs
from tests.core.datasets.corpus.stranger_shapes import Shape, dates, prints


def rows_of(table: object) -> tuple[pd.DataFrame, list[float], list[str]]:
    """(counts, times, programs) of any table."""
    if isinstance(table, CounterSeries):
        times = table.intervals["time"].tolist() if "time" in table.intervals else []
        return table.counts, [each - times[0] for each in times], []
    if isinstance(table, PhaseTable):
        return table.frame[list(table.counters)], [], table.frame["program"].tolist()
    assert isinstance(table, Subexperiments)
    (frame,) = table.frames
    return frame, [], []


@pytest.mark.parametrize("shape", [*dates(), *prints(), *logs()], ids=lambda shape: shape.name)
def test_a_shape_becomes_its_table(shape: Shape) -> None:
    shown = inspect([UploadedFile("f.txt", shape.content)])
    assert shown.result is not None, shown.fault
    assert [doubt.key for doubt in shown.doubts] == ([shape.asks] if shape.asks else [])
    counts, times, programs = rows_of(shown.result.table)
    for name, values in shape.columns.items():
        np.testing.assert_allclose(counts[name], values)
    if shape.times:
        np.testing.assert_allclose(times, shape.times, atol=1e-9)
    if shape.programs:
        assert programs == shape.programs


@pytest.mark.parametrize(
    "text",
    [
        EMON.replace("4,000\t4,001", f"4,000\t{'9' * 5_000}"), XPORT.replace("1741684440", "9" * 400), XPORT.replace("1000.5", "9" * 400),
        CDL_CORES.replace("core = 2", f"core = {'9' * 5_000}"), CDL_CORES[: CDL_CORES.index("dimensions")] + "dimensions:\n\ttime = 2 ;\n"
        "variables:\n\tint64 cycles(a, b) ;\ndata:\n\n cycles = 5 ;\n}\n", JULIA + "┌ a" + " " * 100_000 + "x\n",
    ],
    ids=["EMON", "xport", "xport's values", "CDL", "CDL without its dimensions", "LinuxPerf.jl"],
)  # fmt: skip
def test_numbers_and_blanks_without_end_do_not_stop_it(text: str) -> None:
    shown = inspect([UploadedFile("f.txt", text.encode())])
    assert shown.fault or shown.result is not None
