"""Formulas: what is read as what, values worked out by hand, and what is refused."""

import math
import time

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.formulas.grammar import MOST_DEPTH, parse
from hemcore.formulas.graph import Graph, Node
from hemcore.formulas.machine import BLOCK, Computed, compute
from hemcore.formulas.tokens import written

NAN = math.nan


def computed(text: str, **columns: list[float]) -> Computed:
    """The formula over columns of the same names; a constant is 10, a name without column is missing."""
    graph = Graph()

    def name(each: str) -> int:
        return graph.node(Node("column" if each in columns else "missing", text=each))

    node = graph.add(parse(text), name, lambda each: graph.number(10.0), lambda each: each in columns)
    rows = len(next(iter(columns.values()), [0.0]))
    return compute(graph, [node], {each: np.array(values, dtype=float) for each, values in columns.items()}, rows)


def value(text: str, **columns: float) -> float:
    return float(computed(text, **{name: [each] for name, each in columns.items()}).outputs[0, 0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("16 / 4 / 2", 2),
        ("7 % 4 * 2", 6),
        ("-7 % 4", -3),  # as in C: the sign of the first
        ("2 - -3", 5),
        ("--2", 2),
        ("1e3 + 1.E-01 + .5", 1000.6),
        ("0x10 + 1", 17),
        ("3 if 1 < 2 else 4", 3),
        ("3 if 2 < 1 else 4 if 1 < 2 else 5", 4),
        ("1 + 2 if 0 else 3 + 4", 7),
        ("2 < 1 | 1 < 2 & 3 < 2", 0),  # & before |, comparisons before both
        ("1 < 2 & 2 < 3", 1),
        ("2 > = 2", 1),  # Intel writes a blank in it
        ("1 != 2 and 2 == 2", 1),
        ("min(3, 1, 2) + max(1, 5)", 6),
        ("d_ratio(1, 4)", 0.25),
        ("d_ratio(1, 0)", 0),
        ("#SMT_on * 2", 20),
    ],
)
def test_values_by_hand(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-15)
    assert value(f"{text} if a == 7 else b", a=7, b=0) == pytest.approx(expected if " if " not in text else value(text), rel=1e-15)


def test_a_choice_ends_a_sum() -> None:
    assert value("(1 if a else 2) + 10", a=0) == 12


def test_not_counted_stays_so_and_division_by_zero_is_counted() -> None:
    found = computed("a / b", a=[1, NAN, 1, 0, 6], b=[2, 1, 0, 0, NAN])
    np.testing.assert_array_equal(found.outputs[0], [0.5, NAN, NAN, NAN, NAN])
    assert list(found.zero_divisions.values()) == [2]
    # What was not counted is no division by zero.
    assert list(computed("a / b", a=[NAN, 1, NAN], b=[0, 0, 0]).zero_divisions.values()) == [1]
    assert computed("1 / (a / b)", a=[1.0], b=[0.0]).outputs[0, 0] != 0  # not 1 / infinity


def test_comparisons_choices_and_truth_of_what_is_not_known() -> None:
    columns = {"a": [1, NAN, 3], "b": [2, 2, NAN]}
    np.testing.assert_array_equal(computed("a < b", **columns).outputs[0], [1, NAN, NAN])
    np.testing.assert_array_equal(computed("a if b > 1 else 0", **columns).outputs[0], [1, NAN, NAN])
    np.testing.assert_array_equal(computed("(a < b) & (1 > 2)", **columns).outputs[0], [0, 0, 0])
    np.testing.assert_array_equal(computed("(a < b) | (1 < 2)", **columns).outputs[0], [1, 1, 1])
    np.testing.assert_array_equal(computed("(a < b) | (1 > 2)", **columns).outputs[0], [1, NAN, NAN])
    np.testing.assert_array_equal(computed("min(a, b)", **columns).outputs[0], [1, NAN, NAN])


def test_d_ratio_of_zero_is_counted() -> None:
    found = computed("d_ratio(a, b)", a=[1, NAN, 4], b=[0, 0, 2])
    np.testing.assert_array_equal(found.outputs[0], [0, NAN, 2])
    assert list(found.ratios.values()) == [2]


