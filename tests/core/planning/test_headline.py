"""The headline figures and the verdict of a plan."""

import pandas as pd
import pytest

from hemcore.headline import duration
from hemcore.planning import HemList, PlanParams
from hemcore.planning.analysis import PLAN, SEARCH
from hemcore.planning.headline import cards, verdict
from hemcore.planning.results import PlanReport


def answer(n: int = 16, columns: dict[str, list[str]] | None = None, **params: object) -> PlanReport:
    table = HemList(frame=pd.DataFrame({"hem": [f"HEM_{at}" for at in range(n)]} | (columns or {})))
    report = PLAN.of(table, PlanParams(**{"time_limit": 0.3} | params))
    assert isinstance(report, PlanReport)
    return report


def test_a_plan_at_its_bound_is_as_good_as_can_be() -> None:
    said = verdict(answer())
    assert said.answer == "10 subexperiments read every pair of 16 HEMs together with 6 PMCs."
    assert said.trust == "No plan needs fewer."
    assert said.why == ("Reading every pair together takes at least 10 subexperiments (Mills and Todorov).",)
    assert said.level == "good"


def test_above_the_bound_it_says_how_far() -> None:
    assert verdict(answer(15, n_pmcs=5)).trust.startswith("8.3% above the lower bound of 12, which may be unreachable.")


def test_an_anchor_is_named_and_empty_means_the_first() -> None:
    assert verdict(answer(goal="anchor")).answer.endswith("subexperiments, each with HEM_0, read every pair of 16 HEMs together.")
    assert answer(goal="anchor", anchor="HEM_3").plan.anchor == "HEM_3"
    assert answer(goal="pairs", anchor="HEM_3").plan.anchor is None


def test_a_budget_says_what_it_leaves_and_parts_are_named() -> None:
    half = verdict(answer(goal="budget", groups=5))
    assert half.level == "limited"
    assert half.trust.endswith("pairs must be filled by a merge's model.")
    apart = verdict(answer(8, goal="budget", groups=1))
    assert apart.level == "poor"
    assert "Its 3 unconnected groups" in apart.trust
    assert "'HEM_7'" in apart.why[0]


def test_wanted_pairs_are_called_so() -> None:
    report = answer(9, goal="budget", groups=2, n_pmcs=3, wanted="HEM_0 with *\nHEM_1, HEM_2")
    assert verdict(report).answer == "2 subexperiments read 5 of 9 wanted pairs of 9 HEMs together (56%)."
    assert verdict(answer(9, n_pmcs=3, wanted="HEM_0 with *")).answer.startswith("4 subexperiments read every wanted pair of 9 HEMs")


def test_pairs_that_no_subexperiment_holds_are_told() -> None:
    said = verdict(answer(8, columns={"counters": ["0", "0", *[""] * 6]}, n_pmcs=4))
    assert said.level == "limited"
    assert "every possible pair of 8 HEMs" in said.answer
    assert said.trust == "Counters and limits keep 1 pair apart."
    assert said.why[-1].endswith("filled by a merge's model: HEM_0 with HEM_1.")


def test_more_pmcs_than_hems_leave_nothing_to_merge() -> None:
    assert verdict(answer(5, n_pmcs=8)).answer == "All 5 HEMs fit into one subexperiment: there is nothing to merge."


def test_time_is_runs_times_subexperiments() -> None:
    report = answer(runs=100, seconds_per_run=36.0)
    assert report.seconds == 100 * 36 * 10
    assert cards(report)[-1].shown == "10.00 h"
    assert cards(report)[-1].value == pytest.approx(10)


@pytest.mark.parametrize(("seconds", "words"), [(0, "0 s"), (45, "45 s"), (720, "12 min"), (12_240, "3.4 h"), (181_440, "2.1 days")])
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_runs_and_time_do_not_search_again() -> None:
    assert set(PLAN.reads) - set(SEARCH.reads) == {"runs", "seconds_per_run"}


def test_metrics_of_different_events_need_no_connection() -> None:
    said = verdict(answer(4, {"metrics": ["one", "one", "two", "two;three"]}, n_pmcs=2))
    assert said.answer == "2 subexperiments read every pair inside 3 metrics together with 2 PMCs."
    assert said.trust == "No metric needs a merge."
    assert said.level == "good"
    assert "No plan needs fewer." in said.why


def test_a_budget_for_metrics_says_which_are_merged() -> None:
    report = answer(3, {"metrics": ["one;all", "one;all", "all"]}, n_pmcs=2, goal="budget", groups=2)
    said = verdict(report)
    assert said.answer == "2 subexperiments read 2 of 3 pairs inside 2 metrics together (67%)."
    assert said.level == "limited"
    assert "Put together by merging: 'all'." in said.why
    card = next(each for each in cards(report) if each.label == "Whole metrics")
    assert (card.value, card.note) == (1, "of 2; a merge puts the others together")
