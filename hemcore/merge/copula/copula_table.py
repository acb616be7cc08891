"""The copula merge: subexperiments of any connected plan -> one table whose rows resemble rows read together."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from hemcore.analysis import Progress
from hemcore.errors import ParameterError, TableError
from hemcore.merge.connected import check_connected
from hemcore.merge.copula.moments import arranged_features, column_features, model_moments, target_moments
from hemcore.merge.copula.near_copies import keep_near_copies
from hemcore.merge.copula.remembered_fit import FittedRuns, fitted_runs
from hemcore.merge.copula.same_order import on_the_curve
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.merge.much.arrange import correlation_of_columns
from hemcore.merge.pair_correlation import correlation_matrix, readings_together
from hemcore.merge.params import CopulaParams
from hemcore.merge.ranks import mid_quantiles

# Limits: features of all HEMs (their products take 100 MB) and features of all rows (400 MB).
_MOST_FEATURES = 5_000
_MOST_CELLS = 100_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class MergeResult:
    """One merged table and the correlations of its pairs.

    merged: shape (n_runs, HEMs), counts per run, HEMs in the order of first reading; each value is a reading of its HEM.
    measured_correlation: Pearson's r of every pair from all runs that read both; NaN if none did or a HEM never changes.
    achieved_correlation: r in `merged`, NaN for a HEM that never changes.
    pair_readings: number of runs that read both HEMs of a pair; 0: never read together.
    filled: pairs never read together, filled by the model: hem_a, hem_b, r (in `merged`); may be empty.
    weights: fraction of the runs in each component of the mixture.
    repairs: rows left out because of a missing value. params: the parameters.
    """

    merged: pd.DataFrame
    measured_correlation: pd.DataFrame
    achieved_correlation: pd.DataFrame
    pair_readings: pd.DataFrame
    filled: pd.DataFrame
    weights: tuple[float, ...]
    repairs: pd.DataFrame
    params: CopulaParams

    @property
    def seed(self) -> int:
        """The seed that reproduces the table."""
        return self.params.seed


def copula_merge(
    subexperiments: SubexperimentsLike,
    n_runs: int,
    *,
    components: int = 4,
    features: int = 10,
    swaps: int = 2_000_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> MergeResult:
    """`merge_copula` with its parameters as arguments; raises ParameterError if one is out of bounds."""
    params = CopulaParams(n_runs=n_runs, components=components, features=features, swaps=swaps, seed=seed)
    return merge_copula(subexperiments, params, progress)


def merge_copula(subexperiments: SubexperimentsLike, params: CopulaParams, progress: Progress | None = None) -> MergeResult:
    """Merge subexperiments of any connected plan (an anchor in each, all pairs, both, or neither).

    Each reading becomes the normal score of its rank among all readings of its HEM; no run is left out, but each has a weight, so that all
    subexperiments have the same share of slow runs (`with_consistent_margins`). A Gaussian copula, then a mixture of Gaussians is fitted to
    the runs, each of which read only some HEMs (`fitted_copula`, `fitted_mixture`). The ranks of a sample of the mixture order n_runs
    quantiles of each HEM's weighted readings. Then readings of one HEM are swapped between rows until the mean products of
    features of every two HEMs match the measured ones, shrunk by their sampling noise (`target_moments`), or the model's for a pair never
    read together. HEMs that never change become a constant column; HEMs that order all runs identically keep that order, two names of one
    event share their readings (`with_copies`), near copies keep their measured correlation (`keep_near_copies`), and the closest ones
    follow each other run by run (`without_near_followers`). The same seed gives the same table.

    progress: called with the fraction done and the current step; an exception it raises ends the merge. Raises TableError for bad input
    and for subexperiments in groups without a common HEM, ParameterError for a table that is too large.
    """
    tell = progress if progress is not None else _silent
    table = complete_subexperiments(subexperiments)
    check_connected(table)
    # On one thread: with small matrices, threads waiting for each other take several times as long, most of all on a busy machine.
    with threadpool_limits(1):
        fit = fitted_runs(
            table,
            params.components,
            params.features,
            pairs=bool(params.swaps),
            check=lambda k: _check_size(k, params),
            tell=tell,
        )
        ranks = _arranged(fit, params, tell) if fit.data.hems else np.empty((params.n_runs, 0), np.int32)
    merged = pd.DataFrame(_columns(fit, ranks, table, params), copy=False)
    together, achieved = readings_together(table), correlation_of_columns(merged)
    first, second = np.nonzero(np.triu(together.to_numpy() == 0, 1))
    names = np.array(table.hems, dtype=object)
    filled = {"hem_a": names[first], "hem_b": names[second], "r": achieved.to_numpy()[first, second]}
    return MergeResult(
        merged=merged,
        measured_correlation=correlation_matrix(table, outlier_zscore=np.inf),
        achieved_correlation=achieved,
        pair_readings=together,
        filled=pd.DataFrame(filled),
        weights=tuple(fit.mixture.weights.tolist()),
        repairs=table.repairs,
        params=params,
    )


def _arranged(fit: FittedRuns, params: CopulaParams, tell: Progress) -> NDArray[np.int32]:
    """The ranks of each merged row's readings, shape (n_runs, k)."""
    random = np.random.default_rng(params.seed)
    data = fit.data
    columns = [column_features(data.pooled[hem], params.n_runs, params.features)[1] for hem in data.hems]
    arranged, ranks = arranged_features(columns, fit.mixture.sample(params.n_runs, random))
    if fit.measured is not None:
        target = target_moments(fit.measured, model_moments(fit.columns, fit.mixture, random), params.features)
        missing = ((arranged.T @ arranged) / np.float32(params.n_runs) - target).astype(np.float32)
        # Numba takes half a second to import, which other merges should not wait for.
        from hemcore.merge.copula.swaps import polish

        polish(arranged, ranks, missing, params.swaps, params.seed, lambda share: tell(0.6 + 0.4 * share, "polishing the merged runs"))
    keep_near_copies(data, ranks)
    return ranks


