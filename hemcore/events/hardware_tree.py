"""Where an event was counted: node, socket, core and hardware thread; and which events may be summed over them."""

import re
from dataclasses import dataclass
from functools import lru_cache

from hemcore.events.usual_names import is_temperature

# From the coarsest to the finest; the machine is above them.
TREE = ("node", "socket", "core", "thread")
MACHINE = "machine"

_PERF = re.compile(r"(?:(?P<thread>CPU-?\d+)|N(?P<node>-?\d+)|S(?P<socket>-?\d+)(?:-D(?P<die>\d+))?(?:-(?P<core>\S+))?)")
_LIKWID = re.compile(r"(?P<region>region .*? )??(?:HWThread|Core) (?P<thread>\d+)")
_TOPLEV = re.compile(r"(?:S(?P<socket>\d+)-)?C(?P<core>\d+)(?:-T(?P<thread>\d+))?")
_TASK = re.compile(r"\S.{0,40}?-\d+")
# Units and words of what is the same however many cores are looked at: shares, ratios, frequencies, temperatures, voltages.
_UNITS = re.compile(r"[(\[](?:%|[kMG]?Hz|°?C|deg ?C|m?V|s|ms|us|ns)[)\]]\s*$|%|[kMG]Hz\b")
_WORDS = re.compile(
    r"(?:^|[^a-z])(?:ratio|rate|share|perc|percent(?:age)?|util(?:i[sz]ation)?|freq(?:uency)?|clock ?speed|temp(?:erature)?|volt(?:age)?"
    r"|ipc|cpi|upi|tpi|[a-z0-9]*mpki|per|mean|avg|average|intensity|imbalance|efficiency|tma|metric)(?:$|[^a-z])",
    re.IGNORECASE,
)
# Names of monitoring systems and of metrics that say neither; topdown_be_bound and the like are counts of slots.
_NAMES = re.compile(
    r"clock|cpu_(?:user|system|idle|iowait|nice|irq)|usage_\w+|cache_?hit|l[123]_?cache_?hit|vid|(?:\w+_)?rpm"
    r"|(?!topdown)\w+[_ ]bound|bad[_ ]speculation|retiring",
    re.IGNORECASE,
)
# Percentages of mpstat -o JSON; in small letters, since IRQ of turbostat is a count.
_OF_MPSTAT = frozenset("usr nice sys iowait irq soft steal guest gnice idle".split())
# What is a state at a moment, which no counter adds up: a power, a current, a speed, a rate, and some of the above.
_MOMENTARY = re.compile(
    r"[(\[](?:%|[kMG]?Hz|°?[CF]|deg(?:rees)? ?[CF]|[mk]?(?:V(?:olts?)?|W(?:atts?)?|A(?:mps?)?)|RPM|[^()\[\]]*/s(?:ec)?)[)\]]\s*$|^%|%$"
    r"|/s(?:ec)?$|[kMG]Hz$|Watts?$|RPM$|(?:^|[^a-z])power$|^(?:ipc|cpi)$|^(?:cpu_load|node_load|load)(?:_(?:one|five|fifteen))?[0-9]*$|(?:^|[^a-z])(?:ratio|utili[sz]ation|auslastung)(?:$|[^a-z])"
    r"|(?:^|[^a-z])(?:freq(?:uency)?|temp(?:erature)?|volt(?:age)?|bandwidth|bw|[kmgt]flops|[kmg](?:bs|bps))(?:$|[^a-z])",
    re.IGNORECASE,
)
# turbostat's columns of a package; CorWatt is of a core on some processors.
_OF_PACKAGE = re.compile(r"(?:Pkg|GFX|RAM|Sys)(?:Watt|_J)")
# Columns of tables, in small letters without marks -> the level of what they number; "cpu" as perf numbers it.
_COLUMNS = {
    **dict.fromkeys(("node", "nodeid", "nodename", "host", "hostname", "rechner"), "node"),
    **dict.fromkeys(("socket", "socketid", "skt", "package", "packageid", "pkg"), "socket"),
    **dict.fromkeys(("core", "coreid", "kern", "coeur"), "core"),
    **dict.fromkeys(("cpu", "cpuid", "hwthread", "thread", "threadid", "prozessor", "processeur", "processor"), "thread"),
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Place:
    """A place in the machine, as far as it is known; "" = not told. within: what is no hardware (a region, a cgroup)."""

    node: str = ""
    socket: str = ""
    core: str = ""
    thread: str = ""
    within: str = ""


def place_of(text: str) -> Place:
    """The place that a tool's id names: "CPU3", "S0-D0-C1", "N0" (perf stat), "HWThread 3" (LIKWID), "S0-C1-T0" (toplev), "comm-4711" (perf
    --per-thread).

    A core is numbered within its socket, and within its die ("1-3") where the socket has several. An id of no such form is no place: all
    of it is `within`.
    """
    likwid = _LIKWID.fullmatch(text)
    if likwid is not None:
        return Place(thread=likwid["thread"], within=(likwid["region"] or "").strip())
    first, _, rest = text.partition(" ")
    toplev = _TOPLEV.fullmatch(first)
    if toplev is not None:
        thread = "" if toplev["thread"] is None else f"T{toplev['thread']}"
        return Place(socket=toplev["socket"] or "", core=toplev["core"], thread=thread, within=rest)
    perf = _PERF.fullmatch(first)
    if perf is None:
        return Place(thread=text) if _TASK.fullmatch(text) else Place(within=text)
    if perf["thread"] is not None:
        return Place(thread=perf["thread"].removeprefix("CPU"), within=rest)
    if perf["node"] is not None:
        return Place(node=perf["node"], within=rest)
    # Caches and clusters of cores (S0-D0-L2-ID0, S0-D0-CLS1) are finer than a socket too.
    die, core = perf["die"] or "0", re.sub(r"^C(?=\d)", "", perf["core"] or "")
    if not core and perf["die"] is not None:
        core = f"die {die}"
    elif core and die != "0":
        core = f"{die}-{core}"
    return Place(socket=perf["socket"], core=core, within=rest)


def is_intensive(event: str) -> bool:
    """Whether `event` must not be summed over cores: a ratio, share, frequency, temperature or voltage, by its unit or its words.

    Counts, energies, powers, bytes and rates per second are sums over their parts, and are not.
    """
    named = event in _OF_MPSTAT or is_temperature(event)
    return named or bool(_NAMES.fullmatch(event) or _UNITS.search(event) or _WORDS.search(_CAMEL.sub(" ", event)))


def is_of_package(event: str) -> bool:
    """Whether `event` is read of a whole package (turbostat's PkgWatt, RAM_J), on whichever of its threads it stands."""
    return _OF_PACKAGE.fullmatch(event) is not None


def level_of_column(name: str) -> str:
    """The level of TREE whose places a column of a table numbers, by its name in small letters without marks ("coreid"); "" of none."""
    return _COLUMNS.get(name, "")


@lru_cache(maxsize=8_192)
def is_momentary(event: str) -> bool:
    """Whether `event` is a state at a moment by its unit or its words, so that it cannot be a cumulative counter though it may rise."""
    return is_temperature(event) or _MOMENTARY.search(event) is not None


def adds_up(event: str) -> bool:
    """Whether values of `event` over time may be summed: counts and energies may, ratios, temperatures, frequencies and powers may not."""
    return not is_intensive(event) and not is_momentary(event)
