"""The Multiplexing page's own room."""

from typing import Any

from hemcore.web.page import Page, Start


def _warm() -> None:
    # Imported here: the start of the server does not wait for numba.
    from hemcore.mpx import warm

    warm()


def _can_be_multiplexed(table: Any) -> bool:
    """Whether there are slots to hide, or some that are hidden."""
    return len(table.events) > 1 and bool(table.intervals.duplicated(["application", "run"]).any())


PAGE = Page(
    name="multiplexing",
    title="Multiplexing",
    icon=":material/stacked_line_chart:",
    section="Analyse",
    heading="Multiplexed counts",
    purpose="What was hidden while an event had no counter: estimated by ten methods, and honestly scored where the truth is known.",
    answers="What did the events count while they had no counter? Estimates side by side, and what fewer counters would lose.",
    kind="CounterSeries",
    start=(
        Start(sample="series-mpx", choices={"application": "sensor_control"}),
        Start(sample="series-ocoe", choices={"application": "sensor_control"}),
    ),
    leads="Estimate hidden counts",
    takes=_can_be_multiplexed,
    methods={"Estimate": "mpx.estimate"},
    picture="curves",
    warm=_warm,
    story="See what multiplexing hides: count one slot in four, estimate the rest, and compare with the truth.",
)
