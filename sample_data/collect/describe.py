"""Writes sample_data/README.md from the files themselves, so that rows and ranges in it are those of the files."""

import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

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
}
_TITLES = {
    "subexperiments/hrm_stacked.csv.gz": "HRM collection: 3 subexperiments of 6 HEMs side by side, CYCLES (the anchor) in each. Rows of"
    " different subexperiments are different runs; a HEM's second column is NAME.1.",
    "subexperiments/much_stacked.csv.gz": "MUCH collection: 7 subexperiments of 6 HEMs side by side; each of the 91 pairs of the 14 HEMs is"
    " read together at least once.",
    "subexperiments/truth.csv.gz": "Truth: further runs, all 14 HEMs read together.",
    "subexperiments/runs.csv.gz": "Which run each row of the three collections is. No run serves two subexperiments.",
    "phases/phases.parquet": "Phases of 32 short programs, four in each of the eight domains: 13 events and CYCLES a phase, three loads.",
    "series/ocoe.parquet": "Series of the staged programs, every event counted in every slot (OCOE).",
    "series/mpx.parquet": "Multiplexed series (MPX): runs of their own, each event counted in one of every four slots; empty = hidden.",
    "series/mpx_truth.parquet": "The runs of mpx.parquet with nothing hidden: their truth.",
    "signatures/signatures_synthetic.csv.gz": "SYNTHETIC job signatures in the `;`-separated layout of EAR 6's `eacct -l -c`: drawn, no job"
    " was run.",
    "signatures/signatures_synthetic_kinds.csv.gz": "The kind that each synthetic job was drawn as (`;`-separated).",
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
| more signatures | `python -m sample_data.collect --signatures 1000000 --to FOLDER` |
| machine | {machine["processor"]}, {machine["cores"]} cores, {machine["system"]} |
| tools | {machine["gcc"]}; {machine["glibc"]}; {machine["valgrind"]} |

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

## What they are not

- The caches and the branch predictor are Valgrind's models, not a processor's: no prefetching, no speculation, no TLB, one core.
- CYCLES are ticks of the time-stamp counter of the machine named above (a virtual one), at a constant rate, not core cycles at its clock,
  and not the cycles of a Cortex-A53. The modelled caches are smaller than that machine's.
- The three loads have the same events: callgrind runs the program alone. Only CYCLES and CYCLES_IQR differ between them.
- A slot is a number of basic blocks, not of milliseconds.
- `hems/t2080.csv` holds no readings: it lists the 16 HEMs of an NXP T2080 that the vignette of mergingTools reads, for planning.
- The signatures are synthetic. Their kinds are what they were drawn as, not what EAR would say; ranges are our judgement of a two-socket
  node (112 cores, 614.4 GB/s, 7,168 GFLOPS in double precision). IDLE jobs have a signature of zeros and EARL_ENABLED 0, as where EAR's
  library was not loaded."""
