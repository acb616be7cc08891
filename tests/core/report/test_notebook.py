"""The notebook: well-formed, and its code finds what the report says, with plotly and without."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from hemcore.charts.interactive import show_figure
from hemcore.datasets import load
from hemcore.report import Report, ReportItem, render_notebook
from hemcore.report.answers import answered
from tests.core.report.conftest import HOSTILE, MUCHES, hrm, much, segmentation, table_of

ROOT = Path(__file__).parents[3]


def cells_of(report: Report, **given) -> list[dict]:
    return json.loads(render_notebook(report, **given))["cells"]


def source(cell: dict) -> str:
    return "".join(cell["source"])


def run(cells: list[dict], *, blocked: tuple[str, ...]) -> str:
    """What the code cells print, in a process in which the packages `blocked` cannot be imported."""
    lines = ["import sys", *(f"sys.modules[{name!r}] = None" for name in blocked)]
    if "plotly" not in blocked:
        lines += ["import plotly.io", "plotly.io.renderers.default = ''", "import plotly.graph_objects"]
        lines += ["plotly.graph_objects.Figure.show = lambda figure: print('drawn:', figure.layout.title.text)"]
    program = "\n".join([*lines, *(source(cell) for cell in cells if cell["cell_type"] == "code")])
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_a_notebook(report):
    notebook = json.loads(render_notebook(report, table_of=table_of()))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))
    for cell in notebook["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        assert isinstance(cell["metadata"], dict)
        assert all(isinstance(line, str) for line in cell["source"])
        assert cell["cell_type"] in ("markdown", "code")
        assert ("outputs" in cell) == ("execution_count" in cell) == (cell["cell_type"] == "code")
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"


def test_words_of_anybody_are_text_and_code_stays_code(report):
    items = tuple(ReportItem(question=hrm(words[:200]), title=words, note=words, dataset_name=words, picture="pairs") for words in HOSTILE)
    cells = cells_of(Report(title=HOSTILE[0], intro=HOSTILE[1], items=items), table_of=table_of())
    for cell in cells:
        if cell["cell_type"] == "markdown":
            assert not re.search(r"&#\d+;", source(cell))
            assert not re.search(r"(?<!\\)[<$]|(?<!\\)\[(?!app)|(?<!\\|p)\]", source(cell))  # our own: hem-workbench[app]
        else:
            compile(source(cell), "cell", "exec")
    title = next(cell for cell in cells if cell["id"] == "item-8")
    assert source(title).startswith("## 8. \\# head \\*bold\\*")


def test_it_opens_with_the_author_and_ends_with_what_was_done(item):
    report = Report(title="A report", author="me & you", items=(item, ReportItem(question=much(n_runs=100), picture="ranking")))
    answers = {each.item.question.id: each for each in answered(report, table_of=table_or_sample)}
    cells = cells_of(report, table_of=table_or_sample, made=datetime(2026, 1, 31, tzinfo=UTC))
    opening = source(cells[0]).split("\n\n")
    assert opening[:2] == ["# A report", "me & you · 31 January 2026"]
    assert opening[2].startswith(answers[item.question.id].verdict.answer)
    assert source(cells[-1]).startswith("## What was done")
    assert len(re.findall(r"SHA-256 `(?:[0-9a-f]{64}|unknown)`", source(cells[-1]))) == 2


def table_or_sample(dataset: str):
    return table_of()(dataset) if dataset == "made-up" else load(dataset)


def test_a_picture_is_alive_in_a_notebook_without_nbformat(monkeypatch):
    """What a notebook is given: plotly.js with the first figure alone, then only the figures."""
    shown, shell = [], object()
    display = SimpleNamespace(display=shown.append, HTML=str)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    for _ in range(2):
        show_figure(go.Figure(go.Bar(y=[1])))
    assert [get_plotlyjs() in each for each in shown] == [True, False]
    assert all("Plotly.newPlot" in each for each in shown)


def test_outside_of_a_notebook_plotly_shows_it(monkeypatch):
    shown = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    show_figure(go.Figure())
    monkeypatch.delitem(sys.modules, "IPython")
    show_figure(go.Figure())
    assert len(shown) == 2


def test_an_item_that_fails_says_so_and_the_code_is_there(tmp_path):
    cells = cells_of(Report(items=(ReportItem(question=much("f" * 64), picture="pairs"),)), root=tmp_path)
    assert "No answer:" in source(cells[1])
    assert "load('" + "f" * 64 in source(cells[2])


@pytest.mark.slow
@pytest.mark.parametrize(
    "blocked",
    [pytest.param(("streamlit", "plotly"), id="without plotly"), pytest.param(("streamlit",), marks=pytest.mark.long, id="with plotly")],
)
def test_its_code_finds_what_the_report_says(blocked):
    items = (
        ReportItem(question=segmentation(), baseline=segmentation(threshold=24.0), picture="all_runs", title="Phases"),
        ReportItem(question=much(dep_lvl=0.95, n_runs=300), picture="margins", view={"margin_hems": ["Ir", "Dr"]}),
        ReportItem(question=hrm("sample-subexperiments-hrm"), baseline=much(MUCHES), picture="correlation"),
    )
    report = Report(items=items)
    said = run(cells_of(report), blocked=blocked)
    for each in answered(report):
        assert each.verdict.full_text in said
        for card, change in zip(each.cards, each.changes, strict=True):
            assert f"{card.label}: {card.shown}{f' ({change.text})' if change is not None else ''}" in said
        for figure in each.figures:
            assert (f"drawn: {figure.layout.title.text}" in said) == ("plotly" not in blocked)
    assert "n_change_points" not in said
    assert said.count("The picture needs plotly") == (3 if "plotly" in blocked else 0)
