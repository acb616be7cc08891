"""The Prediction page."""

from hemcore.web.page import Page, Start


def _warm() -> None:
    # Imported here so that the server starts without waiting for scipy and k-medoids.
    import hemcore.prediction.analysis  # noqa: F401


PAGE = Page(
    name="prediction",
    title="Prediction",
    icon=":material/query_stats:",
    section="Analyse",
    heading="Prediction",
    purpose="Predict a program's cycles from the counters of its phases, with intervals, and choose which phases to measure.",
    answers="How many cycles will an unseen program take, what accounts for them, and which phases should be measured?",
    kind="PhaseTable",
    start=(Start(sample="phases"),),
    leads="Predict from these phases",
    methods={
        "Explore": "prediction.explore",
        "Predict": "prediction.evaluation",
        "Where the cycles go": "prediction.cost_stack",
        "What-if": "prediction.what_if",
    },
    picture="correlation",
    in_address=("selected",),
    story="Predict unseen programs, see how accurate that is, and choose a few phases to measure instead.",
    warm=_warm,
)
