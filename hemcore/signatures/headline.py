"""The headline figures and the verdicts of classes and clusters."""

import math

from hemcore.headline import Card, Trust, Verdict
from hemcore.signatures.class_rules import CLASSES
from hemcore.signatures.clusters.ear_kmedoids import LABELLING
from hemcore.signatures.headline_text import many, row_of_least
from hemcore.signatures.results import ClassifiedSignatures, SeedStability, Seen, SignatureClusters

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
            note=f"{counts[name]:,} of {many(n, found.seen.noun)}, by {found.strategy.name}",
            help=f"Strategy: {found.strategy.name}. {found.strategy.why}",
        )
        for name in CLASSES
    ]
    pairs = found.pairs
    least = row_of_least(pairs, pairs["agree"])
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
    answer = f"{many(n, found.seen.noun)}: {shares}; the {_WORDS[len(found.strategies)]} strategies agree on {agree}."
    level: Trust = "good" if found.agreement >= _GOOD else "limited" if found.agreement >= _POOR else "poor"
    words = []
    if level != "good":
        pairs = found.pairs
        least = row_of_least(pairs, pairs["agree"])
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
            note=f"{size:,} of {many(n, found.seen.noun)}",
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
    answer = f"{len(model.names)} medoids stand for {many(n, found.seen.noun)}: {parts}."
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


def stability_verdict(found: SeedStability) -> Verdict:
    """Whether other seeds find the same clusters."""
    others = found.seeds["rand_index"].iloc[1:]
    least = float(others.min())
    level: Trust = "good" if least >= 0.95 else "limited" if least >= 0.8 else "poor"
    same = {"good": "practically the same", "limited": "similar", "poor": "other"}[level]
    answer = f"Other seeds find {same} clusters: adjusted Rand index {least:.3f} at least over {len(others)} of them."
    advice = {
        "good": "The medoids do not hang on the seed.",
        "limited": "Signatures between two medoids hang on the seed.",
        "poor": "Do not rely on them: try cube roots, another number of clusters, or set GPU jobs aside.",
    }
    return Verdict(answer=answer, trust=advice[level], level=level)


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
