"""Every optimum between two thresholds with few searches.

CROPS: Haynes, Eckley and Fearnhead 2017, doi:10.1080/10618600.2015.1116445. Two segmentations with k and k' < k - 1 change points are tried
again at the threshold where they are equally good, until nothing better lies between.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np

MAX_SEGMENTATIONS = 5_000
# Change points of all segmentations together: 80 MB.
_MAX_POINTS = 20_000_000


class Searcher(Protocol):
    """Searches of one dataset, remembered by a whole number that a threshold is multiplied with: that of change points, say.

    residual: of the best segmentation of each number found. lowest: the lowest threshold at which each was found. n_points: change points
    of all of them together.
    """

    residual: dict[int, float]
    lowest: dict[int, float]
    n_points: int

    def run(self, threshold: float) -> int:
        """Search at `threshold` and remember what is found; returns its number."""

    def better(self, number: int, than: int, threshold: float) -> bool:
        """Whether the best of `number` is better at `threshold` than that of `than`, rounding aside."""


def optima(
    searcher: Searcher,
    lowest_threshold: float,
    highest_threshold: float,
    *,
    max_segmentations: int = MAX_SEGMENTATIONS,
    progress: Callable[[float, str], object] | None = None,
) -> tuple[list[int], list[float]]:
    """The numbers of all distinct optima, descending, and from which threshold on each is the optimum.

    Where there are more than max_segmentations, or too many change points to hold, the list begins with the last one that was reached
    from the highest threshold down.
    """
    lowest, highest = searcher.run(lowest_threshold), searcher.run(highest_threshold)
    found = {lowest: None, highest: None}
    breaks: dict[int, float] = {}  # from which threshold a number is the optimum
    begins = float(lowest_threshold)
    open_pairs = [(lowest, highest)]  # the pair with fewest change points last, so that it is the next
    while open_pairs:
        more, fewer = open_pairs.pop()
        if more == fewer:
            continue
        if more - fewer > 1 and (len(found) >= max_segmentations or searcher.n_points > _MAX_POINTS):
            found = {number: None for number in found if number <= fewer}
            begins = searcher.lowest[fewer]
            break
        level = (searcher.residual[fewer] - searcher.residual[more]) / (more - fewer)
        between = searcher.run(level) if more - fewer > 1 else more
        if between in (more, fewer) or not searcher.better(between, more, level):
            breaks[fewer] = min(max(level, float(lowest_threshold)), float(highest_threshold))
        else:
            found[between] = None
            open_pairs += [(more, between), (between, fewer)]
        if progress is not None:
            progress(_settled(open_pairs, lowest - highest), f"{len(found):,} segmentations found")
    order = sorted(found, reverse=True)
    starts = np.maximum.accumulate([begins, *(breaks[number] for number in order[1:])]).tolist()
    # One that is the optimum of a single threshold, where two others are as good, is none of its own.
    kept = [place for place in range(len(order)) if place == len(order) - 1 or starts[place] < starts[place + 1]]
    return [order[place] for place in kept], [starts[place] for place in kept]


def _settled(open_pairs: list[tuple[int, int]], whole: int) -> float:
    """The share of the numbers' range in which no pair is open any more."""
    return 1.0 - sum(more - fewer for more, fewer in open_pairs) / max(1, whole)
