"""The sums that scores are made of, for every event and run of a matrix at once."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.mpx.sampled import Flags, Floats, Places


@njit(cache=True)
def tally(values: Floats, truth: Floats, hidden: Flags, starts: Places) -> NDArray[np.float64]:
    """Shape (events, runs, 7): scored, zeros, relative, absolute, hidden_truth, error and truth of each event in each run.

    scored: hidden slots with a truth above 0; zeros: hidden slots with the truth 0; relative: sum of |estimate - truth| / truth over the
    scored ones; absolute, hidden_truth: sums of |estimate - truth| and of the truth over the hidden slots; error, truth: sums of
    estimate - truth and of the truth over all slots. A counted slot is exact: only where it is hidden is the estimate looked at. Slots
    without a truth or an estimate are in none.
    """
    out = np.zeros((values.shape[0], len(starts) - 1, 7))
    for event in range(values.shape[0]):
        for run in range(len(starts) - 1):
            scored = zeros = 0
            relative = absolute = hidden_truth = error = total = 0.0
            for slot in range(starts[run], starts[run + 1]):
                true = truth[event, slot]
                if np.isnan(true):
                    continue
                if hidden[event, slot]:
                    off = values[event, slot] - true
                    if np.isnan(off):
                        continue
                    if true > 0:
                        scored += 1
                        relative += abs(off) / true
                    else:
                        zeros += 1
                    absolute += abs(off)
                    hidden_truth += true
                    error += off
                total += true
            row = out[event, run]
            row[0], row[1], row[2], row[3] = scored, zeros, relative, absolute
            row[4], row[5], row[6] = hidden_truth, error, total
    return out


@njit(cache=True)
def compare(one: Floats, other: Floats, truth: Floats, hidden: Flags) -> NDArray[np.float64]:
    """Shape (events, 5), over the hidden slots with a truth above 0 that both estimate.

    How many they are; by how much the relative error of `one` is smaller than that of `other`, summed, and its squares summed; where
    `one` is nearer, and where `other` is.
    """
    out = np.zeros((one.shape[0], 5))
    for event in range(one.shape[0]):
        row = out[event]
        for slot in range(one.shape[1]):
            true = truth[event, slot]
            if not hidden[event, slot] or not true > 0:
                continue
            gain = (abs(other[event, slot] - true) - abs(one[event, slot] - true)) / true
            if np.isnan(gain):
                continue
            row[0] += 1
            row[1] += gain
            row[2] += gain * gain
            row[3] += gain > 0
            row[4] += gain < 0
    return out
