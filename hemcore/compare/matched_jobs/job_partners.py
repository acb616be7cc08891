"""Job steps of two tables of signatures, paired within each user and application in the order of the rows."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import AnyAnalysis
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import ParameterError, TableError
from hemcore.params import Params

UNKNOWN = "(unknown)"
SIDES = ("before", "after")
KEY = ["user", "application"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedJobs:
    """jobs: of both tables, those whose user and application are in both: side (0, 1), user, application, class ("" = none), energy_j (NaN
    = not known), pair (number of the job within its user, application and side, from 0; those above the fewer side's have no partner).

    unmatched: one row per side, user, application and reason: side ("before", "after"), user, application, jobs, reason.
    named_by: which of user and application both tables name. classes_by: where the classes are from, a sentence.
    """

    jobs: pd.DataFrame
    unmatched: pd.DataFrame
    named_by: tuple[str, ...]
    classes_by: str


def job_pairs(before: SignatureTable, after: SignatureTable, processor: str = "") -> PairedJobs:
    """The jobs of both tables and their partners.

    A job step is a job; its class is that of most of its rows, its energy their sum. Classes are those of the column CLASS, which
    Signatures keeps, or EAR's for nodes with two of `processor` ("": the usual one), with the other parameters of Signatures at their
    defaults. SLURM's own steps are left out. Raises TableError where the tables name neither users nor applications, or have none in
    common, ParameterError for an unknown processor.
    """
    kept = all("CLASS" in table.frame.columns for table in (before, after))
    asked = {"processor": processor} if processor else {}
    classify = asked_by_jobs()[0]
    params = classify.params(**asked)
    rows = [_steps(table, None if kept else params) for table in (before, after)]
    named = tuple(name for name in KEY if all((each[name] != "").any() for each in rows))
    if not named:
        raise TableError(
            "jobs: user and application are not in both tables, so no job can be matched. Export USERID and JOBNAME with the signatures."
        )
    jobs = pd.concat([each.assign(side=side) for side, each in enumerate(rows)], ignore_index=True)
    for name in set(KEY) - set(named):
        jobs[name] = ""
    reasons = _reasons(jobs, named)
    jobs["pair"] = jobs.groupby(["side", *KEY], sort=False).cumcount()
    matched = jobs[reasons == ""].reset_index(drop=True)
    if not len(matched):
        raise TableError(f"jobs: no {' and '.join(named)} is in both tables, so no job can be matched. Choose other datasets.")
    fewest = matched.groupby(["side", *KEY], sort=False).size().groupby(KEY, sort=False).min().rename("fewest")
    more = matched.join(fewest, on=KEY)
    surplus = more[more["pair"] >= more["fewest"]]
    told = [
        jobs[reasons != ""].assign(reason=reasons[reasons != ""]),
        surplus.assign(reason=[f"more jobs {SIDES[side]} than {SIDES[1 - side]}" for side in surplus["side"]]),
    ]
    grouped = pd.concat(told, ignore_index=True).groupby(["side", *KEY, "reason"], sort=False).size().rename("jobs").reset_index()
    grouped["side"] = [SIDES[side] for side in grouped["side"]]
    return PairedJobs(
        jobs=matched[["side", *KEY, "class", "energy_j", "pair"]],
        unmatched=grouped[["side", *KEY, "jobs", "reason"]],
        named_by=named,
        classes_by=_KEPT if kept else f"Classes are EAR's for a node with {params.machine}; {_ANOTHER}",
    )


_KEPT = "Classes are those kept on Signatures (column CLASS)."
_ANOTHER = "choose another processor, or keep both tables with their classes on Signatures."


def _steps(table: SignatureTable, params: Params | None) -> pd.DataFrame:
    """One row per job step: user, application ("" where the table names none), class ("" = none), energy_j (NaN = not known)."""
    from hemcore.signatures.job_steps import APPLICATION, USER, batch_steps, first_texts, step_numbers
    from hemcore.signatures.signature_rows import energy_j

    own = ~batch_steps(table.frame)
    frame = table.frame[own].reset_index(drop=True)
    classes = (
        frame["CLASS"].astype(object).fillna("").astype(str) if params is None else _classes(table, params)[own].reset_index(drop=True)
    )
    rows = pd.DataFrame({"step": step_numbers(frame), "class": classes.to_numpy(dtype=object), "energy_j": energy_j(frame)})
    for name, columns in (("user", USER), ("application", APPLICATION)):
        texts = first_texts(frame, columns)
        rows[name] = "" if texts is None else texts
    groups = rows.groupby("step", sort=True)
    steps = groups[["user", "application"]].first()
    # The sum of some nodes would pass for the job's energy.
    steps["energy_j"] = groups["energy_j"].sum().where(groups["energy_j"].count() == groups.size())
    classed = rows[rows["class"] != ""].groupby(["step", "class"], sort=True).size().rename("rows").reset_index()
    most = classed.sort_values(["step", "rows"], ascending=[True, False], kind="stable").drop_duplicates("step").set_index("step")
    steps["class"] = most["class"].reindex(steps.index).fillna("")
    return steps.reset_index(drop=True)


def _classes(table: SignatureTable, params: Params) -> pd.Series:
    """By these parameters of Signatures; "" for rows that do not count, which may be all."""
    found = pd.Series("", index=table.frame.index, dtype=object)
    try:
        classes = asked_by_jobs()[0].of(table, params).classes
    except ParameterError:  # none was measured: energy is compared alone
        return found
    found.iloc[classes["row"].to_numpy()] = classes["class"].astype(object).fillna("").to_numpy()
    return found


def asked_by_jobs() -> tuple[AnyAnalysis, ...]:
    """The classes of signatures."""
    from hemcore.signatures.analysis import CLASSIFY  # who compares other tables does not wait for it

    return (CLASSIFY,)


def _reasons(jobs: pd.DataFrame, named: tuple[str, ...]) -> np.ndarray:
    """Of each job, why its user and application are not in the other table; "" if they are."""
    unnamed = np.logical_and.reduce([jobs[name].isin(["", UNKNOWN]).to_numpy() for name in named])
    sides = [jobs[jobs["side"] == side] for side in (0, 1)]
    found = np.full(len(jobs), "", dtype=object)
    for side, other in ((0, 1), (1, 0)):
        own = (jobs["side"] == side).to_numpy()
        both = pd.MultiIndex.from_frame(jobs[KEY]).isin(pd.MultiIndex.from_frame(sides[other][KEY]))
        found[own & ~both] = f"this user did not run it {SIDES[other]}"
        for name in named:
            absent = ~jobs[name].isin(sides[other][name]).to_numpy()
            found[own & absent] = f"{name} not there {SIDES[other]}"
    found[unnamed] = "names neither user nor application" if len(named) == 2 else f"names no {named[0]}"
    return found
