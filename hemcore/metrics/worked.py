"""Formulas with the numbers of a table put in: `1000 * D1mr / Ir` as `1000 * 1,200 / 3,400,000 = 0.353`."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hemcore.datasets.tables.metric_definitions import Metric, MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.events.spelling import EventColumns
from hemcore.formulas.machine import compute
from hemcore.formulas.tokens import tokens_of
from hemcore.headline import amount
from hemcore.metrics.known_constants import Constants
from hemcore.metrics.metric_values import Compiled
from hemcore.metrics.read_together import joint_parts
from hemcore.metrics.run_means import RunMeans

_DIGITS = 4
_LONGEST = 300


def worked_formulas(
    definitions: MetricDefinitions, table: Subexperiments, names: Sequence[str], constants: Mapping[str, float] | None, anchor: str | None
) -> dict[str, str]:
    """By metric, its formula with the means over runs that it is evaluated from, and its value; metrics without one are left out.

    The name of another metric stands for its value. Of more than 300 characters the middle is left out. Raises as `evaluate` does.
    """
    means = RunMeans(table, anchor)
    known = Constants(constants, definitions.constants, None)
    compiled = Compiled(definitions, EventColumns(means.hems), known, names)
    alone = joint_parts(definitions, names, means, known.given, lambda columns, n: compiled.compute(columns, n).outputs)
    together = {name for some in alone.values() for name in some}
    found = _worked(definitions, compiled, means.observed(), known, [name for name in names if name not in together])
    for members, some in alone.items():
        found |= _worked(definitions, compiled, means.means([np.ones((1, n)) for n in means.runs], members), known, some)
    return found


def _worked(
    definitions: MetricDefinitions,
    compiled: Compiled,
    columns: Mapping[str, NDArray[np.float64]],
    constants: Constants,
    names: Sequence[str],
) -> dict[str, str]:
    computed = compute(compiled.graph, list(compiled.nodes.values()), columns, 1).outputs[:, 0]
    values = dict(zip(compiled.nodes, computed.tolist(), strict=True))
    events = EventColumns(columns)

    def number(kind: str, name: str, own: str) -> float | None:
        if kind == "name" and name in values and name != own:
            return values[name]
        column = events.find(name)
        if kind == "name" and column is not None:
            return float(columns[column][0])
        constant = constants.value(name) if kind == "constant" or constants.knows(name) else None
        return constant if isinstance(constant, float) else None

    found = {}
    for name in names:
        metric, value = definitions.metrics[name], values[name]
        if np.isfinite(value):
            text = metric.formula.text
            tokens = tokens_of(text, name)
            parts = [text[: tokens[0].at]]
            for token, after in pairwise(tokens):
                piece = text[token.at : after.at]
                is_function = after.text == "(" and after.kind == "operator"
                known = None if token.kind not in ("name", "constant") or is_function else number(token.kind, token.text, name)
                if known is not None:  # a quoted name without its quotes
                    parts[-1] = parts[-1].removesuffix('"')
                    piece = amount(known, _DIGITS) + piece[len(piece.rstrip()) :]
                parts.append(piece)
            found[name] = f"{_short(''.join(parts))} = {_result(metric, value)}"
    return found


def _result(metric: Metric, value: float) -> str:
    own = amount(value, _DIGITS)
    in_unit = f"{amount(value * metric.scale, _DIGITS)}{'%' if metric.unit == '%' else f' {metric.unit}' if metric.unit else ''}"
    return in_unit if metric.scale == 1 else f"{own} = {in_unit}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    half = _LONGEST // 2
    return flat if len(flat) <= _LONGEST else f"{flat[:half]} … {flat[-half:]}"
