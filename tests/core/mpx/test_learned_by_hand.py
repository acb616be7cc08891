"""Splits, estimates of a network whose answer is known, and crops and losses of training, by hand."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.mpx.learned import TrainedModel, prediction, split_runs
from hemcore.mpx.learned.prediction import predicted, values_of
from hemcore.mpx.learned.training_examples import examples_of
from hemcore.mpx.sampled import Sampled
from tests.core.mpx.made import series

NAN = math.nan


def silent(top: float, *, whole: bool) -> TrainedModel:
    """A network for the event "A" that corrects nothing, and has never seen more than `top`."""
    size = {"w": (2, 3), "u": (1, 3), "b": (3,), "c": (3,)}
    weights = {f"{name}0{way}": np.zeros(shape, np.float32) for way in "fb" for name, shape in size.items()}
    weights |= {"out": np.zeros((2, 2), np.float32), "out_bias": np.zeros(2, np.float32)}
    weights |= {"centre": np.zeros(1, np.float32), "spread": np.ones(1, np.float32), "top": np.array([math.log1p(top)], np.float32)}
    return TrainedModel(
        kind="all events", events=("A",), programs=("p",), slots_per_count=2, seed=0, weights=weights, losses=pd.DataFrame(),
        settings={"whole": whole},
    )  # fmt: skip


def test_a_share_of_the_runs_is_rounded() -> None:
    # A fifth of 3 runs is 0.6 of a run: one. A tenth is 0.3: none.
    runs = series({"A": [1, 2, 3]}, mode="OCOE", runs=[1, 1, 1])
    assert [None if part is None else len(part.counts) for part in split_runs(runs, (0.8, 0.2))] == [2, 1]
    assert [None if part is None else len(part.counts) for part in split_runs(runs, (0.9, 0.1))] == [3, None]


def test_an_estimate_is_not_cut_off_below_its_base() -> None:
    # Between 10 and 10 the base is 10, though training saw 5 at most.
    found = predicted(silent(5, whole=False), series({"A": [10, NAN, 10]}))
    assert found["curve"].counts["A"].tolist() == pytest.approx([10, 10, 10])


def test_whole_counts_are_rounded_to_the_nearest() -> None:
    # Harmonic between 10 and 14: 1 / (0.5 / 10 + 0.5 / 14) = 11.67.
    sampled = series({"A": [10, NAN, 14]})
    assert predicted(silent(100, whole=True), sampled)["curve"].counts["A"].tolist() == [10, 12, 14]
    assert predicted(silent(100, whole=False), sampled)["curve"].counts["A"][1] == pytest.approx(70 / 6, rel=1e-5)


def test_no_more_slots_are_predicted_at_once_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of three runs of 3 slots two go side by side in 6 slots.
    asked: list[int] = []

    def noted(weights: object, inputs: np.ndarray, there: np.ndarray) -> np.ndarray:
        asked.append(inputs.shape[1])
        return np.zeros((*inputs.shape[:2], 2), np.float32)

    monkeypatch.setattr(prediction, "_AT_ONCE", 6)
    monkeypatch.setattr(prediction.forward, "bi_gru", noted)
    predicted(silent(100, whole=False), series({"A": [10, NAN, 10] * 3}, runs=[3, 3, 3]))
    assert asked == [2, 1]


def test_the_network_does_not_see_an_event_that_it_does_not_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[np.ndarray] = []

    def noted(weights: object, inputs: np.ndarray, there: np.ndarray) -> np.ndarray:
        asked.append(inputs[:, 0])
        return np.ones((*inputs.shape[:2], 4), np.float32)

    monkeypatch.setattr(prediction.forward, "bi_gru", noted)
    sizes = {"centre": [1, 2], "spread": [1, 4], "top": [9, 9]}
    model = replace(silent(9, whole=False), events=("A", "B"), weights={name: np.array(each, np.float32) for name, each in sizes.items()})
    logs = np.array([[3, NAN, 3], [NAN, 8, 8]])
    found = values_of(model, Sampled(counts=np.expm1(logs), starts=np.array([0, 3])), np.array([[True], [False]]))
    # A is 3, 2 above its mean; B is at its mean, and counted where it was. A's correction is 1 in logs, B's none.
    assert asked[0].tolist() == [pytest.approx(row, abs=1e-5) for row in ([2, 0, 1, 0], [2, 0, 0, 1], [2, 0, 1, 1])]
    assert np.log1p(found["curve"]) == pytest.approx(np.array([[3, 4, 3], [8, 8, 8]]))


def test_a_slot_whose_truth_is_missing_is_not_known() -> None:
    examples, _ = examples_of(series({"A": [1, NAN, 3, 4], "B": [5, 6, 7, 8]}, mode="OCOE"), 2)
    assert examples.known.tolist() == [[True, True], [False, True], [True, True], [True, True]]


def test_longer_runs_give_more_crops_from_every_place() -> None:
    training = pytest.importorskip("hemcore.mpx.learned.training")
    # A run of 2 slots (counts 1) and one of 98 (counts 2 to 99): of 400 crops of 97 slots 2% are of the first, and those of the second
    # begin in its first or its second slot.
    runs = series({"A": [1, 1, *range(2, 100)], "B": [1] * 100}, mode="OCOE", runs=[2, 98])
    examples, _ = examples_of(runs, 2)
    plan = training.Plan(steps=1, crops=400, slots=97, rate=1e-3)
    batch = next(training.crops_of(examples, plan, np.random.default_rng(0)))
    begins = np.expm1(batch.truth[0, :, 0]).round().astype(int)
    share = np.bincount(begins, minlength=4) / 400
    assert share[1] == pytest.approx(0.02, abs=0.02)
    assert share[2:] == pytest.approx(0.49, abs=0.07)


@pytest.mark.slow
@pytest.mark.long
def test_training_stops_after_as_many_epochs_without_a_smaller_error_as_it_waits() -> None:
    paper_training = pytest.importorskip("hemcore.mpx.learned.paper_training")
    # It learns 5 and is checked on -100: the first epoch has the smallest error, and each further one a larger.
    one = np.ones((1, 4), np.float32)
    learned, checked = (paper_training.Runs(inputs=one, truth=truth * one, scored=one, there=one) for truth in (5, -100))
    for patience in (1, 2):
        told: list[int] = []
        _, best = paper_training.trained(
            "mlp", learned, checked, epochs=9, patience=patience, rate=1e-2, seed=0, report=lambda epoch, *_, told=told: told.append(epoch)
        )
        assert (best, told[-1]) == (1, 1 + patience)


@pytest.mark.slow
@pytest.mark.parametrize(("times", "weight"), [(2, 2), (100, 20)])
def test_the_loss_of_a_slot_that_is_read_too_high(times: int, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    training = pytest.importorskip("hemcore.mpx.learned.training")
    # Both bases are 20 where the truth is 10 (in logs): off by ln 2, weighted with base / truth = 2 for curves. The weight is at most 20.
    # Two slots of two crops, one of which was not there: the loss is the mean of three.
    one, scored = np.ones((2, 2, 1), np.float32), np.array([[1, 1], [1, 0]], np.float32)[..., None]
    base = one * math.log(10 * times)
    batch = training.Batch(counts=base, curve=base, counted=one * 0, truth=one * math.log(10), scored=scored, there=one)
    model = silent(1, whole=False).weights
    weights = {name: value for name, value in model.items() if name not in ("centre", "spread", "top")}
    scale = (np.zeros(1, np.float32), np.ones(1, np.float32))
    total, parts = training.loss_of(weights, scale, batch)
    assert parts.tolist() == pytest.approx([3 * weight * math.log(times), 3 * math.log(times)], rel=1e-5)
    assert float(total) == pytest.approx(3 * (weight + 1) * math.log(times), rel=1e-5)
    if times == 2:  # one crop after the other
        monkeypatch.setattr(training, "AT_ONCE", 1)
        slopes, losses = training.slopes_of(weights, scale, batch)
        assert losses.tolist() == pytest.approx([weight * math.log(times), math.log(times)], rel=1e-5)
        # The readouts move every slot alike, here up by 1 a unit: the curve's weight, and 1.
        assert slopes["out_bias"].tolist() == pytest.approx([weight, 1], rel=1e-5)
