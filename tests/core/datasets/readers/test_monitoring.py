"""ClusterCockpit's jobs and answers of Prometheus: places, times and counts as written by hand."""

import gzip
import json

import numpy as np
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.recognition import read_upload, recognise, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import at_level, levels
from hemcore.errors import ReadError
from tests.core.datasets.zipped import zipped


def metric(*series: tuple[str, str, list], step: float = 60, **more: object) -> dict:
    return {"timestep": step, "series": [{"hostname": host, "id": place, "data": data} for host, place, data in series], **more}


def job(**metrics: object) -> bytes:
    return json.dumps(metrics).encode()


def read(content: bytes, name: str = "data.json") -> ReadResult:
    return unpack([UploadedFile(name, content)]).read()


def test_a_job_is_read_at_the_finest_scope_of_each_metric() -> None:
    flops = {
        "node": metric(("n1", "", [9, 9])),
        "core": metric(("n1", "0", [1, 2]), ("n1", "1", [3, None]), unit={"base": "F/s", "prefix": "G"}),
    }
    result = read(gzip.compress(job(flops_any=flops, cpu_load={"node": metric(("n1", "", [71.5, 72]))})), "data.json.gz")
    table = result.table
    assert isinstance(table, CounterSeries)
    assert table.applications == ["data n1 core 0", "data n1 core 1", "data n1"]
    assert levels(table) == ["machine", "node", "core"] or levels(table) == ["machine", "core"]
    assert "flops_any is taken per core; its values per node are left out" in result.notes[0]
    whole = at_level(table, "machine")
    np.testing.assert_array_equal(whole.counts["flops_any [GF/s]"], [4, np.nan])
    assert whole.counts["cpu_load"].tolist() == [71.5, 72]
    assert whole.intervals["time"].tolist() == [60, 120]


def test_jobs_in_folders_take_their_own_description() -> None:
    files = {}
    for number, start in ((7, 1763895600), (8, 1763899200)):
        files[f"{number}/data.json"] = job(mem_bw={"node": metric(("n1", "", [number]), ("n2", "", [2 * number]))})
        files[f"{number}/meta.json"] = json.dumps({"jobId": number, "startTime": start, "numNodes": 2}).encode()
    table = read(zipped(files), "jobs.zip").table
    assert isinstance(table, CounterSeries)
    assert table.applications == ["job 7 n1", "job 7 n2", "job 8 n1", "job 8 n2"]
    assert [str(date) for date in table.intervals["date"]][::2] == ["2025-11-23 11:00:00+00:00", "2025-11-23 12:00:00+00:00"]
    assert at_level(table, "machine").counts["mem_bw"].tolist() == [21, 24]


def test_the_archive_before_version_2_and_the_answer_of_the_api() -> None:
    old = job(ipc={"unit": "", "scope": "node", "timestep": 30, "series": [{"node_id": "n1", "data": [0.5, 0.75]}]})
    api = json.dumps([{"name": "ipc", "scope": "node", "metric": metric(("n1", "", [0.5, 0.75]), step=30)}]).encode()
    for content in (old, api):
        table = read(content).table
        assert isinstance(table, CounterSeries)
        assert table.counts["ipc"].tolist() == [0.5, 0.75]
        assert table.intervals["time"].tolist() == [30, 60]


def answer(*results: tuple[dict[str, str], list[tuple[float, str]]], kind: str = "matrix") -> bytes:
    found = [{"metric": labels, "values": [list(pair) for pair in values]} for labels, values in results]
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": found}}).encode()


START = 1763895600.0


def samples(*values: str) -> list[tuple[float, str]]:
    return [(START + 15 * place, value) for place, value in enumerate(values)]


def test_counters_of_prometheus_become_counts_and_gauges_stay() -> None:
    cpu = {"__name__": "node_cpu_seconds_total", "instance": "n1:9100", "job": "node", "mode": "idle"}
    gauge = {"__name__": "node_load1", "instance": "n1:9100", "job": "node"}
    result = read(answer((cpu | {"cpu": "0"}, samples("1", "4", "2", "7")), (cpu | {"cpu": "1"}, samples("5", "6", "8", "8.5"))), "r.json")
    table = result.table
    assert isinstance(table, CounterSeries)
    assert table.events == ["node_cpu_seconds_total"]
    np.testing.assert_array_equal(table.counts.iloc[:, 0], [3, np.nan, 5, 1, 2, 0.5])
    assert result.repairs["what"].tolist() == [
        "starts again: the interval is not counted",
        "cumulative counter: made counts per interval, the first value left out",
    ]
    assert table.intervals["thread"].tolist() == ["0"] * 3 + ["1"] * 3
    table = read(answer((gauge, samples("0.5", "NaN", "0.25"))), "r.json").table
    assert isinstance(table, CounterSeries)
    np.testing.assert_array_equal(table.counts["node_load1"], [0.5, np.nan, 0.25])
    assert table.applications == ["r n1"]


