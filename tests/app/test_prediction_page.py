"""The Prediction page: verdict, every tab, clicks on cells, points and the curve, and tables from other pages and files."""

import numpy as np
import pandas as pd
import pytest

from hemcore import __version__
from hemcore.analysis import Question
from hemcore.datasets.shelf import library, samples
from hemcore.datasets.shelf.store import Lineage
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.registry import analysis_named
from hemcore.web import shelf
from hemcore.web.prediction import PAGE

SAMPLE = "Request server and 32 others in phases, three loads · sample"
TABS = ["Correlation", "Loads and sizes", "PCA", "Two counters", "Which phases to measure", "How many phases"]


pytestmark = [pytest.mark.usefixtures("no_jobs", "workers"), pytest.mark.detail]


def opened(workbench, label: str = SAMPLE, **query: str):
    return workbench.open("prediction", {"dataset": label, **query})


def shown(at) -> pd.DataFrame:
    """The table of the open tab."""
    (table,) = at.dataframe
    return table.value


def first_line(at) -> str:
    return next(each.value for each in at.markdown if "correlates most with" in each.value).replace("\\", "")


def reason(workbench, at, text: str) -> bool:
    """Whether a reason under "Why?" has the text."""
    return any(text in workbench.read(each.value) for each in at.markdown)


@pytest.mark.slow
def test_the_verdict_comes_first(workbench) -> None:
    at = opened(workbench)
    said = first_line(at)
    assert "Bcm correlates most with CYCLES: r +0.61 over 3,885 phases." in said
    assert "Alone it explains 37% of the variance of CYCLES." in said
    assert reason(workbench, at, "5 phases per program give its CYCLES: typically 0.8% off")
    assert reason(workbench, at, "3,885 phases of 33 programs, 10,000 blocks, single core.")
    assert workbench.metrics(at)["Phases"] == "3,885"
    assert workbench.tabs(at) == TABS


@pytest.mark.slow
def test_every_tab_draws_its_pictures_and_what_stands_under_them(workbench) -> None:
    at = opened(workbench)
    drawn = {}
    for label in TABS:
        tab = workbench.in_tab(at, label)
        assert not at.error
        assert not at.warning
        drawn[label] = len(workbench.pictures(tab))
        assert len(at.dataframe) == (0 if label == "Two counters" else 1)
    assert drawn == {
        "Correlation": 2,
        "Loads and sizes": 1,
        "PCA": 1,
        "Two counters": 1,
        "Which phases to measure": 2,
        "How many phases": 1,
    }


def test_a_click_on_a_cell_shows_its_two_counters(workbench) -> None:
    at = opened(workbench)
    heatmap = workbench.pictures(workbench.in_tab(at, "Correlation"))[0]
    workbench.pick(at, heatmap, ["Dr", "Dw"])
    assert at.session_state["prediction.view"] == "Two counters"
    tab = workbench.in_tab(at, "Two counters")
    assert "How does Dw depend on Dr?" in workbench.spec(workbench.pictures(tab)[0])["figure"]["layout"]["title"]["text"]
    assert at.selectbox(key="prediction.across").value == "Dr"


@pytest.mark.slow
def test_a_click_on_a_phase_lists_its_counters_until_it_is_forgotten(workbench) -> None:
    at = opened(workbench)
    workbench.pick(at, workbench.pictures(workbench.in_tab(at, "Two counters"))[0], [49_000, 3])
    listed = shown(at)
    assert listed["counter"].tolist()[:2] == ["CYCLES", "Ir"]
    assert listed["more than"].between(0, 1).all()
    assert any("Table: phase" in workbench.read(each.value) for each in at.caption)
    assert len(shown(workbench.run(at))) == 14
    workbench.in_tab(at, "PCA")
    assert "median" in shown(at).columns
    at.button(key="prediction.forget-selected").click()
    workbench.run(at)
    assert list(shown(at).columns) == ["counter", "PC1", "PC2", "PC3"]


@pytest.mark.parametrize("colour", ["domain", "load", "phase"])
def test_points_are_coloured_by_what_is_chosen(workbench, colour: str) -> None:
    at = opened(workbench, view="PCA", colour=colour, all_loads="true")
    (plane,) = workbench.pictures(workbench.in_tab(at, "PCA"))
    names = {trace["name"] for trace in workbench.spec(plane)["figure"]["data"] if trace.get("legendgroup")}
    assert len(names) == {"domain": 8, "load": 3, "phase": 6}[colour]
    assert not at.error


