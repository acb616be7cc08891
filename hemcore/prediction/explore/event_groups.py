"""Events grouped by name: executed instructions, base work, mispredicted branches, misses of L1, of a TLB and of the last level."""

import re
from collections.abc import Sequence
from typing import Literal

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.events.usual_names import CYCLES, INSTRUCTIONS, cycles_of

Group = Literal["base", "branches", "L1", "TLB", "last level"]
GROUPS: tuple[Group, ...] = ("base", "branches", "L1", "TLB", "last level")

_RULES: tuple[tuple[Group, re.Pattern[str]], ...] = (
    ("branches", re.compile(r"^Bcm$|^Bim$|BR_MSP|MISPRED|branch.misses", re.IGNORECASE)),
    ("TLB", re.compile(r"TLB.*(_DM|_IM|_TL|_M$|MISS|REFILL)|(MISS|REFILL|RELOAD).*TLB", re.IGNORECASE)),
    ("last level", re.compile(r"^ILmr$|^DLm[rw]$|(L2|L3|LLC|LL_).*(CM$|MISS|REFILL)|^cache.misses$", re.IGNORECASE)),
    ("L1", re.compile(r"^I1mr$|^D1m[rw]$|L1.*(CM$|MISS|REFILL|RELOAD)", re.IGNORECASE)),
)

_WORK = re.compile(r"^D[rw]$|^B[ci]$|INST|LOAD|STORE|(^|_)(LD|ST|BR)(_|$)|BRANCH|ACCESS|(^|_)(LD|SR|BR|LST|FP|VEC)_INS$", re.IGNORECASE)
_TIME = re.compile(r"cyc|time|second|duration", re.IGNORECASE)


def group_of(event: str) -> Group:
    """The group of an event; "base" if its name is not that of a miss."""
    return next((group for group, rule in _RULES if rule.search(event)), "base")


def is_miss(event: str) -> bool:
    """Whether more of the event, with the same number of instructions, can only cost time."""
    return group_of(event) != "base"


def costs_time(event: str) -> bool:
    """Whether more of the event, with all others as they are, can only cost time: instructions, accesses, branches, and misses."""
    return event in INSTRUCTIONS or is_miss(event) or _WORK.search(event) is not None


def is_time(target: str) -> bool:
    """Whether a target is cycles or another measure of time, which more work or misses cannot shorten."""
    return target in CYCLES or _TIME.search(target) is not None


def target_of(counters: Sequence[str], name: str = "") -> str:
    """The target `name`; by default cycles, or the first counter if there are none. Raises ParameterError for an unknown counter."""
    target = name or cycles_of(counters) or counters[0]
    if target not in counters:
        raise ParameterError(f"Target: {target[:60]!r} is not a counter of the table. Choose one of {listed(counters)}.")
    return target
