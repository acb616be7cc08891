"""What the user chooses for a segmentation; the form, the link, the bounds and the snippets all come from these models."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Statistic = Literal["rms", "std", "mean"]


def tolerance_field() -> Any:
    """Within how many intervals two change points are the same one."""
    return Field(
        default=2,
        title="Tolerance",
        description="Change points at most this far apart count as the same one (agreement between runs, and with the true boundaries).",
        ge=0,
        le=100_000,
        json_schema_extra={"step": 1, "unit": "intervals"},
    )


class SearchParams(BaseModel):
    """How change points are looked for (document 002, Algorithm 1)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    statistic: Statistic = Field(
        default="rms",
        title="Statistic",
        description="What is constant within a segment: the root mean square level (document 002), the standard deviation or the mean.",
    )
    min_distance: int = Field(
        default=2,
        title="Least segment",
        description="Intervals that a segment has at least. rms and std need 2.",
        ge=1,
        le=100_000,
        json_schema_extra={"step": 1, "unit": "intervals"},
    )
    early_exit: bool = Field(
        default=False,
        title="Stop as MATLAB does",
        description="findchangepts returns no change point when the best single one does not pay, even where two together do.",
    )
    max_threshold: int = Field(
        default=100,
        title="Largest threshold",
        description="Where the search for thresholds ends (maxThresh of Algorithm 1), and the end of the slider.",
        ge=2,
        le=1_000_000,
        json_schema_extra={"step": 10},
    )
    trim_head: int = Field(
        default=0,
        title="Trim head",
        description="Intervals at the start of each run that are left out (start-up).",
        ge=0,
        le=10_000_000,
        json_schema_extra={"step": 1, "unit": "intervals"},
    )
    trim_tail: int = Field(
        default=0,
        title="Trim tail",
        description="Intervals at the end of each run that are left out (wind-down).",
        ge=0,
        le=10_000_000,
        json_schema_extra={"step": 1, "unit": "intervals"},
    )

    @property
    def search(self) -> dict[str, Any]:
        """The arguments that `segment` and its companions share."""
        return {"statistic": self.statistic, "min_distance": self.min_distance, "early_exit": self.early_exit}


class EventParams(SearchParams):
    """One event of one application, all its runs."""

    application: str = Field(title="Application", description="The program whose runs are segmented.", min_length=1)
    event: str = Field(title="Event", description="The event whose counts are segmented.", min_length=1)


class PathParams(EventParams):
    """One event of one run, at every threshold."""

    run: int = Field(title="Run", description="The run whose curve and threshold path are drawn.")


class RunsParams(EventParams):
    """One event of every run, at one threshold."""

    threshold: float = Field(
        default=10.0,
        title="Threshold",
        description="A change point must lower the residual error by more than this (MinThreshold of findchangepts).",
        ge=0,
        le=1_000_000,
        json_schema_extra={"step": 0.5},
    )
    tolerance: int = tolerance_field()


class ComparisonParams(RunsParams):
    """One event of one run at one threshold, for other searches on the same samples."""

    run: int = Field(title="Run", description="The run on which the searches are compared.")


class ProfileParams(SearchParams):
    """Every event of one application."""

    application: str = Field(title="Application", description="The program whose events are profiled.", min_length=1)
    tolerance: int = tolerance_field()


class BoundsParams(BaseModel):
    """Which events are worth a profile (document 002, section III-B)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_change_points: int = Field(
        default=2,
        title="Fewest change points",
        description="Events with fewer show no variability to model and are pruned.",
        ge=0,
        le=100_000,
        json_schema_extra={"step": 1},
    )
    max_change_points: int = Field(
        default=20,
        title="Most change points",
        description="Events with more are too arbitrary to profile and are pruned.",
        ge=0,
        le=100_000,
        json_schema_extra={"step": 1},
    )
