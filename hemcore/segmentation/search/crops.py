"""Every optimum between two thresholds, with few searches.

CROPS: Haynes, Eckley and Fearnhead 2017, doi:10.1080/10618600.2015.1116445. For two segmentations with k and k' < k - 1 change points, the
threshold at which both are equally good is searched, until nothing better is found between them.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np

MAX_SEGMENTATIONS = 5_000
# Change points of all segmentations together: 80 MB.
_MAX_POINTS = 20_000_000


class Searcher(Protocol):
    """Searches of one dataset, cached by the whole number that multiplies the threshold, such as the number of change points.

    residual: of the best segmentation of each number found. lowest: the lowest threshold at which each was found. n_points: change points
    of all of them together.
    """

    residual: dict[int, float]
    lowest: dict[int, float]
    n_points: int

    def run(self, threshold: float) -> int:
        """Search at `threshold` and cache the result; returns its number."""

    def better(self, number: int, than: int, threshold: float) -> bool:
        """Whether the best of `number` is better at `threshold` than the best of `than`, apart from rounding."""


def optima(
    searcher: Searcher,
    lowest_threshold: float,
    highest_threshold: float,
    *,
    max_segmentations: int = MAX_SEGMENTATIONS,
    progress: Callable[[float, str], object] | None = None,
) -> tuple[list[int], list[float]]:
    """The numbers of all distinct optima, descending, and the threshold from which each is the optimum.

    With more than max_segmentations, or too many change points for memory, the list begins with the last one reached from the highest
    threshold downwards.
    """
    lowest, highest = searcher.run(lowest_threshold), searcher.run(highest_threshold)
    found = {lowest: None, highest: None}
    breaks: dict[int, float] = {}  # the threshold from which a number is the optimum
    begins = float(lowest_threshold)
    open_pairs = [(lowest, highest)]  # the pair with the fewest change points is last and comes next
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
    # An optimum at a single threshold, where two others are equally good, is left out.
    kept = [place for place in range(len(order)) if place == len(order) - 1 or starts[place] < starts[place + 1]]
    return [order[place] for place in kept], [starts[place] for place in kept]


def _settled(open_pairs: list[tuple[int, int]], whole: int) -> float:
    """The share of the range of numbers that has no open pair."""
    return 1.0 - sum(more - fewer for more, fewer in open_pairs) / max(1, whole)
