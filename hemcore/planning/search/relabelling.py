"""Assigning HEMs to the places of a plan made without rules, violating as few rules as possible; compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hemcore.planning.search.kernels import _below, _next


@njit(cache=True, nogil=True, error_model="numpy")
def relabel(
    groups: NDArray[np.int32],
    rules: NDArray[np.uint64],
    most: NDArray[np.int64],
    label: NDArray[np.int32],
    moves: int,
    temperature: float,
    random: NDArray[np.uint64],
) -> int:
    """Swap labels until no rule is violated, at most `moves` times; returns the remaining violation, in excess points.

    groups: (groups, places) points or -1. label: (n,) the HEM of each point, changed in place to the best assignment found. rules, most:
    of the HEMs, as in `State`.
    """
    n, (n_groups, places), n_rules = len(label), groups.shape, len(most)
    counts = np.zeros((n_groups, n_rules), dtype=np.int32)
    n_held = np.zeros(n, dtype=np.int64)
    for group in range(n_groups):
        for s in range(places):
            if groups[group, s] >= 0:
                n_held[groups[group, s]] += 1
    held = np.zeros((n, max(1, n_held.max())), dtype=np.int32)
    n_held[:] = 0
    broken = 0
    for group in range(n_groups):
        for s in range(places):
            point = groups[group, s]
            if point < 0:
                continue
            held[point, n_held[point]] = group
            n_held[point] += 1
            for rule in range(n_rules):
                if rules[label[point]] & (np.uint64(1) << np.uint64(rule)):
                    counts[group, rule] += 1
                    broken += counts[group, rule] > most[rule]
    best, best_label = broken, label.copy()
    for _ in range(moves):
        if broken == 0:
            break
        p = _below(random, n)
        q = _below(random, n)
        if rules[label[p]] == rules[label[q]]:
            continue
        worse = 0
        for turn in range(2):
            point, before, after = (p, label[p], label[q]) if turn == 0 else (q, label[q], label[p])
            lost, won = rules[before] & ~rules[after], rules[after] & ~rules[before]
            for h in range(n_held[point]):
                group = held[point, h]
                for rule in range(n_rules):
                    bit = np.uint64(1) << np.uint64(rule)
                    if lost & bit:
                        worse -= counts[group, rule] > most[rule]
                        counts[group, rule] -= 1
                    elif won & bit:
                        counts[group, rule] += 1
                        worse += counts[group, rule] > most[rule]
        if worse <= 0 or _next(random) < np.exp(-worse / temperature) * 4294967296.0:
            label[p], label[q] = label[q], label[p]
            broken += worse
            if broken < best:
                best = broken
                for v in range(n):
                    best_label[v] = label[v]
            continue
        for turn in range(2):
            point, before, after = (p, label[p], label[q]) if turn == 0 else (q, label[q], label[p])
            lost, won = rules[before] & ~rules[after], rules[after] & ~rules[before]
            for h in range(n_held[point]):
                for rule in range(n_rules):
                    bit = np.uint64(1) << np.uint64(rule)
                    if lost & bit:
                        counts[held[point, h], rule] += 1
                    elif won & bit:
                        counts[held[point, h], rule] -= 1
    for v in range(n):
        label[v] = best_label[v]
    return best
