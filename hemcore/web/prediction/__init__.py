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
    purpose="What the counters of a program's phases say about its cycles, how far to trust a prediction, and which phases to measure.",
    answers="How many cycles will a program take that nobody has seen, where do they go, and which phases need be measured?",
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
    story="Predict programs that no model has seen, see how far to trust that, and which few phases to measure instead.",
    warm=_warm,
)
