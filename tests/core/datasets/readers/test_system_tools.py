"""time, ocount, likwid-powermeter, LIKWID's tables on the screen and OpenTelemetry: values worked out by hand."""

import json

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.format import NO_OPTIONS, ReadResult
from hemcore.datasets.readers.formats import FORMATS, format_of
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.sampled_values import series_of_samples
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError


def files(*texts: str) -> list[UploadedFile]:
    return [UploadedFile(f"run_{number}.txt", text.encode()) for number, text in enumerate(texts, start=1)]


def series(*texts: str) -> tuple[CounterSeries, ReadResult]:
    result = read_upload(files(*texts))
    assert isinstance(result.table, CounterSeries)
    return result.table, result


def block(faults: int, elapsed: str = "1:02:03", command: str = "./a b", status: int = 0) -> str:
    return (
        f'\tCommand being timed: "{command}"\n\tUser time (seconds): 1.25\n\tPercent of CPU this job got: 99%\n'
        f"\tElapsed (wall clock) time (h:mm:ss or m:ss): {elapsed}\n\tAverage stack size (kbytes): 0\n"
        f"\tMaximum resident set size (kbytes): 2304\n\tMinor (reclaiming a frame) page faults: {faults}\n"
        f"\tPage size (bytes): 4096\n\tExit status: {status}\n"
    )


def test_each_block_of_time_is_a_run_and_hours_are_seconds() -> None:
    table, result = series("Result: 12\n" + block(100) + "Result: 13\n" + block(103, "0:12.50", status=1))
    assert table.counts["Minor (reclaiming a frame) page faults"].tolist() == [100, 103]
    assert table.counts["Elapsed (wall clock) time (s)"].tolist() == [3723, 12.5]
    assert table.events == [
        *("User time (s)", "Elapsed (wall clock) time (s)", "Maximum resident set size (kbytes)"),
        "Minor (reclaiming a frame) page faults",
    ]
    assert table.intervals["run"].tolist() == [1, 2]
    assert result.notes[-1] == "run_1.txt: 1 of its runs ended with an exit status other than 0."
    assert len(series(block(100) + block(101))[1].notes) == 1
    assert inspect(files(block(1), block(2), block(3))).summary.startswith("1 subexperiment, 4 HEMs")


def test_commands_of_one_file_are_applications() -> None:
    table, _ = series(block(1) + block(2, command="./c") + block(3))
    assert table.intervals[["application", "run"]].to_numpy().tolist() == [["run ./a b", 1], ["run ./c", 1], ["run ./a b", 2]]


@pytest.mark.parametrize(
    ("text", "elapsed"),
    [
        ("\nreal\t1m2.500s\nuser\t0m1.250s\nsys\t0m0.125s\n", 62.5),
        ("real 62,50\nuser 1,25\nsys 0,125\n", 62.5),
        ("1.25user 0.125system 1:02.50elapsed 98%CPU (0avgtext+0avgdata 2304maxresident)k\n"
         "8inputs+16outputs (1major+100minor)pagefaults 0swaps\n", 62.5),
    ],
)  # fmt: skip
def test_what_shells_print_is_read_too(text: str, elapsed: float) -> None:
    table, _ = series(text * 2)
    assert table.counts["Elapsed (wall clock) time (s)"].tolist() == [elapsed, elapsed]
    assert table.counts["User time (s)"].tolist() == [1.25, 1.25]
    assert table.counts["System time (s)"].tolist() == [0.125, 0.125]


def test_a_value_of_time_that_is_none_is_refused_with_its_line() -> None:
    with pytest.raises(ReadError, match="run_1.txt: line 2, .*'1.2x' is not a number"):
        read_upload(files(block(1).replace("1.25", "1.2x")))


def ocount(cycles: str, share: str = "80.00", head: str = "") -> str:
    row = f"\tcycles          {cycles}       {share}\n\tmisses          7       100.00\n"
    return f"{head}Events were actively counted for 0.5 seconds.\nEvent counts (scaled) for ./a:\n\tEvent   Count   % time counted\n{row}"


def test_ocount_keeps_the_share_of_time_and_what_was_never_counted_is_missing() -> None:
    table, result = series(ocount("1,001,000"), ocount("0", "0.00"))
    np.testing.assert_array_equal(table.counts["cycles"], [1_001_000, np.nan])
    assert table.counts["misses"].tolist() == [7, 7]
    assert table.mode == "MPX"
    assert table.share is not None
    np.testing.assert_array_equal(table.share["cycles"], [0.8, 0])
    assert any("ocount has already scaled" in note for note in result.notes)


