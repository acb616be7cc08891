"""How wrong a model is about changes, from programs left out of training: the spread of its log error along and between counts.

Within a program: the log error (measured over predicted) is regressed on the logs of the counts per instruction, with slopes that differ
from program to program around 0 (random coefficients: Swamy 1970, DOI 10.2307/1913012; by expectation and maximization: Laird and Ware
1982, DOI 10.2307/2529876). Their covariance tells how wrong the answer to a change of any of the counters is in an unseen program.

Between programs: two programs differ by more than their counts show. A change as large as the steps from one program to another is as
wrong as the model is about those; a smaller one, but larger than what a program does by itself, is between the two.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.special import stdtrit

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.evaluate.counter_cloud import Cloud, Counters
from hemcore.prediction.evaluate.model_response import is_slow
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted

_ROUNDS = 30
# Steps whose sizes are looked at; fewer of a model that is fitted anew for every phase.
_PAIRS, _SLOW_PAIRS = 200, 12
_TINY = 1e-12
Sizes: TypeAlias = tuple[Floats, Floats]


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangeErrors:
    """slopes (d, d): the covariance over programs of the slopes of the log error on Cloud.logs. programs: how many were left out.

    offsets (k,): the mean log error of each program. within, between: sizes (as `size_of`) of steps from one phase of a program to
    another, and from one program to another.
    """

    slopes: Floats
    programs: int
    offsets: Floats
    within: Floats
    between: Floats

    def half_width(self, steps: Floats, size: float, promised: float) -> float:
        """What the log error of a change stays below in a share `promised` of unseen programs.

        steps (d,): the mean change of the logs; size: its size, as `size_of`.
        """
        if self.programs < 2:
            return 0.0
        inside = float(stdtrit(self.programs - 1, (1 + promised) / 2) * np.sqrt(max(float(steps @ self.slopes @ steps), 0.0)))
        # No slope holds beyond what the phases of a program span.
        usual = float(np.median(self.within)) if len(self.within) else 0.0
        part = self.between_programs(size)
        return (1 - part) * inside * (min(1.0, usual / size) if size > 0 else 1.0) + part * self.apart(promised)

    def between_programs(self, size: float) -> float:
        """How much a change of this size is one between programs rather than between phases of one.

        The share of the steps between programs that are at most as large, over it and the share within programs that are larger.
        """
        smaller = float((self.between <= size).mean()) if len(self.between) else 0.0
        larger = float((self.within > size).mean()) if len(self.within) else 0.0
        return smaller / (smaller + larger) if smaller > 0 else 0.0

    def apart(self, promised: float) -> float:
        """What the difference of the mean log errors of two programs stays below in a share `promised` of pairs."""
        k = len(self.offsets)
        pairs = np.sort(np.abs(self.offsets[:, None] - self.offsets)[np.triu_indices(k, 1)])
        return float(pairs[min(len(pairs) - 1, int(np.ceil(promised * (k + 1) / k * len(pairs) - 1e-9)) - 1)]) if len(pairs) else 0.0


def errors_of_changes(cloud: Cloud, rows: Rows, log_errors: Floats, sizes: Callable[[Rows], Sizes]) -> ChangeErrors:
    """log_errors (n,): log of measured over predicted of each row, by a model without its program; rows without one are left out.

    sizes: `step_sizes` of rows of two programs or more, by the model of all programs.
    """
    known = np.isfinite(log_errors)
    rows, log_errors = rows.take(known), log_errors[known]
    programs, codes = np.unique(rows.group, return_inverse=True)
    if len(programs) < 2:
        d = len(cloud.counters)
        return ChangeErrors(
            slopes=np.zeros((d, d)), programs=len(programs), offsets=np.zeros(len(programs)), within=np.zeros(0), between=np.zeros(0)
        )
    counts = np.bincount(codes)
    within, between = sizes(rows)
    return ChangeErrors(
        slopes=slope_covariance(cloud.logs(rows), log_errors, codes),
        programs=len(programs),
        offsets=np.bincount(codes, log_errors) / counts,
        within=within,
        between=between,
    )


def slope_covariance(logs: Floats, errors: Floats, codes: Whole) -> Floats:
    """The covariance over programs of the slopes of `errors` (n,) on `logs` (n, d), each around its program's mean; (d, d).

    Zeros where no program has two rows that differ.
    """
    n, d = logs.shape
    if not d:
        return np.zeros((0, 0))
    counts = np.bincount(codes)
    means = np.stack([np.bincount(codes, column) for column in logs.T], axis=1) / counts[:, None]
    off, left = logs - means[codes], errors - (np.bincount(codes, errors) / counts)[codes]
    units = np.sqrt((off**2).mean(axis=0))
    varied = units > 1e-9
    found = np.zeros((d, d))
    variance = float((left**2).mean())
    if not varied.any() or not variance > _TINY:
        return found
    z = off[:, varied] / units[varied]
    parts = [(z[own].T @ z[own], z[own].T @ left[own], left[own] @ left[own]) for own in (codes == code for code in np.unique(codes))]
    gram, against, square = (np.array(each) for each in zip(*parts, strict=True))
    spread, noise = np.eye(z.shape[1]) * variance / z.shape[1], variance
    for _ in range(_ROUNDS):
        spread, noise = _next(gram, against, square.sum(), spread, noise, n)
    found[np.ix_(varied, varied)] = spread / np.outer(units[varied], units[varied])
    return found


def _next(gram: Floats, against: Floats, square: float, spread: Floats, noise: float, n: int) -> tuple[Floats, float]:
    """(covariance of the slopes, variance of what they leave) after one more round. gram (k, d, d), against (k, d): of each program."""
    d = len(spread)
    inverse = np.linalg.inv(spread + 1e-9 * np.trace(spread) / d * np.eye(d) + _TINY * np.eye(d))
    unsure = np.linalg.inv(gram / noise + inverse)
    slopes = (unsure @ against[..., None])[..., 0] / noise
    rest = square + np.einsum("ki,kij,kj->", slopes, gram, slopes) - 2 * (slopes * against).sum() + (unsure * gram).sum()
    found: Floats = (slopes.T @ slopes + unsure.sum(axis=0)) / len(gram)
    return found, max(float(rest) / n, _TINY)


def steps_alone(model: AnyFitted, cloud: Cloud | Counters, rows: Rows, after: Rows) -> Floats:
    """What each counter's change would do alone, per instruction, in logs, by a model; shape (n, d), 0 for a counter that stays."""
    found, scale = np.zeros((len(rows), len(cloud.counters))), np.ones(len(rows))
    if cloud.work:
        work = rows.counters.index(cloud.work)
        scale = after.X[:, work] / np.maximum(rows.X[:, work], 1e-300)
    before = np.maximum(model.predict(rows), 1e-300)
    for place, name in enumerate(cloud.counters):
        X, at = rows.X.copy(), rows.counters.index(name)
        X[:, at] = after.X[:, at] / np.maximum(scale, 1e-300)
        if not np.allclose(X[:, at], rows.X[:, at], rtol=1e-12, atol=0):
            found[:, place] = np.log(np.maximum(model.predict(rows.with_counts(X)), 1e-300) / before)
    return found


