"""Made programs whose cost of an event is known: correlated counters, and cycles that are linear in them, saturate, or interact."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable

KINDS = ("linear", "saturating", "interacting")
# Usual counts per instruction, and cycles per event (of the first ones, where it saturates).
_RATES = {"Dr": 0.25, "Dw": 0.12, "Bc": 0.16, "Bcm": 0.006, "D1mr": 0.012, "DLmr": 0.0015, "DTLB_MISS": 0.001}
_COSTS = {"Dr": 0.5, "Dw": 0.4, "Bc": 0.3, "Bcm": 14.0, "D1mr": 9.0, "DLmr": 90.0, "DTLB_MISS": 30.0}
BASE, NOISE = 0.35, 0.02
MISSES = ("Bcm", "D1mr", "DLmr", "DTLB_MISS")


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """Programs of one cost model. middle, between, within: of the log counts per instruction; costs: cycles per event."""

    kind: str
    table: PhaseTable
    counters: tuple[str, ...]
    middle: np.ndarray
    between: np.ndarray
    within: np.ndarray
    costs: np.ndarray

    def cycles(self, X: np.ndarray) -> np.ndarray:
        """The true cycles of counts X, shape (n, 1 + d): instructions first."""
        work, rates = X[:, 0], X[:, 1:] / X[:, :1]
        usual = np.exp(self.middle)
        if self.kind == "saturating":
            rates = np.where(np.isin(self.counters, MISSES), 2 * usual * (1 - np.exp(-rates / (2 * usual))), rates)
        each = BASE + rates @ self.costs
        if self.kind == "interacting":
            # A mispredicted branch waits for the load that decides it.
            at = {name: place for place, name in enumerate(self.counters)}
            pairs = (("Bcm", "D1mr"), ("Bcm", "DLmr"))
            each = each + sum(0.5 * self.costs[at[a]] * rates[:, at[a]] * rates[:, at[b]] / usual[at[b]] for a, b in pairs)
        found: np.ndarray = work * each
        return found

    def log_density(self, X: np.ndarray) -> np.ndarray:
        """Squared Mahalanobis distance of log counts per instruction in the programs' own distribution; shape (n,)."""
        off = np.log(X[:, 1:] / X[:, :1]) - self.middle
        found: np.ndarray = np.einsum("ij,jk,ik->i", off, np.linalg.inv(self.between + self.within), off)
        return found


def world(kind: str, n_programs: int = 20, n_phases: int = 40, seed: int = 0) -> World:
    """Programs of a cost model drawn anew: costs within a factor of two of the usual ones, counters correlated by two hidden causes."""
    random = np.random.default_rng(seed)
    names = tuple(_RATES)
    d = len(names)
    loads = random.normal(0, 1, (d, 2)) * 0.6
    # Misses of the levels of one hierarchy rise together.
    loads[4:] = np.abs(loads[4:]) + 0.2
    size = np.array([0.25, 0.3, 0.3, 0.7, 0.8, 0.9, 0.9])
    shape = loads @ loads.T + np.diag(np.full(d, 0.35))
    shape /= np.sqrt(np.outer(np.diag(shape), np.diag(shape)))
    between, within = (shape * np.outer(size, size) * share for share in (0.6, 0.4))
    middle = np.log(np.array(list(_RATES.values()))) + random.normal(0, 0.2, d)
    costs = np.array(list(_COSTS.values())) * np.exp(random.uniform(-np.log(2), np.log(2), d))
    centers = random.multivariate_normal(middle, between, n_programs)
    parts = []
    for program, center in enumerate(centers):
        rates = np.exp(random.multivariate_normal(center, within, n_phases))
        work = random.integers(800_000, 1_200_000, n_phases).astype(float)
        counts = random.poisson(rates * work[:, None]).astype(float)
        parts.append(pd.DataFrame(counts, columns=list(names)).assign(Ir=work, program=f"program {program:02d}", phase=np.arange(n_phases)))
    frame = pd.concat(parts, ignore_index=True).assign(granularity=1_000_000, load="single core")
    made = World(
        kind=kind,
        table=None,
        counters=names,
        middle=middle,
        between=between,
        within=within,
        costs=costs,  # type: ignore[arg-type]
    )
    true = made.cycles(frame[["Ir", *names]].to_numpy(dtype=float))
    frame["CYCLES"] = np.rint(true * np.exp(random.normal(0, NOISE, len(true))))
    table = PhaseTable(frame=frame[["program", "granularity", "load", "phase", "CYCLES", "Ir", *names]], counters=("CYCLES", "Ir", *names))
    return World(**{**vars(made), "table": table})
