"""The parameters of training; form, link, bounds and snippets all come from this model."""

from typing import Literal

from hemcore.params import Params, parameter


class TrainParams(Params):
    """Trains an estimator of hidden counts on runs whose truth is known."""

    estimator: Literal["all events", "bi-gru", "mlp"] = parameter(
        "all events",
        title="Model",
        description="One network for all events that corrects an untrained estimate; or one network per event (Wang et al. 2022).",
    )
    slots_per_count: int = parameter(
        4,
        title="Slots per count",
        description="The k the model is trained for and works at. 0: as the multiplexed series was measured.",
        ge=0,
        le=64,
        step=1,
        slider=(2, 13),
    )
    steps: int = parameter(
        1600,
        title="Steps",
        description="Training steps of the network for all events; each uses 32 excerpts of 128 slots and takes about 0.06 s.",
        ge=1,
        le=1_000_000,
        step=100,
        slider=(200, 5000),
    )
    early_stopping: bool = parameter(
        True,
        title="Early stopping",
        description="For networks per event: stop when held-out runs no longer improve. Off: all epochs of the paper, which take hours.",
    )
    left_out: tuple[str, ...] = parameter(
        (),
        title="Programs left out",
        description="Programs excluded from training; they show how the model does on unseen programs.",
    )
    held_out: float = parameter(
        0.1,
        title="Held out",
        description="Share of each program's runs excluded from training; they score the model.",
        ge=0,
        le=0.9,
        step=0.05,
        slider=(0, 0.5),
    )
    event: str = parameter("", title="Event", description="Of work that is done in parts: the event whose network is trained; empty: all.")
    seed: int = parameter(0, title="Seed", description="Random seed of the initial weights and of training.", ge=0, le=2**31 - 1, step=1)
