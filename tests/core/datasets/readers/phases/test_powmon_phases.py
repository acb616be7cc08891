"""The Cortex-A15 table as phases, on the published one and on odd ones."""

from pathlib import Path

import pytest

from hemcore.datasets.readers.phases import powmon_phases
from hemcore.datasets.readers.recognition import recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

FOLDER = Path(__file__).parents[6] / "shared" / "data" / "cortex_a15_cbench"
HEAD = b"#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tCPU_CYCLES\n"


def example() -> list[UploadedFile]:
    return [UploadedFile(name, text.encode()) for name, text in powmon_phases.FORMAT.example.items()]


def test_a_benchmark_is_a_program_and_a_frequency_a_load() -> None:
    table, _, notes = powmon_phases.read(example())
    assert table.programs == ["bitcount", "bzip2d"]
    assert table.loads == ["2000 MHz"]
    assert table.frame["phase"].tolist() == [0, 1, 0]
    assert table.frame["split"].tolist() == ["train", "train", "test"]
    assert table.frame["time"].tolist() == pytest.approx([0, 0.508756126, 1.017478605])
    assert table.counters == ("CPU(4) Frequency(MHz)", "A15 Power(W)", "CPU_CYCLES", "INST_RETIRED")
    assert notes == ()


def test_alone_it_is_offered_beside_the_series() -> None:
    keys = [match.key for match in recognise(example()[:1])]
    assert keys[0] == "series_wide"
    assert "cortex_a15_phases" in keys


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([UploadedFile("f", HEAD + b"1\tb\t1\t2000\tx\n")], "row 1 under the header, column 'CPU_CYCLES': 'x' is not a number"),
        ([UploadedFile("f", HEAD + b"1\tb\tone\t2000\t5\n")], r"column 'Run\(#\)': 'one' is no whole number"),
        (
            [*example()[:1], UploadedFile("s", b"#Train Benchmarks\tTest Benchmarks\na\tb\nb\t\n")],
            "s: line 3: 'b' is on both sides",
        ),
        (example()[1:], "not a Cortex-A15 table"),
    ],
)
def test_what_is_wrong_is_told(files: list[UploadedFile], said: str) -> None:
    with pytest.raises(ReadError, match=said):
        powmon_phases.read(files)


@pytest.mark.skipif(not FOLDER.exists(), reason="the Cortex-A15 readings are not here (../shared/data/cortex_a15_cbench)")
def test_the_published_table() -> None:
    names = ("xu3_cset_perfcpu_cBench_eMMC_big.data", "cbench_split.data")
    table, _, notes = powmon_phases.read([UploadedFile(name, (FOLDER / name).read_bytes()) for name in names])
    assert len(table.frame) == 10_623
    assert len(table.programs) == 30
    assert len(table.loads) == 3
    assert "A15 Power(W)" in table.counters
    assert set(table.frame["split"]) == {"train", "test"}
    assert notes == ()
