"""Small figures below a slider, as SVG: they are redrawn at each move, and a browser draws SVG a hundred times faster than plotly."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from hemcore.charts.colours import BAND, GRID, QUIET, RULE, TEXT, on_dark
from hemcore.headline import amount, percent

MOST_STEPS = 400  # there are no more pixels; of longer staircases every nth step is drawn
_WIDTH, _LEFT, _RIGHT, _HEAD, _GAP = 260, 38, 8, 20, 10
_ROUNDING = 1e-9  # of a panel's span: what a sum leaves of 0


@dataclass(frozen=True, kw_only=True)
class Steps:
    """One panel: a staircase. x: the start of each step and the end of the last; y: one value per step, NaN for a gap.

    joined: straight lines between points instead; x then has as many values as y. band: the shaded range (low, high) of y. around: the
    lower and upper ends of a band along the line, joined like its points. low, high: the ends of its axis (default: of y). known_to: the
    x from which on the line is dashed, because the data does not reach there. percent: its axis is in per cent.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str
    band: tuple[float, float] | None = None
    low: float | None = None
    high: float | None = None
    joined: bool = False
    around: tuple[Sequence[float], Sequence[float]] | None = None
    known_to: float = math.inf
    percent: bool = False


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A vertical line through every panel, for example at the value of the slider. text: its hover text."""

    x: float
    colour: str
    text: str
    dash: str = ""


@dataclass(frozen=True, kw_only=True)
class SmallPicture:
    """Panels of staircases over one axis. ticks: position -> label. log: a logarithmic axis. text: the alternative text."""

    panels: Sequence[Steps]
    marks: Sequence[Mark]
    ends: tuple[float, float]
    text: str
    ticks: dict[float, str] = field(default_factory=dict)
    log: bool = False
    panel_height: int = 56

    def svg(self, *, dark: bool) -> str:
        """The figure as an SVG element in light or dark colours; names are escaped."""

        def ink(colour: str) -> str:
            return on_dark(colour) if dark else colour

        def across(x: float) -> float:
            low, high = (math.log10(each) for each in self.ends) if self.log else self.ends
            place = math.log10(max(x, self.ends[0])) if self.log else x
            share = (place - low) / (high - low) if high > low else 0.5
            return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(max(share, 0.0), 1.0)

        parts, top = [], 0.0
        for panel in self.panels:
            parts += self._panel(panel, top + _HEAD, across, ink)
            top += _HEAD + self.panel_height + _GAP
        bottom = top - _GAP
        for mark in self.marks:
            x = across(mark.x)
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD}" y2="{bottom:.1f}" stroke="{ink(mark.colour)}" stroke-width="1.5" '
                f'stroke-dasharray="{mark.dash}"><title>{escape(mark.text)}</title></line>'
            )
        for place, text in self.ticks.items():
            if self.ends[0] <= place <= self.ends[1]:
                parts.append(_label(across(place), bottom + 14, text, ink(QUIET), "end" if place == self.ends[1] else "middle"))
        height = bottom + 20
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" height="{height:.0f}" '
            f'role="img" aria-label="{escape(self.text)}" font-family="sans-serif" font-size="10.5">{"".join(parts)}</svg>'
        )

    def _panel(self, panel: Steps, top: float, across: Callable[[float], float], ink: Callable[[str], str]) -> list[str]:
        known = [each for each in panel.y if math.isfinite(each)]
        low = panel.low if panel.low is not None else min(known, default=0.0)
        high = panel.high if panel.high is not None else max(known, default=1.0)
        high = high if high > low else low + 1

        def down(y: float) -> float:
            return top + self.panel_height * (1 - (min(max(y, low), high) - low) / (high - low))

        right = _WIDTH - _RIGHT
        parts = [_label(_LEFT, top - 8, panel.name, ink(TEXT), "start")]
        if panel.band is not None:
            upper, lower = down(panel.band[1]), down(panel.band[0])
            parts.append(f'<rect x="{_LEFT}" y="{upper:.1f}" width="{right - _LEFT}" height="{lower - upper:.1f}" fill="{BAND}"/>')
        if panel.around is not None:
            ends = [(across(x), down(one), down(other)) for x, one, other in zip(panel.x, *panel.around, strict=True) if one <= other]
            outline = [(x, y) for x, y, _ in ends] + [(x, y) for x, _, y in reversed(ends)]
            parts.append(f'<polygon points="{_points(outline)}" fill="{BAND}"/>')
        for value in (low, high):
            y = down(value)
            parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="{ink(GRID if value == high else RULE)}"/>')
            seen = value if abs(value) > _ROUNDING * (high - low) else 0.0
            parts.append(_label(_LEFT - 4, y + 3.5, _short(seen, percentage=panel.percent), ink(QUIET), "end"))
        for stretch, dash in _stretches(panel):
            line = _points([(across(x), down(y)) for x, y in stretch])
            parts.append(
                f'<polyline points="{line}" fill="none" stroke="{ink(panel.colour)}" stroke-width="1.8" stroke-linejoin="round"{dash}/>'
            )
        return parts


def _stretches(panel: Steps) -> list[tuple[list[tuple[float, float]], str]]:
    """The lines of a panel, each with its dashes: one per stretch without a gap, and one from where the data ends."""
    if panel.joined:
        corners = list(zip(panel.x, panel.y, strict=True))
    else:
        every = max(1, -(-len(panel.y) // MOST_STEPS))
        starts = [*panel.x[:-1][::every], panel.x[-1]]
        steps = zip(starts[:-1], starts[1:], panel.y[::every], strict=True)
        corners = [(x, value) for start, stop, value in steps for x in (start, stop)]
    found: list[tuple[list[tuple[float, float]], str]] = []
    whole = [(point, following) for point, following in pairwise(corners) if math.isfinite(point[1]) and math.isfinite(following[1])]
    for point, following in whole:
        dash = ' stroke-dasharray="3 3"' if point[0] >= panel.known_to else ""
        if found and found[-1][1] == dash and found[-1][0][-1] == point:
            found[-1][0].append(following)
        else:
            found.append(([point, following], dash))
    return found


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _label(x: float, y: float, text: str, colour: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(value: float, *, percentage: bool) -> str:
    if percentage:
        return percent(value)
    return f"{value:,.0f}" if abs(value) >= 10 else amount(value, 2)
