"""What the frame meets that is not there: a store that cannot be written, work that is waited for twice or is gone, odd links."""

import io
import shutil

import pandas as pd
import pytest

from hemcore import jobs
from hemcore.analysis import Analysis, Question
from hemcore.errors import HemError, ParameterError
from hemcore.merge import MuchParams
from hemcore.merge.analysis import MUCH
from hemcore.report import ReportShelf
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTS, THRESHOLDS
from hemcore.web import ask
from hemcore.web.actions import downloads

SAMPLE = "Request server, MUCH collection · sample"
SERIES = "Request server and 8 others, every event counted · sample"
PHASES = {"dataset": SERIES, "application": "sensor_control", "event": "Dr"}


@pytest.fixture
def long_segments(monkeypatch):
    monkeypatch.setattr(Analysis, "is_long", lambda self, table, params: self is SEGMENTS)


@pytest.mark.slow
def test_the_tab_and_the_download_can_wait_for_the_same_work(workbench, never_done, long_segments) -> None:
    at = workbench.open("segmentation", {**PHASES, "view": "All runs"})
    at = workbench.open_box(at, "Download")
    assert [each.label for each in at.button].count("Cancel") == 2
    assert len(never_done[0]) == 1


def test_an_answer_stands_where_a_further_part_of_it_is_lost(workbench, never_done, long_segments, monkeypatch) -> None:
    asked = SegmentationParams(application="sensor_control", event="Dr", threshold=2.0, run=1)
    job = jobs.submit(Question(analysis=SEGMENTS, dataset="sample-series-ocoe", params=asked))
    job.end("done")

    def lost() -> object:
        raise HemError("the file of the result is gone")

    monkeypatch.setattr(job, "result", lost)
    at = workbench.open("segmentation", {**PHASES, "threshold": "2"})
    assert workbench.metrics(at)["True boundaries"] == "9 of 9"


def test_a_baseline_whose_work_failed_is_told_and_not_begun_again(workbench, never_done) -> None:
    pin = Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(n_runs=1_000_000))
    at = workbench.open("merge", {"dataset": SAMPLE, "pin": pin.link})
    assert never_done[0].count(pin.id) == 1
    never_done[1][pin.id].end("failed", error="MUCH merge: the worker ran out of memory.")
    at = workbench.run(at)
    assert "ran out of memory" in " ".join(workbench.read(each.value) for each in at.warning)
    assert never_done[0].count(pin.id) == 1


def test_a_download_of_what_is_not_at_hand_any_more_is_a_sentence(monkeypatch) -> None:
    monkeypatch.setattr(ask, "at_hand", lambda question: None)
    with pytest.raises(ParameterError, match="no longer available"):
        downloads._ready(Question(analysis=THRESHOLDS, dataset="x", params=SegmentationParams()))


@pytest.mark.parametrize("page", ["merge", "segmentation"])
def test_a_store_that_cannot_be_made_is_a_sentence(workbench, tmp_path, monkeypatch, page) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path / "file"))
    at = workbench.open(page)
    assert "Could not make the folder" in workbench.sentences(at)[0]


def test_a_link_to_a_tab_that_the_dataset_does_not_have_shows_the_first(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))))
    at = workbench.open("merge", {"dataset": entry.label, "view": "Against the truth"})
    assert at.tabs[0].label == "Merged correlation"
    assert len(workbench.pictures(at)) >= 2


def test_going_from_a_tab_to_a_dataset_without_it_shows_the_first(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))))
    at = workbench.open("merge", {"dataset": SAMPLE, "view": "Against the truth"})
    at.selectbox(key="merge.dataset").set_value(entry.label)
    at = workbench.run(at)
    assert len(workbench.pictures(at)) >= 2


def test_a_baseline_that_is_still_computed_goes_into_the_report_too(workbench, never_done, data_dir) -> None:
    pin = Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(n_runs=1_000_000))
    at = workbench.open_box(workbench.open("merge", {"dataset": SAMPLE, "pin": pin.link}), "Add to report")
    next(each for each in at.button if each.label == "Add Merged correlation").click()
    workbench.run(at)
    (entry,) = ReportShelf(data_dir).entries()
    assert ReportShelf(data_dir).load(entry.id).items[0].baseline == pin


@pytest.mark.parametrize("page", ["merge", "report"])
def test_a_store_whose_folder_went_away_is_a_sentence(workbench, data_dir, page) -> None:
    at = workbench.open(page)
    shutil.rmtree(data_dir)
    at = workbench.run(at)
    assert "Could not list" in workbench.sentences(at)[0]


def test_a_text_column_of_any_type_is_harmless_in_a_spreadsheet() -> None:
    texts = ["=1+1", "\r=1", "plain"]
    made = {"object": texts, "category": pd.Categorical(texts), "string": pd.array(texts, dtype="string")}
    read = pd.read_csv(io.BytesIO(downloads.csv_bytes(pd.DataFrame(made))))
    assert all(value.startswith("'") for name in made for value in read[name][:2])
    assert list(read["object"]) == list(read["category"]) == list(read["string"])
