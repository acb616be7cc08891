"""PAPI's high-level output of one region, by hand."""

import json

import pytest

from hemcore.datasets.readers.papi.papi_output import counts_of_run
from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile


def output(**counts: str | dict[str, str]) -> str:
    inner = {"name": "inner", "parent_region_id": "0", "cycles": "4", "A": "2"}
    regions = {"0": {"name": "outer", "parent_region_id": "-1", "cycles": "10", **counts}, "1": inner}
    kinds = {"A": {"type": "delta"}, "T": {"type": "instant"}}
    return json.dumps({"cpu_in_mhz": "1", "event_definitions": kinds, "threads": {"0": {"regions": regions}}})


def test_the_outer_region_counts_and_what_is_read_at_moments_does_not() -> None:
    assert counts_of_run("p.json", output(A="5", T={"0": "3"})) == ({"cycles": 10, "A": 5}, 1)
    assert counts_of_run("p.json", output(A="5") + "\n" + output(A="7")) == ({"cycles": 20, "A": 12}, 2), "two ranks"


@pytest.mark.parametrize(
    ("names", "programs"), [(("fft.json", "sha.json"), ["fft", "sha"]), (("a/rank_0.json", "b/rank_0.json"), ["a/rank_0", "b/rank_0"])]
)
def test_files_of_one_name_are_told_apart_by_their_folders(names: tuple[str, str], programs: list[str]) -> None:
    table = read_upload([UploadedFile(name, output(A="5").encode()) for name in names], format_key="papi_hl").table
    assert list(dict.fromkeys(table.frame["program"])) == programs  # type: ignore[union-attr]
