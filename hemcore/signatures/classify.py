"""EAR's three strategies, vectorised: default thresholds, roofline, k-medoids; to the letter of its documentation, or as a release does.

A signature of which a metric was not measured (NaN) has no class. Where a rule has no answer (0 / 0, a tie, a standard deviation of 0)
its comparisons are false and the class is MIX, as in EAR. `why_...` gives the reason of each row in words.
Source: document 004, Classification strategies; EAR's src/library/api/clasify.c of 5.1.0 to 6.3.0 for the releases' rules.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ParameterError
from hemcore.signatures.class_rules import (
    CLASSES,
    Flags,
    Floats,
    Rules,
    Signatures,
    check_rules,
    classes,
    cpus_of,
    sentences,
    values_of,
)
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.ear.machines import Peaks, Thresholds

# The share of a peak that the releases ask for; EAR 5.2 has none for the CPU's.
_SHARE_5_1, _SHARE_5_2 = 0.75, 0.6
_BLOCK = 65_536


@dataclass(frozen=True)
class _Verdicts:
    """Which rows are CPU-bound and MEMORY-bound, which were measured, and the number of each row's reason in `words`."""

    cpu: Flags
    memory: Flags
    measured: Flags
    reason: np.ndarray
    words: list[str]
    index: pd.Index


def classify_default(signatures: Signatures, thresholds: Thresholds, *, rules: Rules = "documentation") -> pd.Series:
    """The class of each signature by EAR's default thresholds on CPI and MEM_GBS, both of the node.

    Returns a categorical Series of CLASSES named "default", index as the signatures'; missing where CPI or MEM_GBS is.
    rules: "documentation" compares with <= and >=; "5.1" and "5.2" with < and >, as the code does. Raises TableError for missing,
    negative or infinite values, ParameterError for unknown rules.
    """
    found = _default(signatures, thresholds, rules)
    return classes(found.cpu, found.memory, found.measured, found.index, "default")


def why_default(signatures: Signatures, thresholds: Thresholds, *, rules: Rules = "documentation") -> pd.Series:
    """Why `classify_default` says so, a sentence a row (categorical, missing where there is no class). Raises as it does."""
    return _why(_default(signatures, thresholds, rules), "why default")


def judge_default(signatures: Signatures, thresholds: Thresholds, *, rules: Rules = "documentation") -> tuple[pd.Series, pd.Series]:
    """`classify_default` and `why_default` in one pass."""
    return _judged(_default(signatures, thresholds, rules), "default")


