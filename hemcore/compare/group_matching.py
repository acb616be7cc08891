"""Which runs before are compared with which runs after: the same subexperiment, or the same program under the same load."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.compare.run_sets import RunGroup, RunSet
from hemcore.datasets.tables.checks import listed
from hemcore.errors import TableError

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedGroup:
    """Runs before and after of the same subexperiment, or program and load. before, after: shape (runs, hems), NaN = not counted."""

    label: str
    program: str
    hems: tuple[str, ...]
    before: Floats
    after: Floats


def matched_groups(before: RunSet, after: RunSet, *, paired: bool = False) -> tuple[MatchedGroup, ...]:
    """The groups that both sets have, with the HEMs that both read in it.

    HEMs that no subexperiment of one name read in both sets are compared over all their runs. Raises TableError for sets of different
    kinds or units, with no HEM or program in common, and for paired sets with different numbers of runs.
    """
    if before.kind != after.kind:
        raise TableError(
            f"compare: before is a {before.kind}, after a {after.kind}; both must be of one kind. Choose two datasets of one kind."
        )
    if before.unit != after.unit:
        raise TableError(
            f"compare: before counts per {before.unit}, after per {after.unit}: the units differ. Collect both with the same unit."
        )
    common = [hem for hem in after.hems if hem in set(before.hems)]
    if not common:
        raise TableError(
            f"compare: no HEM is in both sets; before has {listed(before.hems)}, after {listed(after.hems)}. Rename the columns."
        )
    known = {(group.program, group.label): group for group in before.groups}
    found = [_matched(known[group.program, group.label], group) for group in after.groups if (group.program, group.label) in known]
    found = [each for each in found if each.hems]
    programs = {group.program for group in before.groups} & {group.program for group in after.groups}
    if not programs:
        names = [group.program for group in before.groups], [group.program for group in after.groups]
        if len(set(names[0])) > 1 or len(set(names[1])) > 1:
            raise TableError(
                f"compare: no program is in both sets; before has {listed(dict.fromkeys(names[0]))}, after"
                f" {listed(dict.fromkeys(names[1]))}. Name them alike."
            )
    covered = {hem for each in found for hem in each.hems}
    rest = [hem for hem in common if hem not in covered]
    if rest:
        found += [_pooled(before, after, hem) for hem in rest]
    if paired:
        _check_pairs(found)
    return tuple(found)


def _matched(before: RunGroup, after: RunGroup) -> MatchedGroup:
    hems = [hem for hem in after.counts.columns if hem in before.counts.columns]
    return MatchedGroup(
        label=after.label,
        program=after.program,
        hems=tuple(hems),
        before=before.counts[hems].to_numpy(dtype=float),
        after=after.counts[hems].to_numpy(dtype=float),
    )


def _pooled(before: RunSet, after: RunSet, hem: str) -> MatchedGroup:
    """One HEM over all runs that read it, whatever the subexperiment."""
    sides = [
        pd.concat([group.counts[hem] for group in each.groups if hem in group.counts.columns]).to_numpy(dtype=float)[:, None]
        for each in (before, after)
    ]
    return MatchedGroup(label="all runs", program="", hems=(hem,), before=sides[0], after=sides[1])


def _check_pairs(groups: list[MatchedGroup]) -> None:
    for group in groups:
        if len(group.before) != len(group.after):
            name = " ".join(filter(None, [group.program, group.label])) or "the table"
            raise TableError(
                f"paired: {name} has {len(group.before):,} runs before and {len(group.after):,} after; pairs need as many."
                " Switch pairing off."
            )
