"""Home shows each page by its own picture and verdict, leads into every page in the right state, and tells what names mean."""

import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from hemcore.datasets import load
from hemcore.datasets.shelf import samples
from hemcore.glossary import GLOSSARY
from hemcore.merge.analysis import HRM, MUCH
from hemcore.segmentation.analysis import THRESHOLDS
from hemcore.web import ask, pages, sentences
from hemcore.web.page import Page, Start
from hemcore.web.starts import previews

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [page for page in pages.PAGES if page.start and page.picture]
MADE_UP = Page(
    name="merge",  # an existing script
    title="Made up",
    icon=":material/extension:",
    answers="Does a new page appear by itself?",
    purpose="",
    start=(Start(sample="subexperiments-hrm", choices={"family": "HRM", "anchor_hem": "CYCLES"}),),
    asks=lambda: {"MUCH": MUCH, "HRM": HRM},
    picture="ranking",
)
_WAITING = "being computed"
_READY_S = 300


@pytest.fixture(autouse=True)
def previews_begun() -> None:
    """Here they are computed."""


@pytest.fixture
def none_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process in which nothing is bundled or was computed yet, and none of what the test makes stays."""
    monkeypatch.setattr(previews, "FOLDER", tmp_path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    previews._previews.clear()
    previews._made.clear()


def with_pictures(workbench) -> AppTest:
    """Home when every picture is ready, or told why not."""
    at, until = workbench.open("home"), time.monotonic() + _READY_S
    while any(_WAITING in each.value for each in at.caption):
        assert time.monotonic() < until, "the pictures were not ready in time"
        time.sleep(0.2)
        workbench.run(at)
    return at


def cards(workbench, at: AppTest) -> list:
    """The pictures of the cards; the moving one is none of them."""
    return [each for each in workbench.pictures(at) if each.key != "home.moving"]


def words_of(workbench, at: AppTest) -> str:
    return "\n".join(workbench.read(each.value) for kind in (at.markdown, at.caption, at.subheader) for each in kind)


def links_to(at: AppTest, page: Page) -> list:
    return [link for link in at.get("page_link") if link.proto.page == page.name]


def test_home_names_the_problem_and_both_ways_in(workbench) -> None:
    at = workbench.open("home")
    assert at.title[0].value == "HEM Workbench"
    assert "hardware event monitor (HEM)" in words_of(workbench, at)
    labels = [link.proto.label for link in at.get("page_link")]
    assert labels[0] == "Upload your own readings"
    assert "Start with a sample: Merge" in labels


def test_text_and_links_are_there_before_any_picture(workbench, none_ready, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "begin", lambda pages: None)
    at = workbench.open("home")
    assert all(page.answers in words_of(workbench, at) for page in SHOWN)
    assert all(links_to(at, page) for page in SHOWN)
    assert not cards(workbench, at)
    assert [each.value for each in at.caption if _WAITING in each.value] == ["The picture is being computed; you can go on."] * len(SHOWN)


@pytest.mark.long
@pytest.mark.slow
def test_every_page_with_a_start_shows_its_picture_its_verdict_and_a_link_with_its_sample(workbench) -> None:
    at = with_pictures(workbench)
    assert len(cards(workbench, at)) == len(SHOWN)
    told = words_of(workbench, at)
    for page in SHOWN:
        question = previews.question_of(page)
        table = load(question.dataset)
        assert question.analysis.verdict(question.answer(table)).answer in told
        query = workbench.query_of(links_to(at, page)[-1])
        assert {page.key(name): value for name, value in query.items()} == page.query(
            f"{samples.title(page.start[0].sample)} · sample", page.start[0].choices
        )


def plain(figure: go.Figure) -> object:
    return json.loads(plotly.io.to_json(figure, validate=False))


def near(one: object, other: object) -> bool:
    """Whether two figures are the same but for the last digits of numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        if "bdata" in one and "bdata" in other:
            first, second = (np.frombuffer(base64.b64decode(each["bdata"]), each["dtype"]) for each in (one, other))
            return first.shape == second.shape and np.allclose(first, second, rtol=1e-5, equal_nan=True)
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == pytest.approx(other, rel=1e-5)
    return one == other


@pytest.mark.slow
@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.name)
def test_a_bundled_picture_is_what_computing_gives(page: Page) -> None:
    found = previews._bundled(page)
    assert found is not None, "it is of another start: run scripts/bundle-answers previews"
    computed = previews._made(previews._key(page), _page=page)
    assert found.verdict.full_text == computed.verdict.full_text
    assert found.verdict.level == computed.verdict.level
    assert near(plain(found.figure), plain(computed.figure))


