"""Identities checked where they were not found: which counts contradict the others, by what factor, and the likely reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, log2

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from hemcore.compare.contradictions.identity_search import FEWEST_RUNS, LinearIdentity, linear_identities
from hemcore.compare.run_sets import Compared, RunGroup, RunSet, run_set_of
from hemcore.errors import ParameterError
from hemcore.headline import percent

Floats = NDArray[np.float64]
COLUMNS = ("identity", "found_in", "checked_in", "holds", "hem", "factor", "low", "high", "probability", "reason", "sentence")
# Within one group of runs, an identity is broken where its mean is this many times further from 0 than where it was found, at least.
_TIMES = 6.0
_LEAST = 1e-3
_WRAPS = (2.0**32, 2.0**40, 2.0**48)


@dataclass(frozen=True, kw_only=True, eq=False)
class Contradictions:
    """table: one row per identity and check, broken ones first, with the columns of `identities`; empty if there is no identity."""

    table: pd.DataFrame


@dataclass(frozen=True, kw_only=True)
class _Group:
    """The runs of one subexperiment or program of one set. name: as a sentence says it."""

    set_number: int
    name: str
    runs: RunGroup


def identities(*tables: Compared, names: Sequence[str] = (), declared: Sequence[LinearIdentity] = (), rate: float = 0.005) -> pd.DataFrame:
    """The linear identities that the counts of `tables` show, and whether every group of runs keeps them: one row per identity and check.

    tables: one table or several sets of runs of one kind. names: what sets are called; default "set 1" and so on. declared: identities
    that must hold wherever their HEMs were read together, found or not. rate: the chance of a false contradiction in clean
    tables, over all checks together, where counts of different runs are compared (0 to 0.5).

    Columns: identity ("accesses = loads + stores", or "cycles = cycles" for one HEM read in several subexperiments); found_in; checked_in
    ("" if no other runs read these HEMs together); holds; hem: the HEM whose scale explains it best, "" if it holds; factor: by which its
    counts differ, low to high (where it holds: how near to 1 it is; NaN if nothing was checked); probability: that chance alone goes this
    far (NaN within one run, where nothing is left to chance); reason: the likely one; sentence. Empty if there is no identity. Raises
    ParameterError if `rate` is outside its bounds or names do not fit, TableError for a table without runs.

    HEMs of one run are held against each other run by run; HEMs that were read in different runs by their means, within one set and
    program only. The idea that counts must agree with one another is CounterPoint's (N. Lindsay et al., 2026, arXiv 2601.01265).
    """
    if not 0 < rate <= 0.5:
        raise ParameterError(
            f"rate: {rate} is not between 0 and 0.5. Give the accepted chance of a false contradiction, for example 0.005."
        )
    if names and len(names) != len(tables):
        raise ParameterError(f"names: {len(names)} names for {len(tables)} tables. Give one name per table, or none.")
    called = list(names) or [f"set {number}" if len(tables) > 1 else "" for number in range(1, len(tables) + 1)]
    return contradictions_of([run_set_of(table) for table in tables], called, declared=declared, rate=rate).table


def contradictions_of(
    run_sets: Sequence[RunSet], names: Sequence[str], *, declared: Sequence[LinearIdentity] = (), rate: float = 0.005
) -> Contradictions:
    """The checks of `identities` of sets of runs that are called `names`."""
    groups = [
        _Group(set_number=number, name=_said(name, group, len(run_set.groups)), runs=group)
        for number, (run_set, name) in enumerate(zip(run_sets, names, strict=True))
        for group in run_set.groups
    ]
    rows = list(_within_runs(groups, declared))
    broken = {(str(row["hem"]), str(row["checked_in"])) for row in rows if not row["holds"]}
    rows += _of_repeated_hems(groups, rate, broken)
    table = pd.DataFrame(rows, columns=list(COLUMNS)).astype({"holds": bool})
    return Contradictions(table=table.sort_values("holds", kind="stable", ignore_index=True))


def _said(set_name: str, group: RunGroup, n: int) -> str:
    parts = [each for each in (set_name, group.program, group.label if n > 1 or not (set_name or group.program) else "") if each]
    return ", ".join(parts) or "all runs"


def _within_runs(groups: Sequence[_Group], declared: Sequence[LinearIdentity]) -> Iterator[dict[str, object]]:
    """Checks of HEMs that were read in the same runs."""
    surest: dict[frozenset[str], tuple[LinearIdentity, _Group | None]] = {frozenset(each.hems): (each, None) for each in declared}
    for group in groups:
        for identity in linear_identities(group.runs.counts):
            known, found_in = surest.setdefault(frozenset(identity.hems), (identity, group))
            if found_in is not None and identity.share < known.share:
                surest[frozenset(identity.hems)] = (identity, group)
    for identity, found_in in surest.values():
        of = "declared" if found_in is None else found_in.name
        rows = [
            _checked(identity, of, group.name, parts) for group in groups if group is not found_in and len(parts := _read(identity, group))
        ]
        yield from rows or [
            _row(identity, of, "", f"{identity} holds in {of}." if found_in else f"{identity}: no runs read these HEMs together.")
        ]


def _read(identity: LinearIdentity, group: _Group) -> Floats:
    """The terms of `identity` in the runs of `group`; none if it does not read them all, in enough runs, above 0."""
    if not set(identity.hems) <= set(group.runs.counts.columns):
        return np.empty((0, 0))
    parts = identity.parts(group.runs.counts)
    return parts if len(parts) >= FEWEST_RUNS and np.abs(parts.mean(axis=0)).min() > 0 else parts[:0]


def _row(identity: LinearIdentity, found_in: str, checked_in: str, sentence: str) -> dict[str, object]:
    """The row of an identity that holds."""
    row: dict[str, object] = {"identity": str(identity), "found_in": found_in, "checked_in": checked_in, "holds": True, "hem": ""}
    return row | {"factor": np.nan, "low": np.nan, "high": np.nan, "probability": np.nan, "reason": "", "sentence": sentence}


def _checked(identity: LinearIdentity, found_in: str, checked_in: str, parts: Floats) -> dict[str, object]:
    sums = parts.sum(axis=1)
    off = abs(float(sums.mean())) / float(np.abs(parts.mean(axis=0)).min())
    place, scale, left = _scaled(parts)
    hem, factor = identity.hems[place], 1 / scale
    wide = 2 * left / max(float(np.abs(parts[:, place]).mean()), 1e-300) / max(len(parts), 1) ** 0.5
    ends = {"factor": factor, "low": factor * (1 - wide), "high": factor * (1 + wide)}
    if off <= max(_TIMES * identity.share, _LEAST) or abs(float(sums.mean())) <= 1:
        return _row(identity, found_in, checked_in, f"{identity} holds in {checked_in}.") | ends
    reason = _reason(factor, parts, place, sums)
    sentence = f"{identity} does not hold in {checked_in}: {hem} counts {_times(factor)} than the others imply. {reason}"
    return _row(identity, found_in, checked_in, sentence) | ends | {"holds": False, "hem": hem, "reason": reason}


def _scaled(parts: Floats) -> tuple[int, float, float]:
    """The term that, scaled, brings the sum nearest to 0 in every run; that scale; what remains, as a root mean square."""
    best = (0, 1.0, np.inf)
    for place in range(parts.shape[1]):
        own, rest = parts[:, place], parts.sum(axis=1) - parts[:, place]
        scale = -float(own @ rest) / float(own @ own)
        left = float(np.sqrt(((rest + scale * own) ** 2).mean()))
        if scale > 0 and left < best[2] * (1 - 1e-9):
            best = (place, scale, left)
    return best


def _of_repeated_hems(groups: Sequence[_Group], rate: float, broken: set[tuple[str, str]]) -> list[dict[str, object]]:
    """Checks of the means of one HEM in subexperiments of one set and program. broken: (HEM, group) pairs that are known already."""
    asked: list[tuple[str, _Group, list[_Group]]] = []
    for group in groups:
        peers = [
            each for each in groups if each is not group and (each.set_number, each.runs.program) == (group.set_number, group.runs.program)
        ]
        for hem in group.runs.counts.columns:
            others = [each for each in peers if _known(each, hem) is not None]
            if others and _known(group, hem) is not None:
                asked.append((str(hem), group, others))
    each_rate = rate / max(len(asked), 1)
    checks = [(hem, group, _of_means(group, others, hem, each_rate)) for hem, group, others in asked]
    rows = []
    for hem, group, (gap, low, high, probability) in checks:
        row: dict[str, object] = {"identity": f"{hem} = {hem}", "found_in": "the other subexperiments", "checked_in": group.name}
        holds = (
            probability > each_rate
            or abs(gap - 1) < _LEAST
            or (hem, group.name) in broken
            # Of two that disagree, the one further from all the others is named.
            or any(name == hem and rival is not group and of_rival[3] < probability for name, rival, of_rival in checks)
        )
        row |= {"holds": holds, "hem": "" if holds else hem, "probability": probability, "factor": gap, "low": low, "high": high}
        if holds:
            rows.append(row | {"reason": "", "sentence": f"{hem} counts the same in {group.name} as in the other subexperiments."})
            continue
        reason = _reason_of_factor(gap)
        rows.append(row | {"reason": reason, "sentence": f"{hem} counts {_times(gap)} in {group.name} than elsewhere. {reason}"})
    return rows


def _known(group: _Group, hem: object) -> Floats | None:
    """The counts of `hem`, if there are enough and they are not all 0."""
    if hem not in group.runs.counts.columns:
        return None
    values = group.runs.counts[hem].dropna().to_numpy(dtype=float)
    return values if len(values) >= FEWEST_RUNS and values.mean() > 0 else None


def _of_means(group: _Group, others: Sequence[_Group], hem: str, rate: float) -> tuple[float, float, float, float]:
    """The ratio of the mean of `group` to the mean of the others' means, its interval at 1 - rate, and the probability of chance."""
    own = _known(group, hem)
    rest = [values for each in others if (values := _known(each, hem)) is not None]
    assert own is not None
    logs = log(float(own.mean())) - float(np.mean([log(float(values.mean())) for values in rest]))
    # Means of subexperiments differ by more than their runs tell, so their own scatter counts where there are several.
    errors = [_error(own), *(_error(values) / len(rest) for values in rest)]
    error = float(np.sqrt(np.square(errors).sum()))
    among = float(np.std([log(float(values.mean())) for values in rest], ddof=1)) if len(rest) > 2 else 0.0
    error = max(error, among * (1 + 1 / len(rest)) ** 0.5)
    if error <= 0:
        return float(np.exp(logs)), float(np.exp(logs)), float(np.exp(logs)), 1.0 if abs(logs) < _LEAST else 0.0
    freedom = min(len(own), *(len(values) for values in rest)) - 1 if among <= 0 or error > among else len(rest) - 1
    probability = 2 * float(stdtr(freedom, -abs(logs) / error))
    wide = -float(stdtrit(freedom, rate / 2)) * error
    return float(np.exp(logs)), float(np.exp(logs - wide)), float(np.exp(logs + wide)), probability


