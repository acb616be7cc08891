"""The Signatures page: verdict, every tab, selections, limits against a baseline, presets, EAR's files up and down, loops, policies."""

import numpy as np
import pandas as pd
import pytest

from hemcore import jobs
from hemcore.datasets import load as load_dataset
from hemcore.datasets.shelf.library import entries
from hemcore.registry import question_from
from hemcore.signatures import THRESHOLDS
from hemcore.signatures.ear.ear_files import read_medoids
from hemcore.web import shelf

SAMPLE = "5,000 jobs' signatures (synthetic) · sample"
TABS = ["Roofline", "Verdicts", "k-medoids", "Stability", "Thresholds", "Energy", "EAR files"]
MEDOIDS = "-1 -0.5 -1 1 1 1 1 -0.5 0 0 0 0"
EXTREMES = "0.5 0.7 1.2 1.0 180 246 1254 954"


pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]


def opened(workbench, label: str = SAMPLE, **query: str):
    return workbench.open("signatures", {"dataset": label, **query})


def shown(at) -> pd.DataFrame:
    """The table of the open tab."""
    (table,) = at.dataframe
    return table.value


def ready(workbench, at):
    """The page when its jobs are done."""
    assert all(job.wait(250) for job in jobs.jobs())
    return workbench.run(at)


def first_line(at) -> str:
    return next(each.value for each in at.markdown if "-bound, " in each.value).replace("\\", "")


# What it says.


@pytest.mark.slow
def test_the_verdict_comes_first(workbench) -> None:
    at = opened(workbench)
    assert "**4,858 jobs: 27% CPU-bound, 17% MEMORY-bound, 50% MIX, 5% GPU.**" in first_line(at)
    assert workbench.metrics(at)["Counted"] == "4,858 of 5,000"
    assert workbench.tabs(at) == TABS


@pytest.mark.parametrize(
    ("strategy", "line"),
    [("roofline", "27% CPU-bound, 17% MEMORY-bound, 50% MIX, 5% GPU"), ("default", "31% CPU-bound, 45% MEMORY-bound, 19% MIX, 5% GPU")],
)
def test_whose_class_is_the_verdict_can_be_chosen(workbench, strategy: str, line: str) -> None:
    assert line in first_line(opened(workbench, strategy=strategy))


@pytest.mark.long
@pytest.mark.slow
def test_a_view_changes_no_figure(workbench) -> None:
    at = opened(workbench)
    before = first_line(at), workbench.metrics(at)
    for label in ("k-medoids", "Verdicts", "Roofline"):
        workbench.in_tab(at, label)
        ready(workbench, at)
        workbench.in_tab(at, label)
        assert (first_line(at), workbench.metrics(at)) == before, label


@pytest.mark.slow
def test_every_tab_draws_its_pictures(workbench) -> None:
    at = opened(workbench)
    drawn = {}
    for label in TABS:
        workbench.in_tab(at, label)
        ready(workbench, at)
        tab = workbench.in_tab(at, label)
        assert not at.error
        assert not at.warning
        drawn[label] = len(workbench.pictures(tab))
        assert at.dataframe or label == "Thresholds"
    assert drawn == {"Roofline": 1, "Verdicts": 2, "k-medoids": 2, "Stability": 2, "Thresholds": 1, "Energy": 1, "EAR files": 0}


# The roofline's selections.


def picture(workbench, at, label: str):
    return workbench.pictures(workbench.in_tab(at, label))[0]


def test_a_click_on_a_point_lists_its_row_until_it_is_forgotten(workbench) -> None:
    at = opened(workbench)
    workbench.pick(at, picture(workbench, at, "Roofline"), [17, 0.5, 0.3])
    assert shown(at)["JOBID"].tolist() == ["1000017"]
    at.button(key="signatures.forget-selected").click()
    workbench.run(at)
    assert shown(at)["class"].tolist() == ["CPU-bound", "MEMORY-bound", "MIX", "GPU"]


