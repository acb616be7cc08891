"""Errors of predictions: per phase, per program, and over programs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.events.hardware_tree import adds_up
from hemcore.group_means import p_of_groups

CELL = ("granularity", "load")
MEASURED = "measured"
# The probability below which chance does not explain that the phases of a program err alike, and the spread of programs' mean errors
# that does not matter: readings do not repeat as closely.
_BY_CHANCE, _SMALL = 0.001, 0.001


def program_scores(phases: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """One row per granularity, load, program and model: phases, mape, median_ape, whole_error, r2; relative errors as fractions.

    phases: columns program, granularity, load, phase, measured, and one column per model. whole_error: signed error of the sum over phases.
    r2 is NaN if all phases of the program have the same target; every score is NaN if a phase has no prediction.
    """
    rows: list[dict[str, object]] = []
    for keys, part in phases.groupby(["granularity", "load", "program"], sort=False):
        measured = part[MEASURED].to_numpy(dtype=float)
        # In units of the largest: squares of counts above 1e154 are over what a float holds.
        unit = measured.max()
        goal = measured / unit
        spread = float(((goal - goal.mean()) ** 2).sum())
        for model in models:
            found = part[model].to_numpy(dtype=float) / unit
            errors = np.abs(found - goal) / goal
            r2 = 1 - float(((found - goal) ** 2).sum()) / spread if spread > 1e-20 * len(goal) else np.nan
            rows.append(
                {
                    "granularity": keys[0],
                    "load": keys[1],
                    "program": keys[2],
                    "model": model,
                    "phases": len(part),
                    "mape": float(errors.mean()),
                    "median_ape": float(np.median(errors)),
                    "whole_error": float(found.sum() / goal.sum() - 1),
                    "r2": r2,
                }
            )
    return pd.DataFrame(rows)


def total_of(values: NDArray[np.float64], name: str) -> float:
    """The sum of a counter over phases; the mean of what does not add up, such as a temperature."""
    return float(values.sum() if adds_up(name) else values.mean())


def independent_errors(errors: NDArray[np.float64], programs: NDArray[np.generic]) -> int:
    """How many independent errors stand behind a mean error: the phases, or only the programs if the phases of a program err alike.

    errors: signed relative errors, shape (phases,); programs: the program of each. A model with the right form leaves errors of reading,
    which are as different within a program as between programs. Otherwise (one-way analysis of variance, p < .001) it lacks something that
    differs between programs, and says little of a program unlike these. 0 if an error is not known.
    """
    if not len(errors) or not np.isfinite(errors).all():
        return 0
    codes = np.unique(programs, return_inverse=True)[1].ravel()
    phases, means = len(errors), np.bincount(codes, weights=errors) / np.bincount(codes)
    alike = len(means) > 1 and means.std() > _SMALL and p_of_groups(errors, programs) < _BY_CHANCE
    return len(means) if alike else phases


def summary(programs: pd.DataFrame) -> pd.DataFrame:
    """One row per granularity, load and model: mean and median errors over programs, smallest mean first within each cell.

    Columns programs, mape_mean, mape_median, median_ape_mean, whole_mean, whole_median (absolute), worst (mape) and worst_program.
    """
    rows: list[dict[str, object]] = []
    for keys, part in programs.groupby(["granularity", "load", "model"], sort=False):
        known = part[part["mape"].notna()]
        if known.empty:
            continue
        whole = known["whole_error"].abs()
        worst = known.iloc[int(known["mape"].to_numpy().argmax())]
        rows.append(
            {
                "granularity": keys[0],
                "load": keys[1],
                "model": keys[2],
                "programs": len(known),
                "mape_mean": known["mape"].mean(),
                "mape_median": known["mape"].median(),
                "median_ape_mean": known["median_ape"].mean(),
                "whole_mean": whole.mean(),
                "whole_median": whole.median(),
                "worst": worst["mape"],
                "worst_program": worst["program"],
            }
        )
    frame = pd.DataFrame(rows)
    return frame.sort_values(["granularity", "load", "mape_mean"], kind="stable", ignore_index=True) if rows else frame
