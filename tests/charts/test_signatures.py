"""The pictures of signatures: points where they belong, regions by the rule, medoids on top, reasons in the tables; small at a million."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.picture import Picture, Scene
from hemcore.charts.point_groups import in_front
from hemcore.charts.signatures.points import facts, groups
from hemcore.charts.signatures.roofline import regions
from hemcore.charts.signatures.view import SignatureView
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.registry import pictures_of
from hemcore.signatures import SignatureParams
from hemcore.signatures.analysis import CLASSIFY, JOB, POLICIES
from hemcore.signatures.regions import roofline_limits
from tests.charts.conftest import MARKUP, MIB, escaped, names, scene_for, scene_of

ROOM = "signatures.classify"
# Peaks of 100 GB/s and 1,000 GFLOPS: a ridge point of 10 FLOP/byte, and MEMORY-bound from 75 GB/s on.
ROUND = SignatureParams(peak_gbs=100.0, peak_gflops=1000.0, strategy="roofline")
ROWS = pd.DataFrame(
    {
        "JOBID": [1, 2, 3, 4, 5],
        "JOBNAME": ["a", "a", MARKUP, "b", "b"],
        "CPI": [0.3, 1.0, 0.5, 0.6, 0.5],
        "TPI": [0.1, 3.0, 1.0, 1.0, 0.5],
        "MEM_GBS": [10.0, 80.0, 50.0, 0.0, 20.0],
        "GFLOPS": [500.0, 40.0, 25.0, 100.0, 0.0],
    }
)


def picture(name: str) -> Picture:
    return pictures_of(ROOM)[name]


def scene(frame: pd.DataFrame = ROWS, params: SignatureParams = ROUND, view: SignatureView | None = None, **more: Any) -> Scene:
    table = SignatureTable(frame=frame)
    return Scene(
        question=Question(analysis=CLASSIFY, dataset="x", params=params), table=table, result=CLASSIFY.of(table, params), view=view, **more
    )


def drawn_points(figure: Any) -> dict[int, tuple[float, float]]:
    """x and y of each row that is a point with a row to tell."""
    found = {}
    for trace in figure.data:
        if trace.type == "scattergl" and trace.customdata is not None:
            for x, y, told in zip(trace.x, trace.y, trace.customdata, strict=True):
                found[int(told[0])] = (float(x), float(y))
    return found


# The roofline.


def test_points_lie_at_their_intensity_and_those_without_a_place_are_counted() -> None:
    shown = scene()
    (figure,) = picture("roofline").draw(shown)
    assert drawn_points(figure) == {0: (50.0, 500.0), 1: (0.5, 40.0), 2: (0.5, 25.0)}
    assert "2 without memory traffic or floating point operations cannot be drawn" in picture("roofline").caption(shown)


def test_the_hover_tells_how_far_below_its_roof_a_point_is() -> None:
    (figure,) = picture("roofline").draw(scene())
    told = {int(row[0]): float(row[1]) for trace in figure.data if trace.customdata is not None for row in trace.customdata}
    assert told == pytest.approx({0: 0.5, 1: 0.8, 2: 0.5})


def test_the_roofs_meet_at_the_ridge_point() -> None:
    (figure,) = picture("roofline").draw(scene())
    roof = next(trace for trace in figure.data if trace.name == "roofs")
    assert (roof.x[1], roof.y[1]) == (10.0, 1000.0)
    assert roof.y[0] == pytest.approx(roof.x[0] * 100)
    (ridge,) = (trace for trace in figure.data if trace.text and "ridge point 10 FLOP/byte" in trace.text[0])
    assert ridge.cliponaxis is False


def test_further_roofs_are_drawn_and_an_unknown_one_is_told() -> None:
    sp = "2 x Xeon 8480+, SP at base 2.0 GHz"
    (figure,) = picture("roofline").draw(scene(view=SignatureView(roofs=(sp,))))
    roof = next(trace for trace in figure.data if trace.name == sp)
    assert roof.y[1] == 14336.0
    with pytest.raises(UnknownNameError, match="Further roofs: 'x' is not known"):
        picture("roofline").draw(scene(view=SignatureView(roofs=("x",))))


@pytest.mark.parametrize(
    ("rules", "memory_gbs", "cpu_gflops"), [("documentation", 75.0, 0.0), ("5.1", 75.0 * 112, 750.0 * 112), ("5.2", 60.0 * 112, 0.0)]
)
def test_the_lines_of_each_rule(rules, memory_gbs, cpu_gflops) -> None:
    limits = roofline_limits(ROUND.but(rules=rules))
    assert limits.ridge == 10
    assert limits.memory_gbs == pytest.approx(memory_gbs)
    assert limits.cpu_gflops == pytest.approx(cpu_gflops)


@pytest.mark.parametrize(
    ("rules", "said"),
    [("documentation", {"rule: CPU-bound", "rule: MIX", "rule: MEMORY-bound"}), ("5.2", {"rule: CPU-bound", "rule: MIX"})],
)
def test_the_words_of_the_regions_are_those_that_the_rule_can_give(rules, said) -> None:
    *_, words = regions(ROUND.but(rules=rules), (0.1, 100.0), (1.0, 2000.0))
    assert set(words["text"]) == said


def test_a_line_leads_from_the_name_over_the_roof_to_the_strip() -> None:
    (line,) = (each for each in regions(ROUND, (1e-3, 1e3), (1e-3, 1e4)) if each["mode"] == "lines+markers")
    limits, gbs = roofline_limits(ROUND), ROUND.peaks.gbs
    (begins, ends), (y, level) = line["x"], line["y"]
    assert y == level
    assert begins < y / gbs < ends < y / limits.memory_gbs  # over the roof, then between the roof and the rule's line


@pytest.mark.parametrize(("left", "place"), [(1e-3, 0.05), (0.1, 4.0)])
def test_the_name_over_the_roof_has_room_between_the_axis_and_the_ridge_point(left: float, place: float) -> None:
    *_, words = regions(ROUND, (left, 100.0), (1.0, 2000.0))
    assert dict(zip(words["text"], words["x"], strict=True))["rule: MEMORY-bound"] == pytest.approx(place)


def test_a_click_lists_the_row_and_a_box_the_rows_in_it() -> None:
    one = picture("roofline").table(scene(view=SignatureView(row=2)))
    assert one["JOBID"].tolist() == ["3"]
    assert one["why roofline"].tolist() == ["left of the ridge point, 10 FLOP/byte; MEM_GBS below 75 (0.75 of 100)"]
    box = scene(view=SignatureView(box=(0.1, 1.0, 30.0, 100.0)))
    assert picture("roofline").table(box)["JOBID"].tolist() == ["2"]
    assert "Selected: 1 job." in picture("roofline").caption(box)
    (figure,) = picture("roofline").draw(box)
    rings = next(trace for trace in figure.data if trace.name == "selected")
    assert (rings.x.tolist(), rings.y.tolist()) == ([0.5], [40.0])
    assert len(drawn_points(figure)) == 3


def test_without_a_selection_the_table_tells_each_class() -> None:
    rows = picture("roofline").table(scene()).set_index("class")
    assert rows["signatures"].to_dict() == {"CPU-bound": 2, "MEMORY-bound": 1, "MIX": 2}
    assert rows.loc["MEMORY-bound", "share of its roof"] == pytest.approx(0.8)


def test_colours_by_application_and_names_of_markup_are_text() -> None:
    (figure,) = picture("roofline").draw(scene(view=SignatureView(colour="application")))
    assert "a" in names(figure)
    assert escaped(figure)
    assert facts(scene().table).colours == ("class", "application")
    assert groups(scene().table, scene().result.classes, "user").names == ("CPU-bound", "MEMORY-bound", "MIX", "GPU")


def test_the_most_frequent_applications_have_a_colour_and_the_others_one() -> None:
    many = pd.concat([ROWS.iloc[[0]]] * 40, ignore_index=True).assign(
        JOBID=range(40), JOBNAME=[f"job {n % 10}" for n in range(39)] + ["job 3"]
    )
    shown = scene(many, view=SignatureView(colour="application"))
    found = groups(shown.table, shown.result.classes, "application")
    assert found.names[0] == "job 3"
    assert found.names[-1] == "3 others"
    assert len(found.names) == len(found.colours) == 8


def test_in_front_are_the_chosen_ones_or_all_evenly() -> None:
    every = np.ones(20_000, dtype=bool)
    few = np.zeros(20_000, dtype=bool)
    few[[5, 7]] = True
    assert in_front(every, few).tolist() == [5, 7]
    assert in_front(every, ~every).tolist() == in_front(every).tolist()
    assert len(np.unique(in_front(every))) == 5_000


@pytest.fixture(scope="module")
def a_million() -> Scene:
    random = np.random.default_rng(5)
    n = 1_000_000
    gbs, intensity = random.uniform(1, 600, n), 10 ** random.uniform(-3, 2, n)
    frame = pd.DataFrame(
        {"JOBID": np.arange(n), "CPI": random.uniform(0.2, 3, n), "TPI": random.uniform(0, 5, n), "MEM_GBS": gbs, "GFLOPS": gbs * intensity}
    )
    return scene(frame, SignatureParams(strategy="roofline"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roofline", "plane", "verdicts"])
@pytest.mark.long
def test_a_million_signatures_are_a_small_figure(a_million, name) -> None:
    for figure in picture(name).draw(a_million):
        assert len(figure.to_json()) < 2 * MIB
        assert max(len(trace.x) for trace in figure.data) <= 5_000
        assert sum(len(trace.x) for trace in figure.data if trace.type == "scattergl") <= 5_000
    assert name == "verdicts" or "density" in picture(name).caption(a_million)


# Verdicts.


def test_the_confusion_table_has_the_counts_and_a_click_its_classes() -> None:
    shown = scene_for(ROOM, picture("verdicts"))
    confusion, sizes = picture("verdicts").draw(shown)
    counts = shown.more.confusion("default", "roofline").to_numpy()
    assert [int(words.split("<br>")[0].replace(",", "")) for words in confusion.data[1].text] == counts.ravel().tolist()
    assert confusion.data[1].customdata[5] == ["MEMORY-bound", "MIX"]
    assert [trace.name for trace in sizes.data] == ["CPU-bound", "MEMORY-bound", "MIX", "GPU"]
    assert np.sum([trace.x for trace in sizes.data], axis=0) == pytest.approx(1)


def test_the_table_lists_those_that_differ_with_reasons_or_those_of_the_cell() -> None:
    shown = scene_for(ROOM, picture("verdicts"))
    differ = picture("verdicts").table(shown)
    assert len(differ) == 1_000
    assert differ[["default", "roofline", "k-medoids"]].nunique(axis=1).min() > 1
    assert differ[["why default", "why roofline", "why k-medoids"]].notna().all(axis=None)
    cell = replace(shown, view=SignatureView(one="default", other="roofline", cell=("MIX", "CPU-bound")))
    listed = picture("verdicts").table(cell)
    assert set(listed["default"]) == {"MIX"}
    assert set(listed["roofline"]) == {"CPU-bound"}
    assert f"Listed: {len(listed)} classified MIX by default and CPU-bound by roofline." in picture("verdicts").caption(cell)


def test_a_strategy_that_is_not_at_hand_is_told() -> None:
    shown = scene(view=SignatureView(one="k-medoids"))
    with pytest.raises(UnknownNameError, match="Strategy: 'k-medoids' is not at hand; there are default, roofline"):
        picture("verdicts").draw(replace(shown, more=shown.result))


# Medoids, the plane.


def test_medoids_are_marked_where_they_are_over_the_points() -> None:
    shown = scene_for(ROOM, picture("medoids"))
    metrics, pca = picture("medoids").draw(shown)
    for figure in (metrics, pca):
        assert figure.data[-1].name == "medoids"
        assert {trace.type for trace in figure.data} == {"scattergl"}
    assert metrics.data[-1].x.tolist() == shown.more.model.medoids["CPI"].tolist()
    assert pca.data[-1].y == pytest.approx(shown.more.projected_medoids[:, 1])
    assert picture("medoids").table(shown)["cluster"].tolist() == ["CPU-bound", "MEMORY-bound", "MIX"]
    assert picture("medoids").draw(replace(shown, more=None)) == []


def test_what_changes_class_from_the_baseline_is_ringed_and_counted() -> None:
    params = SignatureParams(strategy="roofline", cpu_cpi=0.4, cpu_gbs=30.0)
    shown = scene(params=params.but(cpu_cpi=0.55, cpu_gbs=60.0))
    pinned = replace(shown, baseline=CLASSIFY.of(shown.table, params), baseline_words="CPU-bound CPI 0.4 → 0.55")
    (figure,) = picture("plane").draw(pinned)
    ringed = next(trace for trace in figure.data if trace.name == "changes class")
    # Job 3 (0.5, 50) was MIX; job 5 (0.5, 20) too.
    assert sorted(ringed.x.tolist()) == [0.5, 0.5]
    assert sorted(ringed.y.tolist()) == [20.0, 50.0]
    assert "2 of 5 change class from the baseline." in picture("plane").caption(pinned)
    assert picture("plane").table(pinned).to_dict("records") == [{"before": "MIX", "now": "CPU-bound", "signatures": 2}]


# Policies, energy.

RUNS = pd.DataFrame(
    {
        "JOBID": [1, 2, 3],
        "STEPID": 0,
        "JOBNAME": "VASP",
        "USERID": ["u", "u", MARKUP],
        "POLICY": ["monitoring", "min_energy", "min_time"],
        "POLICY_TH": [0.0, 0.05, 0.7],
        "DEF_FREQ_KHZ": [2_400_000, 2_400_000, 2_000_000],
        "TIME_SEC": [100.0, 110.0, 95.0],
        "DC_NODE_POWER_W": [400.0, 300.0, 420.0],
        "CPI": 0.5,
        "TPI": 0.5,
        "MEM_GBS": 100.0,
        "GFLOPS": 200.0,
    }
)


def test_policies_are_compared_with_the_reference() -> None:
    shown = scene(RUNS, SignatureParams(strategy="roofline"))
    shown = replace(shown, more=POLICIES.of(shown.table, shown.question.params))
    assert picture("policies").shown(shown)
    (figure,) = picture("policies").draw(shown)
    places = {trace.name: (float(trace.x[0]), float(trace.y[0])) for trace in figure.data}
    assert list(places) == sorted(places)  # so that a policy keeps its color
    assert places["monitoring"] == (0.0, 0.0)
    assert places["min_energy"] == pytest.approx((0.10, -0.175))
    assert "took 10% more time than the reference; 5% was allowed" in picture("policies").caption(shown)
    assert picture("policies").table(shown)["policy"].tolist()[0] == "monitoring"


def test_energy_by_user_and_a_wrong_group_is_told() -> None:
    shown = scene(RUNS, SignatureParams(strategy="roofline"), view=SignatureView(by="user"))
    shown = replace(shown, more=POLICIES.of(shown.table, shown.question.params))
    (figure,) = picture("usage").draw(shown)
    assert escaped(figure)
    assert figure.data[0].x.sum() == pytest.approx((40_000 + 33_000 + 39_900) / 3.6e6)
    with pytest.raises(UnknownNameError, match="Use by: 'x' is not known here"):
        picture("usage").draw(replace(shown, view=SignatureView(by="x")))


def test_where_all_ran_alike_no_policies_are_shown() -> None:
    assert not picture("policies").shown(scene_of(ROOM))
    assert not picture("job").shown(scene_of(ROOM))


# A job in time.

LOOPS = pd.DataFrame(
    {
        "JOBID": 7,
        "STEPID": 0,
        "NODENAME": "n1",
        "LOOPID": [1, 2, 3, 4],
        "TIMESTAMP": [100, 110, 120, 130],
        "CPI": [0.3, 0.3, 1.5, 0.3],
        "TPI": [0.1, 0.1, 3.0, 0.1],
        "MEM_GBS": [10.0, 10.0, 500.0, 10.0],
        "GFLOPS": [500.0, 500.0, 50.0, 400.0],
        "DC_NODE_POWER_W": [300.0, 310.0, 280.0, 305.0],
    }
)


def test_loops_are_a_path_and_a_strip_with_power() -> None:
    shown = scene(LOOPS, SignatureParams())
    shown = replace(shown, more=JOB.of(shown.table, shown.question.params))
    assert picture("job").shown(shown)
    path, strip = picture("job").draw(shown)
    line = next(trace for trace in path.data if trace.name == "path on n1")
    assert line.y.tolist() == [500.0, 500.0, 50.0, 400.0]
    power = next(trace for trace in strip.data if trace.name == "power of n1")
    assert (power.x.tolist(), power.y.tolist()) == ([0.0, 10.0, 20.0, 30.0], [300.0, 310.0, 280.0, 305.0])
    cpu = next(trace for trace in strip.data if trace.name == "CPU-bound")
    # Two stretches: to 10 s, and from 20 to 30 s; the first loop's time is not known.
    assert [each for each in cpu.x.tolist() if each == each] == [0, 0, 10, 10, 0, 20, 20, 30, 30, 20]
    assert "job 7.0" in path.layout.title.text


# EAR's files.


def test_the_files_are_those_of_the_page() -> None:
    shown = scene_for(ROOM, picture("files"))
    rows = picture("files").table(replace(shown, view=SignatureView(tag="spr"))).set_index("file")["line 1"]
    assert list(rows.index) == ["roofline.spr.data", "medoids.spr.data", "extremes.spr.data"]
    assert [len(each.split()) for each in rows] == [2, 12, 8]
    assert rows.iloc[0] == "614.4 7168.0"
    per_cpu = picture("files").table(replace(shown, view=SignatureView(tag="spr", per_cpu=True))).set_index("file")["line 1"]
    assert float(per_cpu.iloc[2].split()[0]) == pytest.approx(float(rows.iloc[2].split()[0]) / 112)
    assert "change class" in picture("files").caption(shown)
    with pytest.raises(ParameterError, match="tag: '../x'"):
        picture("files").table(replace(shown, view=SignatureView(tag="../x")))


def test_without_medoids_the_roofline_alone() -> None:
    shown = replace(scene(), more=scene().result)
    assert list(picture("files").table(shown)["file"]) == ["roofline.node.data"]
    assert "only the roofline is written" in picture("files").caption(shown)
