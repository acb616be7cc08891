"""What cuts cost: the verdict is made from the figures, and the table says what this plan would take."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.planning.cut_costs import cut_curves, cuts_caption, cuts_table
from hemcore.planning import PlanParams
from hemcore.planning.cut_quality import ALL, FEWER_GROUPS, FEWER_RUNS


def rows(*auc: float, groups: int = 2) -> pd.DataFrame:
    """All of 4 subexperiments x 100 runs, then 70 and 50 % of the runs, then 3 and 2 subexperiments."""
    plans = [(ALL, 4, 100), (FEWER_RUNS, 4, 70), (FEWER_RUNS, 4, 50), (FEWER_GROUPS, 3, 100), (FEWER_GROUPS, 2, 100)][: 3 + groups]
    found = pd.DataFrame(plans, columns=["what", "subexperiments", "runs"])
    return found.assign(seconds=found["subexperiments"] * found["runs"] * 1.0, auc=auc, energy=0.001, spearman_mse=0.004, pearson_mse=0.005)


def report(seconds: float) -> Any:
    return SimpleNamespace(seconds=seconds, params=PlanParams())


@pytest.mark.parametrize(
    ("auc", "said"),
    [
        (
            (0.50, 0.52, 0.55, 0.58, 0.70),
            "Reduce runs, not subexperiments: in 50% of the time, 2 of 4 subexperiments have an AUC of 0.70, all with fewer runs 0.55",
        ),
        ((0.50, 0.70, 0.80, 0.55, 0.60), "Here, fewer subexperiments cost less than fewer runs: in 50% of the time, 2 of 4"),
        ((0.50, 0.52, 0.55, 0.52, 0.56), "These runs show no difference between fewer runs and fewer subexperiments"),
        ((0.50, np.nan, 0.55, 0.52, 0.56), "Too few runs to compare the options."),
    ],
)
def test_the_verdict_is_what_the_figures_say(auc: tuple[float, ...], said: str) -> None:
    assert cuts_caption(rows(*auc), "my pilot").startswith(said)
    assert "Based on half the runs of my pilot" in cuts_caption(rows(*auc), "my pilot")


def test_where_no_subexperiment_can_be_left_out_it_says_so() -> None:
    words = cuts_caption(rows(0.50, 0.52, 0.57, groups=0), "my pilot")
    assert words.startswith("Reduce runs: no subexperiment can be left out")
    assert "50 runs each instead of 100 raise the AUC from 0.50 to 0.57" in words


def test_both_lines_begin_where_nothing_is_cut() -> None:
    fewer_runs, fewer_groups = cut_curves(rows(0.50, 0.52, 0.55, 0.58, 0.70)).data
    assert [round(float(x), 3) for x in fewer_runs.x] == [0.5, 0.7, 1.0]
    assert [round(float(x), 3) for x in fewer_groups.x] == [0.5, 0.75, 1.0]
    assert fewer_runs.y[-1] == fewer_groups.y[-1] == 0.5
    assert len(cut_curves(rows(0.50, 0.52, 0.55, groups=0)).data) == 1


def test_the_table_has_the_time_of_this_plan_and_of_the_baseline() -> None:
    found = rows(0.50, 0.52, 0.55, 0.58, 0.70)
    table = cuts_table(found, report(36_000), None)
    assert table["this plan, h"].tolist() == [10.0, 7.0, 5.0, 7.5, 5.0]
    assert "baseline, h" not in table
    assert cuts_table(found, report(36_000), report(72_000))["baseline, h"].tolist() == [20.0, 14.0, 10.0, 15.0, 10.0]
