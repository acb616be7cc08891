"""Energy with missing power readings, worked out by hand, and verdicts that are read at a glance."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.signatures import CLASSES, SignatureParams
from hemcore.signatures.analysis import CLASSIFY, JOB, KMEDOIDS, POLICIES, STABILITY
from hemcore.signatures.clusters.cluster_quality import profile
from hemcore.signatures.headline import stability_verdict
from hemcore.signatures.policies import usage
from hemcore.signatures.results import SeedStability
from tests.core.signatures.test_policies import RUNS

# One hour at 300 W, half an hour at 500 W, and two hours of which no power was read.
FRAME = pd.DataFrame(
    {"CPI": 0.5, "TPI": 1.0, "MEM_GBS": 10.0, "GFLOPS": 5.0, "TIME_SEC": [3600.0, 1800, 7200], "DC_NODE_POWER_W": [300.0, 500, np.nan]}
)


def test_mean_power_is_over_the_hours_with_a_reading() -> None:
    classes = pd.Series(pd.Categorical(["MIX"] * 3, categories=list(CLASSES)))
    row = usage(FRAME, classes).set_index("by").loc["class"]
    # 0.3 kWh + 0.25 kWh over 1.5 of 3.5 hours.
    assert row["node_hours"] == pytest.approx(3.5)
    assert row["energy_kwh"] == pytest.approx(0.55)
    assert row["mean_power_w"] == pytest.approx(550 / 1.5)


def test_the_energy_of_a_cluster_passes_over_missing_readings() -> None:
    found = profile(FRAME, np.array([0, 0, 0]), ["MIX"]).iloc[0]
    assert found["energy_kwh"] == pytest.approx(0.55)
    assert np.isnan(profile(FRAME, np.array([-1, -1, 0]), ["MIX"]).iloc[0]["energy_kwh"])


def seeds(least: float) -> SeedStability:
    return SeedStability(
        seeds=pd.DataFrame({"seed": [0, 1], "loss": 1.0, "silhouette": 0.5, "rand_index": [1, least], "share_changed": 0.0}),
        params=SignatureParams(),
    )


@pytest.mark.long
def test_verdicts_are_read_at_a_glance() -> None:
    sample = samples.load("signatures")
    loops = pd.concat([FRAME] * 3, ignore_index=True).assign(LOOPID=0, JOBID=7, TIMESTAMP=np.arange(9) * 10.0)
    found = [
        CLASSIFY.verdict(CLASSIFY.of(sample)),
        CLASSIFY.verdict(CLASSIFY.of(sample, SignatureParams(set_aside="GPU active"))),
        CLASSIFY.verdict(CLASSIFY.of(sample, SignatureParams(peak_gflops=1.0))),
        CLASSIFY.verdict(CLASSIFY.of(SignatureTable(frame=FRAME))),
        *(KMEDOIDS.verdict(KMEDOIDS.of(sample, SignatureParams(n_clusters=k, scale=s))) for k, s in ((3, "cbrt"), (8, "z-score"))),
        *(POLICIES.verdict(POLICIES.of(SignatureTable(frame=each))) for each in (RUNS, FRAME, FRAME.drop(columns="DC_NODE_POWER_W"))),
        *(JOB.verdict(JOB.of(SignatureTable(frame=each))) for each in (loops, loops.iloc[:3])),
        *(stability_verdict(seeds(least)) for least in (0.99, 0.9, 0.1)),
    ]
    assert not [each for each in found if each.too_long()]
    assert [each.level for each in found[-3:]] == ["good", "limited", "poor"]
    assert "different" in found[-1].answer
    assert STABILITY.verdict is None or not STABILITY.verdict(seeds(0.5)).too_long()
