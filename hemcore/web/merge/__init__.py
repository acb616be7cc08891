"""The Merge page's own room."""

from hemcore.web.page import Page, Start


def _warm() -> None:
    # Imported here: the start of the server does not wait for numba.
    from hemcore.merge.warm import warm

    warm()


PAGE = Page(
    name="merge",
    title="Merge",
    icon=":material/merge:",
    section="Analyse",
    heading="Merge subexperiments",
    purpose="HEMs read in separate subexperiments, put together as if the processor had read them all at once.",
    answers="How do HEMs go together that were never read together? Subexperiments become one table, around an anchor or for all pairs.",
    kind="Subexperiments",
    start=(Start(sample="subexperiments-much"), Start(sample="subexperiments-hrm")),
    leads="Merge these subexperiments",
    methods={"MUCH": "merge.much", "HRM": "merge.hrm", "Copula": "merge.copula"},
    warm=_warm,
    picture="correlation",
    story="Put HEMs that were never read together into one table, and see how far its correlations can be trusted.",
)
