"""Phases in CSV: whose they are, which columns are counters, and what is wrong with a file by row and column."""

import numpy as np
import pytest

from hemcore.datasets.readers.format import NoOptions, PhaseOptions, ReadOptions, SubexperimentOptions, options_key
from hemcore.datasets.readers.phases import wide
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ReadError, TableError

PHASES = (
    b"Program,Granularity,Load,Phase,domain,CYCLES,Ir,net\n"
    b"q,1000,single core,0,a,9,6,-1\nq,1000,single core,1,a,,7,2\nr,1000,single core,0,b,8,5,3\n"
)


def sent(content: bytes, name: str = "f.csv") -> list[UploadedFile]:
    return [UploadedFile(name, content)]


def test_the_columns_say_whose_phases_they_are() -> None:
    table, repairs, notes = wide.read(sent(PHASES))
    assert table.counters == ("CYCLES", "Ir")
    assert table.programs == ["q", "r"]
    assert table.granularities == [1000]
    assert table.frame["phase"].tolist() == [0, 1, 0]
    assert np.isnan(table.frame["CYCLES"][1])
    assert table.frame["domain"].tolist() == ["a", "a", "b"]
    assert repairs.empty
    assert notes == ("f.csv: column 'net' has values below 0, so it is not a counter.",)


def test_it_is_recognised_before_a_series() -> None:
    assert next(match.key for match in recognise(sent(PHASES))) == "phases_wide"
    assert next(match.key for match in recognise(sent(b"time,program,phase,cycles\n0,a,init,5\n1,a,run,6\n"))) == "series_wide"
    assert wide.recognise(sent(b"time,cycles\n0,5\n")) == (0.0, "")


def test_the_counters_can_be_chosen() -> None:
    result = read_upload(sent(PHASES), format_key="phases_wide", options=ReadOptions(counters="Ir"))
    assert isinstance(result.table, PhaseTable)
    assert result.table.counters == ("Ir",)
    assert "CYCLES" in result.table.frame
    with pytest.raises(ReadError, match="f.csv: counters: 'Dr' is not a column"):
        wide.read(sent(PHASES), PhaseOptions(counters="Ir; Dr"))
    with pytest.raises(TableError, match="'net', row 1: -1 must be at least 0"):
        wide.read(sent(PHASES), PhaseOptions(counters="net"))


def test_options_at_their_defaults_keep_the_ids_of_stored_datasets() -> None:
    for options in (ReadOptions(), PhaseOptions(), SubexperimentOptions(), NoOptions()):
        assert options_key(options) == '{"n_pmcs":null,"min_mean":0.0}'
    for chosen in (ReadOptions(counters="Ir"), PhaseOptions(counters="Ir")):
        assert options_key(chosen) == '{"n_pmcs":null,"min_mean":0.0,"counters":"Ir"}'
    for other in (ReadOptions(n_pmcs=4, min_mean=1e15), SubexperimentOptions(n_pmcs=4, min_mean=1e15)):
        assert options_key(other) == '{"n_pmcs":4,"min_mean":1000000000000000.0}'


def test_what_is_not_said_is_named_after_the_file() -> None:
    table, _, _ = wide.read(sent(b"a,b\n1,2\n3,4\n", "queens.csv"))
    assert table.frame[["program", "granularity", "load", "phase"]].to_numpy().tolist() == [
        ["queens", "phase", "as read", 0],
        ["queens", "phase", "as read", 1],
    ]


def test_several_files_are_one_table() -> None:
    table, _, _ = wide.read([UploadedFile("a.csv", b"Ir,Dr\n1,2\n"), UploadedFile("b.csv", b"Ir,Dw\n3,4\n")])
    assert table.programs == ["a", "b"]
    assert table.counters == ("Ir", "Dr", "Dw")
    assert np.isnan(table.frame["Dr"][1])


def test_a_column_of_nothing_is_left_out_and_listed() -> None:
    table, repairs, _ = wide.read(sent(b"program,load,a,b\np,x,1,\np,x,2,<not counted>\n"))
    assert table.counters == ("a",)
    assert repairs[["column", "what"]].to_numpy().tolist() == [["b", "no value in any phase: left out"]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"program,load,Ir\np,x,12\np,x,1e\n", "row 2 under the header, column 'Ir': '1e' is not a number"),
        (b"program,phase,Ir\np,1.5,12\n", "column 'phase': '1.5' is no whole number of at least 0"),
        (b"program,load,Ir\n,x,12\n", "row 1 under the header, column 'program' is empty"),
        (b"program,load,Ir,Ir\np,x,1,2\n", "'Ir' appears more than once"),
        (b"program,load\np,x\n", "no column of numbers apart from program"),
        (b"program,load,Ir\np,x\n", "line 2 has 2 cells, the header 3"),
        (b"program,load,Ir\n", "a header and no row"),
        (b"program,load,a\np,x,\n", "no counter has a value"),
    ],
)
def test_what_is_wrong_is_told_by_row_and_column(content: bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        wide.read(sent(content))


def test_a_phase_that_stands_twice_is_told() -> None:
    with pytest.raises(TableError, match="row 2 repeats an earlier row"):
        wide.read(sent(b"program,load,phase,Ir\np,x,0,1\np,x,0,2\n"))
