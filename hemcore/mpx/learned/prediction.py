"""What a model for all events says of a multiplexed series: two readouts, each a correction of an untrained estimate."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.mpx.learned import forward
from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.resemblance import suited
from hemcore.mpx.learned.training_examples import Bases, Singles, bases_of, check_events
from hemcore.mpx.sampled import Floats, Places, Rows, Sampled, sampled_of, with_estimates

Readout = Literal["curve", "counts"]
READOUTS: tuple[Readout, ...] = ("curve", "counts")
# Series that go through the network side by side, and values (slots x series) of them at once.
_TOGETHER, _AT_ONCE = 32, 65_536


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """A model for all events as an estimator: `readout` of it.

    "curve": what each slot's count most likely is in relative terms, a correction of harmonic; "counts": half of the counts lie above it,
    a correction of the interpolated log(1 + count), whose sums are nearer. everywhere: correct all that is given; by default programs,
    slots per count and sizes of counts that were not in training get the base alone (`suited`), for there nothing is gained.
    """

    model: TrainedModel
    readout: Readout = "curve"
    everywhere: bool = False

    @property
    def name(self) -> str:
        """What a table of scores calls it."""
        return f"trained {self.readout}{', everywhere' if self.everywhere else ''}"

    def predict(self, sampled: CounterSeries) -> CounterSeries:
        """`sampled` with its hidden slots estimated; counted values stay. NaN where a run never counted the event.

        Raises ParameterError for events that are not those of the model, and where every slot is hidden.
        """
        return predicted(self.model, sampled, (self.readout,), everywhere=self.everywhere)[self.readout]


def not_corrected(model: TrainedModel, sampled: CounterSeries) -> tuple[str, ...]:
    """Why parts of `sampled` get the untrained estimate, a sentence for each reason; raises as `predicted`."""
    own, rows, _ = _own(model, sampled)
    return suited(model, own, rows).why


def _own(model: TrainedModel, sampled: CounterSeries) -> tuple[Sampled, Rows, list[int]]:
    """`sampled` with the events of the model in its order, where its runs are, and where these events were."""
    matrix, rows = sampled_of(sampled)
    check_events(sampled.events, model.events)
    places = [sampled.events.index(name) for name in model.events]
    return Sampled(counts=np.ascontiguousarray(matrix.counts[places]), starts=matrix.starts), rows, places


def predicted(
    model: TrainedModel, sampled: CounterSeries, readouts: tuple[Readout, ...] = READOUTS, *, everywhere: bool = False
) -> dict[Readout, CounterSeries]:
    """What each readout of `model` says of `sampled`, as Trained.predict; the network is gone through once."""
    own, rows, places = _own(model, sampled)
    corrected = np.ones((len(places), len(rows.keys)), dtype=bool) if everywhere else suited(model, own, rows).corrected
    values = values_of(model, own, corrected)
    back = np.argsort(places)
    found: dict[Readout, CounterSeries] = {}
    for readout in readouts:
        filled = np.empty(sampled.counts.shape)
        filled[rows.order] = values[readout][back].T
        found[readout] = with_estimates(sampled, filled)
    return found


def values_of(model: TrainedModel, sampled: Sampled, corrected: np.ndarray) -> dict[Readout, Floats]:
    """Counts of every slot by each readout, the shape of sampled.counts, whose rows are the model's events.

    corrected: which events of which runs are corrected, shape (events, runs); the others get the bases, and the network their mean in
    training instead of them.
    """
    hidden = sampled.hidden
    never = np.isnan(sampled.gaps.before)
    bases = bases_of(sampled)
    of_slot = np.repeat(corrected, np.diff(sampled.starts), axis=1).T
    # The network does not see them either: an event of another size would spoil its corrections of all others.
    seen = replace(bases, counts=np.where(of_slot, bases.counts, model.weights["centre"]))
    out = _corrections(model, seen, sampled.starts, np.logical_or.reduce(corrected, axis=0)) * np.tile(of_slot, 2)
    n = len(model.events)
    top = model.weights["top"]
    found: dict[Readout, Floats] = {}
    for number, (readout, base) in enumerate((("curve", bases.curve), ("counts", bases.counts))):
        # No estimate beyond the largest count of the event that was ever seen.
        logs = np.clip(base + out[:, number * n : (number + 1) * n], 0.0, np.maximum(top, base))
        values = np.expm1(logs.astype(np.float64))
        if model.settings.get("whole"):
            # Where it learned whole counts it estimates whole ones: less than half an event is none.
            values[of_slot] = np.rint(values[of_slot])
        values = values.T
        found[readout] = np.where(hidden, np.where(never, np.nan, values), sampled.counts)  # type: ignore[index]
    return found


def _corrections(model: TrainedModel, bases: Bases, starts: Places, corrected: np.ndarray) -> Singles:
    """Shape (slots, 2 events): what is added to the bases; 0 in runs that are not corrected."""
    weights = model.weights
    scaled = np.concatenate([(bases.counts - weights["centre"]) / weights["spread"], bases.counted], axis=1)
    lengths = np.diff(starts)
    out = np.zeros((len(scaled), 2 * len(model.events)), np.float32)
    # Runs of about one length go side by side.
    order = [run for run in np.argsort(lengths, kind="stable").tolist() if corrected[run]]
    while order:
        slots = int(lengths[order[-1]])
        together = order[-max(1, min(_TOGETHER, _AT_ONCE // max(slots, 1))) :]
        del order[-len(together) :]
        inputs = np.zeros((slots, len(together), scaled.shape[1]), np.float32)
        there = np.zeros((slots, len(together), 1), np.float32)
        for place, run in enumerate(together):
            inputs[: lengths[run], place] = scaled[starts[run] : starts[run + 1]]
            there[: lengths[run], place] = 1
        found = forward.bi_gru(weights, inputs, there)
        for place, run in enumerate(together):
            out[starts[run] : starts[run + 1]] = found[: lengths[run], place]
    return out
