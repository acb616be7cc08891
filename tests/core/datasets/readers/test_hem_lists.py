"""Lists of HEMs: names, tables with counters and limits, and what perf list and papi_avail print."""

import pandas as pd
import pytest

from hemcore.datasets.readers.hem_lists import FORMAT, hems_in
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hem_list import HemList
from hemcore.errors import HemError, TableError

PERF = """
List of pre-defined events (to be used in -e or -M):

  branch-instructions OR branches                    [Hardware event]
  cpu-cycles OR cycles                               [Hardware event]
  page-faults OR faults                              [Software event]
  L1-dcache-loads                                    [Hardware cache event]
  cpu/cache-misses/                                  [Kernel PMU event]

cache:
  l1d.replacement
       [L1D data line replacements. Unit: cpu]
  rNNN                                               [Raw hardware event descriptor]
  cpu/t1=v1[,t2=v2,t3 ...]/modifier                  [Raw hardware event descriptor]
  mem:<addr>[/len][:access]                          [Hardware breakpoint]
  alarmtimer:alarmtimer_cancel                       [Tracepoint event]
"""
AVAIL = """Available PAPI preset and user defined events plus hardware information.
Number Hardware Counters : 6
    Name        Code    Avail Deriv Description (Note)
PAPI_L1_DCM  0x80000000  Yes   No   Level 1 data cache misses
PAPI_L3_DCM  0x80000004  No    No   Level 3 data cache misses
PAPI_TOT_CYC 0x8000003b  Yes   No   Total cycles
"""


def test_perf_list_gives_its_events_and_not_its_patterns() -> None:
    assert hems_in(PERF)[0].hems == [
        "branch-instructions", "cpu-cycles", "page-faults", "L1-dcache-loads", "cpu/cache-misses/", "l1d.replacement"
    ]  # fmt: skip


def test_papi_avail_gives_what_the_processor_has() -> None:
    assert hems_in(AVAIL)[0].hems == ["PAPI_L1_DCM", "PAPI_TOT_CYC"]


@pytest.mark.parametrize(
    "said",
    [
        "A\nB\nC",
        "A, B, C",
        "A;B\tC",
        "\n\nA # a remark\n'B'\r\n\"C\"\n",
        "A,A,B,C,B",
    ],
)
def test_names_alone(said: str) -> None:
    assert hems_in(said)[0].hems == ["A", "B", "C"]


def test_commas_within_an_event_are_its_own_and_codes_of_the_t2080_become_names() -> None:
    assert hems_in("cpu/event=0x3c,umask=0x1/,X457, 458, 99999")[0].hems == [
        "cpu/event=0x3c,umask=0x1/", "L2_MISSES", "L2_DEMAND_ACCESSES", "99999"
    ]  # fmt: skip


def test_names_that_come_again_are_listed() -> None:
    _, repairs, _ = hems_in("A\nB\nA\nA")
    assert [(repair.what, repair.rows) for repair in repairs] == [("duplicate names: kept once", 2)]


def test_a_table_says_counters_and_limits() -> None:
    table = hems_in("hem,counters,limit\nA,0 1,\nB,fixed,x:2 y:1\nC,,x:2\n")[0]
    assert table.counters == {"A": ["0", "1"], "B": ["fixed"]}
    assert table.limits == [(["B", "C"], 2), (["B"], 1)]
    assert hems_in("HEM;limit\nA;x:1\nB\n")[0].limits == [(["A"], 1)]


@pytest.mark.parametrize(
    ("text", "counters"),
    [
        ("name,description\ncycles,CPU cycles\nl2,misses of L2\n", {}),
        ("Beschreibung;HEM\nTakte;cycles\nFehler im L2;l2\n", {}),
        ('event,meaning,counters\ncycles,CPU cycles,"0,1"\nl2,misses of L2,\n', {"cycles": ["0", "1"]}),
    ],
)
def test_a_list_of_ones_own_has_names_and_descriptions(text: str, counters: dict[str, list[str]]) -> None:
    files = [UploadedFile("own.csv", text.encode())]
    assert recognise(files)[0].key == "hem_list"
    result = read_upload(files)
    assert isinstance(result.table, HemList)
    assert result.table.hems == ["cycles", "l2"]
    assert result.table.counters == counters
    assert list(result.repairs["rows"]) == [2]  # the descriptions, which a list does not hold


