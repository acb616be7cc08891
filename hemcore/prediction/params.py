"""The parameters of a prediction, from which the form, the link, the bounds and the snippets are made."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import field_validator, model_validator

from hemcore.params import Params, parameter
from hemcore.prediction.models.model_names import MODEL_NAMES, current_name

FormName = Literal["counts", "rates", "V2"]
Scope = Literal["phase", "program", "all programs"]
# Without a choice of models, a what-if also has those whose costs have the sign that they must have.
SIGNED_MODELS = ("cost per event", "cost per event, curves")
DEFAULT_MODELS = tuple(name for name in MODEL_NAMES if name not in ("kNN10", "CLSLR, thesis", "CLSLR, one size", "cost per event, curves"))


ALL_BUT = "all but "


def names_of(text: str) -> list[str]:
    """The names in a parameter that lists several, such as "Ir; Dr"."""
    return [name.strip() for name in text.split(";") if name.strip()]


def features_of(text: str, every: Sequence[str]) -> list[str]:
    """The features in the parameter that lists them: all of `every` if it is empty, all others after "all but", as in "all but Dr; Dw"."""
    if text.startswith(ALL_BUT):
        out = names_of(text.removeprefix(ALL_BUT))
        return [name for name in every if name not in out]
    return names_of(text) or list(every)


class PredictionParams(Params):
    """Prediction of a target counter from the other counters of a phase, for unseen programs (Mahajan 2018, sections 6.6 to 6.8)."""

    target: str = parameter(
        "", title="Target", description="The counter to predict. Empty: cycles, or the first counter if there are none."
    )
    counters: str = parameter(
        "",
        title="Features",
        description="Counters to predict from, separated by semicolons. Empty: all events except the target, no sensors.",
    )
    form: FormName = parameter(
        "counts",
        title="Feature form",
        description="Input of linear models and CLSLR: counts, counts per instruction, or (for power) events × V², V and V² f.",
    )
    granularity: str = parameter(
        "", title="Granularity", description="The length of a phase. Empty: the one closest to 4,000 phases, enough for training."
    )
    load: str = parameter(
        "", title="Load", description="What else ran on the machine. Empty: single core if available, then dual core, then others."
    )
    train_granularity: str = parameter(
        "", title="Training granularity", description="Granularity of the training phases. Empty: the one that is predicted."
    )
    train_load: str = parameter("", title="Training load", description="Load of the training phases. Empty: the one that is predicted.")
    group: str = parameter(
        "program",
        title="Hold out by",
        description="Rows with the same value in this column are never split across folds: program or domain.",
    )
    models: str = parameter(
        "", title="Models", description="Names separated by semicolons. Empty: all except kNN10, cost curves and variants of CLSLR."
    )
    held_out: str = parameter(
        "", title="Held-out program", description="The program to predict by training on all others. Empty: the first."
    )
    model: str = parameter(
        "cost per event",
        title="Model for intervals",
        description="The model whose intervals are computed, with one fit per pair of programs.",
    )
    most_phases: int = parameter(
        6_100,
        title="Maximum phases",
        description="Larger tables are subsampled evenly within each program.",
        ge=10,
        le=1_000_000,
        step=100,
        unit="phases",
        slider=(500, 20_000),
    )
    kept: str = parameter(
        "", title="Saved models", description="Saved models that also answer a what-if: their ids, separated by semicolons."
    )
    change: str = parameter(
        "", title="Change", description="What changes, separated by semicolons, such as Bcm -80%; Dr +20%. Empty: nothing."
    )
    scope: Scope = parameter(
        "program", title="Of", description="Whether one phase changes, all phases of a program, or those of all programs."
    )
    start: str = parameter("", title="Program", description="The program that changes. Empty: the first.")
    start_phase: int | None = parameter(
        None, title="Phase", description="The number of the phase that changes. Empty: the phase with the median target.", ge=0
    )
    together: bool = parameter(
        True,
        title="Counters move together",
        description="Other counters go along as they do between the phases of a program here. Off: only the chosen ones change.",
    )
    n_bootstrap: int = parameter(
        200,
        title="Bootstrap samples",
        description="Resamples of programs, for the intervals of cost shares.",
        ge=20,
        le=10_000,
        step=10,
        slider=(50, 1_000),
    )
    part: int = parameter(
        0,
        title="Part",
        description="Of work that is done in parts: which programs or rows are left out.",
        ge=0,
        le=15,
        step=1,
    )
    seed: int = parameter(
        0,
        title="Random seed",
        description="Seed of bootstrap and shuffling; the same seed gives the same result.",
        ge=0,
        le=2**31 - 1,
        step=1,
    )

    @field_validator("models", "model")
    @classmethod
    def _current(cls, text: str) -> str:
        names = names_of(text)
        return "; ".join(map(current_name, names)) if names != [*map(current_name, names)] else text

    @model_validator(mode="after")
    def _rules(self) -> Self:
        for name in (*names_of(self.models), self.model):
            if name not in MODEL_NAMES:
                known = ", ".join(MODEL_NAMES)
                raise ValueError(f"Models: {name[:60]!r} is not known; available are {known}. Choose one of them.")
        return self

    @property
    def model_names(self) -> tuple[str, ...]:
        """The chosen models, in their order."""
        return tuple(dict.fromkeys(names_of(self.models))) or DEFAULT_MODELS
