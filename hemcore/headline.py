"""The verdict and the headline figures of an answer, comparable with a baseline's."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hemcore.errors import Remedy

Trust = Literal["good", "limited", "poor"]
# Maximum length of answer and trust, in words; the rest is behind "Why?".
ANSWER_WORDS = 14
TRUST_WORDS = 20
# Characters of both that fit one line of a window of 1,280 px, without a button.
LINE = 135
# No answer is "good" with fewer runs, counts or levels behind it, or less variation explained (docs/verdicts.md).
FEW_RUNS, FEW_COUNTS, FEW_LEVELS, LITTLE_EXPLAINED = 30, 50, 3, 0.5
ADD_RUNS = Remedy(label="Add runs", page="data")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer in one sentence, and whether to trust it.

    answer: a sentence that stands alone, at most ANSWER_WORDS words. trust: why to trust it or not, one or two sentences, at most
    TRUST_WORDS words in total; may be empty. why: reasons and figures, one sentence each; a page shows them under "Why?". level: "good"
    (trust it), "limited" (with the reservation in trust) or "poor" (do not rely on it). remedies: better choices, as buttons on a page.
    """

    answer: str
    trust: str = ""
    why: tuple[str, ...] = ()
    level: Trust = "good"
    remedies: tuple[Remedy, ...] = ()

    @property
    def text(self) -> str:
        """Answer and trust, as the screen shows them."""
        return f"{self.answer} {self.trust}".strip()

    @property
    def full_text(self) -> str:
        """Answer, trust and every reason, for a report and a notebook."""
        return " ".join([self.text, *self.why])

    def too_long(self) -> bool:
        """Whether the answer has more than ANSWER_WORDS words or the trust more than TRUST_WORDS."""
        return len(self.answer.split()) > ANSWER_WORDS or len(self.trust.split()) > TRUST_WORDS


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Why an answer is not "good" (docs/verdicts.md). sentence: at most TRUST_WORDS words. remedy: the next step."""

    sentence: str
    remedy: Remedy


def doubted(found: Verdict, doubts: Sequence[Doubt]) -> Verdict:
    """`found` with the first of `doubts` as its trust if it was "good", which it then is no longer; the others join its reasons."""
    if not doubts:
        return found
    steps = [*found.remedies]
    for doubt in doubts:
        steps += [doubt.remedy] if doubt.remedy not in steps else []
    if found.level != "good":
        return replace(found, why=(*found.why, *(doubt.sentence for doubt in doubts)), remedies=tuple(steps))
    first, *others = (doubt.sentence for doubt in doubts)
    return replace(found, trust=first, why=(*others, *filter(None, [found.trust]), *found.why), level="limited", remedies=tuple(steps))


def with_step(found: Verdict, step: Remedy) -> Verdict:
    """`found` with `step` as its next one if it is not "good" and names none."""
    return found if found.level == "good" or found.remedies else replace(found, remedies=(step,))


def few_runs(n_runs: int, remedy: Remedy = ADD_RUNS) -> list[Doubt]:
    """The doubt about an answer that fewer than FEW_RUNS runs stand behind; none otherwise."""
    sentence = f"Only {counted_noun(n_runs, 'run')}; {FEW_RUNS} or more are needed."
    return [Doubt(sentence=sentence, remedy=remedy)] if n_runs < FEW_RUNS else []


def few_counts(name: str, values: ArrayLike) -> str:
    """Why counts of `name` (any shape, NaN unknown) are too few for a sure answer, a sentence; "" if they are not.

    Fewer than FEW_COUNTS in all, or fewer than three different values. Measures that are no counts (fractions) are judged by their values.
    """
    if too_few := total_too_few(name, values):
        return too_few
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    levels = len(np.unique(known))
    return f"{name} has only {counted_noun(levels, 'different value')}." if levels < FEW_LEVELS else ""


def total_too_few(name: str, values: ArrayLike) -> str:
    """Why whole counts of `name` (any shape, NaN unknown) add up to too few, a sentence; "" if they do not, and for other measures."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    counts = bool((known == np.rint(known)).all() and (known >= 0).all())
    total = float(known.sum())
    return f"{name} counted {total:,.0f} in all: too few to tell." if counts and total < FEW_COUNTS else ""


@dataclass(frozen=True, kw_only=True)
class Change:
    """How a figure differs from the baseline's. text: with its sign; better: True, False, or None if neither is better."""

    text: str
    better: bool | None


