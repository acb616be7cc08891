"""Filling the hidden slots of a series."""

import numpy as np

from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError
from hemcore.mpx.estimators import Estimator, Predictor, estimator_named
from hemcore.mpx.sampled import Floats, Sampled, sampled_of, with_estimates

Method = str | Estimator | Predictor


def estimate(sampled: CounterSeries, method: Method) -> CounterSeries:
    """`sampled` with its hidden slots (NaN) filled; counted values stay as they are, and `share` still says which they are.

    method: the name of an untrained estimator (ESTIMATORS), an Estimator, or a trained one (anything with a name and `predict`).
    An event that a run never counted stays NaN there. Raises UnknownNameError for an unknown name, ParameterError where every slot is
    hidden, or where the events of a trained estimator do not match (as its `predict` says).
    """
    matrix, rows = sampled_of(sampled)
    if isinstance(method, Predictor) and not isinstance(method, Estimator):
        filled = _predicted(sampled, method)
    else:
        filled = np.empty(sampled.counts.shape)
        filled[rows.order] = filled_by(matrix, estimator_named(method) if isinstance(method, str) else method).T
    counted = sampled.counts.to_numpy(dtype=float, na_value=np.nan)
    return with_estimates(sampled, np.where(np.isnan(counted), filled, counted))


def filled_by(sampled: Sampled, estimator: Estimator) -> Floats:
    """The counts of every slot, the shape of sampled.counts: counted ones as they are, hidden ones as `estimator` has them."""
    return np.where(sampled.hidden, estimator.fill(sampled), sampled.counts)


def _predicted(sampled: CounterSeries, method: Predictor) -> Floats:
    found = method.predict(sampled)
    if found.events != sampled.events or len(found.counts) != len(sampled.counts):
        raise ParameterError(
            f"method: {method.name} gave the events {listed(found.events)} in {len(found.counts):,} slots; "
            f"the series has {listed(sampled.events)} in {len(sampled.counts):,}. Train it on these events."
        )
    return found.counts.to_numpy(dtype=float, na_value=np.nan)
