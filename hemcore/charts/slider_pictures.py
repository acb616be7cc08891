"""The small picture below a slider, of one form on every page: the answer over the whole range, where it was and where it is."""

from collections.abc import Sequence

import numpy as np

from hemcore.charts.colours import BASELINE, SERIES
from hemcore.charts.small import Mark, SmallPicture, Steps
from hemcore.headline import amount
from hemcore.slider_curve import SliderCurve

_HEIGHT = 44


def slider_strip(
    curves: Sequence[SliderCurve],
    now: float,
    before: float,
    *,
    name: str = "default",
    allowed: tuple[float, float] | None = None,
    known: Sequence[Mark] = (),
) -> SmallPicture:
    """One panel per curve, at least one, over the axis of the first; lines at `before` (dashed, called `name`) and `now`.

    Dashed curves are extrapolations. allowed: a shaded range of the first answer. known: further lines.
    """
    first = curves[0]
    marks = [*known, Mark(x=before, colour=BASELINE, text=f"{name}: {first.label} {amount(before, 4)}", dash="4 3")]
    if now != before:
        marks.append(Mark(x=now, colour=SERIES[3], text=f"now: {first.label} {amount(now, 4)}"))
    ends = float(first.x[0]), float(first.x[-1])
    panels = [_panel(curve, SERIES[2 * number % len(SERIES)], None if number else allowed) for number, curve in enumerate(curves)]
    return SmallPicture(
        panels=panels,
        marks=marks,
        ends=ends,
        ticks=_ticks(ends, first.log),
        log=first.log,
        panel_height=_HEIGHT,
        text=" ".join(curve.sentence(now, before, name) for curve in curves),
    )


def _panel(curve: SliderCurve, colour: str, allowed: tuple[float, float] | None) -> Steps:
    every = np.concatenate([curve.y, *(each for each in (curve.low, curve.high) if each is not None)])
    known = every[np.isfinite(every)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if allowed is not None:
        high = max(high, allowed[1])
    return Steps(
        name=f"{curve.answer}{f', {curve.unit}' if curve.unit else ''}",
        x=[*curve.x.tolist(), float(curve.x[-1])] if curve.stairs else curve.x.tolist(),
        y=curve.y.tolist(),
        colour=colour,
        band=allowed,
        low=min(low, 0.0),
        high=high,
        joined=not curve.stairs,
        around=None if curve.low is None or curve.high is None else (curve.low.tolist(), curve.high.tolist()),
        known_to=curve.known_to,
        percent=curve.form.endswith("%"),
    )


def _ticks(ends: tuple[float, float], log: bool) -> dict[float, str]:
    """The ends of the axis, and on a logarithmic one the powers of ten between them."""
    between = [10.0**power for power in range(-3, 10) if ends[0] * 1.5 < 10.0**power < ends[1] / 1.5] if log else []
    return {place: amount(place, 4) for place in (ends[0], *between, ends[1])}
