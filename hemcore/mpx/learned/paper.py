"""The estimators of Wang et al. (2022): a perceptron and a Bi-GRU, one per event, from the fixed estimate to the truth in log10."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.mpx.estimators import fixed
from hemcore.mpx.learned import forward
from hemcore.mpx.learned.forward import Singles
from hemcore.mpx.learned.network import Kind, TrainedModel
from hemcore.mpx.learned.require import require_training_packages
from hemcore.mpx.learned.split import split_runs
from hemcore.mpx.learned.training_examples import check_events, check_hidden, truth_of
from hemcore.mpx.learned.training_losses import note_of
from hemcore.mpx.sampled import Floats, Sampled, rows_of, sampled_of, with_estimates
from hemcore.mpx.virtual import virtual_multiplex

Protocol = Literal["early stopping", "paper"]
# Runs are padded to a multiple of this many slots, so that few shapes are compiled.
_BUCKET = 128
# An estimate is at most ten times the largest count seen in training.
_BEYOND = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class PaperTrained:
    """A model of Wang et al. (2022) as an estimator."""

    model: TrainedModel

    @property
    def name(self) -> str:
        """What a table of scores calls it."""
        return f"trained {self.model.kind}"

    def predict(self, sampled: CounterSeries) -> CounterSeries:
        """`sampled` with its hidden slots estimated; counted values stay. NaN where a run never counted the event.

        Raises ParameterError for events that are not those of the model, and where every slot is hidden.
        """
        check_events(sampled.events, self.model.events)
        matrix, rows = sampled_of(sampled)
        inputs = _inputs(matrix)
        values = np.empty(inputs.shape)
        for row, event in enumerate(sampled.events):
            number = self.model.events.index(event)
            weights = {name.partition(":")[2]: each for name, each in self.model.weights.items() if name.startswith(f"{number}:")}
            for start, end in pairwise(matrix.starts):
                found = _outputs(self.model.kind, weights, inputs[row, start:end])
                values[row, start:end] = np.clip(found, 0.0, float(self.model.weights["top"][number]))
        counts = np.where(np.isnan(matrix.gaps.before), np.nan, 10.0**values - 1)
        filled = np.empty(sampled.counts.shape)
        filled[rows.order] = np.where(matrix.hidden, counts, matrix.counts).T
        return with_estimates(sampled, filled)


class _OneEach:
    """What both share: a network per event, trained on whole runs one after the other."""

    name: ClassVar[Kind]
    epochs_of_paper: ClassVar[int]
    rate: ClassVar[float]
    patience: ClassVar[int]

    def __init__(
        self,
        *,
        slots_per_count: int = 4,
        events: tuple[str, ...] = (),
        seed: int = 0,
        protocol: Protocol = "early stopping",
        most_epochs: int | None = None,
    ) -> None:
        if protocol not in ("early stopping", "paper"):
            raise ParameterError(f"protocol: {protocol!r} must be 'early stopping' or 'paper'.")
        if most_epochs is not None and most_epochs < 1:
            raise ParameterError(f"most_epochs: {most_epochs} must be at least 1.")
        if slots_per_count < 0:
            raise ParameterError(f"slots_per_count: {slots_per_count} must be at least 0.")
        self.slots_per_count, self.events, self.seed, self.protocol = slots_per_count, tuple(events), seed, protocol
        self.most_epochs = most_epochs or self.epochs_of_paper
        self.model: TrainedModel | None = None

    def fit(self, series: CounterSeries, *, progress: Progress | None = None) -> "_OneEach":
        """Learn from the runs of `series`, OCOE (k = slots_per_count of it are hidden) or MPX with a truth; gives itself.

        One run in eight is not learned from: training ends when its error has not fallen for `patience` epochs; protocol="paper" goes
        through all epochs of the document. Raises ParameterError where the truth is not known, nothing is hidden, k does not fit, jax
        is not installed, or one run alone is there to learn from and to check on.
        """
        require_training_packages()
        from hemcore.mpx.learned import paper_training

        for name in self.events:
            if name not in series.events:
                raise UnknownNameError(f"events: {name!r} is not in the series; it has {', '.join(series.events)}.")
        sampled = _hidden(series, self.slots_per_count)
        learned, checked = split_runs(sampled, (0.875, 0.125), self.seed)
        assert learned is not None
        stops = self.protocol == "early stopping"
        if checked is None and stops:
            raise ParameterError(
                "series: too few runs to keep one of them to check on. Give at least four of an application, or protocol='paper'."
            )
        events = self.events or tuple(series.events)
        longest = int(np.diff(rows_of(series.intervals).starts).max())
        length = -(-longest // _BUCKET) * _BUCKET
        points: list[tuple[str, int, float, float]] = []
        weights: dict[str, Singles] = {}
        tops = []
        for number, event in enumerate(events):

            def report(epoch: int, error: float, checked_error: float, event: str = event, number: int = number) -> None:
                points.append((event, epoch, error, checked_error))
                if progress is not None:
                    share = (number + epoch / self.most_epochs) / len(events)
                    progress(share, note_of(f"{event}, epoch", epoch, self.most_epochs, {"learned": error, "held out": checked_error}))

            own, _ = paper_training.trained(
                self.name,  # type: ignore[arg-type]
                paper_training.Runs(*_padded(learned, event, length)),
                None if checked is None else paper_training.Runs(*_padded(checked, event, length)),
                epochs=self.most_epochs,
                patience=self.patience if stops else 0,
                rate=self.rate,
                seed=self.seed,
                report=report,
            )
            weights |= {f"{number}:{name}": each for name, each in own.items()}
            assert sampled.truth is not None
            tops.append(np.log10(1 + np.nanmax(sampled.truth[event].to_numpy(dtype=float, na_value=np.nan), initial=0.0)) + _BEYOND)
        self.model = TrainedModel(
            kind=self.name,
            events=events,
            programs=tuple(series.applications),
            slots_per_count=self.slots_per_count,
            seed=self.seed,
            weights=weights | {"top": np.array(tops, dtype=np.float32)},
            losses=pd.DataFrame(points, columns=["event", "step", "training", "checked"]),
            settings={"protocol": self.protocol, "most_epochs": self.most_epochs, "rate": self.rate},
        )
        return self

    def predict(self, sampled: CounterSeries) -> CounterSeries:
        """As PaperTrained.predict. Raises ParameterError before `fit`."""
        if self.model is None:
            raise ParameterError("predict: the estimator is not trained. Call fit(series) first, or load a model.")
        return PaperTrained(model=self.model).predict(sampled)


def joined(models: Sequence[TrainedModel]) -> TrainedModel:
    """The networks of several events as one model, in this order. models: of one kind, trained on the same runs with the same settings."""
    weights = {
        f"{number}:{name.partition(':')[2]}": each
        for number, (model, at) in enumerate((model, at) for model in models for at in range(len(model.events)))
        for name, each in model.weights.items()
        if name.startswith(f"{at}:")
    }
    return replace(
        models[0],
        events=tuple(event for model in models for event in model.events),
        weights=weights | {"top": np.concatenate([model.weights["top"] for model in models])},
        losses=pd.concat([model.losses for model in models], ignore_index=True),
    )


class MlpEstimator(_OneEach):
    """Table 1: hidden layers of 128 and 64, dropout 0.3, Adam at 3e-3, 1,200 epochs; slot by slot, so that it can repair a bias alone."""

    name = "mlp"
    epochs_of_paper = 1200
    rate = 3e-3
    patience = 10


class BiGruEstimator(_OneEach):
    """Table 2: three bidirectional layers of 64 units, Adam at 5e-3, 600 epochs."""

    name = "bi-gru"
    epochs_of_paper = 600
    rate = 5e-3
    patience = 10


def _hidden(series: CounterSeries, slots_per_count: int) -> CounterSeries:
    """The series as it was multiplexed, or would have been. Raises ParameterError where there is no truth or nothing is hidden."""
    truth_of(series)
    sampled = virtual_multiplex(series, slots_per_count or min(4, len(series.events))) if series.mode == "OCOE" else series
    check_hidden(sampled.counts.isna().to_numpy())
    return sampled


def _inputs(matrix: Sampled) -> Floats:
    return np.log10(1 + np.nan_to_num(fixed.fill(matrix)))


def _padded(series: CounterSeries, event: str, length: int) -> list[Singles]:
    """The fields of paper_training.Runs."""
    matrix, rows = sampled_of(series)
    row = series.events.index(event)
    inputs = _inputs(Sampled(counts=matrix.counts[row : row + 1], starts=matrix.starts))[0]
    assert series.truth is not None
    truth = series.truth[event].to_numpy(dtype=float, na_value=np.nan)[rows.order]
    known = ~np.isnan(truth) & ~np.isnan(matrix.gaps.before[row])
    found = []
    for values in (inputs, np.where(known, np.log10(1 + np.nan_to_num(truth)), 0.0), known, np.ones(len(known))):
        out = np.zeros((len(rows.keys), length), np.float32)
        for run, (start, end) in enumerate(pairwise(rows.starts)):
            out[run, : end - start] = values[start:end]
        found.append(out)
    return found


def _outputs(kind: Kind, weights: dict[str, Singles], inputs: Floats) -> Floats:
    given = inputs.astype(np.float32)
    if kind == "mlp":
        return forward.mlp(weights, given[:, None])[:, 0].astype(np.float64)
    there = np.ones((len(given), 1, 1), np.float32)
    return forward.bi_gru(weights, given[:, None, None], there)[:, 0, 0].astype(np.float64)
