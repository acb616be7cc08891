"""Groups of runs with the same number of phases: a median over runs hides that there are two kinds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hemcore.headline import counted_noun, percent

# Groups and boundaries that a sentence names.
_NAMED, _BOUNDARIES = 2, 12


@dataclass(frozen=True, kw_only=True)
class RunGroup:
    """Runs with the same number of phases. places: of the runs, from 0, ascending. boundaries: median shares of the run, 0 to 1."""

    n_phases: int
    places: tuple[int, ...]
    boundaries: tuple[float, ...]


def run_groups(runs: Sequence[tuple[Sequence[int], int]]) -> tuple[RunGroup, ...]:
    """The groups of `runs` (change points, n_samples), the largest first, of equal ones that of the earlier run; () for no runs."""
    numbers = np.array([len(points) for points, _ in runs], dtype=int)
    groups = []
    for number in np.unique(numbers):
        places = [int(place) for place in np.flatnonzero(numbers == number)]
        shares = np.array([np.asarray(runs[place][0]) / runs[place][1] for place in places]).reshape(len(places), number)
        boundaries = tuple(np.median(shares, axis=0).tolist())
        groups.append(RunGroup(n_phases=int(number) + 1, places=tuple(places), boundaries=boundaries))
    return tuple(sorted(groups, key=lambda each: (-len(each.places), each.places[0])))


def largest_share(groups: Sequence[RunGroup]) -> float:
    """The share of the runs in the largest group, which is the first; 1 for no runs."""
    return len(groups[0].places) / sum(len(each.places) for each in groups) if groups else 1.0


def groups_text(groups: Sequence[RunGroup]) -> str:
    """How many runs have how many phases, in a sentence: "31 of 60 runs have 10 phases, 29 have 14."; "" for no runs."""
    if not groups:
        return ""
    n = sum(len(each.places) for each in groups)
    first, *others = groups
    size = len(first.places)
    if not others:
        return f"All {n:,} runs have {counted_noun(first.n_phases, 'phase')}." if n > 1 else ""
    parts = [f"{size:,} of {n:,} runs {_have(size)} {counted_noun(first.n_phases, 'phase')}"]
    named = others if len(others) <= _NAMED else others[: _NAMED - 1]
    parts += [f"{len(each.places):,} {_have(len(each.places))} {each.n_phases:,}" for each in named]
    rest = sum(len(each.places) for each in others[len(named) :])
    return ", ".join([*parts, *([f"{rest:,} other numbers"] if rest else [])]) + "."


def boundaries_text(groups: Sequence[RunGroup]) -> str:
    """Where the boundaries of the largest groups are, a sentence each: "10 phases (31 runs): boundaries at 5%, 20% of the run."."""
    sentences = []
    for each in groups[: _NAMED + 1]:
        places = [percent(share) for share in each.boundaries[:_BOUNDARIES]]
        more = f" and {len(each.boundaries) - _BOUNDARIES:,} more" if len(each.boundaries) > _BOUNDARIES else ""
        where = f"boundaries at {', '.join(places)}{more} of the run" if places else "no boundaries"
        sentences.append(f"{counted_noun(each.n_phases, 'phase')} ({counted_noun(len(each.places), 'run')}): {where}.")
    return " ".join(sentences)


def _have(number: int) -> str:
    return "has" if number == 1 else "have"
