"""EAR's three strategies, vectorised: default thresholds, roofline, k-medoids; exactly as documented, or as a release does.

A signature that lacks a metric (NaN) has no class. Where a rule has no answer (0 / 0, a tie, a standard deviation of 0) its comparisons
are false and the class is MIX, as in EAR. Each `judge_...` gives classes and reasons; `classify_...` and `why_...` give one of the two.
Source: EAR documentation, "Classification"; EAR's src/library/api/clasify.c of 5.1.0 to 6.3.0 for the rules of the releases.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

import numpy as np
import pandas as pd

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ParameterError
from hemcore.headline import amount
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

# The share of a peak that the releases require; EAR 5.2 has none for the arithmetic's.
_SHARE_5_1, _SHARE_5_2 = 0.75, 0.6
_BLOCK = 65_536
P = ParamSpec("P")


@dataclass(frozen=True, eq=False)
class Judgement:
    """Which rows are CPU-bound and MEMORY-bound, which were measured, and the number of each row's reason in `texts`."""

    strategy: str
    cpu: Flags
    memory: Flags
    measured: Flags
    reason: np.ndarray
    texts: list[str]
    index: pd.Index

    @property
    def classes(self) -> pd.Series:
        """The class of each signature: categorical (CLASSES), named as the strategy, missing where a metric of the rule is."""
        return classes(self.cpu, self.memory, self.measured, self.index, self.strategy)

    @property
    def reasons(self) -> pd.Series:
        """The reason for each class, a sentence per row: categorical, missing where there is no class."""
        return sentences(self.reason, self.texts, self.measured, self.index, f"why {self.strategy}")


def judge_default(signatures: Signatures, thresholds: Thresholds, *, rules: Rules = "documentation") -> Judgement:
    """EAR's default thresholds on CPI and MEM_GBS, both of the node. No class where CPI or MEM_GBS is missing.

    rules: "documentation" compares with <= and >=; "5.1" and "5.2" with < and >, as the code does, and with limits that are C floats there:
    that of 0.4 is 0.4000000060, so that a CPI of 0.4 is below it. Raises TableError for missing columns,
    negative or infinite values, ParameterError for unknown rules.
    """
    check_rules(rules)
    (cpi, gbs), index = values_of(signatures, ("CPI", "MEM_GBS"))
    if rules == "documentation":
        low = cpi <= thresholds.cpu_cpi, gbs <= thresholds.cpu_gbs
        high = cpi >= thresholds.mem_cpi, gbs >= thresholds.mem_gbs
        below, above, not_below, not_above = "at most", "at least", "above", "below"
    else:
        cpu_cpi, cpu_gbs, mem_cpi, mem_gbs = (
            float(np.float32(limit)) for limit in (thresholds.cpu_cpi, thresholds.cpu_gbs, thresholds.mem_cpi, thresholds.mem_gbs)
        )
        low = cpi < cpu_cpi, gbs < cpu_gbs
        high = cpi > mem_cpi, gbs > mem_gbs
        below, above, not_below, not_above = "below", "above", "at least", "at most"
    cpu = low[0] & low[1]
    memory = high[0] & high[1] & ~cpu
    texts = [
        f"CPI {below} {thresholds.cpu_cpi:g} and MEM_GBS {below} {thresholds.cpu_gbs:g}",
        f"CPI {above} {thresholds.mem_cpi:g} and MEM_GBS {above} {thresholds.mem_gbs:g}",
    ]
    for case in range(16):
        not_cpu = _fails(not_below, (case & 1, thresholds.cpu_cpi), (case & 2, thresholds.cpu_gbs))
        not_memory = _fails(not_above, (case & 4, thresholds.mem_cpi), (case & 8, thresholds.mem_gbs))
        texts.append(f"not CPU-bound: {not_cpu}; not MEMORY-bound: {not_memory}")
    case = (2 + ~low[0] + 2 * ~low[1] + 4 * ~high[0] + 8 * ~high[1]).astype(np.int8)
    reason = np.where(cpu, 0, np.where(memory, 1, case))
    return Judgement("default", cpu, memory, ~(np.isnan(cpi) | np.isnan(gbs)), reason, texts, index)


