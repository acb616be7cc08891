"""What the copula merge learns from the runs alone: the same for every number of merged runs, of swaps and every seed."""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from hemcore.analysis import Progress
from hemcore.merge.copula.consistent_margins import with_consistent_margins
from hemcore.merge.copula.copula_fit import Mixture, fitted_copula, fitted_mixture
from hemcore.merge.copula.moments import Features, Measured, measured_moments, model_columns, pairs_read
from hemcore.merge.copula.near_copies import with_copies
from hemcore.merge.copula.near_followers import NearFollower, without_near_followers
from hemcore.merge.copula.normal_scores import Scored, scored
from hemcore.merge.copula.same_order import SameOrder, with_leaders_alone
from hemcore.merge.inputs import CompleteSubexperiments

# Where pairs were never read together, more components bend relations that nothing measured.
_MOST_UNREAD = 2
# A fit that takes more bytes is not remembered.
_MOST_REMEMBERED = 32 * 2**20


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedRuns:
    """followers: of `with_leaders_alone`; data, near: of `without_near_followers` and `with_consistent_margins` after it. mixture: fitted
    to data. measured, columns: of `measured_moments` and `model_columns`; None and empty where no pair is fitted."""

    data: Scored
    followers: dict[str, SameOrder]
    near: dict[str, NearFollower]
    mixture: Mixture
    measured: Measured | None
    columns: list[Features]

    @property
    def bytes(self) -> int:
        """About how much memory it takes beside the readings."""
        arrays = [*self.data.shares, *self.data.values, *self.data.pooled.values(), *self.columns]
        if self.measured is not None:
            arrays += [self.measured.products, self.measured.noise]
        return sum(array.nbytes for array in arrays)


# The last fit of each table, by (components, features, whether pairs are fitted).
_known: WeakKeyDictionary[CompleteSubexperiments, tuple[tuple[int, int, bool], FittedRuns]] = WeakKeyDictionary()


def fitted_runs(
    table: CompleteSubexperiments, components: int, features: int, *, pairs: bool, check: Callable[[int], object], tell: Progress
) -> FittedRuns:
    """The fit of `table`; the last of each table is remembered, unless it is large.

    pairs: whether mean products are fitted too. check: called with the number of HEMs that are fitted, before it begins. tell: called with
    the fraction of the merge that is done, up to .6, and the step.
    """
    key = components, features, pairs
    known = _known.get(table)
    if known is not None and known[0] == key:
        check(len(known[1].data.hems))
        return known[1]
    data, followers = with_leaders_alone(scored(with_copies(table)))
    data, near = with_consistent_margins(*without_near_followers(data, np.random.default_rng(0)))
    k = len(data.hems)
    if len(pairs_read(data)) < k * (k - 1) // 2:
        components = min(components, _MOST_UNREAD)
    check(k)
    tell(0.02, "fitting the copula")
    mixture = Mixture(weights=np.ones(1), means=np.zeros((1, 0)), covariances=np.zeros((1, 0, 0)))
    if k:
        scores = data.normal
        correlation = fitted_copula(data.places, scores, k)
        tell(0.1, "fitting the mixture")
        mixture = fitted_mixture(
            data.places, scores, correlation, components, lambda share: tell(0.1 + 0.25 * share, "fitting the mixture")
        )
    measured, columns = None, list[Features]()
    if pairs and k > 1:
        tell(0.35, "measuring pairs")
        columns = model_columns([data.pooled[hem] for hem in data.hems], features)
        measured = measured_moments(data, features, lambda share: tell(0.4 + 0.2 * share, "measuring pairs"))
    found = FittedRuns(data=data, followers=followers, near=near, mixture=mixture, measured=measured, columns=columns)
    if found.bytes <= _MOST_REMEMBERED:
        _known[table] = key, found
    return found
