"""What EAR's policies cost: time, energy, energy-delay product against reference runs; node-hours and energy by class, user, application.

The batch step that SLURM adds to a job is left out: its time and energy are those of the job's own steps once more.

Source: EAR's user guide, energy policies (POLICY_TH of min_energy is the most time that may be lost); EAR documentation for the classes.
"""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.signatures.class_rules import Floats
from hemcore.signatures.job_steps import (
    ACCOUNT,
    APPLICATION,
    USER,
    batch_steps,
    first_numbers,
    first_texts,
    step_numbers,
)
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.signature_rows import energy_j, is_loop, periods

NO_POLICY = "none"
_FREQUENCY = ("DEF_FREQ_KHZ", "JOB_DEF_FREQ")
_TURBO_KHZ = 1_000  # what cpufreq adds to the nominal frequency to mean turbo
_COLUMNS = (
    *("application", "policy", "def_freq_khz", "runs", "nodes", "time_s", "energy_j", "power_w", "edp_js", "cpu_khz", "time_spread"),
    *("threshold", "reference", "time_change", "energy_change", "edp_change", "over_threshold"),
)
_CHANGES = {"time_change": "time_s", "energy_change": "energy_j", "edp_change": "edp_js"}


def compare_policies(frame: pd.DataFrame, params: SignatureParams) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """PolicyReport.policies and PolicyReport.no_reference of job signatures; an empty table where there is no column POLICY.

    A run is a job step: its time is the longest of its nodes', its energy their sum. Raises ParameterError for a reference policy that no
    run has.
    """
    if "POLICY" not in frame.columns or is_loop(frame).any():
        return _empty(), ()
    runs = _runs(frame[~batch_steps(frame)])
    if not len(runs):
        return _empty(), ()
    if params.reference_policy and not (runs["policy"] == params.reference_policy).any():
        raise ParameterError(
            f"reference_policy: {params.reference_policy!r} is not among the policies; they are {listed(sorted(set(runs['policy'])))}."
        )
    keys = ["application", "policy", "def_freq_khz"]
    groups = runs.groupby(keys, dropna=False, sort=True)
    found = groups[["time_s", "energy_j", "power_w", "edp_js", "cpu_khz", "threshold", "nodes"]].mean()
    found.insert(0, "runs", groups.size())
    spread = groups["time_s"].std()
    found["time_spread"] = (spread / found["time_s"]).where(found["time_s"] > 0)
    found = found.reset_index()
    found, without = _against_reference(found, params)
    return found[list(_COLUMNS)], without


def usage(frame: pd.DataFrame, classes: pd.Series) -> pd.DataFrame:
    """PolicyReport.usage; classes: of each row of `frame`, missing where it has none ("not classified")."""
    own = ~batch_steps(frame)
    frame, classes = frame[own].reset_index(drop=True), classes[own].reset_index(drop=True)
    hours = _hours(frame)
    energy = energy_j(frame) / 3.6e6
    named = {
        "class": classes.astype(object).where(classes.notna(), "not classified").to_numpy(),
        "user": first_texts(frame, USER),
        "account": first_texts(frame, ACCOUNT),
        "application": first_texts(frame, APPLICATION),
    }
    total = np.nansum(energy)
    parts = []
    for by, names in named.items():
        if names is None:
            continue
        rows = pd.DataFrame({"group": names.astype(str), "hours": hours, "energy": energy})
        rows["powered"] = rows["hours"].where(rows["energy"].notna())
        groups = rows.groupby("group", sort=True)
        sums = groups[["hours", "energy", "powered"]].sum(min_count=1)
        part = pd.DataFrame(
            {
                "by": by,
                "group": sums.index,
                "signatures": groups.size().to_numpy(),
                "node_hours": sums["hours"].to_numpy(),
                "energy_kwh": sums["energy"].to_numpy(),
                "mean_power_w": (1e3 * sums["energy"] / sums["powered"]).to_numpy(),
                "share": (sums["energy"] / total if total > 0 else sums["energy"] * np.nan).to_numpy(),
            }
        )
        parts.append(part.sort_values(["energy_kwh", "group"], ascending=[False, True], kind="stable"))
    return pd.concat(parts, ignore_index=True) if len(frame) else parts[0].iloc[:0]


