"""How far a phase is from the training phases, on a line of three programs."""

from dataclasses import replace

import numpy as np
import pytest

from hemcore.prediction.evaluate.training_distance import reach
from hemcore.prediction.model_rows import Rows
from tests.core.prediction.few_programs import rows_of


def at(rates: list[float], programs: list[int]) -> Rows:
    """Phases of 100 instructions with these misses per instruction."""
    rows = rows_of(y=[1.0] * len(rates), x=[100.0] * len(rates), programs=programs)
    return replace(rows, X=np.column_stack([rows.X[:, 0], 100 * np.array(rates)]), counters=("Ir", "misses"))


def test_distances_are_in_standard_deviations_of_the_rates() -> None:
    # Rates 1, 1, 3, 3: mean 2, standard deviation 1.
    found = reach(at([1, 1, 3, 3], [0, 0, 1, 1]))
    assert found.of(at([1, 2, 5], [0, 0, 0])).tolist() == pytest.approx([0, 1, 2])
    # Both programs are 2 from the other; far is a quarter farther than nine in ten programs.
    assert found.far == pytest.approx(2.5)


def test_what_counts_as_far_is_a_mean_over_each_programs_phases() -> None:
    # Rates 0, 0 | 0, 8: standard deviation sqrt((3 * 4 + 36) / 4) = sqrt(12). Program 0 is 0 from the other; program 1 is 0 and 8 from it,
    # so 4. Nine tenths of the way from 0 to 4 is 3.6, and a quarter more 4.5, in standard deviations 4.5 / sqrt(12).
    assert reach(at([0, 0, 0, 8], [0, 0, 1, 1])).far == pytest.approx(4.5 / 12**0.5)


def test_one_program_has_nothing_to_be_far_from() -> None:
    assert reach(at([1, 2], [0, 0])).far == 0


def test_without_instructions_the_shares_of_the_counts_are_compared() -> None:
    rows = replace(at([1, 1, 3, 3], [0, 0, 1, 1]), counters=("x", "misses"))
    # Shares of misses 1 / 2 and 3 / 4: mean 5 / 8, standard deviation 1 / 8, in both columns: sqrt(2) * 2 between the programs.
    assert reach(rows).far == pytest.approx(1.25 * 2 * 2**0.5)
