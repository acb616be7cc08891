"""The files of the synthetic processor: the plan for its metrics, subexperiments of that plan, a series, phases and the truth."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.metrics import our_definitions
from hemcore.planning import Plan, plan_subexperiments
from sample_data.collect import synthetic_power
from sample_data.collect.parquet import write_parquet
from sample_data.collect.synthetic_events import EVENTS, N_PMCS
from sample_data.collect.synthetic_processor import PHASES, SLOTS, draw_intervals, draw_runs, true_shares

SEED = 20_261_123
RUNS, TRUTH_RUNS, SERIES_RUNS, PHASE_RUNS = 60, 400, 6, 12
INTERVALS = 100
"""Intervals of a run, on average."""
STAGES = (("start-up", 1.0), ("compute", 0.5), ("memory", 1.0), ("branchy", 1.0), ("compute", 0.5))
"""The phases in the order of a series, and how much of each; the second half of the computing comes last."""
_GZIP = {"method": "gzip", "compresslevel": 9, "mtime": 1}


def metric_pairs() -> list[tuple[str, str]]:
    """The pairs of events that some metric needs together; identities are checked across subexperiments, so theirs are not among them."""
    definitions = our_definitions("synthetic")
    needed = [
        events
        for name, events in definitions.needed_events.items()
        if not definitions.metrics[name].formula.is_identity and len(events) > 1
    ]
    return sorted({(min(pair), max(pair)) for events in needed for pair in combinations(events, 2)})


def plan() -> Plan:
    """Which events to read together, so that every metric has its events together in pairs."""
    counters = {name: event.counters.split() for name, event in EVENTS.items() if event.counters}
    return plan_subexperiments(list(EVENTS), N_PMCS, wanted=metric_pairs(), counters=counters, seed=0)


def whole_runs(runs: int, random: np.random.Generator, events: Iterable[str] = EVENTS, *, matched: bool = False) -> pd.DataFrame:
    """The counts of whole runs: rows runs, columns `events`."""
    drawn = draw_runs(runs, random, matched=matched)
    return pd.DataFrame({event: drawn[event].sum(axis=1) for event in events})


def write(folder: Path, *, runs: int = RUNS, seed: int = SEED) -> None:
    """Write the synthetic files under `folder`, that of the samples."""
    # Each file has a generator of its own: changing one leaves the others as they are.
    subexperiments, truth, series, phases = (np.random.default_rng([seed, number]) for number in range(4))
    (folder / "hems").mkdir(parents=True, exist_ok=True)
    hems = [(name, event.counters, event.description) for name, event in EVENTS.items()]
    pd.DataFrame(hems, columns=["hem", "counters", "description"]).to_csv(folder / "hems" / "synthetic.csv", index=False)
    parts = folder / "subexperiments" / "synthetic_separate"
    parts.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(plan().subexperiments, start=1):
        _write_csv(whole_runs(runs, subexperiments, group), parts / f"subexperiment_{number:02d}.csv.gz")
    _write_csv(whole_runs(TRUTH_RUNS, truth, matched=True), folder / "subexperiments" / "synthetic_truth.csv.gz")
    _write_csv(true_shares(), folder / "subexperiments" / "synthetic_shares.csv.gz")
    write_parquet(pd.concat([_series(run, series) for run in range(1, SERIES_RUNS + 1)]), folder / "series" / "synthetic.parquet")
    write_parquet(_phases(phases), folder / "phases" / "synthetic.parquet")
    synthetic_power.write(folder)


def _write_csv(frame: pd.DataFrame, path: Path) -> None:
    frame.to_csv(path, index=False, float_format="%.9g", compression=_GZIP)


def _series(run: int, random: np.random.Generator) -> pd.DataFrame:
    names = list(PHASES)
    lengths = [round(INTERVALS * PHASES[name] * share * float(np.exp(0.1 * random.standard_normal()))) for name, share in STAGES]
    phase = np.repeat([names.index(name) for name, _ in STAGES], lengths)
    described = {"program": "synthetic_program", "run": run, "slot": np.arange(len(phase)), "stage": np.array(names)[phase]}
    return pd.DataFrame(described | _counts(draw_intervals(phase, SLOTS / INTERVALS, random)))


def _phases(random: np.random.Generator) -> pd.DataFrame:
    """A row per run and phase, of runs that are each a program of their own."""
    drawn = draw_runs(PHASE_RUNS, random)
    described = {
        "program": np.repeat([f"synthetic_run_{run:02d}" for run in range(1, PHASE_RUNS + 1)], len(PHASES)),
        "granularity": "phase",
        "load": "single core",
        "phase": np.tile(np.arange(len(PHASES)), PHASE_RUNS),
        "stage": np.tile(np.array(list(PHASES)), PHASE_RUNS),
    }
    return pd.DataFrame(described | _counts({event: counts.ravel() for event, counts in drawn.items()}))


def _counts(drawn: Mapping[str, NDArray[np.int64]]) -> dict[str, NDArray[np.int64]]:
    return {event: drawn[event] for event in EVENTS}
