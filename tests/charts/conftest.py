"""Runs that are cut where a test says, and what is seen of a figure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from hemcore.analysis import Question
from hemcore.charts.picture import Picture, Scene
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.registry import analysis_named, pictures_of
from hemcore.segmentation.event_runs import RunSamples
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import RunsAtThreshold, RunSegments
from hemcore.segmentation.search.searches import described
from tests.core.few_runs import of_few_runs

MARKUP = '<img src=x onerror=alert(1)> <a href="https://x">b</a> & *c* $d$'
UNIT = "interval"
MIB = 1024 * 1024
MOST = 5_000  # points a line


def run_of(
    counts: Sequence[float],
    change_points: Sequence[int] = (),
    *,
    run: int = 1,
    positions: Sequence[int] | None = None,
    boundaries: tuple[int, ...] | None = None,
    stages: tuple[str, ...] = (),
    edges: Sequence[float] | None = None,
) -> RunSegments:
    """A run cut at `change_points`; without positions every interval was counted."""
    values = np.asarray(counts, dtype=float)
    places = np.arange(len(values)) if positions is None else np.asarray(positions)
    n_intervals = int(places[-1]) + 1
    samples = RunSamples(
        run=run,
        counts=values,
        positions=places,
        n_intervals=n_intervals,
        not_counted=n_intervals - len(values),
        boundaries=boundaries,
        stages=stages,
        edges=None if edges is None else np.asarray(edges, dtype=float),
    )
    points = np.asarray(change_points, dtype=np.int64)
    cut = described(values, points, threshold=10.0, statistic="rms", min_distance=2, early_exit=False)
    return RunSegments(samples=samples, segmentation=cut, models=cut.models)


def runs_of(*runs: RunSegments) -> RunsAtThreshold:
    params = SegmentationParams(application="a", event="e")
    return RunsAtThreshold(runs=runs, agreement=pd.DataFrame(), segments=pd.DataFrame(), params=params)


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(each for each in figure.data if each.name == name)


def names(figure: go.Figure) -> list[str]:
    return [each.name for each in figure.data if each.name]


def x_title(figure: go.Figure) -> str:
    return figure.layout.xaxis.title.text


def drawn(values: object) -> list[float]:
    """The finite numbers of a trace."""
    numbers = np.asarray(values, dtype=float)
    return numbers[np.isfinite(numbers)].tolist()


def n_pieces(values: object) -> int:
    """Into how many lines the breaks (NaN) cut a trace."""
    known = np.isfinite(np.asarray(values, dtype=float))
    return int((np.diff(np.concatenate([[False], known]).astype(int)) == 1).sum())


def escaped(figure: go.Figure) -> bool:
    """Whether nothing of MARKUP is left that plotly would read as a tag; <br>, <extra> are the charts' own."""
    text = figure.to_json().encode().decode("unicode_escape")
    return not re.search(r"<(img|a href|/a>)", text)


LEVELS = np.repeat([1000.0, 5000.0, 2000.0], 40)
THREE = run_of(LEVELS, [40, 80])


