"""How often a multiplexed series was counted: from its hidden slots, or from the running share that the tool printed."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from hemcore.datasets.tables.counter_series import CounterSeries

# Of the slots that cannot have been counted, by the running share: where fewer than this part of them are hidden, the tool filled them.
_FILLED = 0.5


@dataclass(frozen=True, kw_only=True)
class Measured:
    """k of a multiplexed series as it was measured.

    slots_per_count: of an event, on average; None if the file does not record it. extrapolated: whether slots that were not, or not wholly,
    counted have values all the same: estimates of the tool (perf and PAPI scale what they counted), so that nothing is hidden.
    """

    slots_per_count: float | None
    extrapolated: bool

    def whole(self, most: int) -> int:
        """k as a schedule takes it, from 2 to `most`; 0 where it is not known."""
        return 0 if self.slots_per_count is None else max(2, min(round(self.slots_per_count), most))


_known: WeakKeyDictionary[CounterSeries, Measured] = WeakKeyDictionary()


def measured(table: CounterSeries) -> Measured:
    """k from the hidden slots and the running share of `table` (mode MPX); cached with it."""
    if table not in _known:
        _known[table] = _look(table)
    return _known[table]


def _look(table: CounterSeries) -> Measured:
    counted = table.counts.notna().to_numpy()
    ever = counted.any(axis=0)
    seen = float(counted[:, ever].mean()) if ever.any() else 0.0
    if not seen:
        return Measured(slots_per_count=None, extrapolated=False)
    running = 1.0
    if table.share is not None:
        share = table.share.to_numpy(dtype=float, na_value=float("nan"))
        # A value whose share is not known was counted for an unknown part of its slot: it is left out of the mean.
        known = counted & (share == share)
        running = seen * float(share[known].mean()) if known.any() else seen
    if running < 1 and 1 - seen < _FILLED * (1 - running):
        return Measured(slots_per_count=1 / max(running, 1e-9), extrapolated=True)
    return Measured(slots_per_count=1 / seen if seen < 1 else None, extrapolated=seen == 1)
