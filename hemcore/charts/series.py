"""Shared parts of charts of series: positions on the time axis, thinning that keeps spikes, breaks where nothing was counted."""

from collections.abc import Sized
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hemcore.charts.look import plain

if TYPE_CHECKING:  # its imports would slow down pages that draw no series
    from hemcore.segmentation.event_runs import RunSamples

POINTS = 3_000  # samples of a curve, without the breaks where nothing was counted


def x_at(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.float64]:
    """The start on the time axis of the sample at each index (0 to n): in s if the run has times, otherwise its interval."""
    seconds = samples.seconds(places)
    return samples.interval(places).astype(float) if seconds is None else seconds


def x_end(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.float64]:
    """The end on the time axis of the sample before each index (1 to n), in the unit of `x_at`."""
    seconds = samples.seconds_end(places)
    return samples.interval_end(places).astype(float) if seconds is None else seconds


def x_title(samples: "RunSamples", unit: str) -> str:
    """The title of the time axis, with its unit; `unit`: that of an interval."""
    return (
        "time in the run, s"
        if samples.edges is not None
        else f"interval of the run ({plain(unit)} each)"
        if unit != "interval"
        else "interval of the run"
    )


def are_whole(values: NDArray[np.float64]) -> bool:
    """Whether every value that is known is a whole number, as counts are."""
    known = values[~np.isnan(values)]
    return bool((np.rint(known) == known).all())


def reduced(values: NDArray[np.float64], most: int = POINTS) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(indices, values) of at most `most` values: all of them, or the minimum and maximum of each bin, so that spikes stay."""
    if len(values) <= most:
        return np.arange(len(values)), values
    edges = np.linspace(0, len(values), most // 2 + 1).astype(int)
    kept = np.unique(
        [place for low, high in pairwise(edges) for place in (low + values[low:high].argmin(), low + values[low:high].argmax())]
    )
    return kept, values[kept]


def breaks(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions in `places` (ascending sample indices) before which a line breaks: intervals were not counted, or time was lost.

    If bins are drawn (fewer places than samples), a line breaks only over more missing intervals than a bin has.
    """
    apart = np.diff(samples.positions)
    bin_size = len(samples.counts) / (POINTS // 2) if len(places) < len(samples.counts) else 1
    lost = apart > bin_size
    lost[np.array(samples.time_gaps, dtype=int) - 1] = True
    missing_before = np.concatenate([[0], np.cumsum(lost)])
    return np.flatnonzero(np.diff(missing_before[places]) > 0) + 1


def boxes(left: NDArray, right: NDArray, low: NDArray, high: NDArray, colour: str, name: str) -> dict[str, object]:
    """Filled rectangles as one trace, because many shapes make a figure slow."""
    return area(*corners(left, right, low, high), colour, name)


def corners(left: NDArray, right: NDArray, low: NDArray, high: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """(x, y) of the outlines of rectangles, separated by gaps."""
    gap = np.full(len(left), np.nan)
    x = np.stack([left, left, right, right, left, gap], axis=1).ravel()
    return x, np.stack([low, high, high, low, low, gap], axis=1).ravel().astype(np.float32)


def area(x: NDArray, y: NDArray, colour: str, name: str) -> dict[str, object]:
    """The filled outlines x, y as one trace."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "fill": "toself",
        "fillcolor": colour,
        "line": {"width": 0},
        "name": name,
        "hoverinfo": "skip",
        "showlegend": bool(name),
    }


def uprights(at: NDArray[np.float64], low: float, high: float) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """(x, y) of vertical lines at these positions, for one trace."""
    return levels(at, at, np.full(len(at), low), np.full(len(at), high))


def levels(left: NDArray, right: NDArray, first: NDArray, last: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """(x, y) of lines from (left, first) to (right, last), for one trace."""
    gap = np.full(len(left), np.nan)
    x, y = np.stack([left, right, gap], axis=1), np.stack([first, last, gap], axis=1)
    return x.ravel(), y.ravel().astype(np.float32)


def nth(things: Sized, most: int) -> int:
    """The step with which at most `most` of `things` are drawn; 1 draws all."""
    return max(1, -(-len(things) // most))
