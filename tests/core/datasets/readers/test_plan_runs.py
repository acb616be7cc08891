"""The runs of a plan: the folder of its script, zipped; what is damaged, foreign or too much is refused in a sentence."""

import io
import json
import zipfile

import pytest

from hemcore.datasets.readers import plan_runs
from hemcore.datasets.readers.format import SubexperimentOptions
from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.papi import papi_output
from hemcore.datasets.readers.papi.papi_output import counts_of_run
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits, expand
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ReadError
from hemcore.merge.analysis import HRM

PLAN = "HEM Workbench plan 1\nn_pmcs\t2\nruns\t3\nsubexperiment\t1\tA\tB\nsubexperiment\t2\tA\tC\n"


def run_of(*counts: object, names: tuple[str, ...] = ("A", "B")) -> str:
    lines = (f"{count};;{name};500000;100.00;;" for count, name in zip(counts, names, strict=True))
    return "# started on Mon Nov 16 09:12:01 2026\n\n" + "\n".join(lines) + "\n"


def zipped(entries: dict[str, str]) -> list[UploadedFile]:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return [UploadedFile("plan_runs.zip", held.getvalue())]


def folder(root: str = "") -> dict[str, str]:
    entries = {f"{root}plan.txt": PLAN}
    for run in (10, 2, 1):
        entries[f"{root}subexperiment_0001/run_{run:05d}.perf"] = run_of(1000 + run, 2000 + run)
        entries[f"{root}subexperiment_0002/run_{run:05d}.perf"] = run_of(3000 + run, 4000 + run, names=("A", "C"))
    return entries


@pytest.mark.parametrize("root", ["", "plan_runs/", "on/the/server/"])
def test_a_folder_is_read_run_after_run(root: str) -> None:
    files = expand(zipped(folder(root)))
    assert [file.name for file in files] == ["subexperiment_0001.perf", "subexperiment_0002.perf", "plan.txt"]
    assert recognise(files)[0].key == "plan_runs"
    table = read_upload(files).table
    assert isinstance(table, Subexperiments)
    assert table.frames[0].to_numpy().tolist() == [[1001, 2001], [1002, 2002], [1010, 2010]]
    assert list(table.frames[1].columns) == ["A", "C"]
    assert table.n_pmcs == 2


def test_the_example_is_read_as_what_it_is() -> None:
    files = [UploadedFile(name, content.encode()) for name, content in plan_runs.FORMAT.example.items()]
    assert recognise(files)[0].key == "plan_runs"
    assert read_upload(files).table.hems == ["cycles", "instructions", "branch-misses"]


def test_what_was_not_counted_leaves_its_run_out_and_is_listed() -> None:
    entries = folder()
    entries["subexperiment_0001/run_00002.perf"] = run_of("<not counted>", 2002)
    read = read_upload(expand(zipped(entries)))
    assert [len(frame) for frame in read.table.frames] == [2, 3]
    assert read.repairs["what"].str.contains("rows with a missing value").any()


def test_a_plan_half_measured_says_so() -> None:
    entries = {name: content for name, content in folder().items() if "0002/" not in name}
    read = read_upload(expand(zipped(entries)))
    assert len(read.table.frames) == 1
    assert "1 of 2 subexperiments have no run yet: '2'" in read.notes[0]


def test_events_in_another_order_are_found_by_name_and_under_other_names_by_place() -> None:
    entries = folder()
    entries["subexperiment_0001/run_00001.perf"] = run_of(2001, 1001, names=("B", "A"))
    entries["subexperiment_0001/run_00002.perf"] = run_of(1002, 2002, names=("cpu_core/a/", "cpu_core/b/"))
    assert read_upload(expand(zipped(entries))).table.frames[0].to_numpy().tolist() == [[1001, 2001], [1002, 2002], [1010, 2010]]


def test_hems_whose_mean_is_low_are_left_out_where_one_asks_for_it() -> None:
    entries = {"plan.txt": PLAN, "subexperiment_0001/run_00001.perf": run_of(1001, 50)}
    assert read_upload(expand(zipped(entries))).table.hems == ["A", "B"]
    low = read_upload(expand(zipped(entries)), options=ReadOptions(min_mean=100))
    assert (low.table.hems, low.table.not_read) == (["A"], ("B", "C"))


