"""One program at other frequencies, and programs that contradict each other: answers that two lines of arithmetic give."""

from dataclasses import replace

import numpy as np
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.analysis import POWER
from hemcore.prediction.power.frequency_change import memory_share, run_at
from hemcore.prediction.power.physics import PowerFit, PowerFits, Terms
from hemcore.prediction.power.power_phases import PowerCells, PowerRows
from hemcore.web.prediction.power_sliders import by_energy
from tests.core.prediction.power.made_power import powered

# A watt for each cycle per second at 1 V, nothing for the instructions and no leakage.
TERMS = Terms(events=("CYCLES", "instructions"), with_clock=False, with_warmth=False, measured_volts=True, top=1.0, coldest=0.0)
FIT = PowerFit(terms=TERMS, theta=np.array([1.0, 0.0, 0.0]), share=1.0)


def cells() -> PowerCells:
    """One instruction a run, of which a second waits and one cycle passes meanwhile: at 1 Hz 2 s and 2 cycles, at 2 Hz 1.5 s and 3 cycles.
    It takes twice the watts of FIT."""
    return PowerCells(
        group=np.zeros(2, dtype=np.int64), clock=np.array([1.0, 2.0]), seconds=np.array([2.0, 1.5]), joules=np.array([4.0, 6.0]),
        runs=np.ones(2), rates=np.array([[1.0, 0.5], [2.0, 1 / 1.5]]), volts=np.ones(2), ghz=np.array([1.0, 2.0]),
        celsius=np.full(2, np.nan), of=np.arange(2),
    )  # fmt: skip


def test_a_run_at_four_times_the_clock() -> None:
    # 1 / 4 + 1 = 1.25 s; 1 + 4 = 5 cycles, 4 per second, twice as many watts: 8 W, 10 J.
    found = run_at(cells(), np.arange(2), FIT, instructions=1, cycles=0, memory=0.5, ghz=4.0, volts=1.0)
    assert (found.seconds, found.watts, found.joules, found.edp) == pytest.approx((1.25, 8, 10, 12.5))
    # At 2 V the same cycles cost four times as much.
    assert run_at(cells(), np.arange(2), FIT, instructions=1, cycles=0, memory=0.5, ghz=4.0, volts=2.0).watts == pytest.approx(32)


def test_the_share_of_memory_is_of_the_time_at_the_highest_clock() -> None:
    # At 2 Hz 1.5 s, of which 1 s waits.
    assert memory_share(cells(), 1) == pytest.approx(1 / 1.5)


def test_programs_stand_by_the_energy_of_all_their_frequencies() -> None:
    # The cells' 4 + 6 J are more than 5 J, and less than 11 J, of others with one cell.
    both = cells()
    three = replace(both, group=np.array([0, 0, 1, 2]), joules=np.array([4.0, 6.0, 5.0, 11.0]))
    assert by_energy(three, ("two clocks", "least", "most")) == ["most", "two clocks", "least"]


def test_one_clock_alone_is_divided_as_other_programs_are() -> None:
    # 2 s and 2 cycles at 1 Hz, a quarter of the time waiting: at 2 Hz 0.75 + 0.5 s.
    # A quarter of the cycles goes with the clock: 1.5 + 0.5 * 2.
    found = run_at(cells(), np.array([0]), FIT, instructions=1, cycles=0, memory=0.25, ghz=2.0, volts=1.0)
    assert found.seconds == pytest.approx(1.25)
    assert found.watts == pytest.approx(2 * 2.5 / 1.25)


def test_a_voltage_that_was_not_measured_rises_from_its_share() -> None:
    terms = Terms(events=("e",), with_clock=True, with_warmth=False, measured_volts=False, top=2.0, coldest=0.0)
    unknown = np.full(2, np.nan)
    # A quarter at 0 Hz, and so 0.625 at half of the highest clock and 1 there.
    found = terms.features(0.25, np.array([[3.0], [3.0]]), unknown, np.array([1.0, 2.0]), unknown)
    assert found.tolist() == [[3 * 0.625**2, 0.625, 0.625**2], [3, 1, 2]]


def test_a_program_of_many_phases_counts_as_one() -> None:
    # One event per second: 1 W in one program, 2 W in three phases of another. (w - 1)^2 + (w / 2 - 1)^2 is least at w = 1.2.
    n, unknown = 4, np.full(4, np.nan)
    rows = PowerRows(
        rates=np.ones((n, 1)), watts=np.array([1.0, 2.0, 2.0, 2.0]), seconds=np.ones(n), volts=unknown, ghz=unknown, celsius=unknown,
        group=np.array([0, 1, 1, 1]), clock=np.zeros(n), run=np.arange(n), programs=("a", "b"), events=("e",),
    )  # fmt: skip
    terms = Terms(events=("e",), with_clock=False, with_warmth=False, measured_volts=False, top=1.0, coldest=0.0)
    fit = PowerFits(rows, rows.group, terms).fit(np.ones(2, dtype=bool))
    assert fit.watts(np.ones((1, 1)), unknown[:1], unknown[:1], unknown[:1]) == pytest.approx([1.2], rel=1e-6)


def test_the_error_of_energy_is_of_time_and_power_together() -> None:
    # Energy is time times power: 10% more of both are 21% more. Times that vary by a fifth cannot be predicted exactly.
    table = powered(4, noise=0.1)
    frame = table.frame.assign(time_s=table.frame["time_s"] * np.random.default_rng(1).uniform(0.8, 1.2, len(table.frame)))
    moved = POWER.of(PhaseTable(frame=frame, counters=table.counters)).moved
    assert (moved["power"] * moved["time"]).abs().max() > 1e-3
    assert moved["energy"].tolist() == pytest.approx(((1 + moved["time"]) * (1 + moved["power"]) - 1).tolist())
