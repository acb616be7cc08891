"""Trained estimators: what they learn, keep and refuse. Small networks, few steps."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("jax")

from hemcore.errors import HemError, ParameterError, ReadError, StoreError, UnknownNameError
from hemcore.mpx import ESTIMATORS, MpxParams, estimate, evaluate, virtual_multiplex
from hemcore.mpx.analysis import ESTIMATE, SIDE_BY_SIDE, WHAT_IF
from hemcore.mpx.estimators import Predictor
from hemcore.mpx.learned import (
    AllEventsEstimator,
    BiGruEstimator,
    MlpEstimator,
    ModelShelf,
    Trained,
    TrainParams,
    load_model,
    predictors,
    split_runs,
    without_programs,
)
from hemcore.mpx.learned.train import NETWORK, TRAIN, trained
from hemcore.mpx.learned.training_losses import losses_of, note_of
from tests.core.mpx.made import bursty, series

pytestmark = pytest.mark.slow

SMALL = {"width": 8, "layers": 1, "steps": 60, "crops": 8, "crop_slots": 32, "rate": 2e-2}


def coupled(n_runs=6, n=160, seed=0):
    """OCOE runs whose counts fall to a tenth for 4 slots in 8: between two counts 4 slots apart lies a jump that is always at one place."""
    draw = np.random.default_rng(seed)
    frame = {}
    for event in range(4):
        level = np.repeat(draw.uniform(1_000, 9_000, n_runs * n // 40), 40)
        low = np.where((np.arange(n_runs * n) % n) % 8 < 4, 1.0, 0.1)
        frame[f"E{event}"] = np.rint(level * low)
    return series(frame, mode="OCOE", runs=[n] * n_runs)


@pytest.fixture(scope="module")
def runs():
    return coupled()


@pytest.fixture(scope="module")
def fitted(runs):
    return AllEventsEstimator(seed=1, **SMALL).fit(runs)


@pytest.mark.slow
def test_it_learns_what_its_base_cannot_know(fitted):
    other = coupled(seed=5)
    found = evaluate(other, ["harmonic", "log1p", *predictors(fitted.model)], MpxParams(slots_per_count=4, tail="nothing"), dtw=False)
    ra, wa = (found.by_method.set_index("method")[score] for score in ("ra", "wa"))
    assert ra["trained curve"] > ra["harmonic"] + 0.1
    assert wa["trained counts"] > wa["log1p"] + 0.05
    losses = fitted.model.losses
    assert losses["curve"].iloc[-1] < losses["curve"].iloc[0]


@pytest.mark.long
@pytest.mark.slow
def test_one_seed_gives_one_model_and_another_another(runs, fitted):
    assert AllEventsEstimator(seed=1, **SMALL).fit(runs).model.id == fitted.model.id
    assert AllEventsEstimator(seed=2, **SMALL).fit(runs).model.id != fitted.model.id


def test_counted_slots_stay_and_the_arguments_too(runs, fitted):
    sampled = virtual_multiplex(runs, 4)
    before = sampled.counts.copy()
    found = fitted.predict(sampled, "counts")
    pd.testing.assert_frame_equal(sampled.counts, before)
    counted = before.notna().to_numpy()
    np.testing.assert_array_equal(found.counts.to_numpy()[counted], before.to_numpy()[counted])
    assert not found.counts.isna().to_numpy().any()
    # Whole counts were learned: whole ones come back.
    assert (found.counts % 1 == 0).to_numpy().all()


@pytest.mark.long
def test_programs_that_were_not_in_training_get_the_base(runs, fitted):
    sampled = virtual_multiplex(replace(runs, intervals=runs.intervals.assign(application="stranger")), 4)
    for readout, base in (("curve", "harmonic"), ("counts", "log1p")):
        plain = estimate(sampled, base).counts
        np.testing.assert_allclose(fitted.predict(sampled, readout).counts, plain, rtol=1e-5)
        everywhere = Trained(model=fitted.model, readout=readout, everywhere=True).predict(sampled).counts
        assert not np.allclose(everywhere, plain, rtol=0.01)


@pytest.mark.long
def test_events_in_another_order_are_the_same_events(runs, fitted):
    sampled = virtual_multiplex(runs, 4)
    order = ["E2", "E0", "E3", "E1"]
    turned = replace(sampled, counts=sampled.counts[order], share=sampled.share[order], truth=sampled.truth[order])
    pd.testing.assert_frame_equal(fitted.predict(turned).counts[sampled.events], fitted.predict(sampled).counts)


def test_an_event_that_a_run_never_counted_stays_unknown(runs, fitted):
    sampled = virtual_multiplex(runs, 4)
    counts = sampled.counts.copy()
    counts.loc[sampled.intervals["run"] == 2, "E1"] = np.nan
    found = fitted.predict(replace(sampled, counts=counts)).counts
    never = (sampled.intervals["run"] == 2).to_numpy()
    assert found.loc[never, "E1"].isna().all()
    assert not found.loc[~never].isna().to_numpy().any()
    assert not found.drop(columns="E1").isna().to_numpy().any()


@pytest.mark.long
@pytest.mark.slow
def test_learning_some_of_the_events_keeps_the_schedule_of_all(runs):
    model = AllEventsEstimator(events=("E3",), **SMALL | {"steps": 2}).fit(runs).model
    assert model.events == ("E3",)
    assert model.weights["w0f"].shape == (2, 24)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MlpEstimator, BiGruEstimator])
@pytest.mark.long
def test_the_documents_networks_learn_fill_and_stop(kind, runs):
    found = kind(events=("E0", "E1"), most_epochs=3).fit(runs)
    assert set(found.model.losses["event"]) == {"E0", "E1"}
    assert found.model.losses["step"].max() <= 3
    sampled = virtual_multiplex(runs, 4)
    two = replace(sampled, counts=sampled.counts[["E0", "E1"]], share=sampled.share[["E0", "E1"]], truth=sampled.truth[["E0", "E1"]])
    filled = found.predict(two).counts
    assert not filled.isna().to_numpy().any()
    assert (filled >= 0).to_numpy().all()
    again = load_model(found.model.to_bytes())
    pd.testing.assert_frame_equal(predictors(again)[0].predict(two).counts, filled)


@pytest.mark.slow
@pytest.mark.long
def test_the_documents_protocol_goes_through_every_epoch(runs):
    one = runs.run("p", 1)
    model = MlpEstimator(events=("E0",), protocol="paper", most_epochs=4).fit(one).model
    assert model.losses["step"].tolist() == [1, 2, 3, 4]
    with pytest.raises(ParameterError, match="too few runs"):
        MlpEstimator().fit(one)


def test_a_model_is_data(fitted, tmp_path):
    path = tmp_path / "model.npz"
    fitted.model.save(path)
    read = load_model(path)
    assert read.to_bytes() == path.read_bytes() == fitted.model.to_bytes()
    assert (read.events, read.programs, read.slots_per_count, read.seed) == (("E0", "E1", "E2", "E3"), ("p",), 4, 1)
    pd.testing.assert_frame_equal(read.losses, fitted.model.losses)
    assert all(isinstance(each, Predictor) for each in predictors(read))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"no archive"])
def test_a_file_that_is_no_model_is_refused(content, tmp_path):
    with pytest.raises(ReadError, match="no model"):
        load_model(content)
    with pytest.raises(ReadError, match="cannot be read"):
        load_model(tmp_path / "none.npz")


def test_objects_in_a_file_are_not_loaded(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, about=np.array([{"format": 1}], dtype=object))
    with pytest.raises(ReadError, match="no model"):
        load_model(path)


def test_models_are_kept_once_under_their_sum(fitted, tmp_path):
    shelf = ModelShelf(tmp_path)
    id = shelf.keep(fitted.model)
    assert shelf.keep(fitted.model) == id == fitted.model.id
    assert shelf.ids() == [id]
    assert shelf.load(id).fits(["E3", "E2", "E1", "E0"])
    assert not shelf.load(id).fits(["E0", "other"])
    file = next((tmp_path / "models").glob("*.npz"))
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(StoreError, match="damaged"):
        shelf.load(id)
    shelf.keep(fitted.model)
    assert shelf.load(id).id == id
    shelf.delete(id)
    for unknown in (id, "../../etc/passwd"):
        with pytest.raises(UnknownNameError, match="not stored"):
            shelf.load(unknown)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: AllEventsEstimator(**SMALL).fit(bursty(n_events=3)), "does not fit 3 events"),
        (lambda: AllEventsEstimator(slots_per_count=1, **SMALL).fit(bursty()), "no slot of it is hidden"),
        (lambda: AllEventsEstimator(**SMALL).fit(series({"A": [1, np.nan], "B": [np.nan, 2]})), "truth is not known"),
        (
            lambda: AllEventsEstimator(slots_per_count=0, **SMALL).fit(series({"A": [np.nan] * 2}, truth={"A": [1, 2]})),
            "every slot is hidden",
        ),
        (lambda: AllEventsEstimator(events=("Z",)).fit(bursty()), "'Z' is not in the series"),
        (lambda: MlpEstimator(events=("Z",)).fit(bursty()), "'Z' is not in the series"),
        (lambda: MlpEstimator().fit(series({"A": [1, np.nan], "B": [np.nan, 2]})), "truth is not known"),
        (lambda: AllEventsEstimator(steps=0), "steps: 0 must be at least 1"),
        (lambda: AllEventsEstimator(rate=2.0), "rate: 2 must be"),
        (lambda: MlpEstimator(protocol="other"), "protocol: 'other'"),
        (lambda: AllEventsEstimator().predict(bursty()), "not trained"),
        (lambda: BiGruEstimator().predict(bursty()), "not trained"),
        (lambda: split_runs(bursty(), (0.5, 0.6)), "add up to 1"),
        (lambda: without_programs(bursty(), ["p"]), "every application is left out"),
        (lambda: without_programs(bursty(), ["q"]), "'q' is no application"),
    ],
)
def test_what_cannot_be_learned_from_is_said(given, said):
    with pytest.raises(HemError, match=said):
        given()


def test_a_model_of_other_events_says_so(fitted):
    two = virtual_multiplex(bursty(n_events=5), 4)
    with pytest.raises(ParameterError, match=r"has 'E4', which the model does not know"):
        fitted.predict(two)
    lacking = series({"E0": [1, np.nan, 3], "E1": [np.nan, 2, 4]})
    with pytest.raises(ParameterError, match=r"lacks 'E2'"):
        estimate(lacking, predictors(fitted.model)[0])


def test_all_slots_hidden_are_said(fitted):
    nothing = series({f"E{i}": [np.nan] * 3 for i in range(4)})
    with pytest.raises(ParameterError, match="every slot is hidden"):
        fitted.predict(nothing)


def test_the_split_is_by_run_and_holds_the_shares():
    learned, checked, tested = split_runs(bursty(n=600, n_runs=60), seed=3)
    runs = [set(each.intervals["run"]) for each in (learned, checked, tested)]
    assert [len(each) for each in runs] == [42, 6, 12]
    assert not (runs[0] & runs[1] | runs[0] & runs[2] | runs[1] & runs[2])
    one, none = split_runs(bursty(n_runs=1), (0.9, 0.1))
    assert none is None
    assert len(one.counts) == 240


@pytest.mark.slow
def test_training_is_a_question_with_progress_scores_and_a_verdict(runs):
    heard = []
    found = TRAIN.of(runs, TrainParams(steps=3, held_out=0.34), lambda share, note: heard.append((share, note)))
    assert (found.learned, found.held_out) == (4, 2)
    assert set(found.scores["method"]) == {"fixed", "linear", "log1p", "harmonic", "trained curve", "trained counts"}
    assert found.model.scores["harmonic:ra"] == pytest.approx(found.of("harmonic")["ra"])
    assert TRAIN.verdict(found).level in ("good", "poor")
    assert len(TRAIN.cards(found)) == 4
    curve = losses_of(note for _, note in heard)
    assert curve["step"].tolist() == [1, 1, 2, 2, 3, 3]
    assert set(curve["loss"]) == {"curves", "counts"}
    assert [share for share, _ in heard] == sorted(share for share, _ in heard)
    alone = TRAIN.of(runs.run("p", 1), TrainParams(steps=1))
    assert TRAIN.verdict(alone).level == "limited"
    steps = [each.label for share in (0.1, 0.2) for each in TRAIN.verdict(replace(alone, params=alone.params.but(held_out=share))).remedies]
    assert steps == ["Hold out a fifth", "Add runs"], "a fifth of one run is none: no circle"
    short = TRAIN.verdict(replace(alone, held_out=1))
    assert short.text == "The model was trained on 1 run of 1 program. The held-out runs are too short to score it."
    assert [each.label for each in short.remedies] == ["Add longer runs"]


@pytest.mark.slow
def test_networks_of_one_event_each_are_parts_and_give_what_one_training_gives(runs, monkeypatch):
    monkeypatch.setattr(MlpEstimator, "epochs_of_paper", 3)
    asked = TrainParams(estimator="mlp", held_out=0.34, seed=2)
    assert [each.event for each in TRAIN.parts_of(runs, asked)] == list(runs.events)
    assert TRAIN.parts_of(runs, TrainParams()) == []
    whole, parts = trained(runs, asked), TRAIN.of(runs, asked)
    assert parts.model.to_bytes() == whole.model.to_bytes()
    assert (parts.learned, parts.held_out) == (4, 2)
    pd.testing.assert_frame_equal(parts.scores, whole.scores)
    one = NETWORK.of(runs, asked.but(event=runs.events[1]))
    assert one.events == (runs.events[1],)
    assert (one.weights["0:w0"] == whole.model.weights["1:w0"]).all()
    with pytest.raises(UnknownNameError, match="'nobody' is no application"):
        TRAIN.of(runs, asked.but(left_out=("nobody",)))


def test_a_note_says_the_losses_that_are_known():
    note = note_of("Bcm, epoch", 1_200, 1_200, {"learned": 0.5, "held out": float("nan")})
    assert note == "Bcm, epoch 1,200 of 1,200: learned 0.5000"
    assert losses_of([note, "starting"]).to_numpy().tolist() == [["Bcm, epoch", 1200, "learned", 0.5]]
    of_part = f"3 of 14 done, part 4 of 14 (event Bcm): {note}"
    assert losses_of([of_part, "3 of 14 done"]).to_numpy().tolist() == [["Bcm, epoch", 1200, "learned", 0.5]]


def test_a_kept_model_stands_beside_the_untrained_ones(runs, fitted, tmp_path, monkeypatch):
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    id = ModelShelf().keep(fitted.model)
    asked = MpxParams(model=id, method="trained curve", totals="trained counts", slots_per_count=4, tail="nothing", min_share=0)
    found = ESTIMATE.of(runs, asked)
    ra = found.by_method.set_index("method")["ra"]
    assert ra["trained curve"] > ra["harmonic"] + 0.1
    assert "totals are" in ESTIMATE.verdict(found).answer
    assert any("trained curve" in card.note for card in ESTIMATE.cards(found))
    kept = ESTIMATE.keeps[0].make(found, runs)
    assert not kept.counts.isna().to_numpy().any()
    assert "trained counts" in SIDE_BY_SIDE.of(runs, asked).methods
    assert ESTIMATE.of(runs, MpxParams(slots_per_count=4)).curves.estimates.keys() == set(ESTIMATORS)
    with pytest.raises(ParameterError, match="needs a trained model"):
        MpxParams(method="trained curve")
    with pytest.raises(UnknownNameError, match="not stored here"):
        ESTIMATE.of(runs, asked.but(model="0" * 64))


@pytest.mark.slow
@pytest.mark.long
def test_a_model_is_scored_by_program_beside_by_run(runs):
    both = replace(
        runs,
        intervals=pd.concat([runs.intervals, runs.intervals.assign(application="stranger")], ignore_index=True),
        counts=pd.concat([runs.counts, runs.counts * 3], ignore_index=True),
    )
    found = TRAIN.of(both, TrainParams(steps=3, held_out=0.34, left_out=("stranger",)))
    assert found.model.programs == ("p",)
    assert found.model.settings["left_out"] == ["stranger"]
    base, used = found.of("harmonic", by_program=True), found.of("trained curve", by_program=True)
    # As it is used, a program that it has not seen gets the untrained estimate, whatever was learned.
    assert used["ra"] == pytest.approx(base["ra"], abs=1e-4)
    assert found.of("trained counts", by_program=True)["wa"] == pytest.approx(found.of("log1p", by_program=True)["wa"], abs=1e-4)
    everywhere = found.of("trained curve, everywhere", by_program=True)
    assert abs(everywhere["ra"] - base["ra"]) > 1e-4
    assert found.model.scores["by program:trained curve, everywhere:ra"] == pytest.approx(everywhere["ra"])
    assert found.model.scores["trained curve:ra"] == pytest.approx(found.of("trained curve")["ra"])
    assert "On unseen programs (stranger)" in TRAIN.verdict(found).full_text
    with pytest.raises(UnknownNameError, match="'nobody' is no application"):
        TRAIN.of(both, TrainParams(steps=1, left_out=("nobody",)))


def test_a_kept_model_is_tried_at_its_own_k(runs, fitted, tmp_path, monkeypatch):
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    id = ModelShelf().keep(fitted.model)
    rows = WHAT_IF.of(runs, MpxParams(models=(id,), tail="nothing", min_share=0)).rows
    trained = rows[rows["method"].astype(str).str.startswith("trained")]
    assert set(zip(trained["method"].astype(str), trained["slots_per_count"], strict=True)) == {("trained curve", 4), ("trained counts", 4)}
    own = trained.set_index(trained["method"].astype(str))["ra"]["trained curve"]
    assert own == pytest.approx(
        ESTIMATE.of(runs, MpxParams(model=id, slots_per_count=4, tail="nothing", min_share=0)).of("trained curve")["ra"]
    )
    strange = replace(runs, intervals=runs.intervals.assign(application="stranger"))
    assert set(WHAT_IF.of(strange, MpxParams(models=(id,))).rows["method"].astype(str)) == set(ESTIMATORS)
