"""What a comparison rests on: each HEM's change over all groups, its error, and how far chance moves it.

Changes of groups of one program are averaged with the numbers of their runs as weights, those of programs with equal weights. From five
programs on, the interval is over programs (Student's t of their changes), so it holds for programs like these; of fewer, over runs.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import binom, ndtr, ndtri, stdtr, stdtrit

from hemcore.compare.group_changes import GroupChange, is_relative, of_means
from hemcore.compare.group_matching import MatchedGroup, matched_groups
from hemcore.compare.medians import is_relative_median, of_medians
from hemcore.compare.order_notes import order_sentences
from hemcore.compare.params import CompareParams
from hemcore.compare.permuted import DRAWS
from hemcore.compare.results import Replicates
from hemcore.compare.run_sets import RunSet
from hemcore.errors import TableError

Floats = NDArray[np.float64]
# From so many programs on, intervals are over programs.
FEWEST_PROGRAMS = 5
# Draws beyond a statistic below which its probability is read off Student's t, joined to the draws where so many are beyond.
_TAIL = 10
# The least probability is one in so many exchanges of runs: nothing is surer.
_MOST_WAYS = 1e15


def replicates_of(before: RunSet, after: RunSet, params: CompareParams, *, halves: bool = False) -> Replicates:
    """The replicates of two sets. Raises TableError as `matched_groups` does, and if every HEM was counted in one run only of a set."""
    groups = matched_groups(before, after, paired=params.paired)
    programs = list(dict.fromkeys(group.program for group in groups))
    over = "programs" if len(programs) >= FEWEST_PROGRAMS else "runs"
    found = _by_hem(groups, params)
    rows, draws = [], []
    for hem, parts in found.items():
        row, drawn = _over_programs(parts) if over == "programs" else _over_runs(parts)
        rows.append({"hem": hem, "measure": "relative" if parts[0].relative else "difference"} | row | _described(parts))
        draws.append(drawn)
    frame = pd.DataFrame(rows)
    if not len(frame):
        raise TableError("compare: no HEM was counted in both sets. Choose other datasets.")
    if not frame["error"].notna().any():
        fewest = min(int(frame[["runs_before", "runs_after"]].min().min()), 1)
        raise TableError(f"compare: {fewest} run of each HEM in a set; its noise is unknown. Give at least two runs of each set.")
    lacking = [hem for hem in after.hems if hem not in found]
    return Replicates(
        rows=frame,
        draws=np.column_stack(draws),
        over=over,
        programs=len(programs),
        halves=halves,
        notes=order_sentences(found, before, after, lacking),
        params=params,
    )


def _by_hem(groups: Sequence[MatchedGroup], params: CompareParams) -> Mapping[str, list[GroupChange]]:
    relative = _relative_hems(groups, params)
    found: dict[str, list[GroupChange]] = {hem: [] for hem in relative}
    for number, group in enumerate(groups):
        asked = [relative[hem] for hem in group.hems]
        changes_of = of_medians if params.statistic == "median" else of_means
        changes = changes_of(group, asked, np.random.default_rng([params.seed, number]), paired=params.paired)
        for hem, change in changes:
            found[hem].append(change)
    return {hem: parts for hem, parts in found.items() if parts}


def _relative_hems(groups: Sequence[MatchedGroup], params: CompareParams) -> dict[str, bool]:
    """By HEM, whether its change is a ratio in every group."""
    found: dict[str, bool] = {}
    for group in groups:
        for place, hem in enumerate(group.hems):
            sides = group.before[:, place], group.after[:, place]
            if not all(np.isfinite(each).any() for each in sides):
                found.setdefault(hem, True)
                continue
            fits = is_relative_median(*sides, paired=params.paired) if params.statistic == "median" else is_relative(*sides)
            found[hem] = found.get(hem, True) and fits
    return found


def _described(parts: Sequence[GroupChange]) -> dict[str, object]:
    weights = np.array([part.weight for part in parts])
    weights = weights / weights.sum()
    means = [[part.before, part.after, part.effect] for part in parts]
    before, after, effect = (weights[:, None] * np.array(means)).sum(axis=0)
    orders = [order for part in parts for order in part.orders]
    return {
        "effect": effect,
        "before": before,
        "after": after,
        "runs_before": sum(part.runs[0] for part in parts),
        "runs_after": sum(part.runs[1] for part in parts),
        "block": max(part.block for part in parts),
        "drift": max((order.drift for order in orders), key=abs),
        "autocorrelation": max((order.autocorrelation for order in orders), key=abs),
        "warm_up": max(order.warm_up for order in orders),
    }


def _weights(parts: Sequence[GroupChange]) -> Floats:
    """Of each group: its share of its program's runs, divided by the number of programs; the sum is 1."""
    programs = list(dict.fromkeys(part.program for part in parts))
    totals = {program: sum(part.weight for part in parts if part.program == program) for program in programs}
    return np.array([part.weight / totals[part.program] / len(programs) for part in parts])


