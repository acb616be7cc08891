"""The parameters of multiplexed counts; form, link, bounds and snippets all come from this model."""

from typing import Literal, Self

from pydantic import model_validator

from hemcore.params import Params, parameter

MethodName = Literal[
    "fixed",
    "linear",
    "cam",
    "dcam",
    "pchip",
    "log1p",
    "harmonic",
    "gate",
    "kalman",
    "by event",
    "minimum",
    "trained curve",
    "trained counts",
]
Tail = Literal["last slot", "paper", "nothing"]


class PairParams(Params):
    """The partner of a multiplexed series."""

    ocoe: str = parameter(
        "",
        title="OCOE series",
        description="The id of a series of the same programs in which every event was counted in every slot.",
        longest=200,
    )


class MpxParams(Params):
    """Estimates of one application's hidden counts, and their scores (Wang et al. 2022)."""

    application: str = parameter("", title="Application", description="The program whose runs are estimated. Empty: the first one.")
    run: int | None = parameter(
        None, title="Run", description="The run whose curves are drawn. Empty: the first one.", ge=-(2**53), le=2**53
    )
    event: str = parameter("", title="Event", description="The event drawn on top and aligned. Empty: the event with median accuracy.")
    slots_per_count: int = parameter(
        0,
        title="Slots per count",
        description="k: each event is counted in 1 of k slots and hidden in the others. 0: as measured; 4 for OCOE series.",
        ge=0,
        le=64,
        step=1,
        slider=(2, 13),
    )
    model: str = parameter(
        "",
        title="Trained model",
        description="The id of a stored model. Programs it was not trained on get the untrained estimate. Empty: none.",
    )
    models: tuple[str, ...] = parameter(
        (),
        title="Models tried",
        description="The ids of stored models; the plot of accuracy against k shows each at the k it was trained for.",
    )
    method: MethodName = parameter(
        "by event", title="For curves", description="The estimator of the count per slot; curves are drawn and stored with it."
    )
    totals: MethodName = parameter(
        "linear",
        title="For totals",
        description="The estimator of run totals. Estimates that are accurate per slot sum too low, so it is a separate choice.",
    )
    start: int = parameter(
        0,
        title="First group",
        description="The group of events counted first in the first run; each further run begins one group later.",
        ge=0,
        le=63,
        step=1,
    )
    tail: Tail = parameter(
        "last slot",
        title="Trim",
        description="From the end of each run: its last, partial slot; or its last 2% and 5 more slots (Wang et al. 2022); or nothing.",
    )
    tail_share: float = parameter(
        0.02,
        title="Tail share",
        description="Fraction of slots trimmed from the end of each run (Wang et al. 2022).",
        ge=0,
        le=0.9,
        step=0.01,
        slider=(0, 0.2),
    )
    tail_steps: int = parameter(
        5,
        title="Tail slots",
        description="Slots trimmed in addition to that share.",
        ge=0,
        le=100_000,
        step=1,
        unit="slots",
        slider=(0, 50),
    )
    min_share: float = parameter(
        0.2,
        title="Minimum run completeness",
        description="Runs with less than this share of the largest run's counts are discarded as incomplete; 0 keeps all.",
        ge=0,
        le=1,
        step=0.05,
        slider=(0, 1),
    )
    most_runs: int = parameter(
        12,
        title="Runs scored",
        description="Runs per application, chosen evenly; 0: all. Fewer runs are faster.",
        ge=0,
        le=100_000,
        step=1,
        unit="runs",
        slider=(0, 60),
    )
    clamp: bool = parameter(
        True, title="Negative RA is 0", description="An estimate above twice the count scores 0, not less (Wang et al. 2022)."
    )

    @model_validator(mode="after")
    def _has_its_model(self) -> Self:
        for name in ("method", "totals"):
            chosen = getattr(self, name)
            if chosen.startswith("trained") and not self.model:
                raise ValueError(f"{name}: {chosen!r} needs a trained model. Choose one, or an untrained estimator.")
        return self
