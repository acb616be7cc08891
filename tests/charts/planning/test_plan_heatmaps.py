"""The plan as a heatmap, by hand."""

from types import SimpleNamespace
from typing import Any

from hemcore.charts.planning.plan_heatmaps import plan_matrix


def test_each_column_is_a_subexperiment_and_its_filled_cells_are_its_hems() -> None:
    plan = SimpleNamespace(hems=("A", "B", "C"), n_pmcs=2, positions=((0, 1), (1, 2)), subexperiments=("AB", "BC"))
    question = SimpleNamespace(dataset="d")
    scene: Any = SimpleNamespace(result=SimpleNamespace(plan=plan), baseline=None, question=question)
    (figure,) = plan_matrix(scene)
    cells = figure.data[0]
    assert cells.x.tolist() == [1, 2]
    assert cells.z.tolist() == [[1, 0], [1, 1], [0, 1]]
    assert cells.customdata[2] == ["not read in subexperiment 1", "read in subexperiment 2"]
    assert list(figure.layout.meta["down"]["ticks"]) == ["A", "B", "C"]  # a page thins them to fit its height
