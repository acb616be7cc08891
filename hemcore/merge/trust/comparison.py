"""All merges of the same readings compared: by halves of the runs, and against the truth if it is known."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError
from hemcore.likeness import MEASURES, compared
from hemcore.merge.params import MergeParams
from hemcore.merge.trust.half_quality import TRUE_ROWS, MergeQuality, checked_judges, judged_by_halves
from hemcore.merge.trust.side_by_side_merges import METHODS
from hemcore.params import parameter

_N_RUNS = 1_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """quality: by halves. truth: one row per method with method, MEASURES and seconds of a merge of all runs against the truth's runs;
    "true rows" (half the truth's runs against the other half) comes first. None if the truth is not known."""

    quality: MergeQuality
    truth: pd.DataFrame | None

    @property
    def closest(self) -> tuple[str, float, bool] | None:
        """(method, AUC, whether the truth judged) of the merge closest to rows read together; None if no merge could be judged, or if
        halves cannot tell it from another.

        The truth also judges pairs never read together. Halves cannot: where there are any, they name no merge. Nor can they judge HRM,
        which copies whole runs.
        """
        if self.truth is not None and len(known := _judged(self.truth)):
            return str(known.idxmin()), float(known.min()), True
        alike = self.alike
        return (str(alike.index[0]), float(alike.iloc[0]), False) if len(alike) == 1 else None

    @property
    def alike(self) -> pd.Series:
        """The AUC by halves of the merge closest to rows read together and of those that the halves cannot tell from it, by method, the
        lowest first; empty where they judge none. An AUC up to `quality.told` is that of real rows."""
        known = _judged(self.quality.rows).drop(index="hrm", errors="ignore").sort_values(kind="stable")
        return known[known <= np.fmax(self.quality.told, known.min())] if len(known) and not self.quality.n_unread else known[:0]


def _judged(rows: pd.DataFrame) -> pd.Series:
    """The known AUC by method."""
    auc: pd.Series = rows.set_index("method")["auc"].drop(index=TRUE_ROWS, errors="ignore").dropna()
    return auc


class ComparedParams(MergeParams):
    """One merge of the comparison, by one judge."""

    compared: Literal["true rows", "hrm", "simulated", "calibrated", "copula"] = parameter(
        "true rows", title="Merge", description="Which merge; or rows read together, as they are."
    )
    by_truth: bool = parameter(False, title="By the truth", description="Judged by the truth; otherwise by halves of the runs.")


def every_comparison(table: Subexperiments, params: MergeParams) -> list[ComparedParams]:
    """The parameters of each part, the slowest merge first. Raises as merge_quality does."""
    checked_judges(table)
    judges = (False,) if table.truth is None else (False, True)
    names = reversed((TRUE_ROWS, *METHODS))
    return [ComparedParams.model_validate({"compared": name, "by_truth": judge}) for judge, name in product(judges, names)]


def one_comparison(table: Subexperiments, params: ComparedParams, progress: Progress | None = None) -> MergeQuality | pd.DataFrame:
    """One of `every_comparison`, with all HEMs and default parameters: its part of Comparison.quality, or of Comparison.truth."""
    method = METHODS.get(params.compared)
    if not params.by_truth:
        return judged_by_halves(table, {params.compared: None if method is None else method.merge}, progress=progress)
    if table.truth is None:
        raise ParameterError("By the truth: the truth of these readings is not known. Compare by halves.")
    return _against(table, table.truth, params.compared)


def gathered_comparison(table: Subexperiments, params: MergeParams, found: Sequence[MergeQuality | pd.DataFrame]) -> Comparison:
    """Every merge of `table`, rows read together first."""
    halves = [each for each in found if isinstance(each, MergeQuality)]
    truth = [each for each in found if isinstance(each, pd.DataFrame)]
    return Comparison(
        quality=replace(halves[0], rows=_ordered([each.rows for each in halves])),
        truth=_ordered(truth) if table.truth is not None else None,
    )


def _ordered(rows: list[pd.DataFrame]) -> pd.DataFrame:
    order = [TRUE_ROWS, *METHODS]
    return pd.concat(rows).sort_values("method", key=lambda names: names.map(order.index), kind="stable", ignore_index=True)


def _against(table: Subexperiments, truth: pd.DataFrame, name: str) -> pd.DataFrame:
    order = np.random.default_rng(0).permutation(len(truth))
    half = len(truth) // 2
    rows: list[dict[str, object]] = []
    if name == TRUE_ROWS:
        if half:
            rows.append({"method": TRUE_ROWS, **compared(truth.iloc[order[:half]], truth.iloc[order[half:]]), "seconds": np.nan})
    else:
        try:
            start = time.perf_counter()
            merged = METHODS[name].merge(table.frames, min(_N_RUNS, len(truth)))
            rows.append({"method": name, "seconds": time.perf_counter() - start, **compared(merged, truth)})
        except HemError:  # the reason is given with the result by halves
            rows.append({"method": name})
    return pd.DataFrame(rows, columns=["method", *MEASURES, "seconds"]).astype(dict.fromkeys((*MEASURES, "seconds"), float))


COMPARED: Analysis[Subexperiments, ComparedParams, MergeQuality | pd.DataFrame] = Analysis(
    name="merge.compared",
    title="one method of the comparison",
    params=ComparedParams,
    reads=("compared", "by_truth"),
    compute=one_comparison,
)
COMPARE: Analysis[Subexperiments, MergeParams, Comparison] = Analysis(
    name="merge.compare",
    title="Methods compared",
    params=MergeParams,
    reads=(),
    part=COMPARED,
    parts=every_comparison,
    gather=gathered_comparison,
)