def test_answers_for_other_metrics_are_one_run_and_results_may_stand_alone() -> None:
    def result(name: str, *values: str) -> dict[str, object]:
        return {"metric": {"__name__": name, "instance": "n1"}, "values": samples(*values)}

    def files(*texts: str) -> list[UploadedFile]:
        return [UploadedFile(f"r_{place}.json", text.encode()) for place, text in enumerate(texts)]

    one, other = result("a", "1", "2"), result("b", "3", "4")
    together = unpack(files(json.dumps([one]), json.dumps([other]))).read().table
    assert isinstance(together, CounterSeries)
    assert together.applications == ["r n1"]
    assert together.counts.to_dict("list") == {"a": [1, 2], "b": [3, 4]}
    runs = unpack(files(json.dumps([one]), json.dumps([one]))).read().table
    assert len(runs.counts) == 4  # type: ignore[union-attr]
    lines = [json.dumps({"metric": one["metric"], "values": [5, 6], "timestamps": [1_763_625_600_000, 1_763_625_601_000]})] * 1
    exported = unpack(files("\n".join(lines))).read().table
    assert isinstance(exported, CounterSeries)
    assert exported.counts["a"].tolist() == [5, 6]
    assert exported.intervals["time"].diff().tolist()[1] == 1


def test_labels_that_differ_name_the_event() -> None:
    found = answer(*(({"__name__": "x", "mode": mode}, samples("1", "2")) for mode in ("idle", "user")))
    table = read(found, "r.json").table
    assert isinstance(table, CounterSeries)
    assert table.events == ["x mode=idle", "x mode=user"]
    assert table.intervals["time"].tolist() == [15, 30]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (answer(({"__name__": "x"}, []), kind="vector"), "resultType 'vector' must be 'matrix'"),
        (b'{"status": "error", "error": "bad", "data": {"resultType": "", "metric": 1}}', "Prometheus answered with the error 'bad'"),
        (answer(({"__name__": "x"}, samples("NaN", "NaN"))), "no value of any metric ('x')"),
        (answer(({"__name__": "x"}, samples("1", "2")))[:-9], "is not JSON"),
    ],
)
def test_an_answer_that_is_no_series_is_told(content: bytes, said: str) -> None:
    with pytest.raises(ReadError) as error:
        read_upload([UploadedFile("r.json", content)], format_key="prometheus_range")
    assert said in str(error.value)
    assert "query_range" in str(error.value)


def test_a_metric_of_a_job_without_series_is_listed() -> None:
    text = job(x={"node": metric(("n", "", [1, 2]))}, y={"node": metric(("n", "", [3, 4]))}).decode()
    at = text.rindex('"series"')
    found = read_upload([UploadedFile("data.json", (text[:at] + '"reries"' + text[at + 8 :]).encode())], format_key="cluster_cockpit")
    assert found.repairs[["column", "what"]].to_numpy().tolist() == [["y", "a metric without a list of series: left out"]]


def test_a_job_beside_another_file_is_not_a_job() -> None:
    files = [UploadedFile("data.json", job(x={"node": metric(("n", "", [1]))})), UploadedFile("other.json", b'{"a": 1}')]
    assert "cluster_cockpit" not in [match.key for match in recognise(files)]


def test_values_that_are_no_numbers_are_told() -> None:
    found = read(
        answer(({"__name__": "power", "instance": "a:1"}, samples("5", "7 W", "NaN", "9 W")), ({"__name__": "heat"}, samples("1", "2")))
    )
    assert np.isnan(found.table.counts["power"].iloc[1])
    assert found.repairs[["column", "what", "rows"]].to_numpy().tolist() == [["power", "'7 W' and the like are no numbers: not counted", 2]]
    found = read(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": "heat"}, "values": [[1763895600, "1"], [True, "2"], [1763895630, 5, "3"], [1763895645, "4"]]}
    ]}}).encode())  # fmt: skip
    assert found.repairs[["what", "rows"]].to_numpy().tolist() == [["'True' and the like are no numbers: not counted", 2]]
    assert found.table.counts["heat"].tolist() == [1, 4]


def test_places_keep_their_order_of_appearance_and_the_ends_of_their_own_intervals() -> None:
    values = [({"__name__": "load", "instance": host, "cpu": cpu}, samples(*counts)) for host, cpu, counts in (
        ("b:1", "1", ("3", "4")), ("b:1", "0", ("1", "2", "5")), ("a:1", "0", ("7", "8")))]  # fmt: skip
    table = read(answer(*values)).table
    assert table.applications == ["data b thread 1", "data b thread 0", "data a thread 0"]
    assert table.intervals["interval"].tolist() == [1, 2, 1, 2, 3, 1, 2]
    assert table.intervals["time"].tolist() == [15, 30, 15, 30, 45, 15, 30]
    assert table.counts["load"].tolist() == [3, 4, 1, 2, 5, 7, 8]
    assert not table.intervals.select_dtypes("category").columns.tolist()


def test_a_counter_that_often_stands_still_is_cumulative() -> None:
    found = read(answer(({"__name__": "reads_total"}, samples("1", "1", "1", "1", "1", "4", "4", "4", "4", "9"))))
    assert found.table.counts["reads_total"].tolist() == [0, 0, 0, 0, 3, 0, 0, 0, 5]
