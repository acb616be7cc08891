"""A column of governors, configurations or frequency settings over runs names sets of runs."""

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.subexperiments import Subexperiments


@pytest.mark.parametrize("name", ["Governor", "config", "frequency setting", "Configuration"])
@pytest.mark.parametrize("numbered", [False, True])
def test_each_text_is_a_set_of_runs(name: str, numbered: bool) -> None:
    """Runs 1 and 2 of powersave, 3 and 4 of performance."""
    counts = [("powersave", 900), ("powersave", 910), ("performance", 500), ("performance", 520)]
    head = f"{name},{'run,' * numbered}cycles\n"
    rows = "".join(f"{text},{f'{run},' * numbered}{cycles}\n" for run, (text, cycles) in enumerate(counts, start=1))
    file = UploadedFile("t.csv", (head + rows).encode())
    recipe = inspect([file]).recipe
    assert recipe is not None
    assert recipe.columns[0].role == "subexperiment"
    table = read_upload([file]).table
    assert isinstance(table, Subexperiments)
    assert (table.labels, table.sets) == (("powersave", "performance"), 2)
    assert [frame["cycles"].tolist() for frame in table.frames] == [[900, 910], [500, 520]]