def test_counts_named_counters_are_no_list() -> None:
    files = [UploadedFile("f.csv", b"event,description,counters\ncycles,CPU cycles,1441079\nl2,misses of L2,1309\n")]
    assert "hem_list" not in [match.key for match in recognise(files)]


def test_names_one_per_line_and_the_events_of_a_list_that_has_metrics_without_formulas() -> None:
    names = UploadedFile("a.txt", b"# of the thesis\nINST_RETIRED.ANY\nPAPI_TOT_CYC\ncpu_core/cycles/\ncycles:u\n")
    assert recognise([names])[0].key == "hem_list"
    assert len(read_upload([names]).table.hems) == 4  # type: ignore[attr-defined]
    assert not recognise([UploadedFile("a.txt", b"alice\nbob\ncarol\n")])
    perf = UploadedFile("b.txt", f"{PERF}\nMetric Groups:\n\nPGO:\n  BpTkBranch\n       [Branches per taken branch]\n".encode())
    assert recognise([perf])[0].key == "hem_list"


@pytest.mark.parametrize(("name", "content"), [("perf.txt", PERF), ("avail.txt", AVAIL), ("hems.csv", FORMAT.example["hems.csv"])])
def test_an_upload_is_recognised(name: str, content: str) -> None:
    files = [UploadedFile(name, content.encode())]
    assert recognise(files)[0].key == "hem_list"
    assert isinstance(read_upload(files).table, HemList)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "no HEM found"),
        ("# nothing\n,,;\n", "no HEM that can be counted"),
        ("hem,counters\n", "at least one of each is needed"),
        ("hem,counters\nA,0,1\n", "3 cells in 2 columns"),
        ("hem,hem\nA,B\n", "a column appears twice"),
        ("hem\nA\nB\nA\n", "row 3: 'A' appears more than once"),
        ("hem,limit\nA,x\n", "limit 'x' must be a name, a colon and a number"),
        ("hem,limit\nA,x:0\n", "limit 'x:0' must be"),
        ("hem,limit\nA,x:1\nB,x:2\n", "limit 'x' is 2 here and 1 before"),
        ("A\x07B\nC\n", "must be printable text"),
        ("A" * 501, "has 501 characters"),
        ("\n".join(f"H{number}" for number in range(10_001)), "10,001 names; at most 10,000 are read"),
    ],
)
def test_what_is_no_list_is_said(said: str, words: str) -> None:
    with pytest.raises(HemError) as told:
        hems_in(said)
    assert words in str(told.value)
    assert len(str(told.value)) < 500


def test_a_list_needs_a_name_column() -> None:
    with pytest.raises(TableError, match="no column 'hem'"):
        HemList(frame=pd.DataFrame({"name": ["A"]}))


def test_changing_what_was_given_changes_nothing() -> None:
    given = pd.DataFrame({"hem": [" A ", "B"], "counters": [float("nan"), "0"]})
    table = HemList(frame=given)
    given.loc[0, "hem"] = "Z"
    assert table.hems == ["A", "B"]
    assert table.frame["counters"].tolist() == ["", "0"]


@pytest.mark.parametrize("head", ["event", "Ereignis", '"name"'])
def test_one_column_of_events_is_a_list_and_other_words_are_none(head: str) -> None:
    def sent(*names: str) -> UploadedFile:
        return UploadedFile("a.csv", "\n".join([head, *names, ""]).encode())

    assert FORMAT.read([sent("cycles", "L1-dcache-loads")], FORMAT.options).table.frame["hem"].tolist() == ["cycles", "L1-dcache-loads"]
    assert FORMAT.recognise([sent("cycles", "L1-dcache-loads")])[0] == 1
    for names in (("alice", "bob"), ("cycles", "12"), ("2026-01-01", "2026-01-02"), ("a cache", "b miss"), ("cycles",)):
        assert FORMAT.recognise([sent(*names)])[0] == 0


