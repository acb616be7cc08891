"""The definitions of Intel, Arm and perf: all parse, and equal what Python's own parser makes of the same formulas."""

import ast
import json
import operator
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.metrics import MetricDefinitions, evaluation, read_definitions

OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.LtE: operator.le,
}
CONSTANTS = {
    "SMT_on": 1.0,
    "HYPERTHREADING_ON": 1.0,
    "THREADS_PER_CORE": 2.0,
    "core_wide": 0.0,
    "SYSTEM_TSC_FREQ": 2.1e9,
    "duration_time": 1.7,
    "DURATIONTIMEINSECONDS": 1.7,
    "DURATIONTIMEINMILLISECONDS": 1700.0,
    "SOCKET_COUNT": 2.0,
    "num_packages": 2.0,
    "num_dies": 3.0,
    "num_cpus_online": 48.0,
    "CORES_PER_SOCKET": 24.0,
    "CHAS_PER_SOCKET": 12.0,
    "has_pmem": 1.0,
    "system.sockets[0].cpus.count * system.socket_count": 96.0,
}


def by_python(formula: str, value: Callable[[str], float]) -> float:
    """The formula by Python's parser and a walk over its tree: another route than the grammar here."""
    names: dict[str, str] = {}

    def placeholder(match: re.Match[str]) -> str:
        return names.setdefault(match[0], f"n{len(names)}")

    spelt = r"source_count\([\w.]+\)|has_event\([^)]*\)|#\w+|[A-Za-z_](?:[\w.:]|\\.)*(?:@[^@]*@)?"
    keep = r"(?!(?:if|else)\b|(?:min|max|d_ratio)\()"
    text = re.sub(rf"(?<![\w.]){keep}(?:{spelt})", placeholder, formula.replace("> =", ">="))
    by_placeholder = {short: name for name, short in names.items()}

    def walk(node: Any) -> float:
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Name):
            return value(by_placeholder[node.id])
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](walk(node.left), walk(node.right))
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand) if isinstance(node.op, ast.USub) else walk(node.operand)
        if isinstance(node, ast.Compare):
            return float(OPERATORS[type(node.ops[0])](walk(node.left), walk(node.comparators[0])))
        if isinstance(node, ast.IfExp):
            return walk(node.body) if walk(node.test) else walk(node.orelse)
        if isinstance(node, ast.Call):
            a, b = map(walk, node.args)
            return {"min": min(a, b), "max": max(a, b), "d_ratio": a / b if b else 0.0}[node.func.id]
        raise AssertionError(ast.dump(node))

    return walk(ast.parse(text.strip(), mode="eval").body)


def counts(definitions: MetricDefinitions) -> pd.DataFrame:
    """Random counts of all events, spelled as perf prints them where that is possible."""
    events = sorted({event for needed in definitions.needed_events.values() for event in needed} - set(CONSTANTS))
    random = np.random.default_rng(7)
    return pd.DataFrame({event: random.uniform(1e4, 1e9, 1) for event in events})


def by_row(formula: str, value: Callable[[int, str], float], row: int) -> float:
    return by_python(formula, partial(value, row))


def agree(definitions: MetricDefinitions, expected: dict[str, Callable[[int], float]], number: int) -> None:
    table = counts(definitions)
    spelled = table.rename(columns=lambda event: event if re.search(r"[@:/]", event) else f"cpu/{event.lower()}/")
    found = evaluation(definitions, spelled, constants=CONSTANTS | {"source_count(UNC_CHA_CLOCKTICKS)": 1.0})
    assert found.needs == {}
    assert len(definitions.names) == len(expected) == number
    for name, by_row in expected.items():
        for row in range(len(table)):
            assert found.frame[name].iloc[row] == pytest.approx(by_row(row), rel=1e-9, abs=1e-12), name


def constant(name: str) -> float:
    known = {key.lower(): value for key, value in CONSTANTS.items()}
    return 1.0 if name.startswith("source_count") else known[name.removeprefix("#").lower()]


@pytest.mark.parametrize(("processor", "number"), [("skylakex", 260), ("sapphirerapids", 308)])
def test_intel(real: Path, processor: str, number: int) -> None:
    files = real / f"{processor}_metrics.json", real / f"{processor}_core.json"
    definitions = read_definitions(*files)
    table = counts(definitions)
    expected = {}
    for metric in json.loads(files[0].read_text())["Metrics"]:
        alias = {each["Alias"]: each["Name"] for each in metric["Events"]}
        constants = {each["Alias"]: each["Name"] for each in metric["Constants"]}

        def value(row: int, name: str, alias: dict[str, str] = alias, constants: dict[str, str] = constants) -> float:
            if name in alias:
                return float(table[alias[name]].iloc[row])
            return 20.0 if constants.get(name) == "20" else constant(constants.get(name, name))

        expected[metric["MetricName"]] = partial(by_row, metric["Formula"], value)
    agree(definitions, expected, number)
    assert len(definitions.repairs) == 0
    levels = definitions.frame.groupby("level").size().to_dict()
    assert levels[1] == 4
    assert levels[2] == 8
    assert definitions.metrics["Memory_Bound"].parent == "Backend_Bound"
    assert definitions.metrics["Memory_Bound"].threshold is not None
    assert definitions.events.set_index("event")["counters"]["CPU_CLK_UNHALTED.THREAD"] in ("fixed1", "fixed2")


@pytest.mark.parametrize(("file", "number"), [("perf-list-6.12-skylakex.json", 274), ("perf-list-6.1-cascadelakex.txt", 227)])
def test_perf(real: Path, file: str, number: int) -> None:
    definitions = read_definitions(real / file)
    table = counts(definitions)
    formulas = {name: metric.formula.text for name, metric in definitions.metrics.items()}

    def value(name: str, row: int) -> float:
        plain = name.replace("\\", "")
        if plain in formulas:
            return by_python(formulas[plain], lambda each: value(each, row))
        if name.startswith("has_event"):
            return 1.0
        return float(table[plain].iloc[row]) if plain in table.columns else constant(name)

    agree(definitions, {name: lambda row, name=name: value(name, row) for name in formulas}, number)


def test_perf_json_places_metrics_in_the_tree(real: Path) -> None:
    definitions = read_definitions(real / "perf-list-6.12-skylakex.json")
    metric = definitions.metrics["tma_core_bound"]
    assert (metric.level, metric.parent, metric.scale, metric.unit) == (2, "tma_backend_bound", 100.0, "%")
    assert sorted(name for name, each in definitions.metrics.items() if each.level == 1) == [
        "tma_backend_bound",
        "tma_bad_speculation",
        "tma_frontend_bound",
        "tma_retiring",
    ]
    assert definitions.metrics["tma_info_thread_clks"].level == 0


def test_arm(real: Path) -> None:
    definitions = read_definitions(real / "neoverse-v1.json")
    table = counts(definitions)
    expected = {
        name: lambda row, formula=entry["formula"]: by_python(formula, lambda each: float(table[each].iloc[row]))
        for name, entry in json.loads((real / "neoverse-v1.json").read_text())["metrics"].items()
    }
    agree(definitions, expected, 36)
    assert set(definitions.frame.loc[definitions.frame["level"] == 1, "name"]) == {
        "frontend_bound", "backend_bound", "retiring", "bad_speculation"
    }  # fmt: skip
    assert definitions.constants["value"].to_list() == [8.0]