def test_a_box_lists_the_rows_in_it_and_goes_with_the_dataset(workbench) -> None:
    at = opened(workbench, drag="select")
    assert workbench.spec(picture(workbench, at, "Roofline"))["figure"]["layout"]["dragmode"] == "select"
    workbench.pick(at, picture(workbench, at, "Roofline"), {"box": [20.0, 1000.0, 4000.0, 8000.0]})
    listed = shown(at)
    assert len(listed) > 10
    assert listed["GFLOPS"].between(4000, 8000).all()
    assert listed["intensity"].between(20, 1000).all()
    at.selectbox(key="signatures.colour").set_value("user")
    workbench.run(at)
    assert len(shown(at)) == len(listed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("picked", "field", "text"),
    [({"box": [20.0, 1000.0, 4000.0, 8000.0]}, "selected", "box 20 1000 4000 8000"), ([17, 0.5, 0.3], "selected", "row 17")],
)
def test_a_link_reproduces_what_is_selected(workbench, picked, field: str, text: str) -> None:
    at = opened(workbench)
    workbench.pick(at, picture(workbench, at, "Roofline"), picked)
    assert at.query_params[f"signatures.{field}"] == text
    again = opened(workbench, **{field: text})
    pd.testing.assert_frame_equal(shown(again), shown(at))
    at.button(key="signatures.forget-selected").click()
    workbench.run(at)
    assert f"signatures.{field}" not in at.query_params


def test_a_link_reproduces_a_cell(workbench) -> None:
    at = opened(workbench)
    workbench.pick(at, picture(workbench, at, "Verdicts"), ["MIX", "CPU-bound"])
    assert at.query_params["signatures.cell"] == "MIX CPU-bound"
    assert len(shown(opened(workbench, view="Verdicts", cell="MIX CPU-bound"))) == len(shown(at)) == 120


@pytest.mark.slow
@pytest.mark.parametrize("text", ["box 1 2 3", "box a b c d", "box nan 1 1 1", "row -1", "row " + "9" * 40, "<b>x</b>", "", "x" * 10_000])
def test_a_selection_in_the_link_that_is_none_is_told(workbench, text: str) -> None:
    at = opened(workbench, selected=text)
    assert not at.error
    assert at.metric
    (said,) = (workbench.read(each.value) for each in at.warning)
    assert said.startswith("The link asks for the selection ")


def test_a_selection_goes_with_its_dataset(workbench) -> None:
    entry = workbench.stored(("vasp.csv", POLICIES.encode()))
    at = opened(workbench, selected="row 17")
    assert shown(at)["JOBID"].tolist() == ["1000017"]
    at.selectbox(key="signatures.dataset").set_value(entry.label)
    workbench.run(at)
    assert "signatures.selected" not in at.query_params


@pytest.mark.slow
def test_how_firm_the_medoids_are(workbench) -> None:
    at = ready(workbench, opened(workbench, view="Stability"))
    seeds = shown(at)
    assert seeds["seed"].tolist() == [0, 1, 2, 3, 4, 5]
    assert seeds["rand_index"].min() >= 0.95
    assert any("Other seeds find practically the same clusters" in each.value for each in at.caption)


@pytest.mark.slow
def test_the_classes_are_kept_with_their_lineage(workbench) -> None:
    at = opened(workbench)
    workbench.open_box(at, "Keep")
    at.button(key="signatures.keep").click()
    workbench.run(at)
    (record,) = workbench.records
    assert record.lineage.parent == "sample-signatures"
    assert (record.lineage.analysis, record.lineage.gives) == ("signatures.classify", "classified")
    kept = shelf.table(record.id)
    counts = kept.frame["CLASS"].value_counts()
    assert (len(kept.frame), counts["CPU-bound"]) == (4_858, 1_335)
    assert (kept.frame["CLASS"] == kept.frame["CLASS_ROOFLINE"]).all()
    # The lineage makes it again.
    question = question_from({"analysis": record.lineage.analysis, "dataset": record.lineage.parent, "params": record.lineage.params})
    table = load_dataset(question.dataset)
    again = question.analysis.keeps[0].make(question.answer(table), table)
    pd.testing.assert_frame_equal(again.frame, kept.frame, check_dtype=False)
    assert "4,858" in first_line(opened(workbench, next(each.label for each in entries(shelf.store()) if each.id == record.id)))


