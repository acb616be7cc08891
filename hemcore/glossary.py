"""Definitions of technical terms and event names, each in one sentence.

`define` is for one name ("DTW-cost", "segments", "L2_MISSES"), `explain` for the names in a sentence. Page, report and notebook use the
same.
"""

import functools
import re
from dataclasses import dataclass

from hemcore.events.t2080 import T2080_EVENTS

_MERGING = "mergingTools vignette, Barcelona Supercomputing Center"
_MPX = "Wang et al., estimation of multiplexed hardware counters by deep learning"
_SEGMENTS = "Imtiaz et al. 2022, Automatic Segmentation of Resource Utilization Data, ONCON"
_THESIS = "Mahajan 2018, Learning Based Performance Prediction For Embedded Hardware, TU Chemnitz"
_EAR = "EAR's manual, Classification"
_CALLGRIND = "Valgrind's manual, Callgrind"
_PERF = "perf-list(1)"
_E6500 = "e6500 Core Reference Manual, NXP"


@dataclass(frozen=True, kw_only=True)
class Word:
    """A name, its group ("Merging"), its definition in one sentence, and where it is from; the source is empty where none is needed."""

    name: str
    group: str
    definition: str
    source: str = ""


def _group(group: str, source: str, words: dict[str, str], *, cited: frozenset[str] | None = None) -> list[Word]:
    return [
        Word(name=name, group=group, definition=definition, source=source if cited is None or name in cited else "")
        for name, definition in words.items()
    ]


