"""Files of shapes that no reader names, each with the table that must come out of it: prints of consoles, dates of other languages,
exports of sensors. The counts are few enough to be checked by hand."""

from dataclasses import dataclass, field

NAN = float("nan")


@dataclass(frozen=True)
class Shape:
    """A file, and the table that it must become. columns: name -> values in the order of the rows. times: seconds since the first; empty
    where the rows have none. programs: of the rows, where they are told apart. asks: the key of the one question; "" for none.
    """

    name: str
    content: bytes
    columns: dict[str, list[float]]
    times: list[float] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    asks: str = ""


COUNTS = {"cycles": [1200.0, 1300.0, 1250.0, 1400.0], "instructions": [2400.0, 2500.0, 2450.0, 2600.0]}
ROWS = list(zip(*COUNTS.values(), strict=True))


def dated(name: str, stamps: list[str], encoding: str = "utf-8", separator: str = ";", asks: str = "") -> Shape:
    """A series whose times, ten seconds apart, are written as in `stamps`."""
    header = separator.join((name, *COUNTS))
    rows = [separator.join((stamp, *(f"{count:.0f}" for count in row))) for stamp, row in zip(stamps, ROWS, strict=True)]
    text = "\n".join((header, *rows, ""))
    times = [] if asks == "unknown times" else [0.0, 10.0, 20.0, 30.0]
    return Shape(f"{name} {stamps[0]}", text.encode(encoding), COUNTS, times, asks=asks)


def dates() -> list[Shape]:
    seconds = ("00", "10", "20", "30")
    return [
        dated("Aika", [f"6.5.2024 klo 14.03.{each}" for each in seconds]),
        dated("Tid", [f"16.5.2024 kl. 14.03.{each}" for each in seconds]),
        dated("Időpont", [f"2024. 11. 07. 08:41:{each}" for each in seconds], "cp1250"),
        dated("Ώρα", ["7/11/2024 11:59:50 πμ", "7/11/2024 12:00:00 μμ", "7/11/2024 12:00:10 μμ", "7/11/2024 12:00:20 μμ"], "iso-8859-7"),
        dated("Date", [f"6 août 2024 à 14:03:{each}" for each in seconds]),
        dated("Aika", [f"7 marraskuu 2024 14:03:{each}" for each in seconds]),
        dated("Hora", [f"6 de mayo de 2024, 14:03:{each}" for each in seconds]),
        dated("Время", [f"6 мая 2024 г., 14:03:{each}" for each in seconds], "cp1251"),
        dated("Zeit", [f"06.05.2024, 14:03:{each} Uhr" for each in seconds]),
        dated("วันเวลา", [f"06/11/2567 08:41:{each}" for each in seconds], "cp874", ","),
        dated("Time", [f"Mon May 06 2024 14:03:{each} GMT+0200 (Central European Summer Time)" for each in seconds], "utf-8", "\t"),
        dated("Time", [f"05/06/2024 14:03:{each}" for each in seconds], "utf-8", ",", "dates"),
        dated("Start", [f"Tag 3 von 2024, 14.03.{each}" for each in seconds], "utf-8", ";", "unknown times"),
    ]


