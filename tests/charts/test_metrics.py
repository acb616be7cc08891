"""The pictures of metrics: tiles where they belong, doubts in proportion, values in their unit."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.metrics.doubts import doubt_figure, doubt_table, sums_caption, sums_figure, widest
from hemcore.charts.metrics.pictures import PICTURES
from hemcore.charts.metrics.tree_tiles import _upright, tiles, tree_figure, tree_table
from hemcore.charts.picture import Scene
from hemcore.metrics import TopDown
from tests.charts.conftest import scene_of

NODES = [
    ("Front", "", 1, 0.30, 0.28, 0.33, 1.0, 0.9, False),
    ("Latency", "Front", 2, 0.20, 0.19, 0.22, 0.0, 0.1, False),
    ("Width", "Front", 2, 0.05, 0.04, 0.06, np.nan, np.nan, False),
    ("Back", "", 1, 0.60, 0.55, 0.64, 1.0, 1.0, True),
    ("Memory", "Back", 2, 0.50, 0.45, 0.52, 1.0, 1.0, True),
    ("Core", "Back", 2, 0.30, 0.28, 0.31, 0.0, 0.0, False),
    ("Unread", "Back", 2, np.nan, np.nan, np.nan, np.nan, np.nan, False),
]
COLUMNS = ["metric", "parent", "level", "share", "low", "high", "passed", "passed_share", "on_path"]
TRUTH = [0.31, 0.2, np.nan, 0.61, 0.5, 0.3, 0.1]


@pytest.fixture(scope="module")
def tree() -> TopDown:
    nodes = pd.DataFrame(NODES, columns=COLUMNS).assign(truth=np.nan, note="")
    return TopDown(nodes=nodes, path=("Back", "Memory"), sentence="Back takes most.", identities=pd.DataFrame())


@pytest.fixture
def scene() -> Scene:
    return scene_of("metrics.over_runs")


def of(scene: Scene, **changes: object) -> Scene:
    return replace(scene, result=replace(scene.result, **changes))


def test_children_lie_below_their_parent_and_never_beside_it(tree) -> None:
    placed = tiles(tree).set_index("metric")[["start", "width"]]
    expected = {
        "Front": (0.0, 0.3),
        "Latency": (0.0, 0.2),
        "Width": (0.2, 0.05),
        "Back": (0.3, 0.6),
        # 0.5 and 0.3 are more than the 0.6 of the parent: each is 3/4 as wide.
        "Memory": (0.3, 0.375),
        "Core": (0.675, 0.225),
    }
    assert list(placed.index) == list(expected)
    np.testing.assert_allclose(placed.to_numpy(), list(expected.values()))


def test_a_tile_says_its_share_its_interval_and_its_threshold(tree, scene) -> None:
    (drawn,) = tree_figure(of(scene, tree=tree))
    bars, ends = drawn.data
    assert bars.customdata[3] == "<b>Back</b><br>60.0% (55.0% to 64.0%)<br>past its threshold, which 100% of the draws pass"
    assert bars.customdata[2] == "<b>Width</b><br>5.0% (4.0% to 6.0%)"
    assert bars.text[3] == "<b>Back</b><br>60.0%"
    assert [line > 1 for line in bars.marker.line.width] == [False, False, False, True, True, False]
    assert len(set(bars.marker.color)) == 2
    np.testing.assert_allclose(ends.x[:2], [0.3, 0.2])
    np.testing.assert_allclose(ends.error_x.array[:2], [0.03, 0.02])
    np.testing.assert_allclose(ends.error_x.arrayminus[:2], [0.02, 0.01])
    assert drawn.layout.yaxis.range == pytest.approx((2.55, 0.45))


def test_a_narrow_tile_has_its_name_upright(tree, scene) -> None:
    (drawn,) = tree_figure(of(scene, tree=tree))
    rooms = {drawn.layout.annotations[place].text: room for place, room in enumerate(drawn.layout.meta["upright"])}
    # A tile of .05 has room for 6 letters, on a phone for 2: five of its label lie in the first alone. That of .6 has it in both.
    assert rooms["Width"]["tile"] == 2
    assert (rooms["Width"]["width"], rooms["Width"]["lying"]) == (pytest.approx(0.05), 5)
    assert rooms["Width"]["height"] == pytest.approx(0.76 / 2.1)
    assert "Back" not in rooms
    assert [each["text"] for each in rooms["Width"]["texts"]] == ["Width 5.0%", "Width 5.0%", "Width", "Width"]
    note = next(each for each in drawn.layout.annotations if each.text == "Width")
    assert (note.x, note.y, note.textangle, note.visible) == (pytest.approx(0.225), pytest.approx(1.56), 90, False)
    assert list(_upright("Branch mispredictions", "6.3%")) == [
        ["Branch", "mispredictions", "6.3%"], ["Branch mispredictions 6.3%"], ["Branch mispredictions"], ["Branch…"]
    ]  # fmt: skip
    assert _upright("Mispredictions", "6.3%")[-1] == ["Mispre…ctions"]


def test_the_axis_names_what_the_shares_are_of(tree, scene) -> None:
    def of_what(*formulas: str) -> str:
        rows = pd.DataFrame({"metric": ["Front", "Back", "Slots"], "formula": [*formulas, "4 * CYCLES"]})
        return tree_figure(of(scene, tree=tree, rows=rows))[0].layout.xaxis.title.text

    assert of_what("A / Slots", "(B + C) / Slots") == "share of the slots"
    assert of_what("A / CYCLES", "B / CYCLES") == "share of CYCLES"
    assert of_what("A / Slots", "B / CYCLES") == of_what("A / (B + C)", "1 - A") == "share of the whole"


def test_the_truth_is_marked_where_it_is_known(tree, scene) -> None:
    known = replace(tree, nodes=tree.nodes.assign(truth=TRUTH))
    (drawn,) = tree_figure(of(scene, tree=known))
    bars, _, marks = drawn.data
    # Where the tile would end at its true share: Front from 0, Back from 0.3, Core from 0.675.
    np.testing.assert_allclose(marks.x, [0.31, 0.2, np.nan, 0.91, 0.8, 0.975])
    assert bars.customdata[3].startswith("<b>Back</b><br>60.0% (55.0% to 64.0%)<br>truth: 61.0%<br>")
    assert "truth" not in bars.customdata[2]
    assert tree_table(of(scene, tree=known))["share_true"].to_list()[0] == 0.31  # type: ignore[index]
    assert "share_true" not in tree_table(of(scene, tree=tree))  # type: ignore[operator]


def test_without_a_tree_there_is_no_tab_of_it(scene) -> None:
    bare = of(scene, tree=None)
    assert tree_figure(bare) == []
    assert next(each.tab for each in PICTURES if each.shown(bare)) == "All metrics"


def test_the_table_of_the_tree_has_the_change_from_the_baseline(tree, scene) -> None:
    before = replace(tree, nodes=tree.nodes.assign(share=tree.nodes["share"] - 0.1))
    both = replace(of(scene, tree=tree), baseline=replace(scene.result, tree=before))
    shown = tree_table(both).set_index("metric")
    assert shown.loc["Back", "baseline"] == pytest.approx(0.5)
    assert shown.loc["Back", "change"] == pytest.approx(0.1)
    assert shown.loc["Width", "passed"] == ""


def test_the_widest_interval_is_first_and_split_as_the_variance_is(scene) -> None:
    rows = scene.result.rows.iloc[:3].assign(value=[2.0, -4.0, 0.0], low=[1.8, -5.0, 0.0], high=[2.2, -3.0, 1.0])
    parts = ["one", "two"]
    shares = pd.DataFrame(
        [(name, part, share) for name in rows["metric"] for part, share in zip(parts, (0.75, 0.25), strict=True)],
        columns=["metric", "subexperiment", "share"],
    )
    made = of(scene, rows=rows, shares=shares)
    assert widest(made.result)["half"].tolist() == pytest.approx([0.25, 0.1])
    (drawn,) = doubt_figure(made)
    assert [each.name for each in drawn.data] == parts
    np.testing.assert_allclose(drawn.data[0].x, [0.1875, 0.075])
    np.testing.assert_allclose(drawn.data[1].x, [0.0625, 0.025])
    assert doubt_table(made)["variance from two"].tolist() == [0.25, 0.25]


def test_of_many_subexperiments_those_that_matter_are_named(scene) -> None:
    rows = scene.result.rows.iloc[:2].assign(value=1.0, low=[0.9, 0.5], high=[1.1, 1.5])
    # Of the first metric, whose interval is narrow, 13 parts share alike; of the second it is from the last part alone.
    first, second = rows["metric"]
    parts = [f"part {number}" for number in range(14)]
    rows_of = [(first, part, 1 / 13 if part != "part 13" else 0.0) for part in parts]
    rows_of += [(second, part, float(part == "part 13")) for part in parts]
    shares = pd.DataFrame(rows_of, columns=["metric", "subexperiment", "share"])
    (drawn,) = doubt_figure(of(scene, rows=rows, shares=shares))
    named = [each.name for each in drawn.data]
    assert (len(named), named[-2:]) == (8, ["part 13", "the others"])
    np.testing.assert_allclose(drawn.data[-1].x, [0, 0.1 * 7 / 13])  # the widest first
    np.testing.assert_allclose(sum(np.asarray(each.x) for each in drawn.data), [0.5, 0.1])


def test_a_metric_whose_variance_has_no_known_part_is_still_drawn(scene) -> None:
    rows = scene.result.rows.iloc[:1].assign(value=2.0, low=1.0, high=3.0)
    shares = pd.DataFrame([(rows["metric"].iloc[0], "one", np.nan)], columns=["metric", "subexperiment", "share"])
    (drawn,) = doubt_figure(of(scene, rows=rows, shares=shares))
    assert drawn.data[-1].name == "all runs"
    assert list(drawn.data[-1].x) == [0.5]


def test_sums_are_relative_to_their_larger_side(scene) -> None:
    row = {"identity": "a", "left": 40.0, "right": 50.0, "difference": -10.0, "low": -15.0, "high": -5.0, "holds": 0.0}
    made = of(scene, identities=pd.DataFrame([row | {"subexperiments": "", "sentence": "a < b"}]))
    (dots,) = sums_figure(made)[0].data
    assert dots.x[0] == pytest.approx(-0.2)
    assert dots.error_x.array[0] == pytest.approx(0.1)
    assert dots.error_x.arrayminus[0] == pytest.approx(0.1)
    assert dots.marker.symbol[0] == "x"
    assert dots.customdata[0] == "a &lt; b"


def test_sums_beyond_their_interval_are_marked_and_counted_against_chance(scene) -> None:
    row = {
        "left": 40.0,
        "right": 50.0,
        "difference": -10.0,
        "low": -15.0,
        "high": -5.0,
        "holds": 1.0,
        "subexperiments": "",
        "sentence": "s",
    }
    rows = [row | {"identity": "a"}, row | {"identity": "b", "low": -25.0, "high": 5.0}]
    made = of(scene, identities=pd.DataFrame(rows))
    (dots,) = sums_figure(made)[0].data
    assert list(dots.marker.symbol) == ["diamond-open", "circle"]
    assert sums_caption(made).startswith("1 interval excludes 0, of 2; chance alone does that to 1 in 5.")
    exact = of(scene, identities=pd.DataFrame([row | {"identity": "c", "right": 40.0, "difference": 0.0, "low": 0.0, "high": 0.0}]))
    assert sums_caption(exact) == ""
    assert sums_figure(exact)[0].layout.xaxis.range == (-0.005, 0.005)  # no axis of rounding errors
    rounding = {"identity": "d", "right": 40.0, "difference": 1e-14, "low": -1e-14, "high": 0.5}
    shown = next(each for each in PICTURES if each.name == "sums").table(of(scene, identities=pd.DataFrame([row | rounding])))
    assert shown.iloc[0][["left", "difference", "low", "high"]].tolist() == ["40", "0", "0", "0.5"]


def test_the_missing_constants_say_what_they_mean(scene) -> None:
    needs = {"GHz": ("#SYSTEM_TSC_FREQ",), "both": ("#CORES_PER_SOCKET", "#SYSTEM_TSC_FREQ"), "events": ("x",)}
    shown = next(each for each in PICTURES if each.name == "missing")
    table = shown.table(of(scene, needs=needs))
    assert table["meaning"].tolist() == [
        "Frequency of the time-stamp counter, Hz",
        "Cores per socket; Frequency of the time-stamp counter, Hz",
        "",
    ]
    assert shown.caption(of(scene, needs=needs)).startswith("Missing: 1 event and 2 constants. # marks")
    assert shown.caption(of(scene, needs={"a": ("x",)})) == "Missing: 1 event."
    assert "meaning" not in shown.table(of(scene, needs={"a": ("x",)}))


def test_values_are_shown_in_their_unit(scene) -> None:
    rows = scene.result.rows.iloc[:1].assign(value=0.0815, low=0.08, high=0.083, scale=100.0, unit="%", passed=1.0)
    shown = next(each for each in PICTURES if each.name == "all").table(of(scene, rows=rows))
    assert shown.iloc[0][["value", "low", "high", "unit", "past its threshold"]].tolist() == ["8.15", "8", "8.3", "%", "yes"]
