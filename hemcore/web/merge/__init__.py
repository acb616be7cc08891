"""The Merge page's own room."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import Analysis
    from hemcore.datasets.tables.subexperiments import Subexperiments
    from hemcore.merge.results import MergeReport

RECOMMENDED = "Copula"


def _asks() -> Mapping[str, "Analysis[Subexperiments, Any, MergeReport]"]:
    # Imported here, as below: the start of the server waits for no analysis.
    from hemcore.merge.analysis import COPULA, HRM, MUCH

    return {RECOMMENDED: COPULA, "MUCH": MUCH, "HRM": HRM}


def _warm() -> None:
    # Imported here: the start of the server does not wait for numba.
    from hemcore.merge.warm_up import warm

    warm()


def _opens(table: "Subexperiments") -> Mapping[str, object]:
    """The recommended merge, where it makes nobody wait. What a link without a method shows is another matter: it stays as it was."""
    from hemcore.merge.analysis import COPULA

    return {} if COPULA.is_long(table, COPULA.params()) else {"family": RECOMMENDED}


PAGE: "Page[Subexperiments]" = Page(
    name="merge",
    title="Merge",
    icon=":material/merge:",
    section="Analyse",
    heading="Merge subexperiments",
    purpose="HEMs read in separate subexperiments, put together as if the processor had read them all at once.",
    answers="How do HEMs go together that were never read together? Subexperiments become one table, around an anchor or for all pairs.",
    kind="Subexperiments",
    start=(Start(sample="subexperiments-much"), Start(sample="subexperiments-hrm")),
    opens=_opens,
    leads="Merge these subexperiments",
    asks=_asks,
    warm=_warm,
    picture="correlation",
    story="Put HEMs that were never read together into one table, and see how far its correlations can be trusted.",
)
