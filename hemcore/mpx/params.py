"""What the user chooses for multiplexed counts; the form, the link, the bounds and the snippets all come from this model."""

from typing import Literal, Self

from pydantic import model_validator

from hemcore.params import Params, parameter

MethodName = Literal[
    "fixed", "linear", "cam", "dcam", "pchip", "log1p", "harmonic", "gate", "kalman", "minimum", "trained curve", "trained counts"
]
Tail = Literal["last slot", "paper", "nothing"]


class PairParams(Params):
    """What a multiplexed series is paired with."""

    ocoe: str = parameter(
        "",
        title="OCOE series",
        description="The id of the series of the same programs in which every event was counted all the time.",
        longest=200,
    )


class MpxParams(Params):
    """Estimates of one application's hidden counts, and their scores (document 001)."""

    application: str = parameter("", title="Application", description="The program whose runs are estimated. Empty: the first.")
    run: int | None = parameter(None, title="Run", description="The run whose curves are drawn. Empty: the first.", ge=-(2**53), le=2**53)
    event: str = parameter(
        "", title="Event", description="The event that stands on top and is aligned. Empty: the one whose accuracy is the middle one."
    )
    slots_per_count: int = parameter(
        0,
        title="Slots a count",
        description="k: each event is counted in 1 of k slots and hidden in the others. 0: as it was measured; of OCOE series 4.",
        ge=0,
        le=64,
        step=1,
        slider=(2, 13),
    )
    model: str = parameter(
        "",
        title="Trained model",
        description="The id of a model that is kept. Programs that it has not seen get the untrained estimate. Empty: none.",
    )
    models: tuple[str, ...] = parameter(
        (),
        title="Models tried",
        description="The ids of models that are kept, each tried at the k that it was trained for where accuracy is drawn against k.",
    )
    method: MethodName = parameter(
        "harmonic", title="For curves", description="The estimator of each slot's count, by which the curves are drawn and kept."
    )
    totals: MethodName = parameter(
        "linear",
        title="For totals",
        description="The estimator of a run's totals: what is right slot by slot is low in sum, so they differ.",
    )
    start: int = parameter(
        0,
        title="First group",
        description="The group of events that the first run counts first; each run begins one later.",
        ge=0,
        le=63,
        step=1,
    )
    tail: Tail = parameter(
        "last slot",
        title="Cut off",
        description="Of each run: its last slot, which is partial; or, as document 001 has it, its last 2 % and 5 slots; or nothing.",
    )
    tail_share: float = parameter(
        0.02,
        title="Tail share",
        description="Of a run's slots that are cut off as document 001 has it.",
        ge=0,
        le=0.9,
        step=0.01,
        slider=(0, 0.2),
    )
    tail_steps: int = parameter(
        5,
        title="Tail slots",
        description="Slots that are cut off beyond that share.",
        ge=0,
        le=100_000,
        step=1,
        unit="slots",
        slider=(0, 50),
    )
    min_share: float = parameter(
        0.2,
        title="Least share of a run",
        description="Runs whose counts are less than this share of the largest run's are discarded as not counted; 0 keeps all.",
        ge=0,
        le=1,
        step=0.05,
        slider=(0, 1),
    )
    most_runs: int = parameter(
        12,
        title="Runs scored",
        description="Of each application, evenly chosen among its runs; 0: all. Few answer at once.",
        ge=0,
        le=100_000,
        step=1,
        unit="runs",
        slider=(0, 60),
    )
    clamp: bool = parameter(
        True, title="Negative RA is 0", description="As document 001: an estimate of more than twice the count is as good as none."
    )

    @model_validator(mode="after")
    def _has_its_model(self) -> Self:
        for name in ("method", "totals"):
            chosen = getattr(self, name)
            if chosen.startswith("trained") and not self.model:
                raise ValueError(f"{name}: {chosen!r} needs a trained model, and none is chosen. Choose one, or an untrained estimator.")
        return self
