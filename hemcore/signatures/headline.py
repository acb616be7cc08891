"""The headline figures and the verdicts of classes and clusters."""

import math
from dataclasses import replace

from hemcore.errors import Remedy
from hemcore.headline import FEW_RUNS, Card, Trust, Verdict, counted_noun, percent, with_step
from hemcore.signatures.class_rules import CLASSES, GPU
from hemcore.signatures.clusters.ear_kmedoids import LABELLING
from hemcore.signatures.ear.machines import THRESHOLDS
from hemcore.signatures.headline_text import ADD_JOBS, THIS_MACHINE, row_of_least, verdict_of
from hemcore.signatures.params import ASSUMED, SignatureParams
from hemcore.signatures.results import ClassifiedSignatures, SeedStability, Seen, SignatureClusters

# Agreement and silhouettes that leave little doubt, and that leave little to believe.
_GOOD, _POOR = 0.85, 0.5
_DIFFER = Remedy(label="Show where they differ", choose={"view": "Verdicts"})
_FILES = Remedy(label="Show EAR's files", choose={"view": "EAR files"})


def cards(found: ClassifiedSignatures) -> list[Card]:
    """The share of each class, the agreement of the strategies, and the number of signatures that count."""
    counts = _classes_there(found)
    n = len(found.classes)
    assumed = "; machine assumed" if found.params.assumed else ""
    shares = [
        Card(
            label=name,
            value=counts[name] / n,
            form=".0%",
            note=f"{counts[name]:,} of {counted_noun(n, found.seen.noun)}, by {found.strategy.name}{assumed}"
            if name != GPU
            else f"{counts[name]:,} of {counted_noun(n, found.seen.noun)}; EAR's rules see the CPU alone",
            help=f"Strategy: {found.strategy.name}. {found.strategy.why} Machine: {found.params.machine}.",
        )
        for name in counts
    ]
    pairs = found.pairs
    least = row_of_least(pairs, pairs["agree"])
    return [
        *shares,
        Card(
            label="Agreement",
            value=found.agreement,
            form=".0%",
            note=f"lowest: {least['one']} with {least['other']}, {percent(least['agree'])}",
            help=f"The share of signatures to which all strategies ({', '.join(found.strategies)}) give the same class; GPU jobs aside.",
            of=", ".join(found.strategies),
        ),
        Card(
            label="Counted",
            value=n,
            text=f"{n:,} of {found.seen.rows:,}",
            note=_aside(found.seen) or "all were measured",
            help="A signature that lacks a metric, or whose four metrics are all 0 (EAR's library was not loaded), has no class.",
        ),
    ]


def verdict(found: ClassifiedSignatures) -> Verdict:
    """The share of each class, the agreement of the strategies, and the limits of the four metrics."""
    counts, n = _classes_there(found), len(found.classes)
    shares = ", ".join(f"{percent(counts[name] / n)} {name}" for name in counts)
    answer = f"{counted_noun(n, found.seen.noun)}: {shares}."
    agreed = f"Strategies agree on {percent(found.agreement)}"
    level: Trust = "poor" if found.agreement < _POOR else "good" if found.agreement >= _GOOD else "limited"
    reasons: list[str] = []
    remedies: tuple[Remedy, ...] = ()
    if found.params.assumed:
        reasons.append(f"Machine assumed: {found.params.machine}.")
        remedies = (THIS_MACHINE,)
        level = "limited" if level == "good" else level
    if found.agreement < _GOOD:
        pairs = found.pairs
        least = row_of_least(pairs, pairs["agree"])
        others = [each for each in (str(least["one"]), str(least["other"])) if each != found.strategy.name]
        verb = "differ" if len(others) > 1 else "differs"
        reasons.append(f"{agreed}; {' and '.join(others)} {verb} most.")
    doubts = _doubts(found.seen) + _few(n)
    if limits := _other_limits(found.params):
        doubts.append(f"The default thresholds are of {limits}; the processor is of {found.params.node.architecture}.")
        limits_of_it = found.params.node.thresholds
        fields = {name: getattr(limits_of_it, name) for name in ("cpu_cpi", "cpu_gbs", "mem_cpi", "mem_gbs")}
        remedies = (Remedy(label="Use this processor's", choose=fields),)
        reasons.insert(0, "Thresholds of another processor.")
    if found.warnings:
        doubts += ["Check peaks, medoids and extremes: a value looks wrong.", found.warnings[0]]
    if doubts and level == "good":
        level = "limited"
    reasons += doubts
    if found.agreement >= _GOOD:
        reasons.append(f"{agreed}.")
    if aside := _aside(found.seen):
        reasons.append(f"Without a class: {aside}.")
    if counts.get(GPU):
        reasons.append(f"{counted_noun(counts[GPU], f'GPU {found.seen.noun}')} apart: the four metrics do not show what a GPU does.")
    if found.params.assumed:
        # One line beside the button that says which machine it is.
        return Verdict(
            answer=answer,
            trust=reasons[0],
            why=tuple(reasons[1:]),
            level=level,
            remedies=remedies,
        )
    shown = replace(verdict_of(answer, reasons, level), remedies=remedies)
    differ = found.agreement < _GOOD and not found.warnings
    return with_step(shown, _DIFFER if differ else _own_files(found.params) if found.warnings else ADD_JOBS)


