"""Evaluates a graph of formulas over the rows of a table, a block of rows at a time, so that what is in between stays in the cache."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hemcore.formulas.graph import Graph, Node

Floats = NDArray[np.float64]
BLOCK = 32_768
_THREADS, _BLOCKS_EACH = 4, 2
_PLAIN = {"+": np.add, "-": np.subtract, "*": np.multiply, "min": np.minimum, "max": np.maximum}
_COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}


@dataclass(frozen=True, kw_only=True)
class Computed:
    """outputs: shape (outputs, rows). zero_divisions, overflows: by node, in how many rows it divided by zero, or left a float's range;
    ratios: by node, in how many rows d_ratio had the denominator 0, and gave 0.
    """

    outputs: Floats
    zero_divisions: dict[int, int] = field(default_factory=dict)
    overflows: dict[int, int] = field(default_factory=dict)
    ratios: dict[int, int] = field(default_factory=dict)


def compute(graph: Graph, outputs: Sequence[int], columns: Mapping[str, Floats], n_rows: int) -> Computed:
    """The values of the nodes `outputs` in each row; NaN where a value was not counted, something is missing or a division is by zero.

    columns: each column's values, shape (n_rows,).
    """
    order = _needed(graph, outputs)
    last = {each: place for place, node in enumerate(order) for each in graph.nodes[node].on}
    wanted: dict[int, list[int]] = {}
    for row, node in enumerate(outputs):
        wanted.setdefault(node, []).append(row)
    work = _Work(graph, order, last, wanted, columns, np.empty((len(outputs), n_rows)))
    threads = min(os.cpu_count() or 1, _THREADS, -(-n_rows // (BLOCK * _BLOCKS_EACH)))
    share = -(-n_rows // (max(threads, 1) * BLOCK)) * BLOCK
    parts = [slice(start, min(start + share, n_rows)) for start in range(0, n_rows, share)] if n_rows else []
    if len(parts) == 1:
        counted = [work.rows(parts[0])]
    else:
        with ThreadPoolExecutor(max(len(parts), 1)) as pool:  # NumPy lets go of the interpreter while it computes
            counted = list(pool.map(work.rows, parts))
    return Computed(
        outputs=work.outputs,
        zero_divisions=dict(sum((each.zeros for each in counted), Counter())),
        overflows=dict(sum((each.overflows for each in counted), Counter())),
        ratios=dict(sum((each.ratios for each in counted), Counter())),
    )


@dataclass
class _Counted:
    """In how many rows each node divided by zero, overflowed, or had d_ratio's denominator 0."""

    zeros: Counter[int] = field(default_factory=Counter)
    overflows: Counter[int] = field(default_factory=Counter)
    ratios: Counter[int] = field(default_factory=Counter)


class _Flags:
    """What the processor's floating-point flags said of the last operation."""

    zero = over = False

    def raised(self, kind: str, flag: int) -> None:
        self.zero |= kind.startswith(("divide", "invalid"))  # 0 / 0 is invalid
        self.over |= kind.startswith("over")


def _needed(graph: Graph, outputs: Sequence[int]) -> list[int]:
    seen: set[int] = set()
    waiting = list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += graph.nodes[node].on
    return sorted(seen)


@dataclass(frozen=True)
class _Work:
    """What every block needs. order: the nodes to compute; last: after which of them one is not used again; wanted: the rows of `outputs`
    that a node fills.
    """

    graph: Graph
    order: Sequence[int]
    last: Mapping[int, int]
    wanted: Mapping[int, Sequence[int]]
    columns: Mapping[str, Floats]
    outputs: Floats

    def rows(self, part: slice) -> _Counted:
        counted, flags = _Counted(), _Flags()
        with np.errstate(divide="call", invalid="call", over="call", under="ignore", call=flags.raised):
            for start in range(part.start, part.stop, BLOCK):
                self.block(slice(start, min(start + BLOCK, part.stop)), flags, counted)
        return counted

    def block(self, rows: slice, flags: _Flags, counted: _Counted) -> None:
        known: dict[int, Floats | float] = {}
        spare: list[Floats] = []
        owned: dict[int, Floats] = {}
        for place, number in enumerate(self.order):
            node = self.graph.nodes[number]
            if node.operation == "column":
                known[number] = self.columns[node.text][rows]
            elif node.operation in ("number", "missing"):
                known[number] = node.value if node.operation == "number" else np.nan
            else:
                # A wanted value is computed where it is to stand; what only leads to others, in memory that is free again.
                target = self.wanted.get(number)
                out = self.outputs[target[0], rows] if target else spare.pop() if spare else np.empty(rows.stop - rows.start)
                _step(node, number, [known[each] for each in node.on], out, flags, counted)
                known[number] = out
                if not target:
                    owned[number] = out
                for each in {*node.on}:
                    if self.last[each] == place and each in owned:
                        spare.append(owned.pop(each))
        for number, targets in self.wanted.items():
            for row in targets[1 if self.graph.nodes[number].on else 0 :]:
                self.outputs[row, rows] = known[number]


def _step(node: Node, number: int, on: Sequence[Floats | float], out: Floats, flags: _Flags, counted: _Counted) -> None:
    operation = node.operation
    flags.zero = flags.over = False
    if operation in _PLAIN:
        _PLAIN[operation](on[0], on[1], out=out)
    elif operation == "/":
        np.divide(on[0], on[1], out=out)
        if flags.zero:
            _zeros(number, on, out, counted)
    elif operation in _COMPARE:
        np.copyto(out, _COMPARE[operation](on[0], on[1]))
        _unknown(out, on)
    elif operation == "if":
        then, condition, other = on
        chosen = np.where(condition, then, other)
        np.copyto(out, np.where(np.isnan(condition), np.nan, chosen))
    elif operation == "negative":
        np.negative(on[0], out=out)
    elif operation in ("&", "|"):
        _truth(operation, on, out)
    elif operation == "d_ratio":
        a, b = (np.broadcast_to(np.asarray(each), out.shape) for each in on)
        zero = b == 0
        np.divide(a, np.where(zero, 1.0, b), out=out)
        out[zero & ~np.isnan(a)] = 0.0
        _count(counted.ratios, number, int(zero.sum()))
    else:  # "%"
        np.fmod(on[0], on[1], out=out)
        _zeros(number, on, out, counted)
    if flags.over:
        infinite = np.isinf(out)
        out[infinite] = np.nan
        _count(counted.overflows, number, int(infinite.sum()))


def _zeros(number: int, on: Sequence[Floats | float], out: Floats, counted: _Counted) -> None:
    """NaN where the divisor is zero, which is counted where both values are known."""
    zero = np.broadcast_to(np.asarray(on[1]) == 0, out.shape)
    out[zero] = np.nan
    _count(counted.zeros, number, int((zero & ~np.isnan(on[0])).sum()))


def _truth(operation: str, on: Sequence[Floats | float], out: Floats) -> None:
    """Both, or either; known where one side settles it, though the other is not known."""
    a, b = (np.broadcast_to(np.asarray(each), out.shape) for each in on)
    settled = 0.0 if operation == "&" else 1.0
    np.copyto(out, np.where(np.isnan(a) | np.isnan(b), np.nan, 1.0 - settled))
    for each in (a, b):
        out[~np.isnan(each) & ((each != 0) == bool(settled))] = settled


def _unknown(out: Floats, on: Sequence[Floats | float]) -> None:
    for each in on:
        unknown = np.isnan(each)
        if np.any(unknown):
            out[np.broadcast_to(unknown, out.shape)] = np.nan


def _count(counts: Counter[int], number: int, rows: int) -> None:
    if rows:
        counts[number] += rows
