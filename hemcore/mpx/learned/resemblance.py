"""Whether a series is like those that a model learned from: the same programs, k, sizes of counts and steps from slot to slot."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.sampled import Flags, Floats, Rows, Sampled

# How far a run's mean of log(1 + count) may lie outside those of the training runs: a factor of 2.
_APART = float(np.log(2))
# How far the slots per count may be from those in training, and how many events may be strange before the whole run is.
_OTHER_K, _MOST_STRANGE = 0.25, 0.25
# From which difference of the slots per count on it is said that they are not those of training.
_SAME_K = 0.1
# How much larger than in any training run the steps from one counted slot to the next may be, in logs: slots in another order have none
# of its curve.
_ROUGHER, _STEP = 1.5, 0.1


class Suited(NamedTuple):
    """corrected: which events of which runs are corrected, shape (events, runs). why: a sentence for each reason that others are not, and
    for what those that are differ in from training."""

    corrected: Flags
    why: tuple[str, ...]


def suited(model: TrainedModel, sampled: Sampled, rows: Rows) -> Suited:
    """What of `sampled`, whose rows are the model's events, resembles what `model` learned from.

    Not corrected: runs of programs that it has not seen; all runs if the slots per count differ from those in training by over a quarter;
    events whose counts seen in a run are, by their mean in logs, over twice as high or as low as in the training runs of the program, or
    whose steps from one counted slot to the next are half as large again; and the whole run where these are over a quarter of its events.
    Slots per count that differ by over a tenth are corrected, and said. Models kept before this was stored have programs and k alone.
    """
    known = np.array([program in model.programs for program, _ in rows.keys], dtype=bool)
    corrected = np.repeat(known[None], len(model.events), axis=0)
    why = []
    strangers = list(dict.fromkeys(program for (program, _), seen in zip(rows.keys, known.tolist(), strict=True) if not seen))
    if strangers:
        why.append(f"The model was not trained on {strangers[0]}, which gets the untrained estimate.")
    k, own = float(model.weights["k"]) if "k" in model.weights else float(model.slots_per_count), slots_per_count(sampled)
    if k and abs(own / k - 1) > _OTHER_K:
        corrected[:] = False
        why.append(f"The model was trained at 1 slot in {k:.3g}; this series has 1 in {own:.3g} and gets the untrained estimate.")
    elif "low" in model.weights:
        means = run_means(sampled)
        program = [model.programs.index(name) if name in model.programs else 0 for name, _ in rows.keys]
        low, high = (model.weights[name][program].T for name in ("low", "high"))
        strange = ~((means >= low - _APART) & (means <= high + _APART)) & ~np.isnan(means)
        if "rough" in model.weights:
            strange |= run_steps(sampled) > _ROUGHER * model.weights["rough"][program].T + _STEP
        strange[:, strange.mean(axis=0) > _MOST_STRANGE] = True
        if (strange & corrected).any():
            first = model.events[int((strange & corrected).any(axis=1).argmax())]
            many = int((strange & corrected).any(axis=1).sum())
            more = f" and {many - 1} more events" if many > 1 else ""
            why.append(f"Counts of {first}{more} are unlike those in training: they get the untrained estimate.")
        corrected &= ~strange
    if k and _SAME_K < abs(own / k - 1) <= _OTHER_K and corrected.any():
        why.append(f"The model was trained at 1 slot in {k:.3g}; this series has 1 in {own:.3g}, for which it was not tested.")
    return Suited(corrected, tuple(why))


def slots_per_count(sampled: Sampled) -> float:
    """Slots per count of the events that were counted at all; 1 if none was."""
    counted = ~sampled.hidden
    shares = counted.mean(axis=1)[counted.any(axis=1)]
    return float(1 / shares.mean()) if len(shares) else 1.0


def run_means(sampled: Sampled) -> Floats:
    """The mean log(1 + count) of each event's counted slots in each run, shape (events, runs); NaN where there is none."""
    logs, counted = np.log1p(np.nan_to_num(sampled.counts)), (~sampled.hidden).astype(float)
    many = np.add.reduceat(counted, sampled.starts[:-1], axis=1)
    with np.errstate(invalid="ignore"):
        return np.where(many > 0, np.add.reduceat(logs, sampled.starts[:-1], axis=1) / many, np.nan)


def run_steps(sampled: Sampled, lag: int = 1) -> Floats:
    """The mean |difference| of log(1 + count) of each event's counted slots and those `lag` counted slots later, shape (events, runs).

    NaN where a run has no such pair. Of whole runs, a lag of k has the steps that a rotation of k groups sees.
    """
    logs, runs = np.log1p(np.nan_to_num(sampled.counts)), len(sampled.starts) - 1
    run_of = np.repeat(np.arange(runs), np.diff(sampled.starts))
    found = np.full((len(logs), runs), np.nan)
    for event, counted in enumerate(~sampled.hidden):
        at = np.flatnonzero(counted)
        first, second = at[:-lag], at[lag:]
        within = run_of[first] == run_of[second]
        first, second = first[within], second[within]
        many = np.bincount(run_of[first], minlength=runs)
        sums = np.bincount(run_of[first], np.abs(logs[event, second] - logs[event, first]), minlength=runs)
        np.divide(sums, many, out=found[event], where=many > 0)
    return found


def ranges(means: Floats, steps: Floats, programs: list[str], order: tuple[str, ...]) -> dict[str, NDArray[np.float32]]:
    """ "low" and "high" of run means and "rough", the largest run step, (events, runs) over the runs of each program of `order`: shape
    (programs, events), as weights."""
    own = [np.array([name == program for name in programs]) for program in order]
    parts = [np.nan_to_num(means[:, each]) for each in own]
    return {
        "low": np.stack([part.min(axis=1) for part in parts]).astype(np.float32),
        "high": np.stack([part.max(axis=1) for part in parts]).astype(np.float32),
        "rough": np.stack([np.nan_to_num(steps[:, each]).max(axis=1) for each in own]).astype(np.float32),
    }
