"""Figures above the pictures of policies, jobs, clusters and seeds, by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.signatures import SignatureParams
from hemcore.signatures.headline import cluster_cards, cluster_verdict, stability_verdict
from hemcore.signatures.headline_text import row_of_least, verdict_of
from hemcore.signatures.headline_usage import job_cards, job_verdict, policy_cards, policy_verdict

SEEN = SimpleNamespace(
    rows=40, noun="job", unmeasured=3, aside=2, another_tpi=0, badges={"summed nodes": 0, "GPU active": 0}, gpu_by_power=False
)


def policies(**changed: Any) -> Any:
    rows = pd.DataFrame(
        {
            "application": "fft", "policy": ["monitoring", "min_energy", "min_time"], "def_freq_khz": [2.4e6, 2.0e6, np.nan],
            "reference": [True, False, False], "energy_change": [0.0, -0.1, 0.2], "time_change": [0.0, 0.15, -0.05],
            "over_threshold": [False, True, False], "threshold": [np.nan, 0.1, 0.1], "runs": [5, 5, 5],
        }
    )  # fmt: skip
    usage = pd.DataFrame(
        {
            "by": ["class", "class", "application"], "group": ["CPU", "MEM", "fft"], "energy_kwh": [3.0, np.nan, 3.0],
            "node_hours": [2.0, 4.0, 6.0], "share": [1.0, np.nan, 1.0],
        }
    )  # fmt: skip
    return SimpleNamespace(policies=rows.assign(**changed), usage=usage, seen=SEEN, no_reference=())


def test_policies_by_their_energy() -> None:
    shown = {each.label: each for each in policy_cards(policies())}
    assert {name: card.value for name, card in shown.items()} == {"Energy": 3, "Node-hours": 6, "Policies": 3, "Lowest energy": -0.1}
    assert shown["Lowest energy"].note == "min_energy at 2 GHz: time +15.0%"
    assert shown["Policies"].note == "at 2 default frequencies"
    found = policy_verdict(policies())
    assert found.answer == "min_energy at 2 GHz saves 10.0% energy for +15.0% time in fft."
    assert found.trust.startswith("min_energy at 2 GHz took 15% more time than the reference; 10% was allowed.")
    assert policy_verdict(policies(over_threshold=False)).level == "good"
    once = policy_verdict(policies(over_threshold=False, runs=[9, 2, 1]))
    assert (once.level, "run only once" in once.trust) == ("limited", True)
    assert policy_verdict(policies(over_threshold=False, runs=[1, 2, 2])).level == "good"  # of the reference, several are not needed
    dear = policy_verdict(policies(energy_change=[0.0, 0.3, 0.2]))
    assert dear.answer.startswith("min_time costs 20.0% energy for −5.0% time")


def test_without_another_policy_the_class_of_most_energy_is_named() -> None:
    found = policy_verdict(policies(reference=True))
    assert found.answer == "CPU signatures used 100% of 3 kWh."
    assert found.level == "limited"


def job(seconds: list[float]) -> Any:
    loops = pd.DataFrame({"node": ["a", "b"] * 3, "seconds": seconds, "energy_j": [10.0] * 6})
    params = SimpleNamespace(assumed=False, machine="m")
    strategy = SimpleNamespace(name="EAR", why="why")
    return SimpleNamespace(job="7", loops=loops, shares={"MIX": 0.3, "CPU": 0.7}, changes=2, params=params, strategy=strategy)


def test_a_job_in_time() -> None:
    shown = {each.label: each.value for each in job_cards(job([5.0] * 6))}
    assert shown == {"Loops": 6, "MIX": 0.3, "CPU": 0.7, "Energy": 60, "Seconds": 30}
    found = job_verdict(job([5.0] * 6))
    assert found.answer == "Job 7 is CPU for 70% of its time, with 2 class changes."
    assert (found.level, found.trust) == ("good", "Every loop's time is known from its TIMESTAMP. It has 6 loops.")
    assert job_verdict(job([np.nan, 5, 5, 5, 5, 5])).trust.startswith("The time of 1 loop is not known.")
    few = job([5.0] * 6)
    few.loops = few.loops.iloc[:4]
    assert job_verdict(few).level == "limited"
    assert job_cards(few)[0].note == "on 2 nodes"
    few.loops = few.loops.assign(energy_j=[10.0, np.nan, np.nan, np.nan])
    assert [each.value for each in job_cards(few) if each.label == "Energy"] == [10]
    few.loops = few.loops.assign(energy_j=np.nan)
    assert [each.note for each in job_cards(few) if each.label == "Energy"] == ["no power was read"]


def clusters(silhouette: float = 0.4, changed: float = 0.05, sizes: tuple[int, ...] = (30, 10)) -> Any:
    fit = SimpleNamespace(sizes=sizes, loss=20.0, scale="cbrt", algorithm="FasterPAM")
    names = [f"c{place}" for place in range(len(sizes))]
    model = SimpleNamespace(names=names, fit=fit, silhouette=silhouette, share_changed=changed, n_changed=2, seed=1)
    return SimpleNamespace(model=model, params=SignatureParams(), rows=pd.DataFrame(index=range(sum(sizes))), seen=SEEN, gpu=())


def test_clusters_in_figures() -> None:
    shown = {each.label: each.value for each in cluster_cards(clusters())}
    assert shown == {"c0": 0.75, "c1": 0.25, "Silhouette": 0.4, "Change in EAR's files": 0.05, "Mean distance": 0.5}
    found = cluster_verdict(clusters())
    assert found.answer == "2 medoids stand for 40 jobs: 75% c0, 25% c1."
    assert any("3 not measured, 2 set aside" in each for each in (found.trust, *found.why))


@pytest.mark.parametrize(
    ("silhouette", "changed", "level"),
    [
        (0.4, 0.05, "good"),
        (0.39, 0.0, "limited"),
        (0.2, 0.0, "limited"),
        (0.19, 0.0, "poor"),
        (0.4, 0.06, "limited"),
        (np.nan, 0.0, "poor"),
    ],
)
def test_clusters_apart_are_green(silhouette: float, changed: float, level: str) -> None:
    assert cluster_verdict(clusters(silhouette, changed)).level == level


def test_few_signatures_are_not_green() -> None:
    assert cluster_verdict(clusters(sizes=(20, 9))).level == "limited"
    assert cluster_verdict(clusters(sizes=(20, 10))).level == "good"


@pytest.mark.parametrize(("least", "level"), [(0.95, "good"), (0.94, "limited"), (0.8, "limited"), (0.79, "poor")])
def test_the_least_agreement_of_another_seed_counts(least: float, level: str) -> None:
    found = stability_verdict(SimpleNamespace(params=SignatureParams(), seeds=pd.DataFrame({"rand_index": [0.1, 1.0, least]})))  # type: ignore[arg-type]
    assert (found.level, found.why) == (level, ("Compared with the first seed: 2 other seeds.",))


def test_as_many_reasons_are_shown_as_fit() -> None:
    assert verdict_of("a.", ["one.", "two.", "three."], "good").trust == "one. two."
    long = "word " * 12 + "end."
    found = verdict_of("a.", [long, long, "three."], "good")
    assert (found.trust, found.why) == (long, (long, "three."))
    assert row_of_least(pd.DataFrame({"a": [1, 2, 3]}), pd.Series([5.0, 4.0, 6.0]))["a"] == 2
