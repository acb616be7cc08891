"""Signatures in Parquet parts: the same as in memory, wherever the parts are and whoever does the passes."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore import jobs
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import HemError
from hemcore.signatures import SignatureParams, fit_kmedoids
from hemcore.signatures.class_rules import TABLE_CLASSES
from hemcore.signatures.clusters.parquet_parts import classify_folder, fit_folder, parts_of
from hemcore.signatures.side_by_side import every_class
from hemcore.signatures.signature_rows import gpu_active
from sample_data.collect.synthetic_signatures import generate_signatures

N = 7_000


@pytest.fixture(scope="module")
def drawn() -> pd.DataFrame:
    found, _ = generate_signatures(N, seed=2)
    return found.rename(columns={"CPU_GFLOPS": "GFLOPS"})[[*METRICS, "GPU0_UTIL_PERC"]]


@pytest.fixture(scope="module")
def folder(drawn: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("parts")
    for number, (start, stop) in enumerate([(0, 1000), (1000, 1000), (1000, N)]):
        drawn.iloc[start:stop].to_parquet(found / f"part-{number:05d}.parquet", index=False)
    return found


@pytest.mark.slow
def test_medoids_and_classes_are_those_in_memory(drawn: pd.DataFrame, folder: Path, tmp_path: Path) -> None:
    model = fit_folder(folder, seed=3)
    whole = fit_kmedoids(drawn, seed=3, left_out=gpu_active(drawn))
    assert (model.fit.rows, model.fit.measured) == (N, whole.fit.measured)
    assert model.fit.loss == pytest.approx(whole.fit.loss, rel=0.003)
    np.testing.assert_allclose(model.extremes.mean, whole.extremes.mean, rtol=1e-12)

    told: list[str] = []
    params = SignatureParams()
    report = classify_folder(folder, tmp_path / "classes", params, model=model, progress=lambda done, note: told.append(note))
    assert told == ["1,000 signatures", "1,000 signatures", "7,000 signatures"]
    measured = (drawn[list(METRICS)] != 0).any(axis=1).to_numpy()
    assert (report.rows, report.counted) == (N, measured.sum())
    kept = drawn[measured].reset_index(drop=True)
    in_memory, _ = every_class(kept, params, gpu_active(kept), None)
    for name, classes in in_memory.items():
        assert report.counts.loc[name].to_dict() == classes.value_counts().to_dict()
    assert int(report.counts.loc["k-medoids"].sum()) == measured.sum()
    assert report.counts.loc["k-medoids"].tolist() == [*model.fit.sizes.tolist(), int(gpu_active(kept).sum())]
    assert 0.4 < report.agreement < 0.8

    written = pd.concat([pd.read_parquet(path) for path in report.files], ignore_index=True)
    assert len(written) == N
    assert (written.loc[~measured] == -1).all(axis=None)
    assert [TABLE_CLASSES[code] for code in written.loc[measured, "default"]] == in_memory["default"].tolist()
    assert not list((tmp_path / "classes").glob("*.tmp"))


@pytest.mark.slow
def test_by_files_and_without_medoids(folder: Path, tmp_path: Path) -> None:
    model = fit_folder(folder)
    files = model.files("t")
    given = SignatureParams(medoids=files["medoids.t.data"].strip(), extremes=files["extremes.t.data"].strip())
    by_files = classify_folder(folder, tmp_path / "a", given)
    by_model = classify_folder(folder, tmp_path / "b", SignatureParams(), model=model)
    apart = (by_files.counts - by_model.counts).loc["k-medoids"].abs().sum()
    assert 0 < apart < 0.06 * N
    assert list(classify_folder(folder, tmp_path / "c", SignatureParams()).counts.index) == ["default", "roofline"]


@pytest.mark.slow
def test_gpu_jobs_are_set_aside(drawn: pd.DataFrame, folder: Path) -> None:
    active = int((drawn["GPU0_UTIL_PERC"] > 0).sum())
    measured = int((drawn[list(METRICS)] != 0).any(axis=1).sum())
    assert active > 100
    # By themselves too: they are a class of their own.
    assert fit_folder(folder).fit.measured == fit_folder(folder, set_aside="GPU active").fit.measured == measured - active


@pytest.mark.slow
@pytest.mark.long
def test_on_the_workers_it_is_the_same(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEM_DASK_SCHEDULER", raising=False)
    try:
        here, there = fit_folder(folder, seed=1), fit_folder(folder, seed=1, each=jobs.each)
        assert (here.medoids == there.medoids).all(axis=None)
        params = SignatureParams()
        one = classify_folder(folder, tmp_path / "a", params, model=here)
        other = classify_folder(folder, tmp_path / "b", params, model=here, each=jobs.each)
        assert (one.counts == other.counts).all(axis=None)
        assert [path.read_bytes() for path in one.files] == [path.read_bytes() for path in other.files]
        with pytest.raises(HemError, match="no Parquet file is there"):
            fit_folder(tmp_path / "none", each=jobs.each)
        (tmp_path / "broken").mkdir()
        (tmp_path / "broken" / "part.parquet").write_bytes(b"PAR1 and no more")
        with pytest.raises(HemError, match="cannot be read as Parquet"):
            fit_folder(tmp_path / "broken", each=jobs.each)
    finally:
        jobs.close()


def test_what_cannot_be_read_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(HemError, match="no Parquet file is there"):
        parts_of(tmp_path)
    with pytest.raises(HemError, match="would overwrite the signatures"):
        classify_folder(folder, folder, SignatureParams())
    part = tmp_path / "part-00000.parquet"
    pd.DataFrame({"CPI": [1.0], "TPI": [1.0], "GBS": [1.0]}).to_parquet(part)
    with pytest.raises(HemError, match="no column 'MEM_GBS', 'GFLOPS'; a part of signatures has"):
        fit_folder(tmp_path)
    pd.DataFrame({name: [1.0, -1.0] for name in METRICS}).to_parquet(part)
    with pytest.raises(HemError, match="part-00000.parquet: column 'CPI', row 2: -1 must be at least 0"):
        fit_folder(tmp_path)
    part.write_bytes(b"no Parquet")
    with pytest.raises(HemError, match="cannot be read as Parquet"):
        classify_folder(tmp_path, tmp_path / "to", SignatureParams())
