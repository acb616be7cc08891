"""Programs left out: nothing of the one that is predicted is in a fit, a scaler or a choice of settings."""

import importlib

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import HemError, ParameterError
from hemcore.prediction import PredictionParams, evaluate_models
from hemcore.prediction.analysis import COST_STACK, EVALUATION, GRANULARITIES, INTERVALS, LEAK, MODELS_READY
from hemcore.prediction.evaluate.by_program import fold
from hemcore.prediction.model_rows import select
from hemcore.prediction.models.model_names import MODEL_NAMES
from hemcore.prediction.models.trained_models import fitted_models
from tests.core.prediction.made import COSTS, phases

QUICK = PredictionParams(models="Lasso; cost per event; copy the other load", n_bootstrap=20)


def changed(table: PhaseTable, **columns: object) -> PhaseTable:
    return PhaseTable(frame=table.frame.assign(**columns), counters=table.counters)


@pytest.mark.slow
def test_what_is_known_is_predicted_by_every_model() -> None:
    found = evaluate_models(phases(8, 60), models=list(MODEL_NAMES))
    assert set(found.summary["model"]) == set(MODEL_NAMES)
    scores = found.summary.set_index("model")["mape_mean"]
    assert scores["cost per event"] < 0.03
    assert scores["OLS"] < 0.05
    assert scores["copy the other load"] == pytest.approx(0.1, abs=0.001)
    assert (scores < 0.35).all()
    assert found.best["model"] != "copy the other load"


@pytest.mark.slow
@pytest.mark.parametrize("model", ["Lasso", "Ridge", "CLSLR, one size", "cost per event, 3 counters", "boosting", "blend"])
def test_the_held_out_program_changes_nothing_that_is_learnt(model: str) -> None:
    """Its target is turned upside down: predictions and settings stay as they were."""
    table = phases(5, 30)
    own = (table.frame["program"] == "program 2").to_numpy()
    turned = table.frame["CYCLES"].where(~own, 1e9 / table.frame["CYCLES"])
    asked = PredictionParams(models=model, held_out="program 2")
    one, other = fold(table, asked), fold(changed(table, CYCLES=turned), asked)
    np.testing.assert_array_equal(one.phases[model], other.phases[model])
    assert one.settings == other.settings


def test_scores_are_what_they_say() -> None:
    found = evaluate_models(phases(4, 20), models=["cost per event"])
    part = found.phases[found.phases["program"] == "program 1"]
    off = (part["cost per event"] - part["measured"]).abs() / part["measured"]
    row = found.programs.set_index(["program", "model"]).loc[("program 1", "cost per event")]
    assert row["mape"] == pytest.approx(off.mean())
    assert row["median_ape"] == pytest.approx(off.median())
    assert row["whole_error"] == pytest.approx(part["cost per event"].sum() / part["measured"].sum() - 1)
    whole = found.summary.iloc[0]
    assert whole["mape_mean"] == pytest.approx(found.programs["mape"].mean())
    assert whole["mape_median"] == pytest.approx(found.programs["mape"].median())


def test_a_fanned_out_evaluation_is_the_same() -> None:
    table = phases(4, 20)
    one, other = evaluate_models(table, params=QUICK), EVALUATION.of(table, QUICK)
    pd.testing.assert_frame_equal(one.phases, other.phases)
    assert EVALUATION.verdict is not None
    assert " error per phase, " in EVALUATION.verdict(other).answer


def test_rows_of_another_group_can_be_kept_together() -> None:
    table = phases(6, 20)
    table = changed(table, domain=table.frame["program"].map(lambda name: "even" if int(name[-1]) % 2 == 0 else "odd"))
    found = evaluate_models(table, models=["cost per event"], group="domain")
    assert set(found.programs["program"]) == {"even", "odd"}


def test_one_load_can_be_learnt_from_and_another_predicted() -> None:
    found = evaluate_models(phases(5, 30), params=QUICK.but(train_load="single core", load="dual core full load"))
    assert found.programs.loc[found.programs["model"] == "cost per event", "whole_error"].mean() == pytest.approx(-0.09, abs=0.02)


@pytest.mark.slow
def test_intervals_cover_what_they_promise_and_far_programs_are_flagged() -> None:
    table = phases(24, 20, seed=3)
    frame = table.frame.copy()
    odd = (frame["program"] == "program 5").to_numpy()
    frame.loc[odd, "DLmr"] *= 400
    found = INTERVALS.of(PhaseTable(frame=frame, counters=table.counters), QUICK)
    own = found.coverage[found.coverage["way"].str.startswith("jackknife")].set_index("promised")
    assert own.loc[0.8, "covered"] >= 0.8 * 24 - 4
    assert own.loc[0.9, "phases_covered"] >= 0.8
    assert (found.phases["low_90"] <= found.phases["low_80"] + 1e-9).all()
    assert (found.phases["low_80"] <= found.phases["high_80"]).all()
    distances = found.programs.set_index("program")["distance"]
    assert distances.idxmax() == "program 5"
    assert found.programs.set_index("program").loc["program 5", "far"]
    assert found.programs["far"].sum() <= 5


@pytest.mark.long
@pytest.mark.slow
def test_shuffled_rows_flatter_a_model_that_remembers() -> None:
    table = phases(8, 60)
    factors = dict(zip(table.programs, np.linspace(0.4, 2.5, 8), strict=True))
    secret = np.rint(table.frame["CYCLES"] * table.frame["program"].map(factors))
    found = LEAK.of(changed(table, CYCLES=secret), QUICK).scores.set_index("model")
    assert found.loc["kNN10", "by_program"] > 2 * found.loc["kNN10", "shuffled"]