@pytest.fixture(scope="session")
def longest() -> RunSegments:
    """A million samples with 20,000 change points, times, gaps and true boundaries: all that can make a figure big."""
    random = np.random.default_rng(2)
    n, n_points = 1_000_000, 20_000
    points = np.arange(1, n_points + 1) * (n // (n_points + 1))
    counts = np.repeat(random.integers(100, 10**6, n_points + 1), np.diff([0, *points, n])) * random.uniform(0.9, 1.1, n)
    positions = np.arange(n) + np.arange(n) // 100
    return run_of(
        counts,
        points,
        positions=positions,
        boundaries=tuple(points.tolist()),
        stages=tuple(f"stage {number}" for number in range(n_points + 1)),
        edges=np.cumsum(random.uniform(0.09, 0.11, positions[-1] + 2)),
    )


@pytest.fixture(scope="session")
def series_ocoe() -> CounterSeries:
    """Request server and 8 others, every event counted."""
    table = samples.load("series-ocoe")
    assert isinstance(table, CounterSeries)
    return table


# Every picture of every answer on the samples.

_MODELS = "Lasso; CLSLR; cost per event; copy the other load"
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "compare.runs": ("pairs-o1", {"before": "sample-pairs-before"}),
    "compare.series": ("series-ocoe", {}),
    "compare.signatures": ("signatures", {}),
    "compare.phases": ("phases", {"before": "sample-phases"}),
    "merge.much": ("subexperiments-much", {}),
    "merge.hrm": ("subexperiments-hrm", {}),
    "merge.copula": ("subexperiments-hrm", {"swaps": 50_000}),
    "metrics.over_runs": ("subexperiments-hrm", {"draws": 50}),
    "metrics.over_time": ("series-ocoe", {"application": "sensor_control"}),
    "metrics.by_phase": ("phases", {}),
    "metrics.by_signature": ("signatures", {}),
    "segmentation.segmentation": ("series-ocoe", {"application": "sensor_control", "event": "Dr"}),
    "mpx.estimate": ("series-mpx", {"application": "sensor_control"}),
    "signatures.classify": ("signatures", {}),
    "prediction.explore": ("phases", {}),
    "prediction.evaluation": ("phases", {"granularity": "30000", "models": _MODELS, "most_phases": 300}),
    "prediction.cost_stack": ("phases", {"most_phases": 300, "n_bootstrap": 20}),
    "prediction.watts": ("phases-power", {"frequency": 1200.0}),
    "prediction.what_if": ("phases", {"granularity": "30000", "models": _MODELS, "most_phases": 300}),
}
# One run of each program has no correlations: the tab says so.
_NO_ANSWER = ("compare.phases", "relations")
NAMES = [(analysis, name) for analysis in ASKED for name in pictures_of(analysis) if (analysis, name) != _NO_ANSWER]


# Many merges, models, searches and classifications: the pictures of few runs, programs and jobs are the same.
FEW: dict[str, Callable[[Any], Any]] = {
    "merge.compare": lambda table: of_few_runs(table, rows_of_truth=80),
    "segmentation.joint": lambda table: table.where(table.intervals["run"].to_numpy() <= 2),
    "signatures.stability": lambda table: replace(table, frame=table.frame.iloc[::8].reset_index(drop=True)),
}
_PROGRAMS = 7
SCENES: dict[str, Scene] = {}
MORE: dict[str, Any] = {}


def table_of(sample: str) -> Any:
    """The sample; of its phases those of a few programs, whose pictures are the same."""
    table: Any = samples.load(sample)
    if sample != "phases":
        return table
    few = table.frame["program"].unique()[:_PROGRAMS]
    return replace(table, frame=table.frame[table.frame["program"].isin(few)])


def scene_of(analysis: str, **changes: Any) -> Scene:
    """The answer on its sample; answered once, and anew where parameters are changed."""
    if changes or analysis not in SCENES:
        sample, given = ASKED[analysis]
        asked = analysis_named(analysis)
        question = Question(analysis=asked, dataset=f"sample-{sample}", params=asked.params(**given | changes))
        table = SCENES[analysis].table if analysis in SCENES else table_of(sample)
        scene = Scene(question=question, table=table, result=question.answer(table))
        if changes:
            return scene
        SCENES[analysis] = scene
    return SCENES[analysis]


def scene_for(analysis: str, picture: Picture) -> Scene:
    scene = scene_of(analysis)
    if picture.needs is None:
        return scene
    # Once for the same question, whichever analysis it is asked beside.
    asked = scene.question.about(picture.needs)
    if asked.id not in MORE:
        few = FEW.get(picture.needs.name, lambda table: table)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hemcore.likeness._TREES", 5)
            MORE[asked.id] = asked.answer(few(scene.table))
    return replace(scene, more=MORE[asked.id])


@pytest.fixture(scope="session", params=NAMES, ids=lambda each: f"{each[0]}-{each[1]}")
def shown(request) -> tuple[Scene, Picture, list[go.Figure]]:
    """(scene, picture, its figures), of each."""
    analysis, name = request.param
    picture = pictures_of(analysis)[name]
    if not picture.shown(scene_of(analysis)):
        pytest.skip("the page does not show it of this sample")
    scene = scene_for(analysis, picture)
    return scene, picture, list(picture.draw(scene))


@pytest.hookimpl(tryfirst=True)  # before the whole's, which looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever comes first answers the questions; `make test` draws a tenth of the pictures."""
    for item in items:
        if "shown" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.sweep(of=10))