def _own_files(params: SignatureParams) -> Remedy:
    """The step away from given numbers that look wrong: this table's medoids, or the processor's peaks; else to the tab of the files."""
    if params.medoids or params.extremes:
        return Remedy(label="Use medoids of these jobs", choose={"medoids": "", "extremes": ""})
    given = params.peak_gbs is not None or params.peak_gflops is not None
    return Remedy(label="Use the processor's peaks", choose={"peak_gbs": None, "peak_gflops": None}) if given else _FILES


def _classes_there(found: ClassifiedSignatures) -> dict[str, int]:
    """Signatures by class; without GPU jobs where there are none."""
    return {name: n for name, n in found.class_counts.items() if n or name != GPU}


def _other_limits(params: SignatureParams) -> str:
    """The architecture of the default thresholds if it is not the processor's; "" if it is, or they are of none."""
    own = (params.cpu_cpi, params.cpu_gbs, params.mem_cpi, params.mem_gbs)
    of = next((name for name, each in THRESHOLDS.items() if own == (each.cpu_cpi, each.cpu_gbs, each.mem_cpi, each.mem_gbs)), "")
    return "" if params.processor == ASSUMED or of == params.node.architecture else of


def _few(n: int) -> list[str]:
    return [f"Only {n}; {FEW_RUNS} or more are needed."] if n < FEW_RUNS else []


def cluster_cards(found: SignatureClusters) -> list[Card]:
    """Sizes of the clusters, silhouette, change of class through EAR's files, mean distance."""
    model, n = found.model, len(found.rows)
    sizes = [
        Card(
            label=name,
            value=size / n,
            form=".0%",
            note=f"{size:,} of {counted_noun(n, found.seen.noun)}",
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
            note=f"of up to 2,000 {found.seen.noun}s",
            help="How much nearer signatures are to their own cluster than to the next one: 1 is well separated, 0 is on the border.",
            better="higher",
            of=f"{len(model.names)} clusters, {model.fit.scale}",
        ),
        Card(
            label="Change in EAR's files",
            value=model.share_changed,
            form=".1%",
            note=f"{model.n_changed:,} change class" if model.n_changed is not None else "EAR's files hold 3 medoids",
            help="EAR's files hold z-scores of the untransformed metrics; read back, some signatures are nearest to another medoid.",
            better="lower",
        ),
        Card(
            label="Mean distance",
            value=model.fit.loss / n,
            form=".3f",
            note=f"{model.fit.algorithm}, seed {model.seed}",
            help="Mean distance of signatures to their medoid, in standardised units.",
            better="lower",
            of=f"{len(model.names)} clusters, {model.fit.scale}",
        ),
    ]


