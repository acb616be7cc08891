"""Variants of what perf and the other tools write, each with the table that it must become; the tables are written by hand."""

import math
from dataclasses import dataclass, field
from itertools import product

from tests.core.datasets.corpus.printer import Reading, at, csv_row, csv_text, json_row, text_block, text_intervals

NAN = math.nan
# Interval (application, run, interval) -> event -> value; what is not there must not be in the table.
Table = dict[tuple[str, int, int], dict[str, float]]


@dataclass(frozen=True)
class Variant:
    """Files (name -> text), the format that they are of, and the table that they must become."""

    name: str
    key: str
    files: dict[str, str]
    table: Table
    mode: str = "OCOE"
    share: dict[str, float] = field(default_factory=dict)


MISSING = "<not counted>"
BASE = [
    Reading(event="task-clock", value=1.02, unit="msec", metric=("0.020", "CPUs utilized")),
    Reading(event="page-faults:u", value=74, metric=("79.040", "K/sec")),
    Reading(event="cycles", value=1_234_567, metric=("1.210", "GHz")),
]
ROW = {"task-clock": 1.02, "page-faults:u": 74.0, "cycles": 1_234_567.0}
LATER = [
    Reading(event="task-clock", value=2.5, unit="msec"),
    Reading(event="page-faults:u", value=MISSING, run=0, per_cent=100),
    Reading(event="cycles", value=7),
]
LATER_ROW = {"task-clock": 2.5, "page-faults:u": NAN, "cycles": 7.0}
SEPARATORS = {",": "comma", ";": "semicolon", "|": "bar", "\t": "tab", ":": "colon", "!": "mark", "::": "colons", " ": "space"}


def intervals(**changed: object) -> list[Reading]:
    return [*at(BASE, time=0.100265095, **changed), *at(LATER, time=1.200641845, **changed)]


def perf_csv() -> list[Variant]:
    found = []
    for separator, spread, timed, decimal in product(SEPARATORS, (None, 0.67, 14.35), (False, True), ".,"):
        if decimal == "," and separator == ",":
            continue
        readings = intervals(spread=spread) if timed else at(BASE, spread=spread)
        table: Table = {("f", 1, 1): ROW}
        if timed:
            table["f", 1, 2] = LATER_ROW
        name = f"csv {SEPARATORS[separator]} spread={spread} timed={timed} decimal={decimal}"
        found.append(Variant(name, "perf_stat_csv", {"f.csv": csv_text(readings, separator, decimal=decimal)}, table))
    return found


PLACES = {
    "cpu": [("CPU0", None), ("CPU13", None)],
    "socket": [("S0", 2), ("S1", 2)],
    "die": [("S0-D0", 8), ("S0-D1", 8)],
    "core": [("S0-D0-C0", 1), ("S0-D0-C1", 1)],
    "node": [("N0", 4), ("N1", 4)],
    "thread": [("bash-27128", None), ("kworker/0:1-9", None)],
    "thread with a comma": [("a, b-12", None), ("x,y,z-7", None)],
    "thread with a space": [("tmux: server-1", None), ("Web Content-99", None)],
    "thread that begins with a digit": [("7zip, fast-12", None), ("3d-7", None)],
}


def places() -> list[Variant]:
    found = []
    for kind, separator, timed in product(PLACES, (",", ";", " "), (False, True)):
        pair = PLACES[kind]
        readings = [
            reading for place, cpus in pair for reading in at(BASE, place=place, cpus=cpus, **({"time": 0.100265095} if timed else {}))
        ]
        # perf goes through the events, and within each through the places.
        readings.sort(key=lambda reading: [each.event for each in BASE].index(reading.event))
        table: Table = {(f"f {place}", 1, 1): ROW for place, _ in pair}
        found.append(
            Variant(f"{kind} {SEPARATORS[separator]} timed={timed}", "perf_stat_csv", {"f.csv": csv_text(readings, separator)}, table)
        )
    return found


EVENTS = (
    "cycles:u", "instructions:ukh", "cpu/UOPS_DECODED.DEC0,cmask=1/", "cpu/event=0x3c,umask=0x0,name=X/u", "UOPS_DECODED.DEC0,cmask=1",
    "sched:sched_switch", "syscalls:sys_enter_write", "my clock", "3rd clock", "0x1c4", "r01c4:u", "power/energy-pkg/", "L1-dcache-loads:u",
    "a", "uncore_cbox_0/event=0x22,umask=0x41,filter=1/", "msr/tsc/",
)  # fmt: skip


