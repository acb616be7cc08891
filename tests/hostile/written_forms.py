"""Files of forms that no format of a tool has, as tools print them and people write them: eight readings of two counters, or a few more."""

import re
from collections.abc import Iterator, Mapping

_N = 8
CYCLES = [120_417 + 1_003 * (row * 5 % _N) + 37 * row for row in range(_N)]
MISSES = [4_219 + 311 * (row * 3 % _N) - 23 * row for row in range(_N)]
POWER = [f"{61.25 + 3.5 * (row * 3 % _N):.2f}" for row in range(_N)]
PROGRAMS = ("fft", "lu", "cg", "mg", "sort", "bfs", "fir", "sha")
EACH = list(zip(range(_N), PROGRAMS, CYCLES, MISSES, POWER, strict=True))
# Those whose numbers are computed from several in the file, or from digits of another base.
DERIVED = ("Vivado ILA", "kubectl top", "numastat -p", "free -s")


def written_forms() -> Iterator[tuple[str, Mapping[str, str]]]:
    """(name, text of each file) of each."""
    for form in (_prints, _listings, _tables, _headed_tables, _documents, _sets):
        yield from ((name, files if isinstance(files, dict) else {_file_name(name): files}) for name, files in form().items())


def _file_name(name: str) -> str:
    return re.sub(r"\W+", "_", name) + ".txt"


def _rows(row: str, first: str = "") -> str:
    """`row`, filled in for each reading: n, program, cycles, misses, power."""
    return first + "".join(row.format(n=n, program=program, c=c, m=m, p=p) for n, program, c, m, p in EACH)


def _prints() -> dict[str, str]:
    """What tools print about a run, or every few seconds."""
    return {
        "poop": "Benchmark 1 (957 runs): ./sort small.txt\n"
        "  measurement          mean ± σ            min … max           outliers         delta\n"
        "  wall_time          5.21ms ±  388us     480us … 3.51ms          1 ( 0%)        0%\n"
        "  peak_rss           2.86MB ± 58.4KB    2.72MB … 2.99MB          0 ( 0%)        0%\n"
        "  cpu_cycles          393K  ± 45.9K      339K  …  991K         624 (11%)        0%\n"
        "  instructions        421K  ± 60.6       421K  …  421K           0 ( 0%)        0%\n"
        "  cache_misses       5.67K  ± 1.02K     4.31K  … 9.22K          11 ( 1%)        0%\n",
        "hpmcount": " Execution time (wall clock time): 4.401213 seconds\n\n  ########  Resource Usage Statistics  ########\n\n"
        " Total amount of time in user mode            : 4.310112 seconds\n\n Set: 1\n"
        "  PM_CYC (Processor cycles)                                  :      9610438127\n"
        "  PM_INST_CMPL (Instructions completed)                      :      7718230914\n"
        "  PM_LD_MISS_L1 (L1 D cache load misses)                     :        86120377\n"
        "  PM_BR_MPRED (Branches mispredicted)                        :         1734552\n\n"
        "  Utilization rate                                           :         97.912 %\n",
        "ESP-IDF": "I (332) perfmon: Counter Measure\n"
        "Value =  1240417, select =  0, mask = 0001.  Counts cycles.\n                  Amount of cycles\n"
        "Value =   331209, select =  1, mask = 0002.  Data cache misses.\n"
        "Value =    90118, select =  2, mask = 0004.  Instruction cache misses.\n"
        "Value =     7733, select =  3, mask = 0008.  Branches taken.\n"
        "I (402) example: The End\n",
        "kubectl top": _rows("{program}-0      {m}m         {c}Ki\n", "NAME       CPU(cores)   MEMORY(bytes)\n"),
        "numastat": "                           node0           node1\n"
        "numa_hit                 5004127         7001834\nnuma_miss                  20351           30422\n"
        "numa_foreign               30422           20351\nlocal_node               4990218         6981123\n",
        "numastat -p": "\nPer-node process memory usage (in MBs) for PID 2512 (stress)\n"
        "                           Node 0          Node 1           Total\n"
        "                  --------------- --------------- ---------------\n"
        "Huge                         1.25            2.50            3.75\n"
        "Heap                        21.40           10.35           31.75\n"
        "Private                    512.27          130.44          642.71\n"
        "----------------  --------------- --------------- ---------------\n"
        "Total                      534.92          143.29          678.21\n",
        "free -s": _rows(
            "               total        used        free      shared  buff/cache   available\n"
            "Mem:          900317      {c}      {m}         100         500      612345\n"
            "Swap:         200512           0      200512\n\n"
        ),
        "iai-callgrind": _rows(
            "lib::group::{program} short:{n}\n"
            "  Instructions:              {c:>6}|{c:<6}          (No change)\n"
            "  L1 Hits:                   {m:>6}|{m:<6}          (No change)\n"
        ),
        "PROGINF": "        ********  Program  Information  ********\n"
        "  Real Time (sec)                       :            11.329254\n"
        "  Inst. Count                           :           6206113403\n"
        "  V. Inst. Count                        :           2653887022\n"
        "  FLOP Count                            :         576929115066\n"
        "  L1 Cache Miss (sec)                   :             0.010847\n\n"
        "  Start Time (date)    : Mon May  6 14:03:07 2024 JST\n"
        "  End   Time (date)    : Mon May  6 14:03:19 2024 JST\n",
        "date in a loop": _rows("Thu Nov  7 08:41:{n}1 CET 2024\nMemFree:       {c} kB\nDirty: {m} kB\n").replace("08:41:6", "08:42:0")
        .replace("08:41:7", "08:42:1"),
    }  # fmt: skip