NODES = """                           node0           node1
numa_hit                     500             700
numa_miss                     20              30
"""
OF_PROCESS = """
Per-node process memory usage (in MBs) for PID 2512 (stress)
                           Node 0          Node 1           Total
                  --------------- --------------- ---------------
Huge                         1.00            2.00            3.00
Heap                        21.40           10.00           31.40
Private                    512.27          130.44          642.71
----------------  --------------- --------------- ---------------
Total                      534.67          142.44          677.11
"""
FREE = """               total        used        free      shared  buff/cache   available
Mem:            9000        {0}        4000         100         500        4200
Swap:           2000           0        2000

"""
PODS = """NAME     CPU(cores)   MEMORY(bytes)
web-1    250m         1Mi
db-0     1            2Ki
"""
HPM = """ Execution time (wall clock time): 4.401213 seconds

  ########  Resource Usage Statistics  ########

 Total amount of time in user mode            : 4.310112 seconds

 Set: 1
  PM_CYC (Processor cycles)                                  :            9610
  PM_INST_CMPL (Instructions completed)                      :           7,718
  PM_LD_MISS_L1 (L1 D cache load misses)                     :              86

  Utilization rate                                           :         97.912 %
"""
PERFMON = """I (332) perfmon: Counter Measure
Value =     1240, select =  0, mask = 0001.  Counts cycles.
                  Amount of cycles
Value =      331, select =  1, mask = 0002.  Data cache misses.
Value =      901, select =  2, mask = 0004.  Instruction cache misses.
I (402) example: The End
"""
ILA = """Sample in Buffer,Sample in Window,TRIGGER,cyc[7:0],inst[7:0]
Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX,BINARY
0,0,0,0a,101
1,1,1,ff,110
2,2,0,10,111
"""
CRITERION = """group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count
Fibonacci,Iterative,,,,1000.0,ns,100
Fibonacci,Iterative,,,,2100.0,ns,200
Fibonacci,Recursive,,,,9000.0,ns,100
"""
POOP = """Benchmark 1 (957 runs): ./sort small.txt
  measurement          mean ± σ            min … max           outliers         delta
  wall_time          5.21ms ±  388us     480us … 3.51ms          1 ( 0%)        0%
  peak_rss           2.86MB ± 58.4KB    2.72MB … 2.99MB          0 ( 0%)        0%
  cpu_cycles          393K  ± 45.9K      339K  …  991K         624 (11%)        0%
  instructions        421K  ± 60.6       421K  …  421K           0 ( 0%)        0%
"""
IAI = """lib::group::fib short:10
  Instructions:                1733|1730            (+0.17%) [+1.00x]
  L1 Hits:                     2359|2359            (No change)
lib::group::fib long:30
  Instructions:               26214|N/A             (*********)
  L1 Hits:                    35638|N/A             (*********)
"""
FETCHED = """                         cycles        instructions

1714996800: 1.5000000000e+03 2.5000000000e+03
1714996860: -nan -nan
1714996920: 1.7000000000e+03 2.7000000000e+03
"""
PROGINF = """        ********  Program  Information  ********
  Real Time (sec)                       :            11.329254
  Inst. Count                           :           6206113403
  V. Inst. Count                        :           2653887022
  FLOP Count                            :         576929115066
  L1 Cache Miss (sec)                   :             0.010847

  Start Time (date)    : Mon May  6 14:03:07 2024 JST
  End   Time (date)    : Mon May  6 14:03:19 2024 JST
"""
VIEWER = '"Scope","CYC:Sum (I)","CYC:Sum (E)"\n"<root>",9.0e+11 100.0%,1.7e+11\n"main",7.2e+11  80.0%,1.4e+11\n"f",1.0e+11  11.1%,0.4e+11\n'
WRAPPED = """     cycles instructions
fft    1200         2400
lu     1300         2500
     misses
fft      10
lu       20
"""
INI = "; of May\n[meta]\nhost = ws4\nclock_mhz = 2400\n\n" + "".join(
    f"[{name}]\ncycles = 1_{cycles}\nmisses = {misses}\n\n" for name, cycles, misses in (("fft", 200, 5), ("lu", 300, 6), ("cg", 250, 7))
)
CHANNELS = '{"device": "b3", "channels": {"time": {"unit": "ms", "data": [0, 250, 500]}, "cycles": {"unit": "1", "data": [5, 6, 7]}}}'
SWISS = "Messung\t\t\nLauf\tZyklen\tFehler\n" + "".join(
    [f"{run}\t2'000'{run}00\t5'{run}00\n" for run in (1, 2, 3)]
    + ["Mittelwert\t2'000'200\t5'200\n\t\t\nFortsetzung am Nachmittag\t\t\n"]
    + [f"{run}\t3'000'{run}00\t6'{run}00\n" for run in (4, 5, 6)]
)  # fmt: skip
ACROSS = "Compteur;2023-11-21 08:55:40;2023-11-21 08:56:40;2023-11-21 08:57:40\ncycles;10;20;30\ndéfauts;1;2;3\n"
POWER = "Time(ms),Main(mA),Main Voltage(V),\n0.000,267.5,3.97,\n0.200,268.5,3.98,\n0.400,269.5,3.96,\n0.600,262.5,3.95,\n"
FRAME = """structure(list(run = 1:4, cycles = c(1200, 1300, 1.25e+03, 1400), `L1 misses` = c(5L, NA,
7L, 8L)), class = "data.frame", row.names = c(NA, -4L))
"""
LISTS = '{{"run", "cycles", "misses"},\n {1, 1200, 5.},\n {2, 1.3*^3, 6.5},\n {3, 1250, 7}}\n'
TOML = 'title = "May"\n[machine]\ncpu = "Altra"\n\n' + "".join(
    f"[[run]]\ncycles = 1_{cycles}_000\nmisses = {misses}\n\n" for cycles, misses in ((200, 5), (300, 6), (250, 7))
)
LABELLED = """metric.type,example.org/pmu/cycles,example.org/pmu/cycles
resource.type,gce_instance,gce_instance
resource.label.instance_id,17,18
TimeSeries ID,17,18
Mon May 06 2024 14:03:07 GMT+0200 (Central European Summer Time),10,20
Mon May 06 2024 14:04:07 GMT+0200 (Central European Summer Time),11,21
Mon May 06 2024 14:05:07 GMT+0200 (Central European Summer Time),12,22
"""
ACCOUNTS = """ Activity:              Num      Call    Wall time         Giga-Cycles
                        Ranks    Count      (s)         total sum
------------------------------------------------------------------
 Neighbor search          32       251       3.121         312.441
 Force                    32     10001      88.020        8811.201
 Bonded forces            32     10001      41.770        4181.330
------------------------------------------------------------------
 Total                               132.911       13304.972
------------------------------------------------------------------
"""
LOOP = "".join(
    f"Thu Nov  7 08:41:{second:02d} CET 2024\nMemFree:       {free} kB\nDirty: {dirty} kB\n"
    for second, free, dirty in ((0, 500, 5), (10, 400, 9), (20, 450, 7))
)
SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="t" xmlns:text="x"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Blad1">
<table:table-row><table:table-cell><text:p>Meting</text:p></table:table-cell><table:table-cell><text:p>Cycli</text:p></table:table-cell>
<table:table-cell><text:p>Missers</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value="1"><text:p>1</text:p></table:table-cell>
<table:table-cell office:value="1200"><text:p>1.200</text:p></table:table-cell>
<table:table-cell office:value="5"/></table:table-row>
<table:table-row><table:table-cell office:value="2"/><table:table-cell office:value="1300"/><table:table-cell office:value="6"/>
</table:table-row>
<table:table-row><table:table-cell office:value="3"/><table:table-cell office:value="7" table:number-columns-repeated="2"/>
</table:table-row>
<table:table-row table:number-rows-repeated="9000"><table:table-cell table:number-columns-repeated="900"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document>
"""
VALUES = """{"range": "A1:C4", "values": [["Run", "Cycles", "Misses"],
["1", "1,200,000", "5"], ["2", "1,300,000", "6"], ["3", "1,250,000", "7"]]}"""
UNITS = "time,unit,cycles,unit,power,unit\n" + "".join(f"{100 * row},ms,{5 + row},1,{2.5 + row},W\n" for row in range(3))
COLOURED = (
    "\x1b[0Ksection_start:17:bench\r\x1b[0K\x1b[32;1m$ python bench.py\x1b[0;m\n┏━━━━━━┳━━━━━━━━┳━━━━━━━━┓\n"
    "┃\x1b[1m run  \x1b[0m┃\x1b[1m cycles \x1b[0m┃ misses ┃\n┡━━━━━━╇━━━━━━━━╇━━━━━━━━┩\n"
    + "".join(f"│\x1b[36m {run}    \x1b[0m│   12{run}0 │      {run} │\n" for run in (1, 2, 3))
    + "└──────┴────────┴────────┘\n\x1b[32;1mJob succeeded\x1b[0;m\n"
)
RESTART = """# hostname;interval;timestamp;CPU;%user;%idle
wn1;600;2023-11-21 08:00:00 UTC;-1;15;80
wn1;600;2023-11-21 08:00:00 UTC;0;10;90
wn1;600;2023-11-21 08:00:00 UTC;1;20;70
wn1;-1;2023-11-21 08:05:00 UTC;LINUX-RESTART\t(2 CPU)
wn1;600;2023-11-21 08:10:00 UTC;-1;35;60
wn1;600;2023-11-21 08:10:00 UTC;0;30;65
wn1;600;2023-11-21 08:10:00 UTC;1;40;55
"""


def prints() -> list[Shape]:
    nodes = {"numa_hit": [500.0, 700.0], "numa_miss": [20.0, 30.0]}
    memory = {"Mem total": [9000.0] * 3, "Mem used": [100.0, 200.0, 300.0], "Swap free": [2000.0] * 3}
    fibonacci = ["Fibonacci/Iterative"] * 2 + ["Fibonacci/Recursive"]
    iai = ["lib::group::fib short:10", "lib::group::fib long:30"]
    runs = {"Zyklen": [2000100.0, 2000200.0, 2000300.0, 3000400.0, 3000500.0, 3000600.0]}
    viewer = {"CYC:Sum (I)": [9e11, 7.2e11, 1e11], "CYC:Sum (E)": [1.7e11, 1.4e11, 0.4e11]}
    accounts = {"Call Count": [251.0, 10001.0, 10001.0], "Giga-Cycles total sum": [312.441, 8811.201, 4181.33]}
    activities = ["Neighbor search", "Force", "Bonded forces"]
    vector = {"Inst. Count": [6206113403.0], "FLOP Count": [576929115066.0]}
    return [
        Shape("numastat", NODES.encode(), nodes, programs=["node0", "node1"]),
        Shape("numastat -p", OF_PROCESS.encode(), {"Heap": [21.4, 10.0], "Private": [512.27, 130.44]}, programs=["Node 0", "Node 1"]),
        Shape("free -s", "".join(FREE.format(used) for used in (100, 200, 300)).encode(), memory),
        Shape(
            "kubectl top", PODS.encode(), {"CPU [cores]": [0.25, 1.0], "memory [bytes]": [1048576.0, 2048.0]}, programs=["web-1", "db-0"]
        ),
        Shape("hpmcount", HPM.encode(), {"PM_CYC": [9610.0], "PM_INST_CMPL": [7718.0]}),
        Shape("perfmon", PERFMON.encode(), {"Counts cycles": [1240.0], "Data cache misses": [331.0]}),
        Shape("ILA", ILA.encode(), {"cyc[7:0]": [10.0, 255.0, 16.0], "inst[7:0]": [5.0, 6.0, 7.0]}),
        Shape("Criterion", CRITERION.encode(), {"time per iteration [ns]": [10.0, 10.5, 90.0]}, programs=fibonacci),
        Shape("poop", POOP.encode(), {"instructions": [421e3], "peak_rss [bytes]": [2.86e6], "cpu_cycles": [393e3]}),
        Shape("iai-callgrind", IAI.encode(), {"Instructions": [1733.0, 26214.0], "L1 Hits": [2359.0, 35638.0]}, programs=iai),
        Shape("rrdtool", FETCHED.encode(), {"cycles": [1500.0, NAN, 1700.0], "instructions": [2500.0, NAN, 2700.0]}, [0.0, 60.0, 120.0]),
        Shape("PROGINF", PROGINF.encode(), vector),
        Shape("hpcviewer", VIEWER.encode(), viewer, programs=["<root>", "main", "f"]),
        Shape("R, wrapped", WRAPPED.encode(), {"cycles": [1200.0, 1300.0], "misses": [10.0, 20.0]}, programs=["fft", "lu"]),
        Shape("INI", INI.encode(), {"cycles": [1200.0, 1300.0, 1250.0], "misses": [5.0, 6.0, 7.0]}, programs=["fft", "lu", "cg"]),
        Shape("JSON with units", CHANNELS.encode(), {"cycles": [5.0, 6.0, 7.0]}, [0.0, 0.25, 0.5]),
        Shape("Swiss, means between", SWISS.encode(), runs, asks="odd rows"),
        Shape("date-times across", ACROSS.encode(), {"cycles": [10.0, 20.0, 30.0], "défauts": [1.0, 2.0, 3.0]}, [0.0, 60.0, 120.0]),
        Shape("power monitor", POWER.encode(), {"Main(mA)": [267.5, 268.5, 269.5, 262.5]}, [0.0, 0.0002, 0.0004, 0.0006]),
        Shape("dput", FRAME.encode(), {"cycles": [1200.0, 1250.0, 1400.0], "L1 misses": [5.0, 7.0, 8.0]}),
        Shape("Mathematica", LISTS.encode(), {"cycles": [1200.0, 1300.0, 1250.0], "misses": [5.0, 6.5, 7.0]}),
        Shape("TOML", TOML.encode(), {"cycles": [1.2e6, 1.3e6, 1.25e6], "misses": [5.0, 6.0, 7.0]}),
        Shape("rows of labels", LABELLED.encode(), {"cycles 17": [10.0, 11.0, 12.0], "cycles 18": [20.0, 21.0, 22.0]}, [0.0, 60.0, 120.0]),
        Shape("sums below a rule", ACCOUNTS.encode(), accounts, programs=activities, asks="lines"),
        Shape("date in a loop", LOOP.encode(), {"MemFree [B]": [500e3, 400e3, 450e3], "Dirty [B]": [5e3, 9e3, 7e3]}, [0.0, 10.0, 20.0]),
        Shape("flat spreadsheet", SHEET.encode(), {"Cycli": [1200.0, 1300.0, 7.0], "Missers": [5.0, 6.0, 7.0]}),
        Shape("rows in JSON", VALUES.encode(), {"Cycles": [1.2e6, 1.3e6, 1.25e6], "Misses": [5.0, 6.0, 7.0]}),
        Shape("units beside values", UNITS.encode(), {"cycles": [5.0, 6.0, 7.0], "power [W]": [2.5, 3.5, 4.5]}, [0.0, 0.1, 0.2]),
        Shape("colours", COLOURED.encode(), {"cycles": [1210.0, 1220.0, 1230.0], "misses": [1.0, 2.0, 3.0]}, asks="lines"),
        Shape("sadf, restart", RESTART.encode(), {"%user": [10.0, 20.0, 30.0, 40.0]}, [0.0, 0.0, 600.0, 600.0]),
    ]
