"""What can be asked of a multiplexed series, or of one that could be: estimates and their scores, side by side, and against k."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, ParameterError, UnknownNameError
from hemcore.mpx import headline
from hemcore.mpx.cleaning import outliers
from hemcore.mpx.dtw import dtw_path
from hemcore.mpx.estimators import ESTIMATORS, as_chosen, choice_by_event
from hemcore.mpx.evaluation import Evaluation, evaluate_application, together
from hemcore.mpx.hidden_slots import estimate
from hemcore.mpx.learned.kept_networks import ModelShelf
from hemcore.mpx.learned.prediction import not_corrected
from hemcore.mpx.learned.trained import predictors, trained_estimates
from hemcore.mpx.ocoe_pairs import Paired, pair
from hemcore.mpx.params import MpxParams, PairParams
from hemcore.mpx.prepared import USUAL_SLOTS_PER_COUNT, Prepared, first_run, named, prepare
from hemcore.mpx.results import Aligned, Multiplexed, RunCurves, WhatIf
from hemcore.mpx.rotation_scores import TRIED
from hemcore.mpx.sampled import Floats, matrix_of
from hemcore.mpx.scoring import ceiling_of, filled, means, scores_of
from hemcore.mpx.start_groups import jumping_totals


def estimates(table: CounterSeries, params: MpxParams, progress: Progress | None = None) -> Multiplexed:
    """The application's runs estimated by every untrained method and the model of `params`, and scored where a truth is known.

    Raises as `prepare` and ModelShelf.load.
    """
    asked = named(table, params)
    if progress is not None:
        progress(0.02, "estimates")
    prepared = prepare(table, asked)
    chosen = _chosen(prepared)
    scores = scores_of(prepared, _estimates(prepared, table, asked, chosen), clamp=asked.clamp)
    run = first_run(table, asked) if asked.run is None else asked.run
    return Multiplexed(
        by_method=means(scores, ["method"]),
        by_event=means(scores, ["event", "method"]),
        curves=_curves(prepare(table, asked, only=run), table, asked, run, chosen),
        scores=scores,
        ceiling=ceiling_of(prepared, clamp=asked.clamp),
        chosen=chosen,
        jumps=_jumps(prepared),
        not_corrected=_not_corrected(prepared, table, asked),
        removed=prepared.removed,
        application=prepared.application,
        runs=prepared.runs,
        all_runs=len(table.runs(prepared.application)),
        same_run=prepared.same_run,
        virtual=prepared.virtual,
        extrapolated=prepared.extrapolated,
        slots_per_count=prepared.slots_per_count,
        unit=table.interval_unit,
        params=asked,
    )


def multiplexed(table: CounterSeries, params: MpxParams, progress: Progress | None, found: Multiplexed) -> Multiplexed:
    """`found` as it is looked at: by which method, and which event first. Raises UnknownNameError for an event that is not there."""
    asked = named(table, params)
    if asked.event and asked.event not in table.events:
        raise UnknownNameError(f"event: {asked.event[:60]!r} is not in this series; it has {listed(table.events)}.")
    return replace(found, params=asked)


def aligned(table: CounterSeries, params: MpxParams, progress: Progress | None, found: Multiplexed) -> Aligned:
    """The curve of params.event by params.method along the true one. Raises ParameterError without a truth of every slot."""
    curves = found.curves
    if curves.truth is None:
        raise ParameterError("series: its truth is not known, so no curve can be aligned with it. Pair it with OCOE runs.")
    scored = [
        place for place, row in enumerate(curves.truth) if not np.isnan(row).any() and not np.isnan(curves.estimates["fixed"][place]).any()
    ]
    if not scored:
        raise ParameterError("series: no event has a truth in every slot of the run. Cut off what one side does not have.")
    named = [name for name in found.telling if curves.events.index(name) in scored]
    event = named[0]
    place = curves.events.index(event)
    estimate_, truth = curves.estimates[found.params.method][place], curves.truth[place]
    path = dtw_path(estimate_, truth)
    one, other = np.log10(1 + estimate_), np.log10(1 + truth)
    cost = float(np.abs(one[path[:, 0]] - other[path[:, 1]]).sum())
    return Aligned(
        event=event, run=curves.run, method=found.params.method, estimate=one, truth=other, path=path, cost=cost, params=found.params
    )


def _estimates(prepared: Prepared, table: CounterSeries, params: MpxParams, chosen: pd.DataFrame) -> dict[str, Floats]:
    """What every untrained estimator, and the model of `params`, says of every slot. Raises as ModelShelf.load and `predicted` do.

    chosen: which estimator fills which event by the per-event choice, as Multiplexed.chosen.
    """
    found: dict[str, Floats] = {}
    for name in ESTIMATORS:
        by_event = name == "by event"  # its candidates come before it
        found[name] = as_chosen(found, list(chosen["method"]), list(chosen["sure"])) if by_event else filled(prepared, table, name)
    if params.model:
        model = ModelShelf().load(params.model)
        series = prepared.series(table)
        for name, each in trained_estimates(model, series).items():
            found[name] = matrix_of(each.counts)
    return found


def _chosen(prepared: Prepared) -> pd.DataFrame:
    """Multiplexed.chosen."""
    (best, sure, ra, wa, _), names = choice_by_event(prepared.sampled)
    return pd.DataFrame({"event": prepared.events, "method": [names[at] for at in best], "sure": sure, "ra": ra, "wa": wa})


def _not_corrected(prepared: Prepared, table: CounterSeries, params: MpxParams) -> tuple[str, ...]:
    """Multiplexed.not_corrected."""
    model = ModelShelf().load(params.model) if params.model else None
    return not_corrected(model, prepared.series(table)) if model is not None and model.kind == "all events" else ()


def _jumps(prepared: Prepared) -> pd.DataFrame:
    """Multiplexed.jumps."""
    found = jumping_totals(prepared.sampled, prepared.truth if prepared.same_run else None)
    return found.assign(event=np.array(prepared.events, dtype=object)[found["event"].to_numpy(dtype=int)])


def _curves(prepared: Prepared, table: CounterSeries, params: MpxParams, run: int, chosen: pd.DataFrame) -> RunCurves:
    # Chosen as in all scored runs, not as one run would choose.
    seen, found = prepared.sampled.counts, _estimates(prepared, table, params, chosen)
    marked = np.stack([outliers(each) for each in seen])
    return RunCurves(
        run=run,
        events=prepared.events,
        positions=np.arange(seen.shape[1]),
        counted=~prepared.sampled.hidden,
        estimates=found,
        truth=prepared.truth,
        outliers=marked,
        n_slots=int(prepared.ends[0]),
    )


def paired(table: CounterSeries, params: PairParams, progress: Progress | None = None) -> Paired:
    """`pair` of the series with that of the id params.ocoe. Raises as `pair` and library.load, ParameterError for no series."""
    if not params.ocoe:
        raise ParameterError("ocoe: none is chosen. Choose a series of the same programs that was counted all the time.")
    other = library.load(params.ocoe)
    if not isinstance(other, CounterSeries):
        raise ParameterError(f"ocoe: {params.ocoe[:60]!r} is not a counter series. Choose readings over time.")
    return pair(table, other)


def evaluated(table: CounterSeries, params: MpxParams, progress: Progress | None = None) -> Evaluation | None:
    """One application's scores, DTW-cost included; None where nothing of it can be scored."""
    try:
        more = predictors(ModelShelf().load(params.model)) if params.model else []
        return evaluate_application(table, named(table, params), [*ESTIMATORS, *more])
    except HemError:
        return None


