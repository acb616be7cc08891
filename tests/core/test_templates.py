"""The analyses that docs/adding.md gives to copy are held to what all analyses keep to, so that a copy begins with tests that pass."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import hemcore
from hemcore.analysis import AnyAnalysis
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import UnknownNameError
from tests.core.test_contract import TABLES, answers_or_says_why_not

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["hemcore.trial", "hem_example"])
def levels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyAnalysis]:
    # The tests of jobs have another room of the name: it is set aside, and is back afterwards.
    for name in loaded(request.param):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(hemcore, "trial", None, raising=False)
    monkeypatch.setattr(hemcore, "__path__", [str(ROOT / "docs" / "templates" / "page" / "hemcore"), *hemcore.__path__])
    monkeypatch.syspath_prepend(ROOT / "examples" / "plugin")
    yield importlib.import_module(f"{request.param}.analysis").LEVELS
    for name in loaded(request.param):
        del sys.modules[name]


def loaded(package: str) -> list[str]:
    """The modules of the package that are imported."""
    return [each for each in sys.modules if each == package or each.startswith(f"{package}.")]


def series(run: list[int], interval: list[int], count: list[float]) -> CounterSeries:
    intervals = pd.DataFrame({"application": "a", "run": run, "interval": interval})
    return CounterSeries(intervals=intervals, counts=pd.DataFrame({"A": count}), mode="OCOE")


def test_it_answers_or_says_why_not(levels: AnyAnalysis) -> None:
    for make in TABLES[CounterSeries].values():
        answers_or_says_why_not(levels, make, levels.params(), True)


def test_a_window_stays_in_its_run_and_skips_what_was_not_counted(levels: AnyAnalysis) -> None:
    nan = float("nan")
    table = series([1, 1, 1, 1, 2], [0, 1, 2, 3, 0], [2.0, 4.0, nan, nan, 100.0])
    found = levels.of(table, levels.params(window=2)).levels
    assert found["interval"].tolist() == [0, 1, 2]  # no count in the window of interval 3
    assert found["level"].tolist() == [2, 3, 4]  # 2; the mean of 2 and 4; 4 alone


def test_an_unknown_event_is_named(levels: AnyAnalysis) -> None:
    table = series([1], [0], [2.0])
    with pytest.raises(UnknownNameError, match="'B' is not in this series; it has 'A'"):
        levels.of(table, levels.params(event="B"))