def test_a_click_on_the_curve_measures_as_many_phases(workbench) -> None:
    at = opened(workbench)
    curve = workbench.pictures(workbench.in_tab(at, "Which phases to measure"))[1]
    assert len(shown(at)) == 5
    workbench.pick(at, curve, 12)
    assert at.slider(key="prediction.n_measured").value == 12
    assert len(shown(at)) == 12
    at.selectbox(key="prediction.program").set_value("queens")
    workbench.run(at)
    assert any("CYCLES of queens" in workbench.read(each.value) for each in at.caption)


def test_another_granularity_and_load_are_another_answer(workbench) -> None:
    at = opened(workbench, granularity="30000", load="dual core full load", method="kendall")
    assert "1,306 phases" in first_line(at)
    assert reason(workbench, at, "30,000 blocks, dual core full load")
    assert not at.error


@pytest.mark.slow
def test_a_baseline_stands_beside_the_bars(workbench) -> None:
    at = opened(workbench)
    at.button(key="prediction.do-pin").click()
    workbench.run(at)
    at.selectbox(key="prediction.load").set_value("dual core full load")
    workbench.run(at)
    bars = workbench.pictures(workbench.in_tab(at, "Correlation"))[1]
    assert any("baseline" in str(trace.get("name")) for trace in workbench.spec(bars)["figure"]["data"])


def test_a_table_without_cycles_or_instructions_is_looked_at_too(workbench) -> None:
    papi = (
        '{"threads": [{"id": "1", "regions": ['
        + ", ".join(
            f'{{"part{n}": {{"region_count": "1", "PAPI_L1_DCM": "{n * n + 1}", "PAPI_BR_INS": "{50 + 7 * n}"}}}}' for n in range(12)
        )
        + "]}]}"
    )
    entry = workbench.stored(("rank_000000.json", papi.encode()))
    at = opened(workbench, entry.label)
    assert "PAPI_BR_INS correlates most with PAPI_L1_DCM" in first_line(at)
    for label in workbench.tabs(at):
        workbench.in_tab(at, label)
        assert not at.error
    workbench.in_tab(at, "Which phases to measure")
    assert np.isfinite(shown(at)["weight"]).all()


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sample", "given", "said"),
    [
        ("merge.much", "subexperiments-much", {}, "correlates most with CYCLES"),
        ("segmentation.segmentation", "series-ocoe", {"application": "sensor_control", "event": "Dr"}, "correlates most with"),
    ],
)
def test_what_merge_and_segmentation_keep_opens_here(workbench, name: str, sample: str, given: dict, said: str) -> None:
    analysis = analysis_named(name)
    question = Question(analysis=analysis, dataset=f"sample-{sample}", params=analysis.params(**given))
    table = samples.load(sample)
    kept = next(each for each in analysis.keeps if "Prediction" in each.description)
    lineage = Lineage(
        parent=question.dataset,
        parent_name=sample,
        analysis=name,
        params=question.to_dict()["params"],
        version=__version__,
        gives=kept.name,
    )
    record = shelf.store().keep(kept.make(question.answer(table), table), name="kept", lineage=lineage)
    label = next(entry.label for entry in library.entries(shelf.store()) if entry.id == record.id)
    at = opened(workbench, label)
    assert said in first_line(at)
    for tab in workbench.tabs(at):
        workbench.in_tab(at, tab)
        assert not at.error


def test_the_totals_of_one_region_are_not_sent_to_prediction() -> None:
    def table(n_programs: int, n_phases: int) -> PhaseTable:
        rows = {"program": np.repeat(np.arange(n_programs).astype(str), n_phases), "phase": np.tile(np.arange(n_phases), n_programs)}
        frame = pd.DataFrame(rows).assign(granularity=1, load="single core", A=1.0, B=2.0)
        return PhaseTable(frame=frame, counters=("A", "B"))

    assert [PAGE.takes(table(*size)) for size in ((1, 1), (1, 2), (1, 3), (3, 1))] == [False, False, True, True]
