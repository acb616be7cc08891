"""Made programs of a third kind, written after the answers were done: a bottleneck, misses that grow cheaper, waiting lines, own costs.

Programs come in clusters of unequal size, with centers of heavy tails; what goes along within a program has nothing to do with what does
between them.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable

KINDS = ("bottleneck", "cheaper misses", "waiting line", "own costs")
# Usual counts per instruction, cycles per event, and the spread of the logs within a program.
_EVENTS = {
    "BR_INST_RETIRED": (0.18, 0.3, 0.15),
    "BR_MISP_RETIRED": (0.003, 18.0, 0.5),
    "L1D_MISSES": (0.02, 5.0, 0.45),
    "L2_MISSES": (0.005, 18.0, 0.5),
    "LLC_MISSES": (0.001, 110.0, 0.55),
    "L1I_MISSES": (0.002, 12.0, 0.6),
    "DTLB_MISSES": (0.0008, 28.0, 0.5),
}
_MEMORY = ("L1D_MISSES", "L2_MISSES", "LLC_MISSES", "DTLB_MISSES")
_FRONT = ("BR_MISP_RETIRED", "L1I_MISSES")
NOISE = 0.025


@dataclass(frozen=True, kw_only=True, eq=False)
class UnlikeWorld:
    """Programs of one cost model. Fields as of made_programs.World; inverse: of the covariance of log counts per instruction; limit: the
    squared distance that one phase in 10,000 exceeds; own: cycles per event of each program (k, d), by the name of the program."""

    kind: str
    structure: str
    table: PhaseTable
    counters: tuple[str, ...]
    middle: np.ndarray
    within: np.ndarray
    inverse: np.ndarray
    base: float
    limit: float
    own: dict[str, np.ndarray]

    def cycles(self, X: np.ndarray, program: str = "") -> np.ndarray:
        """The true cycles of counts X of a program, shape (n, 1 + d): instructions first."""
        return _cycles(self.kind, self.counters, self.middle, self.own[program], self.base, X)

    def log_density(self, X: np.ndarray) -> np.ndarray:
        """Squared distance of log counts per instruction from the usual ones; shape (n,)."""
        off = np.log(X[:, 1:] / X[:, :1]) - self.middle
        found: np.ndarray = np.einsum("ij,jk,ik->i", off, self.inverse, off)
        return found


def _cycles(kind: str, names: tuple[str, ...], middle: np.ndarray, costs: np.ndarray, base: float, X: np.ndarray) -> np.ndarray:
    work, rates = X[:, 0], X[:, 1:] / X[:, :1]
    usual, memory, front = np.exp(middle), np.isin(names, _MEMORY), np.isin(names, _FRONT)
    each = rates * costs
    if kind == "cheaper misses":  # the more there are, the more are under way at once
        each = np.where(memory, costs * usual * (rates / usual) ** 0.65, each)
    core, front_end, waiting = base + each[:, ~memory & ~front].sum(axis=1), each[:, front].sum(axis=1), each[:, memory].sum(axis=1)
    if kind == "bottleneck":  # each part of the processor works while the others do
        found = ((2 * core) ** 3 + (4 * front_end) ** 3 + (2 * waiting) ** 3) ** (1 / 3)
    elif kind == "waiting line":  # a memory that is busy makes everyone wait
        busy = np.minimum(waiting / (waiting + 2 * core), 0.9)
        found = core + front_end + waiting / (1 - 0.8 * busy)
    else:
        found = core + front_end + waiting
    return work * found


def unlike_world(kind: str, n_programs: int = 20, n_phases: int = 40, seed: int = 0) -> UnlikeWorld:
    """Programs with all seven counters, drawn anew."""
    random = np.random.default_rng(seed + 900_000)
    names, d = tuple(_EVENTS), len(_EVENTS)
    usual, costs, size = (np.array([each[place] for each in _EVENTS.values()]) for place in range(3))
    middle, base = np.log(usual) + random.normal(0, 0.25, d), float(random.uniform(0.3, 0.7))
    costs = costs * np.exp(random.uniform(-0.6, 0.6, d))

    def shape() -> np.ndarray:
        loads = random.normal(0, 1, (d, d + 2))
        r = loads @ loads.T
        found: np.ndarray = r / np.sqrt(np.outer(np.diag(r), np.diag(r)))
        return found

    within = shape() * np.outer(size, size)
    between = shape() * np.outer(size, size) * 1.2

    def centers(n: int) -> np.ndarray:
        clusters = random.multivariate_normal(np.zeros(d), 0.6 * between, 4)
        of = random.choice(4, n, p=[0.45, 0.3, 0.15, 0.1])
        tails = np.sqrt(5 / random.chisquare(7, n))[:, None]
        found: np.ndarray = clusters[of] + random.multivariate_normal(np.zeros(d), 0.4 * between, n) * tails
        return found

    inverse = np.linalg.inv(between + within)
    drawn = np.concatenate([centers(50) for _ in range(1_000)]) + random.multivariate_normal(np.zeros(d), within, 50_000)
    limit = float(np.quantile(np.einsum("ij,jk,ik->i", drawn, inverse, drawn), 1 - 1e-4))
    parts, own = [], {}
    for number, center in enumerate(centers(n_programs)):
        program = f"program {number:02d}"
        own[program] = costs * np.exp(random.normal(0, 0.25, d)) if kind == "own costs" else costs
        rates = np.exp(np.clip(middle + random.multivariate_normal(center, within, n_phases), -12, -0.5))
        work = random.integers(500_000, 2_000_000, n_phases).astype(float)
        counts = random.poisson(rates * work[:, None]).astype(float)
        part = pd.DataFrame(counts, columns=list(names)).assign(INST_RETIRED=work, program=program, phase=np.arange(n_phases))
        true = _cycles(kind, names, middle, own[program], base, part[["INST_RETIRED", *names]].to_numpy(dtype=float))
        parts.append(part.assign(CYCLES=np.rint(true * np.exp(random.normal(0, NOISE, n_phases)))))
    frame = pd.concat(parts, ignore_index=True).assign(granularity=1_000_000, load="single core")
    table = PhaseTable(
        frame=frame[["program", "granularity", "load", "phase", "CYCLES", "INST_RETIRED", *names]],
        counters=("CYCLES", "INST_RETIRED", *names),
    )
    return UnlikeWorld(
        kind=kind, structure="clusters", table=table, counters=names, middle=middle, within=within, inverse=inverse, base=base, limit=limit,
        own=own,
    )  # fmt: skip
