"""What the user chooses for a merge: one frozen model a method; the form, the link, the bounds and the report all come from it."""

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hemcore.errors import ParameterError

Method = Literal["calibrated", "simulated"]
Unmeasured = Literal["error", "complete", "drop"]
LOWEST_DEP_LVL = 0.01


class HrmParams(BaseModel):
    """Parameters of HRM (document 000)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    anchor_hem: str = Field(
        title="Anchor HEM",
        description="The HEM read in every subexperiment; runs are matched by its order, and its relations to all others are kept.",
        min_length=1,
    )


class MuchParams(BaseModel):
    """Parameters of MUCH (document 000)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dep_lvl: float = Field(
        default=0.85,
        title="dep_lvl",
        description="A HEM that correlates above this with a HEM kept before it is left out; 1 keeps every HEM.",
        ge=LOWEST_DEP_LVL,
        le=1.0,
        json_schema_extra={"step": 0.01},
    )
    n_runs: int = Field(
        default=1000,
        title="Runs",
        description="Rows of the merged table.",
        ge=2,
        le=1_000_000,
        json_schema_extra={"step": 100, "unit": "runs"},
    )
    n_sims: int = Field(
        default=100,
        title="Simulations",
        description="How many Gaussian samples are tried; used by the simulated method only.",
        ge=1,
        le=10_000,
        json_schema_extra={"step": 10, "unit": "samples"},
    )
    method: Method = Field(
        default="calibrated",
        title="Method",
        description="calibrated moves the sample's correlation until the merged one fits; simulated keeps the best of n_sims, as R does.",
    )
    seed: int = Field(
        default=0,
        title="Seed",
        description="The same seed gives the same merged table.",
        ge=0,
        le=2**32 - 1,
        json_schema_extra={"step": 1},
    )
    absolute: bool = Field(
        default=False,
        title="Compare |r|",
        description="Compare |r| with dep_lvl, so that a pair at -0.99 is dependent too; R compares r.",
    )
    outlier_zscore: float = Field(
        default=3.0,
        title="Outlier z-score",
        description="A run whose squared distance from the mean is this many standard deviations above the usual is left out.",
        ge=0.5,
        le=1000.0,
        json_schema_extra={"step": 0.5, "unit": "standard deviations"},
    )
    unmeasured: Unmeasured = Field(
        default="error",
        title="Pairs never read together",
        description="error stops and names them; complete fills them by maximum determinant; drop leaves HEMs out until none is left.",
    )


Model = TypeVar("Model", bound=BaseModel)


def checked_params(model: type[Model], **values: Any) -> Model:
    """`model(**values)`; raises ParameterError naming the first argument that breaks its bounds, its value and the bound."""
    try:
        return model(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or model.__name__
        field = model.model_fields.get(name)
        meaning = f" {name}: {field.description}" if field is not None else ""
        bound = first["msg"][0].lower() + first["msg"][1:]
        raise ParameterError(f"{name}: {first['input']!r} is out of bounds; {bound}.{meaning}") from None
