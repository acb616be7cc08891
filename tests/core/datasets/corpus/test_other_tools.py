"""What LIKWID and PAPI write becomes the table that was written for it by hand."""

import tracemalloc

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, PhaseTable
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.core.datasets.corpus.other_tools import likwid_timeline, likwid_totals, papi
from tests.core.datasets.corpus.test_corpus import check
from tests.core.datasets.corpus.variants import Variant


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*likwid_totals(), *likwid_timeline()], ids=lambda variant: variant.name)
def test_a_variant_of_likwid_becomes_its_table(variant: Variant) -> None:
    check(variant)


@pytest.mark.parametrize(("files", "expected"), papi().values(), ids=papi())
def test_a_variant_of_papi_becomes_its_table(files: dict[str, str], expected: dict[str, dict[str, dict[str, float]]]) -> None:
    sent = [UploadedFile(name, text.encode()) for name, text in files.items()]
    assert recognise(sent)[0].key == "papi_hl"
    table = read_upload(sent).table
    if isinstance(table, CounterSeries):  # of several threads
        assert table.applications == list(expected)
        for program, regions in expected.items():
            rows = (table.intervals["application"] == program).to_numpy()
            assert table.intervals.loc[rows, "stage"].tolist() == list(regions)
            for event in ("cycles", "PAPI_TOT_INS"):
                np.testing.assert_array_equal(table.counts.loc[rows, event], [events[event] for events in regions.values()])
        return
    assert isinstance(table, PhaseTable)
    assert set(table.counters) == {"cycles", "PAPI_TOT_INS"}
    assert table.programs == list(expected)
    for program, regions in expected.items():
        frame = table.frame[table.frame["program"] == program]
        assert frame["region"].tolist() == list(regions)
        assert frame["phase"].tolist() == list(range(len(regions)))
        for event in ("cycles", "PAPI_TOT_INS"):
            np.testing.assert_array_equal(frame[event], [events[event] for events in regions.values()])


def test_what_papi_leaves_out_and_nests_is_noted() -> None:
    files = papi()["version 7 with a temperature"][0] | papi()["version 6 with reads"][0]
    notes = " ".join(read_upload([UploadedFile(name, text.encode()) for name, text in files.items()]).notes)
    assert "Counts of a region include those of the regions within it." in notes
    assert "Left out because they are momentary values, not counts: temp." in notes
    assert "Reads between the ends of a region (PAPI_hl_read) left out, because the region's counts include them: 1." in notes


def test_groups_of_likwid_are_said_not_to_be_scaled() -> None:
    variant = next(each for each in likwid_totals() if each.name == "likwid groups")
    notes = " ".join(read_upload([UploadedFile(name, text.encode()) for name, text in variant.files.items()]).notes)
    assert "2 groups of events were measured one after the other" in notes
    assert "tables of metrics and of sums left out" in notes


def test_a_wide_line_of_likwid_takes_memory_for_its_counts_alone() -> None:
    events, threads, lines = 40, 160, 40
    head = "# GID,EventCount,CpuCount,Total runtime [s]," + ",".join(f"E{number}" for number in range(events))
    text = "\n".join([head, *(f"1,{events},{threads},{number / 10},{','.join(['7'] * events * threads)}" for number in range(lines)), ""])
    tracemalloc.start()
    table = read_upload([UploadedFile("wide.csv", text.encode())]).table
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(table, CounterSeries)
    assert table.counts.shape == (lines * threads, events)
    assert (table.counts == 7).to_numpy().all()
    # The table has 8 bytes a count; a row of a table per count took 560.
    assert peak < 60 * lines * threads * events


def test_a_line_of_likwid_without_a_value_keeps_its_interval_and_a_time_that_falls_starts_a_run() -> None:
    text = "# GID,EventCount,CpuCount,Total runtime [s],A,B\n1,2,1,0.1,5,nan\n1,2,1,0.2,nan,nan\n1,2,1,0.1,6,nan\n"
    result = read_upload([UploadedFile("f.csv", text.encode())])
    table = result.table
    assert isinstance(table, CounterSeries)
    assert table.intervals[["run", "interval", "time"]].to_numpy().tolist() == [[1, 1, 0.1], [1, 2, 0.2], [2, 1, 0.1]]
    np.testing.assert_array_equal(table.counts["A"], [5, np.nan, 6])
    assert result.repairs[["column", "what", "rows"]].to_numpy().tolist() == [["B", "not counted in any interval: left out", 3]]
    assert "read as the start of a new run: 1 times" in " ".join(result.notes)
