"""The headline figures and the verdict of courses over sets."""

import numpy as np
import pandas as pd

from hemcore.compare.headline import bound_shown, named
from hemcore.compare.releases.course_changes import Releases
from hemcore.compare.releases.course_limits import FEWEST_SETS
from hemcore.errors import Remedy
from hemcore.headline import Card, Doubt, Verdict, counted_noun, doubted, percent

# A bound above a quarter says that the sets are too few or too unlike, not that nothing changed.
_TELLING = 0.25
_LABEL = 24
_ADD_SETS = Remedy(label="Add sets", page="data")
# The set that the page has open: a table does not know its name.
NEWEST = "newest set"


def cards(result: Releases) -> list[Card]:
    """The headline figures of courses."""
    most = _largest(result)
    changed = int(result.table["changed"].sum())
    return [
        Card(
            label="HEMs changed",
            value=changed,
            text=f"{changed:,} of {len(result.table):,}",
            note=f"at most {percent(result.params.rate)} of them by chance",
            help="HEMs whose course over the sets chance does not explain, controlled over all HEMs (Benjamini-Hochberg).",
        ),
        Card(
            label="Change points",
            value=len(result.changes),
            note=f"over {counted_noun(len(result.levels.labels), 'set')}",
            help="Sets from which on a HEM has another level, over all HEMs.",
        ),
        Card(
            label="Largest change",
            value=None if most is None else float(most["change"]),
            form="+.1%",
            note="no HEM changed" if most is None else f"{named(most, 24)}, {since(label_shown(most['set']))}",
            help="The largest relative change from one level to the next.",
            of="" if most is None else f"{most['hem']} {most['set']}",
        ),
        Card(
            label="Largest undecided change",
            value=None if not np.isfinite(result.bound) else bound_shown(result.bound),
            form=".1%",
            note="of a HEM whose change may be noise",
            help="A larger change in the middle of the sets would have been found nine times in ten."
            if result.over_sets
            else "The intervals of the HEMs that did not change exclude any change larger than this from one set to the next.",
            better="lower",
        ),
    ]


def verdict(result: Releases) -> Verdict:
    """What changed most, from which set on; or what these sets would have shown."""
    most, bound = _largest(result), result.bound
    n, m, changed = len(result.levels.labels), len(result.table), int(result.table["changed"].sum())
    if most is not None:
        others = f", {counted_noun(len(result.changes) - 1, 'other change')}" if len(result.changes) > 1 else ""
        answer = f"{named(most, 24)}: {_size(most)} {since(label_shown(most['set']))}{others}."
    elif bound <= _TELLING:
        answer = f"Nothing changed by more than {percent(bound_shown(bound), 1)}: these sets would have shown it."
    else:
        answer = "No change is larger than chance."
    trust = f"{changed:,} of {counted_noun(m, 'HEM')} changed over {n:,} sets; at most {percent(result.params.rate)} of them by chance."
    noise = "Noise is the scatter of the sets around their course." if result.over_sets else "Noise is the scatter of runs within a set."
    first = result.changes.groupby("hem", sort=False).first().reset_index().head(5)
    why = [f"{row['hem']}: {_size(row)} {since(row['set'])}." for _, row in first.iterrows()]
    doubts = []
    if not result.over_sets:
        few = f"With {n} sets, nights that differ could pass for changes; use {FEWEST_SETS} or more."
        doubts.append(Doubt(sentence=few, remedy=_ADD_SETS))
    if most is None and np.isfinite(bound) and bound > _TELLING:
        hidden = f"A change of up to {percent(bound_shown(min(bound, 1e6)), 1)} could hide in these sets."
        doubts.append(Doubt(sentence=hidden, remedy=_ADD_SETS))
    return doubted(Verdict(answer=answer, trust=trust, why=(*why, noise, *result.levels.notes)), doubts)


def since(label: object) -> str:
    """ "from night 9 on"; of the set that is open "in the newest set"."""
    return f"in the {NEWEST}" if label == NEWEST else f"from {label} on"


def label_shown(label: object) -> str:
    """A set's label on one line, at most 24 characters and four words."""
    whole = " ".join(str(label).split())
    text = " ".join(whole.split()[:4])[: _LABEL - 1].rstrip()
    return whole if whole == text or len(whole) == _LABEL else f"{text}…"


def _largest(result: Releases) -> pd.Series | None:
    changes = result.changes
    return changes.iloc[int(changes["change"].astype(float).abs().to_numpy().argmax())] if len(changes) else None


def _size(row: pd.Series) -> str:
    return f"{percent(abs(float(row['change'])), 1)} {'more' if row['change'] > 0 else 'less'}"
