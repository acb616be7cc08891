"""The colors of all figures, in the light and the dark theme."""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# The backgrounds of figures: the page, and a panel on it.
GROUNDS = {"light": ("#FFFFFF", "#F4F6F8"), "dark": ("#10161C", "#18212A")}
TEXT = "#17212B"
QUIET = "#4D5B68"  # ticks and secondary texts
GRID = "#E6EBF0"
RULE = "#B4BFC9"  # an axis, a zero line
HOVER = "#F4F6F8"
UNKNOWN = "#D3DAE1"  # an unknown cell
SERIES = ("#0F6E84", "#E08E0B", "#7A5195", "#D1495B", "#4C956C", "#3E6BB0", "#8D6E63", "#666A00")
MUTED = "#7C8A97"  # what has no color of its own: others, not classified, a reference, in both themes; no series or class is grey
BAND = "rgba(124, 138, 151, 0.16)"  # every second segment, a range of numbers: visible in both themes
CHOSEN = "rgba(47, 143, 166, 0.22)"  # a selected span: visible in both themes
# The classes of signatures, on every page.
CLASS_COLOURS = {"CPU-bound": "#E08E0B", "MEMORY-bound": "#3E6BB0", "MIX": "#666A00", "GPU": "#4C956C"}
BESIDE_CLASSES = tuple(each for each in SERIES if each not in CLASS_COLOURS.values())  # for other things in figures with classes
# Neither is the color of an event, also for the color-blind.
TRUTH = "#5511FF"  # the known truth, and its stages (as tints)
BASELINE = QUIET  # dotted or upright ticks, below what is new
BLACK, WHITE = "#000000", "#FFFFFF"  # digits on cells: one of them has a contrast of 4.5:1 on any color
NOTHING = "rgba(0, 0, 0, 0)"
_LEAST = "#EFF3F6"

# RdBu reversed and PuOr; the middle, no correlation, is the background color.
_MIDDLE = ("#F7F7F7", "#222D37")
_RED_BLUE = (
    ("#053061", "#A5D2F5"), ("#2166AC", "#74B4E4"), ("#4393C3", "#478DC2"), ("#92C5DE", "#316791"), ("#D1E5F0", "#28465F"), _MIDDLE,
    ("#FDDBC7", "#55362F"), ("#F4A582", "#8A4638"), ("#D6604D", "#BF5F4B"), ("#B2182B", "#E68B74"), ("#67001F", "#F9BDA8"),
)  # fmt: skip
_ORANGE_PURPLE = (
    ("#7F3B08", "#FFCB8A"), ("#B35806", "#F0A248"), ("#E08214", "#C77B20"), ("#FDB863", "#8A5B24"), ("#FEE0B6", "#524330"), _MIDDLE,
    ("#D8DAEB", "#3B3A54"), ("#B2ABD2", "#594F84"), ("#8073AC", "#7C6CB2"), ("#542788", "#A698D8"), ("#2D004B", "#D1C6F2"),
)  # fmt: skip
# Light color -> dark color.
_DARK = {
    TEXT: "#E6ECF1",
    QUIET: "#A9B6C2",
    GRID: "#222C36",
    RULE: "#465462",
    HOVER: "#18212A",
    UNKNOWN: "#3F4C58",
    _LEAST: "#1B252F",
    "#0F6E84": "#4FB3C8",
    "#7A5195": "#B58AD0",
    "#D1495B": "#EC8793",
    "#4C956C": "#76C59A",
    "#3E6BB0": "#84AAEA",
    "#8D6E63": "#C0A398",
    "#666A00": "#D6E07A",
    "#5511FF": "#8B5CFF",
    **dict(_RED_BLUE),
    **dict(_ORANGE_PURPLE),
}
# The luminance at which black and white have equal contrast.
_EVEN = 0.17912878

Scale = Sequence[tuple[float, str]]
CORRELATION_SCALE: Scale = tuple((place / 10, light) for place, (light, _) in enumerate(_RED_BLUE))
DIFFERENCE_SCALE: Scale = tuple((place / 10, light) for place, (light, _) in enumerate(_ORANGE_PURPLE))


def event_colour(events: Sequence[str], event: str) -> str:
    """The color of `event` on every page."""
    return SERIES[list(events).index(event) % len(SERIES)]


def sign_colours(values: Sequence[float]) -> list[str]:
    """The color of each correlation in a figure of bars: red from 0 up, blue below, as in the heatmaps."""
    return [SERIES[3] if value >= 0 else SERIES[5] for value in values]


def sequential(colour: str) -> Scale:
    """From almost white to `colour` (#rrggbb)."""
    return ((0.0, _LEAST), (1.0, colour))


def faint(colour: str, share: float = 0.18) -> str:
    """A transparent version of `colour` (#rrggbb)."""
    red, green, blue = _channels(colour)
    return f"rgba({red}, {green}, {blue}, {share})"


@functools.lru_cache(maxsize=512)
def on_dark(colour: str) -> str:
    """`colour` for the dark theme; unchanged if it works in both."""
    if colour.startswith("rgba("):
        red, green, blue, share = (float(part) for part in colour[5:-1].split(","))
        known = f"#{int(red):02X}{int(green):02X}{int(blue):02X}"
        return faint(_DARK[known], share) if known in _DARK else colour
    return _DARK.get(colour, colour)


def takes_black(values: NDArray, bound: float, scale: Scale) -> NDArray[np.bool_]:
    """For each value, shape (n,), on a scale from -bound to bound: whether black is more readable on its color than white."""
    red, green, blue = np.array([_channels(colour) for _, colour in scale], dtype=float).T
    places = [place for place, _ in scale]
    at = np.clip((np.asarray(values, dtype=float) / bound + 1) / 2, 0, 1)
    return luminance(np.stack([np.interp(at, places, each) for each in (red, green, blue)], axis=-1)) > _EVEN


def luminance(channels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The relative luminance of colors, shape (..., 3), with channels from 0 to 255. Source: WCAG 2.2, relative luminance."""
    share = channels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
