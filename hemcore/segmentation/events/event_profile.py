"""Profile of events: which of them show phases (Table I of Imtiaz et al. 2022, for any data)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from hemcore.errors import HemError, ParameterError
from hemcore.headline import percent
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.search.thresholds import check_algorithm, optimal_threshold
from hemcore.segmentation.segments import segment

COLUMNS = ("event", "kept", "why", "optimal_threshold", "n_segments", "fewest_segments", "most_segments", "explained", "cov_percent",
           "cov_percent_as_printed", "cov_percent_per_sample", "max_residual", "n_runs")  # fmt: skip


def profile_events(
    runs_by_event: Mapping[str, Sequence[ArrayLike]],
    max_threshold: float,
    *,
    min_change_points: int = 2,
    max_change_points: int = 20,
    statistic: Statistic = "rms",
    min_distance: int | None = None,
    early_exit: bool = False,
    progress: Callable[[float, str], object] | None = None,
) -> pd.DataFrame:
    """One row per event, in the order given: its optimal threshold and how its runs are segmented at it.

    runs_by_event: series of each event's runs. Columns of the result:
    event; kept (bool); why (the rule that keeps or prunes it, as text);
    optimal_threshold (`optimal_threshold` of its runs); n_segments (median over runs), fewest_segments, most_segments;
    explained: the share of the counts' variance that the segments' means explain, 0 to 1, median over the runs that vary;
    cov_percent: 100 * sigma / |mu| of the residual error over runs, sigma with n - 1 (NaN for one run or if mu is 0);
    cov_percent_as_printed: 100 * sqrt(sigma / |mu|), the formula as printed in Imtiaz et al. (2022);
    cov_percent_per_sample: cov_percent of the residual error divided by the number of samples, since a sum grows with the run's length;
    max_residual: the largest residual error of a run; n_runs.

    An event is kept if its median number of change points over runs lies from min_change_points to max_change_points. An event that cannot
    be segmented (no run, a sample that is not a number) has NaN throughout and the reason under `why`. No event: an empty frame.
    progress(share, event) is called before each event; what it raises ends the work.
    Raises ParameterError if min_change_points is below 0 or above max_change_points, and as `optimal_threshold` does.
    """
    _check_bounds(min_change_points, max_change_points)
    check_algorithm(max_threshold, statistic, min_distance)
    rows = []
    for number, (event, runs) in enumerate(runs_by_event.items()):
        if progress is not None:
            progress(number / len(runs_by_event), f"{event} ({number + 1} of {len(runs_by_event)})")
        if len(runs) == 0:
            rows.append((event, False, "no run has a counted sample", *[np.nan] * 9, 0))
            continue
        try:
            best = optimal_threshold(runs, max_threshold, statistic=statistic, min_distance=min_distance, early_exit=early_exit)
            found = [segment(run, best.threshold, statistic=statistic, min_distance=min_distance, early_exit=early_exit) for run in runs]
        except HemError as error:
            rows.append((event, False, f"cannot be segmented: {error}", *[np.nan] * 9, len(runs)))
            continue
        change_points = np.array([each.n_change_points for each in found])
        kept, why = _within(float(np.median(change_points)), min_change_points, max_change_points)
        residuals = np.array([each.residual for each in found])
        spread = relative_spread(residuals)
        explained = [each.explained for each in found if np.isfinite(each.explained)]
        rows.append((event, kept, why, best.threshold, np.median(change_points) + 1, change_points.min() + 1,
                     change_points.max() + 1, np.median(explained) if explained else np.nan, 100 * spread, 100 * np.sqrt(spread),
                     100 * relative_spread(residuals / [each.n_samples for each in found]), residuals.max(), len(found)))  # fmt: skip
    if progress is not None:
        progress(1.0, "done")
    return pd.DataFrame(rows, columns=list(COLUMNS))


Rule = Literal["bounds", "found"]
# Recall and precision, or the share of variance explained, from which an event is kept by what it finds.
WORTH = 0.5


def judged(profile: pd.DataFrame, min_change_points: int, max_change_points: int, *, by: Rule = "bounds") -> pd.DataFrame:
    """`profile` (of `profile_events`) with kept and why set by a rule.

    by: "bounds", the rule of Imtiaz et al. (2022): the median number of change points lies from min_change_points to max_change_points.
    "found": if the truth is known (recall_true, precision_true), both are at least 0.5 in the median run; otherwise the segments explain
    at least half of the variance with at most max_change_points. Raises ParameterError as profile_events does.
    """
    _check_bounds(min_change_points, max_change_points)
    if by not in ("bounds", "found"):
        raise ParameterError(f"by: {by!r} is not a rule; choose bounds or found.")
    now = profile.copy()
    known = now["n_segments"].notna()
    if known.any():
        rows = [row for _, row in now[known].iterrows()]
        bounds = min_change_points, max_change_points
        verdicts = [_within(row["n_segments"] - 1, *bounds) if by == "bounds" else _found(row, max_change_points) for row in rows]
        now.loc[known, "kept"] = [kept for kept, _ in verdicts]
        now.loc[known, "why"] = [why for _, why in verdicts]
    return now


def _found(row: pd.Series, most: int) -> tuple[bool, str]:
    """Whether an event is kept by what it finds, and why, from its row of a profile."""
    median = row["n_segments"] - 1
    if "recall_true" in row.index and np.isfinite(row["recall_true"]):
        kept = min(row["recall_true"], row["precision_true"]) >= WORTH
        what = f"{percent(row['recall_true'])} of the true boundaries, precision {percent(row['precision_true'])}"
    else:
        share = row["explained"]
        kept = share >= WORTH and 0 < median <= most
        what = f"{percent(share)} of the variance explained by {_typical(median)}" if np.isfinite(share) else "nothing varies"
    return bool(kept), f"{'kept' if kept else 'pruned'} by what it finds: {what}"


def ranked(profile: pd.DataFrame) -> pd.DataFrame:
    """The rows of a profile, the events that find most first, index from 0.

    Sorted by F1 with the true boundaries (from recall_true and precision_true) if they are known, otherwise by the share of variance
    explained, reduced for many segments: explained * log(2) / log(segments + 1). Events that cannot be segmented, or have no truth while
    others do, come last; ties keep their order.
    """
    if "recall_true" in profile.columns and profile["recall_true"].notna().any():
        both = profile["recall_true"] + profile["precision_true"]
        value = (2 * profile["recall_true"] * profile["precision_true"] / both.where(both > 0)).where(both != 0, 0.0)
    else:
        value = profile["explained"] * np.log(2.0) / np.log(profile["n_segments"].clip(lower=1) + 1)
        value = value.where(profile["n_segments"] > 1, other=np.where(profile["n_segments"].notna(), 0.0, np.nan))
    order = value.sort_values(ascending=False, kind="stable", na_position="last").index
    return profile.loc[order].reset_index(drop=True)


def contradiction(profile: pd.DataFrame) -> str:
    """A sentence if the bounds keep an event that finds less than one they prune, in the order of `ranked`; otherwise empty.

    profile: as `judged` returns it by bounds. The sentence names both events.
    """
    order = ranked(profile[profile["n_segments"].notna()])
    kept = order["kept"].astype(bool)
    if order.empty or not kept.any() or kept.all():
        return ""
    best_pruned, worst_kept = int((~kept).to_numpy().argmax()), int(len(kept) - 1 - kept.to_numpy()[::-1].argmax())
    if best_pruned > worst_kept:
        return ""
    pruned, chosen = order.iloc[best_pruned], order.iloc[worst_kept]
    measure = "recall_true" if "recall_true" in order.columns and order["recall_true"].notna().any() else "explained"
    if not np.isfinite(pruned[measure]) or not np.isfinite(chosen[measure]) or pruned[measure] <= chosen[measure]:
        return ""
    what = "of the true boundaries" if measure == "recall_true" else "of the variance"
    finds = "finds" if measure == "recall_true" else "explains"
    return (
        f"The bounds on change points keep {chosen['event']}, which {finds} {percent(chosen[measure])} {what}, and prune "
        f"{pruned['event']}, which {finds} {percent(pruned[measure])}: what they find suggests the opposite."
    )


def _check_bounds(fewest: int, most: int) -> None:
    if not 0 <= fewest <= most:
        raise ParameterError(f"min_change_points: {fewest} must be from 0 to max_change_points, {most}. Swap or widen them.")


def _within(median: float, fewest: int, most: int) -> tuple[bool, str]:
    if median < fewest:
        return False, f"{_typical(median)} (median of runs), fewer than {fewest}: too little variation to model"
    if median > most:
        return False, f"{_typical(median)} (median of runs), more than {most}: too irregular to profile"
    return True, f"kept by the bounds: {_typical(median)} (median of runs), within {fewest} to {most}"


def _typical(median: float) -> str:
    return f"{median:g} change point{'' if median == 1 else 's'}"


def relative_spread(residuals: np.ndarray) -> float:
    """sigma / |mu|, sigma with n - 1; NaN for one run or if mu is 0. |mu|, since a residual that is a logarithm can be negative."""
    mean = float(np.mean(residuals))
    return float(np.std(residuals, ddof=1)) / abs(mean) if len(residuals) > 1 and mean != 0 else float("nan")
