"""Pairs of readings: one program collected before and after a change that is known, with the truth of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from sample_data.collect import cache
from sample_data.collect.build import COLLECT, CollectError, Program
from sample_data.collect.read import EVENTS, Reading, read_cycles, read_events
from sample_data.collect.subexperiments import ANCHOR, HEMS, HRM_GROUPS, REPEATS, write_csv

RUNS = 60
FIRST_SEED = 400_000
_SOURCE = COLLECT / "changed_programs" / "particle_box.c"


@dataclass(frozen=True)
class Variant:
    """One set of a pair: its `name`, further `flags` of the compiler and the size of the input in percent."""

    name: str
    flags: tuple[str, ...] = ()
    scale: int = 100

    @property
    def program(self) -> Program:
        """The program built with the flags; the larger input is read from the same executable as before."""
        return Program("-".join(("particle_box", *(flag.strip("-") for flag in self.flags))), "pairs", _SOURCE, self.flags)

    def key(self, what: str, seed: int) -> str:
        """Where the reading `what` of the run `seed` is kept."""
        return f"pairs/{self.program.fingerprint}/{self.scale}/{what}/{seed}"


VARIANTS = (Variant("before"), Variant("larger", scale=150), Variant("o1", ("-O1",)), Variant("arrays", ("-DHEM_ARRAYS",)))


def seeds(group: int, runs: int = RUNS) -> range:
    """The runs of a subexperiment, or, after the last, of the truth: the same in every variant, so that runs can be paired."""
    return range(FIRST_SEED + group * RUNS, FIRST_SEED + group * RUNS + runs)


def collect(variants: Sequence[Variant], *, runs: int = RUNS, cores: int, measured_core: str) -> None:
    """Make the readings that are not kept yet. CYCLES of all variants are taken in turn: the machine is the same for each."""
    wanted = [seed for group in range(len(HRM_GROUPS) + 1) for seed in seeds(group, runs)]
    makers = [(each.key("cycles", seed), partial(_fewest_cycles, each, seed, measured_core)) for seed in wanted for each in variants]
    cache.make_all("pairs, cycles", makers, workers=1)
    makers = [
        (each.key("events", seed), partial(read_events, each.program, seed, scale=each.scale)) for seed in wanted for each in variants
    ]
    cache.make_all("pairs, events", makers, workers=cores)


def write(variants: Sequence[Variant], folder: Path, *, runs: int = RUNS) -> None:
    """Write the subexperiments of each variant, a file each, and its truth."""
    for each in variants:
        frames = [pd.DataFrame([_row(each, seed) for seed in seeds(group, runs)]) for group in range(len(HRM_GROUPS) + 1)]
        for number, hems in enumerate(HRM_GROUPS):
            write_csv(frames[number][list(hems)], folder / each.name / f"subexperiment_{number + 1}.csv.gz")
        write_csv(frames[-1][list(HEMS)], folder / f"{each.name}_truth.csv.gz")


def _row(variant: Variant, seed: int) -> dict[str, int]:
    events, cycles = cache.load(variant.key("events", seed)), cache.load(variant.key("cycles", seed))
    if events.result != cycles.result:
        raise CollectError(f"seed {seed}: a native run differs from the run under valgrind. Delete the readings and collect again.")
    return dict(zip(EVENTS, events.phases[0], strict=True)) | {ANCHOR: cycles.phases[0][0]}


def _fewest_cycles(variant: Variant, seed: int, core: str) -> Reading:
    several = (read_cycles(variant.program, seed, scale=variant.scale, cores=core) for _ in range(REPEATS))
    return min(several, key=lambda reading: reading.phases[0][0])
