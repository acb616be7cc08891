"""The headline figures and the verdicts of policies, energy, and a job in time."""

from typing import Any

import numpy as np

from hemcore.headline import Card, Verdict
from hemcore.signatures.headline_text import known, many, row_of_least, times
from hemcore.signatures.results import JobInTime, PolicyReport


def policy_cards(found: PolicyReport) -> list[Card]:
    """Energy and node-hours of all, and the policies that save and cost most."""
    total = found.usage[found.usage["by"] == "class"]
    energy, hours = total["energy_kwh"].sum(min_count=1), total["node_hours"].sum(min_count=1)
    every = [
        Card(
            label="Energy",
            value=known(energy),
            form=",.4g",
            note="kWh, nodes' own" if known(energy) is not None else "no power was read",
            help="DC_NODE_POWER_W times the time of each signature.",
        ),
        Card(
            label="Node-hours",
            value=known(hours),
            form=",.4g",
            note=many(found.seen.rows, found.seen.noun),
            help="Time of each signature; a row is one node's. SLURM's batch steps are left out.",
        ),
        Card(
            label="Policies",
            value=found.policies["policy"].nunique(),
            note=f"at {many(found.policies['def_freq_khz'].nunique(), 'default frequency')}" if len(found.policies) else "none is named",
        ),
    ]
    compared = found.policies[~found.policies["reference"] & found.policies["energy_change"].notna()]
    if len(compared):
        best = row_of_least(compared, compared["energy_change"])
        every.append(
            Card(
                label="Least energy",
                value=float(best["energy_change"]),
                form="+.1%",
                note=f"{_run(best)}: time {best['time_change']:+.1%}",
                help="Energy against the reference run of the same application.",
                better="lower",
            )
        )
    return every


def policy_verdict(found: PolicyReport) -> Verdict:
    """Which policy saves what for which time, and whether one took more than it promised."""
    compared = found.policies[~found.policies["reference"] & found.policies["energy_change"].notna()]
    if not len(compared):
        total = found.usage[found.usage["by"] == "class"]
        measured = total[total["energy_kwh"].notna()]
        if not len(measured):
            answer = f"No power was read of {many(found.seen.rows, found.seen.noun)}, so energy is not known."
            return Verdict(answer=answer, trust="Nothing is compared.", level="poor")
        most = row_of_least(measured, -measured["energy_kwh"])
        share = f"{most['share']:.0%}".replace("%", " %") if np.isfinite(most["share"]) else "all"
        answer = f"{most['group']} signatures took {share} of {measured['energy_kwh'].sum():,.4g} kWh."
        return Verdict(answer=answer, trust="All ran under one policy at one frequency, so no policy can be compared.", level="limited")
    best = row_of_least(compared, compared["energy_change"])
    verb = "saves" if best["energy_change"] < 0 else "costs"
    energy = f"{abs(best['energy_change']):.1%}".replace("%", " %")
    time = f"{best['time_change']:+.1%}".replace("%", " %").replace("-", "−")
    answer = f"{_run(best)} {verb} {energy} energy for {time} time against the reference runs of {best['application']}."
    over = compared[compared["over_threshold"]]
    words = []
    if len(over):
        worst = row_of_least(over, -over["time_change"])
        limit = f"{worst['threshold']:.0%}".replace("%", " %")
        paid = f"{worst['time_change']:.0%}".replace("%", " %")
        words.append(f"{_run(worst)} took {paid} more time than the reference where {limit} was allowed.")
    single = int(compared["runs"].min()) == 1
    if single:
        words.append("Some were run once only, so chance is part of the differences.")
    if found.no_reference:
        words.append(f"No reference run: {', '.join(found.no_reference[:3])}.")
    return Verdict(answer=answer, trust=" ".join(words), level="limited" if single or found.no_reference or len(over) else "good")


def job_cards(found: JobInTime) -> list[Card]:
    """Loops, time, energy, and the share of each class."""
    loops = found.loops
    seconds, energy = loops["seconds"].sum(min_count=1), loops["energy_j"].sum(min_count=1)
    return [
        Card(label="Loops", value=len(loops), note=f"on {many(loops['node'].nunique(), 'node')}", help="Loop signatures, one row each."),
        *(
            Card(label=name, value=share, form=".0%", note="of the time", help=f"By {found.strategy.name}. {found.strategy.why}")
            for name, share in found.shares.items()
        ),
        Card(
            label="Energy",
            value=known(energy),
            form=",.4g",
            note="J, power times differences of TIMESTAMP" if known(energy) is not None else "no power was read",
            help="The time of an iteration (ITER_TIME_SEC) is not that of a signature's period: energy from it would be too small.",
        ),
        Card(label="Seconds", value=known(seconds), form=",.4g", note="that the loops stand for", help="By differences of TIMESTAMP."),
    ]


def job_verdict(found: JobInTime) -> Verdict:
    """What the job mostly is, and how often that changes."""
    name, share = max(found.shares.items(), key=lambda each: each[1])
    part = f"{share:.0%}".replace("%", " %")
    loops = many(len(found.loops), "loop")
    answer = f"Job {found.job} is {name} in {part} of its time; its class changes {times(found.changes)} over {loops}."
    unknown = int(found.loops["seconds"].isna().sum())
    words = f"Of {many(unknown, 'loop')} the time is not known." if unknown else "Every loop's time is known from its TIMESTAMP."
    few = len(found.loops) < 5
    return Verdict(answer=answer, trust=words + (" They are few." if few else ""), level="limited" if few else "good")


def _run(row: dict[str, Any]) -> str:
    policy, khz = row["policy"], row["def_freq_khz"]
    return f"{policy} at {khz / 1e6:.3g} GHz" if np.isfinite(khz) else str(policy)