def _error(values: Floats) -> float:
    """The standard error of the mean, as a share of it; runs that follow each other count as fewer than they are."""
    n = len(values)
    rest = values - values.mean()
    total = float(rest @ rest)
    if total <= 0:
        return 0.0
    found = float(rest[1:] @ rest[:-1]) / total
    # Few runs show less autocorrelation than there is: (1 + 3 r) / n less (F. H. C. Marriott, J. A. Pope 1954, Biometrika 41).
    alike = min(max(found + (1 + 3 * found) / n, 0.0), 0.9) if n > 1 else 0.0
    fewer = (1 + alike) / (1 - alike)
    return float(np.sqrt(total / (n - 1) / n * fewer) / values.mean())


def _times(factor: float) -> str:
    if 0.5 < factor < 2:
        return f"{percent(abs(factor - 1), 1)} {'more' if factor > 1 else 'less'}"
    return f"{factor:.3g} times more" if factor > 1 else f"{1 / factor:.3g} times less"


def _reason(factor: float, parts: Floats, place: int, sums: Floats) -> str:
    jumps = np.abs(sums) / np.asarray(_WRAPS)[:, None]
    wrapped = (np.abs(jumps - np.round(jumps)) < 0.01) & (np.round(jumps) > 0)
    if wrapped.any(axis=1).any() and np.abs(sums).max() > 0:
        return "Likely reason: the counter wrapped around in some runs."
    own = np.abs(parts[:, place])
    ratio = (own - np.sign(parts[:, place]) * sums) / own
    if float(ratio.std()) > 0.25 * abs(float(ratio.mean()) - 1):
        return "Likely reason: the counts were multiplexed and scaled up; the factor differs from run to run."
    return _reason_of_factor(factor)


def _reason_of_factor(factor: float) -> str:
    size = max(factor, 1 / factor)
    if abs(log2(size) - round(log2(size))) < 0.005 and size > 1.5:
        return "Likely reason: another unit, shifted by a power of two, or threads missing."
    if any(abs(size / base - 1) < 0.005 for base in (10.0, 100.0, 1e3, 1e6, 1e9)):
        return "Likely reason: another unit, by a power of ten."
    if factor < 1 and any(abs(factor - (n - 1) / n) < 0.003 for n in range(2, 17)):
        n = next(n for n in range(2, 17) if abs(factor - (n - 1) / n) < 0.003)
        return f"Likely reason: one of {n} threads was not counted, or another clock."
    return "Likely reason: another clock, or another scaling of the counts."
