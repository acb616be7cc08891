"""Whether subexperiments are connected: HEMs that no chain of shared HEMs joins cannot be merged into one table."""

from hemcore.datasets.tables.checks import listed
from hemcore.errors import TableError
from hemcore.merge.inputs import SubexperimentsLike, complete_subexperiments
from hemcore.merge.remedies import PLAN_UNREAD

_GROUPS_SHOWN = 4


def connected_components(subexperiments: SubexperimentsLike) -> list[list[str]]:
    """The HEMs in groups: two are in the same group if a chain of subexperiments joins them, each sharing a HEM with the next.

    In the order of first reading. Raises TableError for bad input.
    """
    table = complete_subexperiments(subexperiments)
    group_of = {hem: number for number, hem in enumerate(table.hems)}
    for frame in table.frames:
        met = {group_of[hem] for hem in frame.columns}
        if len(met) > 1:
            least = min(met)
            group_of = {hem: least if number in met else number for hem, number in group_of.items()}
    groups: dict[int, list[str]] = {}
    for hem, number in group_of.items():
        groups.setdefault(number, []).append(hem)
    return list(groups.values())


def check_connected(subexperiments: SubexperimentsLike) -> None:
    """Raise TableError, which names the groups, unless a chain of subexperiments joins every HEM to every other."""
    groups = connected_components(subexperiments)
    if len(groups) < 2:
        return
    shown = "; ".join(listed(group) for group in groups[:_GROUPS_SHOWN])
    more = f"; and {len(groups) - _GROUPS_SHOWN} more" if len(groups) > _GROUPS_SHOWN else ""
    raise TableError(
        f"subexperiments: they form {len(groups)} groups that share no HEM: {shown}{more}. The readings do not relate HEMs of "
        "different groups. Measure a subexperiment with HEMs of each group, or merge each group alone.",
        remedies=[PLAN_UNREAD],
    )
