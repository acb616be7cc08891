"""Writes sample_data/README.md from the files themselves, so that rows and ranges in it are those of the files."""

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from sample_data.collect import synthetic_events, synthetic_power

_EVENTS = {
    "CYCLES": ("time-stamp ticks, fewest of the repeated native runs", "ticks"),
    "CYCLES_IQR": ("spread of the repeated native runs: third minus first quartile", "ticks"),
    "Ir": ("instructions executed", "count"),
    "Dr": ("data reads", "count"),
    "Dw": ("data writes", "count"),
    "I1mr": ("L1 instruction cache misses (simulated)", "count"),
    "D1mr": ("L1 data cache read misses (simulated)", "count"),
    "D1mw": ("L1 data cache write misses (simulated)", "count"),
    "ILmr": ("last-level cache misses of instructions (simulated)", "count"),
    "DLmr": ("last-level cache read misses of data (simulated)", "count"),
    "DLmw": ("last-level cache write misses of data (simulated)", "count"),
    "Bc": ("conditional branches executed", "count"),
    "Bcm": ("conditional branches mispredicted (simulated)", "count"),
    "Bi": ("indirect branches executed", "count"),
    "Bim": ("indirect branches mispredicted (simulated)", "count"),
}
_COLUMNS = {
    "collection": ("hrm, much or truth", ""),
    "subexperiment": ("number within the collection", ""),
    "row": ("row of that subexperiment's file, from 1", ""),
    "seed": ("the run: the request server's seed", ""),
    "program": ("name of the C file that was run", ""),
    "domain": ("application domain of the program (Mahajan's thesis, section 6.2)", ""),
    "granularity": ("basic blocks a phase", "basic blocks"),
    "load": ("what else ran: single core, dual core no load, dual core full load", ""),
    "phase": ("number of the phase, from 0", ""),
    "blocks": ("basic blocks really executed; fewer in the last one", "basic blocks"),
    "run": ("number of the run, which is its seed", ""),
    "slot": ("number of the slot, from 0", ""),
    "stage": ("the stage of the program that had most of the slot", ""),
    "JOBID": ("number of the job", ""),
    "KIND": ("what the job was drawn as", ""),
    "metric": ("node of the top-down tree", ""),
    "level": ("its level in the tree", ""),
    **dict.fromkeys(("start-up", "compute", "memory", "branchy"), ("its share of the slots of that phase", "")),
    "whole run": ("its share of the slots of a run: 10%, 30%, 40% and 20% of the four phases", ""),
    **{name: (event.description, "count") for name, event in synthetic_events.EVENTS.items()},
    synthetic_power.TIME: ("duration of the phase", "s"),
    synthetic_power.POWER: ("power of the cores", "W"),
    synthetic_power.VOLTAGE: ("their supply", "V"),
    synthetic_power.FREQUENCY: ("their clock", "MHz"),
    synthetic_power.TEMPERATURE: ("their temperature", "°C"),
    **{name: (f"{energy:g} nJ each at 1 V", "count") for name, energy in synthetic_power.NANOJOULES.items()},
}
_TITLES = {
    "subexperiments/hrm_stacked.csv.gz": "HRM collection: 3 subexperiments of 6 HEMs side by side, CYCLES (the anchor) in each. Rows of"
    " different subexperiments are different runs; a HEM's second column is NAME.1.",
    "subexperiments/much_stacked.csv.gz": "MUCH collection: 7 subexperiments of 6 HEMs side by side; each of the 91 pairs of the 14 HEMs is"
    " read together at least once.",
    "subexperiments/truth.csv.gz": "Truth: further runs, all 14 HEMs read together.",
    "subexperiments/runs.csv.gz": "Which run each row of the three collections is. No run serves two subexperiments.",
    **{
        f"pairs/{name}{part}.csv.gz": f"{what}, {title}"
        for name, what in (
            ("before", "The particle box before any change"),
            ("arrays", "The particle box with an array per field instead of an array of structs of 64 bytes"),
            ("o1", "The particle box compiled with -O1 instead of -O2"),
            ("larger", "The particle box with half as many particles again"),
        )
        for part, title in (
            ("/subexperiment_1", "first of its 3 subexperiments (HRM)."),
            ("/subexperiment_2", "second of its 3 subexperiments."),
            ("/subexperiment_3", "third of its 3 subexperiments."),
            ("_truth", "truth: further runs, all 14 HEMs read together."),
        )
    },
    "phases/phases.parquet": "Phases of 32 short programs, four in each of eight domains, and of the request server's day: 13 events and"
    " CYCLES a phase, three loads.",
    "series/ocoe.parquet": "Series of the request server's day and of eight other staged programs, every event counted"
    " in every slot (OCOE).",
    "series/mpx.parquet": "Multiplexed series (MPX): runs of their own, each event counted in one of every four slots; empty = hidden.",
    "series/mpx_truth.parquet": "The runs of mpx.parquet with nothing hidden: their truth.",
    "signatures/signatures_synthetic.csv.gz": "SYNTHETIC job signatures in the `;`-separated layout of EAR 6's `eacct -l -c`: drawn, no job"
    " was run. JOBNAME is `synthetic_` and a name, the request server's and the staged programs' among them: no reading of those programs.",
    "signatures/signatures_synthetic_kinds.csv.gz": "The kind that each synthetic job was drawn as (`;`-separated).",
    "subexperiments/synthetic_truth.csv.gz": "SYNTHETIC runs, all 45 events read together, drawn so that the mean of each event is the"
    " model's: the truth of `subexperiments/synthetic_separate/`, whose ten files hold 60 runs each of 8 of these events.",
    "subexperiments/synthetic_shares.csv.gz": "The shares that the SYNTHETIC counts were drawn from, 0 to 1.",
    "series/synthetic.parquet": "SYNTHETIC series: six runs of a program in four phases, every event in every interval of 10,000 cycles on"
    " average.",
    "phases/synthetic.parquet": "SYNTHETIC phases: the four phases of twelve runs.",
    "phases/power.parquet": "SYNTHETIC phases with power: 24 programs at four frequencies, drawn from a known law of power"
    " (`collect/synthetic_power.py`); no processor was measured.",
}
_SIGNATURE_COLUMNS = {
    "TIME_SEC": ("duration", "s"),
    "CPI": ("cycles an instruction", ""),
    "TPI": ("bytes of memory traffic per instruction, as EAR computes it", "B"),
    "MEM_GBS": ("memory bandwidth of the node", "10^9 B/s"),
    "CPU_GFLOPS": ("floating point rate of the node, single and double precision together", "10^9/s"),
    "IO_MBS": ("input and output", "MB/s"),
    "DC_NODE_POWER_W": ("power of the node", "W"),
    "CYCLES": ("cycles of all cores", "cycles"),
    "INSTRUCTIONS": ("instructions of all cores", "count"),
}