@dataclass(frozen=True, kw_only=True)
class Card:
    """A headline figure.

    label: its name. value: the number; None or not finite if unknown.
    form: how `formatted` writes it ("," for whole numbers, ".1%", ".2g"); differences too small for it count as no change.
    text: shown instead of the formatted value ("10 of 14"); changes are still computed from the value.
    note: a line under it. help: the hover text. better: the direction of improvement, "" if there is none.
    of: its subject; figures of different subjects (residual errors of two statistics) are not compared.
    """

    label: str
    value: float | None
    form: str = ","
    text: str = ""
    note: str = ""
    help: str = ""
    better: Literal["higher", "lower", ""] = ""
    of: str = ""

    @property
    def shown(self) -> str:
        """The figure as text; an en dash if unknown."""
        if self.text:
            return self.text
        return formatted(self.value, self.form) if self.value is not None else "–"

    def change_from(self, baseline: "Card") -> Change | None:
        """The difference from the baseline's figure; None if either is unknown or they have different subjects."""
        if self.of != baseline.of or self.value is None or baseline.value is None or not (_known(self.value) and _known(baseline.value)):
            return None
        difference = self.value - baseline.value
        text = signed_difference(difference, self.form)
        # Significant digits show any difference, so the figures themselves must look different.
        same = self.form.endswith("g") and self.shown == baseline.shown and not self.text
        if same or not any(digit in text.partition(" ")[0] for digit in "123456789"):
            return Change(text="no change", better=None)
        better = None if not self.better else (difference > 0) == (self.better == "higher")
        return Change(text=text, better=better)


def changes(cards: Sequence[Card], baseline: Sequence[Card]) -> list[Change | None]:
    """The change of each card from the baseline's card with the same label; None if there is no such card."""
    known = {card.label: card for card in baseline}
    return [card.change_from(known[card.label]) if card.label in known else None for card in cards]


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def signed_difference(difference: float, form: str) -> str:
    """A difference of two figures of the form `form`, with its sign: "+1,200", "−3.2 points" (of percentages)."""
    text = format(abs(difference), form.lstrip("+")) if form.endswith("%") else formatted(abs(difference), form.lstrip("+"))
    # Percentages differ by percentage points.
    if text.endswith("%"):
        text = f"{text[:-1]} point{'' if text == '1%' else 's'}"
    return f"{'+' if difference > 0 else '−'}{text}"


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: "1 program", "1,200 policies"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def formatted(value: float, form: str) -> str:
    """`value` in the Python format `form`, as every text writes it: a real minus sign, no exponents, "–" if unknown.

    form: "," whole numbers, ".3f" decimals, ".2g" significant digits (as `amount`), ".1%" percentages (as `percent`); "+" shows the sign.
    """
    if not math.isfinite(value):
        return "–"
    sign = "−" if value < 0 else "+" if form.startswith("+") else ""
    digits = _digits(form)
    size = abs(value)
    if form.endswith("%"):
        text = percent(size, digits)
    elif form.endswith("g"):
        text = amount(size, digits)
    else:
        text = format(size, form.lstrip("+"))
    return sign + text if any(digit in text for digit in "123456789") else text


@cache
def _digits(form: str) -> int:
    return int(re.sub(r"\D", "", form) or 0)


def duration(seconds: float) -> str:
    """A duration as text: "45 s", "12 min", "3.4 h", "2.1 days"."""
    for most, unit, name in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < most:
            return f"{amount(seconds / unit)} {name}"
    return f"{seconds / 86_400:,.1f} days"


def data_size(n_bytes: float) -> str:
    """1_250_000 -> "1.2 MB": kB below a megabyte, MB below a gigabyte, GB with two decimals from there on."""
    if n_bytes >= 1e9:
        return f"{n_bytes / 1e9:,.2f} GB"
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e6 else f"{n_bytes / 1e3:.0f} kB"


def percent(share: float, digits: int = 0) -> str:
    """`share` (0.91) as a percentage ("91%"); "–" if unknown. Every text uses this style.

    Shares between 0 and 1 never read as either: 0.9996 is "99.96%", 0.000001 is "<0.01%".
    """
    if not math.isfinite(share):
        return "–"
    size, sign = abs(share), "−" if share < 0 else ""
    if size in (0.0, 1.0):
        return f"{sign if size else ''}{size:.0%}"
    texts = [f"{size:.{more}%}" for more in range(digits, max(digits, 2) + 1)]
    rounded_away = "<0.01%" if size < 0.5 else ">99.99%" if size < 1 else texts[0]
    return sign + next((text for text in texts if float(text[:-1]) not in (0, 100)), rounded_away)


def amount(value: float, digits: int = 3) -> str:
    """`value` with `digits` significant digits and thousands separated: "0.0022", "1.25", "12,345"; "–" if unknown.

    Digits before the decimal point are never rounded. Below 0.0001 and from 1e15 it is written as "5.9 × 10⁻⁵".
    """
    if not math.isfinite(value):
        return "–"
    power = int(f"{abs(value):.{digits - 1}e}".partition("e")[2]) if value else 0
    if value and not -5 < power < 15:
        return f"{formatted(value / 10.0**power, f',.{digits - 1}f')} × 10{str(power).translate(_RAISED)}"
    text = f"{abs(value):,.{max(digits - 1 - power, 0)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if value < 0 else text
