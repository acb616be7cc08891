"""A processor that does not exist, running a program that does not exist: counts drawn from a top-down tree whose shares are known.

Slots are lost to 19 leaves of the tree; how many each phase of the program loses to each is `SHARES`. Every other count follows from
those: so many slots per misprediction, so many stalled cycles per miss. Nothing was measured, and no real processor has these events.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sample_data.collect.synthetic_events import events_of

Floats = NDArray[np.float64]

WIDTH = 4
"""Slots per cycle."""
SLOTS = 4e6
"""Slots of a run, on average: a million cycles."""
PHASES = {"start-up": 0.1, "compute": 0.3, "memory": 0.4, "branchy": 0.2}
"""The share of each phase in the slots of a run."""


@dataclass(frozen=True)
class Leaf:
    """What slots go to. nodes: its path in the tree, level 1 first. percent: of each phase's slots, in the order of PHASES.

    slots: per event of it (a misprediction costs 24). spread: of its amount between runs, as the standard deviation of its logarithm.
    """

    nodes: tuple[str, ...]
    percent: tuple[float, float, float, float]
    slots: int = 1
    spread: float = 0.05


_SIMPLE = ("Retiring", "Simple operations")
_MISPREDICTED = ("Bad speculation", "Branch mispredictions")
_LATENCY, _BANDWIDTH = ("Frontend bound", "Fetch latency"), ("Frontend bound", "Fetch bandwidth")
_MEMORY, _CORE = ("Backend bound", "Memory bound"), ("Backend bound", "Core bound")
# The costs per event are the same in every phase, so that what holds in each phase holds for the whole run.
LEAVES = {
    "arithmetic": Leaf((*_SIMPLE, "Arithmetic"), (8, 34, 8, 14)),
    "accesses": Leaf((*_SIMPLE, "Loads and stores"), (9, 18, 9, 14)),
    "branches": Leaf((*_SIMPLE, "Branch operations"), (4, 6, 3, 10)),
    "microcoded": Leaf(("Retiring", "Microcoded operations"), (4, 1, 0.5, 1), spread=0.1),
    "conditional": Leaf((*_MISPREDICTED, "Conditional mispredictions"), (3, 1.5, 1, 17), slots=24, spread=0.2),
    "indirect": Leaf((*_MISPREDICTED, "Indirect mispredictions"), (1, 0.3, 0.2, 6), slots=36, spread=0.35),
    "clears": Leaf(("Bad speculation", "Machine clears"), (0.5, 0.2, 0.8, 0.5), slots=400, spread=0.9),
    "icache": Leaf((*_LATENCY, "Instruction cache misses"), (22, 0.5, 0.3, 2), slots=48, spread=0.25),
    "itlb": Leaf((*_LATENCY, "Instruction TLB misses"), (8, 0.2, 0.2, 0.5), slots=160, spread=0.3),
    "resteers": Leaf((*_LATENCY, "Resteers"), (6, 0.8, 0.5, 8), slots=4, spread=0.15),
    "decoder": Leaf((*_BANDWIDTH, "Decoder"), (10, 2, 0.5, 4), spread=0.1),
    "op cache": Leaf((*_BANDWIDTH, "Operation cache"), (3.5, 2.5, 0.5, 2), spread=0.1),
    "l1": Leaf((*_MEMORY, "L1 bound"), (3, 6, 5, 5), slots=4, spread=0.1),
    "l2": Leaf((*_MEMORY, "L2 bound"), (3, 3, 6, 3), slots=24, spread=0.2),
    "l3": Leaf((*_MEMORY, "L3 bound"), (3, 1.5, 10, 2), slots=80, spread=0.3),
    "dram": Leaf((*_MEMORY, "DRAM bound"), (5, 1, 44, 2), slots=320, spread=0.45),
    "stores": Leaf((*_MEMORY, "Store bound"), (2, 1.5, 6, 1), slots=4, spread=0.15),
    "divider": Leaf((*_CORE, "Divider"), (1, 11, 1, 2), slots=4, spread=0.1),
    "ports": Leaf((*_CORE, "Execution ports"), (4, 9, 3.5, 6), slots=4, spread=0.1),
}
# A run does more work or less, each phase of it again, and its caches meet it warm or cold.
_WORK, _LENGTH, _INTERVAL = 0.2, 0.1, 0.08
# Slots of a run or interval are made a multiple of WIDTH by up to three more of this leaf, 1.5 on average.
_FILLS, _FILL = "op cache", (WIDTH - 1) / 2
_ORDER = {name: number for number, name in enumerate(LEAVES)}
_COSTS = np.array([leaf.slots for leaf in LEAVES.values()], dtype=float)
_SPREADS = np.array([leaf.spread for leaf in LEAVES.values()])
SHARES = np.array([leaf.percent for leaf in LEAVES.values()]).T / 100
"""Shape (phases, leaves): the share of each leaf in the slots of each phase; each row sums to 1."""


def true_shares() -> pd.DataFrame:
    """The share of each node of the tree, 0 to 1: columns metric, level, the phases, and "whole run", which weighs them by PHASES."""
    rows: dict[str, tuple[int, Floats]] = {}
    for leaf, of_phases in zip(LEAVES.values(), SHARES.T, strict=True):
        for level, node in enumerate(leaf.nodes, start=1):
            rows[node] = (level, rows.get(node, (level, np.zeros(len(PHASES))))[1] + of_phases)
    table = pd.DataFrame({node: shares for node, (_, shares) in rows.items()}, index=list(PHASES)).T
    table["whole run"] = table.to_numpy() @ np.array(list(PHASES.values()))
    table.insert(0, "level", [level for level, _ in rows.values()])
    return table.rename_axis("metric").reset_index()


def expected_counts() -> pd.DataFrame:
    """The mean of each event (columns) in each phase of a run (rows): what `draw_runs` scatters around."""
    events = events_of(_by_leaf(_expected() / _COSTS), np.arange(len(PHASES)), lambda number, share: number * share, lambda mean: mean)
    return pd.DataFrame(events, index=list(PHASES))


def draw_runs(runs: int, random: np.random.Generator, *, matched: bool = False) -> dict[str, NDArray[np.int64]]:
    """The counts of whole runs by event, shape (runs, phases) each.

    matched: scale what the runs scatter around so that its mean over them is the model's (moment matching; P. Boyle, M. Broadie,
    P. Glasserman, 1997, doi 10.1016/S0165-1889(97)00028-6): then the means of these runs are the truth, but for rare events' chance.
    """
    phases = len(PHASES)
    work = _factors(random, _WORK, (runs, 1, 1)) * _factors(random, _LENGTH, (runs, phases, 1))
    rates = _expected() * work * _factors(random, _SPREADS, (runs, 1, len(LEAVES)))
    if matched:
        rates *= _expected() / rates.mean(axis=0)
    return _draw(rates, np.broadcast_to(np.arange(phases), (runs, phases)), random)


def draw_intervals(phases: NDArray[np.int64], slots: float, random: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    """The counts of the intervals of one run, shape (intervals,) each; phases: the phase of each, slots: of each on average."""
    spread = _factors(random, _SPREADS / 2, (1, len(LEAVES))) * _factors(random, _INTERVAL + _SPREADS / 4, (len(phases), len(LEAVES)))
    return _draw(slots * SHARES[phases] * spread, phases, random)


def _expected() -> Floats:
    """Slots by phase and leaf, shape (phases, leaves)."""
    return SLOTS * np.array(list(PHASES.values()))[:, None] * SHARES


def _factors(random: np.random.Generator, spread: Floats | float, shape: tuple[int, ...]) -> Floats:
    """Factors of mean 1 whose logarithms are normal: most below 1, few far above."""
    return np.exp(spread * random.standard_normal(shape) - np.square(spread) / 2)


def _draw(slots: Floats, phases: NDArray[np.int64], random: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    """Counts around `slots`, shape (..., leaves); phases: of each cell, shape (...)."""
    rates = slots.copy()
    rates[..., _ORDER[_FILLS]] = np.maximum(rates[..., _ORDER[_FILLS]] - _FILL, 0)
    amounts = random.poisson(rates / _COSTS).astype(float)
    amounts[..., _ORDER[_FILLS]] += -(amounts @ _COSTS) % WIDTH
    events = events_of(
        _by_leaf(amounts),
        phases,
        lambda number, share: random.binomial(number.astype(np.int64), share).astype(float),
        lambda mean: random.poisson(mean).astype(float),
    )
    return {name: np.rint(counts).astype(np.int64) for name, counts in events.items()}


def _by_leaf(amounts: Floats) -> dict[str, Floats]:
    return {name: amounts[..., number] for name, number in _ORDER.items()}
