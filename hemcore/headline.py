"""The verdict and the headline figures of an answer, comparable with a baseline's."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hemcore.errors import Remedy

Trust = Literal["good", "limited", "poor"]
# Maximum length of answer and trust, in words; the rest is behind "Why?".
ANSWER_WORDS = 14
TRUST_WORDS = 20


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
class Change:
    """How a figure differs from the baseline's. text: with its sign; better: True, False, or None if neither is better."""

    text: str
    better: bool | None


@dataclass(frozen=True, kw_only=True)
class Card:
    """A headline figure.

    label: its name. value: the number; None or not finite if unknown.
    form: its Python format ("," for whole numbers, ".1%", ".1e"); differences too small for it count as no change.
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
        if not _known(self.value):
            return "–"
        text = format(self.value, self.form)
        return f"−{text[1:]}" if text.startswith("-") else text

    def change_from(self, baseline: "Card") -> Change | None:
        """The difference from the baseline's figure; None if either is unknown or they have different subjects."""
        if self.of != baseline.of or self.value is None or baseline.value is None or not (_known(self.value) and _known(baseline.value)):
            return None
        difference = self.value - baseline.value
        text = _signed(difference, self.form)
        # Formats with significant digits show any difference, so the figures themselves must look different.
        same = self.form[-1:] in ("e", "g") and format(self.value, self.form) == format(baseline.value, self.form)
        if same or not any(digit in text.partition("e")[0] for digit in "123456789"):
            return Change(text="no change", better=None)
        better = None if not self.better else (difference > 0) == (self.better == "higher")
        return Change(text=text, better=better)


def changes(cards: Sequence[Card], baseline: Sequence[Card]) -> list[Change | None]:
    """The change of each card from the baseline's card with the same label; None if there is no such card."""
    known = {card.label: card for card in baseline}
    return [card.change_from(known[card.label]) if card.label in known else None for card in cards]


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _signed(difference: float, form: str) -> str:
    text = format(abs(difference), form)
    # Percentages differ by percentage points.
    if text.endswith("%"):
        text = f"{text[:-1]} point{'' if text == '1%' else 's'}"
    return f"{'+' if difference > 0 else '−'}{text}"


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: "1 program", "1,200 policies"."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def percent(share: float, digits: int = 0) -> str:
    """`share` (0.91) as a percentage ("91%"); "–" if unknown. Every text uses this style."""
    return f"{share:.{digits}%}" if math.isfinite(share) else "–"
