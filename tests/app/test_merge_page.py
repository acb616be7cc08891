"""The Merge page: empty state, both methods on samples and uploads, links, and readings that cannot be merged."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from hemcore import jobs
from hemcore.analysis import Analysis
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge import CopulaParams, HrmParams, MuchParams
from hemcore.merge.analysis import COPULA
from hemcore.merge.params import LOWEST_DEP_LVL
from hemcore.merge.trust.comparison import COMPARE, Comparison
from hemcore.merge.trust.half_quality import MergeQuality
from hemcore.web import ask, shelf
from hemcore.web.actions import downloads
from tests.core.jobs.patience import PATIENCE

pytestmark = pytest.mark.detail

MUCH = "Request server, MUCH collection · sample"
SYNTHETIC = "Synthetic processor, 45 events in 10 subexperiments · sample"
HRM = "Request server, HRM collection · sample"
TABS = ["Merged correlation", "Pairs", "Intervals", "Methods compared", "Anchor ranking", "Margins", "Left out", "Table"]
TRUTH = "Against the truth"
HEADLINE = ["MSE against the truth", "HEMs merged", "Merged runs", "Correlation MSE", "Worst pair, |Δr|"]


def number(shown: str) -> float:
    """A figure as the strip shows it: "0.0022", "3.8 × 10⁻⁹"."""
    return float(shown.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")).replace(" × 10", "e"))


def hems_merged(workbench, at) -> int:
    return int(workbench.metrics(at)["HEMs merged"].split(" of ")[0])


def merged_table(workbench, at) -> pd.DataFrame:
    return workbench.in_tab(at, "Table").dataframe[0].value


def plain(elements) -> str:
    """The text of the elements, without the marks that keep it from being markdown."""
    return " ".join(each.value for each in elements).replace("\\", "")


def only_a_sentence(workbench, at) -> str:
    """The one error box; nothing of a result is shown under it."""
    told = workbench.sentences(at)
    assert len(told) == 1
    assert told[0].endswith((".", "?"))
    assert not at.tabs
    assert not at.metric
    return told[0]


# The empty state.


def test_empty_state_offers_samples_and_uploading(workbench) -> None:
    at = workbench.open("merge")
    assert not at.error
    assert not at.tabs
    assert {each.label for each in at.button} == {samples.title("subexperiments-hrm"), samples.title("subexperiments-much")}
    assert [link.proto.page for link in at.page_link] == ["data"]


@pytest.mark.parametrize(("name", "label"), [("subexperiments-much", MUCH), ("subexperiments-hrm", HRM)])
def test_one_click_chooses_a_sample(workbench, name, label) -> None:
    at = workbench.open("merge")
    at.button(key=f"merge.start-{name}").click()
    workbench.run(at)
    assert at.selectbox(key="merge.dataset").value == label
    assert at.query_params["merge.dataset"] == label
    assert at.session_state["merge.family"] == ("Copula" if label == MUCH else "HRM")
    assert set(workbench.tabs(at)) <= {*TABS, TRUTH}


@pytest.mark.parametrize(("label", "family"), [(MUCH, "MUCH"), (HRM, "HRM")])
def test_a_link_that_names_no_method_shows_what_it_always_did(workbench, label, family) -> None:
    at = workbench.merge(label)
    assert at.session_state["merge.family"] == family
    # From then on the address names it: it opens the same when the default is another one.
    assert at.query_params["merge.family"] == family
    workbench.run(at)
    assert at.query_params["merge.family"] == family
    assert workbench.merge(label, family="Copula").query_params["merge.family"] == "Copula"
    unknown = workbench.merge(label, family="none")
    assert "'none', which is not available; another is shown" in plain(unknown.warning)
    assert unknown.session_state["merge.family"] == family


def test_data_chosen_on_the_page_opens_with_the_copula(workbench, csv_of, readings) -> None:
    own = [workbench.stored((f"{name}.csv", csv_of(readings(["A", "B"], seed=at))), name=name).label for at, name in enumerate(("x", "y"))]
    at = workbench.open("merge")
    at.selectbox(key="merge.dataset").select(own[0])
    workbench.run(at)
    assert at.session_state["merge.family"] == at.query_params["merge.family"] == "Copula"
    assert hems_merged(workbench, at) == 2
    # Nothing is recommended that was not compared on this dataset.
    assert "Closest" not in plain(at.caption)
    # Chosen by hand it stays, until other data is chosen.
    at.session_state["merge.family"] = "HRM"
    assert workbench.run(at).session_state["merge.family"] == "HRM"
    at.selectbox(key="merge.dataset").select(own[1])
    assert workbench.run(at).session_state["merge.family"] == "Copula"
    # A sample opens as what it was collected for.
    at.selectbox(key="merge.dataset").select(HRM)
    assert workbench.run(at).session_state["merge.family"] == "HRM"
    at.selectbox(key="merge.dataset").select(MUCH)
    assert workbench.run(at).session_state["merge.family"] == "MUCH"


@pytest.mark.parametrize("by", ["button", "verdict"])
def test_pairs_never_read_together_are_said_before_the_merge_and_planned_in_one_click(workbench, by: str) -> None:
    at = workbench.merge(HRM, family="HRM")
    assert "49 of 91 pairs are never read together: a merge can only guess them." in plain(at.caption)
    assert "Until then HRM guesses as well as the copula, or better." in plain(at.caption)  # 15 places for 13 HEMs: nearly a star
    label = "merge.plan-unread" if by == "button" else "merge.offer-Plan these pairs"
    at.button(key=label).click()
    workbench.run(at)
    # Plan, filled: its own fields have what is wanted.
    assert at.query_params["plan.wanted"].count("\n") == 48
    assert "5 subexperiments read every wanted pair of 13 HEMs together with 6 PMCs." in plain(at.markdown)
    assert "never read together" not in plain(workbench.merge(MUCH).caption)


def test_runs_too_few_to_compare_methods_are_merged(workbench, csv_of, readings) -> None:
    record = workbench.stored(("few.csv", csv_of(readings(["A", "B"], runs=12))), name="few")
    assert hems_merged(workbench, workbench.open("merge", {"dataset": record.label})) == 2


@pytest.mark.slow
@pytest.mark.parametrize("family", ["Copula", "MUCH"])
@pytest.mark.parametrize(
    "off",
    [
        pytest.param(lambda frame: frame.assign(CYCLES=frame["CYCLES"] * 1.25), id="another clock"),
        pytest.param(lambda frame: frame.assign(**{frame.columns[1]: frame.iloc[:, 1] / 1000}), id="a shifted unit"),
        pytest.param(lambda frame: frame**0.5 * 900, id="another program"),
    ],
)
def test_a_subexperiment_that_does_not_agree_with_the_others_is_named_first(workbench, family: str, off) -> None:
    frames = [frame.copy() for frame in samples.load("subexperiments-much").frames]
    at = next(number for number, frame in enumerate(frames) if "CYCLES" in frame)
    frames[at] = off(frames[at])
    record = shelf.store().take(Subexperiments(frames=tuple(frames), n_pmcs=6), name="one is off", source="a test")
    page = workbench.merge(f"one is off · {record.id[:8]}", family=family)
    assert f"subexperiment {at + 1}' disagrees with the other subexperiments" in plain(page.markdown)


@pytest.mark.long
def test_data_whose_copula_takes_long_opens_with_what_is_at_once_there(workbench, monkeypatch) -> None:
    monkeypatch.setattr(Analysis, "seconds", lambda self, table, params: 11.0 if self is COPULA else 0.0)
    random = np.random.default_rng(0)
    frames = tuple(pd.DataFrame(random.random((60, 2)) + 100, columns=[*pair]) for pair in ("AB", "BC", "AC"))
    record = shelf.store().take(Subexperiments(frames=frames, n_pmcs=2), name="large", source="a test")
    at = workbench.open("merge")
    label = next(each for each in at.selectbox(key="merge.dataset").options if each.startswith("large"))
    at.selectbox(key="merge.dataset").select(label)
    workbench.run(at)
    assert record.kind == "Subexperiments"
    assert at.session_state["merge.family"] == "MUCH"
    assert at.metric


@pytest.mark.parametrize(("seconds", "begun"), [(2.9, False), (3.1, True)])
def test_before_any_job_is_done_a_page_computes_itself_what_takes_three_seconds(
    workbench, never_done, no_jobs, monkeypatch, csv_of, readings, seconds: float, begun: bool
) -> None:
    monkeypatch.setattr(ask, "_COLD_S", 3.0)
    monkeypatch.setattr(Analysis, "seconds", lambda self, table, params: {COPULA.name: seconds, "merge.compare": 9.0}.get(self.name, 0.0))
    entry = workbench.stored(*((f"{name}.csv", csv_of(readings(["A", name]))) for name in "BC"))
    at = workbench.merge(entry.label, family="Copula")
    submitted, _ = never_done
    assert (len(submitted) == 1, bool(at.metric)) == (begun, not begun)


def test_the_data_page_leads_to_the_copula(workbench, csv_of, readings) -> None:
    workbench.stored(("mine.csv", csv_of(readings(["A", "B"]))), name="mine")
    at = workbench.select(workbench.open("data"), "mine")
    (link,) = [each for each in at.page_link if each.proto.page == "merge"]
    assert workbench.query_of(link)["family"] == "Copula"


def test_only_subexperiments_can_be_chosen(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("mine.csv", csv_of(readings(["A", "B"]))))
    assert workbench.open("merge").selectbox(key="merge.dataset").options == [entry.label, HRM, MUCH, SYNTHETIC]


# MUCH.


def test_much_on_its_sample(workbench) -> None:
    at = workbench.merge(MUCH)
    assert not at.error
    metrics = workbench.metrics(at)
    assert list(metrics)[: len(HEADLINE)] == HEADLINE
    assert next(each.delta for each in at.metric if each.label == "Merged runs") == "from 7 subexperiments"
    assert metrics["Merged runs"] == "1,000"
    assert number(metrics["Correlation MSE"]) < 1e-4
    assert workbench.tabs(at) == [*TABS, TRUTH]
    # The methods are a worker's.
    charts = {tab: len(workbench.pictures(workbench.in_tab(at, tab))) for tab in workbench.tabs(at) if tab != "Methods compared"}
    ones = dict.fromkeys(["Pairs", "Intervals", "Anchor ranking", "Margins", TRUTH], 1)
    assert charts == {"Merged correlation": 2, "Left out": 0, "Table": 0, **ones}
    assert "against the truth: 0.003;" in " ".join(workbench.read(each.value) for each in workbench.in_tab(at, TRUTH).caption)


def test_dep_lvl_changes_which_hems_are_merged(workbench) -> None:
    at = workbench.merge(MUCH)
    counts = []
    for dep_lvl in (1.0, 0.85, 0.3):
        at.slider(key="merge.dep_lvl").set_value(dep_lvl)
        workbench.run(at)
        counts.append(hems_merged(workbench, at))
        assert merged_table(workbench, at).shape[1] == counts[-1]
    assert counts[0] == 14
    assert counts[0] > counts[1] > counts[2] >= 1
    left_out = workbench.in_tab(at, "Left out").dataframe[0].value
    assert len(left_out) == 14 - counts[-1]
    assert (left_out["r"] > 0.3).all()


def test_the_lowest_dep_lvl_still_shows_a_page(workbench) -> None:
    at = workbench.merge(MUCH, dep_lvl=str(LOWEST_DEP_LVL))
    assert hems_merged(workbench, at) >= 1


def test_at_dep_lvl_1_nothing_is_left_out(workbench) -> None:
    at = workbench.merge(MUCH, dep_lvl="1.0")
    assert not workbench.in_tab(at, "Left out").dataframe
    assert "Nothing was left out" in workbench.in_tab(at, "Left out").caption[0].value


def test_runs_and_seed_are_followed(workbench) -> None:
    at = workbench.merge(MUCH, n_runs="200")
    first = merged_table(workbench, at)
    assert len(first) == 200
    at.number_input(key="merge.seed").set_value(1)
    other = merged_table(workbench, workbench.run(at))
    assert not other.equals(first)
    at.number_input(key="merge.seed").set_value(0)
    pd.testing.assert_frame_equal(merged_table(workbench, workbench.run(at)), first)


def test_simulated(workbench) -> None:
    calibrated = workbench.merge(MUCH)
    at = workbench.merge(MUCH, method="simulated", n_sims="5")
    assert not at.error
    assert number(workbench.metrics(at)["Correlation MSE"]) > number(workbench.metrics(calibrated)["Correlation MSE"])
    assert at.get_by_key("merge.method").value == "simulated"


def test_pairs_never_read_together_are_named(workbench) -> None:
    told = only_a_sentence(workbench, workbench.merge(HRM, family="MUCH"))
    assert "never read together" in told
    table = samples.load("subexperiments-hrm")
    together = {frozenset((one, two)) for frame in table.frames for one in frame.columns for two in frame.columns}
    named = re.findall(r"'([^']+)' with '([^']+)' \(never read together\)", told)
    assert named
    assert [pair for pair in named if frozenset(pair) in together] == []
    assert "complete" in told
    assert "drop" in told


def buttons(at) -> dict[str, object]:
    return {each.label: each for each in at.button}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "family", "unmeasured", "merged"),
    [
        ("Merge with the copula", "Copula", None, 14),
        ("Merge by HRM", "HRM", None, 14),
        ("Complete unmeasured pairs", "MUCH", "complete", 13),
        ("Leave HEMs out", "MUCH", "drop", 0),
    ],
)
def test_the_refusal_carries_the_buttons_that_mend_it(workbench, label, family, unmeasured, merged) -> None:
    at = workbench.merge(HRM, family="MUCH")
    only_a_sentence(workbench, at)
    assert [each.label for each in at.button if str(each.key).startswith("action-")] == [
        "Merge with the copula",
        "Merge by HRM",
        "Complete unmeasured pairs",
        "Leave HEMs out",
    ]
    buttons(at)[label].click()
    workbench.run(at)
    assert workbench.sentences(at) == []
    assert at.session_state["merge.family"] == family
    if unmeasured is not None:
        assert at.session_state["merge.unmeasured"] == unmeasured
        assert f"unmeasured={unmeasured!r}" in workbench.snippet(at)
    assert hems_merged(workbench, at) >= merged
    assert label not in buttons(at)
    buttons(at)["Undo"].click()
    only_a_sentence(workbench, workbench.run(at))


@pytest.mark.long
@pytest.mark.usefixtures("no_jobs", "workers")
def test_a_refusal_out_of_background_work_has_its_buttons_too(workbench) -> None:
    at = workbench.merge(HRM, family="MUCH", n_runs="1000000")
    (job,) = (each for each in jobs.jobs() if each.kind == "MUCH merge")  # not the strip's, below the slider
    assert job.wait(PATIENCE)
    told = only_a_sentence(workbench, workbench.run(at))
    assert told == job.error
    assert "never read together" in told
    offered = {"Merge by HRM", "Complete unmeasured pairs", "Leave HEMs out"}
    assert offered <= buttons(at).keys()
    buttons(at)["Merge by HRM"].click()
    assert workbench.sentences(workbench.run(at)) == []
    assert hems_merged(workbench, at) == 14
    assert offered.isdisjoint(buttons(at))


def test_no_anchor_offers_the_other_merge(workbench) -> None:
    at = workbench.merge(MUCH, family="HRM")
    assert "Merge by HRM" not in buttons(at)
    buttons(at)["Merge by MUCH"].click()
    assert workbench.sentences(workbench.run(at)) == []
    assert workbench.metrics(at)["HEMs merged"] == "13 of 14"


def test_pairs_that_no_anchor_joins_are_not_offered_one(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))), ("c.csv", csv_of(readings(["A", "C"], seed=5))),
                             ("d.csv", csv_of(readings(["B", "D"], seed=6))))  # fmt: skip
    at = workbench.merge(entry.label, family="MUCH")
    assert {"Complete unmeasured pairs", "Leave HEMs out"} <= set(buttons(at))
    assert "Merge by HRM" not in buttons(at)


def test_pairs_never_read_together_are_filled_when_asked(workbench) -> None:
    at = workbench.merge(HRM, family="MUCH", unmeasured="complete", dep_lvl="1.0")
    assert not at.error
    assert workbench.metrics(at)["HEMs merged"] == "14 of 14"


def test_pairs_never_read_together_are_dropped_when_asked(workbench) -> None:
    at = workbench.merge(HRM, family="MUCH", unmeasured="drop")
    assert not at.error
    kept = list(merged_table(workbench, at).columns)
    assert 1 < len(kept) < 14
    frames = samples.load("subexperiments-hrm").frames
    for one in kept:
        assert [two for two in kept if not any({one, two} <= set(frame.columns) for frame in frames)] == []


# The copula.


@pytest.mark.parametrize("label", [MUCH, HRM])
def test_one_click_goes_from_the_quick_merge_to_the_copula(workbench, label) -> None:
    at = workbench.merge(label)
    # Under a star, whose pairs are guessed by any merge, the step is the plan that reads them.
    assert ("Merge with the copula" in buttons(at)) == (label == MUCH)
    if label == MUCH:
        buttons(at)["Merge with the copula"].click()
        workbench.run(at)
    else:
        at = workbench.merge(label, family="Copula")
    assert workbench.sentences(at) == []
    assert at.session_state["merge.family"] == "Copula"
    assert workbench.metrics(at)["HEMs merged"] == "14 of 14"
    assert "Merge with the copula" not in buttons(at)
    assert "analysis_named('merge.copula')" in workbench.snippet(at)
    read = plain(at.markdown)
    assert ("Correlations are as good as reading all HEMs together once more" in read) == (label == MUCH)
    assert ("49 pairs were never read together: filled by the model" in read) == (label == HRM)


def test_pairs_that_the_model_filled_have_a_ring_and_no_interval(workbench) -> None:
    at = workbench.merge(HRM, family="Copula")
    figure = workbench.spec(workbench.pictures(workbench.in_tab(at, "Merged correlation"))[0])["figure"]
    assert [trace for trace in figure["data"] if trace.get("marker", {}).get("symbol") == "circle-open"]
    hovers = [trace["text"] for trace in figure["data"] if "customdata" in trace][-1]
    assert sum("never read together: filled by the model, no interval" in words for words in hovers) == 2 * 49
    assert sum("90% interval" in words for words in hovers) == 2 * 42
    tab = workbench.in_tab(at, "Intervals")
    assert "49 of 91 pairs were never read together and have no interval" in plain(tab.caption)


def test_the_star_stands_beside_one_merge_alone(workbench, csv_of, readings, monkeypatch) -> None:
    """The comparison names one merge as the closest, or several that its judges cannot tell apart, or none."""
    label = workbench.stored(("x.csv", csv_of(readings(["A", "B"]))), name="x").label

    def side(told: float, n_unread: int = 0) -> str:
        rows = pd.DataFrame({"method": ["true rows", "calibrated", "copula"], "auc": [0.5, 0.55, 0.52]})
        found = Comparison(quality=MergeQuality(rows=rows, judges=("x",), runs=20, told=told, n_unread=n_unread), truth=None)
        monkeypatch.setattr(ask, "at_hand", lambda question: found if question.analysis is COMPARE else None)
        return plain(workbench.merge(label).caption)

    assert "Closest: Copula" in side(0.53).replace("**", "")
    assert "Equally close: Copula; MUCH, calibrated" in side(0.56)
    assert " close: " not in (none := side(0.56, n_unread=1))
    assert "Closest: " not in none


@pytest.mark.slow
@pytest.mark.usefixtures("no_jobs", "workers")
def test_methods_side_by_side_are_a_job_with_one_table(workbench, csv_of, readings) -> None:
    frames = [readings(["A", "B"], runs=80), readings(["A", "C"], runs=80, seed=5)]
    entry = workbench.stored(*((f"{name}.csv", csv_of(frame)) for name, frame in zip("bc", frames, strict=True)))
    at = workbench.merge(entry.label, view="Methods compared")
    (job,) = jobs.jobs()
    assert job.wait(300)
    assert job.state == "done"
    tab = workbench.in_tab(workbench.run(at), "Methods compared")
    titles = ["True rows", "HRM", "MUCH, simulated as R does", "MUCH, calibrated", "Copula"]
    assert tab.dataframe[0].value["method"].tolist() == titles
    assert "No merge is recommended: 1 of 3 pairs are never read together" in plain(tab.caption)


def test_parts_that_share_no_hem_are_named(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))), ("c.csv", csv_of(readings(["C", "D"], seed=5))))
    at = workbench.merge(entry.label, family="Copula")
    told = only_a_sentence(workbench, at)
    assert "they form 2 groups that share no HEM: 'A', 'B'; 'C', 'D'" in told
    # Four pairs join them: the button under the sentence opens Plan on these.
    at.button(key="action-Plan these pairs").click()
    workbench.run(at)
    assert at.query_params["plan.wanted"].count("\n") == 3


def test_a_subexperiment_of_another_kind_is_named_before_the_merge_is_trusted(workbench, csv_of, readings) -> None:
    frames = [readings(["A", "B"], runs=80), readings(["A", "C"], runs=80, seed=5), readings(["A", "D"], runs=80, seed=6)]
    frames[1] = [(name, 10 * counts) for name, counts in frames[1]]
    entry = workbench.stored(*((f"{name}.csv", csv_of(frame)) for name, frame in zip("bcd", frames, strict=True)))
    at = workbench.merge(entry.label)
    assert "disagrees with the other subexperiments." in plain(at.markdown)
    assert "the median of A is" in plain(at.markdown)


# HRM.


def test_hrm_on_its_sample_with_every_anchor(workbench) -> None:
    common = samples.load("subexperiments-hrm").common_hems
    at = workbench.merge(HRM)
    assert at.selectbox(key="merge.anchor_hem").options == common
    for anchor in common:
        at.selectbox(key="merge.anchor_hem").select(anchor)
        workbench.run(at)
        assert not at.error
        assert list(workbench.metrics(at))[: len(HEADLINE)] == HEADLINE
        assert workbench.metrics(at)["HEMs merged"] == "14 of 14"
        assert workbench.tabs(at) == [*TABS, TRUTH]
        merged = merged_table(workbench, at)
        assert merged.columns[0] == anchor
        assert merged[anchor].is_monotonic_increasing


def test_each_common_hem_of_an_upload_can_be_the_anchor(workbench, csv_of, readings) -> None:
    files = [(f"{name}.csv", csv_of(readings(["A", "B", name], seed=seed))) for seed, name in enumerate("CDE")]
    entry = workbench.stored(*files)
    for anchor in ("A", "B"):
        at = workbench.merge(entry.label, family="HRM", anchor_hem=anchor)
        assert not at.error
        assert at.selectbox(key="merge.anchor_hem").options == ["A", "B"]
        assert merged_table(workbench, at).columns[0] == anchor
        assert workbench.metrics(at)["HEMs merged"] == "5 of 5"
        assert TRUTH not in workbench.tabs(at)


def test_hrm_without_a_common_hem_is_told(workbench) -> None:
    assert samples.load("subexperiments-much").common_hems == []
    told = only_a_sentence(workbench, workbench.merge(MUCH, family="HRM"))
    assert "No HEM is read in every subexperiment" in told
    assert "MUCH" in told


@pytest.mark.parametrize(("first", "then"), [(MUCH, HRM), (HRM, MUCH)])
def test_going_over_to_the_other_sample_shows_a_merge(workbench, first, then) -> None:
    at = workbench.merge(first)
    at.selectbox(key="merge.dataset").select(then)
    workbench.run(at)
    assert workbench.sentences(at) == []
    assert at.metric


# Tabs.


def test_pairs_of_the_same_hem_are_told(workbench) -> None:
    at = workbench.merge(MUCH, first_hem="Ir", second_hem="Ir")
    pairs = workbench.in_tab(at, "Pairs")
    assert not workbench.pictures(pairs)
    assert workbench.read(pairs.error[0].value) == "Second HEM: 'Ir' is also the first HEM. Choose another."


def test_a_pair_never_read_together_is_said_to_be(workbench) -> None:
    at = workbench.merge(HRM, first_hem="Ir", second_hem="DLmr")
    (chart,) = workbench.pictures(workbench.in_tab(at, "Pairs"))
    assert "never read together" in json.dumps(workbench.spec(chart)).replace("<br>", " ")


def pair_shown(workbench, at, tab: str) -> tuple[str, str]:
    """The HEMs of the scatter in this tab, across and up."""
    axes = workbench.spec(workbench.pictures(workbench.in_tab(at, tab))[-1])["figure"]["layout"]
    across, up = (axes[name]["title"]["text"].split(",")[0] for name in ("xaxis", "yaxis"))
    return across, up


def test_a_click_on_a_cell_draws_its_pair_beside_it_at_once(workbench) -> None:
    at = workbench.merge(MUCH)
    worst = pair_shown(workbench, at, "Merged correlation")
    for pair in (("Ir", "Dw"), ("Dw", "Dr")):
        assert pair != worst
        workbench.pick(at, workbench.pictures(workbench.in_tab(at, "Merged correlation"))[0], list(pair))
        assert pair_shown(workbench, at, "Merged correlation") == pair
        assert (at.query_params["merge.first_hem"], at.query_params["merge.second_hem"]) == pair
    assert pair_shown(workbench, at, "Pairs") == pair
    workbench.in_tab(at, "Margins")
    assert pair_shown(workbench, at, "Merged correlation") == pair


def test_the_worst_pair_is_followed_until_one_is_chosen(workbench) -> None:
    at = workbench.merge(MUCH, view="Pairs")
    pairs = []
    for dep_lvl in (0.85, 0.6, 0.85):
        at.slider(key="merge.dep_lvl").set_value(dep_lvl)
        workbench.run(at)
        card = next(each for each in at.metric if each.label.startswith("Worst pair"))
        pairs.append(pair_shown(workbench, at, "Pairs"))
        assert workbench.read(card.delta) == " with ".join(pairs[-1])
    assert len(set(pairs)) == 2
    workbench.open_box(at, "Options")
    at.selectbox(key="merge.first_hem").select("Ir")
    at.selectbox(key="merge.second_hem").select("Dr")
    workbench.run(at)
    at.slider(key="merge.dep_lvl").set_value(0.9)
    workbench.run(at)
    assert pair_shown(workbench, at, "Pairs") == ("Ir", "Dr")


def test_the_same_hem_twice_leaves_the_heatmap(workbench) -> None:
    at = workbench.merge(MUCH, first_hem="Ir", second_hem="Ir")
    tab = workbench.in_tab(at, "Merged correlation")
    assert len(workbench.pictures(tab)) == 2
    assert "'Ir' is also the first HEM" in workbench.read(at.warning[0].value)


def test_a_link_carries_the_tab_the_matrix_the_pair_and_the_margins(workbench) -> None:
    at = workbench.open("merge", {"dataset": MUCH, "view": "Margins", "margin_hems": ["Bim", "Dr"]})
    tab = next(each for each in at.tabs if each.label == "Margins")
    (picture,) = workbench.pictures(tab)
    texts = [each["text"] for each in workbench.spec(picture)["figure"]["layout"]["annotations"]]
    assert texts == ["Bim, counts per run", "Dr, counts per run"]
    link = next(each.value for each in workbench.open_box(at, "Download").code if "merge.dataset" in each.value)
    assert "merge.view=Margins" in link
    assert "merge.margin_hems=Bim&merge.margin_hems=Dr" in link
    # What is chosen here is written there by the browser.
    assert at.multiselect(key="merge.margin_hems").proto.query_param_key == "merge.margin_hems"

    at = workbench.merge(MUCH, matrix="minus truth", first_hem="Ir", second_hem="Dw")
    heatmap, _ = workbench.pictures(workbench.in_tab(at, "Merged correlation"))
    assert "merged minus truth" in json.dumps(workbench.spec(heatmap))
    assert pair_shown(workbench, at, "Merged correlation") == ("Ir", "Dw")


def test_the_truth_is_no_matrix_where_nobody_knows_it(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("mine.csv", csv_of(readings(["A", "B", "C"]))))
    at = workbench.merge(MUCH, matrix="minus truth")
    at.selectbox(key="merge.dataset").select(entry.label)
    workbench.run(at)
    assert workbench.sentences(at) == []
    choice = next(each for each in at.get("segmented_control") if each.key == "merge.matrix")
    assert list(choice.options) == ["merged", "measured", "minus measured"]
    assert choice.value == "merged"
    assert next(iter(workbench.metrics(at))) == "Error of measured r"


def test_margins_without_a_hem_are_told(workbench) -> None:
    at = workbench.open_box(workbench.merge(MUCH, view="Margins"), "Options")
    at.multiselect(key="merge.margin_hems").set_value([])
    margins = workbench.in_tab(workbench.run(at), "Margins")
    assert "at least one" in margins.error[0].value
    assert not workbench.pictures(margins)


@pytest.mark.parametrize("order", ["as read", "clustered"])
@pytest.mark.parametrize("matrix", ["merged", "measured"])
@pytest.mark.parametrize("dataset", [MUCH, HRM])
def test_each_matrix_in_each_order(workbench, dataset, matrix, order) -> None:
    at = workbench.merge(dataset, matrix=matrix, order=order)
    assert len(workbench.pictures(workbench.in_tab(at, "Merged correlation"))) == 2


def test_a_hem_that_the_slider_leaves_out_leaves_the_choices(workbench) -> None:
    at = workbench.merge(MUCH, dep_lvl="1.0", first_hem="DLmr", second_hem="DLmw", ranked="DLmw", view="Pairs")
    at.slider(key="merge.dep_lvl").set_value(0.3)
    workbench.run(at)
    assert not at.warning
    chosen = [at.selectbox(key="merge.first_hem").value]
    workbench.in_tab(at, "Anchor ranking")
    chosen.append(at.selectbox(key="merge.ranked").value)
    kept = list(merged_table(workbench, at).columns)
    assert chosen[0] == ""  # of the worst pair
    assert chosen[1] in kept


# Links.


def test_a_link_carries_every_parameter(workbench) -> None:
    given = {
        "family": "MUCH",
        "dep_lvl": "0.5",
        "n_runs": "300",
        "seed": "7",
        "method": "simulated",
        "n_sims": "3",
        "absolute": "true",
        "outlier_zscore": "4.0",
        "unmeasured": "complete",
    }
    at = workbench.merge(HRM, **given)
    snippet = workbench.snippet(at)
    wanted = MuchParams(
        dep_lvl=0.5, n_runs=300, seed=7, method="simulated", n_sims=3, absolute=True, outlier_zscore=4.0, unmeasured="complete"
    )
    assert [name for name, value in wanted.model_dump().items() if f"{name}={value!r}" not in snippet] == []


def test_a_link_out_of_bounds_still_opens(workbench) -> None:
    at = workbench.merge(MUCH, dep_lvl="7", n_runs="many", seed="-3", method="other", matrix="none", first_hem="none")
    assert hems_merged(workbench, at) >= 1


def test_a_link_to_a_dataset_that_is_not_there(workbench) -> None:
    at = workbench.merge("Lost · 12345678")
    (told,) = workbench.sentences(at)
    assert "Lost · 12345678" in told
    assert told.endswith(".")
    assert not at.metric
    assert at.button(key="merge.start-subexperiments-much")  # the way on is still offered


def test_a_link_of_markup_is_shown_as_text(workbench) -> None:
    at = workbench.merge("<img src=x onerror=alert(1)>")
    assert not re.search(r"(?<!\\)<img", at.error[0].value)
    assert "<img src=x onerror=alert(1)>" in workbench.sentences(at)[0]


def test_a_link_to_a_dataset_of_another_kind(workbench) -> None:
    told = workbench.sentences(workbench.merge(f"{samples.title('signatures')} · sample"))
    assert len(told) == 1
    assert "it holds signatures. Choose another." in told[0]


def test_the_old_link_of_a_renamed_dataset_still_opens_it(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("before.csv", csv_of(readings(["A", "B"]))))
    shelf.store().rename(entry.id, "After · the rename")
    at = workbench.merge(entry.label)
    assert not at.error
    assert at.selectbox(key="merge.dataset").value == f"After · the rename · {entry.id[:8]}"
    assert at.metric


def test_the_dataset_is_deleted_or_renamed_in_another_tab(workbench, second_store, csv_of, readings) -> None:
    entry = workbench.stored(("mine.csv", csv_of(readings(["A", "B"]))))
    at = workbench.merge(entry.label)
    second_store.rename(entry.id, "Another name")
    workbench.run(at)
    second_store.delete(entry.id)
    workbench.run(at)
    assert not at.metric


# Readings that are hard or impossible to merge: a sentence or a result, for both methods.

HARD = {
    "one row": lambda make: make(["A", "B", "A", "C"], runs=1),
    "two rows": lambda make: make(["A", "B", "A", "C"], runs=2),
    "a constant HEM": lambda make: [("A", [5000] * 40), *make(["B"]), *make(["A", "C"], seed=5)],
    "a constant anchor": lambda make: [("A", [5000] * 40), *make(["B"]), ("A", [5000] * 40), *make(["C"])],
    "all constant": lambda make: [(name, [5000] * 40) for name in "ABAC"],
    "two HEMs, both read twice": lambda make: make(["A", "B", "A", "B"]),
    "the same readings twice": lambda make: [*make(["A"]), *make(["B"]), *make(["A"]), *make(["C"])],
    "huge counts": lambda make: [("A", [2.0**62, 2.0**61, 1.0]), ("B", [1e30, 1e29, 1e28])],
    "markup and formulas": lambda make: make(["<img src=x onerror=alert(1)>", "=cmd()", "**b**", "$x$", "a\tb"]),
    "a long name": lambda make: make(["A", "B" * 900]),
}


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize("method", ["HRM", "MUCH", "Copula"])
@pytest.mark.parametrize("case", HARD)
def test_hard_readings_give_a_sentence_or_a_merge(workbench, csv_of, readings, case, method) -> None:
    entry = workbench.stored(("hard.csv", csv_of(HARD[case](readings))))
    at = workbench.merge(entry.label, family=method)
    told = workbench.sentences(at)
    if told:
        only_a_sentence(workbench, at)
    else:
        assert workbench.tabs(at) == [tab for tab in TABS if (method, tab) != ("Copula", "Left out")]
        assert hems_merged(workbench, at) == merged_table(workbench, at).shape[1] >= 1


@pytest.mark.parametrize("method", ["HRM", "MUCH", "Copula"])
def test_one_hem_alone_gives_a_sentence_or_a_merge(workbench, csv_of, readings, method) -> None:
    entry = workbench.stored(("one.csv", csv_of(readings(["A", "A", "A"]))), n_pmcs=1)
    at = workbench.merge(entry.label, family=method)
    assert bool(at.error) != bool(at.tabs)


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@pytest.mark.parametrize("unmeasured", ["complete", "drop"])
@pytest.mark.parametrize("case", HARD)
def test_hard_readings_when_pairs_may_be_filled_or_dropped(workbench, csv_of, readings, case, unmeasured) -> None:
    entry = workbench.stored(("hard.csv", csv_of(HARD[case](readings))))
    at = workbench.merge(entry.label, family="MUCH", unmeasured=unmeasured)
    told = workbench.sentences(at)
    assert bool(told) != bool(at.tabs)


def test_subexperiments_of_unequal_rows(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"], runs=40))), ("c.csv", csv_of(readings(["A", "C"], runs=25, seed=5))))
    at = workbench.merge(entry.label, family="HRM")
    assert workbench.metrics(at)["Merged runs"] == "25"
    assert workbench.metrics(at)["HEMs merged"] == "3 of 3"
    told = only_a_sentence(workbench, workbench.merge(entry.label, family="MUCH"))
    assert "'B' with 'C'" in told


def test_a_subexperiment_of_which_no_hem_was_counted_is_left_out(workbench, csv_of, readings) -> None:
    never = [("A", np.zeros(40)), ("C", np.zeros(40))]
    entry = workbench.stored(("four.csv", csv_of([*readings(["A", "B"]), *never])))
    at = workbench.merge(entry.label)
    assert next(each.delta for each in at.metric if each.label == "Merged runs") == "from 1 subexperiment"


@pytest.mark.slow
def test_what_is_left_out_names_the_files_of_this_upload(workbench, csv_of, readings) -> None:
    """The same bytes under other file names are the same id: no result of the deleted dataset may stand for the new one."""
    contents = [csv_of(readings(["A", "B"])), csv_of(readings(["A", "B", "C"], seed=5))]
    for names in (("one.csv", "two.csv"), ("first.csv", "second.csv")):
        entry = workbench.stored(*zip(names, contents, strict=True))
        left_out = workbench.in_tab(workbench.merge(entry.label, family="HRM"), "Left out").dataframe[0].value
        assert names[1] in left_out["because"][0]
        at = workbench.select(workbench.open("data"), names[0])
        at.button(key="data.delete").click()
        workbench.run(at)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["HRM", "MUCH"])
@pytest.mark.long
def test_200_000_rows_of_12_columns(workbench, csv_of, readings, method) -> None:
    entry = workbench.stored(("large.csv", csv_of(readings(list("ABCDEFAGHIJK"), runs=200_000))))
    at = workbench.settled(workbench.merge(entry.label, family=method, unmeasured="complete", dep_lvl="1.0"))
    assert not at.error
    assert workbench.metrics(at)["HEMs merged"] == "11 of 11"
    assert workbench.metrics(at)["Merged runs"] == ("200,000" if method == "HRM" else "1,000")
    assert len(merged_table(workbench, at)) == 1_000  # the browser is sent a part


def test_damaged_files_are_told(workbench, data_dir, csv_of, readings) -> None:
    entry = workbench.stored(("hurt.csv", csv_of(readings(["A", "B"]))))
    (data_dir / "datasets" / entry.id / "0000.parquet").write_bytes(b"not parquet")
    assert "damaged" in only_a_sentence(workbench, workbench.merge(entry.label))


# The form is the Params model's.


def test_the_number_fields_are_the_models(workbench) -> None:
    at = workbench.merge(MUCH)
    bounds = {
        "dep_lvl": (LOWEST_DEP_LVL, 1.0),
        "n_runs": (2, 1_000_000),
        "n_sims": (1, 10_000),
        "seed": (0, 2**32 - 1),
        "outlier_zscore": (0.5, 1000.0),
    }
    for name, (low, high) in bounds.items():
        field = MuchParams.model_fields[name]
        widget = at.slider(key=f"merge.{name}") if name == "dep_lvl" else at.number_input(key=f"merge.{name}")
        assert widget.label.startswith(field.title), name
        assert widget.help == field.description, name
        assert (widget.min, widget.max) == (low, high), name
        assert widget.value == field.default, name
        assert widget.step == field.json_schema_extra["step"], name


def test_the_other_fields_are_the_models(workbench) -> None:
    at = workbench.merge(MUCH)
    for name, options in {"method": ["calibrated", "simulated"], "unmeasured": ["error", "complete", "drop"]}.items():
        widget = at.get_by_key(f"merge.{name}")
        assert list(widget.options) == options
        assert widget.proto.label == MuchParams.model_fields[name].title
        assert widget.proto.help == MuchParams.model_fields[name].description
    toggle = at.toggle(key="merge.absolute")
    assert (toggle.label, toggle.help) == (MuchParams.model_fields["absolute"].title, MuchParams.model_fields["absolute"].description)
    anchor = workbench.merge(HRM).selectbox(key="merge.anchor_hem")
    assert anchor.label == HrmParams.model_fields["anchor_hem"].title
    assert anchor.help.startswith(HrmParams.model_fields["anchor_hem"].description)


def test_every_field_of_the_models_has_a_widget(workbench) -> None:
    for label, model, family in ((MUCH, MuchParams, "MUCH"), (HRM, HrmParams, "HRM"), (HRM, CopulaParams, "Copula")):
        at = workbench.merge(label, family=family)
        assert [name for name in model.model_fields if at.get_by_key(f"merge.{name}") is None] == []


# What can be taken away.


def test_names_that_a_spreadsheet_would_run_are_quoted_in_the_csv(workbench) -> None:
    table = pd.DataFrame({"=cmd()": [1], "+A": [2], "-B": [3], "@C": [4], "D": [5]})
    assert downloads.csv_bytes(table).decode().splitlines() == ["'=cmd(),'+A,'-B,'@C,D", "1,2,3,4,5"]


def test_csv_and_parquet_hold_the_merged_table(workbench, tmp_path) -> None:
    shown = merged_table(workbench, workbench.merge(HRM))
    (tmp_path / "merged.csv").write_bytes(downloads.csv_bytes(shown))
    (tmp_path / "merged.parquet").write_bytes(downloads.parquet_bytes(shown))
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "merged.csv"), shown)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "merged.parquet"), shown)


# Real readings.


@pytest.mark.long
@pytest.mark.slow
def test_where_outliers_move_the_merge_one_click_leaves_no_run_out(workbench, t2080) -> None:
    raw = t2080 / "t2080_much_raw.csv"
    at = workbench.merge(workbench.stored((raw.name, raw.read_bytes())).label, family="MUCH")
    assert "Left out as outliers" in workbench.metrics(at)
    buttons(at)["Leave no run out"].click()
    at = workbench.run(at)
    assert at.session_state["merge.outlier_zscore"] == 1000
    assert "Left out as outliers" not in workbench.metrics(at)
    assert "Leave no run out" not in buttons(at)


@pytest.mark.slow
def test_t2080_merged_by_its_anchor_is_what_r_makes(workbench, t2080) -> None:
    raw = t2080 / "t2080_hrm_raw.csv"
    entry = workbench.stored((raw.name, raw.read_bytes()))
    at = workbench.merge(entry.label, family="HRM", anchor_hem="PROCESSOR_CYCLES")
    expected = pd.read_csv(t2080 / "r_hrm_merged_PROCESSOR_CYCLES.csv")
    pd.testing.assert_frame_equal(merged_table(workbench, at)[list(expected)], expected, check_dtype=False)


@pytest.mark.sweep(of=2)
@pytest.mark.slow
@pytest.mark.parametrize(("dep_lvl", "bound"), [("0.85", 4e-5), ("1.0", 9e-5)])
def test_t2080_merged_by_dep_lvl(workbench, t2080, dep_lvl, bound) -> None:
    raw = t2080 / "t2080_much_raw.csv"
    entry = workbench.stored((raw.name, raw.read_bytes()))
    at = workbench.merge(entry.label, family="MUCH", dep_lvl=dep_lvl)
    r = pd.read_csv(t2080 / "r_much_cor_independent_0.85.csv")
    hems = r.columns[1:] if r.iloc[:, 0].dtype == object or str(r.iloc[:, 0].dtype) == "str" else r.columns
    assert hems_merged(workbench, at) == (16 if dep_lvl == "1.0" else len(hems))
    assert number(workbench.metrics(at)["Correlation MSE"]) <= bound