def applications(table: CounterSeries, params: MpxParams) -> list[MpxParams]:
    """What is asked of each application."""
    return [params.but(application=str(name)) for name in table.applications]


def side_by_side(table: CounterSeries, params: MpxParams, found: Sequence[Evaluation | None]) -> Evaluation:
    """Every application's scores together. Raises ParameterError where none has any, with the reason of the first."""
    scored = [each for each in found if each is not None]
    if not scored:
        evaluate_application(table, named(table, params), dtw=False)
    return together(scored, params)


def what_if(table: CounterSeries, params: MpxParams, progress: Progress | None = None) -> WhatIf:
    """Scores at several k, of slots hidden here; of each of params.models that has seen the application, at its own k.

    Raises ParameterError for a series whose hidden counts nobody knows, and as `prepare` and ModelShelf.load.
    """
    asked = named(table, params)
    if table.mode == "MPX" and table.truth is None:
        raise ParameterError(
            "series: it is multiplexed and its truth is not known, so other k cannot be tried. Choose an OCOE series, or pair it with one."
        )
    most = min(len(table.events), TRIED[-1])
    models = _of_k(asked)
    ks = sorted(k for k in {*TRIED, *models} if k <= most) or [2]
    rows, runs = [], 0
    for number, k in enumerate(ks):
        if progress is not None:
            progress(number / len(ks), f"1 slot in {k}")
        at = asked.but(slots_per_count=k, model=models.get(k, ""))
        prepared = prepare(table, at)
        scores = scores_of(prepared, _estimates(prepared, table, at, _chosen(prepared)), clamp=asked.clamp)
        rows.append(means(scores, ["method"]).assign(slots_per_count=k))
        runs = len(prepared.runs)
    return WhatIf(rows=pd.concat(rows, ignore_index=True), application=asked.application, runs=runs, params=asked)