_READING = {
    "HEM": "Hardware event monitor: one kind of event that a processor can count, such as cache misses or branches.",
    "PMC": "Performance monitoring counter: a register of the processor that counts one HEM at a time; there are only a few of them.",
    "run": "One execution of a program from start to end, with its counts.",
    "interval": "A short, equal part of a run, by time or by work done, for which each event has one count.",
    "load": "What else the machine does while a program is measured, such as another core that is busy.",
    "granularity": "How much of a program makes one phase, for example 1,000 basic blocks, one interval or the whole run.",
    "phase": "A part of a program's work in which it behaves alike, and for which counts are given together.",
    "CoV": "Coefficient of variation: the standard deviation divided by the mean, as a percentage.",
}
_MERGES = {
    "subexperiment": "A set of runs that read the same few HEMs together, no more of them than there are PMCs.",
    "anchor HEM": "The HEM that every subexperiment reads, whose order HRM uses to align the runs.",
    "dep_lvl": "Dependence level: HEMs whose correlation with an already kept HEM exceeds this are dropped from the merged table.",
    "HRM": "The merge around an anchor HEM: runs of different subexperiments go side by side by the order of the anchor's counts.",
    "MUCH": "The merge for all pairs: each HEM's readings are reordered to reproduce the correlations measured for each pair.",
}
_MULTIPLEXING = {
    "MPX": "Multiplexing: several events take turns on one counter, so each is counted in only some of the intervals.",
    "OCOE": "One counter, one event: each event has a counter of its own throughout, so every interval is counted; the truth for MPX.",
    "RA": "Relative accuracy: 1 minus the mean relative error of an interval's count; 1 is perfect, and it can be negative.",
    "DTW-cost": "The summed distance of two series along the best alignment that dynamic time warping finds; 0 means alike.",
}
_ACCURACY = {
    "virtual multiplexing": "Hiding slots of a series that was counted all the time, so the true count of each hidden slot is known.",
    "noise ceiling": "The score of perfect counts against another run of the same program: runs differ.",
    "hidden slot": "A time slot in which an event had no counter; its count must be estimated.",
    "CAM": "NeoMPX's continuous estimator: the mean of an exponential from one count to the next, in every slot between.",
    "DCAM": "NeoMPX's discrete estimator: an exponential from one count to the next, slot by slot.",
    "WA": "Weighted accuracy: 1 minus the summed absolute errors over the summed true counts, so large counts weigh more.",
}
_PHASES = {
    "segment": "A part of a run in which an event stays at one level.",
    "change point": "The first interval of a new segment; the start and the end of the run are not change points.",
    "threshold": "How much a further change point must reduce the residual error to be kept; higher means fewer segments.",
    "residual error": "The variation that the segments do not explain:"
    " the sum of their costs, without the penalty for the number of change points.",
    "rms": "Root mean square: the square root of the mean of the squares, the level of a segment.",
}
_AGREEMENT = {
    "covering": "How much each segment overlaps the one that fits it best in another segmentation, by length; 100% means identical.",
    "Hausdorff": "The largest distance from a change point of one segmentation to the nearest one of the other.",
    "precision": "The fraction of the change points found that are true.",
    "recall": "The fraction of the true change points that were found.",
    "true boundary": "Where the program really moved to another stage; known only if the data records it, as the bundled samples do.",
}
_SIGNATURES = {
    "signature": "The few rates that describe how a job uses its node, among them CPI, TPI, GFLOPS and MEM_GBS.",
    "CPI": "Cycles per instruction: high when the processor waits, often for memory.",
    "TPI": "Main memory traffic per instruction: EAR 5 and 6 give bytes, though its manual says transactions per instruction.",
    "GFLOPS": "Billions of floating-point operations per second.",
    "MEM_GBS": "Memory bandwidth in use: gigabytes read from and written to main memory per second.",
    "medoid": "The member of a group with the least total distance to the others; it represents the group.",
    "roofline": "The highest GFLOPS a node can reach at each operational intensity (operations per byte), limited by memory or arithmetic.",
    "ridge point": "The operational intensity at which the roofline becomes flat: below it memory is the limit, above it arithmetic.",
    "extremes": "Mean and standard deviation of each rate, which EAR uses to standardise signatures before comparing them with medoids.",
}
_PREDICTION = {
    "PCA": "Principal component analysis: it combines counters into a few directions along which the phases differ most.",
    "loading": "The weight of a counter in one direction of a PCA, from -1 to 1.",
    "Pearson's r": "How closely two counters follow a straight line, from -1 to 1; 0 means no linear relation.",
    "rank correlation": "Spearman's correlation: Pearson's r of the ranks, so any steadily increasing relation gives 1.",
    "Kendall's tau-b": "The fraction of pairs that two counters put in the same order,"
    " minus the fraction in opposite order, adjusted for ties.",
    "CLSLR": "Constrained locally sparse linear regression: each phase gets its own Lasso, fitted to the phases most similar to it.",
    "cost per event": "Non-negative costs per event that minimise the mean relative error, with equal weight for each program.",
    "Lasso": "A linear model with a penalty on the sum of its absolute costs, so some are exactly 0.",
    "Ridge": "A linear model with a penalty on the sum of its squared costs.",
    "boosting": "Many small decision trees, each fitted to the error of those before it.",
    "blend": "The geometric mean of the predictions of cost per event, boosting and CLSLR.",
    "jackknife+": "Prediction intervals from a model's errors on programs that it was not fitted to.",
    "k-medoids": "Divides items into k groups around one member each, the medoid, so that the distances to it are smallest.",
}
_SAMPLE_EVENTS = {
    "Ir": "Instructions executed.",
    "Dr": "Data reads.",
    "Dw": "Data writes.",
    "I1mr": "Misses of the first-level instruction cache.",
    "D1mr": "Read misses of the first-level data cache.",
    "D1mw": "Write misses of the first-level data cache.",
    "ILmr": "Misses of the last-level cache by instruction reads.",
    "DLmr": "Misses of the last-level cache by data reads.",
    "DLmw": "Misses of the last-level cache by data writes.",
    "Bc": "Conditional branches executed.",
    "Bcm": "Conditional branches that were mispredicted.",
    "Bi": "Indirect branches executed: jumps to an address that is computed.",
    "Bim": "Indirect branches that were mispredicted.",
}
_TICKS = {"CYCLES": "Duration in processor clock ticks; in the bundled samples, ticks of the time-stamp counter."}
_PERF_EVENTS = {
    "cpu-cycles": "Core clock cycles.",
    "cycles": "Core clock cycles.",
    "instructions": "Instructions retired.",
    "cache-references": "Accesses to the cache, usually the last level.",
    "cache-misses": "Cache misses, usually of the last level.",
    "branches": "Branches retired.",
    "branch-instructions": "Branches retired.",
    "branch-misses": "Branches that were mispredicted.",
    "bus-cycles": "Bus clock cycles.",
    "ref-cycles": "Cycles at a constant reference clock.",
    "stalled-cycles-frontend": "Cycles in which no instruction was delivered to execution.",
    "stalled-cycles-backend": "Cycles in which execution could take no instruction.",
    "L1-dcache-loads": "Loads that look up the first-level data cache.",
    "L1-dcache-load-misses": "Loads that miss the first-level data cache.",
    "L1-icache-load-misses": "Instruction fetches that miss the first-level instruction cache.",
    "LLC-loads": "Loads that look up the last-level cache.",
    "LLC-load-misses": "Loads that miss the last-level cache.",
    "dTLB-load-misses": "Loads whose address is not in the data translation buffer.",
    "iTLB-load-misses": "Instruction fetches whose address is not in the instruction translation buffer.",
    "page-faults": "Accesses to memory that needed the operating system.",
    "context-switches": "Times the operating system put another task on the core.",
    "task-clock": "Time that the task ran on a core.",
}

