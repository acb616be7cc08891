"""Feature forms by name: what a linear model is given of the counts, and what it says the target in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.event_groups import instructions_of
from hemcore.prediction.model_rows import Rows, has_voltage

FormName = Literal["counts", "rates", "V2"]


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way to make features of counts.

    says: for people. make: rows -> features (n, k) and their names. unit: rows -> by what the target is divided (n,).
    needs: rows -> why it cannot be made of them, "" where it can.
    """

    name: FormName
    says: str
    make: Callable[[Rows], tuple[Floats, tuple[str, ...]]]
    unit: Callable[[Rows], Floats]
    needs: Callable[[Rows], str]

    def of(self, rows: Rows) -> Floats:
        """The features of rows, shape (n, k). Raises ParameterError where they cannot be made."""
        self.check(rows)
        return self.make(rows)[0]

    def check(self, rows: Rows) -> None:
        """Raise ParameterError where the form cannot be made of these rows."""
        lacking = self.needs(rows)
        if lacking:
            raise ParameterError(f"Features: {self.says} cannot be made, {lacking}. Choose counts.")


def _ones(rows: Rows) -> Floats:
    return np.ones(len(rows))


def _instructions(rows: Rows) -> Floats:
    assert rows.instructions is not None
    return rows.instructions


def _rates(rows: Rows) -> tuple[Floats, tuple[str, ...]]:
    return rows.X / _instructions(rows)[:, None], tuple(f"{name} an instruction" for name in rows.counters)


def _squares(rows: Rows) -> tuple[Floats, tuple[str, ...]]:
    """Dynamic power is capacity x V^2 x switching, so each event costs its energy x V^2; leakage goes with V, the clock with V^2 f."""
    square = rows.volts**2
    features = np.column_stack([rows.X * square[:, None], rows.volts, square * rows.hertz])
    return features, (*(f"{name} V^2" for name in rows.counters), "V", "V^2 f")


def _no_instructions(rows: Rows) -> str:
    return "" if rows.instructions is not None else "no counter of instructions is above 0 in every phase"


def _no_voltage(rows: Rows) -> str:
    known = np.isfinite(rows.volts).all() and np.isfinite(rows.hertz).all() and len(rows)
    return "" if known else "the table has no column of the voltage (V) and the frequency (MHz) of each phase"


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(
            name="counts",
            says="counts as they are",
            make=lambda rows: (rows.X, rows.counters),
            unit=_ones,
            needs=lambda rows: "",
        ),
        Form(name="rates", says="counts per instruction", make=_rates, unit=_instructions, needs=_no_instructions),
        Form(name="V2", says="events x V^2, V and V^2 f", make=_squares, unit=_ones, needs=_no_voltage),
    )
}


def forms_of(table: PhaseTable) -> tuple[FormName, ...]:
    """The forms that the columns of `table` allow; counts always."""
    found: list[FormName] = ["counts"]
    if instructions_of(table.counters) is not None:
        found.append("rates")
    if has_voltage(table):
        found.append("V2")
    return tuple(found)