def _runs(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per job step: application, policy, def_freq_khz, nodes, time_s, energy_j, power_w, edp_js, cpu_khz, threshold."""
    policy = frame["POLICY"].astype(object).where(frame["POLICY"].notna(), "").astype(str).str.strip()
    application = first_texts(frame, APPLICATION)
    rows = pd.DataFrame(
        {
            "application": "all jobs" if application is None else application.astype(str),
            "policy": policy.where(policy != "", NO_POLICY).to_numpy(),
            "def_freq_khz": first_numbers(frame, _FREQUENCY),
            "time_s": periods(frame),
            "energy_j": energy_j(frame),
            "cpu_khz": first_numbers(frame, ("AVG_CPUFREQ_KHZ",)),
            "threshold": first_numbers(frame, ("POLICY_TH",)),
        }
    )
    rows["run"] = step_numbers(frame)
    groups = rows.groupby(["application", "policy", "def_freq_khz", "run"], dropna=False, sort=True)
    runs = groups.agg(
        nodes=("run", "size"),
        time_s=("time_s", "max"),
        cpu_khz=("cpu_khz", "mean"),
        threshold=("threshold", "mean"),
    )
    runs["energy_j"] = groups["energy_j"].sum(min_count=1).where(groups["energy_j"].count() == groups.size())
    runs["power_w"] = runs["energy_j"] / runs["time_s"]
    runs["edp_js"] = runs["energy_j"] * runs["time_s"]
    runs = runs.reset_index()
    limits = runs["threshold"]
    # -1 is what EAR writes if there is none.
    runs["threshold"] = limits.where((limits >= 0) & (runs["policy"] != NO_POLICY) & (runs["policy"] != "monitoring"))
    finite = runs.select_dtypes("number").columns
    runs[finite] = runs[finite].replace([np.inf, -np.inf], np.nan)
    return runs


def _against_reference(found: pd.DataFrame, params: SignatureParams) -> tuple[pd.DataFrame, tuple[str, ...]]:
    found = found.assign(reference=False, **dict.fromkeys(_CHANGES, np.nan))
    without = []
    for application, part in found.groupby("application", sort=False):
        row = _reference(part, params)
        if row is None:
            without.append(str(application))
            continue
        found["reference"] = found["reference"] | (found.index == row)
        own = found["application"] == application
        for change, figure in _CHANGES.items():
            base = float(found[figure].to_numpy()[found.index == row][0])
            if base > 0:
                found[change] = found[change].where(~own, found[figure] / base - 1)
    promised = found["policy"].str.startswith("min_energy")
    found["over_threshold"] = promised & (found["time_change"].to_numpy(dtype=float) > found["threshold"].to_numpy(dtype=float))
    return found, tuple(without)


def _reference(part: pd.DataFrame, params: SignatureParams) -> int | None:
    """The index of the row that an application's others are compared with; None where no run is like it."""
    policy = params.reference_policy
    if not policy:
        named = [name for name in ("monitoring", NO_POLICY) if (part["policy"] == name).any()]
        policy = named[0] if named else str(part["policy"].to_numpy()[part["runs"].to_numpy().argmax()])
    chosen = part[part["policy"] == policy]
    if params.reference_khz is not None:
        chosen = chosen[chosen["def_freq_khz"] == params.reference_khz]
    if not len(chosen):
        return None
    nominal = chosen[(chosen["def_freq_khz"] % 100_000) != _TURBO_KHZ]
    chosen = nominal if len(nominal) else chosen
    return int(chosen.index[int(chosen["def_freq_khz"].fillna(-1).to_numpy().argmax())])


def _empty() -> pd.DataFrame:
    kinds: dict[str, type] = {"application": object, "policy": object, "reference": bool, "over_threshold": bool}
    return pd.DataFrame({name: pd.Series(dtype=kinds.get(name, float)) for name in _COLUMNS})


def _hours(frame: pd.DataFrame) -> Floats:
    """Node-hours of each row; a row is of one node."""
    if is_loop(frame).any():
        power = first_numbers(frame, ("DC_NODE_POWER_W",))
        with np.errstate(divide="ignore", invalid="ignore"):
            seconds = energy_j(frame) / power
        return np.where(np.isfinite(seconds), seconds, np.nan) / 3600
    return periods(frame) / 3600
