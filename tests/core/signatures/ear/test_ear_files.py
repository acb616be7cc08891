"""EAR's model files: exact round trips, both orders, and a sentence for whatever EAR would have read silently."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from hemcore.errors import HemError, ParameterError, ReadError
from hemcore.signatures import EarFiles, Extremes, Medoids, Peaks, choose_strategy, read_ear_files, suspicions, write_ear_files
from hemcore.signatures.ear.ear_files import read_extremes, read_medoids, read_roofline

ROOFLINE = "921.6 22732.8\n"
MEDOIDS = "1 2 3 4 5 6 7 8 9 10 11 12\n"
EXTREMES = "0.5 1 0.25 2 100 300 400 3000\n"
numbers = some.floats(allow_nan=False, allow_infinity=False)


def test_the_example_of_the_documentation() -> None:
    files = read_ear_files({"roofline.epyc9654.data": "921.6 22732.8"})
    assert files.tag == "epyc9654"
    assert files.peaks is not None
    assert (files.peaks.gbs, files.peaks.gflops, files.peaks.source) == (921.6, 22732.8, "roofline.epyc9654.data")
    assert files.medoids is files.extremes is None
    assert write_ear_files(files) == {"roofline.epyc9654.data": ROOFLINE}


def test_medoids_by_name_in_both_orders() -> None:
    code = read_medoids(MEDOIDS)
    # CPI, TPI, MEM_GBS, GFLOPS of CPU-bound, MEMORY-bound, MIX.
    assert code.z.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    assert read_medoids(MEDOIDS, order="documentation").z.tolist() == [[1, 2, 4, 3], [5, 6, 8, 7], [9, 10, 12, 11]]


def test_extremes_are_deviation_then_mean() -> None:
    code = read_extremes(EXTREMES)
    assert code.std.tolist() == [0.5, 0.25, 100, 400]
    assert code.mean.tolist() == [1, 2, 300, 3000]
    documentation = read_extremes(EXTREMES, order="documentation")
    assert documentation.std.tolist() == [0.5, 0.25, 400, 100]


@given(
    some.lists(numbers, min_size=12, max_size=12),
    some.lists(numbers.map(abs), min_size=8, max_size=8),
    some.sampled_from(["code", "documentation"]),
)
def test_round_trips_are_exact(places: list[float], pairs: list[float], order: Any) -> None:
    files = EarFiles(
        tag="a.b-1",
        medoids=Medoids(z=np.array(places).reshape(3, 4)),
        extremes=Extremes(std=np.array(pairs[:4]), mean=np.array(pairs[4:])),
        peaks=Peaks(gbs=pairs[0] + 1, gflops=pairs[1] + 1),
    )
    written = write_ear_files(files, order=order)
    assert list(written) == ["roofline.a.b-1.data", "medoids.a.b-1.data", "extremes.a.b-1.data"]
    back = read_ear_files({name: content.encode() for name, content in written.items()}, order=order)
    assert (back.medoids.z == files.medoids.z).all()  # type: ignore[union-attr]
    assert (back.extremes.std == files.extremes.std).all()  # type: ignore[union-attr]
    assert (back.extremes.mean == files.extremes.mean).all()  # type: ignore[union-attr]
    assert (back.peaks.gbs, back.peaks.gflops) == (files.peaks.gbs, files.peaks.gflops)  # type: ignore[union-attr]
    assert write_ear_files(back, order=order) == written
    other = write_ear_files(back, order="documentation" if order == "code" else "code")
    assert other["medoids.a.b-1.data"].split()[2::4] == written["medoids.a.b-1.data"].split()[3::4]


@pytest.mark.parametrize(
    "name", ["medoids.spr.data", "island0/medoids.spr.data", "/etc/ear/coeffs/island0medoids.spr.data", r"C:\x\medoids.spr.data"]
)
def test_names_with_a_folder(name: str) -> None:
    assert read_ear_files({name: MEDOIDS}).tag == "spr"


def test_which_strategy_and_why() -> None:
    every = {"roofline.t.data": ROOFLINE, "medoids.t.data": MEDOIDS, "extremes.t.data": EXTREMES}

    def strategy(*kinds: str) -> tuple[str, str]:
        chosen = choose_strategy(read_ear_files({f"{kind}.t.data": every[f"{kind}.t.data"] for kind in kinds}))
        return chosen.name, chosen.why

    assert strategy("roofline", "medoids", "extremes")[0] == "k-medoids"
    assert strategy("medoids", "extremes")[0] == "k-medoids"
    assert strategy("roofline")[0] == "roofline"
    name, why = strategy("medoids", "roofline")
    assert name == "roofline"
    assert why.startswith("The medoids are there but the extremes are not")
    name, why = strategy("extremes")
    assert name == "default"
    assert "the medoids are not" in why
    assert strategy() == ("default", "There are no medoids and extremes. There are no peaks: the default thresholds remain.")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"roofline.t.data": "921.6"}, "line 1 has 1 numbers; a roofline file has 2: peak GB/s and peak GFLOPS"),
        ({"roofline.t.data": "921.6 22732.8 1"}, "line 1 has 3 numbers"),
        ({"roofline.t.data": ""}, "line 1 has 0 numbers"),
        ({"roofline.t.data": "\n921.6 22732.8"}, "line 1 has 0 numbers"),
        ({"roofline.t.data": "921.6, 22732.8"}, "line 1 has ','. EAR separates numbers by spaces alone"),
        ({"roofline.t.data": "921,6 22732,8"}, "line 1 has ','"),
        ({"roofline.t.data": "921.6;22732.8"}, "line 1 has ';'"),
        ({"roofline.t.data": "921.6 much"}, "number 2 is 'much', which is no number"),
        ({"roofline.t.data": "921.6 inf"}, "number 2 is 'inf'; it must be a finite number"),
        ({"roofline.t.data": "921.6 nan"}, "number 2 is 'nan'"),
        ({"roofline.t.data": "921.6 1_0"}, "number 2 is '1_0'"),
        ({"roofline.t.data": "-921.6 22732.8"}, "the peak bandwidth is -921.6; it must be above 0"),
        ({"roofline.t.data": "921.6 0"}, "the peak of GFLOPS is 0"),
        ({"roofline.t.data": "921.6 22732.8\n1 2"}, "line 2 is not empty"),
        ({"roofline.t.data": b"\xff\xfe9\x00"}, "not text (byte 1)"),
        ({"roofline.t.data": "9" * 1020 + ".0 1"}, "line 1 has 1,024 bytes; EAR reads 1,024"),
        ({"medoids.t.data": EXTREMES}, "line 1 has 8 numbers; a medoids file has 12"),
        ({"extremes.t.data": MEDOIDS}, "line 1 has 12 numbers; an extremes file has 8"),
        ({"extremes.t.data": "1 0.5 2 0.25 -3 400 1 1"}, "the standard deviation of MEM_GBS is -3"),
        ({"roofline.data": ROOFLINE}, "'roofline.data': not a name that EAR reads"),
        ({"roofline.txt": ROOFLINE}, "not a name that EAR reads"),
        ({"roofline...data": ROOFLINE}, "not a name that EAR reads"),
        ({"centroids.t.data": ROOFLINE}, "not a name that EAR reads"),
        ({"roofline.t.data": ROOFLINE, "medoids.u.data": MEDOIDS}, "medoids.u.data: is of the tag 'u', but roofline.t.data is of 't'"),
        ({"roofline.t.data": ROOFLINE, "island0/roofline.t.data": ROOFLINE}, "a roofline file was given already"),
    ],
)  # fmt: skip
def test_what_ear_would_have_taken_silently_is_said(files: dict[str, str | bytes], said: str) -> None:
    with pytest.raises(ReadError) as refusal:
        read_ear_files(files)
    assert said in str(refusal.value)
    assert str(refusal.value).endswith((".", "?"))


def test_another_tag_than_the_one_asked_for() -> None:
    with pytest.raises(ReadError, match="is of the tag 'u', not 't'. Give roofline.t.data"):
        read_ear_files({"roofline.u.data": ROOFLINE}, tag="t")


@pytest.mark.parametrize("tag", ["", "a b", "../x", "a/b", ".", "é", "x" * 101])
def test_a_tag_that_no_file_can_have(tag: str) -> None:
    with pytest.raises(ParameterError, match="^tag: "):
        write_ear_files(EarFiles(tag=tag, peaks=Peaks(gbs=1, gflops=2)))


def test_an_unknown_order() -> None:
    with pytest.raises(HemError, match="order: 'mine' is not known"):
        read_medoids(MEDOIDS, order="mine")  # type: ignore[arg-type]


# Suspicious orders


def test_swapped_peaks_are_reported() -> None:
    assert "the bandwidth comes first" in read_ear_files({"roofline.t.data": "22732.8 921.6"}).warnings[0].lower()
    assert suspicions(peaks=read_roofline(ROOFLINE)) == ()


def test_medoids_in_the_other_order_are_told() -> None:
    # CPI, TPI, GFLOPS, MEM_GBS: the CPU-bound medoid with many GFLOPS, the MEMORY-bound one with much bandwidth.
    documentation = "-1 -1 2 -1 1 1 -1 2 0 0 0 0"
    assert read_ear_files({"medoids.t.data": documentation}, order="documentation").warnings == ()
    [warning] = read_ear_files({"medoids.t.data": documentation}).warnings
    assert "in the documentation's order?" in warning
    assert "in the code's order?" in read_ear_files({"medoids.t.data": "-1 -1 -1 2 1 1 2 -1 0 0 0 0"}, order="documentation").warnings[0]


def test_extremes_in_the_other_order_are_told() -> None:
    documentation = "0.5 1 0.25 2 400 3000 100 300"
    wrong = read_extremes(documentation)
    assert "above the peak" in suspicions(extremes=wrong, peaks=Peaks(gbs=614.4, gflops=7168))[0]
    own = pd.DataFrame({"MEM_GBS": [290.0, 310], "GFLOPS": [2900.0, 3100]})
    assert "better when swapped" in suspicions(extremes=wrong, signatures=own)[0]
    assert suspicions(extremes=read_extremes(documentation, order="documentation"), signatures=own) == ()


def test_a_deviation_of_zero_is_told() -> None:
    assert "of TPI is 0" in read_ear_files({"extremes.t.data": "0.5 1 0 2 100 300 400 3000"}).warnings[0]
