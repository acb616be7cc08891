"""What a slider does, below it, in one form on five pages: the change in words from the default or the baseline, and the curve."""

import pytest

from hemcore.analysis import Question
from hemcore.merge.analysis import MUCH
from hemcore.merge.params import MuchParams

pytestmark = pytest.mark.usefixtures("no_jobs", "workers")


def strips(workbench, at, label: str) -> list[str]:
    """The sentences below the sliders called `label`."""
    captions = [workbench.read(each.value) for each in at.caption]
    return [each for each in captions if f"{label} " in each and " → " in each]


def test_plan_says_what_fewer_runs_would_leave_unknown(workbench) -> None:
    at = workbench.open("plan", {"dataset": "16 HEMs of an NXP T2080 · sample", "runs": "100"})
    (told,) = strips(workbench, at, "Runs per subexperiment")
    assert told.startswith("Runs per subexperiment 350 (default) → 100: r known to ± ")
    assert told.endswith("%.")


def test_plan_says_before_the_number_that_it_is_an_extrapolation(workbench) -> None:
    at = workbench.open("plan", {"dataset": "16 HEMs of an NXP T2080 · sample", "runs": "5000"})
    (told,) = strips(workbench, at, "Runs per subexperiment")
    assert told.startswith("Extrapolated beyond the pilot's ")


def test_merge_says_what_dep_lvl_changes_from_the_baseline(workbench) -> None:
    much = "Request server, MUCH collection · sample"
    at = workbench.open("merge", {"dataset": much, "family": "MUCH", "dep_lvl": "0.5"})
    (told,) = strips(workbench, at, "dep_lvl")
    assert told.startswith("dep_lvl 0.85 (default) → 0.5: HEMs kept ")
    pin = Question(analysis=MUCH, dataset="sample-subexperiments-much", params=MuchParams(dep_lvl=0.7)).link
    at = workbench.open("merge", {"dataset": much, "family": "MUCH", "dep_lvl": "0.5", "pin": pin})
    (told,) = strips(workbench, at, "dep_lvl")
    assert told.startswith("dep_lvl 0.7 (baseline) → 0.5: HEMs kept ")


def test_merge_says_the_change_before_the_curve_is_there(workbench, never_done) -> None:
    submitted, _ = never_done
    much = "Request server, MUCH collection · sample"
    at = workbench.open("merge", {"dataset": much, "family": "MUCH"})
    assert submitted == []
    at = workbench.open("merge", {"dataset": much, "family": "MUCH", "n_runs": "100"})
    (told,) = strips(workbench, at, "Runs")
    assert told.startswith("Runs 1,000 (default) → 100: r off by ")
    captions = [workbench.read(each.value) for each in at.caption]
    assert any("The curve over other values of Runs is being computed." in each for each in captions)
    assert len(submitted) == 1


@pytest.mark.long
def test_merge_says_what_more_rows_change(workbench) -> None:
    much = "Request server, MUCH collection · sample"
    at = workbench.settled(workbench.open("merge", {"dataset": much, "family": "MUCH", "n_runs": "100"}))
    (told,) = strips(workbench, at, "Runs")
    assert told.startswith("Runs 1,000 (default) → 100: r off by ")


def test_multiplexing_says_what_more_slots_per_count_lose(workbench) -> None:
    ocoe = "Request server and 8 others, every event counted · sample"
    at = workbench.open("multiplexing", {"dataset": ocoe, "application": "sensor_control", "slots_per_count": "8"})
    (told,) = strips(workbench, at, "Slots per count")
    assert told.startswith("Slots per count 4 (default) → 8: RA by ")
    assert told.endswith(" points.")


def test_segmentation_counts_change_points_from_algorithm_1s_threshold(workbench) -> None:
    ocoe = "Request server and 8 others, every event counted · sample"
    at = workbench.open(
        "segmentation", {"dataset": ocoe, "application": "request_server_day", "event": "Dr", "statistic": "mean", "threshold": "8"}
    )
    (told,) = strips(workbench, at, "Threshold")
    assert " (Algorithm 1) → 8: change points " in told


def test_signatures_counts_jobs_by_each_threshold_and_what_energy_costs(workbench) -> None:
    sample = "5,000 jobs' signatures (synthetic) · sample"
    at = workbench.open("signatures", {"dataset": sample, "cpu_cpi": "0.48", "price": "0.5"})
    (told,) = strips(workbench, at, "CPU-bound CPI")
    assert told == "CPU-bound CPI 0.4 (default) → 0.48: CPU-bound by thresholds 1,494 jobs → 1,663 jobs, +11%."
    (cost,) = strips(workbench, at, "Price per kWh")
    assert cost.startswith("Price per kWh 0.25 (default) → 0.5: cost of all energy ")
    assert cost.endswith(", +100%.")
    assert "MEMORY-bound by roofline 849 jobs, default." in [workbench.read(each.value) for each in at.caption]
