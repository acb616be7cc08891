"""Feature forms by name: the input of a linear model made from counts, and the unit of its target."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.events.usual_names import instructions_of
from hemcore.prediction.arrays import Floats
from hemcore.prediction.model_rows import Rows, has_voltage
from hemcore.prediction.params import FormName


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way to make features from counts.

    label: shown in the form. make: rows -> features (n, k) and their names. unit: rows -> what the target is divided by (n,).
    needs: rows -> why the features cannot be made, "" if they can.
    """

    name: FormName
    label: str
    make: Callable[[Rows], tuple[Floats, tuple[str, ...]]]
    unit: Callable[[Rows], Floats]
    needs: Callable[[Rows], str]

    def of(self, rows: Rows) -> Floats:
        """The features of rows, shape (n, k). Raises ParameterError if they cannot be computed."""
        self.check(rows)
        return self.make(rows)[0]

    def check(self, rows: Rows) -> None:
        """Raise ParameterError if the form cannot be computed for these rows."""
        lacking = self.needs(rows)
        if lacking:
            raise ParameterError(f"Features: {self.label} cannot be computed: {lacking}. Choose counts.")


def _ones(rows: Rows) -> Floats:
    return np.ones(len(rows))


def _instructions(rows: Rows) -> Floats:
    assert rows.instructions is not None
    return rows.instructions


def _rates(rows: Rows) -> tuple[Floats, tuple[str, ...]]:
    return rows.X / _instructions(rows)[:, None], tuple(f"{name} per instruction" for name in rows.counters)


def _squares(rows: Rows) -> tuple[Floats, tuple[str, ...]]:
    """Dynamic power is capacitance x V^2 x switching, so an event's energy is proportional to V^2; leakage to V, the clock to V^2 f."""
    square = rows.volts**2
    features = np.column_stack([rows.X * square[:, None], rows.volts, square * rows.hertz])
    return features, (*(f"{name} V^2" for name in rows.counters), "V", "V^2 f")


def _no_instructions(rows: Rows) -> str:
    return "" if rows.instructions is not None else "no counter of instructions is above 0 in every phase"


def _no_voltage(rows: Rows) -> str:
    known = np.isfinite(rows.volts).all() and np.isfinite(rows.hertz).all() and len(rows)
    return "" if known else "the table has no columns of voltage (V) and frequency (MHz)"


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(
            name="counts",
            label="counts as they are",
            make=lambda rows: (rows.X, rows.counters),
            unit=_ones,
            needs=lambda rows: "",
        ),
        Form(name="rates", label="counts per instruction", make=_rates, unit=_instructions, needs=_no_instructions),
        Form(name="V2", label="events x V^2, V and V^2 f", make=_squares, unit=_ones, needs=_no_voltage),
    )
}


def forms_of(table: PhaseTable) -> tuple[FormName, ...]:
    """The forms available for the columns of `table`; always including counts."""
    found: list[FormName] = ["counts"]
    if instructions_of(table.counters) is not None:
        found.append("rates")
    if has_voltage(table):
        found.append("V2")
    return tuple(found)
