"""What a small upload asks of the machine is bounded, and told before the memory is taken."""

import json
import time
import tracemalloc

import pytest

from hemcore.datasets.importing.inspection import apply
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers import reading_limits
from hemcore.datasets.readers.hem_columns import propose_n_pmcs
from hemcore.datasets.readers.monitoring import prometheus
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand, larger_than
from hemcore.datasets.tables import kinds
from hemcore.errors import ReadError


def refused(*files: tuple[str, str], measured: bool = True) -> tuple[str, float]:
    """(the sentence, MiB at most while it was read, 0 where not measured) of an upload that is over a bound."""
    sent = [UploadedFile(name, text.encode()) for name, text in files]
    if measured:
        tracemalloc.start()
    try:
        with pytest.raises(ReadError) as error:
            read_upload(sent)
        return str(error.value), tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_rows_of_perf_each_of_an_event_of_its_own() -> None:
    said, most = refused(("f.csv", "".join(f"{row}.000000001,5,,event{row},9,100.00,,\n" for row in range(1, 9_000))))
    assert said == "f.csv: 8,999 events; at most 4,000 are read. Leave some out, or send the file in parts."
    assert most < 60


@pytest.mark.slow
def test_intervals_times_events() -> None:
    said, most = refused(("f.csv", "".join(f"{row}.000000001,5,,event{row % 3_900},9,100.00,,\n" for row in range(1, 6_000))))
    assert said.startswith("f.csv: 5,999 intervals x 3,900 events are 23,396,100 values; at most 10,000,000 are read.")
    assert most < 60


@pytest.mark.slow
def test_columns() -> None:
    for separator in ",;\t":
        said, _ = refused(
            ("f.csv", separator.join(f"c{n}" for n in range(100_000)) + "\n" + separator.join(["1"] * 100_000) + "\n"), measured=False
        )
        assert said == "f.csv: line 1: 100,000 columns; at most 4,000 are read. Leave some out, or send the file in parts."


@pytest.mark.slow
def test_applications_and_runs() -> None:
    rows = range(25_000)
    said, _ = refused(("f.csv", "application,time,cycles\n" + "".join(f"a{row},1,5\na{row},2,5\n" for row in rows)), measured=False)
    assert said.startswith("f.csv: 25,000 applications; at most 5,000 are read.")
    said, _ = refused(("f.csv", "run,time,cycles\n" + "".join(f"{row},1,5\n{row},2,5\n" for row in rows)), measured=False)
    assert said.startswith("f.csv: 25,000 runs; at most 20,000 are read.")
    said, _ = refused(("f.csv", "".join(f"thread-{row},5,,cycles,9,100.00,,\n" for row in rows)), measured=False)
    assert said.startswith("f.csv: 25,000 applications; at most 5,000 are read.")


@pytest.mark.slow
def test_regions_of_papi_each_with_a_counter_of_its_own() -> None:
    regions = [{f"r{n}": {"region_count": "1", f"E{n}": "5"}} for n in range(5_000)]
    said, most = refused(("rank_0", json.dumps({"threads": [{"id": "1", "regions": regions}]})))
    assert said.startswith("rank_0: 3,163 regions x 3,163 events are 10,004,569 values; at most 10,000,000 are read.")
    assert most < 60


def test_objects_of_one_file_of_papi() -> None:
    text = '{"threads": [{"id": "1", "regions": [' + ",".join(['{"r":{"a":"1"}}'] * 100_000) + "]}]}"
    said, _ = refused(("rank_0", text), measured=False)
    assert said.startswith("rank_0: 200,002 objects in JSON, threads and regions together; at most 200,000 of one rank are read.")


@pytest.mark.slow
@pytest.mark.long
def test_files_each_with_columns_of_its_own() -> None:
    files = [(f"f{n}.csv", "time," + ",".join(f"e{n}_{c}" for c in range(500)) + "\n" + ",".join(["1"] * 501) + "\n") for n in range(9)]
    said, _ = refused(*files, measured=False)
    assert said == "the files: 4,500 events; at most 4,000 are read. Leave some out, or send the file in parts."


