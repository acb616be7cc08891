"""Medoids of the four metrics, labelled by a rule, and the two files that EAR reads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Each
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ParameterError
from hemcore.signatures.class_rules import CLASSES, CPU, MEMORY, MIX, Floats, Signatures, values_of
from hemcore.signatures.classify import classify_kmedoids
from hemcore.signatures.clusters import clara
from hemcore.signatures.clusters.clara import InMemory, Part, Scale
from hemcore.signatures.clusters.cluster_quality import silhouette
from hemcore.signatures.ear.ear_files import EarFiles, Order, write_ear_files
from hemcore.signatures.ear.ear_models import Extremes, Medoids

LABELLING = (
    "MEMORY-bound: the cluster whose medoid has the highest MEM_GBS. CPU-bound: among the others, the highest GFLOPS. The rest: MIX."
)
MOST_CLUSTERS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class KMedoidsModel:
    """Medoids of signatures, and how the signatures fall to them.

    fit: medoids, loss and scaling as CLARA found them, clusters in the order of `names`. names: CPU-bound, MEMORY-bound, then MIX, "MIX 2"
    and so on; with 2 clusters no MIX. clusters: of each row the number of its cluster in the model's own space, -1 where it does not
    count; None where the rows are not in memory. index: of the rows. seed: of samples and start.
    silhouette: mean of at most 2,000 rows, NaN if there is none. n_changed: rows whose class changes when the written files are read
    back by EAR's arithmetic, which has z-scores of the metrics alone; None where that was not counted (2 or more than 3 clusters).
    """

    fit: clara.Fit
    names: tuple[str, ...]
    clusters: NDArray[np.int8] | None
    index: pd.Index | None
    seed: int
    silhouette: float
    n_changed: int | None

    @property
    def labels(self) -> pd.Series:
        """The class of each row in the model's own space, missing where it does not count. ParameterError where none are kept."""
        if self.clusters is None:
            raise ParameterError("labels: not stored for signatures in Parquet parts. Classify the parts with the model's medoids.")
        codes = self.class_codes[self.clusters].astype(np.intp)
        return pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(CLASSES)), index=self.index, name="k-medoids")

    @property
    def class_codes(self) -> NDArray[np.int8]:
        """The place in CLASSES of each cluster; the last, -1, is for rows without one."""
        return np.array([*(CLASSES.index(name.partition(" ")[0]) for name in self.names), -1], dtype=np.int8)

    @property
    def medoids(self) -> pd.DataFrame:
        """The medoids: a row per cluster (index: `names`), the four metrics as they were read."""
        return pd.DataFrame(self.fit.medoids, index=pd.Index(self.names, name="cluster"), columns=list(METRICS))

    @property
    def extremes(self) -> Extremes:
        """Standard deviation and mean of the metrics; 1 for a metric that never changes, which so weighs nothing."""
        raw = self.fit.raw
        return Extremes(std=np.where(raw.std > 0, raw.std, 1.0), mean=raw.mean)

    @property
    def ear_medoids(self) -> Medoids:
        """The medoids as EAR's file has them, z-scores of the metrics. Raises ParameterError unless there are three clusters."""
        if len(self.names) != len(CLASSES):
            raise ParameterError(f"n_clusters: EAR's files hold three medoids; there are {len(self.names)}. Fit 3 clusters.")
        extremes = self.extremes
        return Medoids(z=(self.fit.medoids - extremes.mean) / extremes.std)

    @property
    def share_changed(self) -> float:
        """n_changed as a share of the measured rows; NaN where it was not counted."""
        return float("nan") if self.n_changed is None else self.n_changed / self.fit.measured

    def units(self, values: Floats) -> Floats:
        """Rows of metrics, shape (rows, 4), in the space that was clustered: scaled and standardised."""
        return clara.units(values, self.fit.scale, self.fit.centre, self.fit.spread)

    def files(self, tag: str, *, n_cpus: int | None = None, order: Order = "code") -> dict[str, str]:
        """medoids.TAG.data and extremes.TAG.data, names and contents.

        n_cpus: with it the extremes are of values per CPU, as EAR's releases compare; None: of the node, as documented.
        Raises ParameterError for a tag EAR cannot have, or unless there are three clusters.
        """
        extremes = self.extremes if n_cpus is None else self.extremes.divided(n_cpus)
        return write_ear_files(EarFiles(tag=tag, medoids=self.ear_medoids, extremes=extremes), order=order)


