"""What a comparison rests on: each HEM's change over all groups, its error, and how far chance moves it.

Changes of groups of one program are averaged with the numbers of their runs as weights, those of programs with equal weights. From five
programs on, the interval is over programs (Student's t of their changes), so it holds for programs like these; of fewer, over runs.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import binom, stdtr

from hemcore.compare.group_changes import Batch, GroupChange, batches, relative_hems
from hemcore.compare.group_matching import matched_groups
from hemcore.compare.order_notes import order_sentences
from hemcore.compare.params import CompareParams
from hemcore.compare.permuted import Change, draws_for
from hemcore.compare.results import Replicates
from hemcore.compare.run_sets import RunSet
from hemcore.compare.tail_probabilities import MOST_WAYS, STEPS, students_tails, tail_probability
from hemcore.errors import TableError
from hemcore.headline import counted_noun

Floats = NDArray[np.float64]
# From so many programs on, intervals are over programs.
FEWEST_PROGRAMS = 5
# With fewer ways of exchanging runs, intervals are Student's.
_FEWEST_WAYS = 1_000


def replicates_of(before: RunSet, after: RunSet, params: CompareParams, *, halves: bool = False) -> Replicates:
    """The replicates of two sets. Raises TableError as `matched_groups` does, and if every HEM was counted in one run only of a set."""
    groups = matched_groups(before, after, paired=params.paired)
    programs = list(dict.fromkeys(group.program for group in groups))
    over = "programs" if len(programs) >= FEWEST_PROGRAMS else "runs"
    relative = relative_hems(groups, params.statistic, paired=params.paired)
    together = [batch for group in groups for batch in batches(group, relative, params.statistic, paired=params.paired)]
    found = _by_hem(together)
    if not found:
        raise TableError("compare: no HEM was counted in both sets. Choose other datasets.")
    rows = [{"hem": hem, "measure": "relative" if parts[0].relative else "difference"} | _described(parts) for hem, parts in found.items()]
    if over == "programs":
        judged = [_over_programs(parts) for parts in found.values()]
        frame, tails = pd.DataFrame([row | each for row, (each, _) in zip(rows, judged, strict=True)]), [each for _, each in judged]
    else:
        frame = pd.DataFrame([row | _averaged(parts) for row, parts in zip(rows, found.values(), strict=True)])
        probabilities, tails = _over_runs(together, found, frame, params.seed)
        frame["probability"] = probabilities
    if not frame["error"].notna().any():
        fewest = min(min(part.runs) for parts in found.values() for part in parts)
        raise TableError(
            f"compare: {counted_noun(fewest, 'run')} of a HEM in a set; its noise is unknown. Give at least two runs (median: five)."
        )
    return Replicates(
        rows=frame,
        tails=np.stack(tails, axis=-1),
        over=over,
        programs=len(programs),
        halves=halves,
        notes=order_sentences(found, before, after, [hem for hem in after.hems if hem not in found]),
        params=params,
        places=max(before.places, after.places),
        sets=_sets_as_one(before, after, halves=halves),
    )


def _sets_as_one(before: RunSet, after: RunSet, *, halves: bool) -> tuple[int, int]:
    """How many sets each table holds; 1 where each set is compared with the set of its name, of another table."""
    names = [{group.label for group in each.groups} for each in (before, after)]
    return (1, 1) if names[0] == names[1] and not halves else (before.sets, after.sets)


def _by_hem(together: Sequence[Batch]) -> Mapping[str, list[GroupChange]]:
    found: dict[str, list[GroupChange]] = {}
    for batch in together:
        for hem, change in zip(batch.hems, batch.changes, strict=True):
            found.setdefault(hem, []).append(change)
    return found


def _described(parts: Sequence[GroupChange]) -> dict[str, object]:
    weights = np.array([part.weight for part in parts])
    before, after, effect = weights @ np.array([[part.before, part.after, part.effect] for part in parts]) / weights.sum()
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


def _averaged(parts: Sequence[GroupChange]) -> dict[str, float]:
    weights = _weights(parts)
    variance = float(weights**2 @ np.array([part.variance for part in parts]))
    return {"estimate": float(weights @ np.array([part.estimate for part in parts])), "error": float(np.sqrt(variance))}


def _over_runs(
    together: Sequence[Batch], found: Mapping[str, list[GroupChange]], frame: pd.DataFrame, seed: int
) -> tuple[Floats, list[Floats]]:
    """The probability of each HEM, and its tails, each of shape (2, steps); NaN without an error."""
    names, error = list(found), frame["error"].to_numpy(dtype=float)
    place_of = {hem: place for place, hem in enumerate(names)}
    weight_of = {(hem, id(part)): weight for hem, parts in found.items() for part, weight in zip(parts, _weights(parts), strict=True)}
    draws = min((draws_for(sum(batch.size)) for batch in together), default=1)
    drawn = []
    for number, batch in enumerate(together):
        if min(batch.size) > 1:
            places = np.array([place_of[hem] for hem in batch.hems])
            weights = np.array([weight_of[hem, id(change)] for hem, change in zip(batch.hems, batch.changes, strict=True)])
            drawn.append((batch, places, weights, batch.exchanged(draws, np.random.default_rng([seed, number]))))
    read = _studentised(frame["estimate"].to_numpy(dtype=float), error)
    known = np.isfinite(error)
    known[[place_of[hem] for batch in together if min(batch.size) < 2 for hem in batch.hems]] = False
    chance = np.zeros((2, draws, len(names)))
    for batch, places, weights, exchanged in drawn:
        _add(chance, exchanged.change(np.array([change.estimate for change in batch.changes])), places, weights)
    statistics = _studentised(chance[0], np.sqrt(chance[1]))
    freedom = [sum(part.freedom for part in parts) for parts in found.values()]
    students = np.array([any(part.student for part in parts) for parts in found.values()])
    ways = np.array(_ways(together, found))
    probabilities = np.array(
        [
            tail_probability(float(read[place]), statistics[:, place], freedom=freedom[place], ways=ways[place])
            for place in range(len(names))
        ]
    )
    probabilities = np.where(students, 2 * stdtr(freedom, -np.abs(read)), probabilities)
    probabilities[~known] = np.nan
    tails = np.stack([students_tails(each) for each in freedom], axis=-1)
    many = (ways >= _FEWEST_WAYS) & ~students
    for side, sign in enumerate((1, -1)):
        for step, distance in enumerate(sign * STEPS if many.any() else ()):
            sums = np.zeros((2, draws, len(names)))
            for _, places, weights, exchanged in drawn:
                _add(sums, exchanged.change(np.nan_to_num(np.minimum(distance * error[places], 600.0))), places, weights)
            beyond = sign * _studentised(sums[0], np.sqrt(sums[1])) >= abs(distance) * (1 - 1e-9)
            shares = (beyond.sum(axis=0) + 0.5) / (draws + 1)
            tails[side, step] = np.where(many, shares, tails[side, step])
    tails[:, :, ~known] = np.nan
    return probabilities, list(np.moveaxis(tails, -1, 0))


def _add(sums: Floats, change: Change, places: NDArray[np.int64], weights: Floats) -> None:
    """Add the weighted changes and variances of a batch to those of its HEMs; `sums` has the shape (2, draws, hems)."""
    with np.errstate(all="ignore"):  # of a draw in which a set counted nothing, no ratio is known
        sums[0][:, places] += weights * change.estimate
        sums[1][:, places] += weights**2 * change.variance


def _ways(together: Sequence[Batch], found: Mapping[str, list[GroupChange]]) -> list[float]:
    """By HEM, in how many ways its blocks can be exchanged, at most MOST_WAYS."""
    ways = dict.fromkeys(found, 1.0)
    for batch in together:
        first, second = batch.size
        own = 2.0 ** min(first, 60) if batch.blocks.paired else float(binom(min(first + second, 1_000), min(first, second, 500)))
        for hem in batch.hems:
            ways[hem] = min(ways[hem] * own, MOST_WAYS)
    return list(ways.values())


def _studentised(estimate: Floats, error: Floats) -> Floats:
    """Changes divided by their errors; 0 for no change without error, and 1e9 at most."""
    with np.errstate(all="ignore"):
        found = np.where(np.abs(estimate) <= 1e-12, 0.0, estimate / error)
    return np.clip(np.nan_to_num(found, nan=0.0, posinf=1e9, neginf=-1e9), -1e9, 1e9)


def _over_programs(parts: Sequence[GroupChange]) -> tuple[dict[str, float], Floats]:
    """Student's t over the changes of programs, and its tails."""
    by_program: dict[str, list[GroupChange]] = {}
    for part in parts:
        by_program.setdefault(part.program, []).append(part)
    changes = [_averaged(own)["estimate"] for own in by_program.values()]
    n, estimate = len(changes), float(np.mean(changes))
    if n < 2:
        return {"estimate": estimate, "error": np.nan, "probability": np.nan}, np.full((2, len(STEPS)), np.nan)
    error = float(np.std(changes, ddof=1) / np.sqrt(n))
    studentised = float(_studentised(np.array([estimate]), np.array([error]))[0])
    return {"estimate": estimate, "error": error, "probability": float(2 * stdtr(n - 1, -abs(studentised)))}, students_tails(n - 1)
