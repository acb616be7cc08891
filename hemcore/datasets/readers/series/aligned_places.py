"""Rows of a table that name parts of a machine: their intervals put beside one another, so that counts can be summed over the parts."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.tables.hardware_levels import PROGRAM
from hemcore.events.hardware_tree import TREE

# Parts read in steps that differ by more are not read together; a row that lasts longer than its place's usual step may be two intervals.
_ALIKE = 1.5
# Of all rows, as many may stand alone; more, and sums would be mostly gaps.
_MOST_ALONE = 0.2
# Of a step: moments that differ by less are those of one reading after another.
_SAME = 0.01


def with_program(intervals: pd.DataFrame, program: str, where: str, repairs: list[Repair], *, numbered: bool = False) -> pd.DataFrame:
    """`intervals`, whose columns of TREE came from a table, as one program's (`program`, where they name none), so that levels of the
    machine can be chosen.

    The n-th intervals of all parts are one moment where they lie within half a step of one another. Else each is that of the moment that
    is nearest among those of the part with most of them, at most half a step away, and what has none stands alone: no sum has it. Where
    that is not honest either, the columns of TREE are dropped. Both are listed in `repairs`. numbered: whether the table numbers the
    intervals itself. where: its name.
    """
    columns = [name for name in TREE if name in intervals.columns]
    if not columns:
        return intervals
    untold = intervals[columns].isna().any(axis=None)
    made, why = (None, "some rows name none") if untold else _together(intervals, numbered=numbered)
    if made is None:
        what = f"levels of the machine are not offered, since sums over each {columns[-1]} would be wrong: {why}"
        repairs.append(Repair(where, ", ".join(columns), what, len(intervals)))
        return intervals.drop(columns=columns)
    if why:
        repairs.append(Repair(where, "time", why, len(intervals)))
    return made if PROGRAM in made else made.assign(**{PROGRAM: program})


def _together(intervals: pd.DataFrame, *, numbered: bool) -> tuple[pd.DataFrame | None, str]:
    """(`intervals` numbered alike for all parts, what was done to that end); (None, why not) where it cannot be."""
    own = [PROGRAM] if PROGRAM in intervals else []
    moments = intervals.groupby([*own, "run", "interval"], sort=False)
    alike = numbered or moments.size().nunique() == 1
    if "time" not in intervals.columns:
        return (intervals, "") if alike else (None, "the parts have different numbers of intervals, and no times")
    lengths = intervals.groupby(["application", "run"], sort=False)["time"].diff()
    step = float(lengths.median())
    apart = float((moments["time"].max() - moments["time"].min()).max())
    if alike and (apart <= step / 2 or apart == 0):
        differ = (
            f"moments of the parts differ by up to {apart:.3g} s: their n-th intervals were read as one" if apart > _SAME * step else ""
        )
        return intervals, differ
    usual = lengths.groupby([intervals["application"], intervals["run"]], sort=False).median().dropna()
    if usual.empty or float(usual.max()) > _ALIKE * float(usual.min()):
        return None, f"the parts were read in steps of {usual.min():.3g} to {usual.max():.3g} s"
    numbers = pd.Series(0, index=intervals.index)
    alone = 0
    furthest = 0.0
    for _, rows in intervals.groupby([*own, "run"], sort=False):
        positions, found, far = _nearest(rows, lengths.loc[rows.index].to_numpy(), step)
        # What stands alone is an interval of its own, after that of the same moment.
        numbers.loc[rows.index] = np.unique(np.column_stack([positions, ~found]), axis=0, return_inverse=True)[1].reshape(-1) + 1
        alone += int((~found).sum())
        furthest = max(furthest, far)
    if alone > _MOST_ALONE * len(intervals):
        return None, f"{alone:,} of {len(intervals):,} rows have no moment of the other parts within half a step"
    what = f"moments of the parts differ: each was put to the nearest of the part with most of them, up to {furthest:.3g} s away"
    return intervals.assign(interval=numbers), what + (f"; {alone:,} without one stand alone and are in no sum" if alone else "")


def _nearest(rows: pd.DataFrame, lengths: NDArray[np.float64], step: float) -> tuple[NDArray[np.float64], NDArray[np.bool_], float]:
    """(the moment that each row of a run is put to, whether it is one of the grid's, the greatest distance)."""
    parts = rows.groupby("application", sort=False)["time"]
    sizes, firsts = parts.size(), parts.min()
    most = firsts[sizes == sizes.max()]
    grid_part = (most - most.median()).abs().idxmin()
    of_grid = (rows["application"] == grid_part).to_numpy()
    times = rows["time"].to_numpy(dtype=float)
    order = np.argsort(times[of_grid], kind="stable")
    grid, grid_lengths = times[of_grid][order], np.nan_to_num(lengths[of_grid][order])
    after = np.clip(np.searchsorted(grid, times), 1, max(1, len(grid) - 1))
    before = after - 1
    place = np.where(np.abs(times - grid[np.minimum(after, len(grid) - 1)]) < np.abs(times - grid[before]), after, before)
    distance = np.abs(times - grid[place])
    longer = np.nan_to_num(lengths) > _ALIKE * np.maximum(step, grid_lengths[place])
    found = (distance <= step / 2 * (1 + 1e-9)) & (~longer | of_grid)
    best = pd.DataFrame({"part": rows["application"].to_numpy(), "place": place, "distance": distance, "row": np.arange(len(rows))})
    kept = best[found].sort_values("distance", kind="stable").drop_duplicates(["part", "place"])["row"].to_numpy()
    found = np.isin(np.arange(len(rows)), kept)
    return np.where(found, grid[place], times), found, float(distance[found].max())