def test_a_thousand_runs_a_subexperiment_are_one_upload() -> None:
    entries = {"plan.txt": PLAN} | {f"subexperiment_0001/run_{run:05d}.perf": run_of(1000 + run, 2000) for run in range(1, 1_501)}
    assert len(read_upload(expand(zipped(entries))).table.frames[0]) == 1_500


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"plan.txt": "HEM Workbench plan 1\n"}, "no subexperiment."),
        ({"plan.txt": PLAN + "subexperiment\t1\tX\n"}, "subexperiment 1 appears twice"),
        ({"plan.txt": PLAN + "subexperiment\t3\tX\tX\n"}, "line 6: subexperiment 3"),
        ({"plan.txt": PLAN + "\x07bell\n"}, "is not a line of a plan"),
        ({"plan.txt": PLAN + f"subexperiment\t{10**8}\tX\n"}, "is not a line of a plan"),
        ({"plan.txt": PLAN + "n_pmcs\t99999999999\n"}, "is not a line of a plan"),
        ({"subexperiment_0009/run_00001.perf": run_of(1, 2)}, "belongs to subexperiment 9, which is not in plan.txt"),
        ({"again/subexperiment_0001/run_00001.perf": run_of(1, 2)}, "subexperiment 1 appears twice"),
        ({"subexperiment_0001/run_00001.perf": run_of(1, 2, names=("A", "Z")).replace(";Z;", ";A;")}, "but plan.txt plans"),
        ({"subexperiment_0001/run_00001.perf": run_of(1, 2, 3, names=("A", "B", "C"))}, "has 3 readings, but plan.txt plans 2"),
        ({"subexperiment_0001/run_00001.perf": run_of(1, names=("A",))}, "has 1 readings, but plan.txt plans 2"),
        ({"subexperiment_0001/run_00001.perf": "hello\n"}, "subexperiment_0001.perf: line 2"),
        ({"subexperiment_0001/run_00001.perf": "\x00\x01"}, "not a text file"),
    ],
)
def test_what_is_no_run_of_the_plan_is_refused_in_a_sentence(changed: dict[str, str], said: str) -> None:
    files = expand(zipped(folder() | changed))
    with pytest.raises(HemError) as told:
        read_upload(files, format_key="plan_runs")
    assert said in str(told.value)
    assert len(str(told.value)) < 600


def papi_run(**counts: object) -> str:
    regions = {"0": {"name": "r", "parent_region_id": "-1"} | {name: str(count) for name, count in counts.items()}}
    return json.dumps({"threads": {"0": {"regions": regions}}})


def test_runs_of_papi_are_read_run_after_run_whatever_else_it_counts() -> None:
    entries = {"plan.txt": PLAN}
    for run in (10, 2):
        entries[f"subexperiment_0001/run_{run:05d}.json"] = papi_run(B=2000 + run, cycles=1, A=1000 + run, real_time_nsec=5)
        entries[f"subexperiment_0002/run_{run:05d}.json"] = papi_run(A=3000 + run, C=4000 + run)
    files = expand(zipped(entries))
    assert [file.name for file in files] == ["subexperiment_0001.json", "subexperiment_0002.json", "plan.txt"]
    assert recognise(files)[0].key == "plan_runs"
    assert read_upload(files).table.frames[0].to_numpy().tolist() == [[1002, 2002], [1010, 2010]]


def test_a_region_within_another_is_counted_once() -> None:
    # 100 in the whole loop, 40 of them in its kernel; then 7: 107 in two regions.
    outer = {"loop": {"region_count": "1", "cycles": "100", "parent_region_id": "-1"}}
    within, after = {"kernel": {"cycles": "40", "parent_region_id": "0"}}, {"end": {"cycles": "7", "parent_region_id": "-1"}}
    text = json.dumps({"threads": [{"id": "0", "regions": [outer, within, after]}]})
    assert counts_of_run("run.json", text) == ({"cycles": 107}, 2)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[1]", "instead of an object with threads"),
        ('{"threads": {}}', "no region"),
        (papi_run(A=1), "no 'B' in it, which plan.txt plans"),
        (papi_run(A=1, B=-2), "must be a number of at least 0"),
        (papi_run(A=1, B="x"), "must be a number of at least 0"),
        (papi_run(A=1, B=2) + "hello", "is not JSON"),
        ("[" * 100_000, "nested too deep"),
        ("\x00\x01", "not a text file"),
    ],
)
def test_what_is_no_run_of_papi_is_refused_in_a_sentence(content: str, said: str) -> None:
    files = expand(zipped({"plan.txt": PLAN, "subexperiment_0001/run_00001.json": content}))
    with pytest.raises(HemError) as told:
        read_upload(files, format_key="plan_runs")
    assert said in str(told.value)
    assert "subexperiment_0001.json" in str(told.value)
    assert len(str(told.value)) < 600


