"""Ratios of events that were read together are those of these runs, however long the runs of other subexperiments were."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.metrics import bootstrapped, evaluate, metric_intervals, read_together
from hemcore.metrics.read_together import _is_better
from hemcore.metrics.run_means import bootstrap_weights
from tests.core.metrics.conftest import defined

FORMULAS = {"b per a": "B / A", "c per a": "C / A", "all": "(B + C) / A", "plain": "A", "percent": '100 * "b per a"', "as node": "B / A"}
RATIOS = defined(FORMULAS, level=[0, 0, 0, 0, 0, 1])
# Over all runs A is 25 on average, B 10 and C 30; no two subexperiments are of runs of one length.
APART = {"first": {"A": 30, "B": 15}, "second": {"B": 5, "C": 20}, "third": {"C": 40, "A": 20}}
EXPECTED = {"b per a": 0.5, "c per a": 2.0, "all": 1.6, "plain": 25.0, "percent": 50.0, "as node": 0.4}


def made(apart: dict[str, dict[str, int]], runs: int = 4) -> Subexperiments:
    frames = tuple(pd.DataFrame({hem: np.full(runs, float(value)) for hem, value in each.items()}) for each in apart.values())
    return Subexperiments(frames=frames, n_pmcs=3, labels=tuple(apart))


def test_a_ratio_is_that_of_the_runs_that_read_both() -> None:
    assert evaluate(RATIOS, made(APART)).iloc[0].to_dict() == pytest.approx(EXPECTED)
    found = metric_intervals(RATIOS, made(APART), draws=50).set_index("metric")
    for name, value in EXPECTED.items():
        assert found.loc[name, ["value", "low", "high"]].tolist() == pytest.approx([value] * 3), name


def test_with_an_anchor_too() -> None:
    apart = {name: each | {"T": 10} for name, each in APART.items()}
    assert evaluate(RATIOS, made(apart)).iloc[0].to_dict() == pytest.approx(EXPECTED)


def test_the_doubt_of_such_a_ratio_is_from_these_runs_alone() -> None:
    random = np.random.default_rng(1)
    noisy = made(APART, runs=30)
    frames = tuple(frame * random.uniform(0.9, 1.1, frame.shape) for frame in noisy.frames)
    found = bootstrapped(RATIOS, Subexperiments(frames=frames, n_pmcs=3, labels=noisy.labels))
    shares = dict(zip(found.names, found.shares, strict=True))
    np.testing.assert_allclose(shares["b per a"], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(shares["c per a"], [0, 0, 1], atol=1e-12)
    assert (shares["all"] > 0.01).all()


def test_its_threshold_is_judged_by_the_same_runs() -> None:
    table, names = made(APART), {"b per a": "B / A", "c per a": "C / A"}
    passing = defined(names, threshold=['"b per a" > 0.45', '"c per a" > 1.9'])
    assert bootstrapped(passing, table).passed[:, 0].tolist() == [1, 1]


def test_what_varies_less_is_taken() -> None:
    random = np.random.default_rng(4)
    load, more = random.uniform(90, 110, 40), random.uniform(90, 110, 400)
    both = pd.DataFrame({"A": load, "tied": 2 * load, "loose": random.uniform(190, 210, 40)})
    table = Subexperiments(frames=(both, pd.DataFrame({"A": more, "other": 1.0})), n_pmcs=3)
    names = {"tied": "tied / A", "loose": "loose / A"}
    values = evaluate(defined({f"{name} per a": formula for name, formula in names.items()}), table, anchor="").iloc[0]
    assert values["tied per a"] == pytest.approx(2.0, rel=1e-12)
    assert values["loose per a"] == pytest.approx(both["loose"].mean() / np.concatenate([load, more]).mean(), rel=1e-12)


def test_values_and_intervals_decide_once(monkeypatch) -> None:
    drawn = []
    monkeypatch.setattr(read_together, "bootstrap_weights", lambda *given: drawn.append(1) or bootstrap_weights(*given))
    table = made(APART)
    metric_intervals(RATIOS, table, draws=50)
    evaluate(RATIOS, table)
    evaluate(RATIOS, table, metrics=["all"])
    assert len(drawn) == 1
    evaluate(defined({"plain": "A"}), table)  # nothing to decide
    assert len(drawn) == 1


@pytest.mark.parametrize(("apart", "better"), [(0.0, False), (2.9, False), (-2.9, False), (3.1, True), (-3.1, True)])
def test_joint_runs_that_vary_more_are_taken_only_for_a_difference_beyond_chance(apart: float, better: bool) -> None:
    # Both scatter independently: joint runs by 4, all by 3, so their difference by 5.
    pooled = np.tile([-3.0, 3.0], 50) * np.sqrt(99 / 100)
    alone = np.repeat([-4.0, 4.0], 50) * np.sqrt(99 / 100)
    assert _is_better(np.append(10 + 5 * apart, alone), np.append(10.0, pooled)) == better
