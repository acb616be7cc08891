"""Estimators side by side over every application and event: Tables 5 and 6 and Figures 7 to 9 of Wang et al. (2022), for any series."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.estimators import ESTIMATORS
from hemcore.mpx.hidden_slots import Method
from hemcore.mpx.params import MpxParams
from hemcore.mpx.prepared import prepare
from hemcore.mpx.sampled import Floats
from hemcore.mpx.scoring import ceiling_of, dtw_of, filled, means, name_of, scores_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Evaluation:
    """Scores of estimators.

    scores: one row per method, event and run: application, run, event, method, ra, wa, total, scored, zeros, dtw (NaN where the series is
    left out, for it has fewer than 20 hidden truths above 0). ceiling: what a perfect estimator scores against another OCOE run: the same
    without method and dtw; empty where there is one run. removed: as Cleaned.removed. slots_per_count: by application. same_run: whether
    the truth is of the runs themselves.
    """

    scores: pd.DataFrame
    ceiling: pd.DataFrame
    removed: pd.DataFrame
    slots_per_count: dict[str, float]
    same_run: bool
    params: MpxParams

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, in the order requested."""
        return tuple(dict.fromkeys(self.scores["method"]))

    @property
    def by_method(self) -> pd.DataFrame:
        """One row a method: as `means`."""
        return means(self.scores, ["method"])

    @property
    def by_event(self) -> pd.DataFrame:
        """One row per event and method, as Table 6 and Figures 7 to 9."""
        return means(self.scores, ["event", "method"])

    def table(self, by: str, score: str = "ra") -> pd.DataFrame:
        """`score` with a row each of `by` ("application" or "event") and "mean", a column per method and "ceiling" (for ra and wa).

        In the shape of Tables 5 and 6. NaN where nothing is scored.
        """
        wide = means(self.scores, [by, "method"]).pivot(index=by, columns="method", values=score)
        wide.index, wide.columns = wide.index.astype(str), wide.columns.astype(str)
        wide = wide.loc[list(dict.fromkeys(self.scores[by].astype(str))), list(self.methods)]
        wide.loc["mean"] = self.by_method.set_index("method")[score].reindex(list(self.methods)).to_numpy()
        if score in ("ra", "wa") and len(self.ceiling):
            top = means(self.ceiling, [by]).set_index(by)[score]
            top.index = top.index.astype(str)
            wide["ceiling"] = top.reindex(wide.index).to_numpy()
            wide.loc["mean", "ceiling"] = self.ceiling[score].mean()
        return wide.rename_axis(index=by, columns=None)


def evaluate(
    series: CounterSeries,
    methods: Sequence[Method] | None = None,
    params: MpxParams | None = None,
    *,
    dtw: bool = True,
    progress: Progress | None = None,
) -> Evaluation:
    """Score `methods` (default: every untrained one) on every application of `series`.

    series: OCOE, of which params.slots_per_count slots per count are hidden (virtual multiplexing: the truth is of the same run); or MPX
    with a truth. Applications without a hidden slot are left out. Raises ParameterError where no application can be scored.
    """
    settings = params or MpxParams()
    parts = []
    for number, application in enumerate(series.applications):
        if progress is not None:
            progress(number / len(series.applications), str(application))
        parts.append(evaluate_application(series, settings.but(application=str(application)), methods, dtw=dtw))
    return together(parts, settings)


def evaluate_application(
    table: CounterSeries, params: MpxParams, methods: Sequence[Method] | None = None, *, dtw: bool = True
) -> Evaluation:
    """As `evaluate`, of params.application alone. Raises ParameterError where it has no truth or nothing hidden."""
    prepared = prepare(table, params)
    if prepared.truth is None or prepared.same_run is None:
        raise ParameterError(
            "series: it is multiplexed and its truth is not known, so nothing can be scored. Choose an OCOE series, or pair it with one."
        )
    chosen = list(ESTIMATORS) if methods is None else list(methods)
    estimates: dict[str, Floats] = {name_of(method): filled(prepared, table, method) for method in chosen}
    scores = scores_of(prepared, estimates, clamp=params.clamp)
    if dtw:
        scores["dtw"] = np.where(scores["ra"].notna(), dtw_of(prepared, estimates), np.nan)
    return Evaluation(
        scores=scores,
        ceiling=ceiling_of(prepared, clamp=params.clamp),
        removed=prepared.removed,
        slots_per_count={prepared.application: prepared.slots_per_count},
        same_run=prepared.same_run,
        params=params,
    )


def together(parts: Sequence[Evaluation], params: MpxParams) -> Evaluation:
    """The evaluations of several applications as one. Raises ParameterError for none."""
    if not parts:
        raise ParameterError("series: no application can be scored: none has a hidden slot with a truth.")
    ceilings = [each.ceiling for each in parts if len(each.ceiling)]
    return Evaluation(
        scores=pd.concat([each.scores for each in parts], ignore_index=True),
        ceiling=pd.concat(ceilings, ignore_index=True) if ceilings else parts[0].ceiling,
        removed=pd.concat([each.removed for each in parts], ignore_index=True),
        slots_per_count={name: k for each in parts for name, k in each.slots_per_count.items()},
        same_run=all(each.same_run for each in parts),
        params=params,
    )
