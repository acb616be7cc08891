"""The headline figures and the verdicts of signatures."""

import math
from typing import Any

import numpy as np
import pandas as pd

from hemcore.headline import Card, Trust, Verdict
from hemcore.signatures.classes import CLASSES
from hemcore.signatures.kmedoids import LABELLING
from hemcore.signatures.results import ClassifiedSignatures, JobInTime, PolicyReport, Seen, SignatureClusters

# Agreement and silhouettes that leave little doubt, and that leave little to believe.
_GOOD, _POOR = 0.85, 0.5
_WORDS = {2: "two", 3: "three"}


def cards(found: ClassifiedSignatures) -> list[Card]:
    """The share of each class, the agreement of the strategies, and what of the table counts."""
    counts = found.class_counts
    n = len(found.classes)
    shares = [
        Card(
            label=name,
            value=counts[name] / n,
            form=".0%",
            note=f"{counts[name]:,} of {_many(n, found.seen.noun)}, by {found.strategy.name}",
            help=f"Strategy: {found.strategy.name}. {found.strategy.why}",
        )
        for name in CLASSES
    ]
    pairs = found.pairs
    least = _row(pairs, pairs["agree"])
    return [
        *shares,
        Card(
            label="Agreement",
            value=found.agreement,
            form=".0%",
            note=f"least: {least['one']} with {least['other']}, {least['agree']:.0%}",
            help=f"The share of which the {_WORDS[len(found.strategies)]} strategies ({', '.join(found.strategies)}) say the same.",
            of=", ".join(found.strategies),
        ),
        Card(
            label="Counted",
            value=n,
            text=f"{n:,} of {found.seen.rows:,}",
            note=_aside(found.seen) or "every one was measured",
            help="Without a metric, or with all four 0 (EAR's library was not loaded), a signature has no class.",
        ),
    ]


def verdict(found: ClassifiedSignatures) -> Verdict:
    """How many are of each class, whether the strategies agree, and what the four metrics do not show."""
    counts, n = found.class_counts, len(found.classes)
    shares = ", ".join(f"{counts[name] / n:.0%} {name}".replace("%", " %") for name in CLASSES)
    agree = f"{found.agreement:.0%}".replace("%", " %")
    answer = f"{_many(n, found.seen.noun)}: {shares}; the {_WORDS[len(found.strategies)]} strategies agree on {agree}."
    level: Trust = "good" if found.agreement >= _GOOD else "limited" if found.agreement >= _POOR else "poor"
    words = []
    if level != "good":
        pairs = found.pairs
        least = _row(pairs, pairs["agree"])
        words.append(f"{least['one']} and {least['other']} differ most; the classes are by {found.strategy.name}.")
    if aside := _aside(found.seen):
        words.append(f"Without a class: {aside}.")
    doubts = _doubts(found.seen)
    words += doubts
    if found.warnings:
        words.append(found.warnings[0])
    if (doubts or found.warnings) and level == "good":
        level = "limited"
    return Verdict(answer=answer, trust=" ".join(words), level=level)


def cluster_cards(found: SignatureClusters) -> list[Card]:
    """Sizes of the clusters, silhouette, what changes on the way through EAR's files, loss."""
    model, n = found.model, len(found.rows)
    sizes = [
        Card(
            label=name,
            value=size / n,
            form=".0%",
            note=f"{size:,} of {_many(n, found.seen.noun)}",
            help=LABELLING,
        )
        for name, size in zip(model.names[:3], model.fit.sizes, strict=False)
    ]
    return [
        *sizes,
        Card(
            label="Silhouette",
            value=model.silhouette,
            form=".2f",
            note=f"of at most 2,000 {found.seen.noun}s",
            help="How much nearer a signature is to its own cluster than to the next: 1 far apart, 0 on the border.",
            better="higher",
            of=f"{len(model.names)} clusters, {model.fit.scale}",
        ),
        Card(
            label="Change in EAR's files",
            value=model.share_changed,
            form=".1%",
            note=f"{model.n_changed:,} change class" if model.n_changed is not None else "EAR's files hold 3 medoids",
            help="EAR's files hold z-scores of the metrics as they are; read back so, some signatures are nearest to another medoid.",
            better="lower",
        ),
        Card(
            label="Mean distance",
            value=model.fit.loss / n,
            form=".3f",
            note=f"{model.fit.algorithm}, seed {model.seed}",
            help="Of a signature to its medoid, in standardised units.",
            better="lower",
            of=f"{len(model.names)} clusters, {model.fit.scale}",
        ),
    ]


def cluster_verdict(found: SignatureClusters) -> Verdict:
    """What the clusters are, how well they are apart, and what EAR's files keep of them."""
    model, n = found.model, len(found.rows)
    parts = ", ".join(f"{size / n:.0%} {name}".replace("%", " %") for name, size in zip(model.names, model.fit.sizes, strict=True))
    answer = f"{len(model.names)} medoids stand for {_many(n, found.seen.noun)}: {parts}."
    words = []
    level: Trust = "good"
    if math.isnan(model.silhouette):
        words.append("All are in one cluster.")
        level = "poor"
    else:
        level = "good" if model.silhouette >= 0.4 else "limited" if model.silhouette >= 0.2 else "poor"
        apart = {"good": "well", "limited": "somewhat", "poor": "hardly"}[level]
        words.append(f"The clusters are {apart} apart (silhouette {model.silhouette:.2f}).")
    if model.n_changed is not None:
        share = f"{model.share_changed:.1%}".replace("%", " %")
        words.append(f"Through EAR's files {share} change class.")
        if model.share_changed > 0.05:
            level = "limited" if level == "good" else level
    if aside := _aside(found.seen, with_tpi=True):
        words.append(f"Left out: {aside}.")
    doubts = _doubts(found.seen)
    return Verdict(answer=answer, trust=" ".join([*words, *doubts]), level="limited" if doubts and level == "good" else level)


