"""Sentences and tables under pictures, and points on logarithmic axes, of a few rows."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.compare.relation_matrices import _hover_texts, _square
from hemcore.charts.metrics import pictures as of_metrics
from hemcore.charts.metrics.doubts import sums_caption
from hemcore.charts.metrics.metric_tables import lacking_caption, lacking_table
from hemcore.charts.picture import Picture
from hemcore.charts.prediction.pictures import EXPLORING
from hemcore.charts.signatures import points
from hemcore.charts.signatures.job_timeline import _stretches
from hemcore.charts.signatures.medoids import _middle

PAIRS = pd.DataFrame(
    {"hem_a": ["A", "A"], "hem_b": ["B", "C"], "before": [0.9, 0.1], "after": [0.2, 0.15], "low": [-0.8, -0.1], "high": [-0.6, 0.2],
     "changed": [True, False]}
)  # fmt: skip


def test_pairs_as_a_square() -> None:
    square = _square(PAIRS, "before", ["C", "A"])
    np.testing.assert_array_equal(square, [[np.nan, 0.1], [0.1, np.nan]])
    texts = _hover_texts(PAIRS)
    assert texts["A", "B"] == texts["B", "A"] == "before +0.900, after +0.200<br>change -0.800 to -0.600: surely changed"
    assert texts["C", "A"].endswith("the change may be noise")


def test_what_metrics_lack() -> None:
    scene: Any = SimpleNamespace(result=SimpleNamespace(needs={"IPC": ("instructions",), "GHz": ("#SYSTEM_TSC_FREQ", "cycles")}))
    assert lacking_caption(scene).startswith("Missing: 2 events and 1 constant. # marks a constant")
    table = lacking_table(scene)
    assert table["needs"].tolist() == ["instructions", "#SYSTEM_TSC_FREQ, cycles"]
    scene.result.needs = {"IPC": ("instructions",)}
    assert lacking_caption(scene) == "Missing: 1 event."
    assert lacking_table(scene).columns.tolist() == ["metric", "needs"]


def test_sums_beyond_their_interval() -> None:
    rows = pd.DataFrame({"low": [0.1, -0.1, 0.2], "high": [0.2, 0.1, 0.3], "difference": [0.15, 0.0, 0.25], "holds": [1.0, 1.0, 0.0],
                         "left": 1.0, "right": 1.0})  # fmt: skip
    scene: Any = SimpleNamespace(result=SimpleNamespace(identities=rows))
    assert sums_caption(scene).startswith("1 interval excludes 0, of 3;")
    scene.result.identities = rows.iloc[1:]
    assert sums_caption(scene) == ""


def test_stretches_of_one_class() -> None:
    codes = np.array([0, 0, 1, 0, 2, 2])
    assert [_stretches(codes, code) for code in (0, 1, 2, 3)] == [[(0, 1), (3, 3)], [(2, 2)], [(4, 5)], []]


def test_cells_of_a_logarithmic_axis() -> None:
    # From 1 to 100 in two cells: 1 to 10, 10 to 100; the last one has its upper end.
    values = np.array([0.5, 1, 9, 11, 100, 101])
    assert points._cell(values, 1.0, 100.0, 2).tolist() == [-1, 0, 0, 1, 1, -1]
    assert points.drawable(np.array([1.0, 0, np.nan]), np.array([1.0, 1, 1])).tolist() == [True, False, False]
    found = points.density(np.array([1.0, 1.0, 100.0]), np.array([1.0, 1.0, 100.0]), (1.0, 100.0), (1.0, 100.0))
    z: Any = found["z"]
    # One row per cell upwards; two points are log10(3).
    assert z.shape == (80, 120)
    assert (z[0, 0], z[-1, -1]) == pytest.approx((np.log10(3), np.log10(2)))
    assert np.isnan(z).sum() == 80 * 120 - 2


def test_ends_of_an_axis_have_room_and_hold_what_they_shall() -> None:
    assert points.ends(np.array([2.0, 2.0, -1, np.nan])) == pytest.approx((2 / 1.6, 3.2))
    assert points.ends(np.array([2.0]), 8.0, 0.0) == pytest.approx((2 / 1.6, 8 * 1.6))
    assert points.ends(np.array([0.0])) == pytest.approx((1 / 1.6, 1.6))


def test_signatures_by_time() -> None:
    hours = points._by_time(np.array([0.0, 3600, 7200, np.nan]))
    assert hours.codes.tolist() == [0, 3, 5, 0]
    assert list(hours.names)[:2] == ["from 00:00:00 UTC", "from 00:20:00 UTC"]
    days = points._by_time(np.array([0.0, 6 * 86_400.0]))
    assert list(days.names)[1] == "from 1970-01-02 UTC"
    assert list(points._by_time(np.array([np.nan])).names) == ["time not read"]


def shown(pictures: Any, name: str, **of_scene: Any) -> bool:
    (picture,) = [each for each in pictures if isinstance(each, Picture) and each.name == name]
    scene: Any = SimpleNamespace(baseline=None, **of_scene)
    return picture.shown(scene)


@pytest.mark.parametrize(("loads", "sizes", "expected"), [(1, 1, False), (2, 1, True), (1, 2, True)])
def test_loads_and_sizes_are_compared_where_there_are_several(loads: int, sizes: int, expected: bool) -> None:
    table = SimpleNamespace(loads=("a", "b")[:loads], granularities=(10, 20)[:sizes])
    assert shown(EXPLORING, "cells", table=table) is expected


def test_pictures_of_metrics_are_shown_where_they_say_something() -> None:
    def of(pictures: Any, name: str, **result: Any) -> bool:
        return shown(pictures, name, result=SimpleNamespace(**result))

    known, unknown = pd.DataFrame({"low": [np.nan, 1.0]}), pd.DataFrame({"low": [np.nan, np.nan]})
    assert [of(of_metrics.PICTURES, "more_runs", rows=rows) for rows in (known, unknown)] == [True, False]
    trees = [None, *(SimpleNamespace(nodes=pd.DataFrame({"share": share})) for share in ([np.nan], [np.nan, 0.5]))]
    assert [of(of_metrics.PICTURES, "tree", tree=tree) for tree in trees] == [False, False, True]
    assert [of(of_metrics.PICTURES, "sums", identities=rows) for rows in ((), (1,))] == [False, True]
    assert [of(of_metrics.PICTURES, "missing", needs=needs) for needs in ({}, {"IPC": ()})] == [False, True]
    assert [of(of_metrics.OVER_TIME_PICTURES, "course", needs={"a": ()}, names=names) for names in (["a"], ["a", "b"])] == [False, True]
    rows = pd.DataFrame({"a": [np.nan], "b": [1.0]})
    assert [of(of_metrics.OF_PHASES, "phases", rows=rows, names=names) for names in (["a"], ["a", "b"])] == [False, True]


def test_an_axis_holds_the_middle_of_the_points_and_every_medoid() -> None:
    # 0 to 10 and 6% of room on both sides; one far point of a thousand is no reason for more, a medoid is.
    points_ = np.append(np.tile([0.0, 10.0], 500), 99.0)
    assert _middle(points_, np.array([5.0])) == pytest.approx([-0.6, 10.6])
    assert _middle(points_, np.array([5.0, 20.0])) == pytest.approx([-1.2, 21.2])
    assert _middle(np.ones(3), np.ones(1)) == [0, 2]
