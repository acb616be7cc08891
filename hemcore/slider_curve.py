"""What a parameter does to one answer over the whole range of its slider, and the change in words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hemcore.headline import amount, formatted, percent, signed_difference

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class SliderCurve:
    """The answer at each value of one parameter.

    field: the parameter; label: its name. answer: what is answered ("HEMs kept"). x (n,): values of the parameter, ascending; y (n,): the
    answer there, NaN if there is none. low, high (n,): a band around it, or None. stairs: whether each y holds up to the next x; else
    straight lines join them. form: how `formatted` writes the answer; unit: follows it. log: a logarithmic axis. known_to: the largest x
    that the data supports, from which on the curve is an extrapolation; because: what is known up to there ("500 runs of the pilot").
    """

    field: str
    label: str
    answer: str
    x: Floats
    y: Floats
    low: Floats | None = None
    high: Floats | None = None
    stairs: bool = False
    form: str = ".3g"
    unit: str = ""
    log: bool = False
    known_to: float = float("inf")
    because: str = ""

    def at(self, value: float) -> float:
        """The answer at `value`; NaN outside the curve's range, and of an empty curve."""
        return self._read(self.y, value)

    def band(self, value: float) -> tuple[float, float] | None:
        """(low, high) of the band at `value`; None without a band or outside its range."""
        if self.low is None or self.high is None:
            return None
        ends = self._read(self.low, value), self._read(self.high, value)
        return ends if np.isfinite(ends).all() else None

    def extrapolated(self, value: float) -> bool:
        """Whether `value` is beyond what the data supports."""
        return value > self.known_to

    def sentence(self, now: float, before: float, name: str = "default") -> str:
        """The change of the answer from `before`, called `name`, to `now`; whether it is extrapolated comes before the number.

        Without a change: the answer alone.
        """
        known = self.y[np.isfinite(self.y)]
        if not len(known):
            return f"{self.answer}: not known at any {self.label}."
        first = f"Extrapolated beyond {self.because or amount(self.known_to)}. " if self.extrapolated(now) else ""
        then, band = self._text(self.at(now)), self.band(now)
        around = "" if band is None else f" ({self._text(band[0])} to {self._text(band[1])})"
        if now == before:
            return f"{first}{self.answer} {then}{around}, {name}."
        return (
            f"{first}{self.label} {amount(before, 4)} ({name}) → {amount(now, 4)}: {self.answer} {self._text(self.at(before))} → "
            f"{then}{around}{self._change(self.at(before), self.at(now))}."
        )

    def _text(self, value: float) -> str:
        return f"{formatted(value, self.form)}{f' {self.unit}' if self.unit and np.isfinite(value) else ''}"

    def _change(self, before: float, now: float) -> str:
        if not (np.isfinite(before) and np.isfinite(now)):
            return ""
        if formatted(before, self.form) == formatted(now, self.form):
            return ", no change"
        if self.form.endswith("%") or before == 0:
            return f", {signed_difference(now - before, self.form)}"
        share = now / before - 1
        return f", {'+' if share > 0 else '−'}{percent(abs(share), 0 if abs(share) >= 0.095 else 1)}"

    def _read(self, values: Floats, value: float) -> float:
        if not len(self.x) or not self.x[0] <= value <= self.x[-1]:
            return float("nan")
        if self.stairs:
            return float(values[np.searchsorted(self.x, value, side="right") - 1])
        x = np.log(self.x) if self.log else self.x
        return float(np.interp(np.log(value) if self.log else value, x, values))


def points(low: float, high: float, *, log: bool = False, whole: bool = False, most: int = 41) -> Floats:
    """At most `most` values from `low` to `high`, both included, ascending; whole: rounded, each once."""
    found = np.geomspace(low, high, most) if log else np.linspace(low, high, most)
    found[0], found[-1] = low, high
    return np.unique(np.rint(found)) if whole else found
