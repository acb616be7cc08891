"""Training as an analysis of a series: a model and its accuracy on held-out runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd

from hemcore.analysis import Analysis, Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, Remedy
from hemcore.headline import ADD_RUNS, Card, Trust, Verdict, counted_noun, percent
from hemcore.mpx.cleaning import discard_incomplete_runs, truncate_tail
from hemcore.mpx.evaluation import evaluate
from hemcore.mpx.hidden_slots import Method
from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.params import TrainParams
from hemcore.mpx.learned.split import split_runs, without_programs
from hemcore.mpx.learned.trained import everywhere, predictors
from hemcore.mpx.params import MpxParams

if TYPE_CHECKING:
    from hemcore.mpx.learned.paper import Protocol

# Untrained estimators that a model is compared with: the paper's baseline, the bases of both readouts, the one for totals.
BESIDE = ("fixed", "linear", "log1p", "harmonic")
BY_PROGRAM = "by program:"
"""What begins the names of TrainedModel.scores that are of programs left out."""
_FIFTH = 0.2
_HOLD_OUT = Remedy(label="Hold out a fifth", choose={"held_out": _FIFTH})
_LONGER = Remedy(label="Add longer runs", page="data")
_UNTRAINED = Remedy(label="Estimate by harmonic", choose={"method": "harmonic"})
_SCORED = ("method", "ra", "wa", "total", "off", "series", "left_out")


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """A trained model and its scores.

    scores: one row per method: ra, wa, total (signed), off, series, left_out, of the runs held out; empty where none was. by_program: the
    same of all runs of the programs left out, where "trained curve, everywhere" corrects them although it has not seen them; empty where
    no program was left out.
    learned, held_out: how many runs.
    """

    model: TrainedModel
    scores: pd.DataFrame
    by_program: pd.DataFrame
    learned: int
    held_out: int
    params: TrainParams

    def of(self, method: str, *, by_program: bool = False) -> dict[str, float]:
        """The scores of one method, of runs held out or of programs left out; empty where there are none."""
        scores = self.by_program if by_program else self.scores
        rows = scores[scores["method"] == method]
        return {} if not len(rows) else {name: float(rows[name].iloc[0]) for name in ("ra", "wa", "total", "off")}


def trained(table: CounterSeries, params: TrainParams, progress: Progress | None = None) -> Training:
    """A model trained on the runs of `table` except the held-out ones and the programs left out, which score it.

    Raises ParameterError if the truth is not known, nothing is hidden, k does not fit, there are too few runs for early stopping, every
    program is left out, or jax or optax is not installed; UnknownNameError for an unknown program among those left out.
    """
    runs = _split(table, params)
    model = _fitted(runs, params, None if progress is None else lambda share, note: progress(0.97 * share, note))
    if progress is not None:
        progress(0.98, "scores of what was held out")
    return _scored(runs, params, model)


def events_of(table: CounterSeries, params: TrainParams) -> list[TrainParams]:
    """One per event where each has a network of its own; empty for one network for all. Raises UnknownNameError as `trained` does."""
    without_programs(table, params.left_out)
    return [] if params.estimator == "all events" else [params.but(event=event) for event in table.events]


def gathered(table: CounterSeries, params: TrainParams, networks: Sequence[TrainedModel]) -> Training:
    """The networks of all events as one model, and its scores."""
    from hemcore.mpx.learned.paper import joined

    return _scored(_split(table, params), params, joined(networks))


def fitted(table: CounterSeries, params: TrainParams, progress: Progress | None = None) -> TrainedModel:
    """The model without scores: of params.event, where that is named. Raises as `trained` does."""
    return _fitted(_split(table, params), params, progress)


@dataclass(frozen=True, kw_only=True)
class _Runs:
    """Whole runs of a series: all, those to learn from, and those held out, if any are."""

    series: CounterSeries
    learned: CounterSeries
    held: CounterSeries | None


def _split(table: CounterSeries, params: TrainParams) -> _Runs:
    series = discard_incomplete_runs(truncate_tail(table, 0.0, 1).series).series
    learned, held = split_runs(without_programs(series, params.left_out), (1 - params.held_out, params.held_out), params.seed)
    assert learned is not None
    return _Runs(series=series, learned=learned, held=held)


def _fitted(runs: _Runs, params: TrainParams, progress: Progress | None) -> TrainedModel:
    # Imported here: other analyses do not wait for the packages of training.
    from hemcore.mpx.learned.all_events import AllEventsEstimator
    from hemcore.mpx.learned.paper import BiGruEstimator, MlpEstimator

    k, seed = params.slots_per_count, params.seed
    if params.estimator == "all events":
        found = AllEventsEstimator(slots_per_count=k, seed=seed, steps=params.steps).fit(runs.learned, progress=progress).model
    else:
        kind = MlpEstimator if params.estimator == "mlp" else BiGruEstimator
        protocol: Protocol = "early stopping" if params.early_stopping else "paper"
        events = (params.event,) if params.event else ()
        found = kind(slots_per_count=k, events=events, seed=seed, protocol=protocol).fit(runs.learned, progress=progress).model
    assert found is not None
    return found


def _scored(runs: _Runs, params: TrainParams, model: TrainedModel) -> Training:
    scores = by_program = pd.DataFrame({name: [] for name in _SCORED})
    methods: list[Method] = [*BESIDE, *predictors(model)]
    if runs.held is not None:
        scores = _scores(runs.held, methods, params)
    if params.left_out:
        unseen = runs.series.where(runs.series.intervals["application"].isin(list(params.left_out)).to_numpy())
        by_program = _scores(unseen, [*methods, *everywhere(model)], params)
    by_name = _by_name(scores) | {f"{BY_PROGRAM}{name}": value for name, value in _by_name(by_program).items()}
    model = replace(model, scores=by_name, settings={**model.settings, "left_out": list(params.left_out)})
    held_out = 0 if runs.held is None else runs.held.n_runs
    return Training(model=model, scores=scores, by_program=by_program, learned=runs.learned.n_runs, held_out=held_out, params=params)


def _by_name(scores: pd.DataFrame) -> dict[str, float]:
    return {f"{row.method}:{name}": float(getattr(row, name)) for row in scores.itertuples() for name in ("ra", "wa", "total")}


def _scores(series: CounterSeries, methods: Sequence[Method], params: TrainParams) -> pd.DataFrame:
    settings = MpxParams(slots_per_count=params.slots_per_count, tail="nothing", min_share=0, most_runs=0)
    try:
        return evaluate(series, methods, settings, dtw=False).by_method
    except HemError:  # too short to be scored; the model is still the result
        return pd.DataFrame({name: [] for name in _SCORED})


def cards(found: Training) -> list[Card]:
    """RA and WA of the model on held-out runs, next to those of its untrained base."""
    drawn = []
    for method, base in (("trained curve", "harmonic"), ("trained counts", "log1p"), ("trained bi-gru", "fixed"), ("trained mlp", "fixed")):
        for score, name in (("ra", "RA"), ("wa", "WA")):
            own, other = found.of(method), found.of(base)
            if own and own[score] == own[score]:
                drawn.append(
                    Card(
                        label=f"{name}, {method.removeprefix('trained ')}",
                        value=own[score],
                        form=".1%",
                        note=f"{base} {percent(other[score], 1)}",
                        help="On hidden slots of held-out runs, which training did not use.",
                        better="higher",
                    )
                )
    return drawn


def verdict(found: Training) -> Verdict:
    """Whether training was worth it, judged on held-out runs of the programs in training."""
    trained_on = f"{counted_noun(found.learned, 'run')} of {counted_noun(len(found.model.programs), 'program')}"
    own = found.of(next((name for name in ("trained curve", "trained bi-gru", "trained mlp") if found.of(name)), ""))
    base = found.of("harmonic")
    if not own or not base or own["ra"] != own["ra"]:
        trust = "The held-out runs are too short to score it." if found.held_out else "No run was held out to score it."
        # Of one or two runs of a program a fifth is none.
        step = _LONGER if found.held_out else _HOLD_OUT if found.params.held_out < _FIFTH else ADD_RUNS
        return Verdict(answer=f"The model was trained on {trained_on}.", trust=trust, level="limited", remedies=(step,))
    gain = own["ra"] - base["ra"]
    level: Trust = "good" if gain > 0.01 else "poor"
    use = "Use it for the programs it was trained on." if gain > 0.01 else "The gain is too small: use harmonic."
    return Verdict(
        answer=f"Trained curves have a relative accuracy of {percent(own['ra'], 1)}; harmonic has {percent(base['ra'], 1)}.",
        trust=f"{use} Other programs get the untrained estimate.",
        why=(f"It was trained on {trained_on} and scored on {found.held_out:,} held-out runs.", *_unseen_summary(found)),
        level=level,
        remedies=() if level == "good" else (_UNTRAINED,),
    )


def _unseen_summary(found: Training) -> tuple[str, ...]:
    """The scores on programs left out of training; empty if no program was left out."""
    base, used = found.of("harmonic", by_program=True), found.of("trained curve", by_program=True)
    corrected = found.of("trained curve, everywhere", by_program=True)
    if not base or not used or not corrected or base["ra"] != base["ra"]:
        return ()
    names = ", ".join(found.params.left_out)
    return (
        f"On unseen programs ({names}), which get harmonic, the relative accuracy is {percent(used['ra'], 1)}; "
        f"corrected nevertheless, {percent(corrected['ra'], 1)}; harmonic alone, {percent(base['ra'], 1)}.",
    )


NETWORK: Analysis[CounterSeries, TrainParams, TrainedModel] = Analysis(
    name="mpx.network",
    title="training of one event's network",
    params=TrainParams,
    reads=("estimator", "slots_per_count", "early_stopping", "left_out", "held_out", "event", "seed"),
    compute=fitted,
)
TRAIN: Analysis[CounterSeries, TrainParams, Training] = Analysis(
    name="mpx.train",
    title="training of an estimator",
    params=TrainParams,
    reads=("estimator", "slots_per_count", "steps", "early_stopping", "left_out", "held_out", "seed"),
    compute=trained,
    part=NETWORK,
    parts=events_of,
    gather=gathered,
    repeats=("steps",),
    gives="scores",
    named_by=("estimator", "slots_per_count", "seed"),
    cards=cards,
    verdict=verdict,
)