def events() -> list[Variant]:
    found = []
    for event, separator, spread in product(EVENTS, (",", ";", ":", " "), (None, 1.5)):
        readings = at([Reading(event=event, value=5), Reading(event="page-faults", value=9)], spread=spread)
        name = f"event {event} {SEPARATORS[separator]} spread={spread}"
        table: Table = {("f", 1, 1): {event: 5.0, "page-faults": 9.0}}
        found.append(Variant(name, "perf_stat_csv", {"f.csv": csv_text(readings, separator)}, table))
    return found


def cgroups() -> list[Variant]:
    found = []
    names = ("/", "system.slice/a.service")
    for separator, spread in product((",", ";", ":", " ", "|"), (None, 0.5)):
        readings = [
            Reading(event=event, value=value, cgroup=cgroup, spread=spread)
            for event, value in (("page-faults:u", 81), ("cpu/a,cmask=1/", 7), ("sched:sched_switch", 3))
            for cgroup in names
        ]
        table: Table = {(f"f {cgroup}", 1, 1): {"page-faults:u": 81, "cpu/a,cmask=1/": 7, "sched:sched_switch": 3} for cgroup in names}
        name = f"cgroups {SEPARATORS[separator]} spread={spread}"
        found.append(Variant(name, "perf_stat_csv", {"f.csv": csv_text(readings, separator)}, table))
    return found


def metric_groups() -> list[Variant]:
    """perf 6.5 and newer on Intel: groups of metrics with the running time of their events, and no event."""
    found = []
    for separator, stamp, place, spread in product((",", ";", " "), ("", "     1.001000000"), ("", "S0.2", "CPU3"), ("", "0.40%")):
        start = separator.join(part for part in (stamp, *place.split(".")) if part)
        start += separator if start else ""
        between = f"{spread}{separator}" if spread else ""
        rows = [
            f"{start}5{separator}{separator}cycles{separator}{between}9{separator}100.00{separator}{separator}",
            f"{start}{separator}{between}225849327050{separator}100.00{separator}{separator}{separator}{separator}TopdownL1",
            f"{start}{separator}{between}10188319019{separator}63.00{separator}{separator}{separator}41.3{separator}%  tma_frontend_bound",
            f"{start}{separator * 5}24.5{separator}%  tma_backend_bound",
            f"{start}6{separator}{separator}slots{separator}{between}9{separator}100.00{separator}{separator}",
        ]
        label = {"": "f", "S0.2": "f S0", "CPU3": "f CPU3"}[place]
        name = f"metric groups {SEPARATORS[separator]} timed={bool(stamp)} {place} {spread}"
        found.append(Variant(name, "perf_stat_csv", {"f.csv": "\n".join(rows) + "\n"}, {(label, 1, 1): {"cycles": 5, "slots": 6}}))
    return found