def classify_roofline(
    signatures: Signatures,
    peaks: Peaks,
    *,
    bandwidth_share: float = 0.75,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> pd.Series:
    """The class of each signature by the roofline: CPU-bound right of the ridge point, else MEMORY-bound near the bandwidth's peak.

    Returns a categorical Series of CLASSES named "roofline", index as the signatures'; missing where GFLOPS or MEM_GBS is. GFLOPS over no
    MEM_GBS is an intensity without end, CPU-bound; none of both is MIX.
    rules: "documentation" asks MEM_GBS >= bandwidth_share x peak of the node. The releases divide GFLOPS and MEM_GBS by `n_cpus`
        (default: peaks.n_cpus) and compare that with the peaks as they stand: "5.1" asks for 0.75 of either peak, "5.2" for 0.6 of the
        bandwidth's alone; they do not read bandwidth_share.
    Raises TableError for missing, negative or infinite values, ParameterError for unknown rules, a share outside 0 to 1 or no n_cpus.
    """
    found = _roofline(signatures, peaks, bandwidth_share, rules, n_cpus)
    return classes(found.cpu, found.memory, found.measured, found.index, "roofline")


def why_roofline(
    signatures: Signatures,
    peaks: Peaks,
    *,
    bandwidth_share: float = 0.75,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> pd.Series:
    """Why `classify_roofline` says so, a sentence a row (categorical, missing where there is no class). Raises as it does."""
    return _why(_roofline(signatures, peaks, bandwidth_share, rules, n_cpus), "why roofline")


def judge_roofline(
    signatures: Signatures, peaks: Peaks, *, bandwidth_share: float = 0.75, rules: Rules = "documentation", n_cpus: int | None = None
) -> tuple[pd.Series, pd.Series]:
    """`classify_roofline` and `why_roofline` in one pass."""
    return _judged(_roofline(signatures, peaks, bandwidth_share, rules, n_cpus), "roofline")


def classify_kmedoids(
    signatures: Signatures,
    medoids: Medoids,
    extremes: Extremes,
    *,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> pd.Series:
    """The class of each signature by the nearest of three medoids in standardised units; a tie is MIX.

    Returns a categorical Series of CLASSES named "k-medoids", index as the signatures'; missing where one of the four metrics is.
    rules: "documentation" standardises the node's values; the releases divide each of the four, CPI and TPI too, by `n_cpus` first.
    A standard deviation of 0 gives no distance: all are MIX. Raises TableError for missing, negative or infinite values, ParameterError
    for unknown rules or no n_cpus.
    """
    found = _nearest(signatures, medoids, extremes, rules, n_cpus)
    return classes(found.cpu, found.memory, found.measured, found.index, "k-medoids")


def why_kmedoids(
    signatures: Signatures,
    medoids: Medoids,
    extremes: Extremes,
    *,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> pd.Series:
    """Why `classify_kmedoids` says so, a sentence a row (categorical, missing where there is no class). Raises as it does."""
    return _why(_nearest(signatures, medoids, extremes, rules, n_cpus), "why k-medoids")


def judge_kmedoids(
    signatures: Signatures, medoids: Medoids, extremes: Extremes, *, rules: Rules = "documentation", n_cpus: int | None = None
) -> tuple[pd.Series, pd.Series]:
    """`classify_kmedoids` and `why_kmedoids` in one pass."""
    return _judged(_nearest(signatures, medoids, extremes, rules, n_cpus), "k-medoids")


def _judged(found: _Verdicts, name: str) -> tuple[pd.Series, pd.Series]:
    return classes(found.cpu, found.memory, found.measured, found.index, name), _why(found, f"why {name}")


def _why(found: _Verdicts, name: str) -> pd.Series:
    return sentences(found.reason, found.words, found.measured, found.index, name)


def _default(signatures: Signatures, limits: Thresholds, rules: Rules) -> _Verdicts:
    check_rules(rules)
    (cpi, gbs), index = values_of(signatures, ("CPI", "MEM_GBS"))
    if rules == "documentation":
        low = cpi <= limits.cpu_cpi, gbs <= limits.cpu_gbs
        high = cpi >= limits.mem_cpi, gbs >= limits.mem_gbs
        below, above, not_below, not_above = "at most", "at least", "above", "below"
    else:
        low = cpi < limits.cpu_cpi, gbs < limits.cpu_gbs
        high = cpi > limits.mem_cpi, gbs > limits.mem_gbs
        below, above, not_below, not_above = "below", "above", "at least", "at most"
    cpu = low[0] & low[1]
    memory = high[0] & high[1] & ~cpu
    words = [
        f"CPI {below} {limits.cpu_cpi:g} and MEM_GBS {below} {limits.cpu_gbs:g}",
        f"CPI {above} {limits.mem_cpi:g} and MEM_GBS {above} {limits.mem_gbs:g}",
    ]
    for case in range(16):
        not_cpu = _fails(not_below, (case & 1, limits.cpu_cpi), (case & 2, limits.cpu_gbs))
        not_memory = _fails(not_above, (case & 4, limits.mem_cpi), (case & 8, limits.mem_gbs))
        words.append(f"not CPU-bound: {not_cpu}; not MEMORY-bound: {not_memory}")
    case = (2 + ~low[0] + 2 * ~low[1] + 4 * ~high[0] + 8 * ~high[1]).astype(np.int8)
    reason = np.where(cpu, 0, np.where(memory, 1, case))
    return _Verdicts(cpu, memory, ~(np.isnan(cpi) | np.isnan(gbs)), reason, words, index)


def _fails(side: str, cpi: tuple[int, float], gbs: tuple[int, float]) -> str:
    parts = [f"{name} {side} {limit:g}" for name, (fails, limit) in (("CPI", cpi), ("MEM_GBS", gbs)) if fails]
    return " and ".join(parts)


def _roofline(signatures: Signatures, peaks: Peaks, share: float, rules: Rules, n_cpus: int | None) -> _Verdicts:
    check_rules(rules)
    if not 0 < share <= 1:
        raise ParameterError(f"bandwidth_share: {share!r} must be above 0 and at most 1, a share of the peak bandwidth.")
    (gflops, gbs), index = values_of(signatures, ("GFLOPS", "MEM_GBS"))
    cpus = cpus_of(peaks.n_cpus if n_cpus is None else n_cpus, rules)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        right = gflops / gbs >= peaks.ridge
    if rules == "documentation":
        near = gbs >= peaks.gbs * share
        full = np.ones(len(gbs), dtype=bool)
        limit = f"MEM_GBS {{}} {peaks.gbs * share:,.6g} ({share:.4g} of {peaks.gbs:,.6g})"
    else:
        share = _SHARE_5_1 if rules == "5.1" else _SHARE_5_2
        near = (gbs / cpus) / peaks.gbs >= share
        full = (gflops / cpus) / peaks.gflops >= share if rules == "5.1" else np.ones(len(gbs), dtype=bool)
        limit = f"MEM_GBS a CPU {{}} {share:g} of the peak {peaks.gbs:,.6g}"
    ridge = f"the ridge point, {peaks.ridge:.4g} FLOP/byte"
    words = [
        f"right of {ridge}" + (f", and GFLOPS a CPU at least {share:g} of the peak {peaks.gflops:,.6g}" if rules == "5.1" else ""),
        f"left of {ridge}; {limit.format('at least')}",
        f"left of {ridge}; {limit.format('below')}",
        f"right of {ridge}, but GFLOPS a CPU below {share:g} of the peak {peaks.gflops:,.6g}",
        "neither GFLOPS nor MEM_GBS: no intensity",
    ]
    reason = np.where(right, np.where(full, 0, 3), np.where(near, 1, np.where((gflops == 0) & (gbs == 0), 4, 2)))
    return _Verdicts(right & full, ~right & near, ~(np.isnan(gflops) | np.isnan(gbs)), reason, words, index)


def _nearest(signatures: Signatures, medoids: Medoids, extremes: Extremes, rules: Rules, n_cpus: int | None) -> _Verdicts:
    check_rules(rules)
    columns, index = values_of(signatures, METRICS)
    cpus = cpus_of(n_cpus, rules)
    n = len(index)
    nearest = np.empty((n, 3), dtype=bool)
    known = np.ones(n, dtype=bool)
    # A block stays in the processor's cache: the arithmetic is EAR's own, difference by difference.
    for start in range(0, n, _BLOCK):
        block = slice(start, start + _BLOCK)
        d1, d2, d3 = _distances([column[block] for column in columns], medoids.z, extremes, cpus)
        nearest[block, 0] = (d1 < d2) & (d1 < d3)
        nearest[block, 1] = (d2 < d1) & (d2 < d3)
        nearest[block, 2] = (d3 < d1) & (d3 < d2)
        known[block] = np.isfinite(d1) & np.isfinite(d2) & np.isfinite(d3)
    measured = ~np.logical_or.reduce([np.isnan(column) for column in columns])
    words = [f"nearest to the {name} medoid" for name in CLASSES]
    words += ["as near to one medoid as to another", "no distance: a standard deviation is 0, or a metric far too large"]
    reason = np.where(nearest.any(axis=1), nearest.argmax(axis=1), np.where(known, 3, 4))
    return _Verdicts(nearest[:, 0], nearest[:, 1], measured, reason, words, index)


def _distances(columns: list[Floats], medoids: Floats, extremes: Extremes, cpus: float) -> list[Floats]:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        units = [
            (column / cpus - mean) / std if cpus != 1 else (column - mean) / std
            for column, mean, std in zip(columns, extremes.mean, extremes.std, strict=True)
        ]
        return [np.sqrt(sum((unit - place) ** 2 for unit, place in zip(units, medoid, strict=True))) for medoid in medoids]