def test_intervals_of_ocount_have_the_time_above_them() -> None:
    text = "".join(ocount(str(5 + at), "100.00", f"Current time (seconds since epoch): {1_700_000_000 + 2 * at}\n") for at in range(3))
    table, _ = series(text)
    assert table.counts["cycles"].tolist() == [5, 6, 7]
    assert table.intervals["time"].tolist() == [0, 2, 4]


def test_lines_around_the_blocks_of_ocount_are_told() -> None:
    _, result = series(ocount("5") + "\nflops: 7\nflops: 8\nwords\n")
    assert result.repairs[["what", "rows"]].to_numpy().tolist()[-1] == ["lines with numbers around its blocks, as 'flops: 7': left out", 2]


def test_brief_intervals_of_ocount_have_the_time_in_front() -> None:
    table, _ = series(
        "".join(f"{1_764_000_000 + 2 * at},cycles,{5 + at},100.00\n{1_764_000_000 + 2 * at},faults,{at},50.00\n" for at in range(3))
    )
    assert (table.counts["cycles"].tolist(), table.intervals["time"].tolist()) == ([5, 6, 7], [0, 2, 4])


def test_ocount_by_cpu_is_refused() -> None:
    by_cpu = ocount("5") + "Event    CPU   Count\n"
    with pytest.raises(ReadError, match=r"line 6, 'Event    CPU   Count', is a table by CPU or thread"):
        read_upload(files(by_cpu))


def power(*sockets: tuple[float, float]) -> str:
    text = "CPU name:\tIntel\nRuntime: 2.0 s\n"
    for number, (energy, watt) in enumerate(sockets):
        text += f"Measure for socket {number} on CPU {20 * number}\nDomain PKG:\nEnergy consumed: {energy} Joules\n"
        text += f"Power consumed: {watt} Watt\nDomain DRAM:\nEnergy consumed: 1.5 Joules\nPower consumed: 0.75 Watt\n\n"
    return text


def test_energy_and_power_of_each_domain_and_socket() -> None:
    one, _ = series(power((180.5, 90.25)), power((181, 90.5)))
    assert one.events == ["Runtime [s]", "PKG energy [J]", "PKG power [W]", "DRAM energy [J]", "DRAM power [W]"]
    assert one.counts["PKG energy [J]"].tolist() == [180.5, 181]
    none, _ = series(power((0, 0)))
    assert none.counts["PKG power [W]"].tolist() == [0]  # a domain that the processor does not measure
    two, _ = series(power((180.5, 90.25), (60, 30)))
    assert two.intervals["socket"].tolist() == ["0", "1"]
    assert two.counts["PKG power [W]"].tolist() == [90.25, 30]
    with pytest.raises(ReadError, match=r"line 5, 'Energy consumed: -1 Joules': '-1' is not a number of at least 0"):
        read_upload(files(power((-1, 0))))


SCREEN = """CPU name:	Intel
--------------------
Group 1: L3
+-------------------+---------+------------+------------+
|       Event       | Counter | HWThread 0 | HWThread 1 |
+-------------------+---------+------------+------------+
| INSTR_RETIRED_ANY |  FIXC0  |   640100   |   639800   |
|  L2_LINES_IN_ALL  |   PMC0  |    5120    |      -     |
+-------------------+---------+------------+------------+

+------------------------+---------+---------+
|          Event         | Counter |   Sum   |
+------------------------+---------+---------+
| INSTR_RETIRED_ANY STAT |  FIXC0  | 1279900 |
+------------------------+---------+---------+

+---------------------+------------+------------+
|        Metric       | HWThread 0 | HWThread 1 |
+---------------------+------------+------------+
| Runtime (RDTSC) [s] |   0.3301   |   0.3301   |
+---------------------+------------+------------+
"""


def test_the_tables_that_likwid_draws_are_those_that_it_writes() -> None:
    assert recognise(files(SCREEN))[0].key == "likwid_totals"
    table, _ = series(SCREEN)
    assert table.events == ["INSTR_RETIRED_ANY", "L2_LINES_IN_ALL"]
    assert table.intervals["thread"].tolist() == ["0", "1"]
    np.testing.assert_array_equal(table.counts, [[640100, 5120], [639800, np.nan]])
    regions, _ = series(SCREEN.replace("Group 1: L3", "Region copy, Group 1: L3"))
    assert regions.intervals["application"].str.contains("region copy").all()