def twice() -> list[Variant]:
    """-e a,b,a,b: one run. The same events appended: as many runs as were started."""
    one = [Reading(event="a", value=5, run=787_609), Reading(event="b", value=6, run=787_609)]
    again = [Reading(event="a", value=7, run=787_609), Reading(event="b", value=8, run=787_609)]
    other = [Reading(event="a", value=7, run=791_113), Reading(event="b", value=8, run=791_113)]
    both = {"a": 5.0, "b": 6.0, "a (2)": 7.0, "b (2)": 8.0}
    of_one: Table = {("f", 1, 1): both}
    of_two: Table = {("f", 1, 1): {"a": 5, "b": 6}, ("f", 2, 1): {"a": 7, "b": 8}}
    cpus = [
        Reading(event=event, value=value, run=102_727_460 + 160 * number, place=place, cpus=2)
        for number, (event, value, place) in enumerate(
            (event, value, place) for event, value in (("a", 5), ("b", 6), ("a", 7), ("b", 8)) for place in ("S0", "S1")
        )
    ]
    sliced = [Reading(event=e, value=v, run=run, per_cent=50) for e, v, run in (("a", 5, 500_100), ("b", 6, 499_900))]
    sliced_again = [Reading(event=e, value=v, run=run, per_cent=50) for e, v, run in (("a", 7, 500_300), ("b", 8, 499_800))]
    sliced_later = [Reading(event=e, value=v, run=run, per_cent=50) for e, v, run in (("a", 7, 600_300), ("b", 8, 599_800))]
    found = [
        Variant(f"twice in one run {SEPARATORS[s]}", "perf_stat_csv", {"f.csv": csv_text([*one, *again], s)}, of_one) for s in SEPARATORS
    ]
    found += [Variant(f"appended {SEPARATORS[s]}", "perf_stat_csv", {"f.csv": csv_text([*one, *other], s)}, of_two) for s in SEPARATORS]
    # Threads that run on while perf reads, and one that sleeps (perf 6.1 -a --per-thread).
    times = (
        ("a", 5, (5_875_666, 5_193_331)),
        ("b", 6, (5_875_666, 5_403_331)),
        ("a", 7, (5_875_666, 6_035_432)),
        ("b", 8, (5_875_666, 6_235_432)),
    )
    threads = [Reading(event=e, value=v, run=run[at], place=("idle-1", "perf-2")[at]) for e, v, run in times for at in (0, 1)]
    of_threads: Table = {("f idle-1", 1, 1): both, ("f perf-2", 1, 1): both}
    found += [
        Variant("twice for each thread", "perf_stat_csv", {"f.csv": csv_text(threads, ",")}, of_threads),
        Variant("twice for each socket", "perf_stat_csv", {"f.csv": csv_text(cpus, ",")}, {(f"f S{n}", 1, 1): both for n in (0, 1)}),
        Variant("twice and multiplexed", "perf_stat_csv", {"f.csv": csv_text([*sliced, *sliced_again], ",")}, of_one, "MPX"),
        Variant("appended and multiplexed", "perf_stat_csv", {"f.csv": csv_text([*sliced, *sliced_later], ",")}, of_two, "MPX"),
        Variant("twice in JSON", "perf_stat_json", {"f.json": "".join(json_row(r, "6.4") + "\n" for r in [*one, *again])}, of_one),
        Variant("appended in JSON", "perf_stat_json", {"f.json": "".join(json_row(r, "6.4") + "\n" for r in [*one, *other])}, of_two),
        Variant("twice in text", "perf_stat_text", {"f.txt": text_block([*one, *again], "6")}, of_one),
        Variant("two blocks of text", "perf_stat_text", {"f.txt": text_block(one, "6") + text_block(other, "6")}, of_two),
        Variant(
            "started again",
            "perf_stat_csv",
            {"f.csv": "".join(f"# started on Sat Nov 21 07:12:46 2026\n\n{csv_text(part, ',')}" for part in (one, again))},
            of_two,
        ),
        Variant("twice in intervals", "perf_stat_csv", {"f.csv": csv_text(at([*one, *again], time=0.5), ",")}, of_one),
    ]
    return found


def perf_json() -> list[Variant]:
    found = []
    kinds = {"": ["f"], "CPU": ["f CPU0", "f CPU3"], "S": ["f S0"], "thread": ["f a, b-12"]}
    for style, timed, kind, spread in product(("6.1", "6.4", "6.12"), (False, True), kinds, (None, 0.67)):
        marks = {"": [("", None)], "CPU": [("0", None), ("3", None)], "S": [("S0", 2)], "thread": [("a, b-12", None)]}[kind]
        readings: list[Reading] = []
        for place, cpus in marks:
            changed = {"place": place, "cpus": cpus, "spread": spread}
            readings += intervals(**changed) if timed else at(BASE, **changed)
        readings.sort(key=lambda reading: reading.time or 0)
        rows = [json_row(reading, style) for reading in readings]
        rows.insert(1, '{"event-runtime" : 225849327050, "pcnt-running" : 100.00, "metricgroup" : "TopdownL1"}')
        rows.insert(2, '{"event-runtime" : 9, "pcnt-running" : 63.00, "metric-value" : "41.3", "metric-unit" : "%  tma_frontend_bound"}')
        table: Table = {}
        for label in kinds[kind]:
            table[label, 1, 1] = ROW
            if timed:
                table[label, 1, 2] = LATER_ROW
        name = f"json {style} timed={timed} {kind} spread={spread}"
        found.append(Variant(name, "perf_stat_json", {"f.json": "\n".join(rows) + "\n"}, table))
    return found


