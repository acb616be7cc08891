"""What EAR's k-medoids files hold: three medoids, and the mean and standard deviation that standardise a signature."""

from dataclasses import dataclass

import numpy as np

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ParameterError
from hemcore.signatures.class_rules import CLASSES, Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Medoids:
    """Three medoids in standardised units: z, shape (3, 4), rows in the order of CLASSES, columns in the order of METRICS.

    Raises ParameterError for another shape or a value that is not finite. The array is a read-only copy.
    """

    z: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "z", _checked(self.z, (len(CLASSES), len(METRICS)), "medoids"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Extremes:
    """Standard deviation and mean of each metric, in the order of METRICS, shape (4,) each: z = (x - mean) / std.

    (EAR 5.1.0 called them distance and least; the arithmetic is the same.) A std of 0 is taken: EAR then has no distance, and all is MIX.
    Raises ParameterError for another shape, a value that is not finite or a negative std. The arrays are read-only copies.
    """

    std: Floats
    mean: Floats

    def __post_init__(self) -> None:
        for name in ("std", "mean"):
            object.__setattr__(self, name, _checked(getattr(self, name), (len(METRICS),), f"extremes: {name}"))
        if (self.std < 0).any():
            place = int((self.std < 0).argmax())
            raise ParameterError(f"extremes: the standard deviation of {METRICS[place]} is {self.std[place]:g}; it must be at least 0.")

    def divided(self, n_cpus: int) -> "Extremes":
        """The extremes of the same signatures after a division by `n_cpus`, which is what EAR's releases standardise."""
        return Extremes(std=self.std / n_cpus, mean=self.mean / n_cpus)


def _checked(given: Floats, shape: tuple[int, ...], what: str) -> Floats:
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError(f"{what}: not numbers. {' x '.join(map(str, shape))} of them are needed.") from None
    if values.shape != shape:
        raise ParameterError(f"{what}: the shape is {values.shape}; it must be {shape}.")
    if not np.isfinite(values).all():
        raise ParameterError(f"{what}: {values[~np.isfinite(values)][0]:g} is among them; each must be a finite number.")
    values.setflags(write=False)
    return values
