"""The Merge page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import Analysis
    from hemcore.datasets.tables.subexperiments import Subexperiments
    from hemcore.merge.results import MergeReport

USUAL = "Copula"
# Seconds that a first answer may take, with its progress: with a slower one the page opens on a quicker method.
_MOST_S = 10.0


def _asks() -> Mapping[str, "Analysis[Subexperiments, Any, MergeReport]"]:
    # Imported here, as below: the server must not wait for analyses at start.
    from hemcore.merge.analysis import COPULA, HRM, MUCH

    return {USUAL: COPULA, "MUCH": MUCH, "HRM": HRM}


def _warm() -> None:
    # Imported here: the server must not wait for numba at start.
    from hemcore.merge.warm_up import warm
    from hemcore.metrics.sets.definition_sets import OURS, our_definitions

    warm()
    for name in OURS:  # whether Metrics can go on with the table
        our_definitions(name)


def _opens(table: "Subexperiments") -> Mapping[str, object]:
    """The copula, unless it takes too long for a first answer. Links without a method are unaffected."""
    from hemcore.merge.analysis import COPULA

    return {} if COPULA.seconds(table, COPULA.params()) > _MOST_S else {"family": USUAL}


PAGE: "Page[Subexperiments]" = Page(
    name="merge",
    title="Merge",
    icon=":material/merge:",
    section="Analyse",
    heading="Merge subexperiments",
    purpose="Combine HEMs read in separate subexperiments as if the processor had read them all at once.",
    answers="How are HEMs related that were never read together? Subexperiments become one table, around an anchor or for all pairs.",
    kind="Subexperiments",
    start=(Start(sample="subexperiments-much", choices={"family": USUAL}), Start(sample="subexperiments-hrm")),
    opens=_opens,
    leads="Merge these subexperiments",
    then=("metrics", "prediction"),
    asks=_asks,
    warm=_warm,
    picture="correlation",
)