def test_every_picture_is_there_at_once(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    _forget()
    monkeypatch.setattr(previews, "_preview", lambda page: pytest.fail("it is computed"))
    assert len(cards(workbench, workbench.open("home"))) == len(SHOWN)


@pytest.mark.slow
def test_the_moving_picture_is_there_where_a_busy_computer_expects_all_to_take_long(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "_is_job", lambda question, table: True)
    assert [each.key for each in workbench.pictures(workbench.open("home")) if each.key == "home.moving"] == ["home.moving"]


def test_a_page_that_is_registered_appears_by_itself(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAGES", (*pages.PAGES, MADE_UP))
    at = with_pictures(workbench)
    assert len(cards(workbench, at)) == len(SHOWN) + 1
    told = words_of(workbench, at)
    assert MADE_UP.answers in told
    preview = previews.find(MADE_UP)
    assert preview.verdict.answer in told
    assert previews.question_of(MADE_UP).to_dict() == {
        "analysis": "merge.hrm",
        "dataset": "sample-subexperiments-hrm",
        "params": {"anchor_hem": "CYCLES"},
    }


def test_a_sample_that_takes_long_is_left_to_its_page(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "_LONGEST_S", -1.0)
    previews._made.clear()
    found = previews._preview(MADE_UP)
    previews._made.clear()
    assert (found.figure, found.verdict) == (None, None)
    assert found.reason.startswith("The sample takes about ")


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in pages.PAGES if page.start or page.name == "data"], ids=lambda page: page.name)
def test_every_link_of_home_opens_its_page_without_an_error(workbench, page: Page) -> None:
    home = workbench.open("home")
    found = {link.proto.query_string: workbench.query_of(link) for link in links_to(home, page)}
    assert found
    for query in found.values():
        at = workbench.open(page.name, {name.removeprefix(f"{page.name}."): value for name, value in query.items()})
        assert not at.error
        assert not at.warning
        assert bool(at.metric) == bool(page.start)
        if page.start:
            preview = previews.find(page)
            # The same answer, and the same icon of how far to trust it.
            (card,) = (each.value for each in home.markdown if sentences.as_text(preview.verdict.answer) in each.value)
            assert card.startswith(":material/")
            assert any(each.value.startswith(card) for each in at.markdown)


def test_the_threshold_of_the_first_segmentation_is_the_one_that_the_page_goes_to() -> None:
    question = previews.question_of(pages.page_named("segmentation"))
    found = THRESHOLDS.of(load(question.dataset), question.params)
    assert question.params.threshold == found.optimal.threshold


def test_samples_that_are_not_registered_are_a_sentence(workbench, none_ready, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_SAMPLES", {})
    at = with_pictures(workbench)
    told = [each.value for each in at.caption]
    assert sum("bundled sample is missing" in each for each in told) == len(SHOWN)
    assert all(not link.proto.query_string for link in at.get("page_link"))


def test_samples_whose_files_are_missing_are_a_sentence(workbench, none_ready, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    at = with_pictures(workbench)
    told = words_of(workbench, at)
    assert told.count("the sample file is missing") == len(SHOWN)
    assert not cards(workbench, at)


def test_one_page_that_fails_leaves_the_others_their_pictures(workbench, none_ready, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    broken = replace(MADE_UP, title="Broken", picture="there is none")
    monkeypatch.setattr(pages, "PAGES", (broken, *pages.PAGES))
    at = with_pictures(workbench)
    assert len(cards(workbench, at)) == len(SHOWN)
    assert "could not be drawn" in words_of(workbench, at)
    assert "The preview of the page merge failed" in caplog.text


def test_the_foot_says_where_uploads_live_and_that_nothing_leaves(workbench, data_dir, monkeypatch: pytest.MonkeyPatch) -> None:
    told = words_of(workbench, workbench.open("home"))
    assert f"Uploads are stored in {data_dir}" in told
    assert "Nothing leaves that machine" in told
    assert "workers of" not in told
    monkeypatch.setenv("HEM_DASK_SCHEDULER", "tcp://there:8786")
    told = words_of(workbench, workbench.open("home"))
    assert "long computations run on the workers of tcp://there:8786" in told


def open_words(workbench, word: str = "") -> Sequence[str]:
    at = workbench.open("home", {"words": "true"} | ({"word": word} if word else {}))
    return [] if not at.dataframe else list(at.dataframe[0].value["Name"])


def test_the_words_are_made_when_they_are_opened_and_searched(workbench) -> None:
    assert not workbench.open("home").dataframe
    assert open_words(workbench) == list(GLOSSARY)
    assert open_words(workbench, "l2_misses") == ["L2_MISSES", "L2_MISSES_PER_THREAD"]
    assert "anchor HEM" in open_words(workbench, "Merging anchor")
    assert open_words(workbench, "no such word") == []


@pytest.mark.slow
def test_what_stands_at_the_first_paint_imports_neither_pandas_nor_the_analyses() -> None:
    rooms = ("navigation", "home.later", "home.names_explained", "home.page_cards", "home.top")
    heavy = ("pandas", "numba", "dask", "hemcore.charts", "hemcore.analysis")
    program = f"import sys, {', '.join(f'hemcore.web.{room}' for room in rooms)}\nprint([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
