"""The three strategies side by side: which rows of a table count, their classes by each strategy, and which strategy counts."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import ParameterError, Remedy
from hemcore.signatures.class_rules import CLASSES, WHY_GPU, Flags, with_gpu
from hemcore.signatures.classify import judge_default, judge_kmedoids, judge_roofline
from hemcore.signatures.ear.ear_files import EarFiles, Strategy, choose_strategy
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.results import Seen, SignatureClusters
from hemcore.signatures.signature_rows import (
    BADGES,
    TPI_UNITS,
    badges,
    gpu_known_by_power,
    is_loop,
    left_out,
    of_another_tpi,
    tpi_units,
    unmeasured,
)

# Signatures from which on medoids of a table classify it.
FEWEST = 100


def seen_of(table: SignatureTable, params: SignatureParams) -> tuple[Seen, Flags, Flags, pd.DataFrame]:
    """What counts; the rows that do not (unmeasured or set aside); the rows whose TPI is in another unit; the badges of every row."""
    frame = table.first
    marked = badges(frame, n_cpus=params.cpus, peak_gbs=params.peaks.gbs)
    missing = unmeasured(frame)
    out = left_out(frame, params.set_aside, params.cpus)
    units = tpi_units(frame)
    other = of_another_tpi(units) & ~out
    counted = np.bincount(units.cat.codes.to_numpy()[~missing], minlength=len(TPI_UNITS))
    seen = Seen(
        rows=len(frame),
        unmeasured=int(missing.sum()),
        aside=int((out & ~missing).sum()),
        another_tpi=int(other.sum()),
        tpi_units={unit: int(number) for unit, number in zip(TPI_UNITS, counted, strict=True)},
        badges={badge: int((marked[badge].to_numpy() & ~missing).sum()) for badge in BADGES},
        noun="loop" if is_loop(frame).any() else "job" if "JOBID" in frame.columns and frame["JOBID"].is_unique else "signature",
        gpu_by_power=gpu_known_by_power(list(frame.columns)),
    )
    return seen, out, other, marked


def identified(table: SignatureTable, kept: Flags) -> pd.DataFrame:
    """Row number, identifiers and metrics of the rows that are `kept`, numbered anew."""
    frame = table.first
    places = np.flatnonzero(kept)
    columns: dict[str, object] = {"row": places}
    columns |= {name: frame[name].array.take(places) for name in table.identifiers}
    return pd.DataFrame(columns | {name: frame[name].to_numpy(dtype=float, na_value=np.nan)[places] for name in METRICS}, copy=False)


def every_class(
    rows: pd.DataFrame, params: SignatureParams, gpu: Flags, labels: pd.DataFrame | None
) -> tuple[dict[str, pd.Series], list[pd.Series]]:
    """The classes of `rows` by each strategy at hand (categories TABLE_CLASSES), and why.

    gpu: of each row, whether a GPU worked. labels: `row` and `class` of k-medoids of the table.
    """
    metric = rows[list(METRICS)]
    share = {"bandwidth_share": params.bandwidth_share, "rules": params.rules, "n_cpus": params.cpus}
    judged = [judge_default(metric, params.thresholds, rules=params.rules), judge_roofline(metric, params.peaks, **share)]  # type: ignore[arg-type]
    found = {"default": judged[0].classes, "roofline": judged[1].classes}
    reasons = [each.reasons for each in judged]
    medoids, extremes = params.ear_medoids, params.ear_extremes
    if medoids is not None and extremes is not None:
        by = {"rules": params.rules, "n_cpus": params.cpus}
        nearest = judge_kmedoids(metric, medoids, extremes, **by)  # type: ignore[arg-type]
        found["k-medoids"] = nearest.classes
        reasons.append(nearest.reasons)
    elif labels is not None:
        places = pd.Index(labels["row"]).get_indexer(rows["row"])
        codes = np.where(places >= 0, labels["class"].cat.codes.to_numpy()[places], -1).astype(np.intp)
        own = pd.Categorical.from_codes(codes, categories=pd.Index(CLASSES))
        found["k-medoids"] = pd.Series(own, index=rows.index, name="k-medoids")
        why = own.rename_categories({name: f"nearest to a {name} medoid" for name in CLASSES})
        reasons.append(pd.Series(why, index=rows.index, name="why k-medoids"))
    return {name: with_gpu(each, gpu) for name, each in found.items()}, [with_gpu(each, gpu, WHY_GPU) for each in reasons]


def gpu_counted(marked: pd.DataFrame, out: Flags) -> Flags:
    """Of each row of a table, whether it counts and a GPU worked; `marked` and `out` as `seen_of` gives them."""
    found: Flags = marked["GPU active"].to_numpy() & ~out
    return found


def stand_for_jobs(clusters: SignatureClusters) -> bool:
    """Whether medoids found in this table can stand for a machine's jobs: three clusters of a few, or of one job's loops, do not."""
    return clusters.model.fit.measured >= FEWEST and clusters.seen.noun != "loop"


def strategy_of(params: SignatureParams, has_medoids: bool) -> Strategy:
    """The strategy whose class counts. Raises ParameterError if k-medoids is chosen but not available."""
    if params.strategy == "as EAR chooses":
        if params.medoids:
            given = EarFiles(peaks=params.peaks, medoids=params.ear_medoids, extremes=params.ear_extremes)
            return choose_strategy(given)
        return choose_strategy(EarFiles(peaks=params.peaks))
    if params.strategy == "k-medoids" and not has_medoids:
        raise ParameterError(
            f"strategy: k-medoids needs {FEWEST} measured jobs without a GPU, or EAR's files; these are loops or fewer. "
            "Choose another strategy, or enter medoids and extremes.",
            remedies=[Remedy(label="Use the roofline", choose={"strategy": "roofline"})],
        )
    return Strategy(name=params.strategy, why="You chose it.")
