"""Which events show phases: Table I of document 002, for any data."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hemcore.errors import HemError, ParameterError
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.segments import segment
from hemcore.segmentation.thresholds import check_algorithm, optimal_threshold

COLUMNS = ("event", "kept", "why", "optimal_threshold", "n_segments", "fewest_segments", "most_segments", "cov_percent",
           "cov_percent_as_printed", "cov_percent_per_sample", "max_residual", "n_runs")  # fmt: skip


def profile_events(
    runs_by_event: Mapping[str, Sequence[ArrayLike]],
    max_threshold: float,
    *,
    min_change_points: int = 2,
    max_change_points: int = 20,
    statistic: Statistic = "rms",
    min_distance: int = 2,
    early_exit: bool = False,
    progress: Callable[[float, str], object] | None = None,
) -> pd.DataFrame:
    """One row an event, in the order given: its optimal threshold and how its runs are segmented at it.

    runs_by_event: series of each event's runs. Columns of the result:
    event; kept (bool); why (in words: kept, or what pruned it);
    optimal_threshold (`optimal_threshold` of its runs); n_segments (median over runs), fewest_segments, most_segments;
    cov_percent: 100 * sigma / |mu| of the residual error over runs, sigma with n - 1 (NaN for one run, and where mu is 0);
    cov_percent_as_printed: 100 * sqrt(sigma / |mu|), the formula as document 002 prints it;
    cov_percent_per_sample: cov_percent of the residual error divided by the number of samples, since a sum grows with the run's length;
    max_residual: the largest residual error of a run; n_runs.

    An event is kept when the median over runs of its number of change points lies from min_change_points to max_change_points. One that
    cannot be segmented (no run, a sample that is no number) has NaN throughout and its reason under `why`. No event: an empty frame.
    progress: told the share of events done and the next event; what it raises ends the work.
    Raises ParameterError when min_change_points is below 0 or above max_change_points, and for bounds as `optimal_threshold` does.
    """
    _check_bounds(min_change_points, max_change_points)
    check_algorithm(max_threshold, statistic, min_distance)
    rows = []
    for number, (event, runs) in enumerate(runs_by_event.items()):
        if progress is not None:
            progress(number / len(runs_by_event), f"{event} ({number + 1} of {len(runs_by_event)})")
        if len(runs) == 0:
            rows.append((event, False, "no run has a counted sample of it", *[np.nan] * 8, 0))
            continue
        try:
            best = optimal_threshold(runs, max_threshold, statistic=statistic, min_distance=min_distance, early_exit=early_exit)
            found = [segment(run, best.threshold, statistic=statistic, min_distance=min_distance, early_exit=early_exit) for run in runs]
        except HemError as error:
            rows.append((event, False, f"cannot be segmented: {error}", *[np.nan] * 8, len(runs)))
            continue
        change_points = np.array([each.n_change_points for each in found])
        why = _pruned(float(np.median(change_points)), min_change_points, max_change_points)
        residuals = np.array([each.residual for each in found])
        spread = relative_spread(residuals)
        rows.append((event, why is None, why or "kept", best.threshold, np.median(change_points) + 1, change_points.min() + 1,
                     change_points.max() + 1, 100 * spread, 100 * np.sqrt(spread),
                     100 * relative_spread(residuals / [each.n_samples for each in found]), residuals.max(), len(found)))  # fmt: skip
    if progress is not None:
        progress(1.0, "done")
    return pd.DataFrame(rows, columns=list(COLUMNS))


def judged(profile: pd.DataFrame, min_change_points: int, max_change_points: int) -> pd.DataFrame:
    """`profile` (of `profile_events`) with kept and why as these bounds have them. Raises ParameterError as profile_events does."""
    _check_bounds(min_change_points, max_change_points)
    counted = profile["n_segments"].notna()
    why = [_pruned(n - 1, min_change_points, max_change_points) for n in profile.loc[counted, "n_segments"]]
    now = profile.copy()
    if not counted.any():
        return now
    now.loc[counted, "why"] = [each or "kept" for each in why]
    now.loc[counted, "kept"] = [each is None for each in why]
    return now


def _check_bounds(fewest: int, most: int) -> None:
    if not 0 <= fewest <= most:
        raise ParameterError(f"min_change_points: {fewest} must be from 0 to max_change_points, {most}. Exchange or widen them.")


def _pruned(median: float, fewest: int, most: int) -> str | None:
    typical = f"{median:g} change point{'' if median == 1 else 's'}"
    if median < fewest:
        return f"{typical} (median of runs), fewer than {fewest}: no variability to model"
    if median > most:
        return f"{typical} (median of runs), more than {most}: too arbitrary to profile"
    return None


def relative_spread(residuals: np.ndarray) -> float:
    """sigma / |mu|, sigma with n - 1; NaN for one run and where mu is 0. |mu|, since a residual that is a logarithm can be negative."""
    mean = float(np.mean(residuals))
    return float(np.std(residuals, ddof=1)) / abs(mean) if len(residuals) > 1 and mean != 0 else float("nan")