def test_a_click_on_a_cell_lists_its_jobs(workbench) -> None:
    at = opened(workbench)
    workbench.pick(at, picture(workbench, at, "Verdicts"), ["MIX", "CPU-bound"])
    listed = shown(at)
    assert set(listed["default"]) == {"MIX"}
    assert set(listed["roofline"]) == {"CPU-bound"}
    assert len(listed) == 120


# Limits, presets, baseline.


def test_a_limit_moved_from_the_baseline_says_what_changes_class(workbench) -> None:
    at = opened(workbench, view="Thresholds")
    at.button(key="signatures.do-pin").click()
    workbench.run(at)
    at.slider(key="signatures.mem_gbs").set_value(300.0)
    workbench.run(at)
    assert not at.dataframe  # a grid would tell its new values late
    (moved,) = [workbench.read(each.value).splitlines() for each in at.markdown if each.value.startswith("| before |")]
    assert moved[:2] == ["| before | now | signatures |", "| :--- | :--- | ---: |"]
    (row,) = moved[2:]
    before, now, counted = (each.strip() for each in row.strip("|").split("|"))
    assert (before, now) == ("MEMORY-bound", "MIX")
    n = int(counted.replace(",", ""))
    assert n > 100
    assert any(f"{n:,} of 4,858 change class" in each.value.replace("\\", "") for each in at.caption)


@pytest.mark.slow
def test_a_machine_from_the_list_fills_in_its_peaks(workbench) -> None:
    at = opened(workbench)
    assert "Machine assumed" in first_line(at)
    at.selectbox(key="signatures.processor").set_value("EPYC 9654")
    workbench.run(at)
    assert at.number_input(key="signatures.peak_gbs").value is None
    assert "Thresholds of another processor." in first_line(at)
    link = opened(workbench, processor="EPYC 9654", peak_gbs="460.8")
    assert link.number_input(key="signatures.peak_gbs").value == 460.8
    architecture = "AMD Zen 3 and Zen 4 (Milan, Genoa)"
    at.selectbox(key="signatures.architecture").set_value(architecture)
    workbench.run(at)
    assert at.slider(key="signatures.mem_cpi").value == THRESHOLDS[architecture].mem_cpi
    assert not at.error


# EAR's files.


def load(workbench, at, *files: tuple[str, bytes]):
    workbench.in_tab(at, "EAR files")
    for name, content in files:
        at.file_uploader(key="signatures.ear-files").upload(name, content)
    return workbench.run(at)


def test_the_three_files_have_the_names_that_ear_opens(workbench) -> None:
    at = opened(workbench, view="EAR files", tag="spr8480")
    files = shown(at).set_index("file")["line 1"]
    assert list(files.index) == ["roofline.spr8480.data", "medoids.spr8480.data", "extremes.spr8480.data"]
    assert np.isfinite(read_medoids(files.iloc[1]).z).all()
    assert {each.proto.label for each in at.get("download_button")} == set(files.index)


@pytest.mark.slow
def test_loaded_files_classify_and_stand_in_the_form(workbench) -> None:
    at = opened(workbench)
    load(
        workbench, at, ("medoids.epyc.data", MEDOIDS.encode()), ("extremes.epyc.data", EXTREMES.encode()),
        ("roofline.epyc.data", b"921.6 11366.4"),
    )  # fmt: skip
    assert any("Loaded for tag epyc: roofline, medoids, extremes." in workbench.read(each.value) for each in at.success)
    assert at.number_input(key="signatures.peak_gbs").value == 921.6
    assert [float(each) for each in at.text_input(key="signatures.medoids").value.split()] == [float(each) for each in MEDOIDS.split()]
    assert not at.error
    assert shown(at)["line 1"].iloc[0] == "921.6 11366.4"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("roofline.x.data", b"614.4 7168 1")], "line 1 has 3 numbers; a roofline file has 2"),
        ([("roofline.x.data", b"614,4 7168")], "line 1 has ','"),
        ([("roofline.x.data", b"-1 7168")], "the peak bandwidth is -1"),
        ([("roofline.x.data", b"0.5 7168")], "peak_gbs: 0.5 is out of bounds"),
        ([("medoids.x.data", MEDOIDS.encode())], "extremes: missing while the medoids are given"),
        ([("medoids.x.data", MEDOIDS.encode()), ("extremes.y.data", EXTREMES.encode())], "is of the tag 'y', but medoids.x.data is of 'x'"),
        ([("roofline.x.data", b"\xff\xfe\x00")], "not text"),
        ([("notes.txt", b"1 2")], "not a name that EAR reads"),
        ([("roofline.x.data", b"inf 7168")], "it must be a finite number"),
        ([("roofline.x.data", b" 1" * 100_000)], "line 1 has"),
    ],
)
def test_a_file_that_is_not_ears_is_a_sentence_and_changes_nothing(workbench, files, said: str) -> None:
    at = opened(workbench)
    load(workbench, at, *files)
    (told,) = workbench.sentences(at)
    assert said in told
    assert told.endswith((".", "?"))
    assert at.number_input(key="signatures.peak_gbs").value is None
    assert at.metric


