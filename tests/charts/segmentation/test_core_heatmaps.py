"""Two cores over four intervals, one of them uneven."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.segmentation import core_heatmaps
from hemcore.charts.segmentation.core_heatmaps import _by_event, _over_time, cores

FOUND: Any = SimpleNamespace(
    level="core",
    places=("core 0", "core 1"),
    over_time=np.array([[1.0, 3, np.nan, 5], [0, 0, 2, np.nan]]),
    times=np.array([0.0, 0.5, 1.0, 1.5, 2.0]),  # edges
    seconds=True,
    events=pd.DataFrame({"event": ["B", "A"], "imbalance": [0.5, 0.02]}),
    relative=np.array([[0.5, 0.02], [-0.5, -0.02]]),
    params=SimpleNamespace(event="A", run=1),
    used=3,
)


@pytest.fixture(autouse=True)
def sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_heatmaps, "balance_sentence", lambda found: "uneven")


def scene(found: Any) -> Any:
    return SimpleNamespace(more=found, table=SimpleNamespace(events=["A", "B"]), question=SimpleNamespace(dataset="d"))


def test_counts_over_time_from_0_to_the_largest() -> None:
    figure = _over_time(scene(FOUND), FOUND)
    cells = figure.data[0]
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]  # the first core on top
    np.testing.assert_array_equal(cells.z, [[1, 3, np.nan, 5], [0, 0, 2, np.nan]])
    assert (cells.x.tolist(), cells.zmin, cells.zmax) == ([0, 0.5, 1, 1.5, 2], 0, 5)
    assert list(cells.customdata[1]) == ["core 1"] * 4
    assert figure.layout.xaxis.title.text == "time in the run, s"


def test_a_place_that_does_not_count_the_event_has_no_row() -> None:
    silent = np.vstack([FOUND.over_time, np.full(4, np.nan)])
    found = SimpleNamespace(**(vars(FOUND) | {"over_time": silent, "places": (*FOUND.places, "node 1")}))
    figure = _over_time(scene(found), found)
    assert len(figure.data[0].z) == 2
    assert figure.layout.yaxis.ticktext == ("core 0", "core 1")


@pytest.mark.parametrize(("event", "unit"), [("ipc", "value"), ("Power(W)", "W"), ("power_w", "W"), ("PkgWatt", "Watt")])
def test_a_ratio_or_a_power_is_not_counted(event: str, unit: str) -> None:
    ratio = SimpleNamespace(**(vars(FOUND) | {"params": SimpleNamespace(event=event, run=1)}))
    figure = _over_time(SimpleNamespace(**(vars(scene(ratio)) | {"table": SimpleNamespace(events=[event])})), ratio)
    assert f"How high is {event} on each core?" in figure.layout.title.text
    assert figure.data[0].colorbar.title.text == unit


def test_several_intervals_of_a_column_are_the_mean_of_those_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_heatmaps, "_CELLS", 4)
    cells = _over_time(scene(FOUND), FOUND).data[0]
    np.testing.assert_array_equal(cells.z, [[2, 5], [0, 2]])
    assert cells.x.tolist() == [0, 1, 2]


def test_events_by_core_on_a_scale_that_is_even_about_the_mean() -> None:
    cells = _by_event(scene(FOUND), FOUND).data[0]
    np.testing.assert_allclose(cells.z, [[0.5, 0.02], [-0.5, -0.02]], rtol=1e-6)
    assert (cells.zmin, cells.zmax) == (-0.5, 0.5)
    assert cells.customdata[1][0] == "core 1, B"
    even = SimpleNamespace(**(vars(FOUND) | {"relative": FOUND.relative / 50}))
    assert _by_event(scene(even), even).data[0].zmax == 0.05
    far = SimpleNamespace(**(vars(FOUND) | {"relative": FOUND.relative * 4}))
    assert _by_event(scene(far), far).data[0].zmax == 1


def test_nothing_is_drawn_before_it_is_known_and_one_picture_for_one_event() -> None:
    assert cores(scene(None)) == []
    assert len(cores(scene(FOUND))) == 2
    assert len(cores(scene(SimpleNamespace(**(vars(FOUND) | {"events": FOUND.events.iloc[:0]}))))) == 1


def test_the_middle_of_the_scale_has_no_sign() -> None:
    bar = cores(scene(FOUND))[1].data[0].colorbar
    assert (bar.ticktext[2], bar.tickvals[2], bar.ticktext[-1][0]) == ("0%", 0, "+")