def test_the_stack_is_what_the_costs_say() -> None:
    table = phases(10, 60)
    found = COST_STACK.of(table, QUICK)
    rows = table.frame[table.frame["load"] == "single core"]
    by_group = {"base": "Ir", "L1": "D1mr", "last level": "DLmr", "branches": "Bcm"}
    for group, name in by_group.items():
        truth = (COSTS[name] * rows[name]).groupby(rows["program"]).sum() / rows.groupby("program")["CYCLES"].sum()
        assert found.overall.loc[group, "share"] == pytest.approx(truth.mean(), abs=0.03)
        assert found.overall.loc[group, "low"] <= found.overall.loc[group, "share"] <= found.overall.loc[group, "high"]
    assert found.programs.groupby("program")["share"].sum().to_numpy() == pytest.approx(1.0)


def test_models_answer_what_if() -> None:
    ready = MODELS_READY.of(phases(6, 30), QUICK.but(held_out="program 0"))
    same, more = (ready.answer(ready.changed(0, {"DLmr": value})).set_index("model") for value in (ready.example.X[0, 2], 1e5))
    assert more.loc["cost per event", "predicted"] > same.loc["cost per event", "predicted"] + 3e6
    assert bool(more["far"].all())
    assert not same["far"].any()
    assert ((same["low"] <= same["predicted"]) & (same["predicted"] <= same["high"])).all()
    with pytest.raises(ParameterError, match="What if: 'Dr' is not used"):
        ready.changed(0, {"Dr": 1})
    with pytest.raises(ParameterError, match="finite"):
        ready.changed(0, {"DLmr": float("nan")})


def test_every_granularity_is_evaluated() -> None:
    table = phases(4, 20)
    coarse = table.frame.assign(granularity=3000)
    both = PhaseTable(frame=pd.concat([table.frame, coarse], ignore_index=True), counters=table.counters)
    found = GRANULARITIES.of(both, QUICK)
    assert sorted(found.summary["granularity"].unique()) == [1000, 3000]


# What is wrong is said


def test_one_program_is_not_enough() -> None:
    with pytest.raises(ParameterError, match="'program 0' is the only program"):
        evaluate_models(phases(1), params=QUICK)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"target": "CYCLE"}, "Target: 'CYCLE' is not a counter"),
        ({"counters": "Ir; L2"}, "Features: 'L2' is not a counter"),
        ({"counters": "CYCLES"}, "the target 'CYCLES' is the only counter"),
        ({"granularity": "77"}, "Granularity: '77' is not in the table"),
        ({"load": "idle"}, "Load: 'idle' is not in the table"),
        ({"group": "team"}, "Hold out by: 'team'"),
        ({"models": "OLS; magic"}, "Models: 'magic' is not known"),
        ({"form": "V2"}, "no columns of voltage"),
    ],
)
def test_names_that_are_not_there_are_told(asked: dict, said: str) -> None:
    with pytest.raises(HemError, match=said):
        evaluate_models(phases(3, 10), params=QUICK.but(**asked))


def test_what_is_left_out_is_said() -> None:
    table = phases(4, 20)
    frame = table.frame.astype({"Ir": float, "CYCLES": float})
    frame.loc[3, "Ir"] = np.nan
    frame.loc[5, "CYCLES"] = 0.0
    frame["Bcm"] = 7
    frame["twin"] = frame["CYCLES"] * 3
    frame["lost"] = np.nan
    found = select(PhaseTable(frame=frame, counters=(*table.counters, "twin", "lost")), QUICK)
    said = " ".join(found.notes)
    assert "1 of 80 phases at 1000, single core are left out: a counter or the target was not counted." in said
    assert "CYCLES is 0" in said
    assert "Bcm is constant and is left out." in said
    assert "lost was not counted and is left out." in said
    assert "twin is CYCLES under another name" in said
    assert found.train.counters == ("Ir", "D1mr", "DLmr", "twin")
    assert len(found.train) == 78


def test_a_target_under_another_name_spoils_the_verdict() -> None:
    table = phases(4, 20)
    both = PhaseTable(frame=table.frame.assign(twin=table.frame["CYCLES"]), counters=(*table.counters, "twin"))
    assert EVALUATION.verdict is not None
    told = EVALUATION.verdict(EVALUATION.of(both, QUICK))
    assert told.level == "poor"
    assert told.trust == "The target is among the features."
    assert "twin is CYCLES under another name" in told.why[0]


def test_no_row_left_is_told() -> None:
    table = phases(3, 10)
    with pytest.raises(ParameterError, match="was not counted at"):
        evaluate_models(changed(table, CYCLES=np.nan), params=QUICK)
    with pytest.raises(ParameterError, match="none at .* has every counter and CYCLES above 0"):
        evaluate_models(changed(table, CYCLES=0), params=QUICK)


def test_of_many_phases_every_so_many_are_used() -> None:
    found = select(phases(4, 50), QUICK.but(most_phases=50))
    assert len(found.train) == 52
    assert "One in 4 phases " in found.notes[0]


def test_a_program_that_is_not_there_cannot_be_held_out() -> None:
    with pytest.raises(ParameterError, match="Held-out program: 'x'"):
        fitted_models(phases(3, 10), QUICK.but(held_out="x"))


@pytest.mark.slow
def test_on_the_sample_a_model_that_remembers_leaks_most(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package gives the function by the module's name.
    monkeypatch.setattr(importlib.import_module("hemcore.prediction.evaluate.leakage"), "LEAK_MODELS", ("kNN10",))
    (row,) = LEAK.of(samples.load("phases"), PredictionParams(granularity="10000")).scores.itertuples()
    assert row.shuffled < 0.04
    assert row.by_program > 0.20
