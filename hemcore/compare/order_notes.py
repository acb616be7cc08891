"""What the order of the runs says, in sentences: drift, dependent neighbours, warm-up; and which HEMs could not be compared."""

from collections.abc import Mapping, Sequence

from hemcore.compare.group_changes import GroupChange
from hemcore.compare.run_sets import RunSet
from hemcore.headline import counted_noun, formatted

_SHOWN = 3
NOT_COMPARED = "Not compared, because one set did not count it"


def order_sentences(found: Mapping[str, Sequence[GroupChange]], before: RunSet, after: RunSet, lacking: Sequence[str]) -> tuple[str, ...]:
    """Sentences about the order of the runs of both sets, HEMs counted as differences, and HEMs in one set only; empty if none applies."""
    told: list[str] = []
    sides = ("before", "after")
    for place, side in enumerate(sides):
        drifts = {hem: max((part.orders[place].drift for part in parts), key=abs) for hem, parts in found.items()}
        drifts = {hem: drift for hem, drift in drifts.items() if drift}
        if drifts:
            most = max(drifts, key=lambda hem: abs(drifts[hem]))
            way = "rises" if drifts[most] > 0 else "falls"
            told.append(
                f"Drift {side}: {_names(drifts)} {'moves' if len(drifts) == 1 else 'move'} with the order of the runs; {most} {way}"
                f" (rank correlation {formatted(drifts[most], '.2f')})."
            )
        firsts = {hem: max(part.orders[place].warm_up for part in parts) for hem, parts in found.items()}
        firsts = {hem: count for hem, count in firsts.items() if count}
        if firsts:
            most = max(firsts, key=lambda hem: firsts[hem])
            told.append(f"Warm-up {side}: the first {counted_noun(firsts[most], 'run')} of {_names(firsts)} lie beyond all later ones.")
    dependent = {hem: max(part.block for part in parts) for hem, parts in found.items() if any(_depends(part) for part in parts)}
    if dependent:
        longest = max(dependent.values())
        resampled = f"blocks of up to {longest:,} runs were resampled" if longest > 1 else "their errors are larger for it"
        told.append(f"Runs depend on their neighbours in {_names(dependent)}: {resampled}.")
    differences = [hem for hem, parts in found.items() if not parts[0].relative]
    if differences:
        told.append(f"{_names(differences)}: often 0, so the change is a difference in counts, not a ratio.")
    constant = [hem for hem, parts in found.items() if all(part.variance == 0 for part in parts)]
    if constant:
        told.append(f"{_names(constant)}: constant in both sets.")
    missing = [hem for hem in (*before.hems, *lacking) if hem not in found]
    missing += [hem for hem in after.hems if hem not in found and hem not in missing]
    if missing:
        told.append(f"{NOT_COMPARED}: {_names(list(dict.fromkeys(missing)))}.")
    return tuple(told)


def _depends(part: GroupChange) -> bool:
    return any(order.autocorrelation for order in part.orders)


def _names(hems: Sequence[str] | Mapping[str, object]) -> str:
    names = list(hems)
    shown = ", ".join(name[:40] for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
