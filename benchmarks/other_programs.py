"""Made programs of another kind than made_programs: costs with thresholds, products, overlap; counters in blocks, chains, families, tails.

The answers were not designed on them, but how far is called far was calibrated after a run of these.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import chi2, f

from hemcore.datasets.tables.phase_table import PhaseTable

KINDS = ("threshold", "product", "overlap", "saturation")
STRUCTURES = ("blocks", "chain", "families", "tails", "opposed")
# Usual counts per instruction, cycles per event, and the spread of the logs.
_EVENTS = {
    "BR_INST": (0.14, 0.4, 0.3),
    "BR_MISP": (0.004, 16.0, 0.8),
    "MEM_LOADS": (0.28, 0.5, 0.25),
    "L1D_MISSES": (0.015, 8.0, 0.7),
    "L2_MISSES": (0.004, 25.0, 0.9),
    "LLC_MISSES": (0.0008, 140.0, 1.0),
    "DTLB_MISSES": (0.0012, 25.0, 0.9),
    "ITLB_MISSES": (0.0003, 30.0, 0.8),
}
_STALLS = ("BR_MISP", "L1D_MISSES", "L2_MISSES", "LLC_MISSES", "DTLB_MISSES", "ITLB_MISSES")
_TAIL = 5  # degrees of freedom of the heavy-tailed programs
NOISE = 0.03


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherWorld:
    """Programs of one cost model. Fields as of made_programs.World; limit: the squared distance that one phase in 10,000 exceeds."""

    kind: str
    structure: str
    table: PhaseTable
    counters: tuple[str, ...]
    middle: np.ndarray
    between: np.ndarray
    within: np.ndarray
    costs: np.ndarray
    base: float
    limit: float

    def cycles(self, X: np.ndarray) -> np.ndarray:
        """The true cycles of counts X, shape (n, 1 + d): instructions first."""
        return cycles_of(self.kind, self.counters, self.middle, self.costs, self.base, X)

    def log_density(self, X: np.ndarray) -> np.ndarray:
        """Squared Mahalanobis distance of log counts per instruction in the programs' own distribution; shape (n,)."""
        off = np.log(X[:, 1:] / X[:, :1]) - self.middle
        found: np.ndarray = np.einsum("ij,jk,ik->i", off, np.linalg.inv(self.between + self.within), off)
        return found


def cycles_of(kind: str, names: tuple[str, ...], middle: np.ndarray, costs: np.ndarray, base: float, X: np.ndarray) -> np.ndarray:
    """Cycles: each more of an event costs more, or nothing, in every kind."""
    work, rates, usual = X[:, 0], X[:, 1:] / X[:, :1], np.exp(middle)
    stalls = np.isin(names, _STALLS)
    each = rates * costs
    if kind == "threshold":  # buffers hide the first misses
        each = np.where(stalls, costs * 1.6 * np.maximum(rates - 0.5 * usual, 0), each)
    if kind == "saturation":  # misses overlap one another
        each = np.where(stalls, costs * rates / (1 + rates / (1.5 * usual)) * 1.7, each)
    total = base + each.sum(axis=1)
    if kind == "product":  # page walks that miss, branches that wait for memory
        at = {name: place for place, name in enumerate(names)}
        for one, other in (("DTLB_MISSES", "LLC_MISSES"), ("BR_MISP", "L2_MISSES")):
            total = total + 1.2 * costs[at[one]] * rates[:, at[one]] * np.sqrt(rates[:, at[other]] / usual[at[other]])
    if kind == "overlap":  # the longer of computing and waiting, nearly
        memory = each[:, [names.index(name) for name in ("L1D_MISSES", "L2_MISSES", "LLC_MISSES", "DTLB_MISSES")]].sum(axis=1)
        rest = total - memory
        total = (rest**4 + (3 * memory) ** 4) ** 0.25
    found: np.ndarray = work * total
    return found


