"""Programs of a few phases whose numbers can be worked out on paper, and a model that is one division."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.catalogue import Model


def programs_of_cost(costs: Mapping[str, float], instructions: Sequence[float] = (100, 200), **counters: Sequence[float]) -> PhaseTable:
    """Each program has phases of these `instructions` (Ir); CYCLES is its cost times Ir. counters: further ones, equal in all programs."""
    frames = [
        pd.DataFrame(
            {"program": name, "granularity": 10, "load": "single core", "phase": range(len(instructions)), "Ir": instructions}
            | {counter: list(values) for counter, values in counters.items()}
            | {"CYCLES": cost * np.array(instructions, dtype=float)}
        )
        for name, cost in costs.items()
    ]
    return PhaseTable(frame=pd.concat(frames, ignore_index=True), counters=("CYCLES", "Ir", *counters))


def rows_of(y: Sequence[float], x: Sequence[float], programs: Sequence[int]) -> Rows:
    """Rows of one feature, Ir."""
    unknown = np.full(len(y), np.nan)
    return Rows(
        X=np.array(x, dtype=float)[:, None],
        y=np.array(y, dtype=float),
        group=np.array(programs, dtype=np.int64),
        copied=unknown,
        volts=unknown,
        hertz=unknown,
        place=np.arange(len(y)),
        groups=tuple(f"program {number}" for number in range(max(programs) + 1)),
        counters=("Ir",),
    )


@dataclass(frozen=True)
class Multiple:
    """Predicts `factor` times Ir."""

    factor: float

    def predict(self, rows: Rows) -> Floats:
        return self.factor * rows.X[:, rows.counters.index("Ir")]


def mean_cost(rows: Rows, form: str, settings: Settings) -> Multiple:
    """The mean over training programs of each program's mean CYCLES per Ir."""
    ratio = rows.y / rows.X[:, rows.counters.index("Ir")]
    return Multiple(float(np.mean([ratio[rows.group == code].mean() for code in np.unique(rows.group)])))


MEAN_COST = Model(name="OLS", description="The mean cost of the training programs.", fit=mean_cost)  # type: ignore[arg-type]
