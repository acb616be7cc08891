"""What is large, or unpacks to it, is read by a worker: the page answers meanwhile, and a hard one ends in a sentence."""

import gzip

import pytest

from hemcore import jobs
from hemcore.datasets.readers.uploaded_files import larger_than
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.store import DatasetStore
from tests.core.jobs.patience import PATIENCE

pytestmark = pytest.mark.usefixtures("no_jobs", "workers")


@pytest.fixture
def at_once(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "larger_than", larger_than)
    monkeypatch.setattr(staged, "AT_ONCE", 1_000)


def ended(workbench, at):
    """The page after the job that it waits for."""
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    return workbench.run(at)


@pytest.mark.slow
def test_a_large_upload_is_read_by_a_worker(workbench, csv_of, readings, at_once) -> None:
    content = csv_of(readings(["A", "B", "A", "C"], runs=400))
    at = workbench.choose_files(("large.csv", content))
    assert not [each for each in at.markdown if each.value.startswith("Recognised")]
    at = ended(workbench, at)
    assert any(each.value.startswith("Recognised: **subexperiments side by side") for each in at.markdown)
    workbench.put_on_shelf(at)
    at = ended(workbench, at)
    (record,) = workbench.records
    assert (record.name, record.kind) == ("large.csv", "Subexperiments")
    assert "data.reading" not in at.query_params
    assert any("Added to your data" in each.value for each in at.toast)
    assert list((DatasetStore().root / "incoming").iterdir()) == []


def test_a_visitor_who_refreshes_finds_the_reading_again(workbench, csv_of, readings, at_once) -> None:
    at = ended(workbench, workbench.choose_files(("large.csv", csv_of(readings(["A", "B", "A", "C"], runs=400)))))
    workbench.put_on_shelf(at)
    id = at.query_params["data.reading"]
    assert jobs.find(id[0] if isinstance(id, list) else id).wait(PATIENCE)
    again = workbench.open("data", {"reading": id[0] if isinstance(id, list) else id})
    assert any("Added to your data: large" in each.value for each in again.toast)


@pytest.mark.long
def test_what_cannot_be_read_is_told_and_can_be_tried_otherwise(workbench, at_once) -> None:
    rows = b"".join(b"p%d,0,0,1\n" % number for number in range(6_000))
    at = ended(workbench, workbench.choose_files(("many.csv.gz", gzip.compress(b"application,run,interval,x\n" + rows))))
    workbench.put_on_shelf(at)
    at = ended(workbench, at)
    said = [each.value for each in (*at.error, *at.warning)]
    assert any("6,000 applications; at most 5,000 are read" in each for each in said), said
    assert workbench.records == []
    assert [each.label for each in at.button if each.label == "Add to your data"]


def test_a_damaged_archive_is_told(workbench, at_once) -> None:
    content = gzip.compress(bytes(range(256)) * 40)
    at = ended(workbench, workbench.choose_files(("cut.gz", content[: len(content) // 2] + b"x" * 2_000)))
    assert [job.state for job in jobs.jobs()] == ["done"]
    assert any("damaged gzip file" in each.value for each in (*at.error, *at.warning))


@pytest.mark.long
@pytest.mark.slow
def test_large_files_dropped_on_compare_are_read_by_a_worker(workbench, csv_of, readings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "larger_than", larger_than)
    monkeypatch.setattr(staged, "AT_ONCE", 1_000)
    at = workbench.open("compare")
    for number in (1, 2):
        at.file_uploader(key="compare.files-0").upload(f"build {number}.csv", csv_of(readings(["A", "B", "A", "C"], runs=400 + number)))
    at = workbench.run(at)
    assert "compare.reading" in at.query_params
    at = ended(workbench, at)
    assert not at.error
    assert at.selectbox(key="compare.dataset").value.startswith("build 2.csv")
    before = at.selectbox(key="compare.before")
    assert before.format_func(before.value).startswith("build 1.csv")
    assert "compare.reading" not in at.query_params


def test_the_first_previews_come_with_the_look(workbench, at_once, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "PREVIEWED_AT_ONCE", 1_000)
    at = workbench.choose_files(("large.csv", b"time,A,B\n" + b"".join(b"%d,%d,7\n" % (i, i % 5) for i in range(400))))
    assert not [each for each in at.button if each.label == "Add to your data"]
    at = ended(workbench, at)
    assert [job.kind for job in jobs.jobs()] == ["Looking into the upload"]
    assert any(each.value.startswith("The table that results: **1 application, 1 run, 400 intervals") for each in at.markdown)
    assert [each.label for each in at.button if each.label == "Add to your data"]
