"""The analyses of signatures: classes by three strategies, k-medoids and their stability, policies and energy, a job over time."""

import numpy as np
import pandas as pd

from hemcore.analysis import Analysis, AnalysisOf, Kept, Progress
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import HemError, ParameterError, UnknownNameError
from hemcore.signatures import headline, headline_usage
from hemcore.signatures.class_rules import TABLE_CLASSES, Floats
from hemcore.signatures.clusters.cluster_quality import principal_directions, profile
from hemcore.signatures.ear.ear_files import suspicions
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.policies import compare_policies, usage
from hemcore.signatures.results import ClassifiedSignatures, JobInTime, OneSeed, PolicyReport, SeedStability, SignatureClusters
from hemcore.signatures.seed_stability import fitted, one_seed, seeds, stability
from hemcore.signatures.side_by_side import every_class, gpu_counted, identified, seen_of, stand_for_jobs, strategy_of
from hemcore.signatures.signature_rows import energy_j, gpu_active, is_loop, loop_seconds, unmeasured


def kmedoids(table: SignatureTable, params: SignatureParams, progress: Progress | None = None) -> SignatureClusters:
    """Medoids of the signatures that count, without GPU jobs and rows whose TPI is in another unit. Raises as fit_kmedoids does."""
    _tell(progress, f"k-medoids of {len(table.first):,} signatures")
    frame = table.frame
    seen, out, other, marked = seen_of(table, params)
    gpu = gpu_counted(marked, out)
    model = fitted(table, params, out | other | gpu)
    assert model.clusters is not None
    kept = model.clusters >= 0
    names = list(model.names)
    rows = identified(table, kept)
    codes = model.clusters[kept].astype(np.intp)
    rows["cluster"] = pd.Categorical.from_codes(codes, categories=pd.Index(names))
    rows["class"] = model.labels[kept].array
    pca, shown = principal_directions(model.units(rows[list(METRICS)].to_numpy()))
    return SignatureClusters(
        model=model,
        rows=rows,
        gpu=identified(table, gpu),
        profile=profile(frame, model.clusters, list(model.names)),
        pca=pca,
        spread_shown=shown,
        seen=seen,
        params=params,
    )


def classify(
    table: SignatureTable, params: SignatureParams, progress: Progress | None = None, clusters: SignatureClusters | None = None
) -> ClassifiedSignatures:
    """Every signature that counts by the strategies: k-medoids by the files given, else by `clusters`, else not at all.

    Raises ParameterError where no signature counts, or k-medoids is chosen and neither files nor clusters can stand for jobs.
    """
    _tell(progress, f"classes of {len(table.first):,} signatures")
    seen, out, _, marked = seen_of(table, params)
    if not seen.counted:
        why = "was measured" if not seen.aside else "is left"
        raise ParameterError(f"signatures: none of {seen.rows:,} {why}: CPI, TPI, MEM_GBS or GFLOPS are missing, 0, or set aside.")
    rows = identified(table, ~out)
    model = None if params.medoids or clusters is None or not stand_for_jobs(clusters) else clusters.model
    found, reasons = every_class(rows, params, gpu_counted(marked, out)[~out], None if model is None or clusters is None else clusters.rows)
    strategy = strategy_of(params, "k-medoids" in found)
    codes = [column.cat.codes.to_numpy() for column in found.values()]
    most = np.maximum.reduce(codes)
    # What k-medoids leaves out (another TPI) has the classes of the others.
    agree = np.logical_and.reduce([(column < 0) | (column == most) for column in codes])
    verdict = found[strategy.name]
    if verdict.isna().any():
        verdict = verdict.where(verdict.notna(), found["roofline"])
    marks = marked[~out].reset_index(drop=True)
    agreed = pd.Series(agree, index=rows.index, name="agree")
    every = pd.concat([rows, *found.values(), verdict.rename("class"), agreed, *reasons, marks], axis=1)
    medoids, extremes = params.ear_medoids, params.ear_extremes
    return ClassifiedSignatures(
        classes=every,
        strategy=strategy,
        model=model,
        seen=seen,
        warnings=suspicions(peaks=params.peaks, medoids=medoids, extremes=extremes, signatures=rows, order=params.order),
        params=params,
    )


