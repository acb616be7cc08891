"""What-if against the truth: 200 made programs whose cost model is known, and ordinary least squares without conditioning beside it.

    python benchmarks/bench_what_if.py [--worlds N] [--first SEED] [--other | --unlike] [--cbench FOLDER] [--sample]

--other: worlds of other_programs, whose costs and correlations have other shapes; --unlike: of unlike_programs, which were made after
the answers. Usual questions: those after which the phases are no
rarer than one in a hundred by the world's own distribution.

Worlds of 20 programs: cycles that are linear in the counters, saturate, or interact; correlated counters; 2% noise. Two questions for each
program that was left out of training: a counter -80% to +100%, alone, and with the counters that go along. Truth: the world's cost
of exactly those counts (together: where the world's own conditional mean puts the others). Nonsense: counts that a world makes less often
than once in 10,000 phases, by its own distribution: a counter times 5 to 50 or through as much, alone; several at once against their
correlation.

Measured programs, the Cortex-A15's cBench and the sample, where no one knows what a changed count would have cost: each counter -80% and
+20% in each program, alone and together; how often a model answers, how far, how wide, how often the sign is impossible. And where the
truth was measured: models of half of the programs are asked for the change from one program of the other half to another, all counters
at once, time per instruction and power per interval; the measured change is the truth.
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

from bench_power import cbench  # noqa: E402
from made_programs import KINDS, World, world  # noqa: E402
from other_programs import KINDS as OTHER_KINDS  # noqa: E402
from other_programs import STRUCTURES, OtherWorld, other_world  # noqa: E402
from unlike_programs import KINDS as UNLIKE_KINDS  # noqa: E402
from unlike_programs import UnlikeWorld, unlike_world  # noqa: E402

from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.tables.phase_table import PhaseTable  # noqa: E402
from hemcore.events.usual_names import instructions_of  # noqa: E402
from hemcore.prediction import PredictionParams  # noqa: E402
from hemcore.prediction.evaluate.phase_changes import changed_phases  # noqa: E402
from hemcore.prediction.explore.event_groups import costs_time, is_time  # noqa: E402
from hemcore.prediction.model_rows import Rows, select  # noqa: E402
from hemcore.prediction.models.trained_models import FittedModels, fitted_models  # noqa: E402

MODELS = "OLS; cost per event; cost per event, curves; boosting"
N_PROGRAMS = 20
# Changes of the true cycles below this are no test of an answer's relative error.
LEAST = 0.005


AnyWorld = World | OtherWorld | UnlikeWorld


def truth(made: AnyWorld, rows: Rows, name: str, factor: float, *, together: bool) -> tuple[float, np.ndarray]:
    """(the change of the cycles, the counts then)."""
    X, own = rows.X.copy(), made.counters.index(name)
    steps = np.zeros(len(made.counters))
    steps[own] = np.log(factor)
    if together:
        steps = made.within[:, own] / made.within[own, own] * np.log(factor)
    X[:, 1:] *= np.exp(steps)
    if isinstance(made, UnlikeWorld):
        program = rows.groups[int(rows.group[0])]
        return float(made.cycles(X, program).sum() / made.cycles(rows.X, program).sum() - 1), X
    return float(made.cycles(X).sum() / made.cycles(rows.X).sum() - 1), X


def questions(made: AnyWorld, ready: FittedModels, random: np.random.Generator) -> list[dict[str, object]]:
    """One question alone and one together for the program that was left out."""
    rows, found = ready.example, []
    peer = ready.models["OLS"].fitted
    for together in (False, True):
        name = str(random.choice(made.counters))
        factor = float(np.exp(random.uniform(np.log(0.2), np.log(2.0))))
        true, then = truth(made, rows, name, factor, together=together)
        rare = (made.log_density(np.maximum(then, 1e-3)) > chi2.ppf(0.99, len(made.counters))).mean()
        answer = changed_phases(ready, rows, {name: factor - 1}, together=together)
        X = rows.X.copy()
        X[:, rows.counters.index(name)] *= factor
        ols = float(peer.predict(rows.with_counts(X)).sum() / peer.predict(rows).sum() - 1)
        found.append(
            {"kind": made.kind, "together": together, "name": name, "factor": factor, "true": true,
             "answer": answer.change, "low": answer.low,
             "high": answer.high, "far": answer.far, "model": answer.model, "ols": ols,
             "usual": rare <= 0.25, "unsure": answer.unsure}
        )  # fmt: skip
    return found


def nonsense(made: AnyWorld, ready: FittedModels, random: np.random.Generator) -> list[dict[str, object]]:
    """Two changes that the world would not make in 10,000 phases: one counter alone, and three against their correlation."""
    rows, found = ready.example, []
    limit = made.limit if isinstance(made, OtherWorld | UnlikeWorld) else chi2.ppf(1 - 1e-4, len(made.counters))
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


def drawn_world(number: int, which: str) -> AnyWorld:
    if which == "other":
        return other_world(OTHER_KINDS[number % len(OTHER_KINDS)], STRUCTURES[number % len(STRUCTURES)], N_PROGRAMS, seed=number)
    if which == "unlike":
        return unlike_world(UNLIKE_KINDS[number % len(UNLIKE_KINDS)], N_PROGRAMS, seed=number)
    return world(KINDS[number % len(KINDS)], N_PROGRAMS, seed=number)


def made_worlds(n_worlds: int, models: str, every: int, *, first: int = 0, which: str = "") -> None:
    asked, odd, took, far = [], [], [], []
    for number in range(first, first + n_worlds):
        made = drawn_world(number, which)
        random = np.random.default_rng(number)
        begun = time.process_time()
        for program in made.table.programs[::every]:
            ready = fitted_models(made.table, PredictionParams(models=models, held_out=str(program)))
            start = time.perf_counter()
            asked += questions(made, ready, random)
            took.append((time.perf_counter() - start) / 2)
            if ready.cloud is not None:
                far.append((ready.cloud.distances(ready.example) > ready.cloud.far).mean())
            odd += nonsense(made, ready, random)
        print(f"  world {number - first + 1} of {n_worlds} ({made.kind}): {time.process_time() - begun:.0f} s of processor", flush=True)
    report(pd.DataFrame(asked), pd.DataFrame(odd))
    print(f"  phases of programs left out, as measured: {np.mean(far):.1%} far")
    print(f"An answer takes {1000 * np.median(took):.0f} ms.")


def report(asked: pd.DataFrame, odd: pd.DataFrame) -> None:
    print(f"{len(asked) // 2} programs, {len(asked)} questions")
    near = asked[~asked["far"] & asked["model"].ne("")]
    parts = [("all", near)] + [(str(kind), part) for kind, part in near.groupby("kind")]
    parts += [("alone", near[~near["together"]]), ("together", near[near["together"]])]
    for label, part in parts:
        told = part[part["true"].abs() >= LEAST]
        error = ((told["answer"] - told["true"]) / told["true"]).abs()
        peer = ((told["ols"] - told["true"]) / told["true"]).abs()
        inside = ((part["low"] <= part["true"]) & (part["true"] <= part["high"])).mean()
        wrong, wrong_peer = (told[name] * told["true"] < 0 for name in ("answer", "ols"))
        points, peer_points = (100 * (told[name] - told["true"]).abs().median() for name in ("answer", "ols"))
        half = ((part["high"] - part["low"]) / 2 / part["answer"].abs()).median()
        print(
            f"  not far, {label:11} {len(part):4}: median error of the change {error.median():6.1%} (OLS {peer.median():6.1%}), in points "
            f"of cycles {points:.2f} ({peer_points:.2f}); in its interval {inside:.0%}; half-width {half:.0%} of it; wrong sign "
            f"{int(wrong.sum())}, {int((wrong & ~told['unsure']).sum())} of them unmarked (OLS {int(wrong_peer.sum())})"
        )
    far = asked[asked["far"]]
    usual = asked[asked["usual"]]
    print(
        f"  said to be far: {len(far)} of {len(asked)}, {int(usual['far'].sum())} of {len(usual)} usual ones; "
        f"no model answers: {int(asked['model'].eq('').sum())}"
    )
    print(f"  answered by: {near['model'].value_counts().to_dict()}")
    for several, part in odd.groupby("several"):
        label = "three counters" if several else "one counter"
        print(
            f"  nonsense, {label}: faded or refused {part['faded'].mean():.0%} of {len(part)}; its counter named {part['named'].mean():.0%}"
        )


def programs_asked(table: PhaseTable, params: PredictionParams) -> None:
    """Each counter of each program -80% and +20%, alone and together, by models trained on all programs."""
    ready = fitted_models(table, params.but(held_out="none"))
    rows, found = ready.example, []
    for code in np.unique(rows.group):
        own = rows.take(rows.group == code)
        for name in rows.counters:
            for share in (-0.8, 0.2):
                for together in (False, True):
                    answer = changed_phases(ready, own, {name: share}, together=together)
                    known = is_time(ready.target) and costs_time(name) and not together
                    found.append((share, together, answer, known and answer.change * share < 0, answer.low < 0 < answer.high))
    table_of = pd.DataFrame(found, columns=["share", "together", "answer", "wrong", "unsure"])
    for (share, together), part in table_of.groupby(["share", "together"]):
        answers = [each for each in part["answer"] if not each.fades]
        sizes = np.array([abs(each.change) for each in answers])
        halves = np.array([(each.high - each.low) / 2 for each in answers])
        print(
            f"  a counter {share:+.0%}, {'together' if together else 'alone':8}: {len(part)} questions, "
            f"{sum(each.far for each in part['answer'])} far, {sum(not each.model for each in part['answer'])} without a model; "
            f"median change {np.median(sizes):.1%}, half-width {np.median(halves):.1%}; sign uncertain "
            f"{int(part['unsure'].sum())}, impossible {int(part['wrong'].sum())}",
            flush=True,
        )


def program_to_program(table: PhaseTable, params: PredictionParams, draws: int) -> None:
    """Models of half of the programs are asked for the change between programs of the other half.

    Direct: the ratio of the answering model's predictions of the two programs, phase by phase as they were measured.
    """
    selected = select(table, params)
    every, chosen = selected.train, selected.chosen
    work, timed = every.counters.index(instructions_of(every.counters) or ""), is_time(chosen.target)
    params = params.but(held_out="none", counters="; ".join(every.counters), granularity=str(chosen.granularity), load=chosen.load)
    codes, found = np.unique(every.group), []
    for seed in range(draws):
        order = np.random.default_rng(seed).permutation(codes)
        known, new = order[: len(codes) // 2], order[len(codes) // 2 :]
        names = {every.groups[code] for code in known}
        part = table.frame[table.frame["program"].isin(names)].reset_index(drop=True)
        ready = fitted_models(PhaseTable(frame=part, counters=table.counters), params)
        at = [every.counters.index(name) for name in ready.example.counters]
        for one, other in zip(new, np.roll(new, 1), strict=True):
            start, end = (every.take(every.group == code) for code in (one, other))
            length = end.X[:, work].sum() / start.X[:, work].sum() if timed else len(end) / len(start)
            factors = end.X.sum(axis=0) / np.maximum(start.X.sum(axis=0), 1e-9) / length
            places = [place for place in at if place != work or not timed]
            asked = {every.counters[place]: float(np.clip(factors[place], 0, 100)) - 1 for place in places}
            seen = [
                Rows(**(vars(each) | {"X": np.ascontiguousarray(each.X[:, at]), "counters": ready.example.counters}))
                for each in (start, end)
            ]
            answer = changed_phases(ready, seen[0], asked, together=False)
            fitted = ready.models[answer.model or "OLS"].fitted
            direct = float(fitted.predict(seen[1]).sum() / fitted.predict(seen[0]).sum() / length - 1)
            true = float(end.y.sum() / start.y.sum() / length - 1)
            found.append((true, answer.change, direct, answer.low, answer.high, answer.far, answer.model, answer.unsure))
    pairs = pd.DataFrame(found, columns=["true", "change", "direct", "low", "high", "far", "model", "unsure"])
    for label, part in (("all", pairs), ("not far", pairs[~pairs["far"]]), ("far", pairs[pairs["far"]])):
        told = part[part["model"].ne("")]
        if not len(told):
            continue
        off, off_direct = ((np.log1p(told[name]) - np.log1p(told["true"])).abs() for name in ("change", "direct"))
        inside = ((told["low"] <= told["true"]) & (told["true"] <= told["high"])).mean()
        side = told["true"].abs() >= 0.1
        wrong = side & (told["change"] * told["true"] < 0)
        print(
            f"  from program to program, {label:7} {len(told):4} ({len(part) - len(told)} without a model): median error "
            f"{np.expm1(off.median()):.1%} (direct {np.expm1(off_direct.median()):.1%}, no change "
            f"{np.expm1(np.log1p(told['true']).abs().median()):.0%}); in its interval {inside:.0%}; half-width "
            f"{((told['high'] - told['low']) / 2).median():.0%}; wrong sign {int(wrong.sum())}, "
            f"{int((wrong & ~told['unsure']).sum())} unmarked, of {int(side.sum())} changes of 10% or more",
            flush=True,
        )


def measured_programs(title: str, table: PhaseTable, params: PredictionParams, draws: int) -> None:
    start = time.process_time()
    print(f"{title}: {len(table.programs)} programs, target {select(table, params).chosen.target}", flush=True)
    programs_asked(table, params)
    program_to_program(table, params, draws)
    print(f"  {time.process_time() - start:.0f} s of processor", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--worlds", type=int, default=10)
    arguments.add_argument("--first", type=int, default=0, help="seed of the first world")
    arguments.add_argument("--models", default=MODELS)
    arguments.add_argument("--every", type=int, default=1, help="leave out every so many programs only")
    arguments.add_argument("--draws", type=int, default=10, help="halves of the measured programs")
    arguments.add_argument("--cbench", type=Path, default=None, help="folder of the readings")
    arguments.add_argument("--sample", action="store_true")
    arguments.add_argument("--other", action="store_true", help="worlds of other_programs")
    arguments.add_argument("--unlike", action="store_true", help="worlds of unlike_programs")
    given = arguments.parse_args()
    if given.worlds:
        which = "other" if given.other else "unlike" if given.unlike else ""
        made_worlds(given.worlds, given.models, given.every, first=given.first, which=which)
    if given.cbench is not None:
        table = cbench(given.cbench)
        if table is None:
            arguments.error(f"--cbench: {given.cbench} does not exist. Name the folder with cbench_split.data.")
        events = [name for name in table.counters if "(" not in name]  # sensors of power, voltage and temperature are no counters
        for target in ("CPU_CYCLES", "A15 Power(W)"):
            own = "; ".join(name for name in events if name != target)
            params = PredictionParams(models=given.models, target=target, counters=own)
            measured_programs(f"cBench, Cortex-A15, {target}", table, params, given.draws)
    if given.sample:
        measured_programs("The sample", samples.load("phases"), PredictionParams(models=given.models), given.draws)


if __name__ == "__main__":
    main()
