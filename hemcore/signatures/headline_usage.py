"""The headline figures and the verdicts of policies, energy, and a job in time."""

import numpy as np
import pandas as pd

from hemcore.headline import Card, Trust, Verdict, amount, counted_noun, formatted, percent, with_step
from hemcore.signatures.headline_text import ADD_JOBS, THIS_MACHINE, known, row_of_least, verdict_of
from hemcore.signatures.results import JobInTime, PolicyReport


def policy_cards(found: PolicyReport) -> list[Card]:
    """Total energy and node-hours, the number of policies, and the one with the lowest energy."""
    total = found.usage[found.usage["by"] == "class"]
    energy, hours = total["energy_kwh"].sum(min_count=1), total["node_hours"].sum(min_count=1)
    every = [
        Card(
            label="Energy",
            value=known(energy),
            form=".4g",
            note="kWh, of the nodes" if known(energy) is not None else "no power was read",
            help="Sum over the signatures of DC_NODE_POWER_W times time.",
        ),
        Card(
            label="Node-hours",
            value=known(hours),
            form=".4g",
            note=counted_noun(found.seen.rows, found.seen.noun),
            help="Sum of the times of the signatures, one node per row, without SLURM's batch steps.",
        ),
        Card(
            label="Policies",
            value=found.policies["policy"].nunique(),
            note=f"at {counted_noun(found.policies['def_freq_khz'].nunique(), 'default frequency')}"
            if len(found.policies)
            else "none is recorded",
        ),
    ]
    compared = found.policies[~found.policies["reference"] & found.policies["energy_change"].notna()]
    if len(compared):
        best = row_of_least(compared, compared["energy_change"])
        every.append(
            Card(
                label="Lowest energy",
                value=float(best["energy_change"]),
                form="+.1%",
                note=f"{_run(best)}: time {formatted(best['time_change'], '+.1%')}",
                help="Change in energy from the reference run of the same application.",
                better="lower",
            )
        )
    return every


def policy_verdict(found: PolicyReport) -> Verdict:
    """The policy that saves most energy, the time it costs, and whether a policy exceeded its limit."""
    compared = found.policies[~found.policies["reference"] & found.policies["energy_change"].notna()]
    if not len(compared):
        total = found.usage[found.usage["by"] == "class"]
        measured = total[total["energy_kwh"].notna()]
        if not len(measured):
            answer = f"No power was read for {counted_noun(found.seen.rows, found.seen.noun)}, so energy is not known."
            return Verdict(answer=answer, trust="Nothing is compared.", level="poor", remedies=(ADD_JOBS,))
        most = row_of_least(measured, -measured["energy_kwh"])
        share = percent(most["share"]) if np.isfinite(most["share"]) else "all"
        answer = f"{most['group']} signatures used {share} of {amount(measured['energy_kwh'].sum(), 4)} kWh."
        alone = "All ran under one policy and frequency, so no policy can be compared."
        return Verdict(answer=answer, trust=alone, level="limited", remedies=(ADD_JOBS,))
    best = row_of_least(compared, compared["energy_change"])
    verb = "saves" if best["energy_change"] < 0 else "costs"
    time = formatted(best["time_change"], "+.1%")
    answer = f"{_run(best)} {verb} {percent(abs(best['energy_change']), 1)} energy for {time} time in {best['application']}."
    over = compared[compared["over_threshold"]]
    reasons = []
    if len(over):
        worst = row_of_least(over, -over["time_change"])
        reasons.append(
            f"{_run(worst)} took {percent(worst['time_change'])} more time than the reference; {percent(worst['threshold'])} was allowed."
        )
    single = int(compared["runs"].min()) == 1
    if single:
        reasons.append("Some were run only once, so chance is part of the differences.")
    if found.no_reference:
        reasons.append(f"No reference run: {', '.join(found.no_reference[:3])}.")
    level: Trust = "limited" if reasons else "good"
    reasons.append("Changes are relative to the reference runs of the same application.")
    return with_step(verdict_of(answer, reasons, level), ADD_JOBS)


def job_cards(found: JobInTime) -> list[Card]:
    """Loops, time, energy, and the share of each class."""
    loops = found.loops
    seconds, energy = loops["seconds"].sum(min_count=1), loops["energy_j"].sum(min_count=1)
    return [
        Card(
            label="Loops", value=len(loops), note=f"on {counted_noun(loops['node'].nunique(), 'node')}", help="Number of loop signatures."
        ),
        *(
            Card(label=name, value=share, form=".0%", note="of the time", help=f"Strategy: {found.strategy.name}. {found.strategy.why}")
            for name, share in found.shares.items()
        ),
        Card(
            label="Energy",
            value=known(energy),
            form=".4g",
            note="J, power times differences of TIMESTAMP" if known(energy) is not None else "no power was read",
            help="ITER_TIME_SEC is the time of one iteration, not of the signature's period: energy computed from it would be too low.",
        ),
        Card(label="Seconds", value=known(seconds), form=".4g", note="covered by the loops", help="From differences of TIMESTAMP."),
    ]


def job_verdict(found: JobInTime) -> Verdict:
    """The class the job has most of the time, and the number of changes."""
    name, share = max(found.shares.items(), key=lambda each: each[1])
    answer = f"Job {found.job} is {name} for {percent(share)} of its time, with {counted_noun(found.changes, 'class change')}."
    unknown = int(found.loops["seconds"].isna().sum())
    known_time = (
        f"The time of {counted_noun(unknown, 'loop')} is not known." if unknown else "Every loop's time is known from its TIMESTAMP."
    )
    few, n = len(found.loops) < 5, counted_noun(len(found.loops), "loop")
    reasons = [f"Only {n} were read.", known_time] if few else [known_time, f"It has {n}."]
    assumed = found.params.assumed and found.strategy.name == "roofline"
    if assumed:
        reasons = [f"The machine is assumed: {found.params.machine}. Choose the processor.", *reasons]
    level: Trust = "limited" if few or len(reasons) > 2 else "good"
    return with_step(verdict_of(answer, reasons, level), THIS_MACHINE if assumed else ADD_JOBS)


def _run(row: pd.Series) -> str:
    policy, khz = row["policy"], row["def_freq_khz"]
    return f"{policy} at {amount(khz / 1e6)} GHz" if np.isfinite(khz) else str(policy)