def side_by_side(table: SignatureTable, params: SignatureParams, progress: Progress | None = None) -> ClassifiedSignatures:
    """As `classify`, with k-medoids of the table beside the other two where it has enough signatures for them."""
    try:
        clusters = None if params.medoids else kmedoids(table, params, progress)
    except HemError:  # too few: the other two strategies remain
        clusters = None
    return classify(table, params, progress, clusters)


def classified(found: ClassifiedSignatures, table: SignatureTable) -> SignatureTable:
    """The rows of `table` that count, with further columns: CLASS, and CLASS_DEFAULT and so on by the strategies at hand ("" = none)."""
    classes = found.classes
    names = {"CLASS": "class"} | {f"CLASS_{name.upper().replace('-', '')}": name for name in found.strategies}
    kept = table.frame.iloc[classes["row"].to_numpy()].reset_index(drop=True).drop(columns=list(names), errors="ignore")
    texts = pd.DataFrame({column: classes[name].astype(object).fillna("").to_numpy() for column, name in names.items()})
    return SignatureTable(frame=pd.concat([kept, texts], axis=1))


def policies(table: SignatureTable, params: SignatureParams, progress: Progress | None, classified: ClassifiedSignatures) -> PolicyReport:
    """Policies against reference runs, and who used what. Raises ParameterError for a reference policy that no run has."""
    _tell(progress, "policies and energy")
    classes = pd.Series(pd.Categorical([None] * len(table.first), categories=list(TABLE_CLASSES)))
    classes.iloc[classified.classes["row"].to_numpy()] = classified.classes["class"].to_numpy()
    compared, without = compare_policies(table.frame, params)
    return PolicyReport(policies=compared, usage=usage(table.frame, classes), no_reference=without, seen=classified.seen, params=params)


def job_in_time(table: SignatureTable, params: SignatureParams, progress: Progress | None = None) -> JobInTime:
    """The loops of params.job in the order of time; k-medoids by the files given, since three clusters of one job's loops say nothing.

    Raises ParameterError for a table without loops, UnknownNameError for an unknown job.
    """
    frame = table.frame
    if not is_loop(frame).any() or "TIMESTAMP" not in frame.columns:
        raise ParameterError(
            "signatures: these are not loops with a TIMESTAMP. Load the output of `eacct -r -c FILE` or EAR's csv_ts report."
        )
    names = _job_names(frame)
    counted = ~unmeasured(frame)
    sizes = names[counted].value_counts()
    if not len(sizes):
        raise ParameterError("signatures: no loop was measured: CPI, TPI, MEM_GBS or GFLOPS are missing or 0 in each row.")
    jobs = {str(name): int(size) for name, size in sizes.sort_index(kind="stable").sort_values(ascending=False, kind="stable").items()}
    job = params.job or next(iter(jobs))
    if job not in jobs:
        raise UnknownNameError(f"job: {job[:60]!r} has no loops here; jobs with loops: {listed(jobs)}.")
    own = (names == job).to_numpy() & counted
    stamps = pd.to_numeric(frame["TIMESTAMP"]).to_numpy(dtype=float)
    order = np.flatnonzero(own)[np.argsort(stamps[own], kind="stable")]
    part = frame.iloc[order].reset_index(drop=True)
    rows = part[list(METRICS)].astype(float)
    found, _ = every_class(rows, params, gpu_active(part), None)
    strategy = strategy_of(params, "k-medoids" in found)
    verdict = found[strategy.name]
    traffic, gflops = rows["MEM_GBS"].to_numpy(), rows["GFLOPS"].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        intensity = gflops / traffic
    node = part["NODENAME"].astype(str) if "NODENAME" in part.columns else pd.Series(["node"] * len(part))
    power = pd.to_numeric(part["DC_NODE_POWER_W"]) if "DC_NODE_POWER_W" in part.columns else pd.Series(np.nan, index=part.index)
    loops = pd.concat(
        [
            pd.DataFrame({"row": order, "node": node.to_numpy(dtype=object), "time_s": stamps[order] - stamps[order].min()}),
            pd.DataFrame({"seconds": _finite(loop_seconds(part))}),
            rows,
            pd.DataFrame({"intensity": _finite(intensity)}),
            *found.values(),
            verdict.where(verdict.notna(), found["roofline"]).rename("class"),
            pd.DataFrame({"power_w": power.to_numpy(dtype=float), "energy_j": energy_j(part)}),
        ],
        axis=1,
    )
    return JobInTime(loops=loops, job=job, jobs=jobs, strategy=strategy, params=params)


