"""Several tables in one sheet: below one another, beside one another, and under labels of runs or subexperiments."""

import pytest

from hemcore.datasets.importing.inspection import Preview, apply, inspect
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.sheets.sheet_tables import single_tables, tables_of
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import shape
from hemcore.datasets.tables.subexperiments import Subexperiments

BELOW = "Group A,,\nrun,cycles,branches\n1,10,20\n2,11,21\n,,\nGroup B,,\nrun,cycles,misses\n1,12,30\n2,13,31\n3,14,32\n"
BESIDE = "Run 1,,,,Run 2,,\ntime_s,cycles,misses,,time_s,cycles,misses\n.1,10,20,,.1,50,60\n.2,11,21,,.2,51,61\n.3,12,22,,,,\n"
LABELS = ",Group 1,,Group 2,\nrun,cycles,branches,cycles,misses\n1,10,20,12,30\n2,11,21,13,31\n3,12,22,14,32\n"


def seen(text: str) -> Preview:
    files = [UploadedFile("lab.csv", text.encode())]
    found = inspect(files)
    assert found.result is not None, found.fault
    assert found.recipe is not None
    assert shape(apply(found.recipe, files).table) == found.summary
    return found


def subexperiments(text: str) -> list[object]:
    result = seen(text).result
    assert result is not None
    assert isinstance(result.table, Subexperiments)
    return [frame.to_dict("list") for frame in result.table.frames]


def test_blocks_with_other_names_are_subexperiments_each() -> None:
    found = seen(BELOW)
    assert subexperiments(BELOW) == [{"cycles": [10, 11], "branches": [20, 21]}, {"cycles": [12, 13, 14], "misses": [30, 31, 32]}]
    assert [part.name for part in found.parts] == ["lab Group A.csv", "lab Group B.csv"]
    assert found.parts[1].header_row == 7
    assert "lab Group B.csv" in " ".join(found.repairs)


def test_groups_under_labels_share_the_run() -> None:
    groups = subexperiments(LABELS)
    assert groups == [{"cycles": [10, 11, 12], "branches": [20, 21, 22]}, {"cycles": [12, 13, 14], "misses": [30, 31, 32]}]


@pytest.mark.parametrize("text", [BESIDE, "\n".join(line.replace(",,", ",", 1) for line in BESIDE.split("\n")[1:-2]) + "\n"])
def test_tables_beside_one_another_with_equal_times_are_runs(text: str) -> None:
    result = seen(text).result
    assert result is not None
    table = result.table
    assert isinstance(table, CounterSeries)
    counts = table.counts.groupby(table.intervals["run"])["misses"].agg(list)
    assert [numbers[:2] for numbers in counts] == [[20, 21], [60, 61]]
    assert len(table.counts) == (5 if ",," in text else 4)


@pytest.mark.parametrize(
    "text",
    [
        "run,cycles\n1,10\n2,11\n,\nhost,fan\nn1,3000\nn2,3100\n",  # another subject
        "Core 0,,Core 1,\ncycles,misses,cycles,misses\n1,2,3,4\n5,6,7,8\n",  # no runs
        "t,cycles,misses,,t,loads,stores\n1,2,3,,1,4,5\n2,3,4,,2,5,6\n",  # one table whose time comes twice
        "run,cycles,misses\n1,10,20\n2,11,21\n\nrun,cycles,misses\n3,12,22\n4,13,23\n",  # the header again
        "run,cycles,misses\n1,10,20\n2,11,21\nsee,the,notes,below\nrun,loads,stores\n1,1,2\n2,3,4\n",  # a row that fits none
    ],
)
def test_what_is_one_table_or_not_certain_stays_whole(text: str) -> None:
    assert tables_of(UploadedFile("lab.csv", text.encode())) == ()


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("time,a,b|1,2,3|2,3,4||time,c|1,5|2,6", ["time,a,b 1,2,3 2,3,4", "time,c 1,5 2,6"]),
        ("time,a,b|1,2,3||time,c|1,5|2,6", []),  # one row is no table
        ("One|time,a|1,2|2,3||Two|time,a|1,5|2,6", ["time,a 1,2 2,3", "time,a 1,5 2,6"]),
        ("time,a|s,1|1,2|2,3||time,b|1,5|2,6", ["time,a s,1 1,2 2,3", "time,b 1,5 2,6"]),
        ("time,a|1,2|2,3|Total,5||time,b|1,5|2,6", ["time,a 1,2 2,3 Total,5", "time,b 1,5 2,6"]),
        ("time,a|1,x|2,y||time,b|1,5|2,6", ["time,a 1,x 2,y", "time,b 1,5 2,6"]),
        ("time,a,b|1,x,u|2,y,v||time,b|1,5|2,6", []),  # two words in a row
        ("time,a|1,2|2,3||remark,here,too|time,b|1,5|2,6", []),
        ("time,a,,time,a|1,2,,1,7|2,3,,2,8", ["time,a 1,2 2,3", "time,a 1,7 2,8"]),
        ("time,a,,time,b|1,2,,3,7|2,3,,4,8", ["time,a 1,2 2,3", "time,b 3,7 4,8"]),
        ("time,a,,date,b|1,2,,3,7|2,3,,4,8", []),
        (",Run 1,,Run 2,|time,a,b,a,b|1,2,3,7,8|2,3,4,8,9", ["time,a,b 1,2,3 2,3,4", "time,a,b 1,7,8 2,8,9"]),
    ],
)
def test_tables_by_hand(text: str, tables: list[str]) -> None:
    found = tables_of(UploadedFile("lab.csv", (text.replace("|", "\n") + "\n").encode()))
    assert [" ".join(filter(None, each.content.decode().split("\n"))) for each in found] == tables
    recipe = ImportRecipe(tables="each")
    alone = UploadedFile("one.csv", b"time,a\n1,2\n2,3\n")
    names = [each.name for each in single_tables([UploadedFile("lab.csv", BELOW.encode()), alone], recipe)]
    assert names == ["lab Group A.csv", "lab Group B.csv", "one.csv"]


def test_a_label_beyond_the_last_name_tells_no_tables_apart() -> None:
    text = ",Run 1,,Run 2,,Run 3\ntime,a,b,a,b\n" + "".join(f"{row},1,2,3,{row % 3}\n" for row in range(6))
    assert tables_of(UploadedFile("a.csv", text.encode())) == ()
