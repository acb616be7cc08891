"""The phases: every program cut into phases of several granularities, read under three loads."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from sample_data.collect import cache
from sample_data.collect.build import CollectError, Program, build_stream
from sample_data.collect.parquet import write_parquet
from sample_data.collect.read import EVENTS, Reading, read_cycles, read_events

SEED = 1
GRANULARITIES = (1_000, 3_000, 10_000, 30_000)
LOADS = ("single core", "dual core no load", "dual core full load")
REPEATS = 11


def collect(programs: Sequence[Program], *, granularities: Sequence[int] = GRANULARITIES, repeats: int = REPEATS, cores: int) -> None:
    """Make the readings that are not kept yet. On one core the dual core loads are left out, since nobody can read them there."""
    for load in LOADS if cores > 1 else LOADS[:1]:
        makers = [
            (_key(load, program, n, repeat), partial(_read, program, n, load))
            for repeat in range(repeats)  # outermost: a slow minute of the machine spoils one repeat of each, not every repeat of one
            for program in programs
            for n in granularities
        ]
        if all(cache.kept(key).exists() for key, _ in makers):
            continue
        with _stream_on_core("0") if load == "dual core full load" else _nothing():
            cache.make_all(f"phases, cycles, {load}", makers, workers=1)
    cache.make_all(
        "phases, events",
        [
            (_key("events", program, n, 0), partial(read_events, program, SEED, granularity=n))
            for program in programs
            for n in granularities
        ],
        workers=cores,
    )


def write(
    programs: Sequence[Program], folder: Path, *, granularities: Sequence[int] = GRANULARITIES, repeats: int = REPEATS, cores: int
) -> None:
    """Write phases.parquet: a row a program, granularity, load and phase."""
    loads = LOADS if cores > 1 else LOADS[:1]
    frames = [_frame(program, n, loads, repeats) for program in programs for n in granularities]
    write_parquet(pd.concat(frames, ignore_index=True), folder / "phases.parquet")


def _frame(program: Program, granularity: int, loads: Sequence[str], repeats: int) -> pd.DataFrame:
    events = cache.load(_key("events", program, granularity, 0))
    n_phases = len(events.phases)
    counted = pd.DataFrame(np.array(events.phases), columns=list(EVENTS))
    frames = []
    for load in loads:
        readings = [cache.load(_key(load, program, granularity, repeat)) for repeat in range(repeats)]
        if any(reading.result != events.result or len(reading.phases) != n_phases for reading in readings):
            raise CollectError(f"{program.name}: a native run differs from the run under valgrind. Delete the readings and collect again.")
        cycles = np.array([reading.phases for reading in readings])[:, :, 0]
        low, high = np.percentile(cycles, [25, 75], axis=0, method="nearest")
        described = {
            "program": program.name,
            "domain": program.domain,
            "granularity": granularity,
            "load": load,
            "phase": np.arange(n_phases),
            "blocks": [granularity] * (n_phases - 1) + [events.last_blocks],
            "CYCLES": cycles.min(axis=0),
            "CYCLES_IQR": high - low,
        }
        frames.append(pd.concat([pd.DataFrame(described), counted], axis=1))
    return pd.concat(frames, ignore_index=True)


def _read(program: Program, granularity: int, load: str) -> Reading:
    # Core 1 throughout; without load the scheduler may use core 0 as well, under full load core 0 is STREAM's.
    return read_cycles(program, SEED, granularity=granularity, cores="0,1" if load == "dual core no load" else "1")


def _key(what: str, program: Program, granularity: int, repeat: int) -> str:
    return f"phases/{what.replace(' ', '_')}/{program.fingerprint}/{granularity}-{repeat}"


@contextmanager
def _stream_on_core(core: str) -> Iterator[None]:
    stream = subprocess.Popen(["taskset", "-c", core, str(build_stream())], stdout=subprocess.PIPE, text=True)
    try:
        if stream.stdout is None or stream.stdout.readline().strip() != "running":
            raise CollectError("the load program did not start; it needs 96 MiB of memory.")
        yield
    finally:
        stream.kill()
        stream.wait()


@contextmanager
def _nothing() -> Iterator[None]:
    yield
