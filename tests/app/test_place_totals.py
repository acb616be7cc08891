"""Totals by core, as perf stat --per-core writes them: kept for Merge, where the runs are those of the machine, a socket or a core."""

import runpy

import pytest

from hemcore.web import shelf

RUNS = 6
# Core p of two sockets of two counts (p + 1) * 100,000 cycles and 1,000 more in each run, and as many misses by a hundred.
CYCLES = {core: [100_000 * (core + 1) + 1_000 * run for run in range(RUNS)] for core in range(4)}
PLACES = {
    "machine": (0, 1, 2, 3),
    "run socket 0": (0, 1),
    "run socket 1": (2, 3),
    **{f"run S{p // 2}-D0-C{p % 2}": (p,) for p in range(4)},
}


def of(place: str) -> list[int]:
    return [sum(CYCLES[core][run] for core in PLACES[place]) for run in range(RUNS)]


def run_of(number: int) -> bytes:
    """One run; each core is 40 + p degrees warm."""
    return "".join(
        f"S{p // 2}-D0-C{p % 2},1,{value},,{event},1000000000,100.00,,\n"
        for p in range(4)
        for event, value in (
            ("cycles", CYCLES[p][number]),
            ("misses", CYCLES[p][number] // 100),
            ("temp", 40 + p + 0.1 * number),
            ("faults", 0),
        )
    ).encode()


def kept(workbench):
    """The record of the runs that the button on Data keeps."""
    at = workbench.put_on_shelf(workbench.choose_files(*((f"run{number}.csv", run_of(number)) for number in range(RUNS))))
    next(each for each in at.button if each.label == "Keep as subexperiments").click().run()
    return next(record for record in workbench.records if record.kind == "Subexperiments")


def test_the_sums_of_the_cores_are_kept_for_merge(workbench) -> None:
    made = kept(workbench)
    table = shelf.store().load(made.id)
    assert made.name.endswith(": runs")
    assert table.frames[0]["cycles"].tolist() == of("machine")
    assert table.frames[0]["temp"].tolist() == pytest.approx([41.5 + 0.1 * run for run in range(RUNS)])
    assert list(table.hems) == ["cycles", "misses", "temp"]
    assert shelf.store().repairs(made.id)["column"].tolist() == ["faults"]  # which counted nothing
    assert "totals of its runs" in made.source_names[0]


@pytest.mark.usefixtures("no_jobs", "workers")
def test_the_place_is_a_choice_on_merge_part_of_the_link_and_of_the_python(workbench, tmp_path) -> None:
    made = kept(workbench)
    label = f"{made.name} · {made.id[:8]}"
    at = workbench.merge(label, family="HRM")
    level = at.selectbox(key="merge.machine_level")
    assert (level.value, list(level.options)) == ("machine", list(PLACES))
    told = "The whole machine: counts of its cores are summed. Ratios, frequencies and temperatures are averaged."
    assert any(each.value == f"{told} Choose one core to see its runs." for each in at.caption)
    for place in PLACES:
        at.selectbox(key="merge.machine_level").set_value(place)
        workbench.run(at)
        assert not at.error
        merged = workbench.in_tab(at, "Table").dataframe[0].value
        assert set(merged["cycles"]) == set(of(place))  # as many rows as asked for are drawn of them
    again = workbench.merge(label, family="HRM", machine_level="run socket 1")
    script = tmp_path / "snippet.py"
    script.write_text(workbench.snippet(again))
    frame = runpy.run_path(str(script))["table"].frames[0]
    assert frame["cycles"].tolist() == of("run socket 1")
    assert frame["temp"].tolist() == pytest.approx([42.5 + 0.1 * run for run in range(RUNS)])
