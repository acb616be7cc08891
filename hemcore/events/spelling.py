"""One event under several spellings: perf's, Intel's and Arm's names, a PMU around them, case, terms and modifiers.

`INST_RETIRED.ANY`, `inst_retired.any:u`, `cpu/inst_retired.any/u` and `cpu_core/inst_retired.any/` are one event; so are Intel's
`L1D_PEND_MISS.FB_FULL:c1`, perf's `cpu@L1D_PEND_MISS.FB_FULL\\,cmask\\=1@` in a formula and `cpu/L1D_PEND_MISS.FB_FULL,cmask=1/` in output.
Sources: perf-list(1) and perf's expression grammar (linux, tools/perf/util/expr.l); intel/perfmon, metrics/README.md.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

# The PMU of the core itself is left out where a tool has only one; the efficiency cores' is another. perf's metrics say TSC for msr/tsc/.
_CORE = re.compile(r"(?:cpu|cpu_core|msr|armv[89]\w*|arm_\w*cortex\w*|default_core)?")
_IN_PMU = re.compile(r"([\w.\-]*)([/@])(.*)\2(?::?([A-Za-z]*))")
_MODES = re.compile(r"[ukhGHpPSDIeWbR]{1,8}")
_TERM = re.compile(r"([A-Za-z]\w*)=(\w+)")
_SHORT_TERM = re.compile(r"([ceiu])(0x[0-9a-fA-F]+|\d+)")
_SHORT = {"c": "cmask", "e": "edge", "i": "inv", "u": "umask"}
# What says how a count is taken, not what is counted.
_NO_TERMS = ("period", "name", "percore", "perf_metrics")
# Not a count: the mean latency at which the instructions of the event retire, perf's `:R`.
_LATENCY = "retire_latency"
_OF_PERF = {"ocr_msr_val": "offcore_rsp"}
_RINGS = {"USER": "u", "SUP": "k"}
# Other names of one event, in the spelling of `_base`: perf's generic names, and what Intel's metrics call perf's topdown events.
_SAME = {
    "cycles": "cpu_cycles",
    # As logs of one's own write them.
    "cyc": "cpu_cycles",
    "instr": "instructions",
    "instrs": "instructions",
    "insn": "instructions",
    "insns": "instructions",
    "branches": "branch_instructions",
    "slots": "topdown_slots",
    # LIKWID's names of what Intel's fixed counters count.
    "instr_retired_any": "inst_retired_any",
    "cpu_clk_unhalted_core": "cpu_clk_unhalted_thread",
    "cpu_clk_unhalted_ref": "cpu_clk_unhalted_ref_tsc",
    "perf_metrics_retiring": "topdown_retiring",
    "perf_metrics_bad_speculation": "topdown_bad_spec",
    "perf_metrics_frontend_bound": "topdown_fe_bound",
    "perf_metrics_backend_bound": "topdown_be_bound",
    "perf_metrics_heavy_operations": "topdown_heavy_ops",
    "perf_metrics_branch_mispredicts": "topdown_br_mispredict",
    "perf_metrics_fetch_latency": "topdown_fetch_lat",
    "perf_metrics_memory_bound": "topdown_mem_bound",
}
# By base, what an Intel core counts in slots and the register PERF_METRICS: perf's event, led by `slots` in its group.
SLOTS = "topdown_slots"
TOPDOWN = {base: base.replace("_", "-") for base in sorted({*_SAME.values()}) if base.startswith("topdown_") and base != SLOTS}
# perf's generic events, and what the kernel, PAPI and LIKWID count for each, the most usual first. An event is found under another of these
# names only if it was not read itself. Sources: linux, arch/x86/events and drivers/perf (event maps); PAPI, src/papi_events.csv.
_GENERIC = {
    "instructions": ("inst_retired_any", "inst_retired_any_p", "inst_retired", "papi_tot_ins", "retired_instructions", "ex_ret_instr"),
    "cpu_cycles": ("cpu_clk_unhalted_thread", "cpu_clk_unhalted_thread_p", "papi_tot_cyc", "cpu_clocks_unhalted", "ls_not_halted_cyc"),
    "ref_cycles": ("cpu_clk_unhalted_ref_tsc", "papi_ref_cyc"),
    "branch_instructions": ("br_inst_retired_all_branches", "br_retired", "papi_br_ins", "retired_branch_instr", "ex_ret_brn"),
    "branch_misses": (
        "br_misp_retired_all_branches",
        "br_mis_pred_retired",
        "papi_br_msp",
        "retired_mispredicted_branch_instr",
        "ex_ret_brn_misp",
    ),
    "cache_references": ("longest_lat_cache_reference", "papi_l3_tca"),
    "cache_misses": ("longest_lat_cache_miss", "papi_l3_tcm"),
}
_OTHERS = {
    name: tuple(each for each in (generic, *names) if each != name) for generic, names in _GENERIC.items() for name in (generic, *names)
}


@dataclass(frozen=True)
class EventKey:
    """What two spellings of one event have in common. pmu: "" for the core. modes: the rings counted ("u", "k"), "" if not stated."""

    pmu: str
    base: str
    terms: tuple[tuple[str, str], ...] = ()
    modes: str = ""


@lru_cache(maxsize=50_000)
def event_key(name: str) -> EventKey:
    """The key of an event's name in any spelling."""
    plain = name.replace("\\", "").strip()
    match = _IN_PMU.fullmatch(plain)
    if match is None:
        base, terms, modes = _colons(plain)
        return EventKey("", _base(base), tuple(sorted(terms.items())), modes)
    pmu = match[1].lower().removeprefix("uncore_")
    base, terms = "", {}
    for number, part in enumerate(match[3].split(",")):
        term = _TERM.fullmatch(part.strip())
        if term is not None:
            terms[term[1].lower()] = _value(term[2])
        elif number == 0:
            base, more, _ = _colons(part.strip())
            terms |= more
        elif part.strip():
            terms[part.strip().lower()] = "1"
    if "R" in (match[4] or ""):
        terms[_LATENCY] = "1"
    known = tuple(sorted((key, value) for key, value in terms.items() if key not in _NO_TERMS))
    return EventKey("" if _CORE.fullmatch(pmu) else pmu, _base(base), known, _rings(match[4]))


