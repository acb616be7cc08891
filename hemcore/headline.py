"""What a page, a report and a notebook say first: the verdict in a sentence, and figures that can be compared with a baseline's."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hemcore.errors import Remedy

Trust = Literal["good", "limited", "poor"]
# The longest answer and trust that are read at a glance, in words; what else there is to know is behind "Why?".
ANSWER_WORDS = 14
TRUST_WORDS = 20


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer in one sentence, and whether to trust it.

    answer: what was found, a sentence that stands alone, at most ANSWER_WORDS words. trust: why to believe it or not, one or two
    sentences of at most TRUST_WORDS words together; may be empty. why: the reasons and figures behind both, a sentence each; a page
    shows them under "Why?". level: "good" (believe it), "limited" (with the reservation in trust) or "poor" (do not rely on it).
    remedies: what a page can offer where the verdict says what else to choose.
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
    """How a figure differs from the baseline's. text: with its sign; better: True, False, or None where neither is better."""

    text: str
    better: bool | None


@dataclass(frozen=True, kw_only=True)
class Card:
    """A headline figure.

    label: what it is. value: the number, None (or not finite) where it is not known.
    form: its Python format ("," for whole numbers, ".1%", ".1e"); a difference that it does not show is none.
    text: what is shown instead of the formatted value ("10 of 14"); the value still carries the comparison.
    note: a line under it. help: what hovering tells. better: which direction is an improvement, "" where none is.
    of: what it is a figure of; figures of different things (residual errors of two statistics) are not compared.
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
        """The figure as text; an en dash where it is not known."""
        if self.text:
            return self.text
        return format(self.value, self.form) if _known(self.value) else "–"

    def change_from(self, baseline: "Card") -> Change | None:
        """The difference from the same figure of the baseline; None where one of them is not known, or they are of different things."""
        if self.of != baseline.of or self.value is None or baseline.value is None or not (_known(self.value) and _known(baseline.value)):
            return None
        difference = self.value - baseline.value
        text = _signed(difference, self.form)
        # Formats of significant digits show any difference, so there the figures themselves must look different.
        same = self.form[-1:] in ("e", "g") and format(self.value, self.form) == format(baseline.value, self.form)
        if same or not any(digit in text.partition("e")[0] for digit in "123456789"):
            return Change(text="no change", better=None)
        better = None if not self.better else (difference > 0) == (self.better == "higher")
        return Change(text=text, better=better)


def changes(cards: Sequence[Card], baseline: Sequence[Card]) -> list[Change | None]:
    """The change of each card from the baseline's card of the same label; None where there is none."""
    known = {card.label: card for card in baseline}
    return [card.change_from(known[card.label]) if card.label in known else None for card in cards]


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _signed(difference: float, form: str) -> str:
    text = format(abs(difference), form)
    # Percentages differ by points, not by per cent.
    if text.endswith("%"):
        text = f"{text[:-1]} point{'' if text == '1%' else 's'}"
    return f"{'+' if difference > 0 else '−'}{text}"


def percent(share: float, digits: int = 0) -> str:
    """`share` (0.91) as a percentage ("91%"); "–" where it is not known. The only style in which texts state one."""
    return f"{share:.{digits}%}" if math.isfinite(share) else "–"
