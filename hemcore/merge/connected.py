"""Whether subexperiments hang together: HEMs that no chain of common readings joins cannot be put into one table."""

from hemcore.datasets.tables.checks import listed
from hemcore.errors import TableError
from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments

_PARTS_SHOWN = 4


def connected_parts(subexperiments: SubexperimentsLike) -> list[list[str]]:
    """The HEMs in groups: two are in the same group where a chain of subexperiments joins them, each sharing a HEM with the next.

    In the order of first reading. Raises TableError for bad input.
    """
    table = complete_subexperiments(subexperiments)
    part = {hem: number for number, hem in enumerate(table.hems)}
    for frame in table.frames:
        met = {part[hem] for hem in frame.columns}
        if len(met) > 1:
            least = min(met)
            part = {hem: least if number in met else number for hem, number in part.items()}
    groups: dict[int, list[str]] = {}
    for hem, number in part.items():
        groups.setdefault(number, []).append(hem)
    return list(groups.values())


def check_connected(subexperiments: SubexperimentsLike) -> None:
    """Raise TableError, which names the parts, unless every HEM is joined to every other by a chain of subexperiments."""
    groups = connected_parts(subexperiments)
    if len(groups) < 2:
        return
    shown = "; ".join(listed(group) for group in groups[:_PARTS_SHOWN])
    more = f"; and {len(groups) - _PARTS_SHOWN} more" if len(groups) > _PARTS_SHOWN else ""
    raise TableError(
        f"subexperiments: they fall into {len(groups)} parts that share no HEM: {shown}{more}. Nothing says how HEMs of different parts go "
        "together. Read one subexperiment with HEMs of each part, or merge each part alone."
    )
