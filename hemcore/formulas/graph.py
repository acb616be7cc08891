"""Many formulas as one graph, in which equal parts are one node and constant parts are already numbers."""

import math
from collections.abc import Callable
from typing import NamedTuple

from hemcore.formulas.grammar import Formula

NOTHING: frozenset[str] = frozenset()


class Node(NamedTuple):
    """operation: "number" (value), "column" (text), "missing" (text: what is not there), or an operation on earlier nodes `on`."""

    operation: str
    on: tuple[int, ...] = ()
    text: str = ""
    value: float = 0.0


class Graph:
    """Nodes in an order in which each comes after those it uses. missing: by node, the events and constants it cannot do without."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.missing: list[frozenset[str]] = []
        self._known: dict[Node, int] = {}

    def node(self, node: Node) -> int:
        """The number of `node`, added unless it is there."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = len(self.nodes)
            self.nodes.append(node)
            lacks = frozenset({node.text}) if node.operation == "missing" else NOTHING
            self.missing.append(lacks.union(*(self.missing[each] for each in node.on)) if node.on else lacks)
        return known

    def number(self, value: float) -> int:
        """The node of a number."""
        return self.node(Node("number", value=value))

    def add(self, formula: Formula, name: Callable[[str], int], constant: Callable[[str], int], has: Callable[[str], bool]) -> int:
        """The node of `formula`. name, constant: the nodes of what it names; has: whether an event was counted."""
        stack: list[int] = []
        for step in formula.program:
            if step.operation == "number":
                stack.append(self.number(step.value))
            elif step.operation == "name":
                stack.append(name(step.text))
            elif step.operation == "constant":
                stack.append(constant(step.text))
            elif step.operation == "has_event":
                stack.append(self.number(float(has(step.text))))
            else:
                on = tuple(stack[-step.takes :])
                del stack[-step.takes :]
                stack.append(self._operation(step.operation, on))
        return stack[0]

    def _operation(self, operation: str, on: tuple[int, ...]) -> int:
        values = [self.nodes[each].value if self.nodes[each].operation == "number" else None for each in on]
        if operation == "if" and values[1] is not None:  # what is not chosen need not have been counted
            return self.number(math.nan) if math.isnan(values[1]) else on[0] if values[1] != 0 else on[2]
        numbers = [value for value in values if value is not None]
        if len(numbers) == len(values):
            folded = _folded(operation, numbers)
            if folded is not None:
                return self.number(folded)
        if operation in ("+", "*", "min", "max", "&", "|"):
            on = (min(on), max(on))
        return self.node(Node(operation, on))


def _folded(operation: str, values: list[float]) -> float | None:
    """The value of an operation on numbers; None where it divides by zero or overflows, which is told when it is evaluated."""
    a, b = values[0], values[-1]
    if any(math.isnan(value) for value in values):
        return math.nan
    try:
        return _FOLD[operation](a, b)
    except (ArithmeticError, ValueError, KeyError):
        return None


_FOLD: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": math.fmod,
    "negative": lambda a, b: -a,
    "min": min,
    "max": max,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "&": lambda a, b: float(a != 0 and b != 0),
    "|": lambda a, b: float(a != 0 or b != 0),
    "d_ratio": lambda a, b: a / b if b else 0.0,
}
