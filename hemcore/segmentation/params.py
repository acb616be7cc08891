"""The parameters of a segmentation: form, link, bounds and code snippets all come from this model."""

from typing import Any, Literal, Self

from pydantic import model_validator

from hemcore.params import Params, parameter

Statistic = Literal["rms", "std", "mean"]
Detrend = Literal["nothing", "line", "curve", "season"]

LOWEST_THRESHOLD = 1.0  # where Algorithm 1 begins
_LARGEST_THRESHOLDS = (*(digit * 10.0**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000.0)
# Evenly spaced on a logarithmic scale, like the path, about 55 per decade.
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
    """Change points of one event of one application (Algorithm 1 of Imtiaz et al. 2022)."""

    application: str = parameter("", title="Application", description="The program to segment. Empty: the first.")
    event: str = parameter("", title="Event", description="The event to segment by. Empty: the first that was counted.")
    run: int | None = parameter(
        None, title="Run", description="The run shown as a curve and a threshold path. Empty: the first.", ge=-(2**53), le=2**53
    )
    threshold: float = parameter(
        10.0,
        title="Threshold",
        description="A change point must lower the residual error by more than this (MinThreshold in findchangepts).",
        ge=0,
        le=1_000_000,
        step=0.5,
        slider=(LOWEST_THRESHOLD, 1_000_000),
        stops=_STOPS,
    )
    tolerance: int = parameter(
        2,
        title="Tolerance",
        description="Change points at most this far apart count as the same, between runs and against true boundaries.",
        ge=0,
        le=100_000,
        step=1,
        unit="intervals",
        slider=(0, 50),
    )
    statistic: Statistic = parameter(
        "rms",
        title="Statistic",
        description="What is constant within a segment: root mean square level (Imtiaz et al. 2022), standard deviation or mean.",
    )
    detrend: Detrend = parameter(
        "nothing",
        title="Detrend",
        description="What is subtracted from each run before it is segmented, fitted together with the levels: a line, a curve (degree 3), "
        "or a season (a sine with its second harmonic, and a line).",
    )
    min_distance: int | None = parameter(
        None,
        title="Minimum segment length",
        description="At least 2 for rms and std. Empty: automatic, 2 for rms and mean, 10 for std (fewer in runs shorter than 40), 2% of "
        "the run for all events together.",
        ge=1,
        le=100_000,
        unit="intervals",
    )
    early_exit: bool = parameter(
        False,
        title="Early exit (findchangepts)",
        description="No change point if the best single one does not pay, even if two together would, as in MATLAB's findchangepts.",
    )
    max_threshold: int = parameter(
        100,
        title="Maximum threshold",
        description="The end of the search for thresholds (maxThresh in Algorithm 1) and of the slider.",
        ge=2,
        le=1_000_000,
        step=10,
        slider=(2, 1_000_000),
        stops=_LARGEST_THRESHOLDS,
    )
    trim_head: int = parameter(
        0,
        title="Trim head",
        description="Intervals to leave out at the start of each run (start-up).",
        ge=0,
        le=10_000_000,
        step=1,
        unit="intervals",
        slider=(0, 10_000),
    )
    trim_tail: int = parameter(
        0,
        title="Trim tail",
        description="Intervals to leave out at the end of each run (wind-down).",
        ge=0,
        le=10_000_000,
        step=1,
        unit="intervals",
        slider=(0, 10_000),
    )
    min_change_points: int = parameter(
        2,
        title="Minimum change points",
        description="Events with fewer vary too little to model and are pruned (Imtiaz et al. 2022, section III-B).",
        ge=0,
        le=100_000,
        step=1,
        slider=(0, 100),
    )
    max_change_points: int = parameter(
        20,
        title="Maximum change points",
        description="Events with more are too irregular to profile and are pruned (Imtiaz et al. 2022, section III-B).",
        ge=0,
        le=100_000,
        step=1,
        slider=(0, 100),
    )

    joint_penalty: float = parameter(
        0.0,
        title="Joint penalty",
        description="All events together: the gain a change point needs, in log(samples) per event. 0: chosen so that the runs agree.",
        ge=0,
        le=1_000,
        step=0.1,
        slider=(0, 50),
    )
    joint_bursts: bool = parameter(
        True,
        title="Half penalty at bursts",
        description="All events together: a change point costs half if two events burst at once, as cache misses do when new code starts.",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.statistic != "mean" and self.min_distance is not None and self.min_distance < 2:
            raise ValueError(
                f"Minimum segment length: {self.min_distance} is too short for {self.statistic}, which needs 2. Raise it, or choose mean."
            )
        if self.min_change_points > self.max_change_points:
            raise ValueError(f"Minimum change points, {self.min_change_points}, is above the maximum, {self.max_change_points}. Swap them.")
        return self

    @property
    def search(self) -> dict[str, Any]:
        """The arguments that `segment`, `threshold_path` and `optimal_threshold` share."""
        return {"statistic": self.statistic, "min_distance": self.min_distance, "early_exit": self.early_exit}

    @property
    def bounds(self) -> tuple[int, int]:
        """The minimum and maximum number of change points of an event that is worth a profile."""
        return self.min_change_points, self.max_change_points
