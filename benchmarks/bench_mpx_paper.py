"""Document 001's two networks on the samples, as they come: RA, WA and DTW-cost an event, beside the untrained estimate that they are fed.

    python benchmarks/bench_mpx_paper.py [--events Bcm DLmw D1mr] [--networks mlp bi-gru] [--most-epochs 0] [--model FILE]

A network an event, early stopping as by default (the smallest error of 6 runs a program that are not learned from, 10 epochs without a
smaller one), k = 4, one seed. Split by run 42 / 6 / 12 a program, scored on the 12 and on the multiplexed sample with its truth, hidden
slots alone, the last slot of a run left out. --most-epochs: stop there at the latest; 0: the document's 1,200 and 600. --model: a model for
all events that bench_mpx_training.py has written, scored on the same events. Nothing is promised of these networks, so nothing is asserted.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bench_mpx_training import OfSome  # noqa: E402
from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.tables.counter_series import CounterSeries  # noqa: E402
from hemcore.mpx import MpxParams, evaluate, truncate_tail  # noqa: E402
from hemcore.mpx.learned import BiGruEstimator, MlpEstimator, Trained, TrainedModel, load_model, split_runs  # noqa: E402
from hemcore.mpx.learned.paper import PaperTrained  # noqa: E402
from hemcore.mpx.learned.split import PAPER  # noqa: E402

NETWORKS = {"mlp": MlpEstimator, "bi-gru": BiGruEstimator}


def fitted(kind: str, learned: CounterSeries, event: str, most: int) -> TrainedModel:
    begin, wall = time.process_time(), time.perf_counter()
    model = NETWORKS[kind](events=(event,), most_epochs=most or None).fit(learned).model
    assert model is not None
    losses = model.losses
    best = losses.loc[losses["checked"].idxmin()]
    print(
        f"  {kind}, {event}: {len(losses)} epochs, best after {int(best['step'])} (error {best['training']:.4f}, held out "
        f"{best['checked']:.4f}); {time.process_time() - begin:.0f} s of the processor, {time.perf_counter() - wall:.0f} s by the clock",
        flush=True,
    )
    return model


def scored(series: CounterSeries, event: str, methods: list[Any]) -> pd.DataFrame:
    """Means of `event` alone: a row a method, ra, wa, total, dtw."""
    asked = MpxParams(most_runs=0, min_share=0, slots_per_count=4 if series.mode == "OCOE" else 0)
    rows = evaluate(series, methods, asked).scores
    own = rows[(rows["event"] == event) & rows["ra"].notna()]
    return own.groupby("method", observed=True, sort=False)[["ra", "wa", "total", "dtw"]].mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", nargs="+", default=["Bcm", "DLmw", "D1mr"])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--most-epochs", type=int, default=0)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    whole = truncate_tail(samples.load("series-ocoe"), 0.0, 1).series  # type: ignore[arg-type]
    learned, _ = split_runs(whole, (PAPER[0] + PAPER[1], PAPER[2]))
    tested = split_runs(whole)[2]
    assert learned is not None
    assert tested is not None
    more: list[Any] = []
    if arguments.model is not None:
        ours = load_model(arguments.model)
        more = [Trained(model=ours), Trained(model=ours, readout="counts")]
    for event in arguments.events:
        found: list[Any] = []
        for kind in arguments.networks:
            model = PaperTrained(model=fitted(kind, learned, event, arguments.most_epochs))
            found.append(OfSome(model.model.events, model, f"the paper's {kind}"))
        for name, part in (("test runs", tested), ("multiplexed sample", samples.load("series-mpx"))):
            print(f" {event}, {name}")
            for method, row in scored(part, event, ["fixed", "harmonic", *found, *more]).iterrows():  # type: ignore[arg-type]
                print(
                    f"  {method:24} RA {row['ra']:.3f}  WA {row['wa']:.3f}  DTW {row['dtw']:5.2f}  total {100 * row['total']:+6.2f} %",
                    flush=True,
                )


if __name__ == "__main__":
    main()
