"""Inputs by seed and number, and the table of what became of them."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from tests.hostile.mutations import mutated
from tests.hostile.originals import originals
from tests.hostile.verdict import FAULTS, SOUND, judge

DIED = "died"
_AT_ONCE = 25
Told = tuple[int, str, str, str, str]


def outcome(seed: int, number: int) -> Told:
    """(number, original, kind, verdict, why) of input `number` of `seed`; the same again whenever it is asked for."""
    chance = random.Random(f"{seed} {number}")
    original = chance.choice(originals())
    mutation = mutated(original.files, chance)
    found = judge(original, mutation)
    return number, original.name, mutation.kind, found.verdict, found.why


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
                        yield number, "?", "?", DIED, "the process that read it ended"
            again = again[1:]
        parts = again
