"""What every page has: the list of jobs, the zoom in the link, and what is said of a link until the visitor acts."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from hemcore.analysis import Question
from hemcore.jobs import known_jobs
from hemcore.jobs.job import Job
from hemcore.merge import MuchParams
from hemcore.merge.analysis import MUCH, MUCH_NOISE
from hemcore.mpx.learned.params import TrainParams
from hemcore.mpx.learned.train import TRAIN
from hemcore.web.everywhere import jobs_list
from tests.app.conftest import ROOT, TIMEOUT_S

pytestmark = pytest.mark.usefixtures("no_jobs")

SERIES = "Request server and 8 others, every event counted · sample"
PHASES = {"dataset": SERIES, "application": "sensor_control", "event": "Dr"}


def job_of(question: Question, state: str = "queued") -> Job:
    """A job that is known and never run."""
    job = Job(question.id, question.analysis.title, question)
    if state != "queued":
        job.running()
    known_jobs.know(job)
    return job


def much(dep_lvl: float) -> Question:
    return Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(dep_lvl=dep_lvl))


def corner(at) -> list[str]:
    """The labels of all boxes that can be opened."""
    found: list[str] = []

    def look(block) -> None:
        if block.type == "popover":
            found.append(block.proto.popover.label)
        for each in getattr(block, "children", {}).values():
            look(each)

    look(at.main)
    return found


def test_without_jobs_there_is_no_list(workbench) -> None:
    assert "Keys" in corner(workbench.open("home"))
    assert not {"Jobs", "1 running"} & set(corner(workbench.open("data")))


@pytest.mark.parametrize("page", ["home", "data", "merge"])
def test_jobs_are_listed_on_every_page_with_cancel_and_open(workbench, page: str) -> None:
    running, waiting, done = job_of(much(0.7), "running"), job_of(much(0.6)), job_of(much(0.5), "running")
    running.report(0.25, "one <b> of four")
    done.end("failed", error="No luck.")
    at = workbench.open(page)
    assert "1 running, 1 waiting" in corner(at)
    assert "Merge: " not in " ".join(each.value for each in at.markdown)
    at.session_state["frame-jobs"] = True
    workbench.run(at)
    said = workbench.read(" ".join(each.value for each in [*at.markdown, *at.caption]))
    assert said.count("Merge: MUCH merge") == 3
    assert "Request server, MUCH collection · dep_lvl 0.7" in said
    assert "No luck." in said
    (link, *_) = [each for each in at.get("page_link") if each.proto.label == "Open"]
    assert workbench.query_of(link) == {
        "dataset": "Request server, MUCH collection · sample",
        "family": "MUCH",
        "dep_lvl": "0.6",
    }
    at.button(key=f"frame.cancel-{running.id}").click()
    workbench.run(at)
    assert running.cancel_asked
    assert not waiting.cancel_asked
    assert "1 waiting" in corner(at)
    at.session_state["frame-jobs"] = True
    workbench.run(at)
    assert [each.key for each in at.button if str(each.key).startswith("frame.cancel")] == [f"frame.cancel-{waiting.id}"]


def test_a_part_of_an_answer_opens_the_page_of_the_whole() -> None:
    (page, name) = jobs_list._page_of(Question(analysis=MUCH_NOISE, dataset="", params=MuchParams()))
    assert (page.name, name) == ("merge", "MUCH")
    (page, _) = jobs_list._page_of(Question(analysis=TRAIN, dataset="", params=TrainParams()))
    assert page.name == "multiplexing"


def test_bundled_answers_are_no_jobs(workbench) -> None:
    known_jobs.know(bundled := Job("0" * 64, "bundled"))
    bundled.end("done")
    assert not {"Jobs"} & set(corner(workbench.open("home")))


def zoom_of(workbench, at) -> dict[str, list[float]]:
    return workbench.spec(next(each for each in workbench.pictures(at) if "segments-0" in each.proto.id))["zoom"]


def test_a_link_opens_on_its_zoom_until_something_else_is_shown(workbench) -> None:
    at = workbench.open("segmentation", {**PHASES, "zoom": "segments-0 x 10.5 20 y 0 1e5"})
    assert zoom_of(workbench, at) == {"x": [10.5, 20.0], "y": [0.0, 1e5]}
    assert not at.warning
    at.select_slider(key="segmentation.threshold").set_value(3.0)
    assert zoom_of(workbench, workbench.run(at)) == {"x": [10.5, 20.0], "y": [0.0, 1e5]}
    at.selectbox(key="segmentation.event").set_value("Bcm")
    assert zoom_of(workbench, workbench.run(at)) == {}
    assert "segmentation.zoom" not in at.query_params


def test_what_is_zoomed_is_in_the_link_and_goes_with_a_double_click(workbench) -> None:
    at = workbench.open("segmentation", PHASES)
    picture = next(each for each in workbench.pictures(at) if "segments-0" in each.proto.id)
    workbench.pick(at, picture, {"x": [153.4, 307.4]}, event="zoomed")
    assert at.query_params["segmentation.zoom"] in ("segments-0 x 153.4 307.4", ["segments-0 x 153.4 307.4"])
    assert zoom_of(workbench, at) == {"x": [153.4, 307.4]}
    workbench.pick(at, picture, {}, event="zoomed")
    assert "segmentation.zoom" not in at.query_params


@pytest.mark.parametrize(
    "text",
    [
        "segments-0",
        "segments-0 x 5",
        "segments-0 x 5 5",
        "segments-0 x nan 5",
        "segments-0 x 1 inf",
        "segments-0 z 1 2",
        "segments-0 x9 1 2",
        "segments-0 x 1 <b>",
        "segments-0" + " x 1 2" * 100,
        "other-0 x 1 2",
        "",
    ],
)
def test_a_zoom_that_does_not_fit_is_said(workbench, text: str) -> None:
    at = workbench.open("segmentation", {**PHASES, "zoom": text})
    assert zoom_of(workbench, at) == {}
    (said,) = [workbench.read(each.value) for each in at.warning]
    assert said.startswith(f"The link asks for the zoom {text[:60]!r}, which ")


def test_what_is_said_of_a_link_stays_when_a_job_draws_the_page_again(workbench, never_done) -> None:
    at = workbench.open("multiplexing", {"dataset": SERIES, "slots_per_count": "99999"})
    said = [each.value for each in at.warning]
    assert any("99999" in each for each in said)
    at.session_state["sentences:anew"] = True
    assert [each.value for each in workbench.run(at).warning] == said
    at.session_state["sentences:anew"] = True
    assert [each.value for each in workbench.run(at).warning] == said
    assert not workbench.run(at).warning


def test_a_run_that_was_cut_short_gives_the_tab_its_icon_again(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    # What it sent is dropped where the next run begins first. Without our icon the browser asks another host for that of the page.
    sent, set_page_config = [], st.set_page_config

    def record(**config: object) -> None:
        sent.append("icon" if "page_icon" in config else config["page_title"])
        set_page_config(**config)

    monkeypatch.setattr(st, "set_page_config", record)
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT_S)
    at.query_params["demo"] = "1"  # Home opens the page of the first step before it ends
    workbench.run(at)
    assert sent[:-1] == ["icon", "HEM Workbench", "icon", "Plan · HEM Workbench"]
    assert sent[-1].startswith("Plan · Request server")
    sent.clear()
    workbench.run(at)
    assert sent == []
