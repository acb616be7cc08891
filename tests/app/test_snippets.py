"""The Python that every page offers makes the table that it gives away, with hemcore alone."""

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hemcore.analysis import Analysis, Question
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.library import SAMPLE_PREFIX, load
from hemcore.merge import HrmParams, MuchParams
from hemcore.merge.analysis import HRM, MUCH
from hemcore.params import Params
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.web.page import Page
from hemcore.web.pages import PAGES
from tests.fresh_python import BLOCKED, FreshPython, fresh_python

pytestmark = pytest.mark.detail

ROOT = Path(__file__).resolve().parents[2]
MUCH_LABEL = "Request server, MUCH collection · sample"
HRM_LABEL = "Request server, HRM collection · sample"
OTHERS = {"dep_lvl": "0.6", "n_runs": "150", "seed": "5", "absolute": "true", "outlier_zscore": "4.0"}
WORKING = [page for page in PAGES if page.kind]


def snippet(workbench, at: AppTest) -> str:
    """The Python under Download."""
    assert not at.error
    return workbench.snippet(at)


def given_away(program: str) -> str:
    """The name that the last line of the Python gives the table."""
    return program.splitlines()[-1].partition(" = ")[0]


def assert_snippet_makes_the_table_shown(workbench, at: AppTest, folder: Path) -> None:
    program = snippet(workbench, at)
    shown = workbench.in_tab(at, "Table").dataframe[0].value
    assert len(shown) <= 1000  # the page shows no more: these merges fit whole
    script = folder / "snippet.py"
    script.write_text(program)
    pd.testing.assert_frame_equal(runpy.run_path(str(script))["merged"], shown)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "query"),
    [
        (HRM_LABEL, {}),
        (MUCH_LABEL, {}),
        (MUCH_LABEL, OTHERS),
        (MUCH_LABEL, {"method": "simulated", "n_sims": "4", "n_runs": "100"}),
        (HRM_LABEL, {"family": "MUCH", "unmeasured": "complete"}),
        (HRM_LABEL, {"family": "MUCH", "unmeasured": "drop"}),
    ],
    ids=["HRM", "MUCH", "MUCH, other parameters", "simulated", "pairs completed", "pairs dropped"],
)
def test_of_a_merge_of_a_sample(workbench, tmp_path, label, query) -> None:
    assert_snippet_makes_the_table_shown(workbench, workbench.merge(label, **query), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain.csv", "quotes \" and '\n\nimport nothing_of_this_name", "<img src=x>", "a\u2028b\\"])
@pytest.mark.parametrize("method", ["HRM", "MUCH"])
def test_of_a_merge_of_an_upload(workbench, csv_of, readings, tmp_path, method, name) -> None:
    entry = workbench.stored(("given.csv", csv_of(readings(["A", "B", "C", "it's", 'so "called"', "back\\slash"]))), name=name)
    query = {"family": method} | ({"anchor_hem": "it's"} if method == "HRM" else {"dep_lvl": "0.9"})
    assert_snippet_makes_the_table_shown(workbench, workbench.merge(entry.label, **query), tmp_path)


@pytest.mark.parametrize(
    ("analysis", "params"),
    [
        (HRM, HrmParams(anchor_hem="CYCLES")),
        (MUCH, MuchParams(n_runs=123, seed=9)),
        (SEGMENTATION, SegmentationParams(event="Dr", threshold=12.5)),
    ],
    ids=lambda each: getattr(each, "title", ""),
)
def test_names_the_dataset_and_every_parameter_that_the_answer_hangs_on(analysis, params) -> None:
    text = Question(analysis=analysis, dataset="sample-x", params=params).python()
    assert "load('sample-x')" in text
    assert [name for name in analysis.reads if f"{name}={getattr(params, name)!r}" not in text] == []


def chosen(at: AppTest, page: Page, analysis: Analysis) -> Params:
    """What the page asks: its widgets, and the defaults of what it does not ask of this dataset."""
    drawn = {name: at.session_state[page.key(name)] for name in analysis.reads if page.key(name) in at.session_state}
    # A box of several with nothing chosen, of a parameter that is a text, stands for its default.
    return analysis.params(**{name: value for name, value in drawn.items() if value != [] or getattr(analysis.params(), name) != ""})


@pytest.mark.slow
@pytest.mark.parametrize("page", WORKING, ids=lambda page: page.name)
def test_every_page_shows_the_python_of_its_question(workbench, page: Page) -> None:
    start = page.start[0]
    at = workbench.open(page.name)
    at.button(key=page.key(f"start-{start.sample}")).click()
    program = snippet(workbench, workbench.run(at))
    method = at.session_state[page.key("family")] if page.has_families else next(iter(page.methods))
    analysis = page.methods[method]
    question = Question(analysis=analysis, dataset=f"{SAMPLE_PREFIX}{start.sample}", params=chosen(at, page, analysis))
    assert program == question.python()


# What a job answers in minutes on the sample is asked of a small table by test_prediction_models.
_LONG = ("Predict", "Where the cycles go", "What-if")
AT_ONCE = [(page, method) for page in WORKING for method in list(page.methods)[: None if page.has_families else 1] if method not in _LONG]


@pytest.fixture(scope="module")
def without_the_app() -> Iterator[FreshPython]:
    with fresh_python() as forking:
        yield forking


@pytest.mark.slow
@pytest.mark.parametrize(("page", "method"), AT_ONCE, ids=[method for _, method in AT_ONCE])
def test_runs_without_the_app(workbench, data_dir, tmp_path, without_the_app, page: Page, method: str) -> None:
    """Each in a fork: test_of_an_upload has one begin in a Python of its own."""
    start = next((start for start in page.start if samples.title(start.sample).find(method) >= 0), page.start[0])
    label = f"{samples.title(start.sample)} · sample"
    family = {"family": method} if page.has_families else {}
    at = workbench.open(page.name, {"dataset": label, **{name: str(value) for name, value in start.choices.items()}, **family})
    program = snippet(workbench, at)
    table = given_away(program)
    done = without_the_app.run(f"{program}\n{table}.to_parquet('made.parquet')", data_dir, tmp_path)
    assert done.returncode == 0, done.stderr
    analysis = page.methods[method]
    wanted = analysis.table_of(analysis.of(load(f"{SAMPLE_PREFIX}{start.sample}"), chosen(at, page, analysis)))
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "made.parquet"), wanted)


@pytest.mark.slow
def test_of_an_upload_runs_in_a_python_of_its_own(workbench, csv_of, readings, data_dir, tmp_path) -> None:
    at = workbench.merge(workbench.stored(("mine.csv", csv_of(readings(["A", "B", "C"])))).label)
    done = in_a_python_of_its_own(f"{BLOCKED}{snippet(workbench, at)}\nmerged.to_parquet('made.parquet')", data_dir, tmp_path)
    assert done.returncode == 0, done.stderr
    shown = workbench.in_tab(at, "Table").dataframe[0].value
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "made.parquet"), shown)


@pytest.mark.parametrize("blocked", ["streamlit", "plotly"])
def test_what_is_blocked_cannot_be_imported(blocked, data_dir, tmp_path) -> None:
    done = in_a_python_of_its_own(f"{BLOCKED}import {blocked}", data_dir, tmp_path)
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr


def in_a_python_of_its_own(program: str, data: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"HEM_DATA_DIR": str(data), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=False)
