"""The parameters of a plan: one frozen model; the form, the link, the bounds and the report all use it."""

from typing import Literal

from hemcore.params import Params, control, parameter


class PlanParams(Params):
    """Parameters of a measurement plan."""

    n_pmcs: int = parameter(
        6,
        title="PMCs",
        description="Number of HEMs the processor counts at once. Additional (fixed) counters are named with the HEMs.",
        ge=2,
        le=64,
        step=1,
        slider=(2, 16),
    )
    goal: Literal["pairs", "anchor", "budget"] = parameter(
        "pairs",
        title="Goal",
        description="pairs: read every pair of HEMs together at least once. anchor: in addition, read the anchor in each subexperiment."
        " budget: read as many pairs as possible in a given number of subexperiments.",
    )
    anchor: str = parameter("", title="Anchor HEM", description="The HEM read in each subexperiment. Empty: the first of the list.")
    groups: int = parameter(
        10,
        title="Maximum subexperiments",
        description="The plan reads as many pairs as possible with this many.",
        ge=1,
        le=100_000,
        step=1,
        unit="subexperiments",
    )
    wanted: str = parameter(
        "",
        title="Wanted pairs",
        description="Pairs to read together, one per line: HEM with HEM; * means every other HEM. Empty: all pairs, or, of a list"
        " for metrics, those inside a metric.",
        longest=20_000,
    )
    runs: int = parameter(
        350,
        title="Runs per subexperiment",
        description="Reducing runs usually harms a merge less than omitting subexperiments.",
        ge=1,
        le=100_000,
        step=50,
        unit="runs",
    )
    seconds_per_run: float = parameter(
        1.0,
        title="Time per run",
        description="Duration of one run of the program, for the estimate.",
        ge=0.0,
        le=86_400.0,
        step=0.5,
        unit="s",
    )
    pilot: str = parameter(
        "",
        title="Pilot readings",
        description="Subexperiments already measured. The tab What cuts cost uses them to show how much fewer runs or fewer"
        " subexperiments would harm a merge.",
    )
    cut: int = parameter(
        0,
        title="Cut",
        description="Of the cuts of the pilot readings: which one, the whole readings being the first, 0.",
        ge=0,
        le=100_000,
        step=1,
    )
    definitions: str = parameter(
        "",
        title="Definitions",
        description="Of a list for metrics: the definitions that it was made from. The tab Fewer subexperiments evaluates the metrics with"
        " them. Empty: the project's own set that fits the events best.",
    )
    time_limit: float = parameter(
        5.0,
        title="Search time",
        description="How long to search for a better plan; the search ends earlier if nothing better exists.",
        ge=0.1,
        le=600.0,
        step=1.0,
        unit="s",
    )
    seed: int = parameter(0, title="Seed", description="The same seed gives the same plan.", ge=0, le=4_294_967_295, step=1)


SEARCH_FIELDS = ("n_pmcs", "goal", "anchor", "groups", "wanted", "time_limit", "seed")


def possible_pmcs(n_pmcs: int) -> int:
    """`n_pmcs`, or the next number within the bounds of the field."""
    field = control(PlanParams, "n_pmcs")
    return int(min(max(n_pmcs, field.low), field.high))