def write(folder: Path) -> None:
    """Write README.md into `folder`, which holds a complete collection."""
    machine = json.loads((folder / "machine.json").read_text())
    parts = [_head(machine)]
    for relative, title in _TITLES.items():
        parts.append(_section(relative, title, folder / relative))
    (folder / "README.md").write_text("\n".join(parts) + "\n")


def read_table(path: Path) -> pd.DataFrame:
    """A sample file as it is, whatever its format."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path, sep=";" if path.name.startswith("signatures") else ",")


def _section(relative: str, title: str, path: Path) -> str:
    frame = read_table(path)
    lines = [f"\n## `{relative}`\n", f"{title}\n", f"{len(frame):,} rows, {frame.shape[1]} columns.\n"]
    if relative.startswith("subexperiments/") and relative.endswith("_stacked.csv.gz"):
        lines.append(f"The same readings, one file per subexperiment: `{relative.replace('_stacked.csv.gz', '_separate/')}`.\n")
    described: Mapping[str, tuple[str, str]] = _COLUMNS | _EVENTS
    columns = list(frame.columns)
    if relative.endswith("synthetic.csv.gz"):
        described, columns = _SIGNATURE_COLUMNS, [name for name in columns if name in _SIGNATURE_COLUMNS]
        lines.append(
            "The columns that carry the signature; the others are those of `eacct`, in its order (identifiers, FLOP and GPU counters).\n"
        )
    lines += ["| column | what | unit | least | largest |", "|---|---|---|---|---|"]
    for name in columns:
        what, unit = described[name.split(".")[0]]
        lines.append(f"| {name} | {what} | {unit} | {_bound(frame[name], 'min')} | {_bound(frame[name], 'max')} |")
    return "\n".join(lines)


def _bound(column: pd.Series, which: str) -> str:
    if not pd.api.types.is_numeric_dtype(column):
        return f"{column.nunique()} values" if which == "min" else ""
    bound = getattr(column, which)()
    return f"{bound:,}" if pd.api.types.is_integer_dtype(column) or float(bound).is_integer() else f"{bound:.6f}"


def _head(machine: dict) -> str:
    return f"""# Sample data

