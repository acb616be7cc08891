"""What the user chooses for a prediction; the form, the link, the bounds and the snippets all come from this model."""

from typing import Self

from pydantic import model_validator

from hemcore.params import Params, parameter
from hemcore.prediction.model_rows import names_of
from hemcore.prediction.models.feature_forms import FormName
from hemcore.prediction.models.model_names import MODEL_NAMES

DEFAULT_MODELS = tuple(name for name in MODEL_NAMES if name not in ("kNN10", "CLSLR, thesis", "CLSLR, one size"))


class PredictionParams(Params):
    """A target counter from the other counters of a phase, for programs that were not seen (document 003, sections 6.6 to 6.8)."""

    target: str = parameter("", title="Target", description="The counter that is predicted. Empty: the cycles, else the first.")
    counters: str = parameter(
        "", title="Features", description="Counters to predict from, separated by semicolons. Empty: all but the target."
    )
    form: FormName = parameter(
        "counts",
        title="Feature form",
        description="What linear models and CLSLR are given: counts, counts per instruction, or (for power) events x V^2, V and V^2 f.",
    )
    granularity: str = parameter(
        "", title="Granularity", description="How long a phase is. Empty: the one with about 4,000 phases, enough to learn from."
    )
    load: str = parameter("", title="Load", description="What else the machine did. Empty: the first of single core, dual core, others.")
    train_granularity: str = parameter(
        "", title="Granularity to learn from", description="Of the programs that are learnt from. Empty: the same as is predicted."
    )
    train_load: str = parameter(
        "", title="Load to learn from", description="Of the programs that are learnt from. Empty: the same as is predicted."
    )
    group: str = parameter(
        "program", title="Held out together", description="Rows that agree in this column are never on two sides: program, or domain."
    )
    models: str = parameter("", title="Models", description="Names separated by semicolons. Empty: all but other forms of CLSLR and kNN10.")
    held_out: str = parameter("", title="Held-out program", description="The program that is predicted by all others. Empty: the first.")
    model: str = parameter(
        "RelativeNnls", title="Model with intervals", description="Whose intervals are computed: one fit for every pair of programs."
    )
    most_phases: int = parameter(
        6_100,
        title="Most phases",
        description="Of more, every so many of each program are used.",
        ge=10,
        le=1_000_000,
        step=100,
        unit="phases",
        slider=(500, 20_000),
    )
    kept: str = parameter(
        "", title="Kept models", description="Models of the shelf that a what-if is asked too: their ids, separated by semicolons."
    )
    n_bootstrap: int = parameter(
        200,
        title="Bootstrap samples",
        description="Of programs, for the intervals of where the cycles go.",
        ge=20,
        le=10_000,
        step=10,
        slider=(50, 1_000),
    )
    seed: int = parameter(0, title="Seed", description="Of bootstrap and shuffling; the same gives the same.", ge=0, le=2**31 - 1, step=1)

    @model_validator(mode="after")
    def _rules(self) -> Self:
        for name in (*names_of(self.models), self.model):
            if name not in MODEL_NAMES:
                known = ", ".join(MODEL_NAMES)
                raise ValueError(f"Models: {name[:60]!r} is not known; there are {known}. Name one of them.")
        return self

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models asked for, in their order."""
        return tuple(dict.fromkeys(names_of(self.models))) or DEFAULT_MODELS
