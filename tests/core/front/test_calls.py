"""Calls that somebody with a notebook tries: each is answered, or refused in a sentence that says what to do."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hemcore as hem

RNG = np.random.default_rng(0)
LEVELS = np.repeat([100.0, 500.0, 50.0], [80, 60, 40])
CURVE = RNG.poisson(LEVELS).astype(float)
TIMES = pd.date_range("2026-01-01", periods=len(CURVE), freq="s")
FRAME = pd.DataFrame({"CYCLES": CURVE, "MISSES": RNG.poisson(LEVELS / 10).astype(float)})
TIMED = FRAME.set_index(TIMES)
HIDDEN = FRAME.where(np.add.outer(np.arange(len(FRAME)), np.arange(2)) % 2 == 0)


def _runs(hems: str, seed: int, runs: int = 80) -> pd.DataFrame:
    common = np.random.default_rng(seed).normal(size=runs)
    noise = np.random.default_rng(seed + 100)
    return pd.DataFrame({name: 1000 + 100 * common + 30 * noise.normal(size=runs) for name in hems})


PARTS = [_runs("ABC", 1), _runs("ADE", 2), _runs("BCD", 3), _runs("BCE", 4)]
PROGRAMS = pd.DataFrame(
    {
        "program": np.repeat(["one", "two", "three", "four"], 12),
        "CYCLES": 0.0,
        "INSTRUCTIONS": RNG.uniform(1e6, 2e6, 48),
        "MISSES": RNG.uniform(1e3, 2e3, 48),
    }
)
PROGRAMS["CYCLES"] = PROGRAMS["INSTRUCTIONS"] + 50 * PROGRAMS["MISSES"]
JOBS = pd.DataFrame({"CPI": RNG.uniform(0.3, 1, 40), "TPI": 1.0, "MEM_GBS": RNG.uniform(0, 400, 40), "GFLOPS": RNG.uniform(1, 900, 40)})
MULTI = FRAME.set_axis(pd.MultiIndex.from_product([["core 0"], FRAME.columns]), axis=1)
FAST: dict[str, Any] = {"models": ["cost per event"]}


def _folder(tmp: Path) -> Path:
    for number, part in enumerate(PARTS):
        part.to_csv(tmp / f"part_{number}.csv", index=False)
    return tmp


def _csv(tmp: Path) -> Path:
    FRAME.rename_axis("interval").to_csv(tmp / "curve.csv")
    return tmp / "curve.csv"


class _FromElsewhere:
    """A frame of another package."""

    def to_pandas(self) -> pd.DataFrame:
        return FRAME


# What is called, in words; the call; whether it is answered, or else words of the sentence that refuses it.
Call = tuple[str, Callable[[Path], Any], str]
ANSWERED = ""
CALLS: list[Call] = [
    ("segment a Series", lambda tmp: hem.segment(FRAME["CYCLES"]), ANSWERED),
    ("segment a Series with times", lambda tmp: hem.segment(TIMED["CYCLES"]), ANSWERED),
    ("segment an array", lambda tmp: hem.segment(CURVE), ANSWERED),
    ("segment a list", lambda tmp: hem.segment(CURVE.tolist()), ANSWERED),
    ("segment a generator", lambda tmp: hem.segment(value for value in CURVE), ANSWERED),
    ("segment a 2-D array", lambda tmp: hem.segment(FRAME.to_numpy()), ANSWERED),
    ("segment a frame", lambda tmp: hem.segment(FRAME), ANSWERED),
    ("segment an event of a frame", lambda tmp: hem.segment(FRAME, "MISSES", threshold=20), ANSWERED),
    ("segment all events together", lambda tmp: hem.segment(TIMED, joint=True), ANSWERED),
    ("segment runs in a list", lambda tmp: hem.segment([FRAME, FRAME.iloc[:150]]), ANSWERED),
    ("segment a mapping of applications", lambda tmp: hem.segment({"a": FRAME, "b": FRAME}, application="b"), ANSWERED),
    ("segment a mapping of columns", lambda tmp: hem.segment({"CYCLES": CURVE.tolist()}), ANSWERED),
    ("segment another package's frame", lambda tmp: hem.segment(_FromElsewhere()), ANSWERED),
    ("segment with a column of bools and one of text", lambda tmp: hem.segment(FRAME.assign(on=True, host="node")), ANSWERED),
    ("segment integers that may be missing", lambda tmp: hem.segment(FRAME["CYCLES"].astype("Int64")), ANSWERED),
    ("segment a path", lambda tmp: hem.segment(_csv(tmp), "CYCLES"), ANSWERED),
    ("segment a text path", lambda tmp: hem.segment(str(_csv(tmp))), ANSWERED),
    ("segment a sample by name", lambda tmp: hem.segment("series-ocoe", "Dr", threshold=50, statistic="rms"), ANSWERED),
    ("segment nothing", lambda tmp: hem.segment(), "no data was given"),
    ("segment None in a list", lambda tmp: hem.segment([None]), "not a table"),
    ("segment an empty frame", lambda tmp: hem.segment(pd.DataFrame()), "at least one"),
    ("segment an empty array", lambda tmp: hem.segment(np.array([])), "at least one"),
    ("segment a number", lambda tmp: hem.segment(3), "not a table of counts"),
    ("segment columns in levels", lambda tmp: hem.segment(MULTI), "Join them"),
    ("segment an event that is not there", lambda tmp: hem.segment(FRAME, "INSTRUCTIONS"), "it has 'CYCLES', 'MISSES'"),
    ("segment with a misspelt parameter", lambda tmp: hem.segment(FRAME, treshold=3), "no such parameter"),
    ("segment with a threshold in words", lambda tmp: hem.segment(FRAME, threshold="high"), "threshold: 'high' does not fit"),
    ("segment times that do not ascend", lambda tmp: hem.segment(TIMED.iloc[::-1]), "sort_index"),
    ("segment subexperiments", lambda tmp: hem.segment(hem.load("subexperiments-much")), "Use hem.merge"),
    ("merge a list of frames", lambda tmp: hem.merge(PARTS, n_runs=100), ANSWERED),
    ("merge a mapping of frames by HRM", lambda tmp: hem.merge({"a": PARTS[0], "b": PARTS[1]}, "hrm", anchor_hem="A"), ANSWERED),
    ("merge a folder by MUCH", lambda tmp: hem.merge(_folder(tmp), method="MUCH", dep_lvl=1.0, n_runs=100), ANSWERED),
    ("merge a generator", lambda tmp: hem.merge((each for each in PARTS), n_runs=100), ANSWERED),
    ("merge by a method that is none", lambda tmp: hem.merge(PARTS, "mvg"), "copula, much, hrm"),
    ("merge one frame", lambda tmp: hem.merge(PARTS[0]), "one frame per subexperiment"),
    ("plan names", lambda tmp: hem.plan(list("ABCDEFG"), 3), ANSWERED),
    ("plan without counters", lambda tmp: hem.plan(["A", "B"], n_pmcs=0), "n_pmcs: 0"),
    ("estimate a frame with gaps", lambda tmp: hem.estimate(HIDDEN, "linear"), ANSWERED),
    ("estimate by a method that is none", lambda tmp: hem.estimate(HIDDEN, method="magic"), "method: 'magic' does not fit"),
    ("evaluate a frame", lambda tmp: hem.evaluate(PROGRAMS, "CYCLES", **FAST), ANSWERED),
    ("evaluate without a program", lambda tmp: hem.evaluate(PROGRAMS.drop(columns="program")), "program='column'"),
    ("evaluate a target that is not there", lambda tmp: hem.evaluate(PROGRAMS, target="POWER", **FAST), "'POWER' is not a counter"),
    ("classify a frame", lambda tmp: hem.classify(JOBS), ANSWERED),
    ("classify without a metric", lambda tmp: hem.classify(JOBS.drop(columns="TPI")), "no column 'TPI'"),
]


def test_there_are_44() -> None:
    assert len(CALLS) == len({words for words, _, _ in CALLS}) == 44


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize(("call", "refusal"), [each[1:] for each in CALLS], ids=[words for words, _, _ in CALLS])
def test_a_call_is_answered_or_refused_in_a_sentence(call: Callable[[Path], Any], refusal: str, tmp_path: Path) -> None:
    if refusal:
        with pytest.raises(hem.HemError) as found:
            call(tmp_path)
        assert refusal in str(found.value)
        assert len(str(found.value)) < 600
        return
    answer = call(tmp_path)
    assert isinstance(answer, hem.Answer)
    assert isinstance(answer.table, pd.DataFrame)
    assert len(answer.table)
    assert answer.verdict.answer
    assert answer.cards


# What the answers are, by hand


def test_change_points_are_found_with_their_times() -> None:
    table = hem.segment(TIMED.tz_localize("Europe/Vienna")["CYCLES"]).table
    assert list(table["start"]) == [0, 80, 140]
    assert list(table["stop"]) == [80, 140, 180]
    begin = pd.Timestamp("2026-01-01", tz="Europe/Vienna")
    assert [(time - begin).total_seconds() for time in table["start_time"]] == [0, 80, 140]
    assert [(time - begin).total_seconds() for time in table["stop_time"]] == [80, 140, 180]
    assert list(table["start_s"]) == [0, 80, 140]


def test_each_run_has_its_own_times() -> None:
    later = FRAME.set_index(TIMES + pd.Timedelta("1D"))
    table = hem.segment([TIMED, later], "CYCLES").table
    assert set(table["start_time"].dt.day[table["run"] == 1]) == {1}
    assert set(table["start_time"].dt.day[table["run"] == 2]) == {2}


def test_slots_that_are_estimated_have_times() -> None:
    table = hem.estimate(HIDDEN.set_index(TIMES), "linear").table
    assert list((table["time"] - TIMES[0]).dt.total_seconds()) == list(table["interval"])
    assert (table["estimate"] >= 0).all()


def test_the_program_may_be_any_column_of_text_or_in_the_index() -> None:
    named = hem.evaluate(PROGRAMS.rename(columns={"program": "kernel"}), **FAST)
    assert "'kernel' was used as the program" in repr(named.data.repairs)
    indexed = hem.evaluate(PROGRAMS.set_index("program"), **FAST)
    pd.testing.assert_frame_equal(named.table, indexed.table)
    asked = hem.evaluate(PROGRAMS.assign(host="x").rename(columns={"program": "kernel"}), program="kernel", **FAST)
    pd.testing.assert_frame_equal(named.table, asked.table)


def test_columns_that_are_no_counts_are_listed() -> None:
    data = hem.segment(FRAME.assign(on=True, host="node")).data
    assert data.events == ["CYCLES", "MISSES"]
    assert list(data.repairs.frame["column"]) == ["on", "host"]


def test_nothing_that_was_given_is_changed() -> None:
    before = FRAME.copy()
    answer = hem.segment(FRAME)
    answer.table["start"] = -1
    pd.testing.assert_frame_equal(FRAME, before)
    assert answer.result.segments["start"].iloc[0] == 0


def test_one_frame_is_cut_into_its_subexperiments() -> None:
    long = pd.concat([part.assign(subexperiment=number) for number, part in enumerate(PARTS)], ignore_index=True)
    side_by_side = pd.concat(PARTS[:2], axis=1)
    for frame, parts in ((long, 4), (long.drop(columns="subexperiment"), 4), (side_by_side, 2)):
        assert len(hem.merge(frame, n_runs=50, swaps=0).data.frames) == parts


def test_the_top_level_merge_is_there_after_its_package_was_imported() -> None:
    from hemcore import merge
    from hemcore.merge import merge_hrm

    assert callable(merge_hrm)
    assert len(merge(PARTS[:2], "hrm").table) == len(hem.merge(PARTS[:2], method="hrm").table)


# Reading


def test_reads_what_an_upload_reads_and_tells_its_repairs(tmp_path: Path) -> None:
    _folder(tmp_path)
    PARTS[0].assign(ZERO=0.0).to_csv(tmp_path / "part_0.csv", index=False)
    with pytest.warns(hem.RepairWarning, match="ZERO"):
        table = hem.read(tmp_path)
    assert repr(table) == "Subexperiments: 4 subexperiments, 5 HEMs, 4 PMCs, 1 HEM not read, 80 runs each"
    assert len(table.repairs) == 1
    assert "ZERO" in table.repairs._repr_html_()


def test_reads_paths_patterns_open_files_and_bytes(tmp_path: Path) -> None:
    path = _csv(tmp_path)
    with path.open("rb") as opened:
        sources: list[Any] = [path, str(path), [path], str(tmp_path / "*.csv"), opened, path.read_bytes(), io.StringIO(path.read_text())]
        for source in sources:
            pd.testing.assert_frame_equal(hem.read(source).counts, FRAME, check_dtype=False)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, "is not a file"),
        ([], "empty list"),
        ("nothing.csv", "hem.load"),
        ("*.none", "no matching file"),
        (FRAME, "already in memory"),
    ],
)
def test_what_cannot_be_read_is_told(source: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(hem.HemError, match=words):
        hem.read(source)


def test_samples_load_by_name() -> None:
    assert set(hem.samples().columns) == {"name", "title", "kind"}
    assert type(hem.load("hems-t2080")).__name__ == hem.samples().set_index("name")["kind"]["hems-t2080"]
    with pytest.raises(hem.HemError, match="'series-ocoe'"):
        hem.load("series")


# The answer in a notebook


def test_an_answer_shows_itself_and_escapes_what_is_in_it() -> None:
    nasty = "<script>alert(1)</script>"
    answer = hem.segment(pd.Series(CURVE, name=nasty))
    shown = answer._repr_html_()
    assert nasty not in shown
    assert "&lt;script&gt;" in shown
    assert "<svg" in shown
    assert "Threshold" in repr(answer)
    assert len(repr(answer).splitlines()) < 12


def test_an_answer_draws_its_pictures() -> None:
    answer = hem.segment(FRAME, threshold=20)
    assert "segments" in answer.pictures
    assert type(answer.plot()).__name__ == "Figure"
    assert type(answer.plot("path")).__name__ == "Figure"
    with pytest.raises(hem.HemError, match="is not a picture"):
        answer.plot("pie")
    with pytest.raises(hem.HemError, match="has no picture"):
        hem.segment(FRAME, joint=True).plot()


def test_without_plotly_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    answer = hem.segment(FRAME["CYCLES"])
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(hem.HemError, match="pip install 'plotly"):
        answer.plot()


def test_a_name_that_is_not_there_lists_what_is() -> None:
    with pytest.raises(AttributeError, match="segment"):
        hem.segmentise  # noqa: B018
    assert {"read", "merge", "segment"} <= set(dir(hem))
