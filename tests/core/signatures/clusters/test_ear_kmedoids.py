"""k-medoids: values worked out by hand, the known kinds of the sample, EAR's files, and CLARA against FasterPAM on all rows."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import HemError
from hemcore.signatures import CLASSES, adjusted_rand_index, classify_kmedoids, fit_kmedoids, read_ear_files
from hemcore.signatures.clusters import clara
from hemcore.signatures.clusters.cluster_quality import profile, silhouette
from hemcore.signatures.clusters.ear_kmedoids import fit_parts, labelled
from sample_data.collect.synthetic_signatures import generate_signatures


def rows(*values: tuple[float, float, float, float]) -> pd.DataFrame:
    return pd.DataFrame(values, columns=list(METRICS), dtype=float)


# Three bunches of three; the middle of each is its medoid.
BUNCHES = rows(
    (0.30, 0.1, 10, 3000), (0.31, 0.1, 10, 3100), (0.32, 0.1, 10, 3200),
    (1.20, 2.0, 500, 90), (1.25, 2.0, 510, 90), (1.30, 2.0, 520, 90),
    (0.60, 0.5, 200, 400), (0.62, 0.5, 200, 410), (0.64, 0.5, 200, 420),
)  # fmt: skip


def many(n: int, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    drawn, kinds = generate_signatures(n, seed=seed)
    return drawn.rename(columns={"CPU_GFLOPS": "GFLOPS"})[list(METRICS)], kinds


@pytest.mark.parametrize("scale", ["cbrt", "z-score"])
def test_three_bunches(scale: clara.Scale) -> None:
    model = fit_kmedoids(BUNCHES, scale=scale)
    assert model.names == CLASSES
    assert model.medoids.to_numpy().tolist() == BUNCHES.iloc[[1, 4, 7]].to_numpy().tolist()
    assert model.labels.tolist() == [CLASSES[0]] * 3 + [CLASSES[1]] * 3 + [CLASSES[2]] * 3
    assert model.fit.sizes.tolist() == [3, 3, 3]
    assert model.n_changed == 0
    assert model.silhouette > 0.8
    assert (model.fit.algorithm, model.fit.measured) == ("FasterPAM", 9)


def test_the_extremes_are_mean_and_deviation_of_what_counts() -> None:
    with_unmeasured = pd.concat([BUNCHES, rows((0, 0, 0, 0), (np.nan, 1, 1, 1))], ignore_index=True)
    model = fit_kmedoids(with_unmeasured, left_out=np.arange(11) == 0)
    counted = BUNCHES.iloc[1:]
    np.testing.assert_allclose(model.extremes.mean, counted.mean(), rtol=1e-12)
    np.testing.assert_allclose(model.extremes.std, counted.std(ddof=0), rtol=1e-12)
    assert model.labels.isna().tolist() == [True] + [False] * 8 + [True] * 2
    np.testing.assert_allclose(model.ear_medoids.z, (model.medoids - counted.mean()) / counted.std(ddof=0), rtol=1e-9)


def test_a_metric_that_never_changes_weighs_nothing() -> None:
    model = fit_kmedoids(BUNCHES.assign(TPI=0.5))
    assert model.extremes.std[1] == 1
    assert model.n_changed == 0


def test_the_rule_of_the_labels() -> None:
    medoids = np.array([[1, 1, 5, 9], [1, 1, 100, 50], [1, 1, 60, 30], [1, 1, 7, 20]], dtype=float)
    # The most MEM_GBS is MEMORY-bound even with the most GFLOPS; then the most GFLOPS is CPU-bound; MIX by MEM_GBS.
    assert labelled(medoids) == ([2, 1, 3, 0], ("CPU-bound", "MEMORY-bound", "MIX", "MIX 2"))
    assert labelled(medoids[:2])[1] == ("CPU-bound", "MEMORY-bound")


def test_two_and_four_clusters() -> None:
    assert fit_kmedoids(BUNCHES, n_clusters=2).names == CLASSES[:2]
    four = fit_kmedoids(BUNCHES, n_clusters=4)
    assert set(four.labels) == set(CLASSES)
    assert four.n_changed is None
    with pytest.raises(HemError, match="EAR's files hold three medoids; there are 4"):
        four.files("t")


@pytest.mark.slow
@pytest.mark.long
def test_the_known_kinds_of_the_sample_for_four_seeds() -> None:
    table, truth = samples.load("signatures"), samples.truth("signatures")
    pure = truth.isin(CLASSES)
    found = [fit_kmedoids(table, seed=seed) for seed in range(4)]  # type: ignore[arg-type]
    measured = found[0].clusters >= 0  # type: ignore[operator]
    assert measured.sum() == 4858
    for model in found:
        assert (model.labels == truth)[pure].mean() >= 0.97
        assert adjusted_rand_index(found[0].clusters[measured], model.clusters[measured]) >= 0.95  # type: ignore[index]
        files = read_ear_files(model.files("spr"))
        assert files.warnings == ()
        by_ear = classify_kmedoids(table, files.medoids, files.extremes)  # type: ignore[arg-type]
        assert (by_ear == truth)[pure].mean() >= 0.965
        assert ((by_ear != model.labels) & model.labels.notna()).sum() == model.n_changed
        assert model.share_changed < 0.02


@pytest.mark.slow
def test_files_of_values_a_cpu_give_the_same_classes_as_a_release() -> None:
    table = samples.load("signatures")
    model = fit_kmedoids(table)  # type: ignore[arg-type]
    files = read_ear_files(model.files("spr", n_cpus=112))
    by_release = classify_kmedoids(table, files.medoids, files.extremes, rules="5.2", n_cpus=112)  # type: ignore[arg-type]
    by_letter = classify_kmedoids(table, model.ear_medoids, model.extremes)  # type: ignore[arg-type]
    assert (by_release != by_letter)[by_letter.notna()].sum() == 0
    documentation = model.files("spr", order="documentation")
    assert "other" not in documentation
    assert documentation["medoids.spr.data"] != model.files("spr")["medoids.spr.data"]


@pytest.mark.slow
@pytest.mark.long
def test_clara_loses_little_to_fasterpam_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, _ = many(10_000, seed=5)
    found = [fit_kmedoids(drawn, seed=seed).fit for seed in range(2)]
    assert {fit.algorithm for fit in found} == {"CLARA"}
    monkeypatch.setattr(clara, "EXACT_ROWS", 10_000)
    exact = fit_kmedoids(drawn).fit
    assert exact.algorithm == "FasterPAM"
    assert max(fit.loss for fit in found) <= 1.003 * exact.loss


@pytest.mark.long
@pytest.mark.slow
def test_clara_is_the_same_for_the_same_seed_and_for_parts() -> None:
    drawn, kinds = many(6_000)
    one, again = fit_kmedoids(drawn, seed=7), fit_kmedoids(drawn, seed=7)
    assert one.fit.algorithm == "CLARA"
    assert (one.medoids == again.medoids).to_numpy().all()
    assert (one.labels == kinds)[kinds.isin(CLASSES)].mean() >= 0.97
    values = drawn.where((drawn != 0).any(axis=1)).to_numpy()
    parts = [clara.InMemory(values[:1000]), clara.InMemory(values[1000:1000]), clara.InMemory(values[1000:])]
    in_parts = fit_parts(parts, seed=7)
    assert in_parts.fit.rows == 6_000
    assert in_parts.fit.measured == one.fit.measured
    np.testing.assert_allclose(in_parts.fit.raw.mean, one.fit.raw.mean, rtol=1e-12)
    np.testing.assert_allclose(in_parts.fit.raw.std, one.fit.raw.std, rtol=1e-12)
    assert in_parts.fit.loss == pytest.approx(one.fit.loss, rel=0.005)
    with pytest.raises(HemError, match="labels: not stored for signatures in Parquet parts"):
        in_parts.labels  # noqa: B018


def test_the_signatures_are_not_changed() -> None:
    given = BUNCHES.copy()
    fit_kmedoids(given)
    pd.testing.assert_frame_equal(given, BUNCHES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n_clusters": 1}, "n_clusters: 1 must be a whole number from 2 to 8"),
        ({"n_clusters": 9}, "n_clusters: 9 must be"),
        ({"scale": "log"}, "scale: 'log' is not known; it is cbrt or z-score"),
        ({"seed": -1}, "seed: -1 must be a whole number of at least 0"),
        ({"left_out": np.zeros(3, dtype=bool)}, "left_out: the shape is (3,); it must be one value a signature, (9,)"),
        ({"left_out": np.arange(9) > 1}, "n_clusters: 3 clusters need as many measured signatures; there are 2"),
    ],
)
def test_what_does_not_fit_is_said(arguments: dict, said: str) -> None:
    with pytest.raises(HemError) as refusal:
        fit_kmedoids(BUNCHES, **arguments)
    assert said in str(refusal.value)


def test_what_no_computer_does_is_refused() -> None:
    with pytest.raises(HemError, match="1e[+]200 must be at most 1e[+]30"):
        fit_kmedoids(BUNCHES.assign(GFLOPS=1e200))


# How good a clustering is


def test_adjusted_rand_index_by_hand() -> None:
    one, other = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2])
    # One pair together in both, 2 in the one, 1 in the other, 6 in all: (1 - 1/3) / (3/2 - 1/3).
    assert adjusted_rand_index(one, other) == pytest.approx((1 - 1 / 3) / (1.5 - 1 / 3))
    assert adjusted_rand_index(one, np.array([1, 1, 0, 0])) == 1
    assert adjusted_rand_index(np.zeros(4, int), np.zeros(4, int)) == 1
    assert adjusted_rand_index(np.zeros(0, int), np.zeros(0, int)) == 1


def test_silhouette_by_hand() -> None:
    points = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [10, 0, 0, 0], [11, 0, 0, 0]], dtype=float)
    # a = 1; b = 10.5 of the outer two, 9.5 of the inner two.
    expected = (2 * (1 - 1 / 10.5) + 2 * (1 - 1 / 9.5)) / 4
    assert silhouette(points, np.array([0, 0, 1, 1]), 0) == pytest.approx(expected, rel=1e-5)
    assert np.isnan(silhouette(points, np.zeros(4, int), 0))
    # A row alone in its cluster has 0.
    assert silhouette(points, np.arange(4), 0) == 0


def test_profile_by_hand() -> None:
    frame = rows((0.2, 1, 10, 5), (0.4, 1, 20, 5), (0.6, 1, 30, 5), (1, 1, 1, 1)).assign(
        DC_NODE_POWER_W=[100.0, 200, 300, 400], TIME_SEC=[3600.0, 3600, 7200, 1], GPU0_UTIL_PERC=[0, 50, 0, 0]
    )
    found = profile(frame, np.array([0, 0, 1, -1]), ["CPU-bound", "MEMORY-bound", "MIX"]).set_index("cluster")
    assert found.loc["CPU-bound", ["signatures", "GPU active"]].tolist() == [2, 1]
    # Two of the three rows with a cluster; the median of two is the lower one, which was measured.
    assert found.loc["CPU-bound", "share"] == pytest.approx(2 / 3)
    assert found.loc["CPU-bound", "CPI"] == 0.2
    assert found.loc["CPU-bound", "energy_kwh"] == pytest.approx(0.3)
    assert found.loc["MEMORY-bound", "energy_kwh"] == pytest.approx(0.6)
    assert found.loc["MEMORY-bound", "MEM_GBS"] == 30
    assert found.loc["MIX", "signatures"] == 0
    assert np.isnan(found.loc["MIX", "CPI"])
