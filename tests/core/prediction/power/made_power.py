"""Programs whose power is what the physics says, exactly, unless there is noise."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable

VOLTS = {1000: 0.9, 1500: 1.0, 2000: 1.3}
LEAKAGE, CLOCK = 0.1, 0.3  # W at 1 V; W at 1 V and 1 GHz
NANOJOULES = {"instructions": 0.2, "L2_MISSES": 4.0}  # at 1 V
WATTS_COLUMN, ENERGY = "CPU Power(W)", "power/energy-pkg/"


def powered(
    n_programs: int = 10, clocks: Sequence[int] = (1000, 1500, 2000), *, phases: int = 4, noise: float = 0.0, as_energy: bool = False,
    volts: bool = True, seed: int = 0,
) -> PhaseTable:  # fmt: skip
    """Every program at every clock: instructions at 1 per cycle less a wait of 50 ns per miss, in phases of 1e9 instructions."""
    random = np.random.default_rng(seed)
    parts = []
    for program in range(n_programs):
        misses = random.uniform(0.0005, 0.01, phases)  # per instruction
        for clock in clocks:
            v, ghz = VOLTS[clock], clock / 1e3
            work = 1e9  # instructions of each phase; each takes as long as it takes
            seconds = work * (1 / (ghz * 1e9) + misses * 50e-9)
            rate = {"instructions": work / seconds, "L2_MISSES": misses * work / seconds}
            watts = LEAKAGE * v + CLOCK * v**2 * ghz + sum(NANOJOULES[name] * 1e-9 * rate[name] * v**2 for name in rate)
            watts = watts * random.normal(1, noise, phases) if noise else watts
            part = pd.DataFrame({"program": f"p{program}", "granularity": "part", "load": f"{clock} MHz", "phase": np.arange(phases)})
            part["time_s"] = seconds
            for name in rate:
                part[name] = rate[name] * seconds
            part["Clock(MHz)"] = float(clock)
            if volts:
                part["Core Voltage(V)"] = v
            part[ENERGY if as_energy else WATTS_COLUMN] = watts * seconds if as_energy else watts
            parts.append(part)
    frame = pd.concat(parts, ignore_index=True)
    return PhaseTable(frame=frame, counters=tuple(name for name in frame.columns[4:] if name != "time_s"))
