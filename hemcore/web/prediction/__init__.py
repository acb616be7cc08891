"""The Prediction page's own room."""

from hemcore.web.page import Page, Start


def _warm() -> None:
    # Imported here: the start of the server does not wait for scipy and k-medoids.
    import hemcore.prediction.analysis  # noqa: F401


PAGE = Page(
    name="prediction",
    title="Prediction",
    icon=":material/query_stats:",
    section="Analyse",
    heading="Prediction",
    purpose="How the counters of a program's phases go together, and which phases need be measured to know the others.",
    answers="What do the counters of a phase say about its cycles, and which phases need be measured?",
    kind="PhaseTable",
    start=(Start(sample="phases"),),
    leads="Predict from these phases",
    methods={"Explore": "prediction.explore"},
    picture="correlation",
    in_address=("selected",),
    story="See what a phase's counters say about its cycles, and which few phases stand for a whole program.",
    warm=_warm,
)
