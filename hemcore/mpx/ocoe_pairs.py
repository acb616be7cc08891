"""Multiplexed runs and OCOE runs of the same programs put together, so that the one can be scored by the other."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.sampled import rows_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Paired:
    """A multiplexed series with a truth.

    series: it, with `truth`. notes: sentences on whatever did not match; empty if everything did.
    """

    series: CounterSeries
    notes: tuple[str, ...]


def pair(mpx: CounterSeries, ocoe: CounterSeries) -> Paired:
    """`mpx` with the counts of `ocoe` as its truth: runs of an application are paired by number, otherwise in order.

    Slot i of a run is paired with slot i of the other, up to the end of the shorter one; events are matched by name. Applications are
    matched by name; a single one on each side, whatever their names. What has no partner has no truth and is noted. Raises
    ParameterError if `mpx` is not multiplexed, `ocoe` is, or they have no application or no event in common.
    """
    if mpx.mode != "MPX":
        raise ParameterError("mpx: every event was counted in every slot (OCOE), so there is nothing to estimate. Swap the two series.")
    if ocoe.mode != "OCOE":
        raise ParameterError("ocoe: the series is multiplexed, so it cannot serve as the truth. Choose an OCOE series.")
    events = [name for name in mpx.events if name in ocoe.events]
    if not events:
        raise ParameterError(f"ocoe: it has {listed(ocoe.events)}, the multiplexed series {listed(mpx.events)}: no event in common.")
    notes = []
    lacking = [name for name in mpx.events if name not in ocoe.events]
    if lacking:
        notes.append(f"Not in the OCOE series, so not scored: {listed(lacking)}.")
    own, other = rows_of(mpx.intervals), rows_of(ocoe.intervals)
    partners = _applications(mpx, ocoe)
    counts = ocoe.counts[events].to_numpy(dtype=float, na_value=np.nan)
    truth = np.full((len(mpx.counts), len(events)), np.nan)
    places: dict[str, list[int]] = {}
    for place, (application, _) in enumerate(other.keys):
        places.setdefault(application, []).append(place)
    passed: dict[str, int] = {}
    lengths = 0
    for run, (application, number) in enumerate(own.keys):
        partner = partners.get(application)
        if partner is None:
            continue
        turn = passed[application] = passed.get(application, -1) + 1
        runs = places[partner]
        same = [place for place in runs if other.keys[place][1] == number]
        place = same[0] if same else runs[turn % len(runs)]
        mine = own.order[own.starts[run] : own.starts[run + 1]]
        theirs = other.order[other.starts[place] : other.starts[place + 1]]
        n = min(len(mine), len(theirs))
        lengths += len(mine) != len(theirs)
        truth[mine[:n]] = counts[theirs[:n]]
    alone = [name for name in mpx.applications if name not in partners]
    if alone:
        notes.append(f"Without an OCOE run, so not scored: {listed(alone)}.")
    if lengths:
        notes.append(f"{lengths:,} of {len(own.keys):,} runs differ in length from their partners; only the shorter length is compared.")
    frame = pd.DataFrame(truth, columns=events).reindex(columns=mpx.events)
    return Paired(series=replace(mpx, truth=frame), notes=tuple(notes))


def _applications(mpx: CounterSeries, ocoe: CounterSeries) -> dict[str, str]:
    """Which application of `ocoe` each one of `mpx` is compared with. Raises ParameterError if there is none."""
    mine, theirs = [str(name) for name in mpx.applications], [str(name) for name in ocoe.applications]
    if len(mine) == len(theirs) == 1:
        return {mine[0]: theirs[0]}
    found = {name: name for name in mine if name in theirs}
    if not found:
        raise ParameterError(
            f"ocoe: its applications are {listed(theirs)}, the multiplexed ones {listed(mine)}: none is in both. Rename one."
        )
    return found
