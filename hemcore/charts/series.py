"""What pictures of series share: places on the time axis, fewer points that keep the spikes, breaks where nothing was counted."""

from collections.abc import Sized
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hemcore.charts.look import plain

if TYPE_CHECKING:  # what it brings along would keep pages waiting that draw no series
    from hemcore.segmentation.event_runs import RunSamples

POINTS = 3_000  # samples of a curve; breaks where nothing was counted come on top


def x_at(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where the sample at each place (0 to n) begins on the time axis: s where the run has times, else the number of its interval."""
    seconds = samples.seconds(places)
    return samples.interval(places).astype(float) if seconds is None else seconds


def x_end(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Where the sample before each place (1 to n) ends on the time axis, in the same unit as `x_at`."""
    seconds = samples.seconds_end(places)
    return samples.interval_end(places).astype(float) if seconds is None else seconds


def x_title(samples: "RunSamples", unit: str) -> str:
    """The title of the time axis, with its unit; `unit`: what an interval is."""
    return (
        "time in the run, s"
        if samples.edges is not None
        else f"interval of the run ({plain(unit)} each)"
        if unit != "interval"
        else "interval of the run"
    )


def reduced(values: NDArray[np.float64], most: int = POINTS) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(places, values) of at most `most` values: all of them, or the least and the largest of each bin, so that spikes stay."""
    if len(values) <= most:
        return np.arange(len(values)), values
    edges = np.linspace(0, len(values), most // 2 + 1).astype(int)
    kept = np.unique(
        [place for low, high in pairwise(edges) for place in (low + values[low:high].argmin(), low + values[low:high].argmax())]
    )
    return kept, values[kept]


def breaks(samples: "RunSamples", places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Before which of `places` (ascending) a line breaks, since intervals were not counted or time was lost.

    Where bins are drawn (fewer places than samples), only where more intervals than a bin has were not counted.
    """
    apart = np.diff(samples.positions)
    bin_size = len(samples.counts) / (POINTS // 2) if len(places) < len(samples.counts) else 1
    lost = apart > bin_size
    lost[np.array(samples.time_gaps, dtype=int) - 1] = True
    missing_before = np.concatenate([[0], np.cumsum(lost)])
    return np.flatnonzero(np.diff(missing_before[places]) > 0) + 1


def boxes(left: NDArray, right: NDArray, low: NDArray, high: NDArray, colour: str, name: str) -> dict[str, object]:
    """Filled rectangles as one trace: many shapes make a figure slow."""
    return area(*corners(left, right, low, high), colour, name)


def corners(left: NDArray, right: NDArray, low: NDArray, high: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """(x, y) of the outlines of rectangles, with gaps between."""
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
    """(x, y) of upright lines at these places, as one trace."""
    return levels(at, at, np.full(len(at), low), np.full(len(at), high))


def levels(left: NDArray, right: NDArray, first: NDArray, last: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """(x, y) of lines from (left, first) to (right, last), as one trace."""
    gap = np.full(len(left), np.nan)
    x, y = np.stack([left, right, gap], axis=1), np.stack([first, last, gap], axis=1)
    return x.ravel(), y.ravel().astype(np.float32)


def nth(things: Sized, most: int) -> int:
    """Every which one of `things` is drawn so that at most `most` are: 1 where all are."""
    return max(1, -(-len(things) // most))