def _job_names(frame: pd.DataFrame) -> pd.Series:
    parts = [frame[name].astype(str) for name in ("JOBID", "STEPID") if name in frame.columns]
    if not parts:
        return pd.Series(["job"] * len(frame), index=frame.index)
    return parts[0] if len(parts) == 1 else parts[0] + "." + parts[1]


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)


def _tell(progress: Progress | None, note: str) -> None:
    if progress is not None:
        progress(0.02, note)


def _own_medoids(params: SignatureParams) -> tuple[AnalysisOf[SignatureTable], ...]:
    return (KMEDOIDS,) if params.strategy == "k-medoids" and not params.medoids else ()


_NODE = ("processor", "sockets", "n_cpus", "peak_gbs")
_FIT = ("n_clusters", "scale", "set_aside", "seed", *_NODE)
_LIMITS = (
    "rules",
    "cpu_cpi",
    "cpu_gbs",
    "mem_cpi",
    "mem_gbs",
    "peak_gflops",
    "bandwidth_share",
    "medoids",
    "extremes",
    "order",
    "strategy",
)

KMEDOIDS: Analysis[SignatureTable, SignatureParams, SignatureClusters] = Analysis(
    name="signatures.kmedoids",
    title="k-medoids of signatures",
    params=SignatureParams,
    reads=_FIT,
    compute=kmedoids,
    gives="rows",
    named_by=("n_clusters", "scale"),
    cards=headline.cluster_cards,
    verdict=headline.cluster_verdict,
)
CLASSIFY: Analysis[SignatureTable, SignatureParams, ClassifiedSignatures] = Analysis(
    name="signatures.classify",
    title="classes of signatures",
    params=SignatureParams,
    reads=(*_LIMITS, *_FIT),
    # No other strategy uses them: what a page shows depends on its address, not on the tabs that were open.
    calls_for=_own_medoids,
    compute=classify,
    gives="classes",
    named_by=("strategy", "rules"),
    keeps=(
        Kept(
            name="classified",
            description="the signatures that count, with their class by each strategy; by k-medoids where it was chosen or given",
            kind="SignatureTable",
            make=classified,
        ),
    ),
    cards=headline.cards,
    verdict=headline.verdict,
)
SIDE_BY_SIDE: Analysis[SignatureTable, SignatureParams, ClassifiedSignatures] = Analysis(
    name="signatures.side_by_side",
    title="three strategies side by side",
    params=SignatureParams,
    reads=(*_LIMITS, *_FIT),
    compute=side_by_side,
    gives="classes",
)
POLICIES: Analysis[SignatureTable, SignatureParams, PolicyReport] = Analysis(
    name="signatures.policies",
    title="policies and energy",
    params=SignatureParams,
    reads=(*_LIMITS, *_FIT, "reference_policy", "reference_khz"),
    inputs=(CLASSIFY,),
    compute=policies,
    gives="policies",
    cards=headline_usage.policy_cards,
    verdict=headline_usage.policy_verdict,
)
JOB: Analysis[SignatureTable, SignatureParams, JobInTime] = Analysis(
    name="signatures.job",
    title="a job in time",
    params=SignatureParams,
    reads=(*_LIMITS, *_NODE, "job"),
    compute=job_in_time,
    gives="loops",
    named_by=("job",),
    cards=headline_usage.job_cards,
    verdict=headline_usage.job_verdict,
)
ONE_SEED: Analysis[SignatureTable, SignatureParams, OneSeed] = Analysis(
    name="signatures.one_seed",
    title="k-medoids of one seed",
    params=SignatureParams,
    reads=_FIT,
    compute=one_seed,
)
STABILITY: Analysis[SignatureTable, SignatureParams, SeedStability] = Analysis(
    name="signatures.stability",
    title="k-medoids over seeds",
    params=SignatureParams,
    reads=_FIT,
    part=ONE_SEED,
    parts=seeds,
    gather=stability,
    gives="seeds",
)