def policy_cards(found: PolicyReport) -> list[Card]:
    """Energy and node-hours of all, and the policies that save and cost most."""
    total = found.usage[found.usage["by"] == "class"]
    energy, hours = total["energy_kwh"].sum(min_count=1), total["node_hours"].sum(min_count=1)
    every = [
        Card(
            label="Energy",
            value=_known(energy),
            form=",.4g",
            note="kWh, nodes' own" if _known(energy) is not None else "no power was read",
            help="DC_NODE_POWER_W times the time of each signature.",
        ),
        Card(
            label="Node-hours",
            value=_known(hours),
            form=",.4g",
            note=_many(found.seen.rows, found.seen.noun),
            help="Time of each signature; a row is one node's. SLURM's batch steps are left out.",
        ),
        Card(
            label="Policies",
            value=found.policies["policy"].nunique(),
            note=f"at {_many(found.policies['def_freq_khz'].nunique(), 'default frequency')}" if len(found.policies) else "none is named",
        ),
    ]
    compared = found.policies[~found.policies["reference"] & found.policies["energy_change"].notna()]
    if len(compared):
        best = _row(compared, compared["energy_change"])
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
        known = total[total["energy_kwh"].notna()]
        if not len(known):
            answer = f"No power was read of {_many(found.seen.rows, found.seen.noun)}, so energy is not known."
            return Verdict(answer=answer, trust="Nothing is compared.", level="poor")
        most = _row(known, -known["energy_kwh"])
        share = f"{most['share']:.0%}".replace("%", " %") if np.isfinite(most["share"]) else "all"
        answer = f"{most['group']} signatures took {share} of {known['energy_kwh'].sum():,.4g} kWh."
        return Verdict(answer=answer, trust="All ran under one policy at one frequency, so no policy can be compared.", level="limited")
    best = _row(compared, compared["energy_change"])
    verb = "saves" if best["energy_change"] < 0 else "costs"
    energy = f"{abs(best['energy_change']):.1%}".replace("%", " %")
    time = f"{best['time_change']:+.1%}".replace("%", " %").replace("-", "−")
    answer = f"{_run(best)} {verb} {energy} energy for {time} time against the reference runs of {best['application']}."
    over = compared[compared["over_threshold"]]
    words = []
    if len(over):
        worst = _row(over, -over["time_change"])
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
        Card(label="Loops", value=len(loops), note=f"on {_many(loops['node'].nunique(), 'node')}", help="Loop signatures, one row each."),
        *(
            Card(label=name, value=share, form=".0%", note="of the time", help=f"By {found.strategy.name}. {found.strategy.why}")
            for name, share in found.shares.items()
        ),
        Card(
            label="Energy",
            value=_known(energy),
            form=",.4g",
            note="J, power times differences of TIMESTAMP" if _known(energy) is not None else "no power was read",
            help="The time of an iteration (ITER_TIME_SEC) is not that of a signature's period: energy from it would be too small.",
        ),
        Card(label="Seconds", value=_known(seconds), form=",.4g", note="that the loops stand for", help="By differences of TIMESTAMP."),
    ]


def job_verdict(found: JobInTime) -> Verdict:
    """What the job mostly is, and how often that changes."""
    name, share = max(found.shares.items(), key=lambda each: each[1])
    part = f"{share:.0%}".replace("%", " %")
    loops = _many(len(found.loops), "loop")
    answer = f"Job {found.job} is {name} in {part} of its time; its class changes {_times(found.changes)} over {loops}."
    unknown = int(found.loops["seconds"].isna().sum())
    words = f"Of {_many(unknown, 'loop')} the time is not known." if unknown else "Every loop's time is known from its TIMESTAMP."
    few = len(found.loops) < 5
    return Verdict(answer=answer, trust=words + (" They are few." if few else ""), level="limited" if few else "good")


def _aside(seen: Seen, *, with_tpi: bool = False) -> str:
    parts = [
        *([f"{seen.unmeasured:,} not measured"] if seen.unmeasured else []),
        *([f"{seen.aside:,} set aside"] if seen.aside else []),
        *([f"{seen.another_tpi:,} with TPI in another unit"] if with_tpi and seen.another_tpi else []),
    ]
    return ", ".join(parts)


def _doubts(seen: Seen) -> list[str]:
    """What of the readings speaks against the classes, a sentence each."""
    # A missing DRAM power meter or a clipped one changes no class.
    words = {
        "GPU active": "used a GPU, which the four metrics do not show",
        "summed nodes": "add up several nodes and do not belong on one node's roofline",
    }
    found = [
        f"{seen.badges[badge]:,} {said}." for badge, said in words.items() if seen.badges[badge] and badge in ("GPU active", "summed nodes")
    ]
    if seen.another_tpi:
        found.append(f"TPI of {seen.another_tpi:,} is in another unit, as of another version.")
    return found


def _row(table: pd.DataFrame, least: pd.Series) -> dict[str, Any]:
    """The row of `table` where `least` is least."""
    place = int(least.to_numpy().argmin())
    return {str(name): value for name, value in table.iloc[place].items()}


def _run(row: dict[str, Any]) -> str:
    policy, khz = row["policy"], row["def_freq_khz"]
    return f"{policy} at {khz / 1e6:.3g} GHz" if np.isfinite(khz) else str(policy)


def _known(value: float) -> float | None:
    return float(value) if value is not None and np.isfinite(value) else None


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _many(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
