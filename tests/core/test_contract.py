"""What every analysis keeps to, on ordinary tables and on odd ones.

Analyses are found by hemcore.analysis; which tables one is given is read from the annotation of its first argument. A new analysis is
held to this as it is; one of a new kind of table needs tables of that kind in TABLES.
"""

import contextlib
import copy
import dataclasses
import functools
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Analysis
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.checks import LARGEST
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, TableError
from hemcore.params import Params, control
from tests.core.kinds import kind_of, own_analyses

EVERY = own_analyses()
LONG = "A_VERY_LONG_NAME_OF_AN_EVENT:" + "u" * 400
# In whose tables NaN stands for what EAR did not measure, what nothing is compared with, the error where no program could be left out, or
# a metric one of whose events was not read, how many runs settle what is decided, a factor where nothing could be checked, or
# an interval that too few programs cannot give.
UNMEASURED = (
    "compare.runs",
    "compare.runs_replicates",
    "compare.series",
    "compare.series_replicates",
    "compare.phases",
    "compare.phases_replicates",
    "compare.signatures",
    "compare.signatures_replicates",
    "compare.runs_contradictions",
    "compare.series_contradictions",
    "compare.phases_contradictions",
    "compare.signatures_contradictions",
    "compare.signatures_jobs",
    "compare.runs_set_levels",
    "compare.series_set_levels",
    "compare.phases_set_levels",
    "compare.signatures_set_levels",
    "compare.series_stages",
    "compare.phases_stages",
    "compare.phases_waterfall",
    "metrics.over_runs",
    "metrics.over_table",
    "metrics.over_time",
    "metrics.course",
    "metrics.by_phase",
    "metrics.by_signature",
    "signatures.job",
    "signatures.policies",
    "signatures.stability",
    "prediction.models_ready",
    "prediction.what_if",
    "prediction.totals",
    "prediction.power",
    "prediction.watts",
)
# Longest work that a case of this test may be, by the analysis's own estimate: bounds that mean more are tried on smaller tables alone.
_MOST_S = 1.1


