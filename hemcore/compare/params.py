"""The parameters of a comparison: one frozen model."""

from typing import Literal

from hemcore.params import Params, parameter

StatisticName = Literal["mean", "median"]


class CompareParams(Params):
    """Parameters of the comparison of two sets of runs."""

    before: str = parameter(
        "",
        title="Before",
        description="The dataset with the earlier runs, of the same kind. Empty: the first half of these runs, against the second half.",
    )
    between: str = parameter(
        "",
        title="Sets between",
        description="Further datasets between before and these runs, in order (releases, nights): the course of each HEM over all of them.",
        longest=20_000,
    )
    among: str = parameter("", title="Programs", description="The program whose runs are compared. Empty: all programs together.")
    processor: str = parameter(
        "",
        title="Processor",
        description="Of signatures without classes: the nodes' processor, two per node, for EAR's classes. Empty: Xeon Platinum 8480+.",
    )
    paired: bool = parameter(
        False,
        title="Paired runs",
        description="Run 1 before belongs to run 1 after (the same input or seed), and so on. Both sets need the same number of runs.",
    )
    statistic: StatisticName = parameter(
        "mean",
        title="Statistic",
        description="mean: the expected count of a run. median: the count of a typical run, which a few extreme runs do not move.",
    )
    level: float = parameter(
        0.9,
        title="Confidence level",
        description="How often the intervals contain the true change.",
        ge=0.5,
        le=0.99,
        step=0.01,
        slider=(0.5, 0.99),
    )
    rate: float = parameter(
        0.05,
        title="False discovery rate",
        description="The expected share of false findings among the HEMs that are called changed.",
        ge=0.001,
        le=0.5,
        step=0.005,
        slider=(0.005, 0.2),
    )
    seed: int = parameter(0, title="Seed", description="The same seed gives the same intervals.", ge=0, le=4_294_967_295, step=1)


# What the replicates depend on, and what the table depends on: the level and the rate are read off the replicates.
REPLICATE_FIELDS = ("before", "among", "paired", "statistic", "seed")
# Fields that came after answers were stored.
ADDED = ("among", "processor")
FIELDS = (*REPLICATE_FIELDS, "level", "rate", "between")
