"""Training of the network for all events on the samples: scores against what was promised, processor seconds, and torch beside it.

    python benchmarks/bench_mpx_training.py [--steps 1600] [--quick] [--alone] [--programs] [--model FILE]

Split by run 42 / 6 / 12 a program, one seed, k = 4; scored on the 12 runs and on the multiplexed sample with its truth, hidden slots alone,
the last slot of a run left out. --quick: 40 steps, for the seconds alone. --alone: the same network on Bcm alone, too. --programs: trained
without pack_and_seal, particle_world and sales_query, and scored on these, corrected everywhere and, as it is used, not at all.
--model: read from this file where it is there, else trained and written to it, so that scoring can be repeated.
The seconds of a step are those of the processor, of 32 pieces of 128 slots; torch's are of the same network, input and loss (pip install
torch; left out where it is not there); those of Wang et al. (2022) are of eleven Bi-GRU of 3 x 64, one run per step.
"""

import argparse
import importlib.util
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.tables.counter_series import CounterSeries  # noqa: E402
from hemcore.mpx import MpxParams, estimate, evaluate, truncate_tail  # noqa: E402
from hemcore.mpx.learned import AllEventsEstimator, BiGruEstimator, Trained, TrainedModel, load_model, split_runs, without_programs  # noqa: E402
from hemcore.mpx.learned.prediction import READOUTS  # noqa: E402
from hemcore.mpx.learned.training import Plan, crops_of  # noqa: E402
from hemcore.mpx.learned.training_examples import examples_of  # noqa: E402

WEAK = ("D1mr", "D1mw", "DLmr", "DLmw", "Bcm")
APART = ("pack_and_seal", "particle_world", "sales_query")
BESIDE = ("fixed", "pchip", "log1p", "harmonic", "minimum")


def told(words: str, met: bool) -> None:
    print(f"    {'met    ' if met else 'NOT MET'}  {words}", flush=True)


def scored(series: CounterSeries, methods: list[Any], *, dtw: bool = False, events: tuple[str, ...] = WEAK) -> dict[str, dict[str, float]]:
    """Print and give by method: ra, wa, total, dtw of all series; weak_ra, weak_wa of `events`."""
    found = evaluate(series, methods, MpxParams(most_runs=0, min_share=0, slots_per_count=4 if series.mode == "OCOE" else 0), dtw=dtw)
    rows = found.by_method.set_index("method")
    weak = found.scores[found.scores["event"].isin(events)].groupby("method", observed=True)[["ra", "wa"]].mean()
    out = {}
    for name, row in rows.iterrows():
        out[str(name)] = dict(row) | {"weak_ra": weak.loc[name, "ra"], "weak_wa": weak.loc[name, "wa"]}
        cost = f"  DTW {row['dtw']:5.2f}" if dtw else ""
        print(
            f"  {name:22} RA {row['ra']:.3f}  WA {row['wa']:.3f}  weak5 {weak.loc[name, 'ra']:.3f} / {weak.loc[name, 'wa']:.3f}"
            f"  total {100 * row['total']:+5.2f} %{cost}",
            flush=True,
        )
    return out


def fitted(series: CounterSeries, steps: int, path: Path | None, **more: Any) -> TrainedModel:
    if path is not None and path.exists():
        return load_model(path)
    begin, wall = time.process_time(), time.perf_counter()
    model = AllEventsEstimator(steps=steps, **more).fit(series).model
    assert model is not None
    print(f"  trained: {time.process_time() - begin:.0f} s of the processor, {time.perf_counter() - wall:.0f} s by the clock", flush=True)
    if path is not None:
        model.save(path)
    return model