def counts(n: int, *names: str) -> pd.DataFrame:
    """Counts of three levels with noise that the events share in part."""
    random = np.random.default_rng(n)
    level = np.repeat([1e4, 9e4, 3e4], -(-n // 3))[:n]
    return pd.DataFrame({name: np.rint(level * random.uniform(0.8, 1.2, n) + 1e4 * random.uniform(0, 1, n)) for name in names})


def of_every_kind(make: Callable[[pd.DataFrame], Any]) -> dict[str, Callable[[], Any]]:
    """Tables that any kind has: `make` turns counts (rows: intervals, runs, phases or jobs) into one."""
    names = ("A", "B", "C")
    frames: dict[str, Callable[[], pd.DataFrame]] = {
        "ordinary": lambda: counts(60, *names),
        "constant": lambda: counts(60, *names) * 0 + 7,
        "one constant column": lambda: counts(60, *names).assign(B=5.0),
        "zeros": lambda: counts(60, *names) * 0,
        "one column all NaN": lambda: counts(60, *names).assign(B=np.nan),
        "first column all NaN": lambda: counts(60, *names).assign(A=np.nan),
        "all NaN": lambda: counts(60, *names) * np.nan,
        "NaN here and there": lambda: counts(60, *names).mask(np.random.default_rng(1).random((60, 3)) < 0.2),
        "one row": lambda: counts(1, *names),
        "two rows": lambda: counts(2, *names),
        "three rows": lambda: counts(3, *names),
        "one column": lambda: counts(60, "A"),
        "one value": lambda: counts(1, "A"),
        "1e29": lambda: counts(60, *names) * 1e24,
        "1e29 in one value": lambda: counts(60, *names).assign(A=[1e29, *range(59)]),
        "the largest count": lambda: counts(60, *names) * 0 + LARGEST,
        "1e20": lambda: counts(60, *names) * 1e15,
        "1e-300": lambda: counts(60, *names) * 1e-304,
        "around 2**53": lambda: 2.0**53 + np.rint(counts(60, *names) / 1e4),
        "around 2**53, whole": lambda: 2**53 + np.rint(counts(60, *names) / 1e4).astype(np.int64),
        "around 2**63, whole": lambda: 2**63 + np.rint(counts(60, *names) / 1e4).astype(np.uint64),
        "long names": lambda: counts(60, LONG, f"{LONG}2", "<script>alert('1')</script>"),
        "odd names": lambda: counts(60, "self", "=cmd()", "\N{RIGHT-TO-LEFT OVERRIDE}name"),
        "values twice": lambda: pd.concat([counts(20, *names)] * 3, ignore_index=True),
        "columns twice": lambda: counts(60, "A").assign(B=lambda each: each["A"], C=lambda each: each["A"]),
        "two values": lambda: counts(60, *names).gt(4e4).astype(float),
        "one step": lambda: counts(60, *names) * 0 + np.repeat([0.0, 1.0], 30)[:, None],
        "a spike": lambda: counts(60, *names) * 0 + np.eye(1, 60, 17).T * 1e9,
    }  # fmt: skip
    return {name: lambda frame=frame: make(frame()) for name, frame in frames.items()}


def one_run(frame: pd.DataFrame) -> CounterSeries:
    intervals = pd.DataFrame({"application": "p", "run": 1, "interval": np.arange(len(frame))})
    return CounterSeries(intervals=intervals, counts=frame, mode="OCOE")


def three_runs(frame: pd.DataFrame) -> CounterSeries:
    """Runs of different lengths with times, stages and shares."""
    parts = [frame, frame.iloc[: -(-len(frame) // 2)], frame.iloc[: -(-len(frame) // 3)]]
    intervals = [
        pd.DataFrame({"application": "p", "run": run, "interval": np.arange(len(part)), "time": 0.5 * np.arange(1, len(part) + 1)}).assign(
            stage=np.where(np.arange(len(part)) < len(part) / 3, "a", "b")
        )
        for run, part in enumerate(parts)
    ]
    together = pd.concat(parts, ignore_index=True)
    share = pd.DataFrame(np.random.default_rng(0).random(together.shape), columns=together.columns)
    return CounterSeries(intervals=pd.concat(intervals, ignore_index=True), counts=together, mode="MPX", share=share)


def one_subexperiment(frame: pd.DataFrame) -> Subexperiments:
    return Subexperiments(frames=(frame,), n_pmcs=frame.shape[1])


def with_an_anchor(frame: pd.DataFrame) -> Subexperiments:
    """The first HEM is read with each other one, in as many runs as there are and in half of them."""
    anchor, *others = frame.columns
    halves = [frame[[anchor, other]].iloc[: len(frame) // (1 + place % 2) or 1] for place, other in enumerate(others)]
    return Subexperiments(frames=tuple(halves) or (frame,), n_pmcs=2)


def phases(frame: pd.DataFrame) -> PhaseTable:
    places = np.arange(len(frame))
    keys = pd.DataFrame({"program": "p", "granularity": 1000, "load": "single core", "phase": places})
    return PhaseTable(frame=pd.concat([keys, frame], axis=1), counters=tuple(frame.columns))


def whole_runs(table: PhaseTable) -> PhaseTable:
    """The phases as whole runs, as a merge has them."""
    return dataclasses.replace(table, frame=table.frame.assign(granularity="whole run"))


def several_programs(frame: pd.DataFrame) -> PhaseTable:
    """The same, of up to five programs in turns, under two loads."""
    places = np.arange(len(frame))
    keys = pd.DataFrame(
        {"program": [f"p{place % 5}" for place in places], "granularity": 1000, "load": "single core", "phase": places // 5}
    )
    one = pd.concat([keys, frame], axis=1)
    return PhaseTable(frame=pd.concat([one, one.assign(load="dual core full load")], ignore_index=True), counters=tuple(frame.columns))


def job_signatures(frame: pd.DataFrame) -> SignatureTable:
    """The columns are the metrics, in turns; two policies, of which one is monitoring."""
    n = len(frame)
    metrics = {name: frame.iloc[:, place % frame.shape[1]] for place, name in enumerate(METRICS)}
    others = frame.iloc[:, -1].to_numpy()
    jobs = pd.DataFrame(metrics | {"TIME_SEC": others, "DC_NODE_POWER_W": others, "CYCLES": others, "INSTRUCTIONS": others})
    policies = np.where(np.arange(n) % 2, "min_energy_to_solution", "monitoring")
    return SignatureTable(frame=jobs.assign(JOBID=np.arange(n), JOBNAME="<b>p", POLICY=policies, POLICY_TH=0.05, DEF_FREQ_KHZ=2_600_000))


def loop_signatures(frame: pd.DataFrame) -> SignatureTable:
    """As `job_signatures`, loops of two jobs."""
    jobs = job_signatures(frame).frame.drop(columns=["POLICY", "POLICY_TH"])
    places = np.arange(len(frame))
    return SignatureTable(frame=jobs.assign(JOBID=places % 2, STEPID=0, LOOPID=places, TIMESTAMP=1_700_000_000 + 10 * places))


def hems(n: int, **columns: list[str]) -> HemList:
    return HemList(frame=pd.DataFrame({"hem": [f"HEM_{number}" for number in range(n)]} | columns))


LISTS: dict[str, Callable[[], HemList]] = {
    "ordinary": lambda: hems(9),
    "one value": lambda: hems(1),
    "two HEMs": lambda: hems(2),
    "NaN here and there": lambda: hems(6, counters=["0", np.nan, "fixed", None, "", "1 0"]),
    "all on one counter": lambda: hems(5, counters=["0"] * 5),
    "each with a counter of its own": lambda: hems(5, counters=[f"own{number}" for number in range(5)]),
    "two share a fixed counter": lambda: hems(9, counters=["fixed", "fixed 1", *[""] * 7]),
    "no PMC of that number": lambda: hems(3, counters=["99", "", ""]),
    "one of them at a time": lambda: hems(5, limit=["all:1"] * 5),
    "limits": lambda: hems(8, limit=["a:2", "a:2 b:1", "a:2", "b:1", *[""] * 4]),
    "long names": lambda: HemList(frame=pd.DataFrame({"hem": [LONG, f"{LONG}2", "<script>alert('1')</script>"]})),
    "odd names": lambda: HemList(frame=pd.DataFrame({"hem": ["self", "=cmd()", "a b", "{x,y}", "-e"]})),
    "more than can be planned": lambda: hems(5_000),
}
TABLES: dict[type, dict[str, Callable[[], Any]]] = {
    CounterSeries: {
        **{f"one run, {name}": make for name, make in of_every_kind(one_run).items()},
        **{f"three runs, {name}": make for name, make in of_every_kind(three_runs).items()},
    },
    Subexperiments: {
        **{f"one subexperiment, {name}": make for name, make in of_every_kind(one_subexperiment).items()},
        **{f"with an anchor, {name}": make for name, make in of_every_kind(with_an_anchor).items()},
    },
    PhaseTable: {
        **{f"phases, {name}": make for name, make in of_every_kind(phases).items()},
        **{f"programs, {name}": make for name, make in of_every_kind(several_programs).items()},
        "programs with power, ordinary": lambda: samples.load("phases-power"),
        "whole runs, ordinary": lambda: whole_runs(phases(counts(60, "A", "B", "C"))),
    },
    SignatureTable: {
        **{f"jobs, {name}": make for name, make in of_every_kind(job_signatures).items()},
        **{f"loops, {name}": make for name, make in of_every_kind(loop_signatures).items()},
    },
    HemList: {f"HEMs, {name}": make for name, make in LISTS.items()},
}
# Each is made once: no analysis changes its table, which every case asserts.
TABLES = {kind: {name: functools.cache(make) for name, make in tables.items()} for kind, tables in TABLES.items()}
EMPTY: dict[type, Callable[[], Any]] = {
    CounterSeries: lambda: one_run(counts(1, "A").iloc[:0]),
    Subexperiments: lambda: one_subexperiment(counts(1, "A").iloc[:0]),
    PhaseTable: lambda: phases(counts(1, "A").iloc[:0]),
    SignatureTable: lambda: SignatureTable(frame=pd.DataFrame()),
    HemList: lambda: HemList(frame=pd.DataFrame({"hem": []})),
}


def choices(analysis: Analysis) -> dict[str, Params]:
    """The defaults, and each field that is read at each of its bounds and choices; a rule between fields moves a bound inwards."""
    found = {"defaults": analysis.params()}
    for name in analysis.reads:
        field = control(analysis.params, name)
        values = field.choices or ([True, False] if field.kind is bool else [field.low, field.high])
        for value in values:
            if value is None or value == field.default:
                continue
            for others in ({}, {"statistic": "mean"}, {"min_change_points": 0}, {"max_change_points": 100_000}, {"model": "0" * 64}):
                try:
                    found[f"{name} {value}"] = analysis.params(
                        **({name: value} | {key: each for key, each in others.items() if key != name})
                    )
                    break
                except HemError:
                    continue
            else:
                raise AssertionError(f"no params have {name} = {value!r}")
    return found


def is_short(analysis: Analysis, make: Callable[[], Any], params: Params) -> bool:
    with contextlib.suppress(HemError):
        return analysis.seconds(make(), params) <= _MOST_S
    return True


# It makes every merge several times over, which has each odd table as a case of its own.
_FOR_COMPARE = tuple(f"with an anchor, {name}" for name in ("ordinary", "all NaN", "one value", "1e29"))
CASES = {
    (name, table, chosen): (analysis, make, params)
    for name, analysis in EVERY.items()
    for every in [choices(analysis)]
    for table, make in TABLES.get(kind_of(analysis), {}).items()
    for chosen, params in every.items()
    # Odd tables are tried at the defaults, very large and small counts at each choice too, bounds on a few tables.
    if (chosen == "defaults" and (name != "merge.compare" or table in _FOR_COMPARE))
    or (chosen != "defaults" and table.endswith((", 1e29", ", 1e-300")) and control(analysis.params, chosen.partition(" ")[0]).choices)
    or table.endswith(", one value")
    or (table.endswith(", ordinary") and is_short(analysis, make, params))
}

# A table has two forms, of which `make test` tries the one or the other in turns; at the defaults it tries these in both.
_IN_BOTH_FORMS = ("ordinary", "NaN here and there", "one row", "1e29")


def in_turns() -> set[tuple[str, str, str]]:
    """Of the cases those of `make test`, without the longest of those in which merge.compare grows its trees.

    Each bound once, on an ordinary table one time of four, else on one value; each choice on an ordinary table, and on very large or very
    small counts.
    """
    forms: dict[tuple[str, str, str], list[str]] = {}
    for name, table, chosen in CASES:
        odd = table.partition(", ")[2]
        if chosen != "defaults":
            extreme = odd not in ("ordinary", "one value")
            odd = "extremes" if extreme else "choices" if control(EVERY[name].params, chosen.partition(" ")[0]).choices else "bounds"
        forms.setdefault((name, odd, chosen), []).append(table)
    return {
        (name, table, chosen)
        for place, ((name, odd, chosen), tables) in enumerate(forms.items())
        for table in (tables if odd in _IN_BOTH_FORMS else [_turn(tables, odd, place)])
        if (name, odd) != ("merge.compare", "1e29")
    }


def _turn(tables: list[str], odd: str, place: int) -> str:
    ordinary, others = ([table for table in tables if table.endswith("ordinary") == wanted] for wanted in (True, False))
    choice = ordinary if ordinary and (odd == "choices" or place % 4 == 0) else others or tables
    return choice[place % len(choice)]


SOON = in_turns()


def twice(name: str, table: str, chosen: str) -> bool:
    """Whether `make test` asks a second time for the same answer: at the defaults and each choice of a method, not at bounds of numbers."""
    if chosen == "defaults":
        return table.endswith((", ordinary", ", NaN here and there"))
    return table.endswith(", ordinary") and bool(control(EVERY[name].params, chosen.partition(" ")[0]).choices)


# Training takes minutes at its defaults and wants runs to hold out: tests/core/mpx/test_learned_estimators.py has it answer.
# What cuts cost is asked of pilot readings, which an ordinary list of HEMs does not come with: tests/app/test_plan_page.py has it answer.
# What fewer subexperiments or more runs cost is asked of pilot readings: tests/core/planning has them answer.
# Cores are asked of a series that tells them apart: tests/core/segmentation/test_uneven_cores.py has it answer.
# A pair is asked of a second series on the shelf: tests/app/test_multiplexing_page.py has it answer.
# Two sets of runs of a series are asked of several runs each: tests/core/compare has them answer.
ASKED_ELSEWHERE = (
    "mpx.train",
    "mpx.pair",
    "planning.cuts",
    "planning.widths",
    "planning.widths_by_runs",
    "segmentation.cores",
    "compare.series",
    "compare.series_replicates",
    "compare.series_relations",
    "compare.series_set_levels",
    "compare.series_releases",
    "compare.series_stages",
    "compare.phases_waterfall",
    # Parts, which the whole asks.
    "merge.compared",
    "mpx.network",
    "planning.cut",
    "prediction.leak_fold",
    "prediction.models_part",
    "signatures.one_seed",
)
SHORT = {name: analysis for name, analysis in EVERY.items() if name not in ASKED_ELSEWHERE}


def alike(one: Any, other: Any, where: str = "") -> None:
    """Assert that two values are the same to the last digit, all that is in them included; NaN is NaN. Wall times may differ."""
    assert type(one) is type(other), where
    if isinstance(one, pd.DataFrame):
        # Far faster than the comparison that names a difference.
        if one.equals(other) and one.index.identical(other.index) and one.columns.identical(other.columns):
            return
        untimed = [column for column in one.columns if column != "seconds"]
        pd.testing.assert_frame_equal(one[untimed], other[untimed], check_exact=True, obj=where)
        assert list(one.columns) == list(other.columns), where
    elif isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, other, check_exact=True, obj=where)
    elif isinstance(one, pd.Index):
        pd.testing.assert_index_equal(one, other, exact=True, obj=where)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, err_msg=where)
    elif dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            alike(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, dict):
        assert list(one) == list(other), where
        for key, value in one.items():
            alike(value, other[key], f"{where}[{key!r}]")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for place, (first, second) in enumerate(zip(one, other, strict=True)):
            alike(first, second, f"{where}[{place}]")
    else:
        assert one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other)), where


def infinite(value: Any, where: str = "result") -> list[str]:
    """Where in a result something is infinite. hausdorff is by its definition, where one side has no change point."""
    if isinstance(value, pd.DataFrame):
        return [f"{where}[{name!r}]" for name in value.columns if name != "hausdorff" and infinite(value[name])]
    if isinstance(value, pd.Series):
        return [where] if any(isinstance(each, float) and math.isinf(each) for each in value.tolist()) else []
    if isinstance(value, np.ndarray):
        return [where] if value.dtype.kind == "f" and np.isinf(value).any() else []
    if isinstance(value, float):
        return [where] if math.isinf(value) else []
    if isinstance(value, list | tuple):
        return [found for place, each in enumerate(value) for found in infinite(each, f"{where}[{place}]")]
    if dataclasses.is_dataclass(value):
        # An Agreement has its hausdorff too.
        names = [field.name for field in dataclasses.fields(value) if field.name != "hausdorff"]
        return [found for name in names for found in infinite(getattr(value, name), f"{where}.{name}")]
    return []


def check_words(words: str) -> None:
    assert not re.search(r"\b(nan|inf|None|NaT)\b|infinity", words), words


def check_sentence(refusal: HemError) -> None:
    said = str(refusal)
    assert said.endswith((".", "?")), said
    assert "\n" not in said, said
    assert len(said) < 3000, said


def answers_or_says_why_not(analysis: Analysis, make: Callable[[], Any], params: Params, again: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = make()
        before = copy.deepcopy(table)
        try:
            result = analysis.of(table, params)
        except HemError as refusal:
            check_sentence(refusal)
            alike(table, before, "table")
            with pytest.raises(type(refusal), match=f"^{re.escape(str(refusal))}$"):
                analysis.of(table, params)
            return
        alike(table, before, "table")
        if again:
            alike(analysis.of(before, params), result, "again, of another table of the same values")
        assert infinite(result) == []
        given = analysis.table_of(result)
        assert isinstance(given, pd.DataFrame) or not analysis.gives
        if analysis.gives:
            values = given.select_dtypes("number").to_numpy(dtype=float)
            assert (~np.isinf(values) if analysis.name in UNMEASURED else np.isfinite(values)).all()
        if analysis.cards is not None and analysis.verdict is not None:
            for card in analysis.cards(result):
                for words in (card.label, card.shown, card.note, card.help):
                    check_words(words)
                assert card.label
                assert card.change_from(card) is None or card.change_from(card).text == "no change"
            verdict = analysis.verdict(result)
            check_words(verdict.full_text)
            assert not verdict.too_long(), verdict.text
            assert verdict.answer.endswith(".")
            assert verdict.level == "good" or verdict.remedies, verdict.text
        for kept in analysis.keeps:
            try:
                assert type(kept.make(result, table)) in EMPTY
            except HemError as refusal:
                check_sentence(refusal)
        alike(table, before, "table")


@pytest.fixture
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of `merge.compare`, which grows them a hundred times over."""
    monkeypatch.setattr("hemcore.likeness._TREES", 5)


def _marks(*, soon: bool) -> list[pytest.MarkDecorator]:
    return [] if soon else [pytest.mark.long]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [pytest.param(case, id="-".join(case), marks=_marks(soon=case in SOON)) for case in CASES if case[2] == "defaults"]
)
@pytest.mark.sweep(of=24)
def test_it_answers_or_says_why_not(case: tuple[str, str, str], few_trees: None) -> None:
    answers_or_says_why_not(*CASES[case], twice(*case))


@pytest.mark.slow
@pytest.mark.sweep(of=5)
@pytest.mark.parametrize(
    ("name", "soon"), [pytest.param(name, soon, marks=_marks(soon=soon), id=f"{name}-{soon}") for name in EVERY for soon in (True, False)]
)
def test_at_each_bound_and_choice_too(name: str, soon: bool, few_trees: None, subtests: pytest.Subtests) -> None:
    for case, asked in CASES.items():
        if case[0] == name and case[2] != "defaults" and (case in SOON) == soon:
            with subtests.test("-".join(case)):
                answers_or_says_why_not(*asked, twice(*case))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("analysis", EVERY.values(), ids=EVERY)
def test_asked_again_it_answers_the_same(analysis: Analysis, few_trees: None) -> None:
    """Of every table, the odd ones as well."""
    for case, (found, make, params) in CASES.items():
        if found is analysis:
            with contextlib.suppress(HemError):
                alike(analysis.of(make(), params), analysis.of(copy.deepcopy(make()), params), "-".join(case))


@pytest.mark.parametrize("analysis", EVERY.values(), ids=EVERY)
def test_there_are_tables_of_its_kind(analysis: Analysis) -> None:
    assert kind_of(analysis) in TABLES


@pytest.mark.parametrize("analysis", SHORT.values(), ids=SHORT)
def test_each_of_its_bounds_is_tried(analysis: Analysis) -> None:
    tried = [CASES[case][2] for case in SOON if case[0] == analysis.name]
    assert [name for name, params in choices(analysis).items() if params not in tried] == []


@pytest.mark.slow
@pytest.mark.parametrize("analysis", SHORT.values(), ids=SHORT)
def test_it_has_an_answer_for_an_ordinary_table(analysis: Analysis, few_trees: None) -> None:
    answered = 0
    for name, make in TABLES[kind_of(analysis)].items():
        if name.endswith("ordinary"):
            with contextlib.suppress(HemError):
                analysis.of(make())
                answered += 1
    assert answered


@pytest.mark.parametrize("kind", EMPTY, ids=lambda kind: kind.__name__)
def test_there_is_no_empty_table(kind: type) -> None:
    with pytest.raises(TableError) as refusal:
        EMPTY[kind]()
    check_sentence(refusal.value)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, tables in TABLES.items() for name in tables])
def test_the_odd_tables_are_tables(kind: type, name: str) -> None:
    assert isinstance(TABLES[kind][name](), kind)
