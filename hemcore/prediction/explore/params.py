"""The parameters of exploring phases, from which the form, the link, the bounds and the snippets are made."""

from typing import Literal

from hemcore.params import Params, parameter

Method = Literal["pearson", "spearman", "kendall"]
Scale = Literal["standardised", "per instruction", "as counted"]


class ExploreParams(Params):
    """Correlations of the counters of phases, and representative phases (Mahajan 2018, sections 6.6 and 6.7)."""

    target: str = parameter(
        "", title="Target", description="The counter to explain. Empty: cycles, or the first counter if there are none."
    )
    granularity: str = parameter(
        "", title="Granularity", description="The length of a phase. Empty: the one closest to 4,000 phases, enough for training."
    )
    load: str = parameter(
        "", title="Load", description="What else ran on the machine. Empty: single core if available, then dual core, then others."
    )
    method: Method = parameter(
        "pearson",
        title="Correlation",
        description="pearson: linear, of counts (as in Mahajan 2018). spearman: of ranks. kendall: of pairs in the same order (tau-b).",
    )
    scale: Scale = parameter(
        "standardised",
        title="PCA of",
        description="Standardized counts, standardized counts per instruction, or unscaled counts.",
    )
    all_loads: bool = parameter(
        False, title="All loads together", description="Apply PCA to the phases of every load instead of the chosen one."
    )
    program: str = parameter(
        "", title="Program", description="The program whose phases are chosen. Empty: the one with the most varied phases."
    )
    n_measured: int = parameter(
        5,
        title="Phases to measure",
        description="How many phases of a program to measure; each represents the phases with similar counts per instruction.",
        ge=1,
        le=100,
        step=1,
        unit="phases",
        slider=(1, 20),
    )
    seed: int = parameter(0, title="Random seed", description="The same seed gives the same result.", ge=0, le=2**31 - 1, step=1)