def perf_event(name: str) -> str:
    """The event `name` of a formula as `perf stat -e` takes it: `X:c1:e1` and `cpu@X,cmask=1@` are `cpu/X,cmask=1,edge=1/`.

    Any other name stays as it is.
    """
    key = event_key(name)
    if key.pmu == "" and key.base in TOPDOWN:
        return TOPDOWN[key.base]
    if key.base == SLOTS:
        return "slots"
    if "@" in name:
        return re.sub(r"@:?", "/", name)
    terms = dict(key.terms)
    latency = terms.pop(_LATENCY, "")
    if "/" in name or not (terms or latency):
        return name
    base = name.partition(":")[0]
    if not terms:
        return f"{base}:R"
    shown = (f"{_OF_PERF.get(term, term)}={value}" for term, value in sorted(terms.items()))
    return f"cpu/{base},{','.join(shown)}/{key.modes}{'R' if latency else ''}"


class EventColumns:
    """Columns of a table as events, found under any spelling."""

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = tuple(columns)
        self._exact = frozenset(self.columns)

    def find(self, event: str) -> str | None:
        """The column that counts `event`; None if none does, or several do (`several` lists them).

        An event without a ring is also found where user or kernel code alone was counted, and as perf's generic event or what that counts.
        """
        if event in self._exact:
            return event
        found = self._fitting(event)
        return found[0] if len(found) == 1 else None

    def several(self, event: str) -> tuple[str, ...]:
        """The columns between which `find` does not choose; empty if there are fewer than two."""
        found = () if event in self._exact else self._fitting(event)
        return found if len(found) > 1 else ()

    def _fitting(self, event: str) -> tuple[str, ...]:
        key = event_key(event)
        found = self._by_key.get(key, ())
        if not found and not key.modes:
            found = self._by_key_of_any_ring.get((key.pmu, key.base, key.terms), ())
            if not found and not key.pmu and not key.terms:
                others = (self._by_key_of_any_ring.get(("", each, ()), ()) for each in _OTHERS.get(key.base, ()))
                found = next(filter(None, others), ())
        return found

    @cached_property
    def _by_key(self) -> Mapping[EventKey, tuple[str, ...]]:
        found: dict[EventKey, tuple[str, ...]] = {}
        for column in self.columns:
            key = event_key(column)
            found[key] = (*found.get(key, ()), column)
        return found

    @cached_property
    def _by_key_of_any_ring(self) -> Mapping[tuple[str, str, tuple[tuple[str, str], ...]], tuple[str, ...]]:
        found: dict[tuple[str, str, tuple[tuple[str, str], ...]], tuple[str, ...]] = {}
        for column in self.columns:
            key = event_key(column)
            short = (key.pmu, key.base, key.terms)
            found[short] = (*found.get(short, ()), column)
        return found


def _base(name: str) -> str:
    plain = re.sub(r"[.\-\s]+", "_", name.lower())
    return _SAME.get(plain, plain)


def _rings(modifiers: str | None) -> str:
    return "".join(sorted(set(modifiers or "") & set("ukh")))


def _value(text: str) -> str:
    try:
        return str(int(text, 0))
    except ValueError:
        return text.lower()


def _colons(name: str) -> tuple[str, dict[str, str], str]:
    """Base, terms and rings of a name with colons (`X:c1:e1`, `X:u`); all of it is the base if a part is none of these (`sched:wake`)."""
    base, *parts = name.split(":")
    terms: dict[str, str] = {}
    modes = ""
    for part in parts:
        if (short := _SHORT_TERM.fullmatch(part)) is not None:
            terms[_SHORT[short[1]]] = _value(short[2])
        elif (term := _TERM.fullmatch(part)) is not None:
            terms[term[1].lower()] = _value(term[2])
        elif part in _RINGS:
            modes += _RINGS[part]
        elif part == _LATENCY or (_MODES.fullmatch(part) and "R" in part):
            terms[_LATENCY] = "1"
            modes += _rings(part) if part != _LATENCY else ""
        elif part in ("one_unit", *_NO_TERMS):
            terms |= {part: "1"} if part == "one_unit" else {}
        elif _MODES.fullmatch(part):
            modes += _rings(part)
        else:
            return name, {}, ""
    return base, {key: value for key, value in terms.items() if key not in _NO_TERMS}, "".join(sorted(set(modes)))
