"""The notebook: well-formed, and its code finds what the report says, with plotly and without."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
            assert not set(source(cell)) & set("<>[]`$\\")
        else:
            compile(source(cell), "cell", "exec")
    title = next(cell for cell in cells if cell["id"] == "item-8")
    assert source(title).startswith("## 8. &#35; head &#42;bold&#42;")


def test_an_item_that_fails_says_so_and_the_code_is_there(tmp_path):
    cells = cells_of(Report(items=(ReportItem(question=much("f" * 64), picture="pairs"),)), root=tmp_path)
    assert "No answer:" in source(cells[1])
    assert "load('" + "f" * 64 in source(cells[2])


@pytest.mark.slow
@pytest.mark.parametrize("blocked", [("streamlit", "plotly"), ("streamlit",)], ids=["without plotly", "with plotly"])
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
    assert said.count("The picture needs plotly") == (3 if "plotly" in blocked else 0)
