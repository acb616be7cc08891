"""Groups of counters to read together when only a few fit: related ones in one group, cycles and instructions in every group.

Source: Mahajan (2018), section 6.4, where 14 counters are read 6 at a time, in groups chosen by hand (caches; instructions and branches;
the rest).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd

from hemcore.errors import ParameterError
from hemcore.events.usual_names import CYCLES, INSTRUCTIONS

# The events of the sample data, used by default.
COUNTERS = ("CYCLES", "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim")
_FAMILIES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("address translation", "cost of translation buffer misses", re.compile(r"TLB", re.I)),
    ("branches", "share and cost of mispredicted branches", re.compile(r"^Bc|^Bi|BR_|branch", re.I)),
    ("last level", "share and cost of memory accesses", re.compile(r"^[ID]Lm|L2|L3|LLC|LL_|cache.(miss|ref)", re.I)),
    ("first level", "share and cost of first-level cache misses", re.compile(r"^[ID]1m|L1", re.I)),
    ("interruptions", "how often something else ran", re.compile(r"INT$|EXCEPTION|interrupt|fault|switch|CID_", re.I)),
    ("loads and stores", "share of loads and stores in the work", re.compile(r"^D[rw]$|LD_INS|SR_INS|load|store|MEM_ACCESS", re.I)),
)
_OTHER = ("other", "rates of these events per instruction")
_MOST_ORDERS = 7  # up to this many families, all orders are tried


@dataclass(frozen=True, kw_only=True)
class CounterGroup:
    """One group: counters read together in a pass. families: their kinds. sees: what the group alone can measure, as text."""

    counters: tuple[str, ...]
    families: tuple[str, ...]
    sees: str


@dataclass(frozen=True, kw_only=True)
class CounterGroups:
    """Counters in groups of at most n_pmcs. anchors: counters in every group; apart: families that had to be split."""

    groups: tuple[CounterGroup, ...]
    n_pmcs: int
    anchors: tuple[str, ...]
    apart: tuple[str, ...]

    @property
    def counters(self) -> list[str]:
        """Every counter once, in the order of the groups."""
        return list(dict.fromkeys(name for group in self.groups for name in group.counters))

    @property
    def pairs_together(self) -> float:
        """The fraction of all pairs of counters that are read together at least once; 1 for a single counter."""
        names = self.counters
        together = np.zeros((len(names), len(names)), dtype=bool)
        for group in self.groups:
            places = [names.index(name) for name in group.counters]
            together[np.ix_(places, places)] = True
        one, other = np.triu_indices(len(names), 1)
        return float(together[one, other].mean()) if len(one) else 1.0

    @property
    def table(self) -> pd.DataFrame:
        """One row per group: group (from 1), counters, families, sees."""
        return pd.DataFrame(
            {
                "group": range(1, len(self.groups) + 1),
                "counters": [", ".join(group.counters) for group in self.groups],
                "families": [", ".join(group.families) for group in self.groups],
                "sees": [group.sees for group in self.groups],
            }
        )


def group_counters(n_pmcs: int, *, counters: Sequence[str] = COUNTERS) -> CounterGroups:
    """`counters` in as few groups of at most n_pmcs as possible, with cycles and executed instructions in every group.

    Each pass then has its own CPI and rates, which are needed to merge the passes; that matters more than the choice of groups. Families
    (branches, first level, last level, address translation ...) are kept in one group as far as the number of groups allows. counters: by
    default those of the sample data.

    Raises ParameterError for no counter, a duplicate, and n_pmcs too small for the anchors and one other counter.
    """
    names = [str(name) for name in counters]
    if not names:
        raise ParameterError("counters: none given. Name at least one.")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ParameterError(f"counters: {twice[0]!r} is named twice. Remove one.")
    anchors = tuple(name for name in (_first(CYCLES, names), _first(INSTRUCTIONS, names)) if name is not None)
    others = [name for name in names if name not in anchors]
    least = len(anchors) + (1 if others else 0)
    if isinstance(n_pmcs, bool) or not isinstance(n_pmcs, int | np.integer) or n_pmcs < max(1, least):
        anchored = f": {' and '.join(anchors)}{' and one more' if others else ''} in each group" if anchors else ""
        raise ParameterError(f"n_pmcs: {n_pmcs!r} must be a whole number of at least {max(1, least)}{anchored}.")
    room = int(n_pmcs) - len(anchors)
    families: dict[str, list[str]] = {}
    for name in others:
        families.setdefault(family_of(name), []).append(name)
    known = [name for name, *_ in _FAMILIES] + [_OTHER[0]]
    order = sorted(families, key=known.index)
    chunks = _best([(family, families[family]) for family in order], room) if others else [[]]
    groups = tuple(_group(anchors, chunk) for chunk in chunks)
    apart = tuple(family for family in order if sum(family in group.families for group in groups) > 1)
    return CounterGroups(groups=groups, n_pmcs=int(n_pmcs), anchors=anchors, apart=apart)


def family_of(counter: str) -> str:
    """The family of a counter from its name; "other" if the name is not recognized."""
    return next((name for name, _, rule in _FAMILIES if rule.search(counter)), _OTHER[0])


def _best(families: list[tuple[str, list[str]]], room: int) -> list[list[str]]:
    """The counters, family by family, cut into groups of `room`, in the order of families that splits the fewest of them."""
    orders = permutations(families) if len(families) <= _MOST_ORDERS else iter([tuple(families)])
    best: list[list[str]] = []
    fewest = None
    for order in orders:
        line = [(name, family) for family, own in order for name in own]
        cut = [line[start : start + room] for start in range(0, len(line), room)]
        divided = sum(len({family for _, family in part}) for part in cut) - len(families)
        if fewest is None or divided < fewest:
            fewest, best = divided, [[name for name, _ in part] for part in cut]
    return best


def _group(anchors: tuple[str, ...], chunk: list[str]) -> CounterGroup:
    families = tuple(dict.fromkeys(family_of(name) for name in chunk))
    meanings = {name: meaning for name, meaning, _ in _FAMILIES} | dict([_OTHER])
    text = "; ".join(meanings[family] for family in families)
    always = "cycles per instruction" if len(anchors) == 2 else "counts over time" if not anchors else f"its own {anchors[0]}"
    return CounterGroup(counters=(*anchors, *chunk), families=families, sees=f"{always}; {text}" if text else always)


def _first(names: Sequence[str], counters: Sequence[str]) -> str | None:
    return next((name for name in names if name in counters), None)
