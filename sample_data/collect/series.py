"""The series: many runs of the staged programs, slot by slot, all events counted (OCOE) or one in k slots (MPX)."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from hemcore.mpx.virtual import counted_slots
from sample_data.collect import cache
from sample_data.collect.build import Program
from sample_data.collect.parquet import write_parquet
from sample_data.collect.read import EVENTS, Reading, read_events

SLOT_BLOCKS = 8_000
OCOE_RUNS = 60
MPX_RUNS = 12
SLOTS_PER_COUNT = 4
"""13 events on 4 counters: each event is counted in one of every 4 slots."""


def collect(programs: Sequence[Program], *, ocoe_runs: int = OCOE_RUNS, mpx_runs: int = MPX_RUNS, cores: int) -> None:
    """Make the readings that are not kept yet."""
    makers = [
        (_key(program, run), partial(read_events, program, run, granularity=SLOT_BLOCKS))
        for program in programs
        for run in range(1, ocoe_runs + mpx_runs + 1)
    ]
    cache.make_all("series", makers, workers=cores)


def write(programs: Sequence[Program], folder: Path, *, ocoe_runs: int = OCOE_RUNS, mpx_runs: int = MPX_RUNS) -> None:
    """Write ocoe.parquet (runs 1 to ocoe_runs), mpx.parquet (the runs after them, hidden slots empty) and mpx_truth.parquet."""
    ocoe = [_frame(program, run) for program in programs for run in range(1, ocoe_runs + 1)]
    write_parquet(pd.concat(ocoe, ignore_index=True), folder / "ocoe.parquet")
    truth = [_frame(program, run) for program in programs for run in range(ocoe_runs + 1, ocoe_runs + mpx_runs + 1)]
    shown = [_multiplexed(frame) for frame in truth]
    write_parquet(pd.concat(truth, ignore_index=True), folder / "mpx_truth.parquet")
    write_parquet(pd.concat(shown, ignore_index=True), folder / "mpx.parquet")


def _multiplexed(frame: pd.DataFrame) -> pd.DataFrame:
    # Each run starts its rotation elsewhere, as a timer that the program knows nothing of would.
    counted = counted_slots(len(frame), len(EVENTS), SLOTS_PER_COUNT, start=int(frame["run"].iloc[0]))
    events = frame[list(EVENTS)].astype("Int64").mask(~counted)
    return pd.concat([frame.drop(columns=list(EVENTS)), events], axis=1)


def _frame(program: Program, run: int) -> pd.DataFrame:
    reading = cache.load(_key(program, run))
    slots = reading.phases
    described = {
        "program": program.name,
        "run": run,
        "slot": np.arange(len(slots)),
        "stage": _stages(reading),
        "blocks": [SLOT_BLOCKS] * (len(slots) - 1) + [reading.last_blocks],
    }
    return pd.concat([pd.DataFrame(described), pd.DataFrame(np.array(slots), columns=list(EVENTS))], axis=1)


def _stages(reading: Reading) -> list[str]:
    """The stage of each slot: the one that had most of the slot's basic blocks."""
    stages = [""] * len(reading.phases)
    bounds = [(name, phase * SLOT_BLOCKS + blocks) for name, phase, blocks in reading.stages] + [("", len(stages) * SLOT_BLOCKS)]
    for slot in range(len(stages)):
        start, stop = slot * SLOT_BLOCKS, (slot + 1) * SLOT_BLOCKS
        shares = [(min(end, stop) - max(begin, start), name) for (name, begin), (_, end) in pairwise(bounds)]
        stages[slot] = max(shares, key=lambda share: share[0])[1]
    return stages


def _key(program: Program, run: int) -> str:
    return f"series/{program.fingerprint}/{run}"