def promises(name: str, rows: dict[str, dict[str, float]]) -> None:
    curve, counts = rows["trained curve"], rows["trained counts"]
    harmonic, minimum, pchip, fixed = (rows[each] for each in ("harmonic", "minimum", "pchip", "fixed"))
    told(f"{name}: curve, weak5 RA at least .70 with WA at least .78", curve["weak_ra"] >= 0.70 and curve["weak_wa"] >= 0.78)
    told(f"{name}: weak5 RA .10 above harmonic", curve["weak_ra"] >= harmonic["weak_ra"] + 0.10)
    told(f"{name}: weak5 RA .08 above minimum", curve["weak_ra"] >= minimum["weak_ra"] + 0.08)
    told(f"{name}: curve, RA of all series at least .84", curve["ra"] >= 0.84)
    told(f"{name}: counts, weak5 WA at least .81, all series .89", counts["weak_wa"] >= 0.81 and counts["wa"] >= 0.89)
    told(f"{name}: counts above pchip", counts["weak_wa"] > pchip["weak_wa"] and counts["wa"] > pchip["wa"])
    told(f"{name}: DTW of both no worse than fixed + 5 %", max(curve["dtw"], counts["dtw"]) <= 1.05 * fixed["dtw"])


def by_run(series: CounterSeries, arguments: argparse.Namespace) -> None:
    learned, _, tested = split_runs(series)
    assert learned is not None
    assert tested is not None
    print(f"By run, {arguments.steps:,} steps")
    model = fitted(learned, arguments.steps, arguments.model)
    readouts = [Trained(model=model), Trained(model=model, readout="counts")]
    if arguments.quick:
        return
    rows = {}
    for name, part in (("test runs", tested), ("multiplexed sample", samples.load("series-mpx"))):
        print(f" {name}")
        rows[name] = scored(part, [*BESIDE, *readouts], dtw=True)
        promises(name, rows[name])
    if arguments.alone:
        alone_on_bcm(learned, tested, model, arguments)


def alone_on_bcm(learned: CounterSeries, tested: CounterSeries, model: TrainedModel, arguments: argparse.Namespace) -> None:
    print(" Bcm, by all events and by the same network on Bcm alone (curve RA, counts WA)")
    path = None if arguments.model is None else arguments.model.with_suffix(".bcm.npz")
    alone = fitted(learned, arguments.steps, path, events=("Bcm",))
    found = []
    for each in (model, alone):
        both = [OfSome(each.events, Trained(model=each, readout=name), name) for name in READOUTS]
        rows = evaluate(tested, both, MpxParams(most_runs=0, slots_per_count=4), dtw=False)
        own = rows.scores[rows.scores["event"] == "Bcm"].groupby("method", observed=True)[["ra", "wa"]].mean()
        found.append((own.loc["curve", "ra"], own.loc["counts", "wa"]))
        print(f"  {len(each.events):2} events: RA {found[-1][0]:.3f}, WA {found[-1][1]:.3f}")
    told("all events at least .03 better in both", all(a >= b + 0.03 for a, b in zip(*found, strict=True)))


class OfSome:
    """An estimator that knows some of a series' events, for scores of these; the others are harmonic."""

    def __init__(self, events: Sequence[str], own: Any, name: str) -> None:
        self.events, self.own, self.name = list(events), own, name

    def predict(self, sampled: CounterSeries) -> CounterSeries:
        assert sampled.share is not None
        assert sampled.truth is not None
        names = self.events
        some = replace(sampled, counts=sampled.counts[names], share=sampled.share[names], truth=sampled.truth[names])
        found = self.own.predict(some).counts
        filled = estimate(sampled, "harmonic")
        return replace(filled, counts=filled.counts.assign(**{name: found[name] for name in names}))


def by_program(series: CounterSeries, arguments: argparse.Namespace) -> None:
    print(f"By program: without {', '.join(APART)}")
    path = None if arguments.model is None else arguments.model.with_suffix(".programs.npz")
    model = fitted(split_runs(without_programs(series, APART))[0], arguments.steps, path)  # type: ignore[arg-type]
    tested = series.where(series.intervals["application"].isin(APART).to_numpy())
    everywhere = [Trained(model=model, readout=each, everywhere=True) for each in ("curve", "counts")]  # type: ignore[arg-type]
    print(" corrected everywhere")
    scored(tested, list(everywhere))
    print(" as it is used: programs that it has not seen get the base")
    rows = scored(tested, ["log1p", "harmonic", Trained(model=model), Trained(model=model, readout="counts")])
    told("curve RA at least harmonic - .01", rows["trained curve"]["ra"] >= rows["harmonic"]["ra"] - 0.01)
    told("counts WA at least log1p - .01", rows["trained counts"]["wa"] >= rows["log1p"]["wa"] - 0.01)


