"""Numbers of hundreds of digits, half characters and control characters are told in a sentence or listed; nothing else is raised."""

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, Subexperiments
from hemcore.datasets.readers.formats import ReadResult
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

LONG, LONGER = "9" * 400, "9" * 5000
PROGRAMS = "#Name\tStart\tEnd\nsha\t{}\t2000000000\n"
LOG = "Start:\t1000000000\nEvent 1 Label: A RAW Identifier: 0x11\n0.1\t5\t0x11\n0.2\t6\t0x11\n"


def read(name: str, text: str) -> ReadResult:
    return read_upload([UploadedFile(name, text.encode())])


def test_a_number_of_400_digits_is_taken_as_missing() -> None:
    found = read("s.csv", f"a,b,a.1,c\n{LONG},200,300,400\n100,200,300,400\n101,201,301,401\n")
    assert isinstance(found.table, Subexperiments)
    assert [len(frame) for frame in found.table.frames] == [2, 3]
    assert found.repairs["what"].tolist() == ["rows with a missing value left out"]
    assert any("infinite values were treated as missing" in note for note in found.notes)


@pytest.mark.parametrize("field", ["event", "cgroup"])
def test_half_a_character_in_json_of_perf_is_listed(field: str) -> None:
    lines = [f'{{"counter-value" : "5", "event" : "{event}", "cgroup" : "g", "event-runtime" : 5}}\n' for event in ("x", "y")]
    lines[0] = lines[0].replace(f'"{field}" : "', f'"{field}" : "\\ud800')
    found = read("f.json", "".join(lines))
    assert isinstance(found.table, CounterSeries)
    assert found.table.events == ["y"]
    assert found.repairs["what"][0].startswith("a name that is not text")


@pytest.mark.parametrize("name", ["region", "EVENT"])
def test_half_a_character_in_json_of_papi_is_refused(name: str) -> None:
    text = '{"threads": [{"id": "1",\n "regions": [{"region": {"region_count": "1", "EVENT": "5"}}]}]}'
    with pytest.raises(ReadError, match=r"^r: line 2: '\\\\udfff' is half a character"):
        read("r", text.replace(f'"{name}"', f'"{name}\\udfff"'))


def test_an_integer_of_5000_digits_in_json_of_papi_is_refused() -> None:
    with pytest.raises(ReadError, match="^r: not readable as JSON"):
        read("r", f'{{"threads": [{{"id": "1", "regions": [{{"a": {{"X": {LONGER}}}}}]}}]}}')


@pytest.mark.parametrize("time", ["\x1f1000000000", "1000000000\x1c", "²", LONG, LONGER, "٣"], ids=ascii)
def test_times_of_cortex_a15_programs(time: str) -> None:
    files = [UploadedFile("events_raw.data", LOG.encode()), UploadedFile("benchmarks.data", PROGRAMS.format(time).encode())]
    if time.strip("\x1f\x1c") == "1000000000":
        table = read_upload(files).table
        assert isinstance(table, CounterSeries)
        assert table.intervals["stage"].tolist() == ["sha", "sha"]
    else:
        with pytest.raises(ReadError, match="benchmarks.data: line 2"):
            read_upload(files)


def test_a_group_of_likwid_of_5000_digits_is_listed() -> None:
    text = "# HWThreads: 0\n# GID,EventCount,CpuCount,Total runtime [s],A\n1,1,1,0.1,5\n1,1,1,0.2,6\n"
    found = read("l.csv", text.replace("\n1,1,1,0.1", f"\n{LONGER},1,1,0.1"))
    assert "not a timeline row" in found.repairs["what"][0]
    np.testing.assert_array_equal(found.table.counts.to_numpy(), [[6]])  # type: ignore[union-attr]


def test_a_table_of_likwid_that_says_5000_digits_is_read() -> None:
    found = read("l.csv", f"TABLE,Group 1 Raw,L3,{LONGER},\nEvent,Counter,HWThread 0,\nA,FIXC0,5,\n")
    np.testing.assert_array_equal(found.table.counts.to_numpy(), [[5]])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["run_{}.csv", "Run_{}/events.csv", "{}GHz/run_1.csv"])
def test_file_names_with_numbers_of_5000_digits(name: str) -> None:
    files = [UploadedFile(name.format(digit * 5000), b"time,a\n1,2\n2,3\n") for digit in "12"]
    assert len(read_upload(files).table.intervals) == 4  # type: ignore[union-attr]


TWICE = {
    "a list": ('[{"t": 1, "a": 5, "a": 7}, {"t": 2, "a": 5}]', "'a' stands twice in one object or line, with '5' and '7'"),
    "lines": ('{"t": 1, "a": 5}\n{"t": 2, "a": 5, "a": 7}\n{"t": 3, "a": 6}\n', "'a' stands twice in one object or line, with '5' and '7'"),
    "columns": ('{"t": [1, 2, 3], "a": [5, 6, 7], "a": [5, 6, 8]}', "'a' stands twice"),
    "pairs": ("t=1 a=5\nt=2 a=5 a=7\nt=3 a=6\n", "'a' stands twice in one object or line, with '5' and '7'"),
    "PAPI": ('{"threads": [{"id": "0", "regions": [{"r": {"PAPI_TOT_INS": "1", "PAPI_TOT_INS": "2"}}]}]}', "'PAPI_TOT_INS' stands twice"),
    "Prometheus": (
        '{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"cpu": "0", "cpu": "1"}, "values": [[1, "2"]]}]}}',
        "'cpu' stands twice",
    ),
    "metrics": ('{"metrics": [{"name": "IPC", "formula": "a / b", "formula": "b / a"}]}', "'formula' stands twice"),
}


@pytest.mark.parametrize("where", TWICE)
def test_a_key_with_two_values_is_refused(where: str) -> None:
    text, said = TWICE[where]
    with pytest.raises(ReadError, match=f"f.json: .*{said}"):
        read("f.json", text)


def test_a_line_of_perf_with_two_values_is_listed_and_one_value_twice_is_one() -> None:
    line = '{{"interval" : {}, "counter-value" : "{}", "counter-value" : "{}", "event" : "cycles"}}\n'.format
    found = read("f.json", line(1, 5, 5) + line(2, 6, 7) + line(3, 8, 8))
    assert found.table.counts["cycles"].tolist() == [5, 8]
    assert found.repairs["where"].tolist() == ["f.json, line 2"]
