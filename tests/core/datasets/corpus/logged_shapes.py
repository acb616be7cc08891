"""Logs of machines, texts of scientific programs and exports with names elsewhere, each with the table that must come out of it."""

from tests.core.datasets.corpus.stranger_shapes import NAN, Shape

TEGRASTATS = "".join(
    f"03-11-2025 09:14:0{second} RAM {ram}/7772MB (lfb 2x4MB) SWAP 0/3886MB (cached 0MB) CPU [12%@1420,{busy}%@1420,off] EMC_FREQ 0%"
    f" GR3D_FREQ {gpu}% CPU@41.5C GPU@39.5C VDD_IN {power}mW/5012mW\n"
    for second, ram, busy, gpu, power in ((2, 1500, 30, 7, 4000), (3, 1600, 40, 8, 4100), (4, 1700, 50, 9, 4200))
)
TEGRASTATS_PLAIN = "".join(f"RAM {ram}/3964MB (lfb 2x4MB) CPU [5%@102,6%@102] GR3D_FREQ 0%@76\n" for ram in (500, 600, 700))
NSTAT = "#kernel\nIpInReceives                    734                0.0\nTcpActiveOpens                  9                  0.0\n" + (
    "TcpRetransSegs                  2                  0.0\n"
)
EMON = "EMON Database\nVersion Info: V11.24\n\n" + "".join(
    f"==========\n03/04/2025 09:14:0{second}.500\nCPU_CLK_UNHALTED.THREAD\t2,400,112\t{cycles:,}\t{cycles + 1:,}\t\n"
    f"INST_RETIRED.ANY\t2,400,113\t{cycles // 2:,}\t{cycles // 4:,}\t\n----------\n"
    for second, cycles in ((2, 4000), (3, 8000))
)
EMON_SOCKETS = EMON.replace("----------\n", "UNC_M_CAS_COUNT.RD\t2,400,114\t77\t\n----------\n")
TECPLOT = 'TITLE = "counters"\nVARIABLES = "time [s]", "cycles"\n"misses"\n' + "".join(
    f'ZONE T="run {run}", I=2, F=POINT\n 0.0 {run}000 5\n 0.5 {run}100 6\n' for run in (1, 2)
)
TECPLOT_BLOCK = 'VARIABLES = "time" "cycles" "misses"\nZONE I=3, DATAPACKING=BLOCK\n0.0 0.5 1.0\n1000 1100\n1200 3*5.0\n'
CDL = """netcdf run {
dimensions:
	time = UNLIMITED ; // (3 currently)
variables:
	double time(time) ;
		time:units = "seconds since 2025-03-11 09:14:02" ;
	int64 cycles(time) ;
	int misses(time) ;
	float scale ;
data:

 time = 0, 0.5, 1 ;

 cycles = 1000LL, 1100LL,
    1200LL ;

 misses = 5, _, 7 ;

 scale = 2 ;
}
"""
CDL_CORES = """netcdf cores {
dimensions:
	time = 2 ;
	core = 2 ;
variables:
	double time(time) ;
	int64 cycles(time, core) ;
data:

 time = 0.5, 1 ;

 cycles =
  10, 20,
  11, 21 ;
}
"""
XPORT = """{"about": "RRDtool xport JSON output",
 "meta": {"start": 1741684440, "end": 1741684620, "step": 60, "legend": ["cycles", "misses"]},
 "data": [[1000.5, 5], [null, null], [1200.5, 7]]}
"""
XPORT_XML = """<?xml version="1.0" encoding="UTF-8"?>

<xport>
  <meta>
    <start>1741684440</start>
    <step>60</step>
    <legend>
      <entry>cycles</entry>
      <entry>misses &lt; 1 ms</entry>
    </legend>
  </meta>
  <data>
    <row><t>1741684500</t><v>1.0e+03</v><v>5</v></row>
    <row><t>1741684560</t><v>NaN</v><v>NaN</v></row>
    <row><t>1741684620</t><v>1.2e+03</v><v>7</v></row>
  </data>
</xport>
"""
MARKDOWN = (
    "# Results\n\nOn *epyc2*.\n\n| Benchmark | PAPI\\_TOT\\_CYC | **L2 misses** |\n| :--- | ---: | ---: |\n"
    "| `fft` | 1,200,000 | **5** |\n| `lu` | 1,300,000 | **6** |\n| `cg` | 1,250,000 | **7** |\n\nDone.\n"
)
BENCHMARKS = "Method,Error,Misses/Op,Branches/Op\n" + "".join(
    f'{name},12.30 ns,{misses},"{branches}"\n'
    for name, misses, branches in (("Array", 5, "60,584"), ("List", 6, "70,123"), ("Linq", 7, "9,125"))
)
NUMPY = "run,cycles,ipc\n" + "".join(f"{run},np.int64(12{run}0),np.float64(1.{run})\n" for run in (1, 2, 3))
PRESENTED = "Application,TimeInSeconds,MsBetweenPresents,MsGPUBusy\n" + "".join(
    f"game.exe,{time},{between},{busy}\n" for time, between, busy in ((0.5, 8.5, 6), (0.51, 9.5, 7), (0.52, 10.5, 8))
)
JULIA = "julia> @pstats sum(x)\n" + "".join(
    "━" * 60 + f"\n╶ cpu-cycles               1.2{run}e+09   75.0%  #  3.4 cycles per ns\n┌ instructions             4.1{run}e+09   75.0%"
    "  #  3.4 insns per cycle\n│ branch-instructions      9.00e+08   75.0%  # 19.7% of insns\n"
    f"└ branch-misses            1.0{run}e+05   75.0%  #  0.0% of branch insns\n                 aggregated from 4 threads\n"
    + "━" * 60
    + "\n"
    for run in (1, 2)
)
JULIA_THREADS = (
    "━" * 60
    + "\n"
    + "".join(
        f"Thread #{thread} (TID = 77{thread})\n┌ instructions             {thread}.50e+06  100.0%\n"
        "└ branch-misses            2.00e+03  100.0%\n"
        for thread in (1, 2)
    )
)
IBEX = """Simulation of Ibex
==================

Simulation statistics
=====================
Executed cycles:  9912331

Performance Counters
====================
Cycles:                         8498021
NONE:                           0
Instructions Retired:           6123441
Compressed Instructions:        54944
"""
AFTERBURNER = "\r\n".join(
    [
        "00, 11-03-2025 09:14:02, Hardware monitoring log v1.6 ", "01, 11-03-2025 09:14:02, NVIDIA GeForce RTX 3070",
        "02, 11-03-2025 09:14:02, GPU temperature     ,Power               ",
        "03, 11-03-2025 09:14:02, 0, GPU temperature     ,\N{DEGREE SIGN}C                  ,0.000   ,100.000   ,10  ,,,%.3f",
        "03, 11-03-2025 09:14:02, 1, Power               ,W                   ,0.000   ,400.000   ,10  ,,,%.3f",
        *(f"80, 11-03-2025 09:14:0{second}, {40 + second}.500              ,{power:20}"
          for second, power in ((2, "151.250"), (3, "N/A"), (4, "160.000"))),
    ]
)  # fmt: skip


