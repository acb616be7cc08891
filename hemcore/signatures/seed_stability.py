"""How far k-medoids depends on its seed: a part of the work for each."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.signatures.class_rules import Flags
from hemcore.signatures.clusters.cluster_quality import adjusted_rand_index
from hemcore.signatures.clusters.ear_kmedoids import KMedoidsModel, fit_kmedoids
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.results import OneSeed, SeedStability
from hemcore.signatures.side_by_side import gpu_counted, seen_of

SEEDS = 6


def fitted(table: SignatureTable, params: SignatureParams, out: Flags) -> KMedoidsModel:
    """k-medoids of the rows that are not `out`. Raises as fit_kmedoids does."""
    return fit_kmedoids(table, n_clusters=params.n_clusters, scale=params.scale, seed=params.seed, left_out=out)


def seeds(table: SignatureTable, params: SignatureParams) -> list[SignatureParams]:
    """The params of each seed, from params.seed on."""
    return [params.but(seed=(params.seed + number) % 2**31) for number in range(SEEDS)]


def one_seed(table: SignatureTable, params: SignatureParams, progress: Progress | None = None) -> OneSeed:
    """k-medoids of what `kmedoids` clusters, without its tables. Raises as fit_kmedoids does."""
    _, out, other, marked = seen_of(table, params)
    model = fitted(table, params, out | other | gpu_counted(marked, out))
    assert model.clusters is not None
    # One byte a row: at most 20 clusters.
    own = model.clusters[model.clusters >= 0].astype(np.int8)
    return OneSeed(seed=model.seed, loss=model.fit.loss, silhouette=model.silhouette, share_changed=model.share_changed, clusters=own)


def stability(table: SignatureTable, params: SignatureParams, found: Sequence[OneSeed]) -> SeedStability:
    """How far the clusters of the seeds agree with those of the first."""
    rows = [
        {
            "seed": each.seed,
            "loss": each.loss,
            "silhouette": each.silhouette,
            "rand_index": adjusted_rand_index(found[0].clusters, each.clusters),
            "share_changed": each.share_changed,
        }
        for each in found
    ]
    return SeedStability(seeds=pd.DataFrame(rows), params=params)