Readings that this project made itself: real programs of its own, run under Valgrind for their events and natively for their cycles. Every
page starts on them, and every method is tested on them, because their truth is known. Licence: Apache-2.0, as the project's. This page is
written by the collector from the files themselves.

| | |
|---|---|
| made by | `make sample-data` ([collect/](collect/)): builds the programs and collects everything, resumes where it stopped |
| a quick check | `make sample-data-quick`: a small collection of each kind, written to `collect/build/quick` |
| answers | `make sample-answers` writes `answers/`: what the pages would take long to answer about these files, and pictures for Home |
| the synthetic processor | `python -m sample_data.collect --only synthetic`: a minute, no tools needed |
| more signatures | `python -m sample_data.collect --signatures 1000000 --to FOLDER` |
| machine | {machine["processor"]}, {machine["cores"]} cores, {machine["system"]} |
| tools | {machine["gcc"]}; {machine["glibc"]}; {machine["valgrind"]} |

## One program from plan to report

| step | what of the request server |
|---|---|
| plan | `hems/request_server.csv`: its 14 HEMs. Six at a time, seven subexperiments read every pair; no plan needs fewer |
| subexperiments | `subexperiments/`: whole runs of [request_server.c](collect/long_programs/request_server.c), in seven groups (MUCH) |
| series | `series/`: a day of the same server, [request_server_day.c](collect/long_programs/request_server_day.c), in seven stages |
| phases | `phases/`: the same day's first run in phases, with its CYCLES, beside 32 other programs to learn from |
| signatures | `signatures/`: jobs of its name among others, synthetic |

The Metrics page opens on the request server; its tree is a model of the cycles, since Valgrind counts no slots. A top-down tree of three
levels, from plan to metrics, is that of the synthetic processor below.

The series hold eight other staged programs too, and the phases 32 short ones, since models are trained on many.

## How the readings are made

gcc's `-fsanitize-coverage=trace-pc` calls the phase runtime ([collect/runtime](collect/runtime)) at every basic block. Every N blocks (the
granularity) it ends a phase: natively it stores the difference of the time-stamp counter, under `valgrind --tool=callgrind` it asks for a
dump of the 13 events. Phase i of one is phase i of the other: the program's checksum and its number of phases must agree, or the
collection stops. The callback's three instructions, load, store and branch per basic block are part of the phases and of the series; whole
runs (the subexperiments) are of programs built without it. Only the program's own work is measured, not its start.

A program takes a seed, which decides the size and the content of its input; the same seed gives the same run, event for event. It uses no
library, so another machine with the same gcc, glibc and Valgrind counts the same.

