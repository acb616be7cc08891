"""The truth beside intervals: from runs that read all HEMs together, where a dataset has some."""

from dataclasses import replace

import numpy as np
import pandas as pd

import hemcore as hem
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.metrics.known_truth import true_values, truth_sentence
from tests.core.metrics.conftest import defined

FORMULAS = defined(
    {"ratio": "B / A", "double": "2 * ratio", "percent": "100 * B / A", "equal": "A == B", "none": "C / A"},
    level=[1, 0, 1, 0, 0],
    unit=["", "", "%", "", ""],
)
RUNS = Subexperiments(
    frames=(pd.DataFrame({"A": np.linspace(90, 110, 40), "B": np.linspace(190, 215, 40)}),),
    n_pmcs=2,
    truth=pd.DataFrame({"A": [50.0, 150], "B": [100.0, 310]}),
)


def test_it_is_the_metric_of_the_means_of_these_runs() -> None:
    # 410 / 200; an identity is no number, and C was not read.
    assert true_values(FORMULAS, RUNS, FORMULAS.names) == {"ratio": 2.05, "double": 4.1, "percent": 205}
    assert true_values(FORMULAS, replace(RUNS, truth=None), FORMULAS.names) == {}


def test_a_report_has_it_beside_each_metric_and_node() -> None:
    answer = hem.metrics(RUNS, FORMULAS, draws=50)
    rows = answer.table.set_index("metric")
    assert list(rows.index) == ["ratio", "double", "percent", "none"]  # identities have a tab of their own
    assert rows["truth"].drop("none").to_list() == [2.05, 4.1, 205]
    assert answer.result.tree.nodes["truth"].to_list() == [2.05, 2.05]  # a share, whatever the unit
    # 202.5 / 100 with an interval of a few thousandths.
    assert (
        "0 of 3 intervals hold the truth; about 1 are expected, since it is from 2 other runs that read all HEMs together"
        in answer.verdict.full_text
    )
    without = hem.metrics(replace(RUNS, truth=None), FORMULAS, draws=50)
    assert "truth" not in without.table
    assert "truth" not in without.verdict.full_text


def test_the_sentence_counts_intervals_with_both_ends() -> None:
    rows = pd.DataFrame({"low": [1.0, 1, 1, np.nan], "high": [2.0, 2, 2, np.nan], "truth": [1.0, 2.5, np.nan, 1]})
    assert truth_sentence(rows, 1_000, {"1": 9}).startswith("1 of 2 intervals hold the truth; about 2 are expected, since it is from 1,000")
    assert truth_sentence(rows.drop(columns="truth"), 5, {"1": 9}) == ""


def test_a_truth_of_as_many_runs_is_held_by_63_percent_of_80_percent_intervals() -> None:
    # Two equal errors: the middle 80% is 1.2816 deviations wide on each side, the difference deviates by 1.4142: P(|z| < 0.9062) = 0.635.
    rows = pd.DataFrame({"low": np.zeros(1_000), "high": np.ones(1_000), "truth": np.full(1_000, 0.5)})
    assert "about 635 are expected" in truth_sentence(rows, 60, {"1": 60, "2": 60, "3": 10})