def _listings() -> dict[str, str]:
    """Exports whose columns are named by the tool."""
    return {
        "Criterion": _rows(
            "Sorting,{program},,,,{c}.0,ns,100\nSorting,{program},,,,{m}.0,ns,10\n",
            "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n",
        ),
        "Vivado ILA": "Sample in Buffer,Sample in Window,TRIGGER,cyc[23:0],mis[15:0]\nRadix - UNSIGNED,UNSIGNED,UNSIGNED,HEX,UNSIGNED\n"
        + "".join(f"{n},{n},{int(n == 3)},{c:06x},{m}\n" for n, _, c, m, _ in EACH),
        "hpcviewer": _rows('"{program}",{c}.0e+03  {n}1.5%,{m}.0e+02\n', '"Scope","CYC:Sum (I)","CYC:Sum (E)"\n'),
        "rrdtool": "                         cycles            misses\n\n"
        + "".join(f"{1_714_996_800 + 60 * n}: {c:.10e} {m:.10e}\n" for n, _, c, m, _ in EACH),
        "power monitor": "Time(ms),Main(mA),Main Voltage(V),\n"
        + "".join(f"{0.2 * n:.3f},{267 + 1.5 * n:.2f},{3.97 - 0.01 * n:.2f},\n" for n in range(_N)),
        "sadf": "# hostname;interval;timestamp;CPU;%user;%system;%idle\n"
        + "".join(
            f"wn1;600;2023-11-21 {8 + n // 6:02}:{n % 6}0:00 UTC;-1;{15.25 + n:.2f};{3 + n / 8:.2f};{81.5 - n:.2f}\n" for n in range(_N)
        ),
        "rows of labels": "metric.type,example.org/pmu/cycles,example.org/pmu/cycles\nresource.type,gce_instance,gce_instance\n"
        "resource.label.instance_id,17,18\nTimeSeries ID,17,18\n"
        + _rows("Mon May 06 2024 14:0{n}:07 GMT+0200 (Central European Summer Time),{c},{m}\n"),
    }


def _tables() -> dict[str, str]:
    """What languages print of their tables."""
    of = {"cycles": CYCLES, "misses": MISSES}
    return {
        "R, wrapped": _rows("{program:<6}{c:>8}\n", "        cycles\n") + _rows("{program:<6}{m:>8}\n", "        misses\n"),
        "R, dput": "structure(list(run = 1:8, "
        + ", ".join(f"{name} = c({', '.join(f'{value}L' for value in values)})" for name, values in of.items())
        + f', `power W` = c({", ".join(POWER)})), class = "data.frame", row.names = c(NA, -8L))\n',
        "Mathematica": '{{"run", "cycles", "misses"},\n ' + ",\n ".join(f"{{{n + 1}, {c}, {m}.5}}" for n, _, c, m, _ in EACH) + "}\n",
        "INI": _rows("[{program}]\ncycles = {c}\nmisses = {m}\n\n", "; of May\n[meta]\nhost = ws4\n\n"),
        "TOML": _rows("[[run]]\ncycles = {c}\nmisses = {m}\n\n", 'title = "May"\n[machine]\ncpu = "Altra"\n\n'),
        "box of a console": "┏━━━━━┳━━━━━━━━┳━━━━━━━━┓\n┃ run ┃ cycles ┃ misses ┃\n┡━━━━━╇━━━━━━━━╇━━━━━━━━┩\n"
        + _rows("│ {n:>3} │ {c:>6} │ {m:>6} │\n")
        + "└─────┴────────┴────────┘\n",
    }


