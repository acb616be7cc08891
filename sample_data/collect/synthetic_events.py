"""The events of the synthetic processor: which counters take them, and how they follow from what its slots go to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_PMCS = 6
"""Counters that can be programmed, 0 to 5; beside them, two fixed ones."""


@dataclass(frozen=True)
class Event:
    """An event. counters: those that may count it, blanks between; "" for every counter that can be programmed."""

    description: str
    counters: str = ""


EVENTS = {
    "SYN_CYCLES": Event("cycles of the core, each with 4 slots", "fixed0"),
    "SYN_INSTRUCTIONS": Event("instructions retired", "fixed1"),
    "SYN_SLOTS_RETIRED": Event("slots whose operation retired"),
    "SYN_SLOTS_ISSUED": Event("slots whose operation was issued, retired or not"),
    "SYN_RECOVERY_CYCLES": Event("cycles without issue after a misprediction or a machine clear"),
    "SYN_SLOTS_NOT_DELIVERED": Event("slots for which the front end had no operation"),
    "SYN_SLOTS_BACKEND": Event("slots for which the back end took no operation"),
    "SYN_OPS_MICROCODED": Event("operations retired from the microcode"),
    "SYN_OPS_ARITHMETIC": Event("arithmetic operations retired"),
    "SYN_OPS_LOADS": Event("loads retired"),
    "SYN_OPS_STORES": Event("stores retired"),
    "SYN_OPS_BRANCHES": Event("branches retired"),
    "SYN_BRANCHES_CONDITIONAL": Event("conditional branches retired"),
    "SYN_BRANCHES_INDIRECT": Event("indirect branches retired"),
    "SYN_MISPREDICTED_CONDITIONAL": Event("conditional branches mispredicted, 24 slots each"),
    "SYN_MISPREDICTED_INDIRECT": Event("indirect branches mispredicted, 36 slots each"),
    "SYN_MACHINE_CLEARS": Event("pipeline emptied for another reason, 400 slots each", "4 5"),
    "SYN_CYCLES_NO_DELIVERY": Event("cycles in which the front end delivered nothing"),
    "SYN_STALLS_ICACHE": Event("cycles waiting for an instruction cache miss", "0 1 2 3"),
    "SYN_STALLS_ITLB": Event("cycles waiting for an instruction TLB miss", "0 1 2 3"),
    "SYN_SLOTS_LOST_DECODER": Event("slots lost because the decoder was too slow"),
    "SYN_SLOTS_LOST_OP_CACHE": Event("slots lost because the operation cache was too slow"),
    "SYN_OPS_DECODED": Event("operations issued from the decoder"),
    "SYN_OPS_FROM_OP_CACHE": Event("operations issued from the operation cache"),
    "SYN_STALLS_MEMORY": Event("cycles stalled for loads or stores", "0 1 2 3"),
    "SYN_STALLS_CORE": Event("cycles stalled for execution", "0 1 2 3"),
    "SYN_STALLS_LOADS": Event("cycles stalled for loads", "0 1 2 3"),
    "SYN_STALLS_L1_MISS": Event("cycles stalled for loads that missed L1", "0 1 2 3"),
    "SYN_STALLS_L2_MISS": Event("cycles stalled for loads that missed L2", "0 1 2 3"),
    "SYN_STALLS_L3_MISS": Event("cycles stalled for loads that missed L3", "0 1 2 3"),
    "SYN_STALLS_DIVIDER": Event("cycles stalled for the divider", "1"),
    "SYN_L1D_HITS": Event("loads that hit L1"),
    "SYN_L1D_MISSES": Event("loads that missed L1"),
    "SYN_L2_MISSES": Event("loads that missed L2", "0 1"),
    "SYN_L3_MISSES": Event("loads that missed L3", "0 1"),
    "SYN_ICACHE_MISSES": Event("instruction fetches that missed the cache"),
    "SYN_ITLB_MISSES": Event("instruction fetches that missed the TLB"),
    "SYN_DTLB_MISSES": Event("loads and stores that missed the TLB"),
    "SYN_PAGE_WALK_CYCLES": Event("cycles of page walks"),
    "SYN_MEMORY_READS": Event("lines of 64 bytes read from memory", "2 3"),
    "SYN_MEMORY_WRITES": Event("lines of 64 bytes written to memory", "2 3"),
    "SYN_PREFETCHES": Event("lines prefetched"),
    "SYN_PREFETCHES_USED": Event("lines prefetched and used"),
    "SYN_PAGE_FAULTS": Event("page faults; few"),
    "SYN_LOCKED_LOADS": Event("loads with a bus lock; few"),
}

# By phase, in the order of synthetic_processor.PHASES: fractions, and means per cycle.
_FROM_OP_CACHE = np.array([0.3, 0.9, 0.8, 0.6])
_PREFETCHED, _USED = np.array([0.5, 1.0, 1.5, 0.3]), np.array([0.3, 0.8, 0.7, 0.2])
_PAGE_FAULTS, _LOCKED_LOADS = np.array([250e-6, 5e-6, 25e-6, 5e-6]), np.array([10e-6, 0.0, 5e-6, 50e-6])


def events_of(
    leaf: Mapping[str, Floats],
    phase: NDArray[np.int64],
    part: Callable[[Floats, Floats | float], Floats],
    number: Callable[[Floats], Floats],
) -> dict[str, Floats]:
    """The count of each event. leaf: how often each leaf of the tree occurred; phase: the phase of each cell.

    part(count, fraction) and number(mean) draw, or give means: every count is linear in those of `leaf`, so means stay means.
    """
    simple = leaf["arithmetic"] + leaf["accesses"] + leaf["branches"]
    retired = simple + leaf["microcoded"]
    # What a misprediction or a clear costs, half of it about in operations that are thrown away.
    wasted = 12 * leaf["conditional"] + 20 * leaf["indirect"] + 40 * leaf["clears"]
    recovery = 3 * leaf["conditional"] + 4 * leaf["indirect"] + 90 * leaf["clears"]
    icache, itlb = 12 * leaf["icache"], 40 * leaf["itlb"]
    silent = icache + itlb + leaf["resteers"]
    not_delivered = 4 * silent + leaf["decoder"] + leaf["op cache"]
    beyond_l2, beyond_l3 = 20 * leaf["l3"] + 80 * leaf["dram"], 80 * leaf["dram"]
    beyond_l1 = 6 * leaf["l2"] + beyond_l2
    loads_wait = leaf["l1"] + beyond_l1
    memory, core = loads_wait + leaf["stores"], leaf["divider"] + leaf["ports"]
    slots = retired + wasted + 4 * recovery + not_delivered + 4 * (memory + core)

    loads = part(leaf["accesses"], 0.68)
    conditional = part(leaf["branches"], 0.75)
    l1_misses = leaf["l2"] + leaf["l3"] + leaf["dram"]
    issued = retired + wasted
    from_op_cache = part(issued - leaf["microcoded"], _FROM_OP_CACHE[phase])
    dtlb = part(l1_misses, 0.12)
    prefetches = number(_PREFETCHED[phase] * leaf["dram"])
    reads = leaf["dram"] + prefetches
    counts = {
        "SYN_CYCLES": slots / 4,
        "SYN_INSTRUCTIONS": part(simple, 0.92) + part(leaf["microcoded"], 0.25),
        "SYN_SLOTS_RETIRED": retired,
        "SYN_SLOTS_ISSUED": issued,
        "SYN_RECOVERY_CYCLES": recovery,
        "SYN_SLOTS_NOT_DELIVERED": not_delivered,
        "SYN_SLOTS_BACKEND": 4 * (memory + core),
        "SYN_OPS_MICROCODED": leaf["microcoded"],
        "SYN_OPS_ARITHMETIC": leaf["arithmetic"],
        "SYN_OPS_LOADS": loads,
        "SYN_OPS_STORES": leaf["accesses"] - loads,
        "SYN_OPS_BRANCHES": leaf["branches"],
        "SYN_BRANCHES_CONDITIONAL": conditional,
        "SYN_BRANCHES_INDIRECT": part(leaf["branches"] - conditional, 0.6),
        "SYN_MISPREDICTED_CONDITIONAL": leaf["conditional"],
        "SYN_MISPREDICTED_INDIRECT": leaf["indirect"],
        "SYN_MACHINE_CLEARS": leaf["clears"],
        "SYN_CYCLES_NO_DELIVERY": silent,
        "SYN_STALLS_ICACHE": icache,
        "SYN_STALLS_ITLB": itlb,
        "SYN_SLOTS_LOST_DECODER": leaf["decoder"],
        "SYN_SLOTS_LOST_OP_CACHE": leaf["op cache"],
        "SYN_OPS_DECODED": issued - leaf["microcoded"] - from_op_cache,
        "SYN_OPS_FROM_OP_CACHE": from_op_cache,
        "SYN_STALLS_MEMORY": memory,
        "SYN_STALLS_CORE": core,
        "SYN_STALLS_LOADS": loads_wait,
        "SYN_STALLS_L1_MISS": beyond_l1,
        "SYN_STALLS_L2_MISS": beyond_l2,
        "SYN_STALLS_L3_MISS": beyond_l3,
        "SYN_STALLS_DIVIDER": leaf["divider"],
        "SYN_L1D_HITS": np.maximum(loads - l1_misses, 0),
        "SYN_L1D_MISSES": l1_misses,
        "SYN_L2_MISSES": leaf["l3"] + leaf["dram"],
        "SYN_L3_MISSES": leaf["dram"],
        "SYN_ICACHE_MISSES": leaf["icache"],
        "SYN_ITLB_MISSES": leaf["itlb"],
        "SYN_DTLB_MISSES": dtlb,
        "SYN_PAGE_WALK_CYCLES": 25 * (dtlb + leaf["itlb"]),
        "SYN_MEMORY_READS": reads,
        "SYN_MEMORY_WRITES": part(reads, 0.4),
        "SYN_PREFETCHES": prefetches,
        "SYN_PREFETCHES_USED": part(prefetches, _USED[phase]),
        "SYN_PAGE_FAULTS": number(_PAGE_FAULTS[phase] * slots / 4),
        "SYN_LOCKED_LOADS": number(_LOCKED_LOADS[phase] * slots / 4),
    }
    return {event: counts[event] for event in EVENTS}
