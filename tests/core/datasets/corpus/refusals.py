"""Files that cannot be read: name -> (file name, content, the format where it was chosen, what the sentence must say)."""

ROWS = "1.02,msec,task-clock,1019995,100.00,0.020,CPUs utilized\n74,,page-faults,1019995,100.00,79.040,K/sec\n"
TIMED = "     0.100265095,5,,cycles,9,100.00,,\n     0.200265095,6,,cycles,9,100.00,,\n"
HEADING = " Performance counter stats for './qsort':\n\n"
LIKWID = "TABLE,Group 1 Raw,L3,1,\nEvent,Counter,HWThread 0,\n"
LINE = "# GID,EventCount,CpuCount,Total runtime [s],A\n"
FOREIGN = "Measure again: the program's own output is apart from perf's with `perf stat -o FILE`"

REFUSED: dict[str, tuple[str, str | bytes, str | None, tuple[str, ...]]] = {
    # Lines of the program between those of perf.
    "killed": ("f.csv", ROWS + "Killed\n" + ROWS, None, ("f.csv: line 3, 'Killed'", FOREIGN)),
    "printed at first": ("f.csv", "sorted 12 numbers\n" + TIMED, None, ("line 1, 'sorted 12 numbers'", FOREIGN)),
    "printed in the middle": ("f.csv", TIMED + "\x1b[1mdone\n" + TIMED, None, ("line 3", FOREIGN)),
    "two lines": ("f.csv", TIMED + "one\ntwo\n" + TIMED, None, ("line 3, 'one'", "nor is line 4", FOREIGN)),
    "eight lines": ("f.csv", TIMED * 8 + "x\n" * 8 + TIMED, None, ("line 17", "and 3 more", FOREIGN)),
    "a number": ("f.csv", TIMED + "12\n" + TIMED, None, ("line 3, '12'", FOREIGN)),
    "semicolons": ("f.csv", TIMED.replace(",", ";") + "x;y\n" + TIMED.replace(",", ";"), None, ("line 3, 'x;y'", "perf stat -x';'")),
    "no value": ("f.csv", ROWS + ",,cycles,1,1\n" + ROWS, None, ("line 3, ',,cycles,1,1'", "`perf stat -o FILE`")),
    "a count without a time of running": (
        "f.csv",
        ROWS + "5,,cs\n" + ROWS,
        None,
        ("line 3, '5,,cs'", "last columns cut off", "perf stat -x';'"),
    ),
    # Numbers that cannot be told.
    "decimal commas": ("f.csv", ROWS.replace(".", ","), None, ("line 1, '1,02,msec", "LC_ALL=C", "perf stat -x';'")),
    "decimal commas with intervals": (
        "f.csv",
        "     0.100265095,1,02,msec,task-clock,1019995,100,00,0,020,CPUs utilized\n",
        None,
        ("line 1", "LC_ALL=C", "perf stat -x';'"),
    ),
    "decimal commas with spread": ("f.csv", "1,02,msec,task-clock,0,67%,1019995,100,00,,\n", None, ("line 1", "LC_ALL=C")),
    # No counts at all.
    "metric only": ("f.csv", " time,\n     0.100266336,,\n     0.200655305,,,,\n", None, ("line 1, 'time,'", "without --metric-only")),
    "metric only with names": (
        "f.csv",
        "GHz,insn per cycle,branch-misses of all branches,\n1.20,0.93,1.10,\n",
        None,
        ("line 1, 'GHz,insn per cycle", "without --metric-only"),
    ),
    "metric only a CPU": ("f.csv", "CPU0,1.20,0.93,1.10,\nCPU1,1.20,0.93,1.10,\n", None, ("line 1", "without --metric-only")),
    **{
        f"metric only, {name}": ("f.csv", text, None, ("line 1", "without --metric-only"))
        for name, text in {
            "per cluster in intervals": "time;cluster;GHz;\n     0.1;S0-D0-CLS0;4;5.675;\n     0.2;S0-D0-CLS0;4;1.723;\n",
            "per node in intervals": "time,node,GHz,\n     0.100123456,N0,8,4.128,\n     0.200123456,N0,8,3.562,\n",
            "per core with commas twice": "time,core,cpus,GHz,insn per cycle,\n     0.100123456,S0-D0-C0,2,0,374,7,49,\n" * 2,
            "JSON": '{"GHz" : "3.379", "insn per cycle" : "3.50"}\n',
            "JSON in intervals": '{"interval" : 0.1, "GHz" : "2.02", "insn per cycle" : "7.4"}\n{"interval" : 0.2, "GHz" : "5.1"}\n',
            "JSON per core": '{"core" : "S0-D0-C0", "counters" : 2, "GHz" : "1.2"}\n' * 2,
            "JSON without names": '{"metric-value" : "1.20"}\n' * 3,
            "JSON with units": '{"interval" : 0.1, "metric-value" : "1.20", "metric-unit" : "GHz"}\n' * 2,
            "JSON with units per core": '{"core" : "S0-D0-C0", "aggregate-number" : 2, "metric-value" : "1.2", "metric-unit" : "GHz"}\n'
            * 2,
        }.items()
    },
    **{
        f"rows below 300 lines, {name}": (
            "f.csv",
            "step 5\n" * 300 + rows,
            None,
            (f"line {number}", "is a row of perf stat -x", "'step 5' in line 1", "the program's own output is apart"),
        )
        for name, number, rows in (
            ("counts", 301, ROWS),
            ("intervals", 301, TIMED.replace(",", ";")),
            ("per core", 303, "# started on Thu\n\nS0-D0-C0\t2\t5\t\tcycles\t9\t100,00\t\n"),
        )
    },
    "metric only, JSON of perf 6.1 in intervals": (
        "f.json",
        '{}\n{"interval" : 0.050135716}{"metric-value" : ""}{"metric-value" : ""}\n',
        None,
        ("line 2", "without --metric-only"),
    ),
    "metric only, JSON below a start": (
        "f.json",
        '# started on Sat Nov 21 07:12:46 2026\n\n{"metric-value" : "1.20"}{"metric-value" : "1.30"}\n',
        None,
        ("line 3", "without --metric-only"),
    ),
    "metric only chosen": ("f.csv", "1.20,0.93,1.10,\n", "perf_stat_csv", ("line 1", "without --metric-only")),
    "metrics in JSON": ("f.json", '{"metric-value" : "1.20"}\n' * 3, "perf_stat_json", ("line 1", "without --metric-only")),
    "first columns": ("f.csv", "5,,cycles\n6,,instructions\n", "perf_stat_csv", ("line 1, '5,,cycles'", "perf stat -x';'")),
    "nothing but a start": (
        "f.csv",
        "# started on Sat Nov 21 07:12:46 2026\n\n",
        "perf_stat_csv",
        ("line 1", "perf stat -x';' -o FILE COMMAND"),
    ),
    "nothing but a start, sent": (
        "f.csv",
        "# started on Sat Nov 21 07:12:46 2026\n\n",
        None,
        ("line 1", "perf stat -x';' -o FILE COMMAND"),
    ),
    "not supported": ("f.csv", "<not supported>,,cycles,0,100.00,,\n<not counted>,,x,0,0.00,,\n", None, ("line 1", "perf_event_paranoid")),
    "not supported in JSON": (
        "f.json",
        '{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles"}\n',
        None,
        ("line 1", "perf_event_paranoid"),
    ),
    "not supported in text": ("f.txt", HEADING + "   <not supported>      cycles\n\n", None, ("line 3", "perf_event_paranoid")),
    "heading alone": ("f.txt", HEADING + "       1.002 seconds time elapsed\n", None, ("line 1", "perf stat")),
    "heading alone chosen": ("f.txt", HEADING + "       1.002 seconds time elapsed\n", "perf_stat_text", ("line 1", "`perf stat -o FILE`")),
    "text without a heading": ("f.txt", "  1,234      cycles\n", "perf_stat_text", ("line 1, '1,234      cycles'", "`perf stat -o FILE`")),
    # Perf's own complaints, and other commands of it.
    "event syntax": ("f.txt", "event syntax error: 'cyles'\n                     \\___ parser error\n", None, ("line 1", "`perf list`")),
    "event syntax in JSON": ("f.txt", "event syntax error: 'cyles'\n", "perf_stat_json", ("line 1", "perf")),
    "no permission": (
        "f.txt",
        "Error:\nAccess to performance monitoring and observability operations is limited.\n",
        "perf_stat_csv",
        ("line 1", "measure again"),
    ),
    "paranoid": ("f.txt", "You may not have permission to collect stats.\n", None, ("line 1", "kernel.perf_event_paranoid")),
    "workload": ("f.txt", "Workload failed: No such file or directory\n", None, ("line 1", "Correct the command")),
    "report": (
        "f.txt",
        "# Samples: 5K of event 'cycles'\n# Overhead  Command\n    90.00%  a  [k] b\n",
        None,
        ("line 1", "perf report", "perf stat -x';'"),
    ),
    **{
        f"commas twice {name}": (
            "f.csv",
            line * 2,
            None,
            ("line 1", "uses commas both as the separator and as the decimal mark", "LC_ALL=C"),
        )
        for name, line in {
            "per core": "S0-D0-C0,1,100,31,msec,cpu-clock,100314966,100,00,1,003,CPUs utilized\n",
            "per core without msec": "S0-D0-C0,1,49,,context-switches,100315056,100,00,488,465,/sec\n",
            "per die in intervals": "     0.100151735,S0-D0,2,49,,context-switches,100315056,100,00,488,465,/sec\n",
            "per socket": "S0,2,206,75,msec,cpu-clock,206750000,100,00,2,068,CPUs utilized\n",
            "per node": "N0,2,124,,context-switches,206750000,100,00,599,755,/sec\n",
            "a CPU not counted": "CPU0,<not counted>,,cycles,0,0,00,,\n",
            "a thread": "worker-12,124,,context-switches,206750000,100,00,599,755,/sec\n",
            "without msec": "124,,context-switches,206750000,100,00,,\n",
        }.items()
    },
    **{
        f"metric only {name}": ("f.csv", text, None, ("line", "perf started, but no count follows", "without --metric-only"))
        for name, text in {
            "for people": "# started on 2026\n\n\n Performance counter stats for 'a':\n\n\n  0.925651543 seconds time elapsed\n",
            "for people in German": "# started on 2026\n\n\n Performance counter stats for 'a':\n\n\n  1,647533825 seconds time elapsed\n",
            "without values": "# started on 2026\n\n\n\n",
            "below 300 lines": "hello 5\n" * 300 + " Performance counter stats for 'a':\n\n\n  0.9 seconds time elapsed\n",
        }.items()
    },
    "metric only per core between commas": ("f.csv", "S0-D0-C0,1,1,20,0,93,1,10,\n" * 2, None, ("line 1", "without --metric-only")),
    "script": (
        "f.txt",
        "qsort 1234 [000]  12.345678: cycles: 401000 main (a.out)\n",
        None,
        ("line 1", "perf script -F comm,tid,cpu,time,event,period", "perf stat -x';'"),
    ),
    "perf.data": ("perf.data", b"PERFILE2\x00\x01\x02\x03" * 9, None, ("line 1", "`perf stat report -i perf.data`")),
    "JSON in lines that are none": (
        "f.json",
        "{cycles: 5}\n{cycles: 6}\n",
        "perf_stat_json",
        ("line 1, '{cycles: 5}'", "`perf stat -j -o FILE`"),
    ),
    # LIKWID and PAPI.
    "likwid without its header": (
        "f.csv",
        "TABLE,Group 1 Raw,L3,1,\nA,FIXC0,5,\n",
        None,
        ("line 2, 'A,FIXC0,5,'", "`likwid-perfctr -o FILE.csv`"),
    ),
    "likwid with words": (
        "f.csv",
        LIKWID + "A,FIXC0,many,\nB,PMC0,6,\n",
        None,
        ("line 3, 'A,FIXC0,many,'", "`likwid-perfctr -o FILE.csv`"),
    ),
    "likwid with fewer counts": ("f.csv", LIKWID + "A,FIXC0\nB,PMC0,6,\n", None, ("line 3, 'A,FIXC0'", "`likwid-perfctr -o FILE.csv`")),
    "likwid without tables": ("f.csv", "STRUCT,Info,3\n", "likwid_totals", ("line 1", "`likwid-perfctr -o FILE.csv`")),
    "likwid with metrics alone": (
        "f.csv",
        "TABLE,Group 1 Metric,L3,1\nMetric,HWThread 0\n",
        "likwid_totals",
        ("line", "likwid-perfctr -o FILE.csv"),
    ),
    "time line without rows": ("f.csv", LINE, None, ("line 1", "LIKWID prints rows to stderr", "-o FILE.csv")),
    "time line of another width": (
        "f.csv",
        LINE + "1,1,2,0.1,5\n1,1,2,0.2,5,6\n",
        None,
        ("line 2", "1 events of 2", "-t 100ms -O -o FILE.csv"),
    ),
    "time line of another group": ("f.csv", LINE + "2,1,1,0.1,5\n", None, ("line 2 is of group 2", "-t 100ms -o FILE.csv")),
    "time line of metrics between spaces": (
        "f.txt",
        "# GID MetricsCount CpuCount Total runtime [s] Clock [MHz] CPI\n1 2 1 0.1 2668.01 0.44\n",
        None,
        ("line 1", "-t 100ms -O -o FILE.csv"),
    ),
    "time line without a heading": ("f.csv", "1,1,1,0.1,5\n", "likwid_timeline", ("line 1", "-t 100ms -o FILE.csv")),
    "papi cut off": ("rank_0", '{"threads": [{"id": "1",\n "regions": [', None, ("line 2", "papi_hl_output")),
    "papi without regions": ("rank_0", '{"threads": []}', None, ("line 1", "PAPI_hl_region_end")),
    "papi derived": ("r", '{"a": {"Region count": 1, "Real time in s": 32.85}, "regions": []}', "papi_hl", ("--notation=raw",)),
    "papi with a word": (
        "r",
        '{"threads": [{"regions": [{"a": {"X": "many"}}]}]}',
        None,
        ("line 1, region 'a', event 'X': 'many'", "PAPI_EVENTS"),
    ),
}