- Caches of a Cortex-A53: 32 KiB 2-way L1 instructions, 32 KiB 4-way L1 data, 512 KiB 16-way last level, 64-byte lines, cold at the start.
- CYCLES of a whole run: the fewest of 5 native runs, pinned to one core. CYCLES of a phase: the fewest of 11 native runs, phase by phase.
- Loads of the phases: `single core` is pinned to core 1; `dual core no load` may use cores 0 and 1; `dual core full load` is pinned to
  core 1 while [collect/load/stream.c](collect/load/stream.c) keeps core 0 and the memory busy. Without it, no load program runs.
- Slots of the series: 8,000 basic blocks each. MPX: slot i counts group (i + run) mod 4 of four groups of neighbouring events.

## Before and after a change

`pairs/`: one program, [particle_box.c](collect/changed_programs/particle_box.c), collected before and after each of three known changes:
another data layout, -O1 instead of -O2, and an input half as large again. Nothing else differs. Seeds are the same in all four sets, so
run i of one is run i of another; their CYCLES were timed in turn, while the machine had other work too. For the page Compare, which shows
the change of the truth beside its answer. `python -m sample_data.collect --only pairs` makes them again.

## What they are not

- The caches and the branch predictor are Valgrind's models, not a processor's: no prefetching, no speculation, no TLB, one core.
- CYCLES are ticks of the time-stamp counter of the machine named above (a virtual one), at a constant rate, not core cycles at its clock,
  and not the cycles of a Cortex-A53. The modelled caches are smaller than that machine's.
- The three loads have the same events: callgrind runs the program alone. Only CYCLES and CYCLES_IQR differ between them.
- The machine was about 5% faster when the HRM collection was timed than when the truth was: CYCLES, and what is computed with them, differ
  by more than chance.
- The request server's phases were timed after the others', on a machine of the same kind. Timed again with it, eleven times each, the
  others took less than is recorded here, in the median 1.4% on a single core (31 of the 32 between 0.6% and 2.1%), 2.0% without load and
  2.2% under full load (where two that need the memory differ by 11% and 15%). So its CYCLES are about 2% low beside theirs. The events of
  two of them were read again and are the same.
- A slot is a number of basic blocks, not of milliseconds.
- `hems/t2080.csv` holds no readings: it lists the 16 HEMs of an NXP T2080 that the vignette of mergingTools reads, for planning;
  `hems/request_server.csv` lists those of the subexperiments.
- The signatures are synthetic. Their kinds are what they were drawn as, not what EAR would say; ranges are our judgement of a two-socket
  node (112 cores, 614.4 GB/s, 7,168 GFLOPS in double precision). IDLE jobs have a signature of zeros and EARL_ENABLED 0, as where EAR's
  library was not loaded.

## The synthetic processor

No such processor exists, and no program was run. Its 45 events, all named SYN_, are drawn from a top-down tree of three levels: four slots
per cycle, a million cycles per run, and the share of the slots that each phase loses to each of 19 leaves
([synthetic_processor.py](collect/synthetic_processor.py)). All other counts follow from these, such as 24 slots for each mispredicted
conditional branch ([synthetic_events.py](collect/synthetic_events.py)). So the truth is known exactly: 18.8% of the slots wait for memory
(DRAM bound).

- Runs differ: in the work done (20%), in the length of each phase (10%) and in each leaf, misses the most (lognormal, mean 1); events are
  then drawn (Poisson, binomial), so rare ones scatter by chance too.
- Six counters can be programmed, two are fixed; 14 events fit only some counters (`hems/synthetic.csv`).
- `subexperiments/synthetic_separate/` follows the plan that `hem.plan` gives for the pairs of events that some metric needs: 10
  subexperiments, where a greedy plan needs 13 and every event once 8. The definitions of the metrics are the project's own set `synthetic`.
- Runs of a phase table that are called `synthetic_run_01` and so on are runs of the one program."""