def _headed_tables() -> dict[str, str]:
    """Spreadsheets as people keep them: titles, units, several rows of names, levels, remarks."""
    across = [";".join([name, *map(str, values)]) for name, values in (("cycles", CYCLES), ("défauts", MISSES))]
    return {
        "dates across": "Compteur;" + ";".join(f"2023-11-21 08:5{n}:40" for n in range(_N)) + "\n" + "\n".join(across) + "\n",
        "counters across": _turned(),
        "three rows of names": "time,core 0,core 0,core 1,core 1\n,cycles,misses,cycles,misses\ns,1,1,1,1\n"
        + "".join(f"{n / 2:.1f},{c},{m},{c + 509},{m + 57}\n" for n, _, c, m, _ in EACH),
        "by socket and core": "time,socket,core,cycles,misses\n"
        + "".join(
            f"{n / 2:.1f},{place // 2},{place % 2},{c + 509 * place},{m + 57 * place}\n" for n, _, c, m, _ in EACH for place in range(4)
        ),
        "German, a title": "Messung vom 3. Mai;;;\nZeit (ms);Zyklen;Fehler;Leistung (W)\n"
        + "".join(f"{500 * n};{c};{m};{p.replace('.', ',')}\n" for n, _, c, m, p in EACH),
        "German, means below": "Lauf;Zyklen;Fehler\n"
        + _rows("{n};{c};{m}\n")
        + f"Mittelwert;{sum(CYCLES) / _N:.1f};{sum(MISSES) / _N:.1f}\n".replace(".", ","),
        "a row of units": "Time,Cycles,Misses,Package power\ns,1,1,W\n" + "".join(f"{n / 4:.2f},{c},{m},{p}\n" for n, _, c, m, p in EACH),
        "tabs, remarks, dates": "# machine ws4\ttwo sockets\nstamp\tcycles\tmisses\n"
        + "".join(f"2024-05-06T14:03:{10 + n}\t{c}\t{m}\n" + "# warm from here\n" * (n == 2) for n, _, c, m, _ in EACH),
        "units beside values": "time,unit,cycles,unit,power,unit\n" + "".join(f"{100 * n},ms,{c},1,{p},W\n" for n, _, c, _, p in EACH),
        "French dates": "Date;cycles;défauts\n"
        + _rows("6 août 2024 à 14:03:{n}0;{c};{m}\n").replace("03:60", "04:00").replace("03:70", "04:10"),
        "thousands apart": "Lauf\tZyklen\tFehler\n" + "".join(f"{n}\t{c:,}\t{m:,}\n".replace(",", "'") for n, _, c, m, _ in EACH),
    }


def _turned() -> str:
    return "".join(
        f"{name},{','.join(map(str, values))}\n" for name, values in (("program", PROGRAMS), ("cycles", CYCLES), ("misses", MISSES))
    )


def _documents() -> dict[str, str]:
    """Tables within JSON and XML."""
    cell = '<table:table-cell office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    rows = [[n + 1, c, m] for n, _, c, m, _ in EACH]
    head = "".join(f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in ("Run", "Cycles", "Misses"))
    each = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>\n" for row in rows)
    return {
        "flat spreadsheet": '<?xml version="1.0" encoding="UTF-8"?>\n<office:document '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="t" xmlns:text="x"\n'
        ' office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>\n'
        f'<table:table table:name="Sheet1">\n<table:table-row>{head}</table:table-row>\n{each}'
        '<table:table-row table:number-rows-repeated="9000"><table:table-cell table:number-columns-repeated="900"/></table:table-row>\n'
        "</table:table></office:spreadsheet></office:body></office:document>\n",
        "JSON, units": f'{{"device": "b3", "channels": {{"time": {{"unit": "ms", "data": {[250 * n for n in range(_N)]}}},\n'
        f'"cycles": {{"unit": "1", "data": {CYCLES}}},\n"misses": {{"unit": "1", "data": {MISSES}}}}}}}\n',
        "JSON, rows": '{"range": "A1:C9", "values": [["Run", "Cycles", "Misses"],\n'
        + ",\n".join(f'["{n + 1}", "{c}", "{m}"]' for n, _, c, m, _ in EACH)
        + "]}\n",
    }


def _sets() -> dict[str, dict[str, str]]:
    """Several files of one shape."""
    german = {
        f"Lauf{run}.csv": f"Messung {run} im Labor\nZeit;Zyklen;Fehler\n"
        + "".join(f"{n / 2:.1f};{c + 17 * run};{m + 3 * run}\n".replace(".", ",") for n, _, c, m, _ in EACH)
        for run in (1, 2, 3)
    }
    english = {
        f"run{run}.csv": f"Measurement {run},,\nTime,cycles,misses\ns,1,1\n"
        + "".join(f"{n / 2:.1f},{c + 17 * run},{m + 3 * run}\n" for n, _, c, m, _ in EACH)
        for run in (1, 2, 3)
    }
    return {"German files": german, "English files": english}
