"""The notebooks of docs/ run as they stand, cell after cell."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def run(cell: str, names: dict[str, object]) -> object:
    """What the last expression of a cell gives, as a notebook shows it."""
    tree = ast.parse(cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if isinstance(last, ast.Expr) else None  # noqa: S307


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    shown = [run("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    answers = [each for each in shown if hasattr(each, "_repr_html_")]
    assert answers
    for each in answers:
        assert "<" in each._repr_html_()
    assert not any(cell.get("outputs") for cell in cells)


def test_there_are_four_notebooks() -> None:
    assert len(NOTEBOOKS) == 4