def test_runs_of_perf_and_of_papi_in_one_subexperiment_are_refused() -> None:
    with pytest.raises(ReadError, match="subexperiment 1 appears twice"):
        read_upload(expand(zipped(folder() | {"subexperiment_0001/run_00001.json": papi_run(A=1, B=2)})), format_key="plan_runs")


def test_other_files_beside_the_runs_are_not_taken_for_them() -> None:
    files = expand(zipped(folder() | {"readme.md": "hello"}))
    assert "plan_runs" not in [match.key for match in recognise(files)]
    with pytest.raises(ReadError, match=r"readme.md: it is not a run of the plan"):
        read_upload(files, format_key="plan_runs")


@pytest.mark.parametrize("plans", [{}, {"a/plan.txt": PLAN, "b/plan.txt": PLAN}])
def test_no_plan_or_two_are_refused(plans: dict[str, str]) -> None:
    runs = {name: content for name, content in folder().items() if name != "plan.txt"}
    with pytest.raises(ReadError, match=r"files plan.txt that begin with"):
        read_upload(expand(zipped(runs | plans)), format_key="plan_runs")


def test_a_plan_without_runs_is_refused() -> None:
    with pytest.raises(ReadError, match="no run next to it"):
        read_upload(expand(zipped({"plan.txt": PLAN})), format_key="plan_runs")


def test_too_many_runs_and_too_many_bytes_are_refused_before_they_are_read() -> None:
    with pytest.raises(ReadError, match="6 runs of a plan; at most 5 are opened"):
        expand(zipped(folder()), UploadLimits(max_runs=5))
    bomb = {"plan.txt": PLAN, "subexperiment_0001/run_00001.perf": "0" * 5_000_000}
    with pytest.raises(ReadError, match="MiB unpacked, which is the limit"):
        expand(zipped(bomb), UploadLimits(max_bytes=2 << 20))
    other = {f"file_{number}.csv": "a,b\n1,2\n" for number in range(6)}
    with pytest.raises(ReadError, match="6 entries; at most 5 are opened"):
        expand(zipped(other), UploadLimits(max_files=5))


def test_names_that_lead_out_of_the_archive_are_refused() -> None:
    with pytest.raises(ReadError, match="points outside the archive"):
        expand(zipped(folder() | {"../subexperiment_0001/run_00004.perf": run_of(1, 2)}))


def test_a_merge_counts_the_hems_that_the_plan_names_and_reading_left_out() -> None:
    """Of cycles, instructions and branch-misses (means 810,000, 640,000 and 2,118) a bound of 10,000 keeps two, and never says "2 of 2"."""
    files = [UploadedFile(name, text.encode()) for name, text in plan_runs.FORMAT.example.items()]
    result = read_upload(files, options=SubexperimentOptions(min_mean=10_000))
    assert isinstance(result.table, Subexperiments)
    assert result.table.not_read == ("branch-misses",)
    assert result.repairs["column"].tolist() == ["branch-misses"]
    report = HRM.of(result.table, HRM.params(anchor_hem="cycles"))
    verdict = HRM.verdict(report) if HRM.verdict is not None else None
    assert verdict is not None
    assert verdict.answer.startswith("2 of 3 HEMs merged")
    assert verdict.level != "good"
    assert report.left_out["hem"].tolist()[-1] == "branch-misses"
    without = read_upload([file for file in files if "0002" not in file.name])
    assert isinstance(without.table, Subexperiments)
    assert without.table.not_read == ("branch-misses",)


def test_what_papi_computed_beside_the_counts_is_left_out_and_told() -> None:
    content = b'{"io": {"Region count": 4, "Real time in s": 0.12, "IPC": 0.8, "PAPI_TOT_CYC": 5}}'
    table, _, notes = papi_output.read([UploadedFile("papi.json", content)])
    assert table.counters == ("PAPI_TOT_CYC",)
    assert table.frame["region_count"].tolist() == [4]
    assert notes == ("Left out because PAPI computes them from the counts: Real time in s, IPC.",)