def test_too_large_is_not_infinite() -> None:
    found = computed("a * a", a=[1e200, 2])
    np.testing.assert_array_equal(found.outputs[0], [NAN, 4])
    assert list(found.overflows.values()) == [1]


def test_what_a_constant_does_not_choose_need_not_be_there() -> None:
    assert value("a if 1 else not_read", a=3) == 3
    assert value("(not_read if 0 else a) + 1", a=3) == 4
    assert math.isnan(value("a + not_read", a=3))
    assert value("1 if has_event(a) else 2", a=3) == 1
    assert value("1 if has_event(b) else 2", a=3) == 2


def test_rows_beyond_one_block() -> None:
    n = 3 * BLOCK * 8 + 5
    a = np.arange(n, dtype=float)
    np.testing.assert_array_equal(computed("(a + 1) * 2 - a", a=a).outputs[0], a + 2)


@pytest.mark.parametrize(
    ("text", "names", "constants"),
    [
        (r"cpu@L1D_PEND_MISS.FB_FULL\,cmask\=1@ / tma_clks", ("cpu@L1D_PEND_MISS.FB_FULL,cmask=1@", "tma_clks"), ()),
        (r"cstate_pkg@c2\-residency@ / msr@tsc@", ("cstate_pkg@c2-residency@", "msr@tsc@"), ()),
        (r"topdown\-fe\-bound / slots", ("topdown-fe-bound", "slots"), ()),
        ("EXE_ACTIVITY.1_PORTS_UTIL - b", ("EXE_ACTIVITY.1_PORTS_UTIL", "b"), ()),
        ("ICACHE:c1:e1 + UNC:filter1", ("ICACHE:c1:e1", "UNC:filter1"), ()),
        ('"L1-dcache-loads" / `#`'.replace("`#`", '#"a b"'), ("L1-dcache-loads",), ("a b",)),
        ("64 * #num_dies / source_count(UNC_X)", (), ("num_dies", "source_count(UNC_X)")),
        ("STALL if strcmp_cpuid_str(0x410fd490) else #slots", ("STALL",), ("strcmp_cpuid_str(0x410fd490)", "slots")),
        ("1 if has_event(cycles\\-t) else 0", (), ()),
    ],
)
def test_names_of_every_tool(text: str, names: tuple[str, ...], constants: tuple[str, ...]) -> None:
    assert (parse(text).names, parse(text).constants) == (names, constants)


@pytest.mark.parametrize("name", ["IPC", "a b", "L1-dcache-loads", "if", "min", "X:c1", "128B", "AND"])
def test_a_written_name_is_read_as_that_name(name: str) -> None:
    assert parse(f"{written(name)} + 1").names == (name,)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "empty"),
        ("a b", "'b'"),
        ("a +", "it ends here"),
        ("(a", "')'"),
        ("a)", "')'"),
        ("a if b", "'else'"),
        ("a < b < c", "between two comparisons"),
        ("min(a)", "2 values"),
        ("d_ratio(a, b, c)", "2 values"),
        ("open(a)", "functions"),
        ("__import__('os').system('x')", "is no part of a formula"),
        ("<script>alert(1)</script>", "a number, a name or '('"),
        ("a; b", "is no part of a formula"),
        ("a[0]", "is no part of a formula"),
        ("2x", "is no part of a formula"),
        ("a ** b", "a number, a name"),
        ("(" * 100_000, "levels of parentheses"),
        ("-" * 99_999, "it ends here"),
        ("1+" * 500_000 + "1", "1,000,001 characters"),
    ],
)
def test_what_is_no_formula_gets_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ParameterError) as refused:
        parse(text, "metric M")
    said = str(refused.value)
    assert said.startswith("metric M: ")
    assert part in said
    assert said.endswith(".")
    assert len(said) < 400


@pytest.mark.slow
def test_long_chains_are_no_deep_recursion() -> None:
    start = time.process_time()
    assert value("+".join(["1"] * 30_000)) == 30_000
    assert value(" if 0 else ".join(["1"] * 5_000)) == 1
    assert value("(" * MOST_DEPTH + "3" + ")" * MOST_DEPTH) == 3
    assert time.process_time() - start < 20
