"""Counts in thousands, millions and billions, said by the header or by a row of units, are plain counts in the table."""

import pytest

from hemcore.datasets.importing.header_words import scale_of
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.units.count_scales import of_name
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.subexperiments import Subexperiments


def read(text: str) -> tuple[dict[str, list[float]], list[str]]:
    result = inspect([UploadedFile("lab.csv", text.encode())]).result
    assert result is not None
    assert isinstance(result.table, Subexperiments)
    told = result.repairs
    return result.table.frames[0].to_dict("list"), [f"{hem}: {what}" for hem, what in zip(told["column"], told["what"], strict=True)]


@pytest.mark.parametrize(
    ("cell", "scale"),
    [
        ("G", "G"),
        ("[M]", "M"),
        ("k", "k"),
        ("K", "k"),
        ("x10^6", "M"),
        ("1e9", "G"),
        ("10**3", "k"),
        ("1E+06", "M"),
        ("in millions", "M"),
        ("Mrd.", "G"),
        ("m", ""),
        ("g", ""),
        ("ms", ""),
        ("", ""),
        ("10^7", ""),
        ("W", ""),
        ("10", ""),
    ],
)
def test_the_scales_of_units(cell: str, scale: str) -> None:
    assert scale_of(cell) == scale


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Cycles (G)", ("Cycles", "G")),
        ("LLC misses [in millions]", ("LLC misses", "M")),
        ("instructions / 1e6", ("instructions", "M")),
        ("Cycles (ms)", ("Cycles (ms)", "")),
        ("Temperature (K)", ("Temperature (K)", "")),
        ("plan G", ("plan G", "")),
    ],
)
def test_the_scale_in_a_name_leaves_it(name: str, found: tuple[str, str]) -> None:
    assert of_name(name) == found


ROWS = "1,64.5,310,5.2\n2,60.25,305,5.1\n3,71,330.5,5.9\n4,66,300,5.5\n"


def test_a_row_of_units_multiplies_the_counts_and_is_listed() -> None:
    frame, repairs = read(f"Run,Cycles,LLC misses,Power\n,G,M,W\n{ROWS}")
    assert frame["Cycles"] == [64.5e9, 60.25e9, 71e9, 66e9]
    assert frame["LLC misses"][:3] == [310e6, 305e6, 330.5e6]
    assert frame["Power"] == [5.2, 5.1, 5.9, 5.5]
    assert "Cycles: in billions (G): '64.5 G' is 64500000000" in repairs


def test_a_scale_in_the_header_multiplies_and_leaves_the_name_of_the_event() -> None:
    frame, repairs = read(f"Run,cycles (1e9),LLC misses (M),Power (W)\n{ROWS}")
    assert frame["cycles"] == [64.5e9, 60.25e9, 71e9, 66e9]
    assert frame["LLC misses"] == [310e6, 305e6, 330.5e6, 300e6]
    assert "LLC misses (M): in millions (M): '310 M' is 310000000" in repairs


def test_a_name_that_is_there_without_its_scale_stays() -> None:
    frame, _ = read("run,cycles,cycles (M)\n" + "".join(f"{run},{900 + 7 * run % 5},{1.5 + run % 3}\n" for run in range(1, 7)))
    assert frame["cycles (M)"][:3] == [2.5e6, 3.5e6, 1.5e6]
    assert frame["cycles"][:3] == [902, 904, 901]


def test_decimal_commas_are_read_before_they_are_multiplied() -> None:
    frame, _ = read("Run;Cycles;Misses\n;G;M\n1;64,5;3,25\n2;60,25;3,5\n3;71,0;4,75\n")
    assert frame["Cycles"] == [64.5e9, 60.25e9, 71e9]
    assert frame["Misses"] == [3.25e6, 3.5e6, 4.75e6]


def test_a_row_below_the_header_that_is_no_data_is_said_to_be_below() -> None:
    _, repairs = read("My runs\nRun,Cycles,Misses\nno,hot,cold\n1,640,310\n2,602,305\n3,710,330\n")
    assert ": above the header, skipped: 'My runs'" in repairs
    assert any("below the header, skipped: 'no | hot | cold'" in each for each in repairs)
