"""The estimator chosen per event against always harmonic and against the best that could have been chosen, on made courses.

    python benchmarks/bench_mpx_choice.py [--seed 3]

Eleven kinds of course, 12 events, 3 runs of 400 slots, 1 slot in 4 counted. RA (at least 0), WA and the mean absolute error of totals over
events, on hidden slots. best: the candidate of the highest RA + WA on the truth. worse: events more than 0.05 below harmonic in RA. Then
courses with a period: how many events of which kind the warning of totals that jump with the first group names. Exits with 1 if the choice
is more than 0.02 below harmonic in RA + WA anywhere, or an event is worse.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.mpx.estimators import ESTIMATORS, choice_by_event  # noqa: E402
from hemcore.mpx.hidden_slots import filled_by  # noqa: E402
from hemcore.mpx.sampled import Sampled  # noqa: E402
from hemcore.mpx.score_sums import tally  # noqa: E402
from hemcore.mpx.start_groups import jumping_totals  # noqa: E402
from hemcore.mpx.virtual import counted_slots  # noqa: E402

Floats = NDArray[np.float64]
EVENTS, SLOTS, K = 12, 400, 4


def courses(random: np.random.Generator, runs: int = 3) -> dict[str, Floats]:
    """Counts of each kind, shape (events, slots of all runs)."""
    n = SLOTS * runs
    size = 10 ** random.uniform(3, 6, (EVENTS, 1))
    shape = (EVENTS, n)

    def held(values: Floats, slots: int) -> Floats:
        return np.repeat(values, slots, axis=1)[:, :n]

    on = np.zeros(shape, dtype=bool)
    for slot in range(1, n):
        on[:, slot] = random.random(EVENTS) < np.where(on[:, slot - 1], 0.5, 0.06)
    spikes = (random.random(shape) < 0.06) * random.pareto(2.2, shape)
    made = {
        "short bursts": size * (0.02 + on * random.lognormal(0, 0.7, shape)),
        "decaying": size * (0.05 + np.stack([np.convolve(each, [1, 0.5, 0.25, 0.12])[:n] for each in spikes])),
        "bursts": size * (0.01 + (random.random(shape) < 0.15) * random.gamma(1, 1, shape)),
        "long bursts": size * (0.02 + held((random.random((EVENTS, n // 10)) < 0.2) * random.gamma(1, 1, (EVENTS, n // 10)), 10)),
        "half zeros": np.where(random.random(shape) < 0.5, 0, size * random.gamma(4, 0.25, shape)),
        "waves": size * (2 + np.sin(np.arange(n) / random.uniform(20, 60, (EVENTS, 1))) + 0.02 * random.normal(size=shape)),
        "noise": size * np.exp(0.3 * random.normal(size=shape)),
        "heavy noise": size * np.exp(1.2 * random.normal(size=shape)),
        "plateaus": size * held(random.uniform(0.2, 2, (EVENTS, n // 40)), 40) * (1 + 0.03 * random.normal(size=shape)),
        "walks": size * np.exp(np.cumsum(0.05 * random.normal(size=shape), axis=1)),
        "small counts": random.poisson(random.uniform(0.5, 4, (EVENTS, 1)), shape),
    }
    return {name: np.floor(np.asarray(values, dtype=float)) for name, values in made.items()}


def multiplexed(truth: Floats, runs: int) -> Sampled:
    """One slot in K of each event, each run one group later."""
    seen = np.concatenate([counted_slots(SLOTS, len(truth), K, start=run).T for run in range(runs)], axis=1)
    return Sampled(counts=np.where(seen, truth, np.nan), starts=np.arange(runs + 1) * SLOTS)


def scores(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """RA, WA and the error of the total of each event."""
    own = sums.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(1 - own[:, 2] / own[:, 0], 0), np.maximum(1 - own[:, 3] / own[:, 4], 0), np.abs(own[:, 5] / own[:, 6])


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=3)
    random = np.random.default_rng(arguments.parse_args().seed)
    failed = False
    print(f"{'course':13} {'harmonic':>22} {'chosen per event':>22} {'best':>22} {'worse':>6}")
    for name, truth in courses(random).items():
        seen = multiplexed(truth, 3)
        _, names = choice_by_event(seen)
        of = {
            method: scores(tally(filled_by(seen, ESTIMATORS[method]), truth, seen.hidden, seen.starts)) for method in ("by event", *names)
        }
        best = [max(names, key=lambda method: of[method][0][event] + of[method][1][event]) for event in range(EVENTS)]
        of["best"] = tuple(np.array([of[method][part][event] for event, method in enumerate(best)]) for part in range(3))  # type: ignore[assignment]
        shown = {method: [float(np.nanmean(part)) for part in of[method]] for method in ("harmonic", "by event", "best")}
        worse = int((of["by event"][0] < of["harmonic"][0] - 0.05).sum())
        print(f"{name:13} " + " ".join(f"{ra:6.3f} {wa:6.3f} {100 * off:6.1f} %" for ra, wa, off in shown.values()) + f" {worse:6}")
        failed |= sum(shown["by event"][:2]) < sum(shown["harmonic"][:2]) - 0.02 or worse > 0
    runs = 12
    level = random.lognormal(0, 0.3, (EVENTS, runs)).repeat(SLOTS, axis=1) * 1_000
    beat = level * np.tile([0.4, 0.6, 0.8, 2.2], SLOTS * runs // 4)
    for name, truth in (("the rotation's period", beat), ("no period", random.poisson(level).astype(float))):
        seen = multiplexed(truth, runs)
        print(f"{name}: {len(jumping_totals(seen, None))} of {EVENTS} events warned of, {len(jumping_totals(seen, truth))} with the truth")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