def perf_text() -> list[Variant]:
    found = []
    names = [Reading(event="my clock", value=700), Reading(event="raw 0x1c4", value=4_000), Reading(event="3rd-faults", value=12)]
    extra = {"my clock": 700.0, "raw 0x1c4": 4_000.0, "3rd-faults": 12.0}
    marks = ((".", ","), (",", "."), (",", " "), (",", "\u202f"), (".", "'"), (".", ""))
    for style, (decimal, grouping), timed in product(("3", "4", "6"), marks, (False, True)):
        how = {"decimal": decimal, "grouping": grouping}
        table: Table = {("f", 1, 1): ROW | extra}
        if timed:
            table["f", 1, 2] = LATER_ROW | dict.fromkeys(extra, NAN)
            text = text_intervals([*at(BASE + names, time=0.100265095), *at(LATER, time=1.200641845)], style, **how)
        else:
            text = text_block(BASE + names, style, **how)
        name = f"text {style} decimal={decimal} grouping={grouping!r} timed={timed}"
        found.append(Variant(name, "perf_stat_text", {"f.txt": text}, table))
    for style in ("3", "4", "6"):
        sliced = [Reading(event="cycles", value=9, per_cent=66.67), Reading(event="cs", value=5, spread=0.45)]
        table = {("f", 1, 1): {"cycles": 9, "cs": 5}}
        share = {"cycles": 0.6667, "cs": 1.0}
        found.append(Variant(f"text {style} share", "perf_stat_text", {"f.txt": text_block(sliced, style)}, table, "MPX", share))
        in_groups = at([Reading(event="cycles", value=9), Reading(event="L1-dcache-load-misses:u", value=5)], cgroup="/web")
        table = {("f /web", 1, 1): {"cycles": 9, "L1-dcache-load-misses:u": 5}}
        found.append(Variant(f"text {style} cgroup", "perf_stat_text", {"f.txt": text_block(in_groups, style)}, table))
    for style, kind, timed in product(("3", "6"), PLACES, (False, True)):
        stamp = {"time": 0.100265095} if timed else {}
        readings = [reading for place, cpus in PLACES[kind] for reading in at(BASE, place=place, cpus=cpus, **stamp)]
        text = text_intervals(readings, style) if timed else text_block(readings, style)
        table = {(f"f {place}", 1, 1): ROW for place, _ in PLACES[kind]}
        found.append(Variant(f"text {style} {kind} timed={timed}", "perf_stat_text", {"f.txt": text}, table))
    scaled = text_block([Reading(event="cycles", value=9), Reading(event="cs", value=5)], "3").replace(
        "cycles  ", "cycles    (scaled from 40.00%)"
    )
    table = {("f", 1, 1): {"cycles": 9, "cs": 5}}
    found.append(Variant("text 3 scaled from", "perf_stat_text", {"f.txt": scaled}, table, "MPX", {"cycles": 0.4, "cs": 1.0}))
    return found


def thresholds() -> list[Variant]:
    """The column that newer versions put at the end, and rows without a metric."""
    rows = {
        "threshold": [csv_row(reading, ",", threshold="good") for reading in BASE],
        "no metric": [csv_row(reading, ",", metric=False) for reading in BASE],
        "summary": [f"         summary,{csv_row(reading, ',')}" for reading in BASE],
        "remarks": ["# started on Sat Nov 21 07:12:46 2026", "", *[csv_row(reading, ",") for reading in BASE]],
        "windows": [f"{csv_row(reading, ',')}\r" for reading in BASE],
        "cut off": [*[csv_row(reading, ",") for reading in BASE], "81,,context-swi"],
    }
    found = [Variant(f"csv {name}", "perf_stat_csv", {"f.csv": "\n".join(of)}, {("f", 1, 1): ROW}) for name, of in rows.items()]
    # As perf stat -o writes them: toplev's old files begin with such a line, too.
    for kind, pair in PLACES.items():
        readings = [reading for place, cpus in pair for reading in at(BASE, place=place, cpus=cpus)]
        text = f"# started on Sat Nov 21 07:12:46 2026\n\n{csv_text(readings, ',')}"
        found.append(Variant(f"csv of a file, {kind}", "perf_stat_csv", {"f.csv": text}, {(f"f {place}", 1, 1): ROW for place, _ in pair}))
    return found


def all_of_perf() -> list[Variant]:
    return [
        *perf_csv(), *places(), *events(), *cgroups(), *metric_groups(), *twice(), *perf_json(), *perf_text(), *thresholds(),
    ]  # fmt: skip
