"""Inputs by seed and number, and the table of what became of them."""

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from tests.hostile.mutations import mutated
from tests.hostile.originals import originals
from tests.hostile.verdict import FAULTS, SOUND, judge, read_before

DIED = "died"
_AT_ONCE = 25
# What a read may take beside four times its input: bytes.
_BOUND = 300 << 20
Cost = tuple[int, float, int]
Told = tuple[int, str, str, str, str, Cost]


def outcome(seed: int, number: int) -> Told:
    """(number, original, kind, verdict, why, cost) of input `number` of `seed`; the same again but for the cost whenever it is asked for.

    cost: bytes sent, seconds of the processor, and bytes by which the process grew at most (0 where /proc does not say).
    """
    chance = random.Random(f"{seed} {number}")
    original = chance.choice(originals())
    mutation = mutated(original.files, chance)
    read_before(original)
    held, begun = _resident("VmRSS", afresh=True), time.process_time()
    found = judge(original, mutation)
    cost = sum(file.size for file in mutation.files), time.process_time() - begun, max(0, _resident("VmHWM") - held)
    return number, original.name, mutation.kind, found.verdict, found.why, cost


def _resident(field: str, *, afresh: bool = False) -> int:
    """Bytes of this process now ("VmRSS") or at most ("VmHWM") since it was last asked `afresh`; 0 where the system does not say."""
    try:
        if afresh:
            Path("/proc/self/clear_refs").write_text("5")
        return next(int(line.split()[1]) << 10 for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    except OSError:
        return 0


def costs_of(costs: Sequence[Cost]) -> str:
    """Lines on time and memory: median, 99th percentile and most of each, and the most of a bound of 4 times the input and 300 MB."""
    sent, seconds, grown = np.array(costs, dtype=float).T
    lines = [
        f"{name}: median {np.median(each):,.{digits}f}, 99% {np.percentile(each, 99):,.{digits}f}, most {each.max():,.{digits}f}"
        for name, each, digits in (("seconds of the processor", seconds, 3), ("MB grown by", grown / (1 << 20), 1))
    ]
    return "\n".join([*lines, f"of the bound of memory at most {(grown / (4 * sent + _BOUND)).max():.2f}"])


def table_of(counts: Counter[tuple[str, str]]) -> str:
    """A row a kind of mutation, a column a verdict."""
    verdicts = [*SOUND, *FAULTS, DIED]
    kinds = sorted({kind for kind, _ in counts})
    rows = [["mutation", *verdicts, "all"]]
    for kind in [*kinds, "all"]:
        each = [sum(times for (k, v), times in counts.items() if v == verdict and kind in (k, "all")) for verdict in verdicts]
        rows.append([kind, *(f"{times:,}" for times in each), f"{sum(each):,}"])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def outcomes(seed: int, numbers: Iterable[int]) -> list[Told]:
    """Of several inputs."""
    return [outcome(seed, number) for number in numbers]


def campaign(seed: int, inputs: int, processes: int) -> Iterator[Told]:
    """Every input of `seed`, read in processes of their own; one that ends its process has the verdict DIED."""
    parts = [range(first, min(first + _AT_ONCE, inputs)) for first in range(0, inputs, _AT_ONCE)]
    while parts:
        again = []
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            for part, future in [(part, pool.submit(outcomes, seed, part)) for part in parts]:
                try:
                    yield from future.result()
                except BrokenProcessPool:
                    again.append(part)
        if again and len(again) == len(parts):
            # Alone it shows which: the first part broke the pool, one input of it did.
            for number in again[0]:
                with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
                    try:
                        yield pool.submit(outcome, seed, number).result()
                    except BrokenProcessPool:
                        yield number, "?", "?", DIED, "the process that read it ended", (0, 0.0, 0)
            again = again[1:]
        parts = again
