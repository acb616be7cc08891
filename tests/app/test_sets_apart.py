"""Sets of runs of the same HEMs in one file: each becomes a dataset of its own, which Compare takes."""

import pandas as pd

from hemcore.datasets.shelf import library
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.web import shelf
from hemcore.web.compare.sets_before import has_partner, partners
from hemcore.web.data.sets_apart import are_sets


def table(*columns: str) -> Subexperiments:
    frames = tuple(pd.DataFrame({name: [1, 2, 3] for name in each.split()}) for each in columns)
    return Subexperiments(frames=frames, n_pmcs=4)


def test_subexperiments_of_the_same_hems_are_sets_and_those_of_a_plan_are_none() -> None:
    assert are_sets(table("cycles misses", "misses cycles"))
    assert not are_sets(table("cycles misses", "cycles loads"))
    assert not are_sets(table("cycles misses"))
    assert not are_sets(Subexperiments(frames=(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})), n_pmcs=1))


def test_each_set_is_kept_as_a_dataset_and_has_a_partner(workbench) -> None:
    rows = "".join(f"base,{run},{1000 + 7 * (run * 3 % 5)},{run * 5 % 7 + 50}\n" for run in range(8))
    rows += "".join(f"slow,{run},{1400 + 7 * (run * 3 % 5)},{run * 5 % 7 + 50}\n" for run in range(8))
    at = workbench.put_on_shelf(workbench.choose_files(("sweep.csv", f"config,iteration,cycles,misses\n{rows}".encode())))
    (button,) = [each for each in at.button if each.label == "Split into 2 sets to compare"]
    button.click().run()
    records = {record.name: record.id for record in workbench.records}
    assert set(records) == {"sweep.csv", "sweep.csv: base", "sweep.csv: slow"}
    slow = shelf.store().load(records["sweep.csv: slow"])
    assert has_partner(slow)
    (frame,) = slow.frames
    assert frame["cycles"].tolist()[:3] == [1400, 1421, 1407]


def test_compare_leads_to_the_split_and_takes_one_set_before_the_table_of_all(workbench) -> None:
    rows = "".join(
        f"{name},{run},{count + run * 3 % 7},{run * 5 % 7 + 50}\n"
        for name, count in (("base", 1000), ("slow", 1400), ("slower", 1800))
        for run in range(8)
    )
    at = workbench.put_on_shelf(workbench.choose_files(("sweep.csv", f"config,iteration,cycles,misses\n{rows}".encode())))
    (button,) = [each for each in at.button if each.label == "Split into 3 sets to compare"]
    button.click().run()
    entries = {entry.name: entry for entry in library.entries(shelf.store()) if not entry.bundled}
    found = [entry.name for entry in partners(entries["sweep.csv: slower"])]
    assert found.index("sweep.csv") > max(found.index("sweep.csv: base"), found.index("sweep.csv: slow"))
    whole = entries["sweep.csv"]
    at = workbench.open("compare", {"dataset": whole.label, "before": entries["sweep.csv: base"].id})
    (link,) = [each for each in at.page_link if each.label == "Split into 3 sets to compare"]
    assert workbench.query_of(link) == {"opened": whole.id} or f"data.opened={whole.id}" in link.proto.query_string
