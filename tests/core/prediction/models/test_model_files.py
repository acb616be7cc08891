"""Models are data: what is read back predicts the same, and nothing else is read."""

from pathlib import Path

import numpy as np
import pytest

from hemcore.errors import ReadError
from hemcore.prediction import PredictionParams
from hemcore.prediction.models.model_files import keep_model, kept_ids, kept_models, model_bytes, model_from_bytes, model_kept
from hemcore.prediction.models.model_names import MODEL_NAMES
from hemcore.prediction.models.trained_models import EVERYTHING, FittedModels, fitted_models
from tests.core.prediction.made import phases


@pytest.fixture(scope="module")
def found() -> FittedModels:
    return fitted_models(phases(5, 30), PredictionParams(models="; ".join(MODEL_NAMES), held_out=EVERYTHING))


@pytest.mark.slow
def test_every_model_comes_back_as_it_was(found: FittedModels) -> None:
    kept = kept_models(found, dataset="abc")
    assert set(kept) == set(MODEL_NAMES) - {"copy the other load"}
    for name, model in kept.items():
        again = model_from_bytes(model_bytes(model))
        np.testing.assert_array_equal(again.predict(found.example), model.predict(found.example))
        assert (again.name, again.target, again.dataset) == (name, "CYCLES", "abc")
        assert again.counters == ("Ir", "D1mr", "DLmr", "Bcm")
        assert again.programs == tuple(f"program {number}" for number in range(5))
        assert 0 < again.scores["mape"] < 1
        np.testing.assert_array_equal(again.off, model.off)
        assert again.reach is not None
        assert again.reach.far == found.reach.far
        np.testing.assert_allclose(again.reach.of(found.example), found.reach.of(found.example), atol=1e-6)


def test_a_model_is_kept_on_the_shelf_once(found: FittedModels, tmp_path: Path) -> None:
    model = kept_models(found)["cost per event"]
    own = keep_model(model, tmp_path)
    assert keep_model(model, tmp_path) == own
    (tmp_path / "models" / "broken.model.npz").write_bytes(b"PK")
    assert kept_ids(tmp_path) == [own]
    assert model_kept(own, tmp_path).name == "cost per event"
    assert kept_ids(tmp_path / "nowhere") == []


def test_other_files_are_refused(found: FittedModels) -> None:
    whole = model_bytes(kept_models(found)["boosting"])
    for content in (b"", b"PK\x03\x04", whole[: len(whole) // 2]):
        with pytest.raises(ReadError, match="not a model file"):
            model_from_bytes(content)


def test_a_model_that_does_not_know_its_reach_is_read_and_damaged_reach_is_not(found: FittedModels) -> None:
    from dataclasses import replace

    model = kept_models(found)["OLS"]
    assert model.reach is not None
    assert model_from_bytes(model_bytes(replace(model, reach=None))).reach is None
    for reach in (replace(model.reach, points=model.reach.points[:, :2]), replace(model.reach, middle=model.reach.middle[:1])):
        with pytest.raises(ReadError, match="not a model file"):
            model_from_bytes(model_bytes(replace(model, reach=reach)))


def test_a_tree_that_leads_astray_is_refused(found: FittedModels) -> None:
    model = kept_models(found)["boosting"]
    model.fitted.left[0] = 0  # type: ignore[union-attr]
    with pytest.raises(ReadError, match="not a model file"):
        model_from_bytes(model_bytes(model))


def test_other_counters_are_told(found: FittedModels) -> None:
    from dataclasses import replace

    model = kept_models(found)["OLS"]
    with pytest.raises(ReadError, match="Bcm is not among the counters"):
        model.predict(replace(found.example, counters=("Ir", "D1mr", "DLmr", "X")))
