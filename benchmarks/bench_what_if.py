"""What-if against the truth: 200 made programs whose cost model is known, and ordinary least squares without conditioning beside it.

    python benchmarks/bench_what_if.py [--worlds N] [--cbench FOLDER]

Worlds of 20 programs: cycles that are linear in the counters, saturate, or interact; correlated counters; 2% noise. Two questions for each
program that was left out of training: a counter -80% to +100%, alone, and with the counters that go along. Truth: the world's cost
of exactly those counts (together: where the world's own conditional mean puts the others). Nonsense: counts that a world makes less often
than once in 10,000 phases, by its own distribution: a counter times 5 to 50 or through as much, alone; several at once against their
correlation. Then the sample, and the Cortex-A15's cBench if its folder is given: errors, responses, distances, seconds per answer.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import chi2

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from made_programs import KINDS, World, world  # noqa: E402

from hemcore.prediction import PredictionParams  # noqa: E402
from hemcore.prediction.evaluate.phase_changes import changed_phases  # noqa: E402
from hemcore.prediction.model_rows import Rows  # noqa: E402
from hemcore.prediction.models.trained_models import FittedModels, fitted_models  # noqa: E402

MODELS = "OLS; RelativeNnls; RelativeNnls, curves; boosting"
N_PROGRAMS = 20
# Changes of the true cycles below this are no test of an answer's relative error.
LEAST = 0.005


def truth(made: World, rows: Rows, name: str, factor: float, *, together: bool) -> tuple[float, np.ndarray]:
    """(the change of the cycles, the counts then)."""
    X, own = rows.X.copy(), made.counters.index(name)
    steps = np.zeros(len(made.counters))
    steps[own] = np.log(factor)
    if together:
        steps = made.within[:, own] / made.within[own, own] * np.log(factor)
    X[:, 1:] *= np.exp(steps)
    return float(made.cycles(X).sum() / made.cycles(rows.X).sum() - 1), X


def questions(made: World, ready: FittedModels, random: np.random.Generator) -> list[dict[str, object]]:
    """One question alone and one together for the program that was left out."""
    rows, found = ready.example, []
    peer = ready.models["OLS"].fitted
    for together in (False, True):
        name = str(random.choice(made.counters))
        factor = float(np.exp(random.uniform(np.log(0.2), np.log(2.0))))
        true, _ = truth(made, rows, name, factor, together=together)
        answer = changed_phases(ready, rows, {name: factor - 1}, together=together)
        X = rows.X.copy()
        X[:, rows.counters.index(name)] *= factor
        ols = float(peer.predict(rows.with_counts(X)).sum() / peer.predict(rows).sum() - 1)
        found.append(
            {"kind": made.kind, "together": together, "name": name, "factor": factor, "true": true,
             "answer": answer.change, "low": answer.low,
             "high": answer.high, "far": answer.far, "model": answer.model, "ols": ols}
        )  # fmt: skip
    return found


def nonsense(made: World, ready: FittedModels, random: np.random.Generator) -> list[dict[str, object]]:
    """Two changes that the world would not make in 10,000 phases: one counter alone, and three against their correlation."""
    rows, found = ready.example, []
    limit = chi2.ppf(1 - 1e-4, len(made.counters))
    for several in (False, True):
        for _ in range(100):
            names = [str(each) for each in random.choice(made.counters, 3 if several else 1, replace=False)]
            sizes = np.exp(random.uniform(np.log(5), np.log(50), len(names)) * random.choice([-1, 1], len(names)))
            X = rows.X.copy()
            for name, size in zip(names, sizes, strict=True):
                X[:, rows.counters.index(name)] *= size
            if (made.log_density(np.maximum(X, 1e-3)) > limit).mean() > 0.9:
                break
        asked = {name: float(size) - 1 for name, size in zip(names, sizes, strict=True)}
        answer = changed_phases(ready, rows, asked, together=False)
        named = bool(set(answer.leaves) & set(names))
        found.append({"kind": made.kind, "several": several, "faded": answer.fades, "named": named})
    return found


def made_worlds(n_worlds: int, models: str, every: int) -> None:
    asked, odd, took = [], [], []
    for number in range(n_worlds):
        made = world(KINDS[number % len(KINDS)], N_PROGRAMS, seed=number)
        random = np.random.default_rng(number)
        begun = time.process_time()
        for program in made.table.programs[::every]:
            ready = fitted_models(made.table, PredictionParams(models=models, held_out=str(program)))
            start = time.perf_counter()
            asked += questions(made, ready, random)
            took.append((time.perf_counter() - start) / 2)
            odd += nonsense(made, ready, random)
        print(f"  world {number + 1} of {n_worlds} ({made.kind}): {time.process_time() - begun:.0f} s of processor", flush=True)
    report(pd.DataFrame(asked), pd.DataFrame(odd))
    print(f"An answer takes {1000 * np.median(took):.0f} ms.")


def report(asked: pd.DataFrame, odd: pd.DataFrame) -> None:
    print(f"{len(asked) // 2} programs, {len(asked)} questions")
    near = asked[~asked["far"] & asked["model"].ne("")]
    parts = [("all", near)] + [(kind, near[near["kind"] == kind]) for kind in KINDS]
    parts += [("alone", near[~near["together"]]), ("together", near[near["together"]])]
    for label, part in parts:
        told = part[part["true"].abs() >= LEAST]
        error = ((told["answer"] - told["true"]) / told["true"]).abs()
        peer = ((told["ols"] - told["true"]) / told["true"]).abs()
        inside = ((part["low"] <= part["true"]) & (part["true"] <= part["high"])).mean()
        wrong, wrong_peer = (int((told[name] * told["true"] < 0).sum()) for name in ("answer", "ols"))
        points, peer_points = (100 * (told[name] - told["true"]).abs().median() for name in ("answer", "ols"))
        half = ((part["high"] - part["low"]) / 2 / part["answer"].abs()).median()
        print(
            f"  not far, {label:11} {len(part):4}: median error of the change {error.median():6.1%} (OLS {peer.median():6.1%}), in points "
            f"of cycles {points:.2f} ({peer_points:.2f}); in its interval {inside:.0%}; half-width {half:.0%} of it; wrong sign {wrong} "
            f"(OLS {wrong_peer})"
        )
    far = asked[asked["far"]]
    print(f"  said to be far: {len(far)} of {len(asked)}; no model answers: {int(asked['model'].eq('').sum())}")
    print(f"  answered by: {near['model'].value_counts().to_dict()}")
    for several, part in odd.groupby("several"):
        label = "three counters" if several else "one counter"
        print(
            f"  nonsense, {label}: faded or refused {part['faded'].mean():.0%} of {len(part)}; its counter named {part['named'].mean():.0%}"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--worlds", type=int, default=10)
    arguments.add_argument("--models", default=MODELS)
    arguments.add_argument("--every", type=int, default=1, help="leave out every so many programs only")
    arguments.add_argument("--cbench", type=Path, default=None)
    given = arguments.parse_args()
    made_worlds(given.worlds, given.models, given.every)


if __name__ == "__main__":
    main()
