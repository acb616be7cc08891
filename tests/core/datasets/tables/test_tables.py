"""The four typed tables check themselves; each message names the place, the value and the remedy."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.readers.repairs import number_columns
from hemcore.datasets.tables.checks import LARGEST
from hemcore.datasets.tables.counter_series import run_of
from hemcore.errors import HemError, TableError, UnknownNameError


def frame(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(columns)


def series(**changed: object) -> CounterSeries:
    given: dict = {
        "intervals": frame(application="sort", run=[1, 1, 2, 2], interval=[0, 1, 0, 1]),
        "counts": frame(Ir=[1.0, 2.0, 3.0, np.nan], Bc=[5, 6, 7, 8]),
        "mode": "OCOE",
    }
    return CounterSeries(**(given | changed))


def phases(**changed: object) -> PhaseTable:
    columns: dict = {"program": "sort", "granularity": 1000, "load": "single core", "phase": [0, 1], "CYCLES": [10, 20]}
    return PhaseTable(frame=frame(**(columns | changed)), counters=("CYCLES",))


def signatures(**changed: object) -> SignatureTable:
    columns: dict = {"JOBID": [1, 2], "CPI": [0.4, np.nan], "TPI": [0.1, 0.2], "MEM_GBS": [30.0, 40.0], "GFLOPS": [100.0, 0.0]}
    return SignatureTable(frame=frame(**(columns | changed)))


def test_hems_stand_in_order_of_first_reading_and_the_anchor_is_common() -> None:
    table = Subexperiments(frames=(frame(CYCLES=[1, 2], Ir=[3, 4]), frame(Bc=[5], CYCLES=[6])), n_pmcs=2)
    assert table.hems == ["CYCLES", "Ir", "Bc"]
    assert table.common_hems == ["CYCLES"]
    assert table.labels == ("subexperiment 1", "subexperiment 2")


def test_no_hem_in_common_is_an_empty_list() -> None:
    assert Subexperiments(frames=(frame(a=[1]), frame(b=[1])), n_pmcs=1).common_hems == []


def test_a_name_that_looks_like_markup_is_only_a_name() -> None:
    name = "<img src=x onerror=alert(1)>"
    assert Subexperiments(frames=(frame(**{name: [1], "=cmd()": [2]}),), n_pmcs=2).hems == [name, "=cmd()"]


@pytest.mark.parametrize(
    ("frames", "n_pmcs", "said"),
    [
        ((), 6, "no subexperiment"),
        ((frame(a=[1]),), 0, "n_pmcs: 0 must be at least 1"),
        ((pd.DataFrame(),), 6, "subexperiment 1: 0 rows x 0 columns"),
        ((frame(a=[]),), 6, "subexperiment 1: 0 rows x 1 columns"),
        ((frame(a=[1]), frame(a=[1], b=[1], c=[1])), 2, "subexperiment 2: 3 HEMs, but 2 PMCs"),
        ((frame(a=[1], b=["x"]),), 2, "column 'b', row 1: 'x' is not a number"),
        ((frame(a=["1", "2", "many"]),), 2, "column 'a', row 3: 'many' is not a number"),
        ((frame(a=[1.0, np.inf]),), 2, "column 'a', row 2: inf must be a finite number"),
        ((frame(a=[1, 2, -3]),), 2, "column 'a', row 3: -3 must be at least 0"),
        ((frame(a=[True, False]),), 2, "is not a number"),
        ((frame(**{" ": [1]}),), 2, "column 1 is named ' '"),
        ((pd.DataFrame([[1, 2]], columns=["a", "a"]),), 2, "'a' appears more than once"),
        ((pd.DataFrame([[1, 2]], columns=[1, 2]),), 2, "column 1 is named 1"),
    ],
)
def test_bad_subexperiments_say_what_is_wrong(frames: tuple, n_pmcs: int, said: str) -> None:
    with pytest.raises(TableError) as error:
        Subexperiments(frames=frames, n_pmcs=n_pmcs)
    assert said in str(error.value)


def test_labels_are_one_a_subexperiment() -> None:
    with pytest.raises(TableError, match="2 labels for 1 subexperiments"):
        Subexperiments(frames=(frame(a=[1]),), n_pmcs=1, labels=("one", "two"))


def test_a_count_that_was_not_measured_stays_nan() -> None:
    assert np.isnan(series().counts["Ir"].iloc[3])
    assert np.isnan(signatures().frame["CPI"].iloc[1])


def test_changing_the_argument_later_changes_no_table() -> None:
    given = frame(a=[1, 2])
    table = Subexperiments(frames=(given,), n_pmcs=1)
    given.loc[0, "a"] = 99
    assert table.frames[0]["a"].tolist() == [1, 2]


def test_one_run_of_a_series() -> None:
    table = series(mode="MPX", share=frame(Ir=[1.0, 1, 0.25, 0], Bc=[1.0, 1, 1, 1]))
    run = table.run("sort", 2)
    assert table.runs("sort") == [1, 2]
    assert run.counts["Bc"].tolist() == [7, 8]
    assert run.share is not None
    assert run.share["Ir"].tolist() == [0.25, 0]
    assert run.intervals["interval"].tolist() == [0, 1]


def test_an_unknown_run_or_application_lists_those_that_are() -> None:
    with pytest.raises(UnknownNameError, match="'merge' is not in this series; it has 'sort'"):
        series().runs("merge")
    with pytest.raises(UnknownNameError, match="3 is not a run of 'sort'; its runs are '1', '2'"):
        series().run("sort", 3)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mode": "both"}, "mode: 'both' must be one of 'OCOE', 'MPX'"),
        ({"counts": frame(Ir=[1, 2, 3])}, "4 rows, but counts has 3"),
        ({"counts": pd.DataFrame(index=range(4))}, "4 rows x 0 columns"),
        ({"counts": frame(Ir=[1, 2, 3, -1])}, "column 'Ir', row 4: -1 must be at least 0"),
        ({"intervals": frame(run=[1] * 4, interval=range(4))}, "no column 'application'"),
        ({"intervals": frame(application="s", run=1, interval=[0, 1, 2, 2])}, "row 4 repeats an earlier row"),
        ({"intervals": frame(application="s", run=1, interval=[0, 2, 1, 3])}, "row 3: interval 1 comes after a larger one"),
        ({"intervals": frame(application=["s", None, "s", "s"], run=1, interval=range(4))}, "column 'application', row 2 is empty"),
        ({"share": frame(Ir=[1.0] * 4)}, "share: must have the rows and the columns of counts"),
        ({"share": frame(Ir=[1.0] * 4, Bc=[1, 1, 50, 1])}, "column 'Bc', row 3: 50 must be at most 1"),
    ],
)
def test_bad_series_say_what_is_wrong(changed: dict, said: str) -> None:
    with pytest.raises(TableError) as error:
        series(**changed)
    assert said in str(error.value)


def test_what_a_phase_table_holds() -> None:
    table = phases(load=["dual core no load", "single core"])
    assert table.programs == ["sort"]
    assert table.granularities == [1000]
    assert table.loads == ["single core", "dual core no load"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"load": ["single core", " "]}, "column 'load', row 2: ' ' must be a text, such as 'single core'. Name the load"),
        ({"load": [1, 1]}, "column 'load', row 1: 1 must be a text"),
        ({"load": ["single core", None]}, "column 'load', row 2 is empty"),
        ({"phase": [1, 1]}, "row 2 repeats an earlier row"),
        ({"phase": [0, -1]}, "column 'phase', row 2: -1 must be at least 0"),
        ({"granularity": [0, 1]}, "column 'granularity', row 1: 0 must be at least 1"),
        (
            {"granularity": 0.5},
            "column 'granularity', row 1: 0.5 must be in every row a whole number of at least 1, or in every row a text",
        ),
        ({"granularity": ["segment", 1000]}, "column 'granularity', row 2: 1000 must be in every row a whole number"),
        ({"granularity": [1000, "segment"]}, "column 'granularity', row 1: 1000 must be in every row a whole number"),
        ({"granularity": ["segment", ""]}, "column 'granularity', row 2: '' must be"),
        ({"granularity": [True, False]}, "column 'granularity', row 1: True must be in every row a whole number"),
        ({"granularity": [None, "segment"]}, "column 'granularity', row 1 is empty"),
        ({"phase": [0.0, 1.0]}, "column 'phase' must hold whole numbers; it holds float64 values"),
        ({"CYCLES": [1, -1]}, "column 'CYCLES', row 2: -1 must be at least 0"),
        ({"program": [None, "a"]}, "column 'program', row 1 is empty"),
    ],
)
def test_bad_phases_say_what_is_wrong(changed: dict, said: str) -> None:
    with pytest.raises(TableError) as error:
        phases(**changed)
    assert said in str(error.value)


def test_any_load_and_a_granularity_in_words() -> None:
    table = phases(
        load=["under perf", "dual core full load", "idle", "single core", "under perf"],
        granularity=["whole run", "segment", "segment", "segment", "segment"],
        phase=0,
        CYCLES=1,
    )
    assert table.loads == ["single core", "dual core full load", "under perf", "idle"]
    assert table.granularities == ["whole run", "segment"]


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint16"])
def test_granularities_in_numbers_ascend(dtype: str) -> None:
    column = pd.Series([30_000, 1_000, 3_000], dtype=dtype)  # type: ignore[call-overload]
    assert phases(granularity=column, phase=0, CYCLES=1).granularities == [1_000, 3_000, 30_000]


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_granularities_in_words_stand_as_they_came(dtype: str) -> None:
    column = pd.Series(["whole run", "segment", "a"], dtype=dtype)  # type: ignore[call-overload]
    assert phases(granularity=column, phase=0, CYCLES=1).granularities == ["whole run", "segment", "a"]


def test_a_phase_table_needs_counters_that_are_there() -> None:
    with pytest.raises(TableError, match="no column 'Ir'"):
        PhaseTable(frame=phases().frame, counters=("Ir",))
    with pytest.raises(TableError, match="none named"):
        PhaseTable(frame=phases().frame, counters=())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"CPI": [0.4, -1]}, "column 'CPI', row 2: -1 must be at least 0"),
        ({"MEM_GBS": ["30", "fast"]}, "column 'MEM_GBS', row 2: 'fast' is not a number"),
        ({"JOBID": [1, 1]}, "row 2 repeats an earlier row (JOBID 1)"),
    ],
)
def test_bad_signatures_say_what_is_wrong(changed: dict, said: str) -> None:
    with pytest.raises(TableError) as error:
        signatures(**changed)
    assert said in str(error.value)


def test_signatures_without_identifiers_may_repeat() -> None:
    table = SignatureTable(frame=pd.concat([signatures().frame.drop(columns="JOBID")] * 2))
    assert table.identifiers == []
    assert len(table.frame) == 4


ABOVE = "row 2: 1.1e+30 must be at most 1e+30. No counter reaches that: check the unit and the decimal separator, or leave the value empty."
BEYOND: dict[str, tuple[Callable[[float], object], str]] = {
    "subexperiment": (lambda value: Subexperiments(frames=(frame(a=[1, value]),), n_pmcs=1), "subexperiment 1: column 'a'"),
    "its truth": (lambda value: Subexperiments(frames=(frame(a=[1]),), n_pmcs=1, truth=frame(a=[1, value])), "truth: column 'a'"),
    "series": (lambda value: series(counts=frame(Ir=[1, value, 3, 4])), "counts: column 'Ir'"),
    "its truth, too": (lambda value: series(truth=frame(Ir=[1, value, 3, 4], Bc=[1, 2, 3, 4])), "truth: column 'Ir'"),
    "its times": (
        lambda value: series(intervals=frame(application="s", run=1, interval=range(4), time=[0, value, 1, 2])),
        "intervals: column 'time'",
    ),
    "phases": (lambda value: phases(CYCLES=[1, value]), "phases: column 'CYCLES'"),
    "what describes phases": (lambda value: phases(time=[1, value]), "phases: column 'time'"),
    "signatures": (lambda value: signatures(GFLOPS=[1, value]), "signatures: column 'GFLOPS'"),
    "what describes signatures": (lambda value: signatures(GPU_POWER_W=[1, value]), "signatures: column 'GPU_POWER_W'"),
}


@pytest.mark.parametrize("place", BEYOND)
def test_a_number_that_no_counter_reaches_is_refused_in_every_table(place: str) -> None:
    make, where = BEYOND[place]
    make(LARGEST)
    with np.errstate(all="raise"), pytest.raises(TableError) as error:
        make(1.1e30)
    assert str(error.value) == f"{where}, {ABOVE}"


def test_a_description_below_the_bound_is_refused_too_and_may_be_infinite() -> None:
    with pytest.raises(TableError, match="column 'time', row 1: -2e\\+30 must be at least -1e\\+30"):
        phases(time=[-2e30, 0])
    assert phases(time=[-np.inf, np.inf]).frame["time"].tolist() == [-np.inf, np.inf]


def test_every_error_is_a_hem_error_and_a_value_error() -> None:
    assert issubclass(TableError, HemError)
    assert issubclass(HemError, ValueError)


def test_how_a_series_was_counted_can_be_said_afterwards() -> None:
    turns = series().counted("MPX", 0.25)
    assert turns.mode == "MPX"
    assert turns.share is not None
    assert turns.share["Ir"].tolist() == [0.25, 0.25, 0.25, 0]  # what is blank was not counted
    assert turns.counts["Bc"].tolist() == [5, 6, 7, 8]
    assert series().counted("MPX").share is None
    again = turns.counted("OCOE")
    assert (again.mode, again.share) == ("OCOE", None)
    with pytest.raises(TableError, match="share: 25 must be above 0 and at most 1"):
        series().counted("MPX", 25)


@pytest.mark.parametrize(
    ("applications", "runs", "expected"),
    [
        (["a", "a", "a"], [1, 1, 1], [0, 0, 0]),
        (["a", "a", "a"], [2, 1, 2], [0, 1, 0]),
        (["b", "a", "b"], [1, 1, 1], [0, 1, 0]),
        (["b", "b", "a", "b"], [2, 1, 2, 2], [0, 1, 2, 0]),
        ([], [], []),
    ],
)
def test_runs_are_numbered_in_order_of_first_appearance(applications: list[str], runs: list[int], expected: list[int]) -> None:
    assert run_of(pd.DataFrame({"application": applications, "run": runs})).tolist() == expected


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([True, False], "holds bool values"),
        ([1j, 2j], "holds complex128 values"),
        (pd.to_datetime(["2026-03-12", "2026-03-13"]), "holds datetime64"),
        (["5", "six"], "row 2: 'six' is not a number"),
        ([1.0, np.inf], "row 2: inf must be finite"),
    ],
)
def test_columns_that_are_no_counts_are_named(values: object, said: str) -> None:
    with pytest.raises(TableError, match=f"f: column 'a',? {said}"):
        number_columns(pd.DataFrame({"a": values}), "f")
    assert number_columns(pd.DataFrame({"a": ["5", None]}), "f")["a"].tolist()[0] == 5
