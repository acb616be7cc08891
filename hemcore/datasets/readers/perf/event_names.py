"""Where the name of an event ends and that of a cgroup (-G) begins, in output that puts the one after the other."""

import re
from collections.abc import Iterable

# Events that perf itself names: what stands after one of them is a modifier or a cgroup.
_PLAIN = re.compile(
    r"(?:(?:cpu|ref|bus)-cycles|cycles|instructions|cache-(?:references|misses)|branches|branch-(?:instructions|misses)"
    r"|stalled-cycles-(?:front|back)end|slots|topdown-[\w-]+|(?:task|cpu)-clock|(?:major-|minor-|page-)?faults|context-switches|cs"
    r"|(?:cpu-)?migrations|(?:alignment|emulation)-faults|(?:duration|user|system)_time|(?:L1-[di]cache|LLC|[di]TLB|branch|node)-[\w-]+"
    r"|r[0-9a-f]{1,16}|[\w-]+/[^/]*/)(?::?[ukhGHpPSDIeWbR]{1,8})?"
)
_MODIFIERS = re.compile(r"[ukhGHpPSDIeWbR]{1,8}")
# Separators that stand in names of events: cycles:u, sched:sched_switch, name=my clock.
_IN_NAMES = (":", " ")


def events_and_cgroups(names: Iterable[str], separator: str) -> dict[str, tuple[str, str]]:
    """Each of `names`, all that stands between unit and running time in the rows of one file -> (event, cgroup; "" for none).

    With -G every row has a cgroup, else none has: one event that perf itself names tells it for all. Where there is none, an event ends
    where its slashes are closed, and what follows is a cgroup but for a term such as `cmask=1`; between separators that stand in names
    of events all is the event.
    """
    cut = {name: _cut(name, separator) for name in names}
    plain = [rest is not None for event, rest in cut.values() if _PLAIN.fullmatch(event)]
    if plain and all(plain):
        return {name: _last_cut(name, separator) for name in cut}
    if plain or separator in _IN_NAMES:
        return {name: (name.strip(), "") for name in cut}
    return {name: (event.strip(), (rest or "").strip()) for name, (event, rest) in cut.items()}


def _cut(name: str, separator: str) -> tuple[str, str | None]:
    """(event, what follows; None for nothing): an event ends where its slashes are closed, after its terms and its modifiers."""
    parts = name.split(separator)
    end = 1
    while end < len(parts) and (separator.join(parts[:end]).count("/") % 2 or "=" in parts[end]):
        end += 1
    if separator == ":" and end < len(parts) and _MODIFIERS.fullmatch(parts[end]):
        end += 1
    return separator.join(parts[:end]), separator.join(parts[end:]) if end < len(parts) else None


def _last_cut(name: str, separator: str) -> tuple[str, str]:
    event, _, cgroup = name.rpartition(separator)
    return (event.strip(), cgroup.strip()) if event else (name.strip(), "")
