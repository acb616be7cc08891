"""One Bi-GRU for all events, which corrects untrained estimates of what was hidden, with a readout for curves and one for counts."""

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.prediction import Readout, Trained
from hemcore.mpx.learned.require import require_training_packages
from hemcore.mpx.learned.resemblance import ranges, run_means, run_steps
from hemcore.mpx.learned.training_examples import examples_of, truth_of
from hemcore.mpx.learned.training_losses import note_of
from hemcore.mpx.sampled import Sampled

# How far above the largest count seen in training an estimate may lie: e times, in logs.
_BEYOND = 1.0
_POINTS = 200


class AllEventsEstimator:
    """A bidirectional GRU of `layers` layers of `width` units for all events at once.

    In: every event's interpolated log(1 + count), and whether it was counted in the slot. Out: every event, twice, as residuals in the log:
    the curve on the harmonic estimate, with the loss that makes RA's sum least, and the counts on the interpolated one, with a plain one.
    Trained on hidden slots alone, on random pieces of runs in random rotations of the schedule. The same seed gives the same model on
    the same machine.

    slots_per_count: k; 0: as the multiplexed series was measured. events: those to learn; empty: all of the series.
    steps, crops, crop_slots, rate: of training, as training.Plan.
    """

    name = "all events"

    def __init__(
        self,
        *,
        slots_per_count: int = 4,
        events: tuple[str, ...] = (),
        seed: int = 0,
        width: int = 64,
        layers: int = 2,
        steps: int = 1600,
        crops: int = 32,
        crop_slots: int = 128,
        rate: float = 5e-3,
    ) -> None:
        sizes = {"width": width, "layers": layers, "steps": steps, "crops": crops, "crop_slots": crop_slots}
        for name, value in sizes.items():
            if value < 1:
                raise ParameterError(f"{name}: {value} must be at least 1.")
        if not 0 < rate < 1:
            raise ParameterError(f"rate: {rate:g} must be above 0 and under 1.")
        if slots_per_count < 0:
            raise ParameterError(f"slots_per_count: {slots_per_count} must be at least 0.")
        self.slots_per_count, self.events, self.seed, self.rate = slots_per_count, tuple(events), seed, rate
        self.sizes = sizes
        self.model: TrainedModel | None = None

    def fit(self, series: CounterSeries, *, progress: Progress | None = None) -> "AllEventsEstimator":
        """Learn from the runs of `series`, OCOE or MPX with a truth; gives itself, `model` is what was found.

        progress: as an analysis's; its note has the losses. Raises ParameterError where the truth is not known, nothing is hidden, k does
        not fit or jax is not installed.
        """
        require_training_packages()
        from hemcore.mpx.learned import gru, training

        unknown = [name for name in self.events if name not in series.events]
        if unknown:
            raise ParameterError(f"events: {unknown[0]!r} is not in the series; it has {', '.join(series.events)}.")
        examples, rows = examples_of(series, self.slots_per_count, self.events)
        events = self.events or tuple(series.events)
        draw = np.random.default_rng(self.seed)
        first = examples.rotations[0].counts
        scale = (first.mean(axis=0), first.std(axis=0) + np.float32(0.1))
        plan = training.Plan(steps=self.sizes["steps"], crops=self.sizes["crops"], slots=self.sizes["crop_slots"], rate=self.rate)
        points: list[tuple[int, float, float]] = []
        every = max(1, plan.steps // _POINTS)

        def report(step: int, curve: float, counts: float) -> None:
            if step % every == 0 or step in (1, plan.steps):
                points.append((step, curve, counts))
            if progress is not None:
                progress(step / plan.steps, note_of("step", step, plan.steps, {"curves": curve, "counts": counts}))

        weights = gru.initial(draw, 2 * len(events), self.sizes["width"], self.sizes["layers"], 2 * len(events))
        found = training.trained(weights, scale, examples, plan, draw, report)
        frame = truth_of(series)[list(events)]
        whole = bool((frame.fillna(0) % 1 == 0).to_numpy().all())
        known = np.where(examples.known, examples.truth, 0.0)
        programs = [application for application, _ in rows.keys]
        seen = tuple(dict.fromkeys(programs))
        whole_runs = Sampled(counts=np.where(examples.known, np.expm1(examples.truth.astype(float)), np.nan).T, starts=examples.starts)
        spans = ranges(run_means(whole_runs), run_steps(whole_runs, self.slots_per_count), programs, seen)
        k = np.array(1 / np.mean([rotation.counted.mean() for rotation in examples.rotations]), dtype=np.float32)
        self.model = TrainedModel(
            kind="all events",
            events=events,
            programs=seen,
            slots_per_count=self.slots_per_count,
            seed=self.seed,
            weights=found
            | spans
            | {"centre": scale[0], "spread": scale[1], "top": (known.max(axis=0) + _BEYOND).astype(np.float32), "k": k},
            losses=pd.DataFrame(points, columns=["step", "curve", "counts"]),
            settings={**self.sizes, "rate": self.rate, "slots": len(examples.truth), "runs": len(rows.keys), "whole": whole},
        )
        return self

    def predict(self, sampled: CounterSeries, readout: Readout = "curve") -> CounterSeries:
        """As Trained.predict. Raises ParameterError before `fit`."""
        if self.model is None:
            raise ParameterError("predict: the estimator is not trained. Call fit(series) first, or load a model.")
        return Trained(model=self.model, readout=readout).predict(sampled)
