"""How a model is trained; the form, the link, the bounds and the snippets all come from this."""

from typing import Literal

from hemcore.params import Params, parameter


class TrainParams(Params):
    """Training of an estimator of hidden counts on runs whose truth is known."""

    estimator: Literal["all events", "bi-gru", "mlp"] = parameter(
        "all events",
        title="Model",
        description="One network for all events, which corrects an untrained estimate; or document 001's, a network an event.",
    )
    slots_per_count: int = parameter(
        4,
        title="Slots a count",
        description="k that the model is trained for: it is good for this k alone. 0: as the multiplexed series was measured.",
        ge=0,
        le=64,
        step=1,
        slider=(2, 13),
    )
    steps: int = parameter(
        1600,
        title="Steps",
        description="Of training all events at once; each learns from 32 pieces of 128 slots, and takes about 0.12 s.",
        ge=1,
        le=1_000_000,
        step=100,
        slider=(200, 5000),
    )
    early_stopping: bool = parameter(
        True,
        title="Early stopping",
        description="Of document 001's networks: end when runs held out get no better. Off: all its epochs, which take hours.",
    )
    left_out: tuple[str, ...] = parameter(
        (),
        title="Programs left out",
        description="Programs that are not learned from: they tell what the model is worth for programs that it has not seen.",
    )
    held_out: float = parameter(
        0.1,
        title="Held out",
        description="Share of each program's runs that are not learned from but score the model.",
        ge=0,
        le=0.9,
        step=0.05,
        slider=(0, 0.5),
    )
    seed: int = parameter(0, title="Seed", description="Of the first weights and of what is drawn in training.", ge=0, le=2**31 - 1, step=1)
