"""What signatures give: frozen results, one class a view."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.signatures.class_rules import CLASSES, GPU, TABLE_CLASSES, Floats
from hemcore.signatures.clusters.ear_kmedoids import KMedoidsModel
from hemcore.signatures.ear.ear_files import Strategy
from hemcore.signatures.params import SignatureParams

STRATEGIES = ("default", "roofline", "k-medoids")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What of a table counts.

    rows: of the table. unmeasured: without one of the metrics, or with all four 0. aside: set aside as the parameters say.
    another_tpi: rows whose TPI is in another unit than most (not in `unmeasured` or `aside`); k-medoids leaves them out.
    tpi_units: measured rows by TPI_UNITS. badges: measured rows by BADGES. noun: what a row is ("job", "loop" or "signature").
    gpu_by_power: whether GPUs are known by their power alone, so that idle ones count as active.
    """

    rows: int
    unmeasured: int
    aside: int
    another_tpi: int
    tpi_units: dict[str, int]
    badges: dict[str, int]
    noun: str
    gpu_by_power: bool = False

    @property
    def counted(self) -> int:
        """Rows that are classified."""
        return self.rows - self.unmeasured - self.aside

    @property
    def name(self) -> str:
        """The noun of the rows, in the plural unless there is one."""
        return self.noun if self.rows == 1 else f"{self.noun}s"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifiedSignatures:
    """Signatures by the three strategies.

    classes: one row per signature that counts: row (its number in the table, from 0), the table's identifiers, CPI, TPI, MEM_GBS, GFLOPS,
        default, roofline, and k-medoids where it was chosen or given (categorical, of TABLE_CLASSES), class (the verdict, by `strategy`),
        agree (whether all strategies there are say the same), "why default" and so on (categorical, sentences), and the boolean columns
        BADGES.
    strategy: whose class is the verdict, and why. model: the medoids that classify, None where they were given or are not at hand.
    warnings: what looks wrong in the files given; may be empty.
    """

    classes: pd.DataFrame
    strategy: Strategy
    model: KMedoidsModel | None
    seen: Seen
    warnings: tuple[str, ...]
    params: SignatureParams

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that there are classes of."""
        return tuple(name for name in STRATEGIES if name in self.classes.columns)

    @property
    def counts(self) -> pd.DataFrame:
        """Signatures by strategy (index, "class" last) and class (columns TABLE_CLASSES)."""
        names = (*self.strategies, "class")
        return pd.DataFrame(
            [_counts(self.classes[name]) for name in names], index=pd.Index(names, name="strategy"), columns=list(TABLE_CLASSES)
        )

    @cached_property
    def class_counts(self) -> dict[str, int]:
        """Signatures by their class in the verdict."""
        return dict(zip(TABLE_CLASSES, _counts(self.classes["class"]).tolist(), strict=True))

    @cached_property
    def agreement(self) -> float:
        """The share of signatures without a GPU on which all strategies say the same; NaN without any."""
        return float(self.classes["agree"][self.classes["class"] != GPU].mean())

    def confusion(self, one: str, other: str) -> pd.DataFrame:
        """Signatures by their class in strategy `one` (index) and in `other` (columns), CLASSES both.

        Without GPU jobs, which are that by every strategy, and without those that one of the two leaves out.
        """
        return pd.DataFrame(self._confusion(one, other), index=pd.Index(CLASSES, name=one), columns=pd.Index(CLASSES, name=other))

    def _confusion(self, one: str, other: str) -> NDArray[np.int64]:
        down, across = (self.classes[name].cat.codes.to_numpy() for name in (one, other))
        known = (down >= 0) & (across >= 0) & (down < len(CLASSES))
        return np.bincount(down[known] * np.int8(3) + across[known], minlength=9).reshape(3, 3)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """One row per pair of strategies: one, other, agree (share of the signatures that both classify; NaN if there is none)."""
        names = self.strategies
        pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
        tables = [self._confusion(*pair) for pair in pairs]
        shares = [float(np.trace(table) / table.sum()) if table.any() else np.nan for table in tables]
        return pd.DataFrame({"one": [one for one, _ in pairs], "other": [other for _, other in pairs], "agree": shares})

    @cached_property
    def roofline(self) -> pd.DataFrame:
        """Where each signature lies: intensity (FLOP/byte; NaN without memory traffic), GFLOPS, share (of its roof, 1 = on it)."""
        gbs, gflops = (self.classes[name].to_numpy() for name in ("MEM_GBS", "GFLOPS"))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            intensity = gflops / gbs
        # GFLOPS over the lower of the two roofs, without a division by the traffic.
        share = np.maximum(gflops / self.params.peaks.gflops, gbs / self.params.peaks.gbs)
        intensity = np.where(np.isfinite(intensity), intensity, np.nan)
        return pd.DataFrame({"intensity": intensity, "GFLOPS": gflops, "share": share}, index=self.classes.index)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignatureClusters:
    """k-medoids of the signatures.

    rows: one row per signature in a cluster: row (its number in the table, from 0), identifiers, the four metrics, cluster (name), class.
    gpu: the GPU jobs, which are in none: row, identifiers, metrics.
    profile: as clusters.profile gives, a row per cluster. pca: shape (4, 2), the directions of most spread of the scaled, standardised
    metrics; spread_shown: the share of the spread along each.
    """

    model: KMedoidsModel
    rows: pd.DataFrame
    gpu: pd.DataFrame
    profile: pd.DataFrame
    pca: Floats
    spread_shown: tuple[float, float]
    seen: Seen
    params: SignatureParams

    @property
    def projected(self) -> Floats:
        """The rows, then the GPU jobs, along the two directions, shape (rows + GPU jobs, 2)."""
        every = np.concatenate([each[list(METRICS)].to_numpy() for each in (self.rows, self.gpu)])
        return self.model.units(every) @ self.pca

    @property
    def projected_medoids(self) -> Floats:
        """The medoids along the two directions, shape (clusters, 2)."""
        return self.model.units(self.model.fit.medoids) @ self.pca


@dataclass(frozen=True, kw_only=True, eq=False)
class PolicyReport:
    """What policies and default frequencies cost, and who used what.

    policies: one row an application, policy and default frequency: application, policy, def_freq_khz, runs (job steps), nodes (a run),
        time_s, energy_j, power_w, edp_js (energy x time), cpu_khz (means over runs), time_spread (CoV over runs), threshold (POLICY_TH),
        reference (whether it is what the application's others are compared with), time_change, energy_change, edp_change (shares of the
        reference's; NaN if there is none), over_threshold (time_change above what min_energy may cost; False where nothing is promised).
        Empty without a column POLICY.
    usage: one row per group: by ("class", "user", "account" or "application"), group, signatures, node_hours, energy_kwh, mean_power_w,
        share (of the energy of all). NaN where power or time were not read.
    no_reference: applications of which no reference run is there.
    """

    policies: pd.DataFrame
    usage: pd.DataFrame
    no_reference: tuple[str, ...]
    seen: Seen
    params: SignatureParams


@dataclass(frozen=True, kw_only=True, eq=False)
class JobInTime:
    """The loops of one job step in the order of time.

    loops: one row per loop signature: row (number in the table), node, time_s (since the first), seconds (covered; NaN for a first
        one that does not tell), CPI, TPI, MEM_GBS, GFLOPS, intensity (NaN without traffic), default, roofline, k-medoids where medoids are
        given, class, power_w, energy_j. job: "JOBID.STEPID". jobs: every job step that has loops, the most loops first, with their number.
    """

    loops: pd.DataFrame
    job: str
    jobs: dict[str, int]
    strategy: Strategy
    params: SignatureParams

    @property
    def shares(self) -> dict[str, float]:
        """The share of the known time in each class; of the loops where no time is known."""
        seconds = self.loops["seconds"].fillna(0).to_numpy()
        weights = seconds if seconds.sum() > 0 else np.ones(len(seconds))
        codes = self.loops["class"].cat.codes.to_numpy()
        return {name: float(weights[codes == number].sum() / weights.sum()) for number, name in enumerate(TABLE_CLASSES)}

    @property
    def changes(self) -> int:
        """How often the class changes from a loop to the next of the same node."""
        changed = 0
        for _, part in self.loops.groupby("node", sort=False):
            codes = part["class"].cat.codes.to_numpy()
            changed += int((codes[1:] != codes[:-1]).sum())
        return changed


@dataclass(frozen=True, kw_only=True, eq=False)
class OneSeed:
    """k-medoids with one seed: a row of SeedStability.seeds, and the cluster of each signature that counts, shape (rows,)."""

    seed: int
    loss: float
    silhouette: float
    share_changed: float
    clusters: NDArray[np.int8]


@dataclass(frozen=True, kw_only=True, eq=False)
class SeedStability:
    """k-medoids anew with other seeds.

    seeds: one row per seed: seed, loss, silhouette, rand_index (adjusted, with the first seed's clusters), share_changed (rows that change
        class through EAR's files; NaN unless 3 clusters).
    """

    seeds: pd.DataFrame
    params: SignatureParams


def _counts(column: pd.Series) -> NDArray[np.int64]:
    codes = column.cat.codes.to_numpy()
    return np.bincount(codes[codes >= 0], minlength=len(TABLE_CLASSES))
