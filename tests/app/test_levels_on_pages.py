"""The level of the machine on Segmentation, Metrics, Multiplexing and Compare: the figures of each, worked out here, and the Python's."""

import runpy

import pytest

from hemcore.report import ReportShelf
from hemcore.web import shelf
from tests.app.test_levels_of_phases import per_core

pytestmark = [pytest.mark.usefixtures("no_jobs", "workers")]

# In an interval, core p counts (p + 1) times 100, 10 and 100 cycles and (4 - p) times 1, 2 and 3 instructions: of each place, how many
# times that.
PLACES = [
    ("machine", "cores", 10, 10),
    ("socket", "cores socket 1", 7, 3),
    ("core", "cores S1-D0-C1", 4, 1),
]


def ran(workbench, at, folder) -> dict[str, object]:
    """What the Python that the page gives away makes."""
    script = folder / "snippet.py"
    script.write_text(workbench.snippet(at))
    return runpy.run_path(str(script))


@pytest.mark.parametrize(("level", "application", "cycles", "instructions"), PLACES)
def test_segments_metrics_and_estimates_are_those_of_the_place(workbench, tmp_path, level, application, cycles, instructions) -> None:
    label = workbench.stored(("cores.csv", per_core())).label
    query = {"dataset": label, "machine_level": level}
    at = workbench.open("segmentation", query | {"application": application, "event": "cycles", "view": "Segments"})
    assert not at.error
    assert at.dataframe[0].value["mean"].tolist() == [100 * cycles, 10 * cycles, 100 * cycles]
    segments = ran(workbench, at, tmp_path)["segments"]
    assert segments["mean"].tolist() == [100 * cycles, 10 * cycles, 100 * cycles]
    # A ratio is that of the sums, and no sum of ratios.
    ipc = [1 * instructions / (100 * cycles), 2 * instructions / (10 * cycles), 3 * instructions / (100 * cycles)]
    at = workbench.open("metrics", query)
    rows = ran(workbench, at, tmp_path)["rows"]
    assert rows.loc[rows["application"] == application, "IPC"].tolist() == pytest.approx([each for each in ipc for _ in range(10)])
    at = workbench.open("multiplexing", query | {"application": application, "event": "cycles"})
    assert ran(workbench, at, tmp_path)["table"].run(application, 1).counts["cycles"].tolist()[::10] == [
        100 * cycles,
        10 * cycles,
        100 * cycles,
    ]


def totals(times: int) -> list[tuple[str, bytes]]:
    """Six runs of perf stat --per-core: core p counts (p + 1) * 100,000 cycles, 1% more and less in turn, at 40 + p degrees; core 3 so many
    `times` as much."""
    return [
        (
            f"run{run}.csv",
            "".join(
                f"S{p // 2}-D0-C{p % 2},1,{value},,{event},1000000000,100.00,,\n"
                for p in range(4)
                for event, value in (
                    ("cycles", 1_000 * (p + 1) * (101 if run % 2 else 99) * (times if p == 3 else 1)),
                    ("temp", 40 + p),
                )
            ).encode(),
        )
        for run in range(6)
    ]


@pytest.mark.parametrize(
    ("level", "among", "before", "after", "degrees"),
    [
        ("machine", "", 1_000_000, 1_400_000, 41.5),
        ("socket", "run socket 1", 700_000, 1_100_000, 42.5),
        ("core", "run S1-D0-C1", 400_000, 800_000, 43),
    ],
)
def test_a_change_is_that_of_the_place(workbench, tmp_path, level, among, before, after, degrees) -> None:
    first, then = workbench.stored(*totals(1), name="before"), workbench.stored(*totals(2), name="after")
    chosen = {"among": among} if among else {}
    at = workbench.open("compare", {"dataset": then.label, "before": first.id, "machine_level": level, **chosen})
    assert not at.error
    rows = ran(workbench, at, tmp_path)["table"].set_index("hem")
    assert rows.loc["cycles", ["before", "after"]].tolist() == [before, after]
    assert rows.loc["cycles", "change"] == pytest.approx(after / before - 1, abs=0.002)
    assert rows.loc["temp", ["before", "after"]].tolist() == [degrees, degrees]


@pytest.mark.parametrize(
    ("level", "name"), [("machine", "cores.csv, whole machine"), ("socket", "cores.csv by socket"), ("core", "cores.csv")]
)
def test_a_report_names_the_level(workbench, level, name) -> None:
    """At the finest level the series is as it was read, and its applications are the cores."""
    label = workbench.stored(("cores.csv", per_core())).label
    at = workbench.open("segmentation", {"dataset": label, "machine_level": level, "event": "cycles"})
    workbench.open_box(at, "Add to report")
    at.button(key="segmentation.report-add").click()
    workbench.run(at)
    kept = ReportShelf(shelf.store().root)
    (entry,) = kept.entries()
    assert [each.dataset_name for each in kept.load(entry.id).items] == [name]