def point(second: float, value: float, **where: str) -> dict[str, object]:
    own = [{"key": key, "value": {"stringValue": text}} for key, text in where.items()]
    return {"timeUnixNano": str(int((1_763_895_600 + second) * 10**9)), "asDouble": value, "attributes": own}


def otlp(*metrics: dict[str, object], **resource: str) -> str:
    own = [{"key": key.replace("_", "."), "value": {"stringValue": text}} for key, text in resource.items()]
    return json.dumps({"resourceMetrics": [{"resource": {"attributes": own}, "scopeMetrics": [{"metrics": list(metrics)}]}]}) + "\n"


def total(name: str, points: list[dict[str, object]], temporality: int = 2) -> dict[str, object]:
    return {"name": name, "sum": {"isMonotonic": True, "aggregationTemporality": temporality, "dataPoints": points}}


def test_cumulative_sums_become_counts_and_gauges_stay() -> None:
    sums = total("hits", [point(at, value) for at, value in ((0, 5), (2, 15), (3, 18), (5, 4))])
    heat = {"name": "heat", "gauge": {"dataPoints": [point(at, 40 + at) for at in (0, 2, 3, 5)]}}
    table, result = series(otlp(sums, heat, service_name="lbm"))
    np.testing.assert_array_equal(table.counts["hits"], [10, 3, np.nan])
    assert table.counts["heat"].tolist() == [42, 43, 45]
    assert table.intervals["time"].tolist() == [2, 3, 5]
    assert table.applications == ["lbm"]
    said = " ".join(result.repairs["what"])
    for words in ("made counts per interval", "starts again", "before the first interval of the sums ended"):
        assert words in said


def test_delta_sums_stay_and_attributes_tell_places_and_events_apart() -> None:
    points = [point(at, 10 * at + int(cpu), cpu=cpu, level=level) for at in (1, 2) for cpu in "01" for level in ("L2", "L3")]
    lines = otlp(total("misses", points[:4], 1)) + otlp(total("misses", points[4:], 1), {"name": "h", "histogram": {"dataPoints": []}})
    table, result = series(lines)
    assert table.events == ["misses level=L2", "misses level=L3"]
    assert table.intervals["thread"].tolist() == ["0", "0", "1", "1"]
    assert table.counts["misses level=L3"].tolist() == [10, 20, 11, 21]
    assert any("histograms and summaries left out" in note for note in result.notes)
    with pytest.raises(ReadError, match="no sum and no gauge with a value"):
        read_upload(files(otlp({"name": "h", "histogram": {"dataPoints": [point(0, 1)]}})))
    with pytest.raises(ReadError, match="'misses' has two values for one moment and place"):
        read_upload(files(otlp(total("misses", [point(0, 1), point(0, 2)], 1))))


def test_a_line_that_ocount_never_writes_is_named_and_a_header_alone_is_not_its() -> None:
    text = ocount("5") + "x" * 20_000 + "\n"
    with pytest.raises(ReadError, match=r"line 6 has more than"):
        next(each for each in FORMATS if each.key == "ocount").read_with(files(text))
    head = "\tEvent   Count   % time counted\n\tcycles   5   100.00\n"
    assert all(match.key != "ocount" for match in recognise(files(head)))


