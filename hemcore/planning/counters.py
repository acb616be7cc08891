"""Named counters, and their assignment to the events of a group."""

from collections.abc import Iterable, Mapping, Sequence

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError

_MOST_COUNTERS = 96


def every_counter(hems: Sequence[str], n_pmcs: int, counters: Mapping[str, Iterable[str | int]]) -> tuple[tuple[str, ...], list[int]]:
    """The names of the counters, and for each HEM a bit mask of the counters that may hold it.

    The PMCs are called "0" to n_pmcs - 1 ("PMC0" is the same as "0"); any other name is an additional counter, usable only by events that
    name it. A HEM that is not in `counters` fits on every PMC. Raises ParameterError for an event that is not among the HEMs, an event
    without a counter, and a number that is not a PMC.
    """
    unknown = [event for event in counters if event not in hems]
    if unknown:
        raise ParameterError(f"counters: {listed(unknown)} is not among the HEMs. Correct the name, or remove the line.")
    names = [str(number) for number in range(n_pmcs)]
    given: dict[str, list[str]] = {}
    for event, may in counters.items():
        given[event] = [_name(each, event, n_pmcs) for each in ([may] if isinstance(may, str | int) else may)]
        if not given[event]:
            raise ParameterError(f"counters: {event} has none and cannot be counted. Name its counters, or remove the line.")
        names += [name for name in dict.fromkeys(given[event]) if name not in names]
    if len(names) > _MOST_COUNTERS:
        raise ParameterError(f"counters: {len(names)} counters; at most {_MOST_COUNTERS} are allowed. Name those of one core.")
    bit = {name: 1 << at for at, name in enumerate(names)}
    anywhere = (1 << n_pmcs) - 1
    return tuple(names), [sum({bit[name] for name in given[hem]}) if hem in given else anywhere for hem in hems]


def assigned_counters(masks: Sequence[int]) -> list[int] | None:
    """The counter (bit number) of each event of a group, by augmenting paths; None if some event finds none."""
    holder: dict[int, int] = {}

    def assign(event: int, seen: set[int]) -> bool:
        for counter in range(masks[event].bit_length()):
            if masks[event] >> counter & 1 and counter not in seen:
                seen.add(counter)
                if counter not in holder or assign(holder[counter], seen):
                    holder[counter] = event
                    return True
        return False

    if not all(assign(event, set()) for event in range(len(masks))):
        return None
    counter_of = {event: counter for counter, event in holder.items()}
    return [counter_of[event] for event in range(len(masks))]


def _name(counter: str | int, event: str, n_pmcs: int) -> str:
    name = str(counter).strip()
    number = name.lower().removeprefix("pmc")
    if not name or not name.isprintable() or len(name) > 60:
        raise ParameterError(f"counters: {event} names {name[:60]!r} as a counter; a printable name of at most 60 characters is needed.")
    if number.isdecimal() and number.isascii():
        if int(number) >= n_pmcs:
            raise ParameterError(f"counters: {event} names counter {name}, but the {n_pmcs} PMCs are 0 to {n_pmcs - 1}. Correct it.")
        return str(int(number))
    return name
