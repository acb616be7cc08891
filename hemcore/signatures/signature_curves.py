"""What the thresholds of the classes, the time that may be lost and the price do, over the whole range of their sliders."""

import numpy as np
import pandas as pd

from hemcore.params import control
from hemcore.signatures.class_rules import CPU, GPU, MEMORY, Floats
from hemcore.signatures.classify import judge_default, judge_roofline
from hemcore.signatures.job_steps import batch_steps
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.results import ClassifiedSignatures, PolicyReport
from hemcore.signatures.signature_rows import energy_j
from hemcore.slider_curve import SliderCurve, points

# Each threshold: the class that it bounds, by which strategy, by which metric.
_BOUNDS = {
    "cpu_cpi": (CPU, "default", "CPI"),
    "cpu_gbs": (CPU, "default", "MEM_GBS"),
    "mem_cpi": (MEMORY, "default", "CPI"),
    "mem_gbs": (MEMORY, "default", "MEM_GBS"),
    "bandwidth_share": (MEMORY, "roofline", "MEM_GBS"),
}


def class_curve(found: ClassifiedSignatures, field: str) -> SliderCurve | None:
    """How many signatures are of the class that the threshold `field` bounds, by its strategy, at each value of the slider.

    Jobs whose GPU worked are in no class of the CPU, as in the table. None if the rules do not read the threshold: bandwidth_share in
    EAR's releases.
    """
    params, shape = found.params, control(SignatureParams, field)
    name, strategy, metric = _BOUNDS[field]
    documented = params.rules == "documentation"
    if strategy == "roofline" and not documented:
        return None
    low, high = shape.slider or (shape.low, shape.high)
    rows = found.classes[(found.classes[strategy] != GPU).to_numpy()]
    loosest = params.but(**{field: high if name == CPU else low})
    if strategy == "default":
        judged = judge_default(rows, loosest.thresholds, rules=params.rules)
    else:
        judged = judge_roofline(rows, params.peaks, bandwidth_share=loosest.bandwidth_share, n_cpus=params.cpus)
    able = judged.measured & (judged.cpu if name == CPU else judged.memory)
    values = np.sort(rows[metric].to_numpy(dtype=float)[able]) / (params.peaks.gbs if strategy == "roofline" else 1.0)
    # Where a signature enters or leaves: EAR's documentation includes the threshold itself, its releases do not.
    steps = values if documented == (name == CPU) else np.nextafter(values, np.inf)
    x = np.unique(np.concatenate([[low], steps[(steps > low) & (steps < high)], [high]]))
    passed = np.searchsorted(steps, x, side="right").astype(float)
    return SliderCurve(
        field=field,
        label=shape.title,
        answer=f"{name} by {'thresholds' if strategy == 'default' else strategy}",
        x=x,
        y=passed if name == CPU else len(values) - passed,
        form=",.0f",
        unit=found.seen.name,
        stairs=True,
    )


def saved_by_lost_time(report: PolicyReport) -> pd.DataFrame:
    """What the best measured choices save if each application may take longer by at most a share: one row per such share, ascending.

    Each application takes the policy and frequency with the least energy whose time_change is at most `lost`; without one it stays at its
    reference. Columns: lost, saved_j (of one run of each application), reference_j. Empty without applications that have a reference.
    """
    rows = report.policies
    rows = rows[rows["energy_j"].notna() & rows["time_change"].notna()]
    reference = rows.loc[rows["reference"]].set_index("application")["energy_j"]
    rows = rows[rows["application"].isin(reference.index)]
    if not len(rows):
        return pd.DataFrame({"lost": [], "saved_j": [], "reference_j": []})
    losses = np.unique(np.maximum(np.append(rows["time_change"].to_numpy(dtype=float), 0.0), 0.0))
    saved = []
    for lost in losses:
        best = rows[rows["time_change"] <= lost + 1e-12].groupby("application")["energy_j"].min()
        saved.append(float((reference - best.reindex(reference.index).fillna(reference).clip(upper=reference)).sum()))
    return pd.DataFrame({"lost": losses, "saved_j": saved, "reference_j": float(reference.sum())})


def saving_curve(report: PolicyReport) -> SliderCurve | None:
    """The share of the energy that is saved, by the time that may be lost; None without applications that have a reference.

    Beyond the slowest choice that was measured nothing more is saved.
    """
    saved = saved_by_lost_time(report)
    if not len(saved):
        return None
    shape = control(SignatureParams, "lost_time")
    share: Floats = (saved["saved_j"] / saved["reference_j"]).to_numpy(dtype=float)
    x = np.append(saved["lost"].to_numpy(dtype=float), max((shape.slider or (0, 1))[1], float(saved["lost"].max())))
    y = np.append(share, share[-1])
    return SliderCurve(field="lost_time", label=shape.title, answer="energy saved", x=x, y=y, form=".1%", stairs=True)


def price_curve(frame: pd.DataFrame) -> SliderCurve | None:
    """What the energy of all signatures costs, by the price of a kWh, without SLURM's batch steps; None where no energy was read."""
    used = float(np.nansum(energy_j(frame[~batch_steps(frame)]))) / 3.6e6
    if not used:
        return None
    shape = control(SignatureParams, "price")
    x = points(*(shape.slider or (0, 1)), most=2)
    return SliderCurve(field="price", label=shape.title, answer="cost of all energy", x=x, y=x * used, form=",.2f")