def test_a_place_without_a_value_is_left_out_and_listed() -> None:
    points = [{"metric": {"__name__": "heat", "cpu": cpu}, "values": [[1, value], [2, value]]} for cpu, value in (("0", "5"), ("1", "NaN"))]
    table, result = series(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": points}}))
    assert table.applications == ["run thread 0"]
    assert [tuple(row) for row in result.repairs[["where", "what"]].itertuples(index=False)] == [
        ("run thread 1, run 1", "no value of any metric: left out")
    ]


def test_the_first_infinite_value_is_the_one_that_is_listed() -> None:
    rows = pd.DataFrame({"program": "a", "event": "heat", "time": [1.0, 2, 3, 4], "count": [5.0, -3, np.inf, -7]})
    repairs: list[Repair] = []
    series_of_samples(rows, where="f", remedy="", repairs=repairs, notes=[])
    assert [(each.what, each.rows, each.value) for each in repairs] == [
        ("infinite: no count, treated as missing", 1, np.inf),
        ("below 0: no count, treated as missing", 2, -3),
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("Domain PKG:\nEnergy consumed: 5 Joules\nPower consumed: 2Watt\n", 3, "no value of a domain, 'Power consumed: 2Watt': left out"),
        (
            "Domain PKG:\nEnegy consumed: 9 Joules\nPower consumed: 2 Watt\n",
            2,
            "no value of a domain, 'Enegy consumed: 9 Joules': left out",
        ),
        ("2.5 s\nDomain PKG:\nEnergy consumed: 5 Joules\n", 1, "no value of a domain, '2.5 s': left out"),
        ("Runtime 2.5\nDomain PKG:\nEnergy consumed: 5 Joules\n", 1, "no value of a domain, 'Runtime 2.5': left out"),
        ("Rntime: 2.5 s\nDomain PKG:\nEnergy consumed: 5 Joules\n", 1, "no value of a domain, 'Rntime: 2.5 s': left out"),
        (
            "Thermal Spec Power: 95 Watt\nDomain PKG:\nEnergy consumed: 5 Joules\n---\nx 1\nPower consumed: 2 Watt\n",
            5,
            "not read, 'x 1': left out",
        ),
        ("Domain PKG:\nEnergy consumed: 5 Joules\n\ntime,a\n1,2\n", 4, "2 lines behind the last value, 'time,a': left out"),
    ],
)
def test_what_stands_in_no_line_of_likwid_powermeter_is_told(text: str, line: int, what: str) -> None:
    read = format_of("likwid_powermeter").read_with([UploadedFile("p.txt", text.encode())], NO_OPTIONS)
    assert read.repairs[["where", "what"]].to_numpy().tolist() == [[f"p.txt, line {line}", what]]


def test_energy_under_a_domain_that_cannot_be_read_is_not_that_of_the_one_before() -> None:
    text = "Domain PKG:\nEnergy consumed: 5 Joules\nDomian DRAM:\nEnergy consumed: 1 Joules\n"
    read = format_of("likwid_powermeter").read_with([UploadedFile("p.txt", text.encode())], NO_OPTIONS)
    assert read.table.counts.to_dict("list") == {"PKG energy [J]": [5]}  # type: ignore[union-attr]
    assert read.repairs["where"].tolist() == ["p.txt, line 4", "p.txt, line 3"]


@pytest.mark.parametrize("cut", ["\tElapsed (wall", "\tElapsed (wall clock) time (h:mm:ss or m:ss): ", "\tMinor (recl", "    User time"])
def test_a_line_of_time_that_was_cut_off_is_listed(cut: str) -> None:
    words = cut.split()[0]
    text = "\n".join(cut if line.startswith(f"\t{words}") else line for line in block(100).split("\n"))
    table, result = series("  Hello\n" + text + "  Bye\n")
    assert len(table.events) == 3
    number = text.split("\n").index(cut) + 2
    assert result.repairs[["where", "what"]].to_numpy().tolist() == [
        [f"run_1.txt, line {number}", f"no value, {cut.strip()!r}: left out"],
    ]


def test_two_lines_of_time_in_one_are_no_value_of_either() -> None:
    elapsed = next(line for line in block(100).split("\n") if line.startswith("\tElapsed"))
    table, result = series(block(100).replace(f"{elapsed}\n", elapsed))
    assert not [event for event in table.events if event.startswith("Elapsed")]
    assert result.repairs["what"].tolist() == ["no value, 'Elapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03\\tAverage': left out"]


def test_what_otlp_does_not_say_is_listed() -> None:
    heat = {"name": "heat", "gauge": {"dataPoints": [point(at, 40 + at) for at in (0, 1, 2, 3)]}}
    lost = otlp(heat, {"name": "power", "gage": {"dataPoints": [point(0, 1)]}})
    lost = lost.replace('"asDouble": 41', '"!sDouble": 41').replace('"timeUnixNano": "1763895603', '"timeUnixNan": "1763895603')
    table, result = series(lost)
    np.testing.assert_array_equal(table.counts["heat"], [40, np.nan, 42])
    assert result.repairs[["column", "what", "rows"]].to_numpy().tolist() == [
        ["heat", "no number in asInt or asDouble: treated as not counted", 1],
        ["power", "no data points of a sum or gauge: left out", 1],
        ["'heat'", "no number in timeUnixNano: left out", 1],
    ]
