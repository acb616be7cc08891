"""The summary of a report: three sentences made from its verdicts."""

import re
from collections.abc import Sequence

from hemcore.headline import Trust, Verdict, counted_noun
from hemcore.report.answers import Answered

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LEVELS: tuple[Trust, ...] = ("good", "limited", "poor")
_NAMED = 5  # items that are named by their numbers


def summary(found: Sequence[Answered]) -> tuple[str, ...]:
    """The first two answers (of a single one: the answer and the reason to trust it or not), and how far to trust all of them.

    Empty if no item has a verdict. Items that share a verdict count it once among the answers, and each in the sentence about trust.
    """
    verdicts = list({each.verdict.answer: each.verdict for each in found if each.verdict is not None}.values())
    if not verdicts:
        return ()
    reasons = _SENTENCE_END.split(verdicts[0].trust or " ".join(verdicts[0].why))
    second = verdicts[1].answer if len(verdicts) > 1 else reasons[0]
    return tuple(_ended(each) for each in (verdicts[0].answer, second, _trust(found)) if each)


def heading_of(answered: Answered, titles: Sequence[str]) -> str:
    """The heading of an item: the user's title, else the first of its figures' `titles`, else analysis and picture.

    A title that only repeats the verdict is none: the verdict stands below it.
    """
    item, verdict = answered.item, answered.verdict
    own = item.own_title("" if verdict is None else verdict.answer)
    return own or next((each for each in titles if each), "") or item.picture_heading


def _trust(found: Sequence[Answered]) -> str:
    numbers = {level: [n for n, each in enumerate(found, 1) if _level(each.verdict) == level] for level in _LEVELS}
    failed = sum(bool(each.failed) for each in found)
    n = len(found)
    none = f"; {failed} of {counted_noun(n, 'item')} {'has' if failed == 1 else 'have'} no answer" if failed else ""
    known = [level for level in _LEVELS if numbers[level]]
    if len(known) == 1:
        of = (
            ""
            if n == 1
            else f" for {'both' if n == 2 else f'all {n}'} items"
            if len(numbers[known[0]]) == n
            else f" for {_items(numbers[known[0]])}"
        )
        return f"Trust is {known[0]}{of}{none}."
    return f"Trust is {', '.join(f'{level} for {_items(numbers[level])}' for level in known)}{none}."


def _items(numbers: Sequence[int]) -> str:
    if len(numbers) > _NAMED:
        return f"{len(numbers)} items"
    *before, last = map(str, numbers)
    return f"items {', '.join(before)} and {last}" if before else f"item {last}"


def _level(verdict: Verdict | None) -> str:
    return "" if verdict is None else verdict.level


def _ended(sentence: str) -> str:
    sentence = sentence.strip()
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