def other_world(kind: str, structure: str, n_programs: int = 20, n_phases: int = 40, seed: int = 0) -> OtherWorld:
    """Programs with 5 to 8 counters, drawn anew."""
    random = np.random.default_rng(seed + 5_000)
    needed = ("BR_MISP", "L1D_MISSES", "L2_MISSES", "LLC_MISSES", "DTLB_MISSES")
    more = [name for name in _EVENTS if name not in needed]
    names = tuple(name for name in _EVENTS if name in (*needed, *random.choice(more, int(random.integers(0, 4)), replace=False)))
    usual, costs, size = (np.array([_EVENTS[name][place] for name in names]) for place in range(3))
    d = len(names)
    costs = costs * np.exp(random.uniform(-0.8, 0.8, d))
    base = float(random.uniform(0.25, 0.6))
    middle = np.log(usual) + random.normal(0, 0.3, d)
    r_between, r_within = _correlations(structure, d, random)
    between, within = 0.5 * r_between * np.outer(size, size), 0.35 * r_within * np.outer(size, size)
    steps = random.multivariate_normal(np.zeros(d), between, n_programs)
    limit = float(chi2.ppf(1 - 1e-4, d))
    if structure == "families":  # half of the programs wait for memory
        side = np.where(np.arange(n_programs) % 2 == 0, 1.0, -1.0)[:, None] * np.sqrt(np.diag(between)) * np.isin(names, _STALLS)
        steps = 0.6 * steps + 0.8 * side
        between = 0.36 * between + 0.64 * np.cov(side.T)
    parts = []
    for program, step in enumerate(steps):
        off = random.multivariate_normal(np.zeros(d), within, n_phases)
        if structure == "tails":
            off = off * np.sqrt((_TAIL - 2) / random.chisquare(_TAIL, n_phases))[:, None]
        work = random.integers(700_000, 1_500_000, n_phases).astype(float)
        counts = random.poisson(np.exp(np.clip(middle + step + off, -12, 0)) * work[:, None]).astype(float)
        part = pd.DataFrame(counts, columns=list(names)).assign(INST_RETIRED=work, program=f"program {program:02d}")
        parts.append(part.assign(phase=np.arange(n_phases)))
    if structure == "tails":
        limit = float((_TAIL - 2) / _TAIL * d * f.ppf(1 - 1e-4, d, _TAIL))
    frame = pd.concat(parts, ignore_index=True).assign(granularity=1_000_000, load="single core")
    true = cycles_of(kind, names, middle, costs, base, frame[["INST_RETIRED", *names]].to_numpy(dtype=float))
    frame["CYCLES"] = np.rint(true * np.exp(random.normal(0, NOISE, len(true))))
    columns = ["program", "granularity", "load", "phase", "CYCLES", "INST_RETIRED", *names]
    table = PhaseTable(frame=frame[columns], counters=("CYCLES", "INST_RETIRED", *names))
    return OtherWorld(
        kind=kind,
        structure=structure,
        table=table,
        counters=names,
        middle=middle,
        between=between,
        within=within,
        costs=costs,
        base=base,
        limit=limit,
    )


def _correlations(structure: str, d: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(between programs, within one): blocks of 3 that are alike, a chain that fades, or within a program the opposite of between them."""
    place = np.arange(d)
    blocks = np.where(place[:, None] // 3 == place // 3, 0.75, 0.1)
    chain = float(random.uniform(0.4, 0.8)) ** np.abs(place[:, None] - place)
    found = {"blocks": (blocks, blocks), "chain": (chain, chain), "families": (blocks, chain), "tails": (chain, blocks)}
    signs = np.where(place % 2 == 0, 1.0, -1.0)
    found["opposed"] = (blocks, chain * np.outer(signs, signs))
    one, other = (each.copy() for each in found[structure])
    np.fill_diagonal(one, 1.0)
    np.fill_diagonal(other, 1.0)
    return one, other