def _over_runs(parts: Sequence[GroupChange]) -> tuple[dict[str, float], Floats]:
    weights = _weights(parts)
    estimate = float(sum(weight * float(part.read.estimate) for weight, part in zip(weights, parts, strict=True)))
    error = float(np.sqrt(sum(weight**2 * float(part.read.variance) for weight, part in zip(weights, parts, strict=True))))
    if not np.isfinite(error):
        return {"estimate": estimate, "error": np.nan, "probability": np.nan}, np.full(DRAWS, np.nan)
    studentised = _studentised(np.array([estimate]), np.array([error]))[0]
    normal = ndtri((np.arange(DRAWS) + 0.5) / DRAWS)
    if any(part.chance is None for part in parts):
        return {"estimate": estimate, "error": error, "probability": float(2 * ndtr(-abs(studentised)))}, normal
    chance = _drawn(weights, [part.chance for part in parts])
    freedom = max(min(min(part.runs) for part in parts) - 1, 1)
    ways = 1.0
    for part in parts:  # of many groups, the product would overflow
        ways = min(ways * float(binom(sum(part.runs) // part.block, part.runs[1] // part.block)), _MOST_WAYS)
    probability = tail_probability(studentised, chance, freedom=freedom, ways=ways)
    if any(part.around is None for part in parts):  # medians: normal, by their order statistics
        return {"estimate": estimate, "error": error, "probability": probability}, normal
    around = _drawn(weights, [part.around for part in parts])
    return {"estimate": estimate, "error": error, "probability": probability}, _resampled(np.sort(around))


def _drawn(weights: Floats, changes: Sequence[object]) -> Floats:
    """The studentised change of each draw."""
    known = [change for change in changes if change is not None]
    size = min(len(change.estimate) for change in known)  # type: ignore[attr-defined]
    estimate = sum(weight * change.estimate[:size] for weight, change in zip(weights, known, strict=True))  # type: ignore[attr-defined]
    variance = sum(weight**2 * change.variance[:size] for weight, change in zip(weights, known, strict=True))  # type: ignore[attr-defined]
    return _studentised(np.asarray(estimate), np.sqrt(np.asarray(variance)))


def _studentised(estimate: Floats, error: Floats) -> Floats:
    """Changes divided by their errors; 0 for no change without error, and 1e9 at most."""
    with np.errstate(all="ignore"):
        found = np.where(np.abs(estimate) <= 1e-12, 0.0, estimate / error)
    return np.clip(np.nan_to_num(found, nan=0.0, posinf=1e9, neginf=-1e9), -1e9, 1e9)


def _resampled(draws: Floats) -> Floats:
    """Sorted draws as DRAWS quantiles, whatever their number."""
    if len(draws) == DRAWS:
        return draws
    return np.quantile(draws, (np.arange(DRAWS) + 0.5) / DRAWS)


def _over_programs(parts: Sequence[GroupChange]) -> tuple[dict[str, float], Floats]:
    """Student's t over the changes of programs."""
    by_program: dict[str, list[GroupChange]] = {}
    for part in parts:
        by_program.setdefault(part.program, []).append(part)
    changes = []
    for own in by_program.values():
        weights = np.array([part.weight for part in own])
        changes.append(float((weights * np.array([float(part.read.estimate) for part in own])).sum() / weights.sum()))
    n, estimate = len(changes), float(np.mean(changes))
    if n < 2:
        return {"estimate": estimate, "error": np.nan, "probability": np.nan}, np.full(DRAWS, np.nan)
    error = float(np.std(changes, ddof=1) / np.sqrt(n))
    studentised = _studentised(np.array([estimate]), np.array([error]))[0]
    drawn = stdtrit(n - 1, (np.arange(DRAWS) + 0.5) / DRAWS)
    return {"estimate": estimate, "error": error, "probability": float(2 * stdtr(n - 1, -abs(studentised)))}, drawn


def tail_probability(statistic: float, draws: Floats, *, freedom: int, ways: float = 1e15) -> float:
    """Two-sided probability of draws as far out as `statistic`: twice the smaller tail, at most 1.

    draws: shape (draws,), of which the statistic itself counts as one. Where fewer than ten are beyond and there are many more `ways` of
    exchanging runs than draws, Student's t with `freedom` degrees continues the tail. Source: T. A. Knijnenburg et al. 2009, Fewer
    permutations, more accurate P-values, doi 10.1093/bioinformatics/btp211 (with another tail).
    """
    slack = 1e-9 * max(abs(statistic), 1.0)
    above, below = int((draws >= statistic - slack).sum()), int((draws <= statistic + slack).sum())
    beyond = min(above, below)
    plain = (beyond + 1) / (len(draws) + 1)
    if beyond >= _TAIL or ways < 20 * len(draws):
        return min(2 * plain, 1.0)
    ordered = np.sort(draws if above <= below else -draws)
    anchor, far = float(ordered[-_TAIL]), abs(statistic)
    if anchor <= 0 or far <= anchor:
        return min(2 * plain, 1.0)
    tail = _TAIL / len(draws) * float(stdtr(freedom, -far)) / float(stdtr(freedom, -anchor))
    return float(min(2 * max(tail, 1 / ways), 1.0))
