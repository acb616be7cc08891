"""What must be equal, and is it: the children of a node and the node, level 1 and the whole, and identities that the user declared.

A metric whose formula is `left == right` is an identity. That counts agree with one another is the idea of CounterPoint
(N. Lindsay et al., 2026, arXiv 2601.01265).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.formulas.grammar import Formula, Step, parse
from hemcore.formulas.tokens import written
from hemcore.headline import amount
from hemcore.metrics.bootstrap import LEVEL, Bootstrapped, bootstrapped
from hemcore.metrics.table_counts import Measured

COLUMNS = ("identity", "left", "right", "difference", "low", "high", "holds", "subexperiments", "sentence")
# A difference of chance alone is beyond this many of its standard deviations once in 370 times.
_DOUBT = 3.0
_EXACT = 1e-9
_SUMMED_LEVELS = 2
_PAIRS = 300


class Identity(NamedTuple):
    """Two sides that must be equal. left, right: formulas. events: what they need."""

    name: str
    left: Formula
    right: Formula


def identities_of(definitions: MetricDefinitions) -> list[Identity]:
    """The identities of a set: those declared with ==; level 1 sums to the whole; children on level 2 sum to their node.

    Deeper nodes are fractions of other things than slots in most files, so their sums are not checked.
    """
    found = [
        Identity(name, Formula(metric.formula.text, left), Formula(metric.formula.text, right))
        for name, metric in definitions.metrics.items()
        if metric.formula.is_identity
        for left, right in [_sides(metric.formula)]
    ]
    top = [metric for metric in definitions.metrics.values() if metric.level == 1]
    if len(top) > 1:
        whole = "100" if all(metric.unit == "%" and metric.scale == 1 for metric in top) else "1"
        found.append(Identity("level 1 = the whole", _sum([metric.name for metric in top]), parse(whole)))
    for parent in definitions.metrics.values():
        children = [each.name for each in definitions.metrics.values() if each.parent == parent.name and 1 < each.level <= _SUMMED_LEVELS]
        if len(children) > 1:
            found.append(Identity(f"{parent.name} = its children", _sum(children), parse(written(parent.name))))
    return found


def check_identities(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    anchor: str | None = None,
    draws: int = 400,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per identity: identity, left, right, difference (left - right) with its 80 % interval low to high, holds (0: further apart
    than chance explains; NaN: it cannot be evaluated), subexperiments (the pair that disagrees), sentence.

    Raises as `bootstrapped` does. Empty if the definitions have no identity.
    """
    identities = identities_of(definitions)
    extra = sides(identities)
    found = bootstrapped(definitions, table, constants=constants, metrics=[], anchor=anchor, draws=draws, seed=seed, extra=extra)
    return identities_frame(definitions, table, identities, found, constants, seed)


def sides(identities: Sequence[Identity]) -> list[Formula]:
    """The left and right sides in turn, as `bootstrapped` takes further formulas."""
    return [side for each in identities for side in (each.left, each.right)]


def identities_frame(
    definitions: MetricDefinitions,
    table: Measured,
    identities: Sequence[Identity],
    found: Bootstrapped,
    constants: Mapping[str, float] | None,
    seed: int,
) -> pd.DataFrame:
    """The frame of `check_identities` from draws that are there, whose further formulas are `sides(identities)`."""
    rows = _rows(identities, found)
    for row, identity in zip(rows, identities, strict=True):
        if row["holds"] == 0 and isinstance(table, Subexperiments):
            pair = _disagreeing(definitions, table, identity, constants, seed)
            row["subexperiments"] = " and ".join(pair)
            row["sentence"] = f"{row['sentence']} {pair[0]} and {pair[1]} disagree most." if pair else row["sentence"]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(identities: Sequence[Identity], found: Bootstrapped) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for number, identity in enumerate(identities):
        place = 2 * number
        left, right = found.extra[place], found.extra[place + 1]
        drawn = found.extra_draws[place] - found.extra_draws[place + 1]
        difference, size = left - right, max(abs(left), abs(right))
        low, high = (float(each[0]) for each in found.interval(drawn[None, :], LEVEL))
        near = max(_DOUBT * _spread(drawn), _EXACT * size) if np.isfinite(difference) else 0.0
        holds = float(abs(difference) <= near) if np.isfinite(difference) else np.nan
        rows.append(
            {
                "identity": identity.name,
                "left": left,
                "right": right,
                "difference": difference,
                "low": low,
                "high": high,
                "holds": holds,
                "subexperiments": "",
                "sentence": _sentence(identity.name, holds, left, right, low, high),
            }
        )
    return rows


def in_doubt(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """The rows of `check_identities` that hold although their interval excludes 0: chance does that to one in five."""
    size = frame[["left", "right"]].abs().max(axis=1)
    beyond = (frame["low"] > _EXACT * size) | (frame["high"] < -_EXACT * size)
    return (beyond & (frame["holds"] == 1)).to_numpy(dtype=bool)


def _sentence(name: str, holds: float, left: float, right: float, low: float, high: float) -> str:
    if np.isnan(holds):
        return f"{name}: it cannot be checked, because an event was not read."
    exact = _EXACT * max(abs(left), abs(right))
    apart = f"{amount(left - right)} ({amount(low)} to {amount(high)})"
    if holds and not (low > exact or high < -exact):
        return f"{name}: {amount(left)} and {amount(right)} agree within chance."
    if holds:
        return f"{name}: {amount(left)} and {amount(right)} differ by {apart}: beyond the 80% interval, as chance does 1 time in 5."
    return f"{name}: {amount(left)} is not {amount(right)}; the difference is {apart}."


def _sides(formula: Formula) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The programs of the two sides of `left == right`: the right one is the last whole value before the comparison."""
    program = formula.program[:-1]
    place, wanted = len(program), 1
    while wanted:
        place -= 1
        wanted += program[place].takes - 1
    return program[:place], program[place:]


def _spread(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(known.std()) if len(known) > 1 else 0.0


def _sum(names: Sequence[str]) -> Formula:
    return parse(" + ".join(written(name) for name in names))


def _disagreeing(
    definitions: MetricDefinitions, table: Subexperiments, identity: Identity, constants: Mapping[str, float] | None, seed: int
) -> tuple[str, ...]:
    """The two subexperiments between which the identity is furthest from holding, by standard deviations; empty if no two read it all."""
    worst = 0.0
    pair: tuple[str, ...] = ()
    for first, second in list(combinations(range(len(table.frames)), 2))[:_PAIRS]:
        two = Subexperiments(
            frames=(table.frames[first], table.frames[second]), n_pmcs=table.n_pmcs, labels=(table.labels[first], table.labels[second])
        )
        try:
            found = bootstrapped(
                definitions, two, constants=constants, metrics=[], draws=50, seed=seed, extra=[identity.left, identity.right]
            )
        except HemError:
            continue
        difference, spread = found.extra[0] - found.extra[1], _spread(found.extra_draws[0] - found.extra_draws[1])
        distance = abs(difference) / spread if spread > 0 else np.inf if difference else 0.0
        if np.isfinite(difference) and distance > worst:
            worst, pair = distance, (two.labels[0], two.labels[1])
    return pair