def test_a_tag_that_cannot_be_a_files_name_is_a_sentence(workbench) -> None:
    at = opened(workbench, view="EAR files", tag="../../etc")
    (told,) = workbench.sentences(at)
    assert told.startswith("tag: '../../etc' must be letters")


def test_lines_in_the_link_that_are_none_are_a_sentence(workbench) -> None:
    at = opened(workbench, medoids="1 2 3", extremes=EXTREMES)
    (told,) = workbench.sentences(at)
    assert "line 1 has 3 numbers; a medoids file has 12" in told
    assert not at.metric


# Loops and policies of the visitor's own.

LOOPS = (
    "JOBID;STEPID;APPID;NODENAME;ITER_TIME_SEC;CPI;TPI;MEM_GBS;GFLOPS;DC_NODE_POWER_W;LOOPID;LOOP_NEST_LEVEL;LOOP_SIZE;TIMESTAMP\n"
    + "\n".join(
        f"{job};0;0;n1;1.0;{cpi};0.2;{gbs};{gflops};300.5;{number};0;1;{1_700_000_000 + 10 * number}"
        for job, count in ((7, 12), (8, 6))
        for number in range(count)
        for cpi, gbs, gflops in [(0.3, 20, 900) if number < 5 else (1.4, 520, 60)]
    )
)
POLICIES = (
    "JOB_ID;STEP_ID;APP_ID;USER_ID;POLICY;POLICY_TH;AVG.CPUFREQ;AVG.IMCFREQ;DEF.FREQ;TIME;CPI;TPI;GBS;P.MPI;"
    "DC-NODE-POWER;DRAM-POWER;PCK-POWER;CYCLES;INSTRUCTIONS;CPU-GFLOPS\n"
) + "\n".join(
    f"7;{step};vasp;ann;{policy};{limit};2400000;2400000;{khz};{seconds};0.5;80;100;5;{power};30;250;1;1;50"
    for step, (policy, limit, khz, seconds, power) in enumerate(
        [("monitoring", 0, 2_400_000, 100, 400), ("min_energy", 0.05, 2_400_000, 110, 330), ("min_time", 0.7, 2_000_000, 99, 390)]
    )
)


def test_a_job_in_time(workbench) -> None:
    entry = workbench.stored(("loops.csv", LOOPS.encode()))
    at = opened(workbench, entry.label)
    assert "Job in time" in workbench.tabs(at)
    tab = workbench.in_tab(at, "Job in time")
    assert len(workbench.pictures(tab)) == 2
    assert any("with 1 class change" in workbench.read(each.value) for each in at.caption)
    at.selectbox(key="signatures.job").set_value("8.0")
    workbench.run(at)
    assert len(shown(at)) == 6
    assert not at.error


def test_policies_of_a_table_with_older_headers(workbench) -> None:
    entry = workbench.stored(("vasp.csv", POLICIES.encode()))
    at = opened(workbench, entry.label)
    workbench.in_tab(at, "Policies")
    found = shown(at).set_index("policy")
    assert found.loc["min_energy", "time_change"] == pytest.approx(0.10)
    assert found.loc["min_energy", "over_threshold"]
    assert found["reference"].to_dict() == {"monitoring": True, "min_energy": False, "min_time": False}
    at.selectbox(key="signatures.reference_policy").set_value("min_time")
    workbench.run(at)
    assert shown(at).set_index("policy").loc["min_time", "reference"]
    assert not at.error