def test_cells_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_limits, "MOST_READINGS", 1_000)
    said, _ = refused(("f.csv", "time,a\n" + "1,2\n" * 600), measured=False)
    assert said == "f.csv: 600 rows x 2 columns are 1,200 cells; at most 1,000 are read. Send the file in parts."


def test_rows_so_short_that_the_table_would_be_far_larger_than_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    # 100 bytes of 10 rows: 100 + 10 x (60 + 1 for the name + 2 x 8) = 870 bytes, of which 4 x 100 and 470 more are allowed.
    monkeypatch.setattr(reading_limits, "MOST_MORE", 470)
    reading_limits.check_memory("f", 10, 2, 100, per_cell=8)
    for more in ({"size": 99, "per_cell": 8}, {"size": 100, "per_cell": 9}, {"size": 100, "per_cell": 8, "per_row": 1}):
        with pytest.raises(
            ReadError, match=r"f: 10 rows of 10 characters would take 0 MiB of memory, more than 4 times the file and 0 MiB"
        ):
            reading_limits.check_memory("f", 10, 2, **more)


@pytest.mark.parametrize("cells", ["1,2,3\n", "1,2,x\n"])
def test_short_rows_are_counted_before_they_are_read(cells: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_limits, "MOST_MORE", 1_000)
    with pytest.raises(ReadError, match=r"f.csv: 600 rows of 6 characters would take 0 MiB of memory"):
        apply(ImportRecipe(), [UploadedFile("f.csv", f"t,a,b\n{cells * 600}".encode())])


def test_values_of_a_monitoring_system_are_counted_before_they_are_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    # Eight values in 745 bytes: 745 + 8 x (60 + 300 + 6 for the name + 8) = 3,737 bytes, of which 4 x 745 = 2,980 and 757 more are allowed.
    text = next(iter(prometheus.FORMAT.example.values()))
    assert isinstance(text, str)
    monkeypatch.setattr(reading_limits, "MOST_MORE", 756)
    assert refused(("q.json", text), measured=False)[0].startswith("q.json: 8 rows of 93 characters would take 0 MiB of memory")
    monkeypatch.setattr(reading_limits, "MOST_MORE", 757)
    assert read_upload([UploadedFile("q.json", text.encode())]).table is not None


@pytest.mark.slow
def test_as_much_as_is_read_is_read_in_time() -> None:
    start = time.process_time()
    text = "".join(f"thread-{row},5,,cycles,9,100.00,,\n" for row in range(4_900))
    table = read_upload([UploadedFile("f.csv", text.encode())]).table
    assert kinds.shape(table).startswith("1 program, 4,900 threads, 1 run, ")
    assert time.process_time() - start < 10


def test_n_pmcs_is_proposed_in_time() -> None:
    start = time.process_time()
    assert propose_n_pmcs([f"c{n}" for n in range(3_998)] + ["c0", "c0"]) == 1
    assert time.process_time() - start < 10  # hundredths of a second; comparing every two names takes minutes


def test_entries_of_an_archive_are_counted_before_its_list_is_made() -> None:
    archive = UploadedFile("f.zip", b"PK\x03\x04" + b"PK\x01\x02" * 101_001)
    assert larger_than([archive], 2 << 20)
    with pytest.raises(ReadError, match=r"f.zip: 101,001 entries; at most 1,000 are opened"):
        expand([archive])


@pytest.mark.slow
def test_lines_of_a_list_of_hems_are_counted_before_they_are_split() -> None:
    said, most = refused(("f.csv", "hem,counters,limit\n" + "a,,\n" * 1_000_001))
    assert said == "f.csv: 1,000,002 lines; at most 10,000 names are read. Leave some out."
    assert most < 4 * 4 + 20
    said, _ = refused(("f.csv", "hem,counters,limit\n" + "a,,\n" * 10_001), measured=False)
    assert said == "f.csv: 10,001 rows; at most 10,000 are read. Leave some out."


@pytest.mark.parametrize(("text", "times"), [("a,b\n1,2\n", 1), (' \ufeff[{"a": 1}]', 4), ('{"a": [1]}', 4), ("<table>", 4)])
def test_what_takes_four_times_as_long_to_read_counts_four_times(text: str, times: int) -> None:
    file = UploadedFile("f.txt", text.encode())
    assert larger_than([file], file.size * times - 1)
    assert not larger_than([file], file.size * times)
