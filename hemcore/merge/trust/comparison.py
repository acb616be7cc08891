"""All merges of the same readings compared: by halves of the runs, and against the truth if it is known."""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.likeness import MEASURES, compared
from hemcore.merge.params import MergeParams
from hemcore.merge.trust.half_quality import TRUE_ROWS, MergeQuality, merge_quality
from hemcore.merge.trust.side_by_side_merges import METHODS

_N_RUNS = 1_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """quality: by halves. truth: one row per method with method, MEASURES and seconds of a merge of all runs against the truth's runs;
    "true rows" (half the truth's runs against the other half) comes first. None if the truth is not known."""

    quality: MergeQuality
    truth: pd.DataFrame | None

    @property
    def closest(self) -> tuple[str, float, bool] | None:
        """(method, AUC, whether the truth judged) of the merge closest to rows read together; None if no merge could be judged.

        The truth also judges pairs never read together. Halves cannot judge HRM, which copies whole runs.
        """
        for rows, by_truth in ((self.truth, True), (self.quality.rows, False)):
            if rows is None:
                continue
            known = rows.set_index("method")["auc"].drop(index=[TRUE_ROWS] if by_truth else [TRUE_ROWS, "hrm"], errors="ignore").dropna()
            if len(known):
                return str(known.idxmin()), float(known.min()), by_truth
        return None


def methods_compared(table: Subexperiments, params: MergeParams, progress: Progress | None = None) -> Comparison:
    """Every merge of `table`, with all HEMs and default parameters. Raises as merge_quality does."""
    share = 1.0 if table.truth is None else 0.8
    tell = None if progress is None else lambda done, note: progress(share * done, note)
    quality = merge_quality(table, progress=tell)
    return Comparison(quality=quality, truth=None if table.truth is None else _against(table, table.truth, progress))


def _against(table: Subexperiments, truth: pd.DataFrame, progress: Progress | None) -> pd.DataFrame:
    order = np.random.default_rng(0).permutation(len(truth))
    half = len(truth) // 2
    rows: list[dict[str, object]] = []
    if half:
        rows.append({"method": TRUE_ROWS, **compared(truth.iloc[order[:half]], truth.iloc[order[half:]]), "seconds": np.nan})
    for number, (name, method) in enumerate(METHODS.items()):
        if progress is not None:
            progress(0.8 + 0.2 * number / len(METHODS), f"{name}, against the truth")
        try:
            start = time.perf_counter()
            merged = method.merge(table.frames, min(_N_RUNS, len(truth)))
            rows.append({"method": name, "seconds": time.perf_counter() - start, **compared(merged, truth)})
        except HemError:  # the reason is given with the result by halves
            rows.append({"method": name})
    return pd.DataFrame(rows, columns=["method", *MEASURES, "seconds"])


COMPARE: Analysis[Subexperiments, MergeParams, Comparison] = Analysis(
    name="merge.compare",
    title="Methods compared",
    params=MergeParams,
    reads=(),
    compute=methods_compared,
)