def _of_k(params: MpxParams) -> dict[int, str]:
    """The first of params.models of each k, among those that have learned from the application."""
    found: dict[int, str] = {}
    for id in params.models:
        model = ModelShelf().load(id)
        if params.application in model.programs:
            found.setdefault(model.slots_per_count or USUAL_SLOTS_PER_COUNT, id)
    return found


def estimated_series(found: Multiplexed, table: CounterSeries) -> CounterSeries:
    """Every run of the application that is not discarded, its hidden slots filled by params.method, without the tails that are cut off."""
    prepared = prepare(table, found.params.but(most_runs=0))
    method = found.params.method
    if not found.params.model or method in ESTIMATORS:
        return estimate(prepared.series(table), method)
    model = ModelShelf().load(found.params.model)
    return trained_estimates(model, prepared.series(table))[method]


_SCORES = ("tail", "tail_share", "tail_steps", "min_share", "most_runs", "clamp", "start")
_SCHEDULE = ("application", "slots_per_count", "model", *_SCORES)

ESTIMATES: Analysis[CounterSeries, MpxParams, Multiplexed] = Analysis(
    name="mpx.estimates",
    title="estimates by every method",
    params=MpxParams,
    reads=(*_SCHEDULE, "run"),
    compute=estimates,
)
ESTIMATE: Analysis[CounterSeries, MpxParams, Multiplexed] = Analysis(
    name="mpx.estimate",
    title="estimates of hidden counts",
    params=MpxParams,
    reads=(*_SCHEDULE, "run", "event", "method", "totals"),
    inputs=(ESTIMATES,),
    compute=multiplexed,
    gives="estimated",
    named_by=("application", "run", "slots_per_count", "method"),
    keeps=(
        Kept(
            name="estimated series",
            description="every run of the application with its hidden slots estimated, which Segmentation opens",
            kind="CounterSeries",
            make=estimated_series,
        ),
    ),
    cards=headline.cards,
    verdict=headline.verdict,
)
ALIGN: Analysis[CounterSeries, MpxParams, Aligned] = Analysis(
    name="mpx.align",
    title="a curve along the true one",
    params=MpxParams,
    reads=(*_SCHEDULE, "run", "event", "method", "totals"),
    inputs=(ESTIMATE,),
    compute=aligned,
)
APPLICATION_SCORES: Analysis[CounterSeries, MpxParams, Evaluation | None] = Analysis(
    name="mpx.application_scores",
    title="scores of one application",
    params=MpxParams,
    reads=_SCHEDULE,
    compute=evaluated,
)
SIDE_BY_SIDE: Analysis[CounterSeries, MpxParams, Evaluation] = Analysis(
    name="mpx.side_by_side",
    title="estimators side by side",
    params=MpxParams,
    reads=("slots_per_count", "model", *_SCORES),
    part=APPLICATION_SCORES,
    parts=applications,
    gather=side_by_side,
)
WHAT_IF: Analysis[CounterSeries, MpxParams, WhatIf] = Analysis(
    name="mpx.what_if",
    title="accuracy against slots per count",
    params=MpxParams,
    reads=("application", "models", *_SCORES),
    compute=what_if,
)
PAIR: Analysis[CounterSeries, PairParams, Paired] = Analysis(
    name="mpx.pair",
    title="pairing with OCOE runs",
    params=PairParams,
    reads=("ocoe",),
    compute=paired,
    keeps=(
        Kept(
            name="pair",
            description="the series with the OCOE runs as its truth",
            kind="CounterSeries",
            make=lambda found, table: found.series,
        ),
    ),
)
