"""The parameters of the merges: one frozen model per method; the form, the link, the bounds and the report all use it."""

import math
from typing import Any, Literal

from hemcore.params import Params, parameter

Method = Literal["calibrated", "simulated"]
Unmeasured = Literal["error", "complete", "drop"]
LOWEST_DEP_LVL = 0.01
# The outlier z-score at which no run is left out, however many there are.
NO_RUN_OUT = 1_000.0


class MergeParams(Params):
    """The base of every merge's parameters; analyses that depend on the readings alone take these."""


def _runs() -> Any:
    return parameter(1000, title="Runs", description="Rows of the merged table.", ge=2, le=1_000_000, step=100, unit="runs")


def _seed() -> Any:
    return parameter(0, title="Seed", description="The same seed gives the same merged table.", ge=0, le=2**32 - 1, step=1)


class HrmParams(MergeParams):
    """Parameters of HRM (BSC, mergingTools vignette)."""

    anchor_hem: str = parameter(
        "",
        title="Anchor HEM",
        description="A HEM read in every subexperiment. Runs are matched by its order, which preserves its relations to all others. "
        "Empty: the first such HEM.",
    )


class MuchParams(MergeParams):
    """Parameters of MUCH (BSC, mergingTools vignette)."""

    dep_lvl: float = parameter(
        0.85,
        title="dep_lvl",
        description="Drop HEMs whose r with a kept HEM exceeds this; 1 keeps every HEM.",
        ge=LOWEST_DEP_LVL,
        le=1.0,
        step=0.01,
        slider=(LOWEST_DEP_LVL, 1.0),
    )
    n_runs: int = _runs()
    n_sims: int = parameter(
        100,
        title="Simulations",
        description="Number of Gaussian samples to try; used by the simulated method only.",
        ge=1,
        le=10_000,
        step=10,
        unit="samples",
    )
    method: Method = parameter(
        "calibrated",
        title="Method",
        description="calibrated: adjust the sample until the merged correlations fit. simulated: keep the best of n_sims, as R does.",
    )
    seed: int = _seed()
    absolute: bool = parameter(
        False,
        title="Compare |r|",
        description="Compare |r| with dep_lvl, which makes a pair at -0.99 dependent too; R compares r.",
    )
    outlier_zscore: float = parameter(
        3.0,
        title="Outlier z-score",
        description="Drop runs whose squared distance from the mean is at least this many standard deviations above average; 1,000 drops"
        " none. For a HEM with a long tail, R's 3 drops the tail, which changes its mean and correlations.",
        ge=0.5,
        le=NO_RUN_OUT,
        step=0.5,
        unit="standard deviations",
    )
    unmeasured: Unmeasured = parameter(
        "error",
        title="Pairs never read together",
        description="error: stop and name them. complete: fill them by maximum determinant. drop: leave HEMs out until none remains.",
    )

    @property
    def zscore(self) -> float:
        """The outlier z-score that is used: infinite if outlier_zscore is NO_RUN_OUT."""
        return math.inf if self.outlier_zscore >= NO_RUN_OUT else self.outlier_zscore


class CopulaParams(MergeParams):
    """Parameters of the copula merge."""

    n_runs: int = _runs()
    components: int = parameter(
        4,
        title="Components",
        description="Number of Gaussians in the mixture; 1 is the Gaussian copula. Where pairs were never read together, 2 at most.",
        ge=1,
        le=6,
        step=1,
    )
    # 8 are enough for the samples; the T2080 readings, whose HEMs have several levels each, need 10, by halves of their runs too.
    features: int = parameter(
        10,
        title="Features",
        description="Features per HEM: its value, then Legendre polynomials of its rank. The merged table is fitted to their mean products"
        " for every two HEMs; 1 fits r alone.",
        ge=1,
        le=12,
        step=1,
    )
    swaps: int = parameter(
        2_000_000,
        title="Swaps",
        description="Number of swaps of two rows' readings tried to improve the fit; 0 leaves the sample as drawn.",
        ge=0,
        le=10_000_000,
        step=100_000,
    )
    seed: int = _seed()