def _columns(
    fit: FittedRuns, ranks: NDArray[np.int32], table: CompleteSubexperiments, params: CopulaParams
) -> dict[str, NDArray[np.number]]:
    """The merged column of each HEM: its quantiles in the order of their ranks, or the readings at the shares of a near follower; of a HEM
    that orders all runs as another does, what it read where the other read as much."""
    random, n = np.random.default_rng((params.seed, 1)), params.n_runs
    orders = {hem: ranks[:, at] for at, hem in enumerate(fit.data.hems)}
    shares: dict[str, NDArray[np.float64]] = {}
    for hem, near in fit.near.items():
        shares[hem] = near.of(shares[near.leader] if near.leader in shares else (orders[near.leader] + 0.5) / n, random)
    for hem, same in fit.followers.items():
        if same.leader in shares:
            shares[hem] = 1 - shares[same.leader] if same.reversed else shares[same.leader]
        else:
            orders[hem] = n - 1 - orders[same.leader] if same.reversed else orders[same.leader]
    columns = {}
    for hem in table.hems:
        pooled = fit.data.pooled[hem]
        if hem in shares:
            columns[hem] = pooled[(shares[hem] * len(pooled)).astype(int)]
        else:
            column = mid_quantiles(pooled, n)
            columns[hem] = column[orders[hem]] if hem in orders else column
    for hem, same in fit.followers.items():
        both = [frame for frame in table.frames if hem in frame and same.leader in frame]
        leader, follower = (np.concatenate([frame[name].to_numpy() for frame in both]) for name in (same.leader, hem))
        columns[hem] = on_the_curve(columns[same.leader], leader, follower, columns[hem])
    return columns


def _check_size(k: int, params: CopulaParams) -> None:
    wide = k * params.features
    if wide > _MOST_FEATURES:
        raise TableError(
            f"subexperiments: {k:,} HEMs with {params.features} features each are {wide:,} features; {_MOST_FEATURES:,} at most fit into "
            f"memory. Merge fewer HEMs, or set features to {max(1, _MOST_FEATURES // k)} or less."
        )
    if params.n_runs * wide > _MOST_CELLS:
        raise ParameterError(
            f"n_runs: {params.n_runs:,} runs of {k:,} HEMs with {params.features} features each are {params.n_runs * wide:,} values; "
            f"{_MOST_CELLS:,} at most fit into memory. Ask for {_MOST_CELLS // wide:,} runs or fewer."
        )


def _silent(share: float, note: str) -> None:
    return None
