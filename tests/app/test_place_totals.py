"""Totals by thread, as perf stat -A writes them: kept as runs of the whole machine, which Merge takes."""

from hemcore.web import shelf

SUMS = [sum(100_000 * (cpu + 1) + 1_000 * run for cpu in range(2)) for run in range(6)]


def run_of(number: int) -> bytes:
    rows = [(cpu, 100_000 * (cpu + 1) + 1_000 * number) for cpu in range(2)]
    text = "".join(
        f"CPU{cpu},{cycles},,cycles,1000000000,100.00,,\nCPU{cpu},{cycles // 100},,misses,1000000000,100.00,,\n"
        f"CPU{cpu},0,,faults,1000000000,100.00,,\n"
        for cpu, cycles in rows
    )
    return text.encode()


def test_the_sums_of_the_threads_are_kept_for_merge(workbench) -> None:
    files = [(f"run{number}.csv", run_of(number)) for number in range(6)]
    at = workbench.put_on_shelf(workbench.choose_files(*files))
    next(each for each in at.button if each.label == "Keep as subexperiments").click().run()
    made = next(record for record in workbench.records if record.name.endswith(": the whole machine"))
    assert made.kind == "Subexperiments"
    assert shelf.store().load(made.id).frames[0]["cycles"].tolist() == SUMS
    assert list(shelf.store().load(made.id).hems) == ["cycles", "misses"]
    assert shelf.store().repairs(made.id)["column"].tolist() == ["faults"]  # which counted nothing
    assert "totals of the whole machine" in made.source_names[0]
