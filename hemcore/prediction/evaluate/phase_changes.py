"""The answer to a what-if as a change: each model's, the one that answers with its interval, what goes along, and how far it is from home.

A model's change is that of the measured target: each phase's measured value times the ratio of the model's predictions after and before,
summed, so that a model that is off by a factor still answers. The model that answers is the one with the smallest error on programs left
out, among those that never predict less time with more of an event that costs time, and that move with a counter that was asked for.

The interval adds three errors in logs, in squares: that of the costs (the jackknife over eighths of the programs: Efron and Stein 1981,
DOI 10.1214/aos/1176345462), that of the response (change_errors: how wrong the model is about changes in programs left out), and that of
the model's form: how far apart the models are that are about as accurate.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats
from hemcore.prediction.evaluate.change_errors import size_of, steps_alone
from hemcore.prediction.evaluate.counter_cloud import Cloud
from hemcore.prediction.evaluate.model_response import is_slow, sound_models
from hemcore.prediction.evaluate.prediction_scores import total_of
from hemcore.prediction.explore.event_groups import costs_time, is_time
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted
from hemcore.prediction.models.trained_models import FittedModels

_Asked = Mapping[str, float]
# A change is far if more than this share of what is changed is.
FAR_PART = 0.25
_SURE = 0.8416 / 1.2816  # of the half-width that 10% pass, what 20% pass
# A phase that was far as measured has been seen: it is far once it is this many times as far.
_FARTHER = 1.1
# Phases that distances are computed for, that refitted models predict, and that slow ones do.
_MOST_FAR, _MOST_AGAIN, _MOST_SLOW = 200, 60, 8
_STILL = 1e-9
PROMISED = 0.8
# Models whose error on programs left out is at most this many times that of the model that answers are as good a guess.
_RIVAL = 1.25
# No response is known better than this share of it, however well programs are predicted (benchmarks/bench_what_if.py).
_LEAST_ERROR = 0.1
# Standard deviations from what the others let expect, from which a counter has left the cloud.
_LEFT = 2.5


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangeAnswer:
    """What a change of counts would do to phases.

    asked: each changed counter with its change as a fraction. counters: one row per counter: counter, now, then (total_of the phases),
    share (then / now - 1), low, high (of share, one standard deviation; those of what goes along), asked, goes_along, ignored_by (models
    whose answer does not depend on it, separated by semicolons), apart (standard deviations from what the others let expect), leaves.
    models: one row per model, the best first: model, mape, change, moves, contrary, sound, right (it moves, in a direction that is not
    known to be wrong), answers, why (it does not answer; as text). model: the one that answers, "" if none does; change, low, high: its
    answer with an 80% interval; least, most: of the models that are right. distance: median over the phases, far_from: from which a phase
    is far; far_part: the share that is far; far: whether the change is; leaves: the counters that leave the cloud. measured: the target's.
    """

    asked: dict[str, float]
    counters: pd.DataFrame
    models: pd.DataFrame
    model: str
    change: float
    low: float
    high: float
    least: float
    most: float
    distance: float
    far_from: float
    far_part: float
    far: bool
    leaves: tuple[str, ...]
    measured: float
    phases: int

    @property
    def fades(self) -> bool:
        """Whether the answer is no prediction: far from all phases measured, by no model, or in no known direction."""
        return self.far or not self.model or self.unsure

    @property
    def unsure(self) -> bool:
        """Whether one answer in five like this may have the wrong sign: 0 is in its interval, and not only just (as of a normal error)."""
        side = self.high - self.change if self.change < 0 else self.change - self.low
        return bool(self.asked) and self.low < 0 < self.high and abs(self.change) < _SURE * side


def changed_phases(ready: FittedModels, rows: Rows, asked: _Asked, *, together: bool, even: bool = False) -> ChangeAnswer:
    """The answer for `rows`, phases whose counts all change by the fractions `asked`.

    even: each program counts the same, however long it is. Raises ParameterError if the models were trained by an older version.
    """
    if ready.cloud is None or ready.response is None:
        raise ParameterError("What if: these models were trained by an older version. Train them again.")
    weights = phase_weights(rows, even=even)
    after = ready.cloud.moved(rows, {name: 1 + share for name, share in asked.items()}, together=together)
    models = _models(ready, rows, after, asked, weights, together)
    answering = models[models["answers"]]
    name = str(answering["model"].iloc[0]) if len(answering) else ""
    change = float(answering["change"].iloc[0]) if name else float("nan")
    low, high = float("nan"), float("nan")
    if name:
        low, high = interval(ready, name, rows, asked, change, model_spread(models, name), together=together, even=even)
        # What can only take longer does not take less time, however wrong a model is.
        expected = _expected(ready, rows, after)
        low, high = (max(low, 0.0) if expected > 0 else low), (min(high, 0.0) if expected < 0 else high)
    right = models.loc[models["right"], "change"]
    distance, part = far_part(ready.cloud, rows, after, weights)
    far = bool(asked) and part > FAR_PART
    counters = _counters(ready, rows, after, asked, weights, far)
    return ChangeAnswer(
        asked=dict(asked),
        counters=counters,
        models=models,
        model=name,
        change=change,
        low=low,
        high=high,
        least=float(right.min()) if len(right) else float("nan"),
        most=float(right.max()) if len(right) else float("nan"),
        distance=distance,
        far_from=ready.cloud.far,
        far_part=part,
        far=far,
        leaves=tuple(counters.loc[counters["leaves"], "counter"]),
        measured=total_of(rows.y, ready.target),
        phases=len(rows),
    )


def model_spread(models: pd.DataFrame, model: str) -> float:
    """The root mean square difference, in logs, of the changes by the models that are right and about as accurate from that by `model`.

    models: as ChangeAnswer.models. 0 if it is the only one, or by none.
    """
    own = models[models["model"] == model].iloc[0]
    rivals = models[models["right"] & (models["mape"] <= _RIVAL * own["mape"]) & (models["change"] > -1)]
    if not own["change"] > -1 or rivals.empty:
        return 0.0
    return float(np.sqrt(((np.log1p(rivals["change"]) - np.log1p(own["change"])) ** 2).mean()))


def interval(
    ready: FittedModels, model: str, rows: Rows, asked: _Asked, change: float, apart: float = 0.0, *, together: bool, even: bool = False
) -> tuple[float, float]:
    """The 80% interval (low, high) of a model's change; (nan, nan) if the change is -100% or not known.

    What goes along, and the costs, are estimated anew without each part of the programs. apart: as `model_spread` gives it.
    """
    assert ready.cloud is not None
    if not change > -1:
        return float("nan"), float("nan")
    places, weights = _evenly(phase_weights(rows, even=even), _MOST_AGAIN)
    few, step = rows.take(places), np.log1p(change)
    refits, n_parts = ready.refits.get(model, ()), len(ready.cloud.again)
    steps = []
    for part in range(n_parts):
        fitted = refits[part] if refits else ready.models[model].fitted
        after = ready.cloud.without(part).moved(few, {name: 1 + share for name, share in asked.items()}, together=together)
        steps.append(change_by(fitted, few, after, weights))
    logs = np.log1p(np.array([each for each in steps if each > -1]))
    half_of_costs = float(stdtrit(len(logs) - 1, (1 + PROMISED) / 2) * np.sqrt((len(logs) - 1) * logs.var())) if len(logs) > 1 else 0.0
    after = ready.cloud.moved(few, {name: 1 + share for name, share in asked.items()}, together=together)
    half_of_response = 0.0
    if model in ready.change_errors:
        moved = weights @ (ready.cloud.logs(after) - ready.cloud.logs(few))
        fitted = ready.models[model].fitted
        some, some_weights = _evenly(weights, _MOST_SLOW if is_slow(fitted) else _MOST_AGAIN)
        size = float(size_of(some_weights @ steps_alone(fitted, ready.cloud, few.take(some), after.take(some))))
        half_of_response = ready.change_errors[model].half_width(moved, size, PROMISED)
    # A phase that only becomes longer responds in proportion.
    length = np.log1p(asked.get(ready.cloud.work, 0.0)) if together else 0.0
    least = _LEAST_ERROR * abs(step - length) if step != length else 0.0
    half = float(np.linalg.norm([half_of_costs, max(half_of_response, least), apart]))
    return float(np.expm1(step - half)), float(np.expm1(step + half))


def phase_weights(rows: Rows, *, even: bool) -> Floats:
    """The share of each phase in the total target; shape (n,)."""
    if not even:
        return rows.y / rows.y.sum()
    codes = np.unique(rows.group, return_inverse=True)[1]
    totals = np.bincount(codes, rows.y)
    found: Floats = rows.y / totals[codes] / len(totals)
    return found


def change_by(model: AnyFitted, rows: Rows, after: Rows, weights: Floats) -> float:
    """The change of the target by a model, 0 if it does not move; nan if it cannot predict every phase."""
    try:
        before, then = model.predict(rows), model.predict(after)
    except ParameterError:  # counts per instruction, without instructions
        return float("nan")
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where((before > 0) & (then >= 0), then / before, np.nan)
    change = float(weights @ ratio) - 1
    return 0.0 if abs(change) <= _STILL else change


def change_of(model: AnyFitted, rows: Rows, after: Rows, weights: Floats) -> float:
    """`change_by`, of a few evenly spaced phases where the model is slow."""
    few, few_weights = _evenly(weights, _MOST_SLOW if is_slow(model) else len(weights))
    return change_by(model, rows.take(few), after.take(few), few_weights)


def _evenly(weights: Floats, most: int) -> tuple[np.ndarray, Floats]:
    """(places of at most `most` evenly spaced phases, their weights)."""
    places = np.unique(np.linspace(0, len(weights) - 1, min(len(weights), most)).astype(np.int64))
    return places, weights[places] / weights[places].sum()


def _models(ready: FittedModels, rows: Rows, after: Rows, asked: _Asked, weights: Floats, together: bool) -> pd.DataFrame:
    assert ready.response is not None
    sound = sound_models(ready.response)
    moving = ready.response[ready.response["moves"]].groupby("model")["counter"].agg(set).to_dict()
    expected = _expected(ready, rows, after)
    found = []
    for name, each in ready.models.items():
        change = change_of(each.fitted, rows, after, weights)
        still = [counter for counter in asked if counter not in moving.get(name, ())]
        # Alone, a counter that a model ignores has no answer in it; together, what goes along may have.
        moves = bool(np.isfinite(change) and abs(change) > _STILL and (together or len(still) < len(asked)))
        contrary = bool(expected * change < -_STILL)
        right = moves and not contrary and (name in sound or expected != 0)
        found.append((name, ready.scores[name], change, moves, contrary, name in sound, right, still))
    columns = ["model", "mape", "change", "moves", "contrary", "sound", "right", "still"]
    rows_of = pd.DataFrame(found, columns=columns).sort_values("mape", kind="stable", ignore_index=True)
    rows_of["why"] = [_why(each, bool(asked)) for each in rows_of.to_dict("records")]
    # A model that moves with everything that was asked for comes before one that ignores a part.
    able = rows_of[rows_of["why"] == ""]
    best = able.assign(lacking=able["still"].map(len)).sort_values("lacking", kind="stable").head(1).index
    return rows_of.assign(answers=rows_of.index.isin(best)).drop(columns="still")


def _expected(ready: FittedModels, rows: Rows, after: Rows) -> int:
    """1 or -1 if time can only become longer or shorter, because all counts that change do so in one direction; else 0."""
    if not is_time(ready.target):
        return 0
    signs = set()
    for place, name in enumerate(rows.counters):
        step = float(after.X[:, place].sum() - rows.X[:, place].sum())
        if abs(step) > 1e-9 * float(rows.X[:, place].sum()):
            signs.add(int(np.sign(step)) if costs_time(name) else 0)
    return signs.pop() if len(signs) == 1 else 0


def _why(row: Mapping[Hashable, object], changed: bool) -> str:
    """Why a model does not answer; "" if it may."""
    if row["change"] != row["change"]:
        return "no prediction"
    if not row["sound"] or row["contrary"]:
        return "less time with more of an event"
    return "does not move" if changed and not row["moves"] else ""


def far_part(cloud: Cloud, rows: Rows, after: Rows, weights: Floats) -> tuple[float, float]:
    """(median distance, share of the weights that is far, and farther than it was measured)."""
    places, own = _evenly(weights, _MOST_FAR)
    before, then = cloud.distances(rows.take(places)), cloud.distances(after.take(places))
    return float(np.median(then)), float(own[then > np.maximum(cloud.far, _FARTHER * before)].sum())


def _counters(ready: FittedModels, rows: Rows, after: Rows, asked: _Asked, weights: Floats, far: bool) -> pd.DataFrame:
    assert ready.cloud is not None
    assert ready.response is not None
    cloud = ready.cloud
    own = [cloud.counters.index(name) for name in asked if name in cloud.counters]
    others = [place for place in range(len(cloud.counters)) if place not in own]
    spread = dict(zip([cloud.counters[place] for place in others], cloud.spread(own, others) if others else [], strict=True))
    places, few = _evenly(weights, _MOST_FAR)
    before_apart, then_apart = ((few @ np.abs(cloud.apart(each.take(places)))) for each in (rows, after))
    still = ready.response[~ready.response["moves"]].groupby("counter")["model"].agg("; ".join).to_dict()
    found = []
    for place, name in enumerate(rows.counters):
        now, then = total_of(rows.X[:, place], name), total_of(after.X[:, place], name)
        share = then / now - 1 if now > 0 else 0.0
        along = name not in asked and abs(share) > _STILL
        sd = float(spread.get(name, 0.0)) if along else 0.0
        low, high = (float((1 + share) * np.exp(sign * sd) - 1) for sign in (-1, 1))
        at = cloud.counters.index(name) if name in cloud.counters else None
        apart = float(then_apart[at]) if at is not None else float("nan")
        step = apart - float(before_apart[at]) if at is not None else 0.0
        found.append((name, now, then, share, low, high, name in asked, along, still.get(name, ""), apart, step))
    columns = ["counter", "now", "then", "share", "low", "high", "asked", "goes_along", "ignored_by", "apart", "step"]
    table = pd.DataFrame(found, columns=columns)
    return table.assign(leaves=_leaving(table, far)).drop(columns="step")


def _leaving(table: pd.DataFrame, far: bool) -> Sequence[bool]:
    """The asked counters that are apart from what the others let expect; of a far change at least the one that went farthest."""
    if not far:
        return [False] * len(table)
    asked = table["asked"].to_numpy(dtype=bool)
    left = asked & (table["apart"].to_numpy() > _LEFT) & (table["step"].to_numpy() > 0)
    if not left.any():
        step = np.where(asked, np.nan_to_num(table["step"].to_numpy()), -np.inf)
        left = np.arange(len(table)) == int(step.argmax())
    return [bool(each) for each in left]
