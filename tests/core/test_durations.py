"""How long the next question will take, from the runs that are remembered."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pytest

from hemcore import durations
from hemcore.analysis import LONG_S, Analysis, Question
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.durations import Durations, Work, predicted
from hemcore.params import Params, parameter
from tests.core.kinds import kind_of, own_analyses

THOUSAND = Work("none.sum", (1_000,))


class Cut(Params):
    runs: int = parameter(10, title="Runs", description="x", ge=1, le=1_000)
    level: float = parameter(0.5, title="Level", description="x", ge=0, le=1)
    name: str = parameter("", title="Name", description="x")
    how: Literal["sum", "mean"] = parameter("sum", title="How", description="x")
    exact: bool = parameter(False, title="Exact", description="x")


def slept(*names: str) -> Analysis:
    return Analysis(name="none.sum", title="sum", params=Cut, reads=tuple(Cut.model_fields), repeats=names, compute=lambda *asked: 1)


@pytest.fixture(autouse=True)
def slow_where_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown analysis works through 20,000 values per second."""
    monkeypatch.setattr(durations, "VALUES_PER_S", 20_000)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder in which this process remembers; nothing is known beforehand."""
    monkeypatch.setattr(durations, "_measured", Durations(tmp_path / "nothing"))
    monkeypatch.setattr(durations, "_begun", {"none.sum"})
    durations._slower.cache_clear()
    durations.keep_in(tmp_path)
    yield tmp_path
    durations.keep_in(None)
    durations._slower.cache_clear()


def series(runs: int) -> CounterSeries:
    """Application a with that many runs and b with one, each of 50 intervals with two events."""
    keys = [(application, run, slot) for application, n in (("a", runs), ("b", 1)) for run in range(n) for slot in range(50)]
    counts = pd.DataFrame(np.ones((len(keys), 2)), columns=["A", "B"])
    return CounterSeries(intervals=pd.DataFrame(keys, columns=["application", "run", "interval"]), counts=counts, mode="OCOE")


def at(values: int) -> Work:
    return replace(THOUSAND, sizes=(values,))


# What is expected


def test_between_two_sizes_the_seconds_lie_between() -> None:
    runs = {at(1_000): 1.0, at(4_000): 4.0}
    assert predicted(at(2_000), runs) == pytest.approx(2)
    assert predicted(at(4_000), runs) == pytest.approx(4)
    assert predicted(at(8_000), runs) == pytest.approx(8)
    assert predicted(at(100), runs) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("seconds", "larger", "smaller"),
    [(1.0, 2, 1), (4.0, 8, 0.5), (16.0, 64, 0.5), (256.0, 1024, 0.5)],
    ids=["constant", "linear", "quadratic", "steeper than quadratic"],
)
def test_growth_is_at_least_linear_and_at_most_quadratic(seconds: float, larger: float, smaller: float) -> None:
    """One second at 1,000 values and `seconds` at 4,000; a smaller table saves at most in proportion."""
    runs = {at(1_000): 1.0, at(4_000): seconds}
    assert predicted(at(8_000), runs) == pytest.approx(larger)
    assert predicted(at(500), runs) == pytest.approx(smaller)


def test_a_table_is_as_large_as_the_measure_in_which_it_grew_most() -> None:
    runs = {Work("none.sum", (1_000, 4_000)): 1.0}
    assert predicted(Work("none.sum", (3_000, 3_000)), runs) == pytest.approx(3)
    assert predicted(Work("none.sum", (500, 8_000)), runs) == pytest.approx(2)


def test_the_run_with_the_same_choices_counts_whatever_its_size() -> None:
    mean, total = (replace(THOUSAND, choices=(("how", how),)) for how in ("mean", "sum"))
    runs = {mean: 5.0, replace(total, sizes=(10,)): 0.01}
    assert predicted(mean, runs) == 5
    assert predicted(total, runs) == pytest.approx(1)


def test_numbers_that_repeat_the_work_multiply_it() -> None:
    runs = {replace(THOUSAND, repeats=(("runs", 10.0),)): 1.0}
    assert predicted(replace(at(2_000), repeats=(("runs", 30.0),)), runs) == pytest.approx(6)


def test_an_unknown_analysis_is_a_job_unless_its_table_is_small() -> None:
    plugin = slept()
    assert plugin.seconds(np.zeros(10_000), Cut()) == pytest.approx(0.5)
    assert not plugin.is_long(np.zeros(20_000), Cut())
    assert plugin.is_long(np.zeros(20_001), Cut())


# What is remembered


def test_a_wrong_expectation_is_right_after_one_run(folder: Path) -> None:
    small = at(100)
    assert durations.expected(small) < LONG_S
    durations.record(small, 3.0)
    assert durations.expected(small) == 3
    large = at(10**6)
    durations.record(large, 0.5)
    assert durations.expected(large) == 0.5


def test_of_the_newest_runs_the_fastest_counts(folder: Path) -> None:
    for seconds in (1.0, 4.0, 2.0):
        durations.record(THOUSAND, seconds)
    assert durations.expected(THOUSAND) == 1
    durations.record(THOUSAND, 3.0)
    assert durations.expected(THOUSAND) == 2


def test_what_the_first_run_imports_and_compiles_is_not_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durations, "_begun", set())
    durations.record(at(100), 4.0)
    assert durations.expected(at(100)) == pytest.approx(0.005)
    durations.record(at(100), 4.0)
    assert durations.expected(at(100)) == 4
    monkeypatch.setattr(durations, "_begun", set())
    durations.record(at(100), 60.0)
    assert durations.expected(at(100)) == 4
    assert len((folder / durations.FILE).read_text().splitlines()) == 2


def test_short_runs_that_were_expected_write_nothing(folder: Path) -> None:
    durations.record(at(100), 0.01)
    assert not (folder / durations.FILE).exists()


@pytest.mark.parametrize(("times", "slowness"), [(2, 2), (0.8, 0.8), (0.1, 0.5), (100, 8)])
def test_a_computer_that_is_slower_is_expected_to_be_slower_in_all(folder: Path, times: float, slowness: float) -> None:
    known = durations._measured
    for name, seconds in (("none.sum", 1.0), ("none.other", 3.0)):
        known.add(Work(name, (1_000,)), seconds)
    durations.record(THOUSAND, times)
    assert durations.expected(THOUSAND) == pytest.approx(times)
    assert durations.expected(Work("none.other", (1_000,))) == pytest.approx(3 * slowness)


def test_another_choice_says_nothing_of_the_computer(folder: Path) -> None:
    durations._measured.add(THOUSAND, 1.0)
    durations.record(replace(THOUSAND, choices=(("how", "mean"),)), 7.0)
    assert durations.expected(THOUSAND) == 1


def test_another_process_reads_what_was_appended(folder: Path) -> None:
    other = Durations(folder / durations.FILE)
    assert other.of("none.sum") == {}
    durations.record(THOUSAND, 3.0)
    assert other.of("none.sum") == {THOUSAND: 3.0}
    other.add(at(2_000), 5.0)
    assert durations.expected(at(2_000)) == 5


DAMAGED = (
    b"",
    b"\xff\xfe\x00 no JSON\n",
    b"[" * 100_000 + b"\n",
    b'["none.sum", [1000], {}, {}, "", "x"]\n["none.sum", [0], {}, {}, "", 1]\n["none.sum", [], {}, {}, "", 1]\n["none.sum", [1], 5]\n',
    b'["none.sum", [1000], {}, {}, "", NaN]\n["none.sum", [1000], {}, {}, "", -1]\n["none.sum", [1000], {"how": []}, {}, "", 1]\n',
    b'["none.sum", [1000], {}, {}, "", 7',
)


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_of_a_damaged_file_the_rest_is_remembered(folder: Path, content: bytes) -> None:
    (folder / durations.FILE).write_bytes(content)
    assert durations.expected(THOUSAND) == pytest.approx(0.05)
    durations.record(THOUSAND, 2.0)
    durations.record(THOUSAND, 2.0)
    assert durations.expected(THOUSAND) == 2


def test_a_folder_that_cannot_be_written_is_no_error(folder: Path) -> None:
    (folder / durations.FILE).mkdir()
    durations.record(THOUSAND, 3.0)
    assert durations.expected(THOUSAND) == pytest.approx(0.05)
    durations.keep_in(folder / "not there")
    durations.record(THOUSAND, 3.0)
    assert durations.expected(THOUSAND) == pytest.approx(0.05)


def test_the_file_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durations, "MOST_BYTES", 4_000)
    sizes = [len((folder / durations.FILE).read_bytes()) for n in range(1, 301) if durations.record(at(n), 1.0 + n) is None]
    assert max(sizes) < 4_000 + 100
    known = Durations(folder / durations.FILE).of("none.sum")
    assert list(known)[-1] == at(300)
    assert len(known) == durations.MOST_WORKS
    assert [path.name for path in folder.iterdir()] == [durations.FILE]


def test_nothing_is_remembered_unless_it_is_said_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    slept().of(np.zeros(10))
    durations.record(THOUSAND, 9.0)
    assert list(tmp_path.iterdir()) == []


# Of analyses


def test_what_an_analysis_computes_is_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 3.0])
    monkeypatch.setattr("hemcore.analysis.time.perf_counter", lambda: next(clock))
    whole = Analysis(
        name="none.whole", title="whole", params=Cut, reads=(), part=slept(), parts=lambda table, params: [params, params], gather=len
    )
    table = series(runs=1)
    assert slept().of(table, Cut()) == 1
    assert slept().seconds(table, Cut()) == 3
    assert slept().is_long(table, Cut())
    # As long as all its parts.
    assert whole.seconds(table, Cut()) == 6
    assert Question(analysis=whole, dataset="a", params=Cut()).seconds(table) == 6


def test_params_that_multiply_are_those_that_the_analysis_declares() -> None:
    assert slept("runs")._work(np.zeros(50), Cut(level=0.25, how="mean")) == Work(
        "none.sum", (50, 50, 50), (("exact", False), ("how", "mean")), (("runs", 10.0),)
    )
    named = [slept()._work(np.zeros(50), Cut(name=name)).texts for name in ("", "a", "b")]
    assert named[0] == ""
    assert len(set(named)) == 3


def test_a_series_is_measured_by_one_application_where_one_is_asked_about() -> None:
    own = own_analyses()["segmentation.path"]
    assert durations.work_of("none", series(runs=3), Cut(), (), ()).sizes == (200, 400, 50)
    assert own._work(series(runs=3), own.params()).sizes == (100, 200, 50)


def test_every_analysis_was_measured_on_its_sample() -> None:
    names = {json.loads(line)[0] for line in (durations.PACKAGE / durations.FILE).read_text().splitlines()}
    own = own_analyses()
    assert names >= {name for name, each in own.items() if each.compute is not None}
    assert names <= set(own)
    assert all(durations._run_of(line) for line in (durations.PACKAGE / durations.FILE).read_bytes().splitlines())


# More than a second on the sample, at the defaults.
JOBS = {
    "compare.signatures_jobs",
    *("merge.compare", "merge.copula_rows", "mpx.network", "mpx.side_by_side", "mpx.train", "planning.cut", "planning.widths"),
    "segmentation.joint",
    *(f"prediction.{name}" for name in ("evaluation", "granularities", "program_intervals", "intervals", "cost_stack", "leak")),
    *("compare.series_stages", "compare.phases_waterfall"),
    *("metrics.over_table", "prediction.models_ready", "signatures.policies", "signatures.stability"),
}


@pytest.mark.slow
def test_what_is_quick_on_the_samples_is_computed_in_the_page() -> None:
    other = ("series-mpx", "phases-power")
    tables = {samples.kind(name): samples.load(name) for name in samples.names() if name not in other and "synthetic" not in name}
    powered = dict.fromkeys(("prediction.power", "prediction.watts"), samples.load("phases-power"))
    long = {name for name, each in own_analyses().items() if each.is_long(powered.get(name, tables[kind_of(each).__name__]), each.params())}
    assert long == JOBS
