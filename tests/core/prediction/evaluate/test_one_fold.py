"""Parts of an evaluation by hand: who is left out, what is learnt from, and how settings read."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams, evaluate_models
from hemcore.prediction.evaluate.by_program import (
    Fold,
    apart,
    first_folds,
    fold,
    folds_in_turn,
    programs_to_hold_out,
    scores_so_far,
    settings_text,
)
from hemcore.prediction.evaluate.predictions import EVALUATION
from hemcore.prediction.evaluate.scenarios import far_away, read_by, unfit, what_if
from hemcore.prediction.model_rows import other_load, select
from hemcore.prediction.models.catalogue import MODELS
from hemcore.prediction.models.model_files import KeptModel, kept_models
from hemcore.prediction.models.trained_models import fitted_models
from tests.core.prediction.few_programs import MEAN_COST, Multiple, programs_of_cost

MEAN = PredictionParams(models="OLS")
COSTS = {"a": 1.0, "b": 2.0, "c": 6.0}


def test_the_others_predict_the_program_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "OLS", MEAN_COST)
    found = evaluate_models(programs_of_cost(COSTS), params=MEAN)
    # The mean of the other two costs: 4, 3.5, 1.5.
    assert (found.phases["OLS"] / found.phases["measured"]).tolist() == pytest.approx([4, 4, 1.75, 1.75, 0.25, 0.25])
    assert found.best["mape_mean"] == pytest.approx(1.5)
    assert found.programs["whole_error"].tolist() == pytest.approx([3, 0.75, -0.75])
    assert (found.best["worst"], found.best["worst_program"]) == (pytest.approx(3), "a")
    # Both phases of each program are measured, so nothing is left to guess.
    assert found.by_measuring == pytest.approx((0, 0, 0))


def test_five_phases_measured_instead_stand_for_the_others() -> None:
    # Six phases of 100 instructions, the first two with as many misses: these two share a measurement, every other phase has its own.
    table = programs_of_cost({"a": 1.0, "b": 2.0}, (100,) * 6, D1mr=(1, 1, 2, 3, 4, 5))
    frame = table.frame
    # In program a they cost 100 and 300, so that twice one of them is 200 too little or too much, of 800 in all.
    frame.loc[1, "CYCLES"] = 300.0
    found = fold(table, PredictionParams(models="OLS", held_out="a"))
    assert found.by_measuring == pytest.approx(200 / 800)


def test_the_held_out_program_is_the_first_unless_chosen() -> None:
    selection = select(programs_of_cost(COSTS), MEAN)
    learnt, own = apart(selection, MEAN)
    assert set(learnt.group) == {1, 2}
    assert own.y.tolist() == [100, 200]
    learnt, own = apart(selection, MEAN.but(held_out="b"))
    assert set(learnt.group) == {0, 2}
    assert own.y.tolist() == [200, 400]
    assert [each.held_out for each in programs_to_hold_out(programs_of_cost(COSTS), MEAN)] == ["a", "b", "c"]


def test_a_program_learnt_from_alone_predicts_one_of_another_load() -> None:
    frames = [programs_of_cost({"a": 1.0}).frame, programs_of_cost({"b": 2.0}).frame.assign(load="idle")]
    table = PhaseTable(frame=pd.concat(frames, ignore_index=True), counters=("CYCLES", "Ir"))
    # One program under each load: neither alone could be learnt from and predicted.
    with pytest.raises(ParameterError, match="only program"):
        programs_to_hold_out(table, MEAN.but(load="idle"))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"positive": True, "sizes": (100, 2_000), "alphas": (1e-4, 1e-5)}, ["at least 0", "2,000 neighbo", "penalty 0.0001, 1.0 × 10⁻⁵"]),
        ({"positive": False}, ["either sign"]),
        ({"n": 3}, ["3 counters"]),
        ({"n_neighbors": 10}, ["10 neighbo"]),
        ({"alpha": 0.01}, ["penalty 0.01"]),
    ],
)
def test_settings_as_text(settings: dict, words: list[str]) -> None:
    assert all(each in settings_text(settings) for each in words)


def test_the_load_that_is_copied_is_the_first_other_one() -> None:
    assert other_load(["single core", "idle", "busy"], "single core") == "idle"
    assert other_load(["single core", "idle"], "idle") == "single core"
    assert other_load(["single core"], "single core") is None


def test_what_is_copied_is_the_same_phase_under_the_other_load() -> None:
    one = programs_of_cost(COSTS).frame
    two = one.assign(load="idle", CYCLES=one["CYCLES"] + 7)
    table = PhaseTable(frame=pd.concat([one, two.iloc[::-1].iloc[1:]], ignore_index=True), counters=("CYCLES", "Ir"))
    # The last phase of c was not read there.
    np.testing.assert_allclose(select(table, MEAN).test.copied, [107, 207, 207, 407, 607, np.nan])


def test_a_single_core_is_what_is_copied_first() -> None:
    one = programs_of_cost({"a": 1.0}).frame
    loads = ["dual core full load", "dual core no load", "single core"]
    frame = pd.concat([one.assign(load=load, CYCLES=one["CYCLES"] + number) for number, load in enumerate(loads)], ignore_index=True)
    table = PhaseTable(frame=frame, counters=("CYCLES", "Ir"))
    # Under a full load what the single core took, 2 more; for the single core the first of the others.
    assert select(table, MEAN.but(load="dual core full load")).test.copied.tolist() == [102, 202]
    assert select(table, MEAN.but(load="single core")).test.copied.tolist() == [100, 200]


@pytest.mark.parametrize(("last", "named"), [(28.0, True), (40.0, False)])
def test_a_product_of_two_counters_that_is_the_target_is_named(last: float, named: bool) -> None:
    # Current times voltage is power, as 2 x 5, 3 x 4, 4 x 6, 4 x 7; the last one off is not.
    table = programs_of_cost({"a": 1.0}, (100, 120, 90, 110), current=(2, 3, 4, 4), voltage=(5, 4, 6, 7))
    table.frame["CYCLES"] = [10.0, 12, 24, last]
    note = "current times voltage is CYCLES: leave one of them out, or the errors mean nothing."
    assert (note in select(table, MEAN.but(counters="Ir; current; voltage")).notes) == named
    # Neither predicts unless it is chosen.
    assert select(table, MEAN).train.counters == ("Ir",)


@pytest.mark.parametrize(("last", "same"), [(8.0, True), (8.1, False)])
def test_only_what_is_exactly_in_step_is_the_target_under_another_name(last: float, same: bool) -> None:
    # Twice the target, but for the last phase; with 8.1 for 8 the correlation is 0.9998.
    table = programs_of_cost({"a": 1.0}, (100, 100, 100, 100), twin=(2, 4, 6, last))
    table.frame["CYCLES"] = [1.0, 2, 3, 4]
    assert any("another name" in note for note in select(table, MEAN).notes) == same


def test_a_saved_model_knows_what_is_far_from_its_own_training_phases() -> None:
    # Trained on misses per instruction of 0.1 to 0.4; the far phase has 50.
    table = programs_of_cost({"a": 1.0, "b": 2.0, "c": 3.0}, (100, 100), D1mr=(10, 40))
    ready = fitted_models(table, MEAN)
    saved = kept_models(ready)["OLS"]
    found = what_if(table, MEAN, None, ready)
    found = replace(found, kept={"saved": saved})
    near, far = (found.answer(0, {"D1mr": misses}).set_index("model") for misses in (10.0, 5_000.0))
    assert near["far"].to_dict() == {"OLS": False, "saved": False}
    assert far["far"].to_dict() == {"OLS": True, "saved": True}
    assert far.loc["saved", "distance"] == pytest.approx(far.loc["OLS", "distance"])


def test_many_phases_are_thinned_to_at_most_as_many() -> None:
    # Thirty phases for at most twenty: every second of each program, from the first.
    found = select(programs_of_cost(COSTS, tuple(range(100, 110))), MEAN.but(most_phases=20))
    assert found.train.X[:, 0].tolist() == [100, 102, 104, 106, 108] * 3
    assert "One in 2 phases at 10, single core is used, 15 in total." in found.notes


def test_answers_that_are_extrapolations() -> None:
    rows = pd.DataFrame(
        {"model": ["a", "b", "c", "d"], "distance": [5.0, 5.0, 1.0, 4.0], "far_from": [2.0] * 4, "far": [True, True, False, True]}
    )
    assert far_away(rows) == [(5.0, 2.0, ["a", "b"]), (4.0, 2.0, ["d"])]


def test_which_kept_models_fit() -> None:
    kept = KeptModel(
        name="k", fitted=Multiple(1.0), settings={}, target="CYCLES", counters=("Bcm", "Ir"), programs=(), scores={}, off=np.zeros((1, 1))
    )  # type: ignore[arg-type]
    assert unfit(kept, "CYCLES", ("Ir", "Bcm")) == ""
    assert "CYCLES, not TIME" in unfit(kept, "TIME", ("Ir", "Bcm"))
    assert "Bcm" in unfit(kept, "CYCLES", ("Ir",))
    rows = select(programs_of_cost({"a": 1.0}, Bcm=(3, 4)), MEAN).test
    assert read_by(kept, rows).X.tolist() == [[3, 100], [4, 200]]


def test_quick_models_come_first_for_every_program_and_the_scores_fill() -> None:
    table, params = programs_of_cost(COSTS), PredictionParams(models="cost per event; OLS; kNN10")
    pieces = folds_in_turn(table, params)
    assert [(each.models, each.held_out, each.part) for each in pieces] == [
        *(("OLS; kNN10", name, 0) for name in "abc"),
        *(("cost per event", name, 1) for name in "abc"),
    ]
    assert folds_in_turn(table, MEAN) == programs_to_hold_out(table, MEAN)
    # Program a, of 100 and 200 cycles, is predicted as 150 and 150: 50% and 25% off, its total not at all. Of b nothing is done.
    done = pd.DataFrame({"measured": [100.0, 200.0], "OLS": [150.0, 150.0]})
    one = Fold(phases=done, by_measuring=0.0, settings={}, notes=(), params=pieces[0])
    found = scores_so_far(pieces, [one, None, None, None, None, None]).set_index("model")
    assert found.loc["OLS"].tolist() == ["1 of 3", pytest.approx(0.375), pytest.approx(0)]
    assert found["programs"].tolist() == ["1 of 3", "0 of 3", "0 of 3"]
    assert found.loc[["kNN10", "cost per event"], ["mape_mean", "whole_mean"]].isna().all(axis=None)


def test_the_quickest_model_has_every_program_before_any_part_is_done() -> None:
    table, params = programs_of_cost(COSTS), PredictionParams(models="cost per event; OLS; kNN10")
    first = first_folds(table, params)
    whole = evaluate_models(table, params=params)
    pieces = folds_in_turn(table, params)
    pd.testing.assert_frame_equal(
        pd.concat([each.phases for each in first], ignore_index=True), whole.phases.drop(columns=["cost per event", "kNN10"])
    )
    # Before and after a part came in: OLS stands for all programs, as in the whole; the others fill.
    one = fold(table, pieces[0])
    for folds in ([None] * 6, [one, *[None] * 5]):
        found = scores_so_far(pieces, folds, first).set_index("model")
        assert found.loc["OLS", "programs"] == "3 of 3"
        assert found.loc["OLS", "mape_mean"] == pytest.approx(whole.summary.set_index("model").loc["OLS", "mape_mean"])
    assert found.loc["kNN10", "programs"] == "1 of 3"
    assert first_folds(table, PredictionParams(models="Ridge")) == []


def test_parts_of_an_evaluation_are_joined_by_program() -> None:
    table, params = programs_of_cost(COSTS), PredictionParams(models="cost per event; OLS")
    parts = EVALUATION.of(table, params)
    whole = evaluate_models(table, params=params)
    pd.testing.assert_frame_equal(parts.phases, whole.phases)
    assert parts.by_measuring == whole.by_measuring
    assert sorted(map(tuple, parts.settings.to_numpy())) == sorted(map(tuple, whole.settings.to_numpy()))
