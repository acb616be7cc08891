"""Phases of programs whose cost an event is known."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable

COSTS = {"Ir": 0.3, "D1mr": 5.0, "DLmr": 40.0, "Bcm": 12.0}


def phases(n_programs: int = 6, n_phases: int = 40, *, noise: float = 0.03, seed: int = 0) -> PhaseTable:
    """Programs of different rates; CYCLES is what COSTS say, but for the noise, and 10 % more under full load."""
    random = np.random.default_rng(seed)
    parts = []
    for program in range(n_programs):
        ir = random.integers(8_000, 20_000, n_phases)
        rates = {"D1mr": random.uniform(0.001, 0.05), "DLmr": random.uniform(0.0001, 0.004), "Bcm": random.uniform(0.001, 0.02)}
        frame = pd.DataFrame({"program": f"program {program}", "granularity": 1000, "load": "single core", "phase": np.arange(n_phases)})
        frame["Ir"] = ir
        for name, rate in rates.items():
            frame[name] = random.poisson(rate * ir)
        cycles = sum(cost * frame[name] for name, cost in COSTS.items())
        frame["CYCLES"] = np.rint(cycles * random.uniform(1 - noise, 1 + noise, n_phases))
        parts.append(frame)
    one = pd.concat(parts, ignore_index=True)
    loaded = one.assign(load="dual core full load", CYCLES=np.rint(one["CYCLES"] * 1.1))
    return PhaseTable(frame=pd.concat([one, loaded], ignore_index=True), counters=("CYCLES", *COSTS))
