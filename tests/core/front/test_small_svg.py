"""The small picture of an answer, by its coordinates: 260 wide, values from 4 (largest) to 86 (smallest)."""

import re

import numpy as np
import pandas as pd

from hemcore.front.small_svg import _colour, thumbnail


class _Result:
    achieved: object = None


def rects(svg: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, each)) for each in re.findall(r'<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"', svg)]


def test_bars_stand_on_zero() -> None:
    shown = thumbnail(_Result(), pd.DataFrame({"name": ["a", "b"], "error": [1.0, 0.5]}))
    assert rects(shown) == [(0, 4, 129, 82), (130, 45, 129, 41)]
    assert "<title>error</title>" in shown
    below = thumbnail(_Result(), pd.DataFrame({"change": [-1.0, np.nan, 1.0, 0.0]}))
    # Nothing is drawn for what is unknown.
    assert rects(below) == [(0, 45, 64, 41), (130, 4, 64, 41), (195, 45, 64, 0)]
    assert "the first 60 rows" in thumbnail(_Result(), pd.DataFrame({"x": np.ones(61)}))
    assert "the first" not in thumbnail(_Result(), pd.DataFrame({"x": np.ones(60)}))
    assert thumbnail(_Result(), pd.DataFrame({"x": [1.0]})) == thumbnail(_Result(), pd.DataFrame({"n": [1, 2]})) == ""


def test_steps_are_those_of_the_first_curve() -> None:
    table = pd.DataFrame({"event": ["A", "A", "B"], "start": [10, 20, 0], "stop": [20, 30, 99], "mean": [2.0, 3.0, 50.0]})
    shown = thumbnail(_Result(), table)
    assert 'points="0.0,86.0 130.0,86.0 130.0,4.0 260.0,4.0"' in shown
    assert "The mean of 2 segments" in shown


def test_a_matrix_is_a_heatmap_in_red_and_blue() -> None:
    result = _Result()
    result.achieved = pd.DataFrame([[1.0, -0.5], [0.0, 1.0]])
    shown = thumbnail(result, pd.DataFrame())
    assert [each[:2] for each in rects(shown)] == [(0, 0), (60, 0), (0, 60), (60, 60)]
    assert re.findall(r'fill="(#\w+)"', shown) == ["#b2182b", _colour(-0.5), "#ffffff", "#b2182b"]
    assert [_colour(value) for value in (-1, 2, -0.5, np.nan)] == ["#2166ac", "#b2182b", "#90b2d6", "#bbbbbb"]