def size_of(steps: Floats) -> Floats:
    """The size of a change from its `steps_alone`, (..., d): the root of their summed squares, so that none cancels another."""
    found: Floats = np.sqrt((steps**2).sum(axis=-1))
    return found


def step_sizes(cloud: Cloud | Counters, rows: Rows, model: AnyFitted) -> Sizes:
    """Sizes of steps from one phase of a program to another, and from the mean phase of a program to that of another."""
    codes = np.unique(rows.group, return_inverse=True)[1]
    pairs = _SLOW_PAIRS if is_slow(model) else _PAIRS
    counts = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    starts = np.cumsum(counts) - counts
    # Of each program the phases half of its length apart.
    own = codes[order]
    other = order[starts[own] + (np.arange(len(own)) - starts[own] + counts[own] // 2) % counts[own]]
    chosen = _some(np.flatnonzero(counts[own] > 1), pairs)
    within = size_of(steps_alone(model, cloud, rows.take(order[chosen]), rows.take(other[chosen]))) if len(chosen) else np.zeros(0)
    means = rows.take(order[starts])
    means = means.with_counts(np.stack([np.bincount(codes, column) for column in rows.X.T], axis=1) / counts[:, None])
    one, another = np.triu_indices(len(counts), 1)
    tried = _some(np.arange(len(one)), pairs)
    return within, size_of(steps_alone(model, cloud, means.take(one[tried]), means.take(another[tried])))


def _some(places: Whole, most: int) -> Whole:
    """At most `most` of them, evenly spaced."""
    found: Whole = places[np.unique(np.linspace(0, len(places) - 1, min(len(places), most)).astype(np.int64))] if len(places) else places
    return found
