"""What the user chooses for a plan: one frozen model; the form, the link, the bounds and the report all come from it."""

from typing import Literal

from hemcore.params import Params, parameter


class PlanParams(Params):
    """Parameters of a plan of measurement."""

    n_pmcs: int = parameter(
        6,
        title="PMCs",
        description="How many HEMs the processor counts at once. Counters beside them (fixed ones) are named with the HEMs.",
        ge=2,
        le=64,
        step=1,
        slider=(2, 16),
    )
    goal: Literal["pairs", "anchor", "budget"] = parameter(
        "pairs",
        title="Goal",
        description="pairs: every pair of HEMs is read together at least once. anchor: that, and the anchor is read in each subexperiment."
        " budget: most pairs with a number of subexperiments.",
    )
    anchor: str = parameter("", title="Anchor HEM", description="The HEM that each subexperiment reads. Empty: the first of the list.")
    groups: int = parameter(
        10,
        title="Subexperiments",
        description="How many there is time for; the plan reads most pairs with them.",
        ge=1,
        le=100_000,
        step=1,
        unit="subexperiments",
    )
    wanted: str = parameter(
        "",
        title="Wanted pairs",
        description="Pairs that are to be read together, a line each: HEM with HEM; * stands for every other HEM. Empty: all pairs.",
        longest=20_000,
    )
    runs: int = parameter(
        350,
        title="Runs each",
        description="Runs of every subexperiment. Fewer runs cost a merge less than fewer subexperiments do.",
        ge=1,
        le=100_000,
        step=50,
        unit="runs",
    )
    seconds_per_run: float = parameter(
        1.0, title="Time of a run", description="How long the program runs, for the estimate.", ge=0.0, le=86_400.0, step=0.5, unit="s"
    )
    pilot: str = parameter(
        "",
        title="Pilot readings",
        description="Subexperiments that were read already: the tab What cuts cost says from them what fewer runs, or fewer"
        " subexperiments, would cost a merge.",
    )
    time_limit: float = parameter(
        5.0,
        title="Time for planning",
        description="How long a better plan is looked for; the search ends before where nothing better exists.",
        ge=0.1,
        le=600.0,
        step=1.0,
        unit="s",
    )
    seed: int = parameter(0, title="Seed", description="The same seed gives the same plan.", ge=0, le=4_294_967_295, step=1)


SEARCH_FIELDS = ("n_pmcs", "goal", "anchor", "groups", "wanted", "time_limit", "seed")