def fit_kmedoids(
    signatures: Signatures,
    *,
    n_clusters: int = 3,
    scale: Scale = "cbrt",
    seed: int = 0,
    left_out: NDArray[np.bool_] | None = None,
) -> KMedoidsModel:
    """Medoids of the metrics CPI, TPI, MEM_GBS and GFLOPS: FasterPAM to 5,000 rows, CLARA (5 samples of 2,000 rows) above.

    scale: "cbrt" clusters standardised cube roots, which jobs far from all others (GPU, I/O) do not disturb; "z-score" the standardised
    metrics. left_out: rows that do not count; rows with a missing metric, or with all four 0, never do. LABELLING is the rule that names
    the clusters. The same for the same signatures and seed.

    Raises TableError for missing columns, negative or infinite values; ParameterError for an argument outside its bounds or fewer measured
    rows than clusters. Source: clara.py's.
    """
    columns, index = values_of(signatures, METRICS)
    values = np.column_stack(columns)
    out = np.isnan(values).any(axis=1) | (values == 0).all(axis=1)
    if left_out is not None:
        if np.shape(left_out) != out.shape:
            raise ParameterError(f"left_out: the shape is {np.shape(left_out)}; it must be one value a signature, {out.shape}.")
        out |= left_out
    values[out] = np.nan
    found = fit_parts([InMemory(values)], n_clusters=n_clusters, scale=scale, seed=seed)
    clusters = clara.nearest(values, found.fit)
    points = clara.units(values[~out], scale, found.fit.centre, found.fit.spread)
    model = replace(found, clusters=clusters, index=index, silhouette=silhouette(points, clusters[~out], seed))
    if n_clusters != len(CLASSES):
        return model
    own = model.labels
    by_ear = classify_kmedoids(pd.DataFrame(values, columns=list(METRICS), index=index), model.ear_medoids, model.extremes)
    return replace(model, n_changed=int(((by_ear != own) & own.notna()).sum()))


def fit_parts(parts: Sequence[Part], *, n_clusters: int = 3, scale: Scale = "cbrt", seed: int = 0, each: Each = map) -> KMedoidsModel:
    """As `fit_kmedoids`, of parts that need not fit into memory together; `each` may run its passes on workers. No labels are kept."""
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int) or not 2 <= n_clusters <= MOST_CLUSTERS:
        raise ParameterError(f"n_clusters: {n_clusters!r} must be a whole number from 2 to {MOST_CLUSTERS}.")
    if scale not in ("cbrt", "z-score"):
        raise ParameterError(f"scale: {scale!r} is not known; it is cbrt or z-score.")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ParameterError(f"seed: {seed!r} must be a whole number of at least 0.")
    found = clara.fit(parts, n_clusters, scale, seed, each)
    order, names = labelled(found.medoids)
    ordered = replace(found, medoids=found.medoids[order], sizes=found.sizes[order])
    return KMedoidsModel(fit=ordered, names=names, clusters=None, index=None, seed=seed, silhouette=float("nan"), n_changed=None)


def labelled(medoids: Floats) -> tuple[list[int], tuple[str, ...]]:
    """The order CPU-bound, MEMORY-bound, MIX of medoids by LABELLING, and the names. MIX ones go by their MEM_GBS, the most first."""
    gbs, gflops = medoids[:, METRICS.index("MEM_GBS")], medoids[:, METRICS.index("GFLOPS")]
    memory = int(gbs.argmax())
    others = [number for number in range(len(medoids)) if number != memory]
    cpu = max(others, key=lambda number: (gflops[number], -number))
    rest = sorted((number for number in others if number != cpu), key=lambda number: -gbs[number])
    names = [MIX if place == 0 else f"{MIX} {place + 1}" for place in range(len(rest))]
    return [cpu, memory, *rest], (CPU, MEMORY, *names)
