"""Variants of what LIKWID, PAPI and the Cortex-A15 logger write, each with its table, written by hand."""

import json
from itertools import product

from tests.core.datasets.corpus.variants import NAN, Table, Variant

EVENTS = {"INSTR_RETIRED_ANY": ("FIXC0", [640100, 639800]), "L2_LINES_IN_ALL": ("PMC0", [5120, 5034])}
THREADS: list[dict[str, float]] = [{name: counts[thread] for name, (_, counts) in EVENTS.items()} for thread in (0, 1)]


def _filled(rows: list[str], width: int) -> str:
    return "".join(row + "," * max(0, width - 1 - row.count(",")) + "\n" for row in rows)


def _raw(label: str, group: int = 1, *, metrics: bool = True, thread: str = "HWThread", threads: int = 2, number: str = "{}") -> list[str]:
    ids = [f"{thread} {place}" for place in range(threads)]
    rows = [f"TABLE,{label}Group {group} Raw,L3,{len(EVENTS)}", ",".join(["Event", "Counter", *ids])]
    if not metrics:
        rows.append(",".join(["Runtime (RDTSC) [s]", "TSC", *["1.002e+00"] * threads]))
    rows += [",".join([name, counter, *[number.format(count) for count in counts[:threads]]]) for name, (counter, counts) in EVENTS.items()]
    if threads > 1:
        rows += [f"TABLE,{label}Group {group} Raw STAT,L3,2", "Event,Counter,Sum,Min,Max,Avg", "INSTR_RETIRED_ANY STAT,FIXC0,1,2,3,4"]
    if metrics:
        rows += [f"TABLE,{label}Group {group} Metric,L3,1", ",".join(["Metric", *ids]), ",".join(["CPI", *["0.5"] * threads])]
    return rows


INFO = ["STRUCT,Info,3", "CPU name:,Intel(R) Xeon(R) CPU", "CPU type:,Intel Skylake SP processor", "CPU clock:,2.3 GHz"]


def likwid_totals() -> list[Variant]:
    found = []
    for thread, metrics, threads, number in product(("HWThread", "Core"), (True, False), (1, 2), ("{}", "{:e}")):
        text = _filled([*INFO, *_raw("", metrics=metrics, thread=thread, threads=threads, number=number)], 6)
        table: Table = {(f"f {thread} {place}", 1, 1): THREADS[place] for place in range(threads)}
        name = f"likwid {thread} metrics={metrics} threads={threads} {number}"
        found.append(Variant(name, "likwid_totals", {"f.csv": text}, table))
    info = ["Region Info,HWThread 0,HWThread 1", "RDTSC Runtime [s],0.1,0.1", "call count,1,1"]
    rows: list[str] = []
    table = {}
    for region in ("init", "solve it"):
        made = _raw(f"Region {region},")
        rows += [*INFO, made[0], *info, *made[1:]]
        table |= {(f"f region {region} HWThread {place}", 1, 1): THREADS[place] for place in (0, 1)}
    found.append(Variant("likwid regions", "likwid_totals", {"f.csv": _filled(rows, 6)}, table))
    rows, table = [], {}
    for region in ("init", "solve"):
        rows += [
            "STRUCT,Info,5",
            f"1,{region}",
            *[row.replace("HWThread", "Core") for row in info],
            "CPU clock,2300.0 MHz",
            *_raw("", thread="Core"),
        ]
        table |= {(f"f region {region} Core {place}", 1, 1): THREADS[place] for place in (0, 1)}
    found.append(Variant("likwid regions of version 4.0", "likwid_totals", {"f.csv": _filled(rows, 6)}, table))
    second = [row.replace("L2_LINES_IN_ALL", "MEM_READS") for row in _raw("", 2)]
    both = {
        (f"f HWThread {n}", 1, 1): THREADS[n] | {"INSTR_RETIRED_ANY (2)": THREADS[n]["INSTR_RETIRED_ANY"], "MEM_READS": [5120, 5034][n]}
        for n in (0, 1)
    }
    found.append(Variant("likwid groups", "likwid_totals", {"f.csv": _filled([*INFO, *_raw(""), *second], 6)}, both))
    nothing = _filled([*INFO, *[row.replace(",5034", ",nan") for row in _raw("")]], 6)
    table = {("f HWThread 0", 1, 1): THREADS[0], ("f HWThread 1", 1, 1): THREADS[1] | {"L2_LINES_IN_ALL": NAN}}
    found.append(Variant("likwid nan", "likwid_totals", {"f.csv": nothing}, table))
    text = _filled([*INFO, *_raw("")], 6)
    two: Table = {(f"f HWThread {place}", run, 1): THREADS[place] for place in (0, 1) for run in (1, 2)}
    found.append(Variant("likwid two files", "likwid_totals", {"f_1.csv": text, "f_2.csv": text.replace("\n", "\r\n")}, two))
    return found