def cluster_verdict(found: SignatureClusters) -> Verdict:
    """The clusters, their separation, and what EAR's files keep of them."""
    model, n = found.model, len(found.rows)
    sizes = ", ".join(f"{percent(size / n)} {name}" for name, size in zip(model.names, model.fit.sizes, strict=True))
    few = len(model.names) <= len(CLASSES)
    detail = f": {sizes}" if few else f"; the largest cluster has {percent(max(model.fit.sizes) / n)}"
    answer = f"{len(model.names)} medoids stand for {counted_noun(n, found.seen.noun)}{detail}."
    level: Trust = "poor"
    if math.isnan(model.silhouette):
        reasons = ["All signatures are in one cluster."]
    else:
        level = "good" if model.silhouette >= 0.4 else "limited" if model.silhouette >= 0.2 else "poor"
        degree = {"good": "well", "limited": "somewhat", "poor": "hardly"}[level]
        reasons = [f"The clusters are {degree} separated (silhouette {model.silhouette:.2f})."]
    doubts = _doubts(found.seen) + _few(n)
    if model.n_changed is not None:
        reasons.append(f"{percent(model.share_changed, 1)} change class when EAR's files are read back.")
        if model.share_changed > 0.05 and level == "good":
            level = "limited"
    if doubts and level == "good":
        level = "limited"
    if aside := _aside(found.seen, with_tpi=True):
        reasons.append(f"Left out: {aside}.")
    if len(found.gpu):
        reasons.append(f"{counted_noun(len(found.gpu), f'GPU {found.seen.noun}')} are in no cluster.")
    shown = verdict_of(answer, [*reasons[:1], *doubts, *reasons[1:], *([] if few else [f"Sizes: {sizes}."])], level)
    return with_step(shown, ADD_JOBS if n < FEW_RUNS else _other_clusters(found.params, found.seen))


def _other_clusters(params: SignatureParams, seen: Seen | None = None) -> Remedy:
    """What may separate clusters better: cube roots, GPU jobs set aside, or another number of clusters."""
    if params.scale != "cbrt":
        return Remedy(label="Use cube roots", choose={"scale": "cbrt"})
    if params.set_aside == "nothing" and seen is not None and seen.badges["GPU active"]:
        return Remedy(label="Set GPU jobs aside", choose={"set_aside": "GPU active"})
    number = params.n_clusters - 1 if params.n_clusters > 2 else 3
    return Remedy(label=f"Find {number} clusters", choose={"n_clusters": number})


def stability_verdict(found: SeedStability) -> Verdict:
    """Whether other seeds find the same clusters."""
    others = found.seeds["rand_index"].iloc[1:]
    least = float(others.min())
    level: Trust = "good" if least >= 0.95 else "limited" if least >= 0.8 else "poor"
    same = {"good": "practically the same", "limited": "similar", "poor": "different"}[level]
    advice = {
        "good": "The medoids do not depend on the seed.",
        "limited": "The cluster of signatures between two medoids depends on the seed.",
        "poor": "Do not rely on the medoids: try cube roots, another number of clusters, or setting GPU jobs aside.",
    }
    return Verdict(
        answer=f"Other seeds find {same} clusters: adjusted Rand index at least {least:.3f}.",
        trust=advice[level],
        why=(f"Compared with the first seed: {counted_noun(len(others), 'other seed')}.",),
        level=level,
        remedies=() if level == "good" else (_other_clusters(found.params),),
    )


def _aside(seen: Seen, *, with_tpi: bool = False) -> str:
    parts = [
        *([f"{seen.unmeasured:,} not measured"] if seen.unmeasured else []),
        *([f"{seen.aside:,} set aside"] if seen.aside else []),
        *([f"{seen.another_tpi:,} with TPI in another unit"] if with_tpi and seen.another_tpi else []),
    ]
    return ", ".join(parts)


def _doubts(seen: Seen) -> list[str]:
    """Sentences about readings that speak against the classes."""
    # A missing or clipped power meter does not change a class.
    texts = {
        "summed nodes": "are sums over several nodes, not values of one",
    }
    found = [f"{seen.badges[badge]:,} {text}." for badge, text in texts.items() if seen.badges[badge]]
    if seen.gpu_by_power and seen.badges["GPU active"]:
        found.append("No GPU utilisation in this file: idle GPUs, which draw power too, count as active.")
    if seen.another_tpi:
        found.append(f"{seen.another_tpi:,} have TPI in another unit, as from another EAR version.")
    return found
