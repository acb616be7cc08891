"""What the user chooses for a segmentation; the form, the link, the bounds and the snippets all come from this model."""

from typing import Any, Literal, Self

from pydantic import model_validator

from hemcore.params import Params, parameter

Statistic = Literal["rms", "std", "mean"]

LOWEST_THRESHOLD = 1.0  # where Algorithm 1 begins
_LARGEST_THRESHOLDS = (*(digit * 10.0**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000.0)
# Evenly on a logarithmic scale, as the path is, about 55 a decade.
_STOPS = tuple(
    sorted(
        {
            *(round(tenth * 10.0**power / 10, 6) for power in range(6) for tenth in (*range(10, 30), *range(30, 100, 2))),
            *(stop + 0.5 for stop in range(1, 10)),
            1_000_000.0,
        }
    )
)


class SegmentationParams(Params):
    """Change points of one event of one application (document 002, Algorithm 1)."""

    application: str = parameter("", title="Application", description="The program whose runs are segmented. Empty: the first.")
    event: str = parameter("", title="Event", description="The event whose counts are segmented. Empty: the first that was counted.")
    run: int | None = parameter(
        None, title="Run", description="The run whose curve and threshold path are drawn. Empty: the first.", ge=-(2**53), le=2**53
    )
    threshold: float = parameter(
        10.0,
        title="Threshold",
        description="A change point must lower the residual error by more than this (MinThreshold of findchangepts).",
        ge=0,
        le=1_000_000,
        step=0.5,
        slider=(LOWEST_THRESHOLD, 1_000_000),
        stops=_STOPS,
    )
    tolerance: int = parameter(
        2,
        title="Tolerance",
        description="Change points at most this far apart count as the same one (agreement between runs, and with the true boundaries).",
        ge=0,
        le=100_000,
        step=1,
        unit="intervals",
        slider=(0, 50),
    )
    statistic: Statistic = parameter(
        "rms",
        title="Statistic",
        description="What is constant within a segment: the root mean square level (document 002), the standard deviation or the mean.",
    )
    min_distance: int | None = parameter(
        None,
        title="Least segment",
        description="Intervals that a segment has at least; rms and std need 2. Empty: what suits the search, 2 for rms and mean, 10 "
        "for std (fewer in runs shorter than 40), 2 % of a run for all events together.",
        ge=1,
        le=100_000,
        unit="intervals",
    )
    early_exit: bool = parameter(
        False,
        title="Stop as MATLAB does",
        description="findchangepts returns no change point when the best single one does not pay, even where two together do.",
    )
    max_threshold: int = parameter(
        100,
        title="Largest threshold",
        description="Where the search for thresholds ends (maxThresh of Algorithm 1), and the end of the slider.",
        ge=2,
        le=1_000_000,
        step=10,
        slider=(2, 1_000_000),
        stops=_LARGEST_THRESHOLDS,
    )
    trim_head: int = parameter(
        0,
        title="Trim head",
        description="Intervals at the start of each run that are left out (start-up).",
        ge=0,
        le=10_000_000,
        step=1,
        unit="intervals",
        slider=(0, 10_000),
    )
    trim_tail: int = parameter(
        0,
        title="Trim tail",
        description="Intervals at the end of each run that are left out (wind-down).",
        ge=0,
        le=10_000_000,
        step=1,
        unit="intervals",
        slider=(0, 10_000),
    )
    min_change_points: int = parameter(
        2,
        title="Fewest change points",
        description="Events with fewer show no variability to model and are pruned (document 002, section III-B).",
        ge=0,
        le=100_000,
        step=1,
        slider=(0, 100),
    )
    max_change_points: int = parameter(
        20,
        title="Most change points",
        description="Events with more are too arbitrary to profile and are pruned (document 002, section III-B).",
        ge=0,
        le=100_000,
        step=1,
        slider=(0, 100),
    )

    joint_penalty: float = parameter(
        0.0,
        title="Penalty of all events",
        description="What a change point of all events together has to gain, in log(samples) an event. 0: where runs agree.",
        ge=0,
        le=1_000,
        step=0.1,
        slider=(0, 50),
    )
    joint_bursts: bool = parameter(
        True,
        title="Bursts mark new code",
        description="All events together: a change point costs half where two events burst at once, as instruction cache misses do.",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.statistic != "mean" and self.min_distance is not None and self.min_distance < 2:
            raise ValueError(
                f"Least segment: {self.min_distance} is too short for {self.statistic}, which needs 2. Raise it, or choose mean."
            )
        if self.min_change_points > self.max_change_points:
            raise ValueError(
                f"Fewest change points, {self.min_change_points}, is above most, {self.max_change_points}: no event can be within. "
                "Exchange them."
            )
        return self

    @property
    def search(self) -> dict[str, Any]:
        """The arguments that `segment` and its companions share."""
        return {"statistic": self.statistic, "min_distance": self.min_distance, "early_exit": self.early_exit}

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most change points of an event that is worth a profile."""
        return self.min_change_points, self.max_change_points
