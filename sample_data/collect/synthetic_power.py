"""Power of programs that do not exist on a processor like a Cortex-A15, from a law that is known: what a power model should find.

P = V leakage (1 + warmth (T - 45)) + V^2 f clock + sum of V^2 rate_i energy_i, times what no counter sees (the data that a program moves, a
number per program) and the noise of the sensor. A phase is a fixed amount of work, so it takes longer at a lower frequency, and the wait
for memory takes as long at any. The frequencies, voltages and sizes are in the range of an ODROID-XU3's. Nothing was measured.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from sample_data.collect.parquet import write_parquet

SEED = 20_261_125
VOLTS = {600: 0.9, 1000: 0.95, 1400: 1.05, 1800: 1.2}
LEAKAGE, WARMTH, CLOCK = 0.06, 0.02, 0.3
"""W at 1 V and 45 degrees C; share per degree; W at 1 V and 1 GHz."""
NANOJOULES = {
    "CPU_CYCLES": 0.15,
    "INST_RETIRED": 0.09,
    "L1D_CACHE_ACCESS": 0.2,
    "L1D_CACHE_REFILL": 1.5,
    "L2D_CACHE_REFILL": 4.0,
    "BRANCH_MISPRED": 2.0,
}
"""Energy of each event at 1 V."""
POWER, VOLTAGE, FREQUENCY, TEMPERATURE, TIME = "A15 Power(W)", "A15 Voltage(V)", "A15 Frequency(MHz)", "A15 Temperature(C)", "time_s"
MEMORY_S = 60e-9
"""Wait per L2 refill that the core does not hide."""


def draw(
    programs: int = 24,
    phases: int = 8,
    *,
    volts: dict[int, float] | None = None,
    unseen: float = 0.025,
    noise: float = 0.015,
    seed: int = SEED,
) -> pd.DataFrame:
    """One row per phase: program, granularity, load (the frequency), phase, time_s, power, voltage, frequency, temperature and events.

    unseen, noise: standard deviations of what no counter sees, by program, and of the sensor, by phase.
    """
    random = np.random.default_rng(seed)
    parts = []
    for program in range(programs):
        cpi, loads = random.uniform(0.55, 1.3), random.uniform(0.15, 0.45)
        l1, l2, missed = (float(np.exp(random.normal(np.log(middle), 0.8))) for middle in (0.006, 0.0012, 0.004))
        aside = float(np.exp(random.normal(0, unseen)))
        spread = np.exp(random.normal(0, 0.25, (phases, 4)))
        work = 5e8 * random.uniform(0.6, 1.4, phases)
        for mhz, supply in (volts or VOLTS).items():
            ghz = mhz / 1e3
            counts = {
                "INST_RETIRED": work,
                "L1D_CACHE_ACCESS": work * loads * spread[:, 0] ** 0.3,
                "L1D_CACHE_REFILL": work * l1 * spread[:, 1],
                "L2D_CACHE_REFILL": work * np.minimum(l2 * spread[:, 2], l1 * spread[:, 1]),
                "BRANCH_MISPRED": work * missed * spread[:, 3],
            }
            wait = counts["L2D_CACHE_REFILL"] * MEMORY_S
            counts["CPU_CYCLES"] = work * cpi * spread[:, 0] ** 0.3 + wait * ghz * 1e9
            seconds = counts["CPU_CYCLES"] / (ghz * 1e9) / random.uniform(0.95, 1.0, phases)
            celsius = np.rint(47 + 6 * supply**2 * ghz + random.normal(0, 1, phases))
            watts = LEAKAGE * supply * (1 + WARMTH * (celsius - 45)) + CLOCK * supply**2 * ghz
            watts = watts + sum(energy * 1e-9 * counts[name] / seconds * supply**2 for name, energy in NANOJOULES.items())
            part = pd.DataFrame(
                {"program": f"synthetic_{program:02d}", "granularity": "part", "load": f"{mhz} MHz", "phase": np.arange(phases)}
            )
            part[TIME], part[POWER] = np.round(seconds, 4), np.round(watts * aside * np.exp(random.normal(0, noise, phases)), 4)
            part[VOLTAGE], part[FREQUENCY], part[TEMPERATURE] = supply, float(mhz), celsius
            parts.append(part.assign(**{name: np.rint(counts[name]).astype(np.int64) for name in NANOJOULES}))
    return pd.concat(parts, ignore_index=True)


def write(folder: Path) -> None:
    """Write the sample under `folder`, that of the samples."""
    write_parquet(draw(), folder / "phases" / "power.parquet")
