"""Counters as rules of a group: how many of which HEMs it can hold.

By Hall's theorem (1935, doi:10.1112/jlms/s1-10.37.26) a group fits on its counters if, for every set of counters, at most as many of its
events fit only on these as the set has counters.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hemcore.errors import ParameterError

_MOST_RULES = 64
_MOST_SETS = 4_096
Rule = tuple[str, NDArray[np.int64], int]


def in_every_group(masks: Sequence[int], limited: Iterable[int], anchor: int | None) -> list[int]:
    """The anchor, and every HEM outside all limits with a counter that no other HEM may use: it takes no place from another."""
    return sorted({*_with_own_counter(masks, set(limited)), *([anchor] if anchor is not None else [])})


def _with_own_counter(masks: Sequence[int], bounded: Collection[int]) -> list[int]:
    users = Counter(counter for mask in masks for counter in range(mask.bit_length()) if mask >> counter & 1)
    return [
        at for at, mask in enumerate(masks) if at not in bounded and any(users[c] == 1 for c in range(mask.bit_length()) if mask >> c & 1)
    ]


def rules_of_counters(
    hems: Sequence[str],
    free: Sequence[int],
    fixed: Sequence[int],
    masks: Sequence[int],
    names: Sequence[str],
    limits: Sequence[tuple[list[int], int, str]],
) -> tuple[Rule, ...]:
    """The rules: (name, points, maximum per group), without those that another rule implies."""
    point = {at: number for number, at in enumerate(free)}
    found = []
    for within, most, name in limits:
        points = np.array([point[at] for at in within if at in point], np.int64)
        found.append((name, points, most - sum(at in fixed for at in within)))
    # A HEM with a counter of its own takes no other: neither limits the rest. A union of sets that do not touch adds nothing to them.
    alone = set(fixed) & set(_with_own_counter(masks, bounded=()))
    limiting = sorted({mask for at, mask in enumerate(masks) if at not in alone})
    unions, waiting = set(limiting), list(limiting)
    while waiting:
        union = waiting.pop()
        new = {union | mask for mask in limiting if union & mask} - unions
        unions |= new
        waiting += new
        if len(unions) > _MOST_SETS:
            raise ParameterError(
                "counters: too many different sets of counters to plan with. Give events that fit alike the same counters."
            )
    for union in sorted(unions):
        points = np.array([number for at, number in point.items() if masks[at] & ~union == 0], np.int64)
        taken = sum(masks[at] & ~union == 0 for at in fixed if at not in alone)
        held = [name for bit, name in enumerate(names) if union >> bit & 1]
        what = "counter" if len(held) == 1 else "counters"
        found.append((f"{what} {', '.join(held[:6])}{' …' if len(held) > 6 else ''}", points, len(held) - taken))
    places = len(names) - len(fixed)
    kept: list[Rule] = []
    for name, points, most in sorted(found, key=lambda rule: (rule[2], -len(rule[1]))):
        if len(points) <= most or most >= places:
            continue
        if not any(most >= other_most and np.isin(points, others).all() for _, others, other_most in kept):
            kept.append((name, points, most))
    if len(kept) > _MOST_RULES:
        raise ParameterError(
            f"limits: together with the counters they make {len(kept)} rules; at most {_MOST_RULES} are possible. Combine some."
        )
    return tuple(kept)


def as_bits(n: int, sets: Sequence[Rule]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The rules of each point as a bit mask, shape (n,), and the maximum of each rule per group."""
    rules = np.zeros(n, np.uint64)
    for bit, (_, points, _) in enumerate(sets):
        rules[points] |= np.uint64(1) << np.uint64(bit)
    return rules, np.array([most for _, _, most in sets], np.int64)
