"""How well two segmentations of one series, or of several runs of one program, agree.

A change point is the first index of a new segment, counted from 0; 0 and n are not change points. ruptures lists the ends of segments
instead, including n: only `breakpoints` and `from_breakpoints` convert.
"""

import functools
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.errors import ParameterError

_SHORT = 64  # change points of two lists, together, up to which their agreement is cached


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How well found change points agree with true ones; `agreement` computes it and defines each measure.

    hausdorff and tolerance are in samples; covering, precision, recall and f1 lie in [0, 1], 1 is best.
    """

    covering: float
    hausdorff: float
    precision: float
    recall: float
    f1: float
    n_true: int
    n_found: int
    tolerance: int


def breakpoints(change_points: Iterable[int], n_samples: int) -> list[int]:
    """Change points in ruptures' form, with n_samples at the end. No change point gives [n_samples].

    Raises ParameterError if n_samples < 1, or change points are not whole numbers, outside 1..n_samples-1 or not ascending.
    """
    n_samples = _whole(n_samples, "n_samples", at_least=1)
    return [*check_change_points(change_points, n_samples), n_samples]


def from_breakpoints(breakpoints: Iterable[int]) -> tuple[int, ...]:
    """Change points from ruptures' form: its entries without the last, n. [n] gives ().

    Raises ParameterError for an empty list (ruptures' form ends with n) and for entries that do not ascend from 1.
    """
    *found, n_samples = [_whole(end, "breakpoints", at_least=1) for end in breakpoints] or [0]
    if not n_samples:
        raise ParameterError("breakpoints is empty; ruptures' form ends with the number of samples: pass [n] for one segment.")
    return check_change_points(found, n_samples, argument="breakpoints")


def check_change_points(change_points: Iterable[int], n_samples: int, *, argument: str = "change_points") -> tuple[int, ...]:
    """The change points as ints. Raises ParameterError, naming `argument`, if they are outside 1..n_samples-1 or not ascending."""
    checked: list[int] = []
    for number, given in enumerate(change_points):
        point = _whole(given, f"{argument}[{number}]")
        if not 1 <= point < n_samples:
            raise ParameterError(
                f"{argument}[{number}] is {point}; in a series of {n_samples} samples a change point lies in 1..{n_samples - 1} "
                "(the first index of a new segment): leave 0 and n out."
            )
        if checked and point <= checked[-1]:
            raise ParameterError(
                f"{argument}[{number}] is {point} after {checked[-1]}; change points must ascend without duplicates: sort them."
            )
        checked.append(point)
    return tuple(checked)


def agreement(true: Iterable[int], found: Iterable[int], n_samples: int, *, tolerance: int = 2) -> Agreement:
    """How well the change points `found` agree with `true`, both in a series of n_samples.

    - covering: mean over the true segments, weighted by length, of the best Jaccard overlap with a found one (Arbelaez et al. 2011,
      doi:10.1109/TPAMI.2010.161). 1 only for the same segments; two empty lists give 1. Not symmetric.
    - hausdorff: the largest distance, in samples, from a change point of either list to the nearest of the other. 0 if both lists are
      empty, inf if exactly one is.
    - precision, recall: the share of found and of true change points in a largest one-to-one matching of points at most `tolerance`
      samples apart; f1 is their harmonic mean. All are 1 if both lists are empty, 0 if exactly one is.

    ruptures.metrics.precision_recall is not used: it requires a distance below its margin, and one true point can use up every found point
    near it (true 10, 12, found 11, 12, margin 3: it finds one pair of two). Hausdorff equals ruptures.metrics.hausdorff, but without a
    table of all pairs, which many change points would fill the memory with, and it is defined for empty lists.

    Raises ParameterError if n_samples < 1, tolerance < 0, or change points are outside 1..n_samples-1 or not ascending.
    """
    n_samples = _whole(n_samples, "n_samples", at_least=1)
    tolerance = _whole(tolerance, "tolerance", at_least=0)
    true = check_change_points(true, n_samples, argument="true")
    found = check_change_points(found, n_samples, argument="found")
    # Cached for the slider: most runs keep their change points from one threshold to the next.
    return _known(true, found, n_samples, tolerance) if len(true) + len(found) <= _SHORT else _agreement(true, found, n_samples, tolerance)


def _agreement(true: tuple[int, ...], found: tuple[int, ...], n_samples: int, tolerance: int) -> Agreement:
    pairs = matched(true, found, tolerance=tolerance)
    neither = not true and not found
    return Agreement(
        covering=_covering(true, found, n_samples),
        hausdorff=_hausdorff(true, found),
        precision=pairs / len(found) if found else float(neither),
        recall=pairs / len(true) if true else float(neither),
        f1=1.0 if neither else 2 * pairs / (len(true) + len(found)),
        n_true=len(true),
        n_found=len(found),
        tolerance=tolerance,
    )


_known = functools.lru_cache(maxsize=8_192)(_agreement)


def agreement_between_runs(
    runs: Sequence[tuple[Sequence[int], int]], *, tolerance: int = 2, labels: Sequence[str] | None = None
) -> pd.DataFrame:
    """How well the segments of each run of a program agree with those of its first run.

    runs: (change points, n_samples) of each. Runs differ in length, so the change points of run j are scaled to the first run: multiplied
    by n_1 / n_j, rounded (halves up), clipped to 1..n_1-1, duplicates removed; `tolerance` and hausdorff are in samples of the first run.
    If a program is delayed once instead of slowed throughout, the later change points disagree.

    Returns one row per run, including the first (covering 1): run (its label; "run 1" and so on without labels), n_samples and
    n_change_points of the run as given, and covering, hausdorff, precision, recall, f1 of `agreement`, with the first run as the truth.

    Raises ParameterError for no runs, if labels and runs differ in number, and for what `agreement` rejects. Source: Imtiaz et al. (2022),
    who state "more or less the same segments for other executions".
    """
    if not len(runs):
        raise ParameterError("runs is empty; at least one run (change points, n_samples) is needed.")
    names = [f"run {number}" for number in range(1, len(runs) + 1)] if labels is None else [str(label) for label in labels]
    if len(names) != len(runs):
        raise ParameterError(f"labels has {len(names)} entries for {len(runs)} runs; pass one label per run, or none.")
    checked = []
    for number, (change_points, n_samples) in enumerate(runs):
        length = _whole(n_samples, f"n_samples of runs[{number}]", at_least=1)
        checked.append((check_change_points(change_points, length, argument=f"change points of runs[{number}], "), length))
    first, n_first = checked[0]
    rows = []
    for name, (own, n_samples) in zip(names, checked, strict=True):
        against_first = agreement(first, _stretched(own, n_samples, n_first), n_first, tolerance=tolerance)
        measures = {measure: getattr(against_first, measure) for measure in ("covering", "hausdorff", "precision", "recall", "f1")}
        rows.append({"run": name, "n_samples": n_samples, "n_change_points": len(own), **measures})
    return pd.DataFrame(rows)


def matched(true: Sequence[int], found: Sequence[int], *, tolerance: int) -> int:
    """The number of pairs in the largest one-to-one matching of ascending points at most `tolerance` apart.

    One pass is enough: if the first points of the two lists are too far apart, the earlier one is too far from all later points; if they
    are near, some largest matching pairs them (exchange their partners).
    """
    pairs = at_true = at_found = 0
    while at_true < len(true) and at_found < len(found):
        distance = found[at_found] - true[at_true]
        if abs(distance) <= tolerance:
            pairs += 1
        at_true += distance >= -tolerance
        at_found += distance <= tolerance
    return pairs


def _covering(true: Sequence[int], found: Sequence[int], n_samples: int) -> float:
    found_bounds = [0, *found, n_samples]
    at, covered = 0, []
    for start, end in zip([0, *true], [*true, n_samples], strict=True):
        best = 0.0
        while True:
            left, right = found_bounds[at], found_bounds[at + 1]
            overlap = min(end, right) - max(start, left)
            best = max(best, overlap / (max(end, right) - min(start, left)))
            if right >= end:
                break
            at += 1
        # A found segment that ends here overlaps no later true one.
        at += right == end and end < n_samples
        covered.append((end - start) * best)
    return math.fsum(covered) / n_samples


def _hausdorff(one: Sequence[int], other: Sequence[int]) -> float:
    if not one and not other:
        return 0.0
    if not one or not other:
        return math.inf
    return float(max(_farthest(one, other), _farthest(other, one)))


def _farthest(points: Sequence[int], others: Sequence[int]) -> int:
    """The largest distance from one of `points` to the nearest of `others`; both ascending and not empty."""
    at, around = np.asarray(points), np.asarray(others)
    behind = np.searchsorted(around, at).clip(max=len(around) - 1)
    return int(np.minimum(abs(around[behind] - at), abs(around[(behind - 1).clip(min=0)] - at)).max())


def _stretched(change_points: Sequence[int], n_samples: int, n_wanted: int) -> list[int]:
    if n_wanted == 1:
        return []
    moved = ((2 * point * n_wanted + n_samples) // (2 * n_samples) for point in change_points)
    return sorted({min(max(point, 1), n_wanted - 1) for point in moved})


def _whole(value: object, argument: str, *, at_least: int | None = None) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ParameterError(f"{argument} is {value!r}; a whole number is needed.") from None
    if at_least is not None and number < at_least:
        raise ParameterError(f"{argument} is {number}; at least {at_least} is needed.")
    return number