def logs() -> list[Shape]:
    tegra = {"RAM [MB]": [1500.0, 1600.0, 1700.0], "CPU 1 [%]": [30.0, 40.0, 50.0], "VDD_IN [mW]": [4000.0, 4100.0, 4200.0]}
    emon = {"CPU_CLK_UNHALTED.THREAD": [4000.0, 4001.0, 8000.0, 8001.0], "INST_RETIRED.ANY": [2000.0, 1000.0, 4000.0, 2000.0]}
    sockets = {"CPU_CLK_UNHALTED.THREAD": [8001.0, 16001.0], "UNC_M_CAS_COUNT.RD": [77.0, 77.0]}
    three = {"cycles": [1000.0, 1100.0, 1200.0], "misses": [5.0, 5.0, 5.0]}
    halves, minutes = [0.0, 0.5, 1.0], [0.0, 60.0, 120.0]
    fetched = {"cycles": [1000.5, NAN, 1200.5], "misses": [5.0, NAN, 7.0]}
    named = {"PAPI_TOT_CYC": [1.2e6, 1.3e6, 1.25e6], "L2 misses": [5.0, 6.0, 7.0]}
    per_op = {"Misses/Op": [5.0, 6.0, 7.0], "Branches/Op": [60584.0, 70123.0, 9125.0]}
    return [
        Shape("tegrastats", TEGRASTATS.encode(), tegra, [0.0, 1.0, 2.0]),
        Shape("tegrastats without times", TEGRASTATS_PLAIN.encode(), {"RAM [MB]": [500.0, 600.0, 700.0], "CPU 1 [%]": [6.0] * 3}),
        Shape("nstat", NSTAT.encode(), {"IpInReceives": [734.0], "TcpActiveOpens": [9.0], "TcpRetransSegs": [2.0]}),
        Shape("EMON", EMON.encode(), emon, [0.0, 0.0, 1.0, 1.0]),
        Shape("EMON with sockets", EMON_SOCKETS.encode(), sockets, [0.0, 1.0]),
        Shape("Tecplot", TECPLOT.encode(), {"cycles": [1000.0, 1100.0, 2000.0, 2100.0], "misses": [5.0, 6.0, 5.0, 6.0]}, [0, 0.5, 0, 0.5]),
        Shape("Tecplot, packed", TECPLOT_BLOCK.encode(), three, halves),
        Shape("CDL", CDL.encode(), {"cycles": three["cycles"], "misses": [5.0, NAN, 7.0]}, halves),
        Shape("CDL by core", CDL_CORES.encode(), {"cycles": [10.0, 20.0, 11.0, 21.0]}, [0.0, 0.0, 0.5, 0.5]),
        Shape("rrdtool xport", XPORT.encode(), fetched, minutes),
        Shape("rrdtool xport XML", XPORT_XML.encode(), {"cycles": [1000.0, NAN, 1200.0], "misses < 1 ms": [5.0, NAN, 7.0]}, minutes),
        Shape("Markdown below words", MARKDOWN.encode(), named, programs=["fft", "lu", "cg"]),
        Shape("points beside units", BENCHMARKS.encode(), per_op, programs=["Array", "List", "Linq"]),
        Shape("numbers of numpy", NUMPY.encode(), {"cycles": [1210.0, 1220.0, 1230.0], "ipc": [1.1, 1.2, 1.3]}),
        Shape(
            "LinuxPerf.jl, two prints",
            JULIA.encode(),
            {
                "cpu-cycles": [1.21e9, 1.22e9],
                "instructions": [4.11e9, 4.12e9],
                "branch-instructions": [9e8, 9e8],
                "branch-misses": [1.01e5, 1.02e5],
            },
        ),
        Shape("LinuxPerf.jl by thread", JULIA_THREADS.encode(), {"instructions": [1.5e6, 2.5e6], "branch-misses": [2e3, 2e3]}),
        Shape("Ibex", IBEX.encode(), {"Cycles": [8498021.0], "Instructions Retired": [6123441.0], "Compressed Instructions": [54944.0]}),
        Shape(
            "Afterburner",
            AFTERBURNER.encode("cp1252"),
            {"GPU temperature [°C]": [42.5, 43.5, 44.5], "Power [W]": [151.25, NAN, 160.0]},
            [0.0, 1.0, 2.0],
        ),
        Shape("TimeInSeconds", PRESENTED.encode(), {"MsGPUBusy": [6.0, 7.0, 8.0]}, [0.0, 0.01, 0.02]),
    ]