def likwid_timeline() -> list[Variant]:
    found = []
    names = ["INSTR_RETIRED_ANY", "L2_LINES_IN_ALL"]
    rows = [[1, 2, 2, 0.100073, 640100, 639800, 5120, 5034], [1, 2, 2, 0.200112, 641000.0, 638200.0, 5207.0, "nan"]]
    table: Table = {
        ("f HWThread 0", 1, 1): THREADS[0],
        ("f HWThread 3", 1, 1): THREADS[1],
        ("f HWThread 0", 1, 2): {"INSTR_RETIRED_ANY": 641000, "L2_LINES_IN_ALL": 5207},
        ("f HWThread 3", 1, 2): {"INSTR_RETIRED_ANY": 638200, "L2_LINES_IN_ALL": NAN},
    }
    for (head, delimiter), threads in product(
        (("|", " "), (",", ","), (" ", " ")), ("# HWThreads: 0|3", "# CORES: 0|3", "# HWThreads,0,3")
    ):
        text = f"{threads}\n# GID{head}EventCount{head}CpuCount{head}Total runtime [s]{head}{head.join(names)}\n"
        text += "".join(delimiter.join(str(cell) for cell in row) + "\n" for row in rows)
        found.append(Variant(f"timeline {head!r} {threads}", "likwid_timeline", {"f.csv": text}, table))
    screen = (
        "-" * 80
        + "\nCPU name:\tIntel(R) Xeon(R)\n"
        + "-" * 80
        + "\n# HWThreads: 0|3\n# GID|EventCount|CpuCount|Total runtime [s]|"
        + "|".join(names)
        + "\n"
    )
    screen += "".join(" ".join(str(cell) for cell in row) + "\nhello from the program\n" for row in rows)
    found.append(Variant("timeline of the screen", "likwid_timeline", {"f.txt": screen}, table))
    metrics = (
        "# HWThreads: 0\n# GID|MetricsCount|CpuCount|Total runtime [s]|Clock [MHz]|CPI\n1 2 1 0.1 2668.01 0.44\n1 2 1 0.2 2660.5 0.46\n"
    )
    of: Table = {
        ("f HWThread 0", 1, 1): {"Clock [MHz]": 2668.01, "CPI": 0.44},
        ("f HWThread 0", 1, 2): {"Clock [MHz]": 2660.5, "CPI": 0.46},
    }
    found.append(Variant("timeline of metrics", "likwid_timeline", {"f.txt": metrics}, of))
    groups = (
        "# HWThreads,0\n# GID,EventCount,CpuCount,Total runtime [s],A\n# GID,EventCount,CpuCount,Total runtime [s],B,C\n"
        "1,1,1,0.1,5\n2,2,1,0.2,6,7\n1,1,1,0.3,8\n"
    )
    of = {
        ("f HWThread 0", 1, 1): {"A": 5, "B": NAN, "C": NAN},
        ("f HWThread 0", 1, 2): {"A": NAN, "B": 6, "C": 7},
        ("f HWThread 0", 1, 3): {"A": 8, "B": NAN, "C": NAN},
    }
    found.append(Variant("timeline of groups in turn", "likwid_timeline", {"f.csv": groups}, of, "MPX"))
    cut = text + "1,2,2,0.3,64"
    found.append(Variant("timeline cut off", "likwid_timeline", {"f.csv": cut.replace(" ", " ")}, table))
    return found


REGIONS = {"init": {"cycles": 812000.0, "PAPI_TOT_INS": 640100.0}, "computation": {"cycles": 9821700.0, "PAPI_TOT_INS": 7641000.0}}


def _six(thread: str = "18470") -> dict:
    texts = {name: {"region_count": "3"} | {event: f"{value:.0f}" for event, value in of.items()} for name, of in REGIONS.items()}
    return {"id": thread, "regions": [{name: events} for name, events in texts.items()]}


def _seven() -> dict:
    return {
        "regions": {
            str(number): {"name": name, "parent_region_id": "-1" if number == 0 else "0"}
            | {event: f"{value:.0f}" for event, value in of.items()}
            for number, (name, of) in enumerate(REGIONS.items())
        }
    }


def papi() -> dict[str, tuple[dict[str, str], dict[str, dict[str, dict[str, float]]]]]:
    """Name -> (files, program -> region -> event -> count)."""
    six = {"cpu in mhz": "2300", "threads": [_six()]}
    reads = json.loads(json.dumps(six).replace('"640100"', '{"total": "640100", "read_1": "5"}'))
    seven = {
        "papi_version": "7.2.0.0",
        "event_definitions": {
            "PAPI_TOT_INS": {"component": "perf_event", "type": "delta"},
            "temp": {"component": "coretemp", "type": "instant"},
        },
        "threads": {"0": _seven()},
    }
    hot = json.loads(json.dumps(seven).replace('"cycles": "812000"', '"temp": "-5", "cycles": "812000"'))
    value = json.loads(json.dumps(seven).replace('"640100"', '{"region_value": "640100", "read_1": "5"}'))
    ranks = {"ranks": [{"id": "0", "threads": [_six()]}, {"id": "1", "threads": [_six()]}]}
    whole = {name: {"region_count": 3} | events for name, events in REGIONS.items()}
    return {
        "version 6": ({"rank_0": json.dumps(six)}, {"rank_0": REGIONS}),
        "version 6 indented": ({"rank_0.json": json.dumps(six, indent=2)}, {"rank_0": REGIONS}),
        "version 6 with reads": ({"rank_0": json.dumps(reads)}, {"rank_0": REGIONS}),
        "threads": ({"r.json": json.dumps({"threads": [_six("1"), _six("2")]})}, {"r thread 1": REGIONS, "r thread 2": REGIONS}),
        "version 7": ({"rank_000000.json": json.dumps(seven)}, {"rank_000000": REGIONS}),
        "version 7 with a temperature": ({"r.json": json.dumps(hot)}, {"r": REGIONS}),
        "version 7 with reads": ({"r.json": json.dumps(value)}, {"r": REGIONS}),
        "two ranks": ({"rank_0": json.dumps(six), "rank_1": json.dumps(seven)}, {"rank_0": REGIONS, "rank_1": REGIONS}),
        "detail": ({"papi.json": json.dumps(ranks)}, {"papi rank 0": REGIONS, "papi rank 1": REGIONS}),
        "summary": ({"sum.json": json.dumps(whole)}, {"sum": REGIONS}),
    }
