"""What papi_avail prints: the events a processor has and how many it counts at once."""

import pytest

from hemcore.datasets.readers.papi.papi_avail import read_papi_avail
from hemcore.errors import ReadError

# Document 003, section 6.3.2.
A53 = """PAPI version : 5.6.1.0
Model string and code : ARMv7 Processor rev 4 (v7l) (4, 0x4)
Number Hardware Counters : 6
Max Multiplex Counters : 384
Name Code Avail Deriv Description (Note)
PAPI_L1_DCM 0x80000000 Yes Yes Level 1 data cache misses
PAPI_L3_DCM 0x80000004 No No Level 3 data cache misses
PAPI_TLB_DM 0x80000014 Yes No Data translation lookaside buffer
    ↪ misses
PAPI_TOT_CYC 0x8000003b Yes No Total cycles
-----
Of 108 possible events, 14 are available, of which 1 is derived.
"""


def test_the_thesiss_processor() -> None:
    found = read_papi_avail("papi.txt", A53.encode())
    assert found.n_pmcs == 6
    assert found.model.startswith("ARMv7 Processor rev 4")
    assert found.counters == ["PAPI_L1_DCM", "PAPI_TLB_DM", "PAPI_TOT_CYC"]
    assert found.events["derived"].tolist() == [True, False, False]
    assert found.events["what"][1] == "Data translation lookaside buffer misses"


def test_available_events_alone_have_one_column_fewer() -> None:
    found = read_papi_avail("papi.txt", b"PAPI_TOT_CYC 0x8000003b No Total cycles\nPAPI_L1_DCM 0x80000000 Yes Level 1\n")
    assert found.counters == ["PAPI_TOT_CYC", "PAPI_L1_DCM"]
    assert found.events["derived"].tolist() == [False, True]
    assert (found.n_pmcs, found.model) == (None, "")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"hello\n", "papi.txt: no line such as 'PAPI_TOT_CYC"),
        (b"PAPI_L3_DCM 0x80000004 No No Level 3\n", "1 preset events, none of them available"),
        (b"", "the file is empty"),
        (b"\x00\x01", "not a text file"),
    ],
)
def test_what_is_no_such_text_is_told(content: bytes, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        read_papi_avail("papi.txt", content)
