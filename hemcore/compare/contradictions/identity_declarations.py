"""Identities that metric definitions declare with ==, as sums of coefficient times HEM."""

from collections.abc import Iterable

from hemcore.compare.contradictions.identity_search import LinearIdentity
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.formulas.grammar import Formula, Step

# Coefficients by HEM; under "" the part that no HEM is in.
_Sum = dict[str, float]


def declared_identities(definitions: MetricDefinitions, hems: Iterable[str]) -> list[LinearIdentity]:
    """The metrics of `definitions` that state `left == right`, where both sides are sums of multiples of HEMs in `hems`; may be empty.

    Other identities (products of HEMs, constants, other metrics, one HEM alone) are left out.
    """
    known = set(hems)
    found = [_linear(metric.formula) for metric in definitions.metrics.values() if metric.formula.is_identity]
    return [each for each in found if each is not None and set(each.hems) <= known]


def _linear(formula: Formula) -> LinearIdentity | None:
    stack: list[_Sum | None] = []
    for step in formula.program:
        taken = [stack.pop() for _ in range(step.takes)][::-1]
        stack.append(_value(step, [each for each in taken if each is not None]) if None not in taken else None)
    last = stack[-1]
    terms = {} if last is None else {name: factor for name, factor in last.items() if factor != 0}
    if len(terms) < 2 or "" in terms:
        return None
    return LinearIdentity(terms=tuple(sorted(terms.items(), key=lambda each: -each[1])))


def _value(step: Step, on: list[_Sum]) -> _Sum | None:
    """The sum that `step` leaves; None if it is none."""
    if step.operation == "number":
        return {"": step.value}
    if step.operation == "name":
        return {step.text: 1.0}
    if step.operation == "negative":
        return _scaled(on[0], -1.0)
    if step.operation in ("+", "-", "=="):
        other = on[1] if step.operation == "+" else _scaled(on[1], -1.0)
        return {name: on[0].get(name, 0.0) + other.get(name, 0.0) for name in on[0] | other}
    if step.operation == "*":
        for one, rest in (on, on[::-1]):
            if set(one) <= {""}:
                return _scaled(rest, one.get("", 0.0))
    if step.operation == "/" and set(on[1]) == {""} and on[1][""] != 0:
        return _scaled(on[0], 1 / on[1][""])
    return None


def _scaled(terms: _Sum, factor: float) -> _Sum:
    return {name: factor * each for name, each in terms.items()}
