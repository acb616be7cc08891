"""What a model for all events learns from, and what it predicts from: base estimates, masks and, where it is known, the truth."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.estimators import harmonic, log1p
from hemcore.mpx.sampled import Flags, Floats, Places, Rows, Sampled, matrix_of, rows_of
from hemcore.mpx.virtual import counted_slots

Singles = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bases:
    """What is known of each slot without training, as logs of 1 + count; arrays of shape (slots, events), 0 where a run has no count.

    counts: interpolated in the log. curve: harmonic. counted: 1 where the slot was counted, else 0.
    """

    counts: Singles
    curve: Singles
    counted: Singles


@dataclass(frozen=True, kw_only=True, eq=False)
class Examples:
    """Runs to learn from.

    starts: as Sampled.starts. rotations: the same runs as each rotation of the schedule shows them. truth: log(1 + count), shape
    (slots, events); known: where there is one.
    """

    starts: Places
    rotations: tuple[Bases, ...]
    truth: Singles
    known: Flags


def bases_of(sampled: Sampled) -> Bases:
    """The untrained estimates that a model corrects."""

    def logs(values: Floats) -> Singles:
        return np.ascontiguousarray(np.log1p(np.nan_to_num(values)).T.astype(np.float32))

    counted = np.ascontiguousarray((~sampled.hidden).T.astype(np.float32))
    return Bases(counts=logs(log1p.fill(sampled)), curve=logs(harmonic.fill(sampled)), counted=counted)


def examples_of(series: CounterSeries, slots_per_count: int, events: tuple[str, ...] = ()) -> tuple[Examples, Rows]:
    """`series` as examples, and where its runs are.

    series: OCOE, or MPX with a truth. slots_per_count: k of the schedule, in all its k rotations; 0: the slots that were hidden in the MPX
    series as it was measured. events: those to learn, of the schedule of all of the series; empty: all.
    Raises ParameterError where the truth is not known, nothing is hidden, or k does not fit.
    """
    n_events = len(series.events)
    chosen = [series.events.index(name) for name in events] if events else list(range(n_events))
    rows = rows_of(series.intervals)
    truth = matrix_of(truth_of(series), rows.order)
    if not slots_per_count:
        masks = [~np.isnan(matrix_of(series.counts, rows.order))]
    elif slots_per_count > n_events:
        raise ParameterError(
            f"slots_per_count: {slots_per_count} does not fit {n_events} events: a slot would count none. Choose at most {n_events}."
        )
    else:
        lengths = np.diff(rows.starts).tolist()
        masks = [
            np.concatenate([counted_slots(n, n_events, slots_per_count, start=start).T for n in lengths], axis=1)
            for start in range(slots_per_count)
        ]
    truth = truth[chosen]
    masks = [mask[chosen] for mask in masks]
    check_hidden(np.concatenate([~mask[~np.isnan(truth)] for mask in masks]))
    rotations = tuple(bases_of(Sampled(counts=np.where(mask, truth, np.nan), starts=rows.starts)) for mask in masks)
    known = np.ascontiguousarray(~np.isnan(truth).T)
    return Examples(starts=rows.starts, rotations=rotations, truth=np.log1p(np.nan_to_num(truth)).T.astype(np.float32), known=known), rows


def truth_of(series: CounterSeries) -> pd.DataFrame:
    """The real counts of `series`. Raises ParameterError where they are not known."""
    found = series.counts if series.mode == "OCOE" else series.truth
    if found is None:
        raise ParameterError("series: it is multiplexed and its truth is not known, so nothing can be learned. Choose an OCOE series.")
    return found


def check_hidden(hidden: Flags) -> None:
    """Raises ParameterError unless some of the slots with a truth are hidden, and some are not."""
    if not hidden.any():
        raise ParameterError(
            "series: no slot of it is hidden, so there is nothing to learn. Choose more slots per count, or a series of more events."
        )
    if hidden.all():
        raise ParameterError("series: every slot is hidden, so there is nothing to learn from. Is it the right file?")


def check_events(given: list[str], learned: tuple[str, ...]) -> None:
    """Raises ParameterError unless the events are those that a model was trained for; their order is free."""
    lacking = [name for name in learned if name not in given]
    further = [name for name in given if name not in learned]
    if lacking or further:
        faults = [f"lacks {listed(lacking)}"] if lacking else []
        faults += [f"has {listed(further)}, which the model does not know"] if further else []
        what = " and ".join(faults)
        raise ParameterError(f"sampled: the series {what}. Train a model on these events, or choose an untrained estimator.")
