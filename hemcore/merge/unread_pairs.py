"""Pairs of HEMs that no subexperiment reads together: a merge can only guess their relation, and more subexperiments would measure it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.headline import counted_noun


@dataclass(frozen=True, kw_only=True)
class UnreadPairs:
    """pairs: those never read together, in the order of the HEMs; empty if there is none. hems: the HEMs of these pairs, in their order.
    n_pairs: number of all pairs of HEMs. n_pmcs: how many HEMs the machine counts at once."""

    pairs: tuple[tuple[str, str], ...]
    hems: tuple[str, ...]
    n_pairs: int
    n_pmcs: int

    @property
    def fewest_more(self) -> int:
        """A lower bound of the subexperiments that read all these pairs; 0 if there is none, or if a single counter can never read a pair.

        A subexperiment reads a HEM with at most n_pmcs - 1 others, so the HEM is needed in (its unread partners) / (n_pmcs - 1) of them,
        and n_pmcs HEMs have a place in each. Source: J. Schönheim 1964, "On coverings", DOI 10.2140/pjm.1964.14.1405.
        """
        if self.n_pmcs < 2:
            return 0
        _, partners = np.unique([hem for pair in self.pairs for hem in pair], return_counts=True)
        return int(-(-(-(-partners // (self.n_pmcs - 1))).sum() // self.n_pmcs))

    @property
    def text(self) -> str:
        """How many pairs a merge can only guess, a sentence."""
        verb, them = ("is", "it") if len(self.pairs) == 1 else ("are", "them")
        return f"{len(self.pairs):,} of {counted_noun(self.n_pairs, 'pair')} {verb} never read together: a merge can only guess {them}."

    @property
    def plan(self) -> str:
        """The subexperiments that would read these pairs, a sentence; "" if none would."""
        if not self.fewest_more:
            return ""
        more = counted_noun(self.fewest_more, "more subexperiment")
        them = "it" if len(self.pairs) == 1 else "them"
        return f"At least {more} would read {them} ({len(self.hems):,} HEMs, {self.n_pmcs:,} counters)."


def never_together(readings: pd.DataFrame, n_pmcs: int) -> UnreadPairs:
    """The pairs with no run that read both. readings: number of such runs, HEMs x HEMs (`pair_readings`)."""
    hems = [str(hem) for hem in readings.columns]
    unread = readings.to_numpy() == 0
    never = np.argwhere(np.triu(unread, 1))
    pairs = tuple((hems[first], hems[second]) for first, second in never)
    return UnreadPairs(
        pairs=pairs, hems=tuple(np.array(hems, dtype=object)[unread.any(axis=0)]), n_pairs=len(hems) * (len(hems) - 1) // 2, n_pmcs=n_pmcs
    )
