"""What the user chooses to look at the counters of phases; the form, the link, the bounds and the snippets all come from this model."""

from typing import Literal

from hemcore.params import Params, parameter

Method = Literal["pearson", "spearman", "kendall"]
Scale = Literal["standardised", "per instruction", "as counted"]


class ExploreParams(Params):
    """The counters of phases: how they go together, and which phases stand for the others (document 003, sections 6.6 and 6.7)."""

    target: str = parameter("", title="Target", description="The counter that is explained. Empty: the cycles, else the first.")
    granularity: str = parameter(
        "", title="Granularity", description="How long a phase is. Empty: the one with about 4,000 phases, enough to learn from."
    )
    load: str = parameter("", title="Load", description="What else the machine did. Empty: the first of single core, dual core, others.")
    method: Method = parameter(
        "pearson",
        title="Correlation",
        description="pearson: of the counts, as the thesis has it. spearman: of their ranks. kendall: of pairs in the same order (tau-b).",
    )
    scale: Scale = parameter(
        "standardised",
        title="PCA of",
        description="Counts in standard deviations, counts per instruction in standard deviations, or the counts as they are.",
    )
    all_loads: bool = parameter(
        False, title="All loads together", description="The PCA is of the phases of every load, not of the chosen one alone."
    )
    program: str = parameter(
        "", title="Program", description="The program whose phases are chosen. Empty: the one whose phases differ most."
    )
    n_measured: int = parameter(
        5,
        title="Phases to measure",
        description="How many phases of a program are measured; each stands for those whose rates are alike.",
        ge=1,
        le=100,
        step=1,
        unit="phases",
        slider=(1, 20),
    )
    seed: int = parameter(0, title="Seed", description="Of what is drawn at random; the same gives the same.", ge=0, le=2**31 - 1, step=1)
