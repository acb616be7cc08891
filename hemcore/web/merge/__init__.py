"""The Merge page."""

from collections.abc import Mapping
from typing import Any

from hemcore.web.page import Page, Start

RECOMMENDED = "Copula"


def _warm() -> None:
    # Imported here: the server must not wait for numba at start.
    from hemcore.merge.warm_up import warm

    warm()


def _opens(table: Any) -> Mapping[str, Any]:
    """The recommended merge, if it is quick. Links without a method are unaffected."""
    from hemcore.analysis import analysis_named  # not needed by the navigation

    copula = analysis_named(_METHODS[RECOMMENDED])
    return {} if copula.is_long(table, copula.params()) else {"family": RECOMMENDED}


_METHODS = {RECOMMENDED: "merge.copula", "MUCH": "merge.much", "HRM": "merge.hrm"}
PAGE = Page(
    name="merge",
    title="Merge",
    icon=":material/merge:",
    section="Analyse",
    heading="Merge subexperiments",
    purpose="Combine HEMs read in separate subexperiments as if the processor had read them all at once.",
    answers="How are HEMs related that were never read together? Subexperiments become one table, around an anchor or for all pairs.",
    kind="Subexperiments",
    start=(Start(sample="subexperiments-much"), Start(sample="subexperiments-hrm")),
    opens=_opens,
    leads="Merge these subexperiments",
    methods=_METHODS,
    warm=_warm,
    picture="correlation",
    story="Merge HEMs that were never read together into one table, and see how far its correlations can be trusted.",
)
