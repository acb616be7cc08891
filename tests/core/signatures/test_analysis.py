"""Questions about signatures: classes side by side, k-medoids, a job in time, their verdicts; on the sample and by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.eacct import read_eacct
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import HemError
from hemcore.signatures import CLASSES, SignatureParams
from hemcore.signatures.analysis import CLASSIFY, JOB, KMEDOIDS, STABILITY

EAR = Path(__file__).parents[4] / "shared" / "data" / "ear"
needs_ear = pytest.mark.skipif(not EAR.is_dir(), reason="EAR's sample files are not here (../shared/data/ear)")


@pytest.fixture(scope="module")
def table() -> SignatureTable:
    found = samples.load("signatures")
    assert isinstance(found, SignatureTable)
    return found


def small(**columns: object) -> SignatureTable:
    frame = pd.DataFrame({"CPI": [0.3, 1.2, 0.6], "TPI": 1.0, "MEM_GBS": [20.0, 500, 200], "GFLOPS": [3000.0, 90, 400]} | columns)
    return SignatureTable(frame=frame.assign(JOBID=range(len(frame))))


@pytest.mark.slow
def test_the_sample_in_a_sentence(table: SignatureTable) -> None:
    found = CLASSIFY.of(table)
    verdict = CLASSIFY.verdict(found)  # type: ignore[misc]
    assert verdict.answer == "4,858 jobs: 39% CPU-bound, 30% MEMORY-bound, 31% MIX; strategies agree on 58%."
    assert verdict.level == "limited"
    assert "142 not measured" in verdict.full_text
    assert "264 used a GPU" in verdict.full_text
    assert found.counts.loc["default"].tolist() == [1728, 2180, 950]
    assert found.counts.loc["class"].tolist() == found.counts.loc["k-medoids"].tolist() == KMEDOIDS.of(table).model.fit.sizes.tolist()
    assert found.seen.tpi_units == {"bytes": 4858, "transactions": 0, "another": 0, "unknown": 0}
    assert found.strategy.name == "k-medoids"


def test_confusion_agreement_and_reasons_by_hand() -> None:
    found = CLASSIFY.of(small())
    # Too few for medoids of their own: two strategies.
    assert found.strategies == ("default", "roofline")
    assert found.strategy.name == "roofline"
    assert found.classes["default"].tolist() == [CLASSES[0], CLASSES[1], CLASSES[2]]
    assert found.classes["roofline"].tolist() == [CLASSES[0], CLASSES[1], CLASSES[2]]
    assert found.agreement == 1
    apart = CLASSIFY.of(small(), SignatureParams(bandwidth_share=1.0))
    assert apart.classes["roofline"].tolist() == [CLASSES[0], CLASSES[2], CLASSES[2]]
    assert apart.confusion("default", "roofline").to_numpy().tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert apart.agreement == pytest.approx(2 / 3)
    assert apart.pairs.to_dict("records") == [{"one": "default", "other": "roofline", "agree": pytest.approx(2 / 3)}]
    assert apart.classes["agree"].tolist() == [True, False, True]
    assert apart.classes["why roofline"].iloc[1] == "left of the ridge point, 11.67 FLOP/byte; MEM_GBS below 614.4 (1 of 614.4)"
    assert CLASSIFY.verdict(apart).answer.startswith("3 jobs: 33% CPU-bound, 0% MEMORY-bound, 67% MIX; strategies")  # type: ignore[misc]


def test_how_far_below_its_roof() -> None:
    roofline = CLASSIFY.of(small(MEM_GBS=[20.0, 500, 0])).roofline
    np.testing.assert_allclose(roofline["intensity"], [150, 0.18, np.nan])
    np.testing.assert_allclose(roofline["share"], [3000 / 7168, 500 / 614.4, 400 / 7168])


@pytest.mark.slow
def test_files_given_classify_as_ear_does(table: SignatureTable) -> None:
    files = KMEDOIDS.of(table).model.files("t")
    given = SignatureParams(medoids=files["medoids.t.data"].strip(), extremes=files["extremes.t.data"].strip())
    found = CLASSIFY.of(table, given)
    assert found.model is None
    assert found.strategy.why.startswith("Medoids and extremes are both there")
    changed = (found.classes["k-medoids"].to_numpy() != CLASSIFY.of(table).classes["k-medoids"].to_numpy()).sum()
    assert changed == KMEDOIDS.of(table).model.n_changed == 65
    wrong = given.but(order="documentation")
    assert CLASSIFY.of(table, wrong).warnings[-1].endswith("is above the peak of 614.4: were they written in the code's order?")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"medoids": "1 2 3"}, "extremes: missing while the medoids are given; EAR needs both"),
        ({"medoids": "1 2 3", "extremes": "1 1 1 1 1 1 1 1"}, "medoids: line 1 has 3 numbers; a medoids file has 12"),
        ({"medoids": "1 " * 12, "extremes": "1,1 1 1 1 1 1 1 1"}, "extremes: line 1 has ','"),
        ({"peak_gbs": 0}, "peak_gbs: 0 is out of bounds"),
    ],
)
def test_params_that_do_not_fit(given: dict, said: str) -> None:
    with pytest.raises(HemError) as refusal:
        SignatureParams(**given)
    assert said in str(refusal.value)


def test_what_cannot_be_classified_is_said() -> None:
    with pytest.raises(HemError, match="signatures: none of 3 was measured"):
        CLASSIFY.of(small(CPI=np.nan))
    with pytest.raises(HemError, match="signatures: none of 3 is left"):
        CLASSIFY.of(small(GPU0_UTIL_PERC=50), SignatureParams(set_aside="GPU active"))
    with pytest.raises(HemError, match="strategy: there are no medoids"):
        CLASSIFY.of(small(), SignatureParams(strategy="k-medoids"))
    with pytest.raises(HemError, match="these are not loops with a TIMESTAMP"):
        JOB.of(small())


@pytest.mark.slow
def test_tpi_of_another_version_is_left_out_of_kmedoids_and_said(table: SignatureTable) -> None:
    frame = table.frame.copy()
    frame.loc[:99, "TPI"] *= 100
    mixed = SignatureTable(frame=frame)
    found = KMEDOIDS.of(mixed)
    measured = frame.loc[:99, "CPI"].notna().sum()
    assert found.seen.another_tpi == measured
    assert len(found.rows) == 4858 - measured
    assert f"{measured} with TPI in another unit" in KMEDOIDS.verdict(found).full_text  # type: ignore[misc]
    classified = CLASSIFY.of(mixed)
    assert classified.classes["k-medoids"].isna().sum() == measured
    assert classified.confusion("k-medoids", "default").to_numpy().sum() == len(classified.classes) - measured
    assert (classified.confusion("default", "k-medoids").T.to_numpy() == classified.confusion("k-medoids", "default").to_numpy()).all()
    assert classified.classes["class"].notna().all()


@pytest.mark.slow
def test_pca_is_of_the_space_that_was_clustered(table: SignatureTable) -> None:
    found = KMEDOIDS.of(table)
    points = found.model.units(found.rows[list(METRICS)].to_numpy())
    np.testing.assert_allclose(found.projected.var(axis=0) / points.var(axis=0).sum(), found.spread_shown, rtol=1e-6)
    assert found.spread_shown[0] > found.spread_shown[1] > 0.1
    np.testing.assert_allclose(found.pca.T @ found.pca, np.eye(2), atol=1e-12)
    assert found.projected_medoids.shape == (3, 2)


@pytest.mark.slow
@pytest.mark.long
def test_stability_over_seeds(table: SignatureTable) -> None:
    seeds = STABILITY.of(table, SignatureParams(seed=4)).seeds
    assert seeds["seed"].tolist() == [4, 5, 6, 7, 8]
    assert (seeds["rand_index"] >= 0.95).all()
    assert (seeds["share_changed"] < 0.02).all()


def test_long_work_is_a_job_and_short_work_is_not(table: SignatureTable) -> None:
    assert not KMEDOIDS.is_long(table, SignatureParams())
    assert STABILITY.is_long(table, SignatureParams())
    million = SignatureTable(frame=pd.concat([table.frame[list(METRICS)]] * 200, ignore_index=True))
    assert KMEDOIDS.is_long(million, SignatureParams())
    assert not CLASSIFY.is_long(million, SignatureParams())


# A job in time


@needs_ear
def test_a_real_job_in_time() -> None:
    found = JOB.of(read_eacct(EAR / "dgemm_1n_loop_signatures_j25335297_s1.csv"))
    assert found.job == "25335297.1"
    assert found.jobs == {"25335297.1": 31}
    assert found.loops["time_s"].is_monotonic_increasing
    # A matrix multiplication: below 180 GB/s and CPI 0.4.
    assert (found.loops["default"] == "CPU-bound").all()
    assert found.loops["energy_j"].sum() == pytest.approx(1.075e5, rel=0.01)
    assert JOB.verdict(found).level == "good"  # type: ignore[misc]


def test_loops_by_hand() -> None:
    frame = pd.DataFrame(
        {
            "JOBID": [2, 1, 1, 1, 1, 2],
            "STEPID": 0,
            "NODENAME": "n",
            "LOOPID": 1,
            "TIMESTAMP": [5, 30, 10, 20, 50, 15],
            "CPI": [0.3, 1.2, 0.3, 0.3, 1.2, 0.3],
            "TPI": 1.0,
            "MEM_GBS": [20.0, 500, 20, 20, 500, 20],
            "GFLOPS": [3000.0, 90, 3000, 3000, 90, 3000],
            "DC_NODE_POWER_W": [300.0, 400, 300, 300, 500, 300],
        }
    )
    found = JOB.of(SignatureTable(frame=frame))
    assert (found.job, found.jobs) == ("1.0", {"1.0": 4, "2.0": 2})
    assert found.loops["row"].tolist() == [2, 3, 1, 4]
    assert found.loops["time_s"].tolist() == [0, 10, 20, 40]
    np.testing.assert_array_equal(found.loops["seconds"], [np.nan, 10, 10, 20])
    np.testing.assert_array_equal(found.loops["energy_j"], [np.nan, 3000, 4000, 10_000])
    assert found.loops["class"].tolist() == [CLASSES[0], CLASSES[0], CLASSES[1], CLASSES[1]]
    assert found.changes == 1
    assert found.shares == {CLASSES[0]: 0.25, CLASSES[1]: 0.75, CLASSES[2]: 0}
    words = JOB.verdict(found).text  # type: ignore[misc]
    assert words == (
        "Job 1.0 is MEMORY-bound for 75% of its time, with 1 class change. Only 4 loops were read. The time of 1 loop is not known."
    )
    assert JOB.of(SignatureTable(frame=frame), SignatureParams(job="2.0")).loops["row"].tolist() == [0, 5]
    with pytest.raises(HemError, match="job: '3.0' has no loops here; jobs with loops: '1.0', '2.0'"):
        JOB.of(SignatureTable(frame=frame), SignatureParams(job="3.0"))
