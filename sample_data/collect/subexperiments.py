"""The subexperiments: whole runs of the request server, read in groups of six as six PMCs would, and the truth with all together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from sample_data.collect import cache
from sample_data.collect.build import CollectError, request_server
from sample_data.collect.read import EVENTS, Reading, read_cycles, read_events

ANCHOR = "CYCLES"
HEMS = (ANCHOR, *EVENTS)
N_PMCS = 6
REPEATS = 5
"""Native runs of one input; its CYCLES are the fewest of them, so that an interrupt does not count as the program's."""

# CYCLES in each; Ir and Dr fill the last group.
HRM_GROUPS = (
    (ANCHOR, "Ir", "Dr", "Dw", "I1mr", "D1mr"),
    (ANCHOR, "D1mw", "ILmr", "DLmr", "DLmw", "Bc"),
    (ANCHOR, "Bcm", "Bi", "Bim", "Ir", "Dr"),
)


def much_groups() -> list[tuple[str, ...]]:
    """Seven groups of six in which each of the 91 pairs of the 14 HEMs stands at least once: the fewest possible (Schonheim's bound).

    The HEMs are taken in seven couples; the couples of a group are a line of the Fano plane.
    """
    couples = [HEMS[i : i + 2] for i in range(0, 14, 2)]
    lines = [(i, (i + 1) % 7, (i + 3) % 7) for i in range(7)]
    return [tuple(hem for hem in HEMS if any(hem in couples[i] for i in line)) for line in lines]


@dataclass(frozen=True)
class Collection:
    """Runs of one purpose: its groups of HEMs, the runs of each and the seed of the first (no two collections share a seed)."""

    name: str
    groups: Sequence[tuple[str, ...]]
    runs: int
    first_seed: int

    def seeds(self, group: int) -> range:
        return range(self.first_seed + group * self.runs, self.first_seed + (group + 1) * self.runs)


def collections(*, runs: int = 500, truth_runs: int = 1_000) -> list[Collection]:
    """The HRM collection, the MUCH collection and the truth."""
    return [
        Collection("hrm", HRM_GROUPS, runs, 100_000),
        Collection("much", much_groups(), runs, 200_000),
        Collection("truth", [HEMS], truth_runs, 300_000),
    ]


def collect(chosen: Sequence[Collection], *, cores: int, measured_core: str) -> None:
    """Make the readings of `chosen` that are not kept yet."""
    program = request_server()
    seeds = [seed for collection in chosen for group in range(len(collection.groups)) for seed in collection.seeds(group)]
    cache.make_all(
        "subexperiments, cycles",
        [(_key("cycles", seed), partial(_fewest_cycles, seed, measured_core)) for seed in seeds],
        workers=1,
    )
    cache.make_all(
        "subexperiments, events",
        [(_key("events", seed), partial(read_events, program, seed)) for seed in seeds],
        workers=cores,
    )


def write(chosen: Sequence[Collection], folder: Path) -> None:
    """Write each collection stacked side by side, each subexperiment as a file of its own, the truth, and which run is which row."""
    runs = []
    for collection in chosen:
        frames = []
        for group, hems in enumerate(collection.groups):
            rows = [_row(seed) for seed in collection.seeds(group)]
            frames.append(pd.DataFrame(rows)[list(hems)])
            runs += [(collection.name, group + 1, row + 1, seed) for row, seed in enumerate(collection.seeds(group))]
        if len(frames) == 1:
            write_csv(frames[0], folder / f"{collection.name}.csv.gz")
            continue
        stacked = pd.concat(frames, axis=1)
        stacked.columns = pd.Index(_numbered(list(stacked.columns)), dtype=str)
        write_csv(stacked, folder / f"{collection.name}_stacked.csv.gz")
        for number, frame in enumerate(frames, start=1):
            write_csv(frame, folder / f"{collection.name}_separate" / f"subexperiment_{number}.csv.gz")
    write_csv(pd.DataFrame(runs, columns=["collection", "subexperiment", "row", "seed"]), folder / "runs.csv.gz")


def _row(seed: int) -> dict[str, int]:
    events, cycles = cache.load(_key("events", seed)), cache.load(_key("cycles", seed))
    if events.result != cycles.result:
        raise CollectError(f"seed {seed}: a native run differs from the run under valgrind. Delete the readings and collect again.")
    return dict(zip(EVENTS, events.phases[0], strict=True)) | {ANCHOR: cycles.phases[0][0]}


def _fewest_cycles(seed: int, core: str) -> Reading:
    return min((read_cycles(request_server(), seed, cores=core) for _ in range(REPEATS)), key=lambda reading: reading.phases[0][0])


def _key(what: str, seed: int) -> str:
    return f"subexperiments/{request_server().fingerprint}/{what}/{seed}"


def _numbered(names: Sequence[str]) -> list[str]:
    """R's way with repeated column names: the second is NAME.1."""
    met: dict[str, int] = {}
    numbered = []
    for name in names:
        numbered.append(f"{name}.{met[name]}" if name in met else name)
        met[name] = met.get(name, 0) + 1
    return numbered


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write `frame` compressed; the same readings make the same file, byte for byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # No time of writing in the gzip header: the same readings make the same file.
    frame.to_csv(path, index=False, compression={"method": "gzip", "compresslevel": 9, "mtime": 1})
