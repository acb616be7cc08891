"""What LIKWID and PAPI write becomes the table that was written for it by hand."""

import numpy as np
import pytest

from hemcore.datasets import PhaseTable
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
