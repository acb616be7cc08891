"""Every verdict that is not "good" names one next step, which exists and changes something."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore import registry
from hemcore.analysis import AnyAnalysis
from hemcore.compare.analysis import COMPARE_RUNS
from hemcore.compare.params import CompareParams
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import Remedy
from hemcore.headline import Verdict
from hemcore.metrics.analysis import METRICS, OVER_TIME
from hemcore.metrics.params import MetricsParams
from hemcore.mpx import MpxParams
from hemcore.mpx.analysis import ESTIMATE
from hemcore.params import Params
from hemcore.planning import PlanParams
from hemcore.planning.analysis import PLAN
from hemcore.resources import PAGES
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import JOINT, SEGMENTATION
from hemcore.signatures.analysis import CLASSIFY, KMEDOIDS
from hemcore.signatures.params import SignatureParams
from hemcore.web.data.what_to_add import STEPS
from hemcore.web.pages import PAGES as OF_APP

CORE = Path(__file__).resolve().parents[2] / "hemcore"
# Rooms with verdicts, and what a page does by itself where its name is "chosen".
ROOMS = ("compare", "merge", "metrics", "mpx", "planning", "prediction", "segmentation", "signatures")
FLAGS = {"plan_unread", "plan_missing", "plan_anchor", "machine_level", "opened"}
# These give a verdict without a step to functions that add it.
HELPERS = {"judged_verdict", "verdict_of", "_verdict", "_smooth_verdict"}
LONGEST_LABEL = 30  # characters that leave the verdict in one line
ONE_LINE = 138  # characters of a verdict and its button that fit one line of a window of 1,280 px, at names of usual length


def rooms() -> Iterator[tuple[str, Path, ast.Module]]:
    for room in ROOMS:
        for path in sorted((CORE / room).rglob("*.py")):
            yield room, path, ast.parse(path.read_text())


def called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def test_every_function_that_makes_a_doubtful_verdict_names_a_step() -> None:
    without = []
    for _, path, module in rooms():
        for function in (each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)):
            adds = any(called(each) == "with_step" for each in ast.walk(function)) or function.name in HELPERS
            for each in ast.walk(function):
                if called(each) in HELPERS - {"_smooth_verdict", "_verdict"} and not adds:
                    without.append(f"{path.name}: {function.name} calls {called(each)}")
                if called(each) != "Verdict":
                    continue
                given = {keyword.arg: keyword.value for keyword in each.keywords}  # type: ignore[attr-defined]
                level = given.get("level")
                if level is None or (isinstance(level, ast.Constant) and level.value == "good"):
                    continue
                if not adds and "remedies" not in given:
                    without.append(f"{path.name}: {function.name}, line {each.lineno}")  # type: ignore[attr-defined]
    assert without == []


def tabs(room: str) -> set[str]:
    return {picture.tab for name in registry.analyses_of(room) for picture in registry.pictures_of(name).values()}


def test_every_step_in_the_code_leads_to_something_that_exists() -> None:
    wrong, n = [], 0
    for room, path, module in rooms():
        for call in (each for each in ast.walk(module) if called(each) == "Remedy"):
            n += 1
            given = {keyword.arg: keyword.value for keyword in call.keywords}  # type: ignore[attr-defined]
            label, page, analysis = (
                ast.literal_eval(given[k]) if isinstance(given.get(k), ast.Constant) else "" for k in ("label", "page", "analysis")
            )
            choose = given.get("choose")
            where = f"{path.name}: {label or ast.unparse(call)}"
            if len(label) > LONGEST_LABEL:
                wrong.append(f"{where} is too long")
            if page and not (PAGES / f"{page}.py").exists():
                wrong.append(f"{where} opens no page")
            if analysis and not any(analysis == each.name for shown in OF_APP for each in shown.methods.values()):
                wrong.append(f"{where} is asked on no page")
            if not page and not analysis and choose is None:
                wrong.append(f"{where} does nothing")
            if page == "data" and not isinstance(choose, ast.Dict) and label not in STEPS:
                wrong.append(f"{where}: Data does not say what to choose")
            if isinstance(choose, ast.Dict):
                for key, value in zip(choose.keys, choose.values, strict=True):
                    name = ast.literal_eval(key) if isinstance(key, ast.Constant) else ""
                    if name == "view" and ast.literal_eval(value) not in tabs(room):
                        wrong.append(f"{where} opens no tab")
                    elif name and name != "view" and name not in FLAGS | fields(room):
                        wrong.append(f"{where} sets no field")
    assert wrong == []
    assert n > 50


def fields(room: str) -> set[str]:
    return {name for analysis in registry.analyses_of(room).values() for name in analysis.params.model_fields}


def series(runs: int = 40, n: int = 60, **events: Callable[[np.random.Generator], np.ndarray]) -> CounterSeries:
    """`runs` runs of n intervals of the program p, each run drawn anew."""
    rng = np.random.default_rng(3)
    intervals = pd.DataFrame({"application": "p", "run": np.repeat(np.arange(runs), n), "interval": np.tile(np.arange(n), runs)})
    counts = pd.DataFrame({name: np.concatenate([draw(rng) for _ in range(runs)]) for name, draw in events.items()})
    return CounterSeries(intervals=intervals, counts=counts, mode="OCOE")


def level(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(1_000, 5, 60).round()


def step(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(np.where(np.arange(60) < 30, 1_000, 1_100), 5).round()


def blocks(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(np.repeat([100, 400, 200, 500, 100, 300], 10), 5).round()


def spike(rng: np.random.Generator) -> np.ndarray:
    return np.where(np.arange(60) == 30, 9_000, rng.normal(1_000, 5, 60).round())


def ramp(rng: np.random.Generator) -> np.ndarray:
    return (1_000 + 50 * np.arange(60) + rng.normal(0, 5, 60)).round()


def rare(rng: np.random.Generator) -> np.ndarray:
    return np.where(np.arange(60) == 7, 2.0, 0.0)


def noise(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(np.where(np.arange(60) < 30, 1_000, 1_060), 100).round()


def high(rng: np.random.Generator) -> np.ndarray:
    return rng.normal(np.where(np.arange(60) < 30, 1e6, 1e6 + 50), 10).round()


def runs_of(n_runs: int = 40, n_hems: int = 4, seed: int = 1, drift: float = 0.0, shared: bool = True) -> Subexperiments:
    rng = np.random.default_rng(seed)
    frames = []
    for place in range(n_hems - 1):
        size = rng.normal(100, 10, n_runs) + drift * np.arange(n_runs)
        names = ("anchor", f"h{place}") if shared else (f"a{place}", f"h{place}")
        frames.append(pd.DataFrame({name: (1_000 * size + rng.normal(0, 500, n_runs)).round() for name in names}))
    return Subexperiments(frames=tuple(frames), n_pmcs=2)


ONE_STEP = SegmentationParams(statistic="mean", threshold=10, min_change_points=1)
NAMES = {"IPC": "anchor / h0"}
SEGMENTED = [
    ("no phases, one event, many runs", series(level=level), ONE_STEP, "Add events"),
    ("no phases, two events", series(level=level, step=step), ONE_STEP.but(event="level"), "All events together"),
    ("a threshold above the change", series(step=step), ONE_STEP.but(threshold=1_000, max_threshold=2_000), "Show 2 phases"),
    ("a statistic that does not change", series(high=high), ONE_STEP.but(statistic="rms"), "Use the mean"),
    ("a line", series(ramp=ramp, step=step), ONE_STEP.but(event="ramp", threshold=2), "Remove the line"),
    ("a spike", series(spike=spike, step=step), ONE_STEP.but(event="spike", threshold=2), "All events together"),
    ("counted twice a run", series(rare=rare, step=step), ONE_STEP.but(event="rare", threshold=2), "All events together"),
    ("little explained", series(noise=noise, step=step), ONE_STEP.but(event="noise", threshold=5), "All events together"),
    ("a threshold above all steps", series(blocks=blocks, step=step), ONE_STEP.but(event="blocks", threshold=20), "Show 3 phases"),
    ("one run", series(1, step=step), ONE_STEP, "Add runs"),
]


@pytest.mark.parametrize(("table", "params", "label"), [pytest.param(*each, id=name) for name, *each in SEGMENTED])
def test_a_doubtful_segmentation_names_a_step_that_changes_the_answer(table: CounterSeries, params: SegmentationParams, label: str) -> None:
    check(SEGMENTATION, table, params, label)


JOINED = [
    ("no phases at that penalty", series(step=step, other=step), SegmentationParams(joint_penalty=50), "Let the runs choose"),
    ("nothing varies", series(zero=lambda rng: np.zeros(60)), SegmentationParams(), "Add runs"),
    (
        "trimmed to nothing that varies",
        series(late=lambda rng: np.where(np.arange(60) < 9, 5.0, 1.0)),
        SegmentationParams(trim_head=10),
        "Trim nothing",
    ),
    ("two runs", series(2, step=step, other=blocks), SegmentationParams(), "Add runs"),
]


@pytest.mark.parametrize(("table", "params", "label"), [pytest.param(*each, id=name) for name, *each in JOINED])
def test_a_doubtful_segmentation_of_all_events_names_a_step(table: CounterSeries, params: SegmentationParams, label: str) -> None:
    check(JOINT, table, params, label)


def sparse(rng: np.random.Generator) -> np.ndarray:
    return (rng.random(60) < 0.05).astype(float)


def poisson(rng: np.random.Generator) -> np.ndarray:
    return rng.poisson(400, 60).astype(float)


MULTIPLEXED = [
    ("too few counts for a score", series(1, a=sparse, b=sparse, c=sparse, d=sparse), MpxParams(slots_per_count=4), "Add longer runs"),
    ("few runs", series(4, a=poisson, b=poisson), MpxParams(slots_per_count=2), "Add runs"),
    ("few of many runs are scored", series(40, a=poisson, b=poisson), MpxParams(slots_per_count=2, most_runs=10), "Score 30 runs"),
]


@pytest.mark.parametrize(("table", "params", "label"), [pytest.param(*each, id=name) for name, *each in MULTIPLEXED])
def test_doubtful_estimates_name_a_step(table: CounterSeries, params: MpxParams, label: str) -> None:
    check(ESTIMATE, table, params, label)


def test_a_control_gives_way_to_the_best_estimator() -> None:
    step = check(ESTIMATE, series(40, a=poisson, b=poisson), MpxParams(slots_per_count=2, most_runs=30, method="minimum"), "")
    assert step.label.startswith("Estimate by ")


MEASURED = [
    ("few runs", METRICS, runs_of(20), MetricsParams(), "Upload definitions"),
    ("no anchor", METRICS, runs_of(shared=False), MetricsParams(definitions="generic"), "Upload definitions"),
    ("of a series", OVER_TIME, series(a=poisson), MetricsParams(), "Upload definitions"),
    ("halves", COMPARE_RUNS, runs_of(80), CompareParams(), "Add runs from before"),
    ("few runs are halved", COMPARE_RUNS, runs_of(20), CompareParams(), "Add runs"),
    ("runs drift", COMPARE_RUNS, runs_of(80, drift=3), CompareParams(), "Show runs in order"),
]


@pytest.mark.parametrize(("analysis", "table", "params", "label"), [pytest.param(*each, id=name) for name, *each in MEASURED])
def test_doubtful_metrics_and_changes_name_a_step(analysis: AnyAnalysis, table: object, params: Params, label: str) -> None:
    check(analysis, table, params, label)


def hems(n: int, **given: object) -> HemList:
    return HemList(frame=pd.DataFrame({"hem": [f"h{number}" for number in range(n)], **given}))


PLANNED = [
    ("too few subexperiments for every pair", hems(8), PlanParams(n_pmcs=4, goal="budget", groups=3), "Read every pair"),
    ("groups that nothing connects", hems(8), PlanParams(n_pmcs=2, goal="budget", groups=2), "Read every pair"),
    ("pairs on one counter", hems(3, counters=["0", "0", "0,1"]), PlanParams(n_pmcs=2), "Show these pairs"),
]


@pytest.mark.parametrize(("table", "params", "label"), [pytest.param(*each, id=name) for name, *each in PLANNED])
def test_a_plan_with_gaps_names_a_step(table: HemList, params: PlanParams, label: str) -> None:
    check(PLAN, table, params, label)


CLASSIFIED = [
    ("the machine is assumed", CLASSIFY, SignatureParams(), "It is this machine"),
    ("thresholds of another processor", CLASSIFY, SignatureParams(processor="EPYC 9654"), "Use this processor's"),
    ("z-scores", KMEDOIDS, SignatureParams(scale="z-score", n_clusters=8), "Use cube roots"),
]


@pytest.mark.parametrize(("analysis", "params", "label"), [pytest.param(*each, id=name) for name, *each in CLASSIFIED])
def test_doubtful_classes_name_a_step(analysis: AnyAnalysis, params: SignatureParams, label: str) -> None:
    check(analysis, samples.load("signatures"), params, label)


def check(analysis: AnyAnalysis, table: object, params: Params, label: str) -> Remedy:
    """The first step of the verdict, which is not good; what it sets is valid, and gives another answer or reason."""
    before = judged(analysis, table, params)
    assert before.level != "good"
    step, *others = before.remedies
    assert len(before.text) + len(step.label) <= ONE_LINE, f"{before.text} [{step.label}]"
    assert step not in others
    assert not label or step.label == label, before.full_text
    chosen = {name: value for name, value in step.choose.items() if name in type(params).model_fields}
    assert bool(step.page) + bool(step.choose) == 1
    if chosen:
        assert any(getattr(params, name) != value for name, value in chosen.items())
        assert judged(analysis, table, params.but(**chosen)).text != before.text
    return step


def judged(analysis: AnyAnalysis, table: object, params: Params) -> Verdict:
    assert analysis.verdict is not None
    found = analysis.verdict(analysis.of(table, params))
    assert not found.too_long()
    return found