_WORDS = [
    *_group("Reading counters", _THESIS, _READING, cited=frozenset({"load", "granularity", "phase"})),
    *_group("Merging", _MERGING, _MERGES),
    *_group("Multiplexing", _MPX, _MULTIPLEXING),
    *_group("Multiplexing", "", _ACCURACY),
    *_group("Segmentation", _SEGMENTS, _PHASES),
    *_group("Segmentation", "", _AGREEMENT),
    *_group("Signatures", _EAR, _SIGNATURES),
    *_group("Prediction", _THESIS, _PREDICTION, cited=frozenset({"PCA", "Pearson's r"})),
]
_EVENTS = [
    *_group("Events of the samples", _CALLGRIND, _SAMPLE_EVENTS),
    *_group("Events of the samples", "sample_data/README.md", _TICKS),
    *_group("perf events", _PERF, _PERF_EVENTS),
    *(
        Word(
            name=name,
            group="NXP e6500 (T2080)",
            definition=f"{name.replace('_', ' ').capitalize()}; event {code} of the NXP e6500.",
            source=_E6500,
        )
        for code, name in T2080_EVENTS.items()
    ),
]
GLOSSARY: dict[str, Word] = {word.name: word for word in (*_WORDS, *_EVENTS)}
# What else a name goes by, in words that are looked up and found in sentences like the name itself.
_ALSO = {
    "hardware event monitor": "HEM",
    "performance monitoring counter": "PMC",
    "multiplexing": "MPX",
    "anchor": "anchor HEM",
    "relative accuracy": "RA",
    "weighted accuracy": "WA",
    "optimal threshold": "threshold",
    "residual": "residual error",
    "true boundaries": "true boundary",
    "principal component": "PCA",
    "Spearman's rank correlation": "rank correlation",
}


def define(term: str) -> str | None:
    """The one-sentence definition of `term`; None where it is not known.

    Case is passed over where only one name fits ("hem", but not "Cycles", which CYCLES and cycles both are), and so is the plural.
    """
    name = _name_of(term)
    return None if name is None else GLOSSARY[name].definition


def define_event(name: str) -> str | None:
    """As `define`, of the names of events alone, as they are written: a dataset's own "load" or "run" is no word of the field."""
    word = GLOSSARY.get(name)
    return word.definition if word is not None and word.name in _event_names() else None


def explain(text: str) -> list[tuple[str, str]]:
    """The names that `text` uses, each once in the order of its first use, with their definitions; empty where it uses none.

    Words are found whatever their case and in the plural, abbreviations and events only as they are written, and of perf's events those
    that no sentence uses by chance ("branch-misses", but not "cycles").
    """
    found: dict[str, str] = {}
    for match in _in_sentences().finditer(text):
        name = _name_of(match[0])
        if name is not None:
            found.setdefault(name, GLOSSARY[name].definition)
    return list(found.items())


def _name_of(term: str) -> str | None:
    asked = " ".join(term.split())
    for form in (asked, *_singular(asked)):
        if form in GLOSSARY:
            return form
        fitting = _by_lower_case().get(form.lower(), ())
        if len(fitting) == 1:
            return fitting[0]
    return None


def _singular(term: str) -> list[str]:
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    return [term.removesuffix(end) + single for end, single in endings if term.endswith(end) and len(term) > len(end) + 1]


@functools.cache
def _event_names() -> frozenset[str]:
    return frozenset(word.name for word in _EVENTS)


@functools.cache
def _by_lower_case() -> dict[str, tuple[str, ...]]:
    """Names by how they are written in small letters: more than one where the case tells them apart."""
    names: dict[str, tuple[str, ...]] = {}
    for written, name in [*((name, name) for name in GLOSSARY), *_ALSO.items()]:
        names[written.lower()] = (*names.get(written.lower(), ()), name)
    return names


@functools.cache
def _in_sentences() -> re.Pattern[str]:
    events = {word.name for word in _EVENTS if word.group != "perf events" or "-" in word.name}
    as_written = events | {word.name for word in _WORDS if word.name != word.name.lower() and not word.name.istitle()}
    in_any_case = {word.name for word in _WORDS} - as_written | set(_ALSO)
    exact = "|".join(re.escape(name) for name in sorted(as_written, key=len, reverse=True))
    loose = "|".join(rf"{re.escape(name)}(?:s|es)?" for name in sorted(in_any_case, key=len, reverse=True))
    # The anchor HEM is both: a word and an abbreviation, so it goes first, in any case.
    return re.compile(rf"(?<![\w-])(?:(?i:anchor HEMs?|{loose})|(?:{exact})s?)(?![\w-])")