def seconds(series: CounterSeries) -> None:
    """Seconds per step and per epoch: ours, the paper's and torch's."""
    learned = split_runs(series)[0]
    assert learned is not None
    slots = len(learned.counts)
    AllEventsEstimator(steps=2).fit(learned)
    took = []
    for steps in (5, 25):
        begin = time.process_time()
        AllEventsEstimator(steps=steps).fit(learned)
        took.append(time.process_time() - begin)
    step = (took[1] - took[0]) / 20
    epoch = step * slots / (32 * 128)
    print(f"Seconds of the processor\n  a step {step:.3f}, an epoch of {slots:,} slots {epoch:.1f}")
    few = learned.where((learned.intervals["run"] <= 12).to_numpy())
    BiGruEstimator(events=("Bcm",), protocol="paper", most_epochs=1).fit(few)  # compiles
    begin = time.process_time()
    BiGruEstimator(events=("Bcm",), protocol="paper", most_epochs=2).fit(few)
    two = time.process_time() - begin
    begin = time.process_time()
    BiGruEstimator(events=("Bcm",), protocol="paper", most_epochs=1).fit(few)
    paper = 11 * (two - (time.process_time() - begin)) * slots / len(few.counts)
    print(f"  an epoch of eleven Bi-GRU 3 x 64, a run a step: {paper:.0f} (from {len(few.counts):,} slots)")
    told("an epoch of all events takes at most 1/8 of that", epoch <= paper / 8)
    beside_torch(learned, step)


def beside_torch(learned: CounterSeries, ours: float) -> None:
    if importlib.util.find_spec("torch") is None:
        print("  the same network in torch is left out: torch is not installed here (pip install torch)")
        return
    import torch

    examples, _ = examples_of(learned, 4)
    batch = next(crops_of(examples, Plan(steps=1, crops=32, slots=128, rate=5e-3), np.random.default_rng(0)))
    n = batch.truth.shape[-1]
    network = torch.nn.GRU(2 * n, 64, num_layers=2, bidirectional=True)
    readout = torch.nn.Linear(128, 2 * n)
    weights = [*network.parameters(), *readout.parameters()]
    adam = torch.optim.Adam(weights, lr=5e-3)
    counts, curve, counted, truth, scored_ = (torch.from_numpy(np.ascontiguousarray(each)) for each in batch[:5])
    ratio = torch.where(truth > 0, torch.exp(counts - truth).clamp(0, 20), 0.2)
    inputs = torch.cat([(counts - counts.mean((0, 1))) / (counts.std((0, 1)) + 0.1), counted], dim=-1)

    def step() -> None:
        out = readout(network(inputs)[0])
        off = ratio * (curve + out[..., :n] - truth).abs() + (counts + out[..., n:] - truth).abs()
        adam.zero_grad()
        ((scored_ * off).sum() / scored_.sum()).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        adam.step()

    for threads in dict.fromkeys((1, torch.get_num_threads())):
        torch.set_num_threads(threads)
        step()
        processor, wall = time.process_time(), time.perf_counter()
        for _ in range(10):
            step()
        took, passed = (time.process_time() - processor) / 10, (time.perf_counter() - wall) / 10
        told_of = f"threads: {threads}: {took:.3f}, {took / ours:.1f} times ours ({passed:.3f} by the clock)"
        print(f"  a step in torch {torch.__version__}, {told_of}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.steps = 40
    series = truncate_tail(samples.load("series-ocoe"), 0.0, 1).series  # type: ignore[arg-type]
    by_run(series, arguments)
    if arguments.programs:
        by_program(series, arguments)
    seconds(series)


if __name__ == "__main__":
    main()
