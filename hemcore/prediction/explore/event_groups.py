"""Events grouped by name: executed instructions, base work, mispredicted branches, misses of L1, of a TLB and of the last level."""

import re
from collections.abc import Sequence
from typing import Literal

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.events.usual_names import cycles_of

Group = Literal["base", "branches", "L1", "TLB", "last level"]
GROUPS: tuple[Group, ...] = ("base", "branches", "L1", "TLB", "last level")

_RULES: tuple[tuple[Group, re.Pattern[str]], ...] = (
    ("branches", re.compile(r"^Bcm$|^Bim$|BR_MSP|MISPRED|branch.misses", re.IGNORECASE)),
    ("TLB", re.compile(r"TLB.*(_DM|_IM|_TL|_M$|MISS|REFILL)|(MISS|REFILL|RELOAD).*TLB", re.IGNORECASE)),
    ("last level", re.compile(r"^ILmr$|^DLm[rw]$|(L2|L3|LLC|LL_).*(CM$|MISS|REFILL)|^cache.misses$", re.IGNORECASE)),
    ("L1", re.compile(r"^I1mr$|^D1m[rw]$|L1.*(CM$|MISS|REFILL|RELOAD)", re.IGNORECASE)),
)


def group_of(event: str) -> Group:
    """The group of an event; "base" if its name is not that of a miss."""
    return next((group for group, rule in _RULES if rule.search(event)), "base")


def is_miss(event: str) -> bool:
    """Whether more of the event, with the same number of instructions, can only cost time."""
    return group_of(event) != "base"


def target_of(counters: Sequence[str], name: str = "") -> str:
    """The target `name`; by default cycles, or the first counter if there are none. Raises ParameterError for an unknown counter."""
    target = name or cycles_of(counters) or counters[0]
    if target not in counters:
        raise ParameterError(f"Target: {target[:60]!r} is not a counter of the table. Choose one of {listed(counters)}.")
    return target