LISTED = ["CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY", "L2_RQSTS.MISS"]
DESCRIBED = "event,description\n" + "".join(f"{name},counts {name}\n" for name in LISTED)
CELLS = "".join(f"<tr><td>{name}</td><td>of {name}</td></tr>" for name in LISTED)


@pytest.mark.parametrize(
    "text",
    [
        "Events we want to read\n\n" + DESCRIBED,
        "Event Name,Event Code,Umask,Description\n".join(["Skylake\n", "".join(f"{name},0x00,0x01,of it\n" for name in LISTED)]),
        str([{"EventCode": "0xC0", "EventName": name, "Counter": "0,1,2,3", "MSRIndex": "0"} for name in LISTED]).replace("'", '"'),
        str([{"event": name, "description": "of it"} for name in LISTED]).replace("'", '"'),
        "event,priority,counters\n" + "".join(f"{name},{place},0-3\n" for place, name in enumerate(LISTED)),
        "# Cortex\n" + "".join(f"0x0{place} {name}\n" for place, name in enumerate(LISTED)),
        ",".join(LISTED),
        '"","event","description"\n' + "".join(f'"{place}","{name}","of it"\n' for place, name in enumerate(LISTED, 1)),
        "| | event | description |\n|--|--|--|\n" + "".join(f"| {place} | {name} | of it |\n" for place, name in enumerate(LISTED)),
        f"<table><tr><th>Event</th><th>Description</th></tr>{CELLS}</table>",
        "Ereignis;Gruppe;Beschreibung\n" + "".join(f"{name};Kern;…\n" for name in LISTED),
    ],
)
def test_lists_in_other_forms(text: str) -> None:
    files = [UploadedFile("events", text.encode())]
    assert recognise(files)[0].key == "hem_list"
    table = read_upload(files).table
    assert isinstance(table, HemList)
    assert table.hems == LISTED


def test_a_range_of_counters_is_each_of_them() -> None:
    files = [UploadedFile("a.csv", b"event,priority,counters\ncycles,1,0-3\nbranches,2,fixed1\nmisses,3,1\n")]
    assert read_upload(files).table.counters == {"cycles": ["0", "1", "2", "3"], "branches": ["fixed1"], "misses": ["1"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "event,number\ncycles,812000\ninstructions,640100\ncache-misses,1200\n",
        "Runs of May\nevent,value,description\ncycles,812000,a\ninstructions,640100,b\n",
        "A note\nevent,counters\ncycles,812000\ninstructions,640100\n",
        "cycles,instructions,time,run\n",
        "Plan\nevent,description\nfft,of it\nsha,of it\n",
    ],
)
def test_readings_are_no_lists(text: str) -> None:
    assert FORMAT.recognise([UploadedFile("a.csv", text.encode())])[0] == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("likwid.txt", "Counter tags(name, type<, options>):\nPMC0, general, KERNEL\n\nEvent tags (tag, id, umask, counters<, options>):\n"
         "A_ONE, 0x0, 0x0, FIXC0\nB_TWO, 0xD1, 0x20, PMC\nB_TWO, 0xD1, 0x20, PMC\n"),
        ("native.txt", "Available native events and hardware information.\n---\n| A_ONE           |\n|            said it |\n|     :u=0 |\n"
         "---\n| B_TWO |\n"),
        ("decode.csv", 'name,derived,postfix,short_descr\nA_ONE,NOT_DERIVED,,"L1D, misses"\nB_TWO,NOT_DERIVED,,cycles\n'),
        ("list.json", '[{"EventName": "A_ONE", "Unit": "cpu"},\n{"EventName": "B_TWO", "EventType": "Hardware event"}]'),
    ],
)  # fmt: skip
def test_what_tools_list_are_events_each_once(name: str, text: str) -> None:
    file = UploadedFile(name, text.encode())
    assert FORMAT.recognise([file])[0] == 1.0
    assert FORMAT.read([file], FORMAT.options()).table.hems == ["A_ONE", "B_TWO"]
    assert hems_in(text)[0].hems == ["A_ONE", "B_TWO"]
