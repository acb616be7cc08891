"""The parameters of metrics: one frozen model."""

import math
import re

from pydantic import model_validator

from hemcore.params import Params, parameter

_ASSIGNED = re.compile(r"\s*#?(.{1,200}?)\s*=\s*([^=]+?)\s*")


class MetricsParams(Params):
    """Parameters of metrics over readings."""

    definitions: str = parameter(
        "",
        title="Definitions",
        description="A dataset of metric definitions, or one of the project's sets (valgrind, cortex-a15, t2080). Empty: the own set that"
        " fits the events best.",
    )
    metrics: str = parameter(
        "",
        title="Metrics",
        description="Names of the metrics to show, separated by semicolons. Empty: all of them.",
        longest=200_000,
    )
    constants: str = parameter(
        "",
        title="Constants",
        description="Values of the constants that formulas need, such as SMT_on = 1; SYSTEM_TSC_FREQ = 2.1e9. Empty: those that are known.",
        longest=20_000,
    )
    metric: str = parameter("", title="Metric over time", description="The metric drawn over time. Empty: the first that has a value.")
    application: str = parameter("", title="Application", description="Of a series, the program that is drawn over time. Empty: the first.")
    run: int | None = parameter(
        None, title="Run", description="Of a series, the run that is drawn over time. Empty: the first.", ge=-(2**53), le=2**53
    )
    anchor: str = parameter(
        "",
        title="Anchor HEM",
        description="A HEM read in every subexperiment, whose ratios tie them together. Empty: the first such HEM, if there is one.",
    )
    draws: int = parameter(
        400,
        title="Bootstrap draws",
        description="How often the runs are drawn again for the 80% intervals.",
        ge=50,
        le=5_000,
        step=50,
    )
    seed: int = parameter(0, title="Seed", description="The same seed gives the same intervals.", ge=0, le=4_294_967_295, step=1)

    @model_validator(mode="after")
    def _constants_are_numbers(self) -> "MetricsParams":
        _ = self.constant_values
        return self

    @property
    def constant_values(self) -> dict[str, float]:
        """The constants by name. Raises ValueError, a complete sentence, for what is no assignment of a number."""
        found: dict[str, float] = {}
        for part in filter(str.strip, re.split(r"[;\n]", self.constants)):
            match = _ASSIGNED.fullmatch(part)
            try:
                name, value = (match[1], float(match[2])) if match else ("", math.nan)
            except ValueError:
                name, value = "", math.nan
            if not name or not math.isfinite(value):
                raise ValueError(f"constants: {part.strip()[:60]!r} must be a name, = and a number, such as SMT_on = 1. Correct it.")
            found[name] = value
        return found

    @property
    def metric_names(self) -> list[str] | None:
        """The metrics to show; None for all."""
        return [name.strip() for name in self.metrics.split(";") if name.strip()] or None


FIELDS = ("definitions", "metrics", "constants", "anchor", "draws", "seed")
ROW_FIELDS = ("definitions", "metrics", "constants")
COURSE_FIELDS = (*ROW_FIELDS, "metric", "application", "run")