def judge_roofline(
    signatures: Signatures,
    peaks: Peaks,
    *,
    bandwidth_share: float = 0.75,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> Judgement:
    """The roofline: CPU-bound right of the ridge point, else MEMORY-bound near the peak bandwidth. No class without GFLOPS or MEM_GBS.

    GFLOPS with a MEM_GBS of 0 is an infinite intensity, CPU-bound; if both are 0 the class is MIX.
    rules: "documentation" requires MEM_GBS >= bandwidth_share x peak of the node. The releases divide GFLOPS and MEM_GBS by `n_cpus`
        (default: peaks.n_cpus) and compare that with the peaks of the node: "5.1" requires 0.75 of either peak, "5.2" 0.6 of the
        bandwidth's alone; they do not read bandwidth_share.
    Raises TableError for missing columns, negative or infinite values, ParameterError for unknown rules, a share outside 0 to 1 or no
    n_cpus.
    """
    check_rules(rules)
    if not 0 < bandwidth_share <= 1:
        raise ParameterError(f"bandwidth_share: {bandwidth_share!r} must be above 0 and at most 1, a share of the peak bandwidth.")
    (gflops, gbs), index = values_of(signatures, ("GFLOPS", "MEM_GBS"))
    cpus = cpus_of(peaks.n_cpus if n_cpus is None else n_cpus, rules)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        right = gflops / gbs >= peaks.ridge
    share = {"documentation": bandwidth_share, "5.1": _SHARE_5_1, "5.2": _SHARE_5_2}[rules]
    if rules == "documentation":
        near = gbs >= peaks.gbs * share
        full = np.ones(len(gbs), dtype=bool)
        limit = f"MEM_GBS {{}} {amount(peaks.gbs * share, 6)} ({amount(share, 4)} of {amount(peaks.gbs, 6)})"
    else:
        near = (gbs / cpus) / peaks.gbs >= share
        full = (gflops / cpus) / peaks.gflops >= share if rules == "5.1" else np.ones(len(gbs), dtype=bool)
        limit = f"MEM_GBS per CPU {{}} {share:g} of the peak {amount(peaks.gbs, 6)}"
    ridge = f"the ridge point, {amount(peaks.ridge, 4)} FLOP/byte"
    texts = [
        f"right of {ridge}" + (f", and GFLOPS per CPU at least {share:g} of the peak {amount(peaks.gflops, 6)}" if rules == "5.1" else ""),
        f"left of {ridge}; {limit.format('at least')}",
        f"left of {ridge}; {limit.format('below')}",
        f"right of {ridge}, but GFLOPS per CPU below {share:g} of the peak {amount(peaks.gflops, 6)}",
        "neither GFLOPS nor MEM_GBS: no intensity",
    ]
    reason = np.where(right, np.where(full, 0, 3), np.where(near, 1, np.where((gflops == 0) & (gbs == 0), 4, 2)))
    return Judgement("roofline", right & full, ~right & near, ~(np.isnan(gflops) | np.isnan(gbs)), reason, texts, index)


def judge_kmedoids(
    signatures: Signatures,
    medoids: Medoids,
    extremes: Extremes,
    *,
    rules: Rules = "documentation",
    n_cpus: int | None = None,
) -> Judgement:
    """The nearest of three medoids in standardised units; a tie is MIX. No class where one of the four metrics is missing.

    rules: "documentation" standardises the values of the node; the releases divide each of the four, CPI and TPI too, by `n_cpus` first.
    A standard deviation of 0 gives no distance: all are MIX. Raises TableError for missing columns, negative or infinite values,
    ParameterError for unknown rules or no n_cpus.
    """
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
    texts = [f"nearest to the {name} medoid" for name in CLASSES]
    texts += ["as near to one medoid as to another", "no distance: a standard deviation is 0, or a metric far too large"]
    reason = np.where(nearest.any(axis=1), nearest.argmax(axis=1), np.where(known, 3, 4))
    return Judgement("k-medoids", nearest[:, 0], nearest[:, 1], measured, reason, texts, index)


def _classes_by(judge: Callable[P, Judgement]) -> Callable[P, pd.Series]:
    def classify(*args: P.args, **kwargs: P.kwargs) -> pd.Series:
        return judge(*args, **kwargs).classes

    classify.__doc__ = judge.__doc__
    return classify


def _reasons_by(judge: Callable[P, Judgement]) -> Callable[P, pd.Series]:
    def why(*args: P.args, **kwargs: P.kwargs) -> pd.Series:
        return judge(*args, **kwargs).reasons

    why.__doc__ = judge.__doc__
    return why


classify_default, why_default = _classes_by(judge_default), _reasons_by(judge_default)
classify_roofline, why_roofline = _classes_by(judge_roofline), _reasons_by(judge_roofline)
classify_kmedoids, why_kmedoids = _classes_by(judge_kmedoids), _reasons_by(judge_kmedoids)


def _fails(side: str, cpi: tuple[int, float], gbs: tuple[int, float]) -> str:
    parts = [f"{name} {side} {limit:g}" for name, (fails, limit) in (("CPI", cpi), ("MEM_GBS", gbs)) if fails]
    return " and ".join(parts)


def _distances(columns: list[Floats], medoids: Floats, extremes: Extremes, cpus: float) -> list[Floats]:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        units = [
            (column / cpus - mean) / std if cpus != 1 else (column - mean) / std
            for column, mean, std in zip(columns, extremes.mean, extremes.std, strict=True)
        ]
        return [np.sqrt(sum((unit - place) ** 2 for unit, place in zip(units, medoid, strict=True))) for medoid in medoids]
