"""A small example of each format: file name -> text. Each is recognised as its format and read, which a test holds."""

from collections.abc import Mapping

Example = Mapping[str, str]

STACKED: Example = {
    "readings.csv": "cycles,instructions,cycles,branch-misses\n"
    "812000,640100,815300,2140\n"
    "808400,639800,809900,2095\n"
    "821700,641000,818200,2183\n"
}
SEPARATE: Example = {
    "branches.csv": "cycles,instructions,branch-misses\n812000,640100,2140\n808400,639800,2095\n",
    "caches.csv": "cycles,cache-misses,cache-references\n815300,5120,88400\n809900,5034,87950\n",
}
PLAN_RUNS: Example = {
    "plan.txt": "HEM Workbench plan 1\nn_pmcs\t2\nruns\t2\n"
    "subexperiment\t1\tcycles\tinstructions\nsubexperiment\t2\tcycles\tbranch-misses\n",
    "subexperiment_0001.perf": "# started on Mon Nov 16 09:12:01 2026\n"
    "812000;;cycles;500000;100.00;;\n640100;;instructions;500000;100.00;;\n"
    "# started on Mon Nov 16 09:12:02 2026\n808400;;cycles;498000;100.00;;\n639800;;instructions;498000;100.00;;\n",
    "subexperiment_0002.perf": "# started on Mon Nov 16 09:12:03 2026\n"
    "815300;;cycles;501000;100.00;;\n2140;;branch-misses;501000;100.00;;\n"
    "# started on Mon Nov 16 09:12:04 2026\n809900;;cycles;499000;100.00;;\n2095;;branch-misses;499000;100.00;;\n",
}
EACCT: Example = {
    "signatures.csv": "JOBID;STEPID;NODENAME;TIME_SEC;CPI;TPI;MEM_GBS;GFLOPS;DC_NODE_POWER_W\n"
    "4711;0;node01;182.4;0.62;1.31;48.2;113.5;312.8\n"
    "4711;0;node02;182.1;0.64;1.29;47.5;112.9;308.1\n"
}
PERF_CSV: Example = {
    "perf.csv": "0.500000000,812000,,cycles,500000000,100.00,,\n"
    "0.500000000,640100,,instructions,250000000,50.00,,\n"
    "1.000000000,808400,,cycles,500000000,100.00,,\n"
    "1.000000000,<not counted>,,instructions,0,0.00,,\n"
}
PERF_JSON: Example = {
    "perf.json": '{"interval" : 0.500000000, "counter-value" : "812000.000000", "unit" : "", "event" : "cycles",'
    ' "event-runtime" : 500000000, "pcnt-running" : 100.00}\n'
    '{"interval" : 0.500000000, "counter-value" : "640100.000000", "unit" : "", "event" : "instructions",'
    ' "event-runtime" : 250000000, "pcnt-running" : 50.00}\n'
}
PERF_TEXT: Example = {
    "perf.txt": "#           time             counts unit events\n"
    "     0.500108500            812,000      cycles                    (100.00%)\n"
    "     0.500108500            640,100      instructions              (50.00%)\n"
    "     1.000392100            808,400      cycles                    (100.00%)\n"
}
LIKWID_TOTALS: Example = {
    "likwid.csv": "STRUCT,Info,3,,\n"
    "CPU name:,Intel(R) Xeon(R) CPU,,,\n"
    "CPU type:,Intel Skylake SP processor,,,\n"
    "CPU clock:,2.3 GHz,,,\n"
    "TABLE,Group 1 Raw,L3,2,\n"
    "Event,Counter,HWThread 0,HWThread 1,\n"
    "INSTR_RETIRED_ANY,FIXC0,640100,639800,\n"
    "L2_LINES_IN_ALL,PMC0,5120,5034,\n"
}
LIKWID_TIMELINE: Example = {
    "timeline.csv": "# HWThreads,0,1\n"
    "# GID,EventCount,CpuCount,Total runtime [s],INSTR_RETIRED_ANY,L2_LINES_IN_ALL\n"
    "1,2,2,0.100073,640100,639800,5120,5034\n"
    "1,2,2,0.200112,641000,638200,5207,4998\n"
}
PAPI: Example = {
    "rank_000000.json": '{"cpu in mhz": "2300", "threads": [{"id": "18470", "regions": [\n'
    '  {"init": {"region_count": "1", "cycles": "812000", "PAPI_TOT_INS": "640100"}},\n'
    '  {"computation": {"region_count": "12", "cycles": "9821700", "PAPI_TOT_INS": "7641000"}}]}]}\n'
}
CORTEX_A15_LOG: Example = {
    "events_raw.data": "Start:\t1000\n"
    "Event 1 Label:\tCPU_CYCLES\t\tRAW Identifier:\tcycles\n"
    "     0.5\t812000\tcycles\n"
    "     1.0\t<not counted>\tcycles\n"
}
WIDE: Example = {
    "series.csv": "time,phase,cycles,instructions\n0.5,init,812000,640100\n1.0,init,808400,\n1.5,main,821700,641000\n",
}
CUMULATIVE: Example = {
    "raw_counters.csv": "time,cycles\n"
    + "".join(f"{number / 2:.1f},{100_000 + 810_000 * number + 900 * number**2}\n" for number in range(10)),
}
PHASES_WIDE: Example = {
    "phases.csv": "program,granularity,load,phase,CYCLES,Ir,Bcm\n"
    "queens,1000,single core,0,9120,6400,71\n"
    "queens,1000,single core,1,8840,6390,52\n"
    "queens,1000,dual core full load,0,9310,6400,71\n",
}
PHASES_THESIS: Example = {
    "input.dat": "31 4 12 1710 90 8 820 6400 1600 800 2 1 0\n28 3 10 1695 84 7 815 6390 1590 790 2 0 0\n",
    "output.dat": "9120\n8840\n",
}
CORTEX_A15_PHASES: Example = {
    "big.data": "#Timestamp\tBenchmark\tRun(#)\tCPU(4) Frequency(MHz)\tA15 Power(W)\tCPU_CYCLES\tINST_RETIRED\n"
    "1481276182904018774\tbitcount\t1\t2000\t1.181\t626158513\t977984190\n"
    "1481276183412774900\tbitcount\t1\t2000\t2.220\t1001596135\t1577397597\n"
    "1481276183921497379\tbzip2d\t1\t2000\t2.213\t1001223253\t1578593158\n",
    "split.data": "#Train Benchmarks\tTest Benchmarks\nbitcount\tbzip2d\n",
}
HEM_LIST: Example = {
    "hems.csv": "hem,counters,limit\ncycles,fixed1,\ninstructions,fixed0,\nLLC-misses,,offcore:2\nLLC-loads,,offcore:2\n"
    "dTLB-load-misses,0 1,\nbranch-misses,,\n",
}
