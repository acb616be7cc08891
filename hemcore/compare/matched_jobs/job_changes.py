"""What changed between jobs before and after: from which class to which, and how much energy a job takes, per application.

Jobs are compared within each user and application, so another mixture of users is no change. Whether classes changed: jobs of each user and
application are exchanged between the sets at random (multivariate hypergeometric), and the statistic is chi-square of the classes after.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.matched_jobs.job_partners import KEY, job_pairs
from hemcore.compare.params import CompareParams
from hemcore.compare.replicates import replicates_of
from hemcore.compare.results import Replicates
from hemcore.compare.run_sets import RunGroup, RunSet
from hemcore.compare.two_sets import comparison_of
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import TableError

Floats = NDArray[np.float64]
_DRAWS = 1_999
_ENERGY = ("energy_before", "energy_after", "energy_change", "low", "high", "energy_probability", "energy_adjusted", "energy_changed")
_NO_NAME = "all jobs"


@dataclass(frozen=True, kw_only=True, eq=False)
class JobChanges:
    """Jobs of two tables, matched by user and application: of each, the first job of one set with the first of the other, and so on.

    applications: one row per application that both sets have, the most jobs first: application, users (matched), jobs_before, jobs_after,
        class_before, class_after (of most jobs; "" = none), pairs (of jobs with a class both), moved (pairs of two classes), by_chance (as
        many would be of two classes if nothing had changed), class_probability (that the classes differ so much by chance).
    flows: one row per pair of classes: class_before, class_after, pairs, by_chance (expected if nothing had changed).
    replicates: of the energy of a job, a "HEM" per application; None where no user and application has two jobs with known energy in both.
    unmatched: as of PairedJobs. named_by, classes_by: as of PairedJobs. unclassified: matched jobs without a class.
    params: of the comparison.
    """

    applications: pd.DataFrame
    flows: pd.DataFrame
    replicates: Replicates | None
    unmatched: pd.DataFrame
    named_by: tuple[str, ...]
    classes_by: str
    unclassified: int
    params: CompareParams

    def at(self, params: CompareParams) -> "JobChanges":
        """The same at the level and rate of `params`."""
        return replace(self, params=params)

    @property
    def table(self) -> pd.DataFrame:
        """`applications` with class_adjusted, class_changed; energy_before, energy_after (J per job), energy_change (a share) with its
        interval low to high, energy_probability, energy_adjusted and energy_changed. Both kinds of change are controlled over applications
        (Benjamini-Hochberg). NaN where the energy is not known of two jobs on either side."""
        found = self.applications.assign(class_adjusted=adjusted(self.applications["class_probability"]))
        found["class_changed"] = found["class_adjusted"] <= self.params.rate
        if self.replicates is None:
            return found.assign(**dict.fromkeys(_ENERGY, np.nan)).assign(energy_changed=False)
        energy = comparison_of(self.replicates, self.params).table.set_index("hem")
        names = ("before", "after", "change", "low", "high", "probability", "adjusted", "changed")
        energy = energy[list(names)].set_axis(list(_ENERGY), axis=1)
        found = found.join(energy, on="application")
        found["energy_changed"] = found["energy_changed"].eq(True)
        return found


def changed_jobs(
    before: SignatureTable,
    after: SignatureTable,
    *,
    level: float = 0.9,
    rate: float = 0.05,
    statistic: Any = "mean",
    seed: int = 0,
    processor: str = "",
) -> JobChanges:
    """Changes of class and energy from the jobs of `before` to those of `after`, matched by user and application.

    level, rate, statistic (of the energy of a job), seed, processor: as of CompareParams. Raises TableError where no job can be matched,
    ParameterError for a parameter.
    """
    return changes_of_jobs(before, after, CompareParams(level=level, rate=rate, statistic=statistic, seed=seed, processor=processor))


def changes_of_jobs(before: SignatureTable, after: SignatureTable, params: CompareParams) -> JobChanges:
    """As `changed_jobs`, with its parameters as a model."""
    found = job_pairs(before, after, params.processor)
    jobs = found.jobs.assign(application=found.jobs["application"].replace("", _NO_NAME))
    classes = sorted(set(jobs["class"]) - {""})
    counts = _counts(jobs, classes)
    pairs = _class_pairs(jobs)
    return JobChanges(
        applications=_applications(jobs, counts, pairs, params.seed),
        flows=_flows(pairs, counts, classes),
        replicates=_energy(jobs, params),
        unmatched=found.unmatched,
        named_by=found.named_by,
        classes_by=found.classes_by,
        unclassified=int((jobs["class"] == "").sum()),
        params=params,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Counts:
    """Of each user and application: keys, and the jobs before and after by class, shape (2, keys, classes)."""

    keys: pd.DataFrame
    by_class: Floats


def _counts(jobs: pd.DataFrame, classes: list[str]) -> _Counts:
    keys = jobs[KEY].drop_duplicates().reset_index(drop=True)
    number = pd.MultiIndex.from_frame(keys).get_indexer(pd.MultiIndex.from_frame(jobs[KEY]))
    code = pd.Index(classes).get_indexer(pd.Index(jobs["class"]))
    known = code >= 0
    by_class = np.zeros((2, len(keys), len(classes)))
    np.add.at(by_class, (jobs["side"].to_numpy()[known], number[known], code[known]), 1.0)
    return _Counts(keys=keys, by_class=by_class)


def _class_pairs(jobs: pd.DataFrame) -> pd.DataFrame:
    """The pairs of jobs with a class both: user, application, class_before, class_after. Partners are counted among jobs with a class."""
    known = jobs[jobs["class"] != ""]
    known = known.assign(pair=known.groupby(["side", *KEY], sort=False).cumcount())
    sides = [known[known["side"] == side].drop(columns=["side", "energy_j"]) for side in (0, 1)]
    return sides[0].merge(sides[1], on=[*KEY, "pair"], suffixes=("_before", "_after"))


def _expected(counts: _Counts) -> Floats:
    """Pairs of each class with each that chance alone makes, by user and application; shape (keys, classes, classes)."""
    both = counts.by_class.sum(axis=0)
    total = both.sum(axis=1)
    pairs = np.minimum(*counts.by_class.sum(axis=2))
    ordered = both[:, :, None] * both[:, None, :] - np.einsum("kc,cd->kcd", both, np.eye(both.shape[1]))
    found: Floats = ordered * (pairs / np.maximum(total * (total - 1), 1))[:, None, None]
    return found


def _flows(pairs: pd.DataFrame, counts: _Counts, classes: list[str]) -> pd.DataFrame:
    expected = _expected(counts).sum(axis=0)
    observed = pairs.groupby(["class_before", "class_after"]).size()
    rows = [
        {"class_before": one, "class_after": other, "pairs": int(observed.get((one, other), 0)), "by_chance": float(expected[i, j])}
        for i, one in enumerate(classes)
        for j, other in enumerate(classes)
    ]
    return pd.DataFrame(rows, columns=["class_before", "class_after", "pairs", "by_chance"])


def _applications(jobs: pd.DataFrame, counts: _Counts, pairs: pd.DataFrame, seed: int) -> pd.DataFrame:
    off = _expected(counts)
    by_chance = off.sum(axis=(1, 2)) - np.trace(off, axis1=1, axis2=2)
    rows = []
    for number, (name, own) in enumerate(jobs.groupby("application", sort=True)):
        keys = (counts.keys["application"] == name).to_numpy()
        of_pairs = pairs[pairs["application"] == name]
        rows.append(
            {
                "application": name,
                "users": own["user"].nunique(),
                "jobs_before": int((own["side"] == 0).sum()),
                "jobs_after": int((own["side"] == 1).sum()),
                "class_before": _most(own[own["side"] == 0]),
                "class_after": _most(own[own["side"] == 1]),
                "pairs": len(of_pairs),
                "moved": int((of_pairs["class_before"] != of_pairs["class_after"]).sum()),
                "by_chance": float(by_chance[keys].sum()),
                "class_probability": _probability(counts.by_class[:, keys], np.random.default_rng([seed, number])),
            }
        )
    found = pd.DataFrame(rows)
    return found.iloc[np.argsort(-(found["jobs_before"] + found["jobs_after"]).to_numpy(), kind="stable")].reset_index(drop=True)


def _most(jobs: pd.DataFrame) -> str:
    known = jobs.loc[jobs["class"] != "", "class"]
    return "" if not len(known) else str(known.value_counts().sort_index().idxmax())


def _probability(by_class: Floats, rng: np.random.Generator) -> float:
    """That exchanging jobs within each user goes as far; NaN where no user has jobs with a class on both sides."""
    sizes = by_class.sum(axis=2)
    both = by_class.sum(axis=0)
    judged = (sizes > 0).all(axis=0)
    if not judged.any():
        return float("nan")
    share = sizes[1] / np.maximum(sizes.sum(axis=0), 1)
    expected = (both * share[:, None])[judged].sum(axis=0)
    after = np.zeros((_DRAWS, both.shape[1]))
    for place in np.flatnonzero(judged):
        if (both[place] > 0).sum() < 2:  # of one class, whatever is exchanged
            after += both[place] * share[place]
        else:
            after += rng.multivariate_hypergeometric(both[place].astype(int), int(sizes[1, place]), size=_DRAWS)
    scale = np.where(expected > 0, expected, 1.0)
    read = float(((by_class[1][judged].sum(axis=0) - expected) ** 2 / scale).sum())
    drawn = ((after - expected) ** 2 / scale).sum(axis=1)
    return float((1 + (drawn >= read * (1 - 1e-9) - 1e-12).sum()) / (_DRAWS + 1))


def _energy(jobs: pd.DataFrame, params: CompareParams) -> Replicates | None:
    """The energy of a job before and after: a group of runs per user and application with two known jobs on either side."""
    known = jobs[jobs["energy_j"] > 0]
    groups: list[tuple[RunGroup, RunGroup]] = []
    energy, side = known["energy_j"].to_numpy(dtype=float), known["side"].to_numpy()
    indices: Mapping[Any, Any] = known.groupby(KEY, sort=True).indices
    for (user, application), rows in indices.items():
        own = [energy[rows[side[rows] == each]] for each in (0, 1)]
        if min(map(len, own)) > 1:
            pair = [RunGroup(label=f"{user} {application}", program="", counts=pd.DataFrame({str(application): each})) for each in own]
            groups.append((pair[0], pair[1]))
    if not groups:
        return None
    sets = [RunSet(kind="SignatureTable", groups=tuple(group[side] for group in groups)) for side in (0, 1)]
    try:
        return replicates_of(sets[0], sets[1], params.but(paired=False))
    except TableError:  # medians of fewer than five jobs
        return None
