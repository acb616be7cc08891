"""Features that are the target, or nearly: alone or as a product of two. What they predict says nothing of the other features.

A note says so of each that is to be left out first; the verdict reads the names from the notes, which every result has.
"""

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import Doubt, counted_noun, percent
from hemcore.prediction.arrays import Flags, Floats
from hemcore.prediction.params import ALL_BUT, PredictionParams, names_of

TARGET_AS_FEATURE = "The target is among the features."
# 1 - r below which a feature is the target under another name, or derived from it.
_SAME = 1e-5
# A feature is nearly the target if their ratio varies by at most this share, and by at most this part of the target's own variation.
_NEARLY, _PART = 0.01, 0.1
# Fewer rows are nearly proportional by chance.
_FEW_ROWS = 10
_ROWS = 2_000  # compared at most
_NEARLY_SAME = ": beside it the other features hardly count."
_ALL_COUNTERS = Remedy(label="Use all counters", choose={"counters": ""})
_NAME = re.compile(r"(?P<name>.+?)(?: times .+)? is .+(?:the errors mean nothing|the other features hardly count)\.$")


def derived_notes(values: Mapping[str, Floats], target: Floats, name: str) -> list[str]:
    """A sentence for each feature to leave out, the first name in it; empty if none is the target. values: by feature, shape (n,), finite.

    Left out are features that are the target up to a factor and rounding, or nearly; then one of each two whose product is. name: of the
    target.
    """
    rows = np.linspace(0, len(target) - 1, min(len(target), _ROWS)).astype(int)
    truth = target[rows].astype(float)
    if len(rows) < 3 or (truth == truth[0]).all():
        return []
    features = list(values)
    table = np.column_stack([values[each][rows] for each in features])
    same, off = _closeness(table, truth)
    notes = [_sentence(each, "", name, None if same[k] else off[k]) for k, each in enumerate(features) if same[k] or np.isfinite(off[k])]
    left = [k for k in range(len(features)) if not same[k] and not np.isfinite(off[k])]
    pairs: dict[tuple[int, int], float | None] = {}
    for place, k in enumerate(left[:-1]):
        others = left[place + 1 :]
        same, off = _closeness(table[:, [k]] * table[:, others], truth)
        pairs |= {(k, other): None if same[at] else off[at] for at, other in enumerate(others) if same[at] or np.isfinite(off[at])}
    while pairs:
        most = Counter(each for pair in pairs for each in pair)
        out = max(most, key=lambda each: (most[each], -each))
        one = next(pair for pair in pairs if out in pair)
        other = one[0] if one[1] == out else one[1]
        notes.append(_sentence(features[out], features[other], name, pairs[one]))
        pairs = {pair: how for pair, how in pairs.items() if out not in pair}
    return notes


def _closeness(features: Floats, target: Floats) -> tuple[Flags, Floats]:
    """(whether each column of `features` is the target exactly, by how much it is nearly the target; NaN if not)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        centred, own = features - features.mean(axis=0), target - target.mean()
        r = centred.T @ own / np.sqrt((centred**2).sum(axis=0) * (own @ own))
        ratio = features / target[:, None]
        off = ratio.std(axis=0) / ratio.mean(axis=0)
        near = (len(target) >= _FEW_ROWS) & (off <= min(_NEARLY, _PART * target.std() / target.mean()))
    return (features != features[0]).any(axis=0) & (r > 1 - _SAME), np.where(near, off, np.nan)


def _sentence(feature: str, other: str, target: str, off: float | None) -> str:
    if off is not None:
        product = f"{feature} times {other}" if other else feature
        return f"{product} is {target} to within {percent(off, 1)}{_NEARLY_SAME}"
    if other:
        return f"{feature} times {other} is {target}: leave one of them out, or the errors mean nothing."
    return f"{feature} is {target} under another name or derived from it: leave it out, or the errors mean nothing."


def target_as_feature(notes: tuple[str, ...]) -> list[str]:
    """The note that makes every error meaningless, if there is one."""
    return [note for note in notes if "the errors mean nothing" in note][:1]


def leave_out_first(notes: tuple[str, ...], params: PredictionParams) -> tuple[Remedy, ...]:
    """The button that takes the features which are the target out of the features; none if there are none."""
    names = list(dict.fromkeys(found["name"] for note in notes if (found := _NAME.fullmatch(note))))
    if not names:
        return ()
    label = f"Leave out {names[0] if len(names) == 1 else counted_noun(len(names), 'feature')}"
    chosen = names_of(params.counters)
    if chosen and not params.counters.startswith(ALL_BUT):
        text = "; ".join(each for each in chosen if each not in names)
        return (Remedy(label=label, choose={"counters": text}) if text else _ALL_COUNTERS,)
    before = names_of(params.counters.removeprefix(ALL_BUT))
    return (Remedy(label=label, choose={"counters": ALL_BUT + "; ".join([*before, *names])}),)


def nearly_the_target(notes: tuple[str, ...], params: PredictionParams) -> list[Doubt]:
    """The doubt about an answer with a feature that is nearly the target; none otherwise."""
    found = [note.partition(": ")[0] for note in notes if note.endswith(_NEARLY_SAME)][:1]
    return [Doubt(sentence=f"{each}.", remedy=next(iter(leave_out_first(notes, params)), _ALL_COUNTERS)) for each in found]


def is_the_target(feature: str, target: str, r: float, remedy: Remedy) -> list[Doubt]:
    """The doubt about a feature whose correlation r with the target says that it is the target up to a factor; none otherwise."""
    sentence = f"{feature} is {target} under another name."
    return [Doubt(sentence=sentence, remedy=remedy)] if r > 1 - _SAME else []
