"""Small pictures under a slider: SVG that a browser reads, in the place and the colours that they say, of any values."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.colours import GROUNDS, on_dark
from hemcore.charts.slider_pictures import slider_strip
from hemcore.charts.small import MOST_STEPS, Mark, SmallPicture, Steps
from hemcore.merge.merge_curves import dep_lvl_curves

SVG = "{http://www.w3.org/2000/svg}"


def picture(**changes: object) -> SmallPicture:
    steps = Steps(name="kept", x=[1, 10, 100], y=[4, 0], colour="#0F6E84", band=(1, 2), low=0, high=4)
    given = {
        "panels": (steps,),
        "marks": (Mark(x=10, colour="#D1495B", text="here"),),
        "ends": (1, 100),
        "text": "what is kept",
        "log": True,
    }
    return SmallPicture(**{**given, **changes})


def read(picture: SmallPicture, dark: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg(dark=dark))


def test_it_is_an_image_with_words_and_fits_its_place() -> None:
    svg = read(picture())
    assert (svg.get("role"), svg.get("aria-label"), svg.get("width")) == ("img", "what is kept", "260")
    assert [each.text for each in svg.iter(f"{SVG}text")] == ["kept", "0", "4"]


def test_steps_and_marks_stand_where_the_axis_has_them() -> None:
    svg = read(picture())
    (line,) = svg.iter(f"{SVG}polyline")
    points = [tuple(map(float, each.split(","))) for each in line.get("points", "").split()]
    (x0, high), (x1, _), (_, low), (x2, _) = points
    assert x1 - x0 == pytest.approx(x2 - x1)  # 10 is halfway from 1 to 100
    assert high < low
    here = next(each for each in svg.iter(f"{SVG}line") if each.find(f"{SVG}title") is not None)
    assert float(here.get("x1", "nan")) == pytest.approx(x1, abs=0.1)


def test_what_a_sum_leaves_of_0_is_0() -> None:
    steps = Steps(name="smallest eigenvalue", x=[0, 1, 2], y=[1.0, -2.2e-16], colour="#0F6E84")
    assert [each.text for each in read(picture(panels=(steps,), log=False)).iter(f"{SVG}text")] == ["smallest eigenvalue", "0", "1"]


def test_marks_beyond_the_ends_stay_inside() -> None:
    for x in (0.0, -5.0, 1e9):
        svg = read(picture(marks=(Mark(x=x, colour="#D1495B", text="far"),)))
        assert all(0 <= float(each.get("x1", "nan")) <= 260 for each in svg.iter(f"{SVG}line"))


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '" onload="x', "&lt;b&gt;", "a\u2028b"])
def test_names_are_text(hostile: str) -> None:
    steps = Steps(name=hostile, x=[0, 1], y=[1], colour="#0F6E84")
    svg = read(picture(panels=(steps,), marks=(Mark(x=1, colour="#0F6E84", text=hostile),), text=hostile, ends=(0, 1), log=False))
    assert {each.tag.removeprefix(SVG) for each in svg.iter()} <= {"svg", "text", "line", "title", "rect", "polyline"}
    assert hostile in [each.text for each in svg.iter(f"{SVG}text")]
    assert not any(name.startswith("on") for each in svg.iter() for name in each.attrib)


def test_on_the_dark_ground_colours_are_those_that_show_there() -> None:
    svg = picture().svg(dark=True)
    assert on_dark("#0F6E84") in svg
    assert "#0F6E84" not in svg
    assert on_dark("#0F6E84") not in GROUNDS["dark"]


def test_many_steps_are_thinned() -> None:
    n = 20_000
    many = Steps(name="many", x=np.geomspace(1, 100, n + 1).tolist(), y=list(range(n, 0, -1)), colour="#0F6E84")
    assert len(picture(panels=(many,)).svg(dark=False)) < 2 * MOST_STEPS * 20
    (line,) = read(picture(panels=(many,))).iter(f"{SVG}polyline")
    assert line.get("points", "").split()[-1].startswith("252")  # the end is the end


def test_dep_lvl_keeps_are_drawn_to_the_end() -> None:
    path = pd.DataFrame({"dep_lvl": [0.01, 0.3, 1.0], "n_kept": [1, 3, 7], "smallest_eigenvalue": [1.0, 0.4, -0.01]})
    drawn = slider_strip(dep_lvl_curves(path), 0.5, 0.85)
    assert [list(panel.y) for panel in drawn.panels] == [[1, 3, 7], [1.0, 0.4, -0.01]]
    assert [(panel.low, panel.high, panel.band) for panel in drawn.panels] == [(0, 7, None), (-0.01, 1, None)]
    assert [mark.x for mark in drawn.marks] == [0.85, 0.5]
    # The range that is allowed is one of the first answer, and stays in view.
    shaded = slider_strip(dep_lvl_curves(path), 0.5, 0.5, allowed=(2, 9))
    assert [(panel.high, panel.band) for panel in shaded.panels] == [(9, (2, 9)), (1, None)]
    assert [mark.x for mark in shaded.marks] == [0.5]
    assert drawn.text.startswith("dep_lvl 0.85 (default) → 0.5: HEMs kept 3 → 3, no change.")
    numbers = [float(each) for each in re.findall(r'[xy][12]="([-0-9.na]+)"', drawn.svg(dark=False))]
    assert numbers
    assert all(math.isfinite(number) for number in numbers)


def test_joined_points_and_their_band_lie_where_the_axes_have_them() -> None:
    # 214 px from 38 to 252 for 0 to 2; 50 px from 70 up to 20 for 0 to 10.
    around = ([2.0, 0.0, 4.0], [8.0, 5.0, 10.0])
    steps = Steps(name="n", x=[0.0, 1.0, 2.0], y=[5.0, 0.0, 10.0], colour="#0F6E84", joined=True, around=around, low=0, high=10)
    svg = SmallPicture(panels=(steps,), marks=(), ends=(0.0, 2.0), text="s", panel_height=50).svg(dark=False)
    assert 'points="38.0,45.0 145.0,70.0 252.0,20.0"' in svg
    assert '<polygon points="38.0,60.0 145.0,70.0 252.0,50.0 252.0,20.0 145.0,45.0 38.0,30.0"' in svg


def test_what_the_data_does_not_reach_is_dashed_and_a_gap_stays_one() -> None:
    steps = Steps(name="n", x=[0, 1, 2, 3, 4, 5], y=[1, 2, 3, math.nan, 4, 5], colour="#0F6E84", joined=True, known_to=1)
    svg = read(picture(panels=(steps,), ends=(0, 5), log=False))
    lines = [(len(each.get("points", "").split()), each.get("stroke-dasharray")) for each in svg.iter(f"{SVG}polyline")]
    assert lines == [(2, None), (2, "3 3"), (2, "3 3")]


def test_an_axis_of_shares_is_in_per_cent() -> None:
    steps = Steps(name="n", x=[0, 1], y=[0.25, 0.5], colour="#0F6E84", joined=True, low=0, percent=True)
    assert [each.text for each in read(picture(panels=(steps,), ends=(0, 1), log=False)).iter(f"{SVG}text")] == ["n", "0%", "50%"]


def test_one_value_alone_is_drawn() -> None:
    same = Steps(name="same", x=[1, 1], y=[3], colour="#0F6E84")
    assert "nan" not in picture(panels=(same,), ends=(1, 1), log=True).svg(dark=False)


def test_a_band_lies_between_its_two_values() -> None:
    # From 2 to 4 on an axis from 0 to 10: a fifth of the panel's 50 px, 60% down from its top at 20 px.
    steps = Steps(name="n", x=[1.0, 10.0], y=[5.0], colour="#0F6E84", band=(2.0, 4.0), low=0, high=10)
    svg = SmallPicture(panels=(steps,), marks=(), ends=(1.0, 10.0), text="s", panel_height=50).svg(dark=False)
    assert re.search(r'<rect x="38" y="50\.0" width="214" height="10\.0"', svg)
