"""What the user chooses for a merge: one frozen model a method; the form, the link, the bounds and the report all come from it."""

import math
from typing import Any, Literal

from hemcore.params import Params, parameter

Method = Literal["calibrated", "simulated"]
Unmeasured = Literal["error", "complete", "drop"]
LOWEST_DEP_LVL = 0.01
# The outlier z-score at which no run is left out, of however many.
NO_RUN_OUT = 1_000.0


class MergeParams(Params):
    """What every merge's parameters are: what hangs on the readings alone is asked with these."""


def _runs() -> Any:
    return parameter(1000, title="Runs", description="Rows of the merged table.", ge=2, le=1_000_000, step=100, unit="runs")


def _seed() -> Any:
    return parameter(0, title="Seed", description="The same seed gives the same merged table.", ge=0, le=2**32 - 1, step=1)


class HrmParams(MergeParams):
    """Parameters of HRM (document 000)."""

    anchor_hem: str = parameter(
        "",
        title="Anchor HEM",
        description="The HEM read in every subexperiment; runs are matched by its order, and its relations to all others are kept. "
        "Empty: the first such HEM.",
    )


class MuchParams(MergeParams):
    """Parameters of MUCH (document 000)."""

    dep_lvl: float = parameter(
        0.85,
        title="dep_lvl",
        description="A HEM that correlates above this with a HEM kept before it is left out; 1 keeps every HEM.",
        ge=LOWEST_DEP_LVL,
        le=1.0,
        step=0.01,
        slider=(LOWEST_DEP_LVL, 1.0),
    )
    n_runs: int = _runs()
    n_sims: int = parameter(
        100,
        title="Simulations",
        description="How many Gaussian samples are tried; used by the simulated method only.",
        ge=1,
        le=10_000,
        step=10,
        unit="samples",
    )
    method: Method = parameter(
        "calibrated",
        title="Method",
        description="calibrated moves the sample's correlation until the merged one fits; simulated keeps the best of n_sims, as R does.",
    )
    seed: int = _seed()
    absolute: bool = parameter(
        False,
        title="Compare |r|",
        description="Compare |r| with dep_lvl, so that a pair at -0.99 is dependent too; R compares r.",
    )
    outlier_zscore: float = parameter(
        3.0,
        title="Outlier z-score",
        description="A run whose squared distance from the mean is this many standard deviations above the usual is left out; 1,000 leaves"
        " no run out. Of a HEM with a long tail R's 3 leaves the tail out, and its mean and correlations move with it.",
        ge=0.5,
        le=NO_RUN_OUT,
        step=0.5,
        unit="standard deviations",
    )
    unmeasured: Unmeasured = parameter(
        "error",
        title="Pairs never read together",
        description="error stops and names them; complete fills them by maximum determinant; drop leaves HEMs out until none is left.",
    )

    @property
    def zscore(self) -> float:
        """The outlier z-score that is used: infinite where outlier_zscore is NO_RUN_OUT."""
        return math.inf if self.outlier_zscore >= NO_RUN_OUT else self.outlier_zscore


class CopulaParams(MergeParams):
    """Parameters of the copula merge."""

    n_runs: int = _runs()
    components: int = parameter(
        2,
        title="Components",
        description="Gaussians that the copula is a mixture of; 1 is the Gaussian copula.",
        ge=1,
        le=6,
        step=1,
    )
    # 8 do as well on the samples; the T2080 readings, whose HEMs have several levels each, need 10, as halves of their runs say too.
    features: int = parameter(
        10,
        title="Features",
        description="Features of each HEM whose products with those of another the merged table is held to: its value, then Legendre"
        " polynomials of its rank. 1 holds it to r alone.",
        ge=1,
        le=12,
        step=1,
    )
    swaps: int = parameter(
        600_000,
        title="Swaps",
        description="How many swaps of two rows' readings are tried to bring the products nearer; 0 leaves the sample as it was drawn.",
        ge=0,
        le=10_000_000,
        step=100_000,
    )
    seed: int = _seed()
