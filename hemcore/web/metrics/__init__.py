"""The Metrics page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnyAnalysis
    from hemcore.compare.run_sets import Compared


def _asks() -> Mapping[str, "AnyAnalysis"]:
    # Imported here: the server must not wait for analyses at start.
    from hemcore.metrics.analysis import BY_PHASE, BY_SIGNATURE, METRICS, OVER_TABLE, OVER_TIME

    return {"Metrics": METRICS, "Runs of a table": OVER_TABLE, "Over time": OVER_TIME, "By phase": BY_PHASE, "Signatures": BY_SIGNATURE}


def _has_a_metric(table: object) -> bool:
    """Whether any definitions at hand give a metric of it."""
    from hemcore.web.metrics.fitting_sets import fits

    return fits(table)


PAGE: "Page[Compared]" = Page(
    name="metrics",
    title="Metrics",
    icon=":material/account_tree:",
    section="Analyse",
    heading="Metrics",
    purpose="Turn event counts into metrics: IPC, miss ratios, top-down; with intervals, over time or by phase.",
    answers="Where do the cycles go, and how sure is that? Metrics and a top-down tree with an interval on each.",
    kind="Subexperiments",
    also=("CounterSeries", "PhaseTable", "SignatureTable"),
    start=(Start(sample="subexperiments-much"), Start(sample="subexperiments-synthetic")),
    leads="Metrics of these readings",
    takes=_has_a_metric,
    unless="No definitions fit these events. For metrics, upload some: what perf list prints, or files of Intel, Arm or LIKWID.",
    then=("merge", "segmentation", "prediction"),
    asks=_asks,
    picture="tree",
)
