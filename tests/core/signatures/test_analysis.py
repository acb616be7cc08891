"""Questions about signatures: classes side by side, k-medoids, a job in time, their verdicts; on the sample and by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.eacct import read_eacct
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import HemError
from hemcore.headline import LINE, Verdict
from hemcore.signatures import CLASSES, GPU, SignatureParams
from hemcore.signatures.analysis import CLASSIFY, JOB, KMEDOIDS, SIDE_BY_SIDE, STABILITY
from hemcore.signatures.signature_rows import gpu_active

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
    assert verdict.answer == "4,858 jobs: 27% CPU-bound, 17% MEMORY-bound, 50% MIX, 5% GPU."
    assert verdict.level == "limited"
    assert verdict.trust == "Machine assumed: 2 x Xeon Platinum 8480+."
    assert len(verdict.text) <= LINE
    assert "142 not measured" in verdict.full_text
    assert "264 GPU jobs apart" in verdict.full_text
    assert found.counts.loc["default"].tolist() == [1494, 2180, 920, 264]
    assert found.counts.loc["class"].tolist() == found.counts.loc["roofline"].tolist()
    assert found.seen.tpi_units == {"bytes": 4858, "transactions": 0, "another": 0, "unknown": 0}
    assert found.strategy.name == "roofline"
    known = table_params = SignatureParams(**verdict.remedies[0].choose)
    assert CLASSIFY.verdict(CLASSIFY.of(table, known)).answer.endswith("5% GPU.")  # type: ignore[misc]
    assert CLASSIFY.verdict(CLASSIFY.of(table, known)).trust == "Strategies agree on 62%; default differs most."  # type: ignore[misc]
    # The same classes: the machine assumed was this one.
    assert CLASSIFY.of(table, table_params).counts.equals(found.counts)


@pytest.mark.long
@pytest.mark.slow
def test_medoids_of_the_table_count_where_they_are_chosen_alone(table: SignatureTable) -> None:
    assert CLASSIFY.inputs_for(SignatureParams()) == ()
    assert CLASSIFY.inputs_for(SignatureParams(strategy="k-medoids")) == (KMEDOIDS,)
    chosen = CLASSIFY.of(table, SignatureParams(strategy="k-medoids"))
    sizes = KMEDOIDS.of(table).model.fit.sizes.tolist()
    assert chosen.counts.loc["class"].tolist() == chosen.counts.loc["k-medoids"].tolist() == [*sizes, 264]
    side = SIDE_BY_SIDE.of(table)
    assert side.strategies == ("default", "roofline", "k-medoids")
    assert side.strategy.name == "roofline"
    assert side.counts.loc["class"].equals(CLASSIFY.of(table).counts.loc["class"])


def test_gpu_jobs_are_a_class_of_their_own_by_every_strategy() -> None:
    # The first of the three would be CPU-bound; the utilisation says that its GPU worked. Of the other two all strategies say the same.
    found = CLASSIFY.of(small(GPU0_UTIL_PERC=[90.0, 0, 0], GPU0_POWER_W=[300.0, 60, 60]), SignatureParams(bandwidth_share=1.0))
    assert found.classes["default"].tolist() == [GPU, "MEMORY-bound", "MIX"]
    assert found.classes["roofline"].tolist() == [GPU, "MIX", "MIX"]
    assert found.classes["why roofline"].iloc[0] == "a GPU worked, which the four metrics do not show"
    assert found.class_counts == {"CPU-bound": 0, "MEMORY-bound": 0, "MIX": 2, GPU: 1}
    assert found.agreement == 0.5
    assert found.confusion("default", "roofline").to_numpy().tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert [card.label for card in CLASSIFY.cards(found)][:5] == ["CPU-bound", "MEMORY-bound", "MIX", "GPU", "Agreement"]  # type: ignore[misc]
    # Without a reading of its use, a GPU that draws power works, which is told.
    idle = "No GPU utilisation in this file: idle GPUs, which draw power too, count as active."
    by_power = CLASSIFY.of(small(GPU0_POWER_W=[0.0, 0, 60]))
    assert by_power.class_counts[GPU] == 1
    assert idle in CLASSIFY.verdict(by_power).full_text  # type: ignore[misc]
    for other in (small(GPU0_POWER_W=0.0), small(GPU0_POWER_W=60.0, GPU0_UTIL_PERC=5.0)):
        assert idle not in CLASSIFY.verdict(CLASSIFY.of(other)).full_text  # type: ignore[misc]


def test_no_verdict_before_the_machine_is_known() -> None:
    def judged(**given: object) -> Verdict:
        return CLASSIFY.verdict(CLASSIFY.of(many, SignatureParams(**given)))  # type: ignore[misc]

    # 30 jobs on which both strategies agree: sure, if it is known on which machine.
    many = SignatureTable(frame=pd.concat([small().frame] * 10, ignore_index=True).assign(JOBID=range(30)))
    assumed = judged()
    assert (assumed.level, assumed.trust) == ("limited", "Machine assumed: 2 x Xeon Platinum 8480+.")
    (step,) = assumed.remedies
    assert judged(**step.choose).level == "good"
    assert judged(peak_gbs=614.4, peak_gflops=7168).level == "good"
    assert judged(peak_gbs=614.4).level == "limited"
    # EAR's releases divide by the CPUs of the node too.
    assert "Machine assumed" in judged(peak_gbs=614.4, peak_gflops=7168, rules="5.2").trust
    other = judged(processor="EPYC 9654")
    assert "The default thresholds are of Intel Sapphire Rapids" in other.full_text
    assert other.remedies[0].choose == {"cpu_cpi": 0.45, "cpu_gbs": 250, "mem_cpi": 0.6, "mem_gbs": 350}
    assert "Intel Sapphire" not in judged(processor="EPYC 9654", **other.remedies[0].choose).full_text


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
    assert CLASSIFY.verdict(apart).answer == "3 jobs: 33% CPU-bound, 0% MEMORY-bound, 67% MIX."  # type: ignore[misc]


def test_how_far_below_its_roof() -> None:
    roofline = CLASSIFY.of(small(MEM_GBS=[20.0, 500, 0])).roofline
    np.testing.assert_allclose(roofline["intensity"], [150, 0.18, np.nan])
    np.testing.assert_allclose(roofline["share"], [3000 / 7168, 500 / 614.4, 400 / 7168])


@pytest.mark.long
@pytest.mark.slow
def test_files_given_classify_as_ear_does(table: SignatureTable) -> None:
    files = KMEDOIDS.of(table).model.files("t")
    given = SignatureParams(medoids=files["medoids.t.data"].strip(), extremes=files["extremes.t.data"].strip())
    found = CLASSIFY.of(table, given)
    assert found.model is None
    assert found.strategy.why.startswith("Medoids and extremes are both there")
    changed = (found.classes["k-medoids"].to_numpy() != SIDE_BY_SIDE.of(table).classes["k-medoids"].to_numpy()).sum()
    assert changed == KMEDOIDS.of(table).model.n_changed == 74
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
    with pytest.raises(HemError, match="strategy: k-medoids needs 100 measured jobs"):
        CLASSIFY.of(small(), SignatureParams(strategy="k-medoids"))
    with pytest.raises(HemError, match="processor: 'Itanium' is not in the table; there are Xeon Platinum"):
        SignatureParams(processor="Itanium")
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
    without_gpu = int((frame.loc[:99, "CPI"].notna() & ~gpu_active(frame.iloc[:100])).sum())
    assert without_gpu < measured
    assert len(found.rows) == 4858 - 264 - without_gpu
    assert f"{measured} with TPI in another unit" in KMEDOIDS.verdict(found).full_text  # type: ignore[misc]
    classified = SIDE_BY_SIDE.of(mixed)
    assert classified.classes["k-medoids"].isna().sum() == without_gpu
    assert classified.confusion("k-medoids", "default").to_numpy().sum() == len(classified.classes) - 264 - without_gpu
    assert (classified.confusion("default", "k-medoids").T.to_numpy() == classified.confusion("k-medoids", "default").to_numpy()).all()
    assert classified.classes["class"].notna().all()


@pytest.mark.slow
def test_pca_is_of_the_space_that_was_clustered(table: SignatureTable) -> None:
    found = KMEDOIDS.of(table)
    points = found.model.units(found.rows[list(METRICS)].to_numpy())
    np.testing.assert_allclose(found.projected[: len(points)].var(axis=0) / points.var(axis=0).sum(), found.spread_shown, rtol=1e-6)
    assert found.spread_shown[0] > found.spread_shown[1] > 0.05
    np.testing.assert_allclose(found.pca.T @ found.pca, np.eye(2), atol=1e-12)
    assert found.projected_medoids.shape == (3, 2)
    assert len(found.projected) == len(points) + 264


@pytest.mark.slow
@pytest.mark.long
def test_stability_over_seeds(table: SignatureTable) -> None:
    seeds = STABILITY.of(table, SignatureParams(seed=4)).seeds
    assert seeds["seed"].tolist() == [4, 5, 6, 7, 8, 9]
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
    assert JOB.verdict(found).level == "limited"  # type: ignore[misc]
    known = JOB.of(read_eacct(EAR / "dgemm_1n_loop_signatures_j25335297_s1.csv"), SignatureParams(processor="8480+"))
    assert JOB.verdict(known).level == "good"  # type: ignore[misc]


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
    assert found.shares == {CLASSES[0]: 0.25, CLASSES[1]: 0.75, CLASSES[2]: 0, GPU: 0}
    words = JOB.verdict(found).text  # type: ignore[misc]
    assert words == (
        "Job 1.0 is MEMORY-bound for 75% of its time, with 1 class change. "
        "The machine is assumed: 2 x Xeon Platinum 8480+. Choose the processor."
    )
    assert JOB.of(SignatureTable(frame=frame), SignatureParams(job="2.0")).loops["row"].tolist() == [0, 5]
    with pytest.raises(HemError, match="job: '3.0' has no loops here; jobs with loops: '1.0', '2.0'"):
        JOB.of(SignatureTable(frame=frame), SignatureParams(job="3.0"))
