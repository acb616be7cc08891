"""Power of programs whose physics is known: coefficients, what was left out, intervals, and another frequency."""

import math

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.analysis import POWER, WATTS
from hemcore.prediction.power.frequency_change import two_parts, volts_at
from hemcore.prediction.power.physics import CLOCK as CLOCK_TERM
from hemcore.prediction.power.physics import LEAKAGE as LEAKAGE_TERM
from hemcore.prediction.power.physics import Terms
from hemcore.prediction.power.power_headline import model_cards, model_verdict, watts_cards, watts_verdict
from hemcore.prediction.power.power_params import PowerParams
from hemcore.prediction.power.power_phases import cells_of, power_rows
from tests.core.prediction.power.made_power import CLOCK, ENERGY, LEAKAGE, NANOJOULES, WATTS_COLUMN, powered

FEATURES = Terms(events=("a", "b"), with_clock=True, with_warmth=True, measured_volts=True, top=2.0, coldest=40.0)


def test_the_terms_of_physics() -> None:
    one = FEATURES.features(1.0, np.array([[3.0, 5.0]]), np.array([2.0]), np.array([1.5]), np.array([50.0]))
    # Events and clock go with V^2 = 4, leakage with V = 2, and with V times 10 degrees above the coldest.
    assert one.tolist() == [[12.0, 20.0, 2.0, 6.0, 20.0]]
    assert FEATURES.names == ("a", "b", LEAKAGE_TERM, CLOCK_TERM, "leakage by temperature")
    cold = FEATURES.features(1.0, np.array([[3.0, 5.0]]), np.array([2.0]), np.array([1.5]), np.array([30.0]))
    assert cold[0, -1] == 0
    # Without a voltage, half of it is left at 0 Hz: at half of the top frequency, 0.75.
    unknown = Terms(events=("a",), with_clock=True, with_warmth=False, measured_volts=False, top=2.0, coldest=0.0)
    assert unknown.features(0.5, np.array([[4.0]]), np.array([np.nan]), np.array([1.0]), np.array([np.nan]))[0] == pytest.approx(
        [4 * 0.5625, 0.75, 0.5625]
    )


def test_the_coefficients_are_found() -> None:
    found = POWER.of(powered())
    theta = dict(zip(found.fit.terms.names, found.fit.theta, strict=True))
    assert theta[LEAKAGE_TERM] == pytest.approx(LEAKAGE, rel=1e-3)
    assert theta[CLOCK_TERM] == pytest.approx(CLOCK, rel=1e-3)
    for name, energy in NANOJOULES.items():
        assert theta[name] == pytest.approx(energy * 1e-9, rel=1e-3)
    assert found.power_error < 1e-3
    assert found.energy_error < 1e-3
    assert found.clock_error < 1e-2
    # 1 GHz: leakage 0.1 x 0.9 and clock 0.3 x 0.81 x 1; the stack has the means over time of all clocks.
    own = found.stack[found.stack["program"] == "p0"].set_index("term")["watts"]
    measured = found.measured[found.measured["program"] == "p0"]
    assert own.sum() == pytest.approx((measured["watts"] * measured["seconds"]).sum() / measured["seconds"].sum(), rel=1e-3)


def test_energy_over_time_is_power() -> None:
    by_energy, by_power = POWER.of(powered(as_energy=True)), POWER.of(powered())
    assert (by_energy.target, by_power.target) == (ENERGY, WATTS_COLUMN)
    np.testing.assert_allclose(by_energy.fit.theta, by_power.fit.theta, rtol=1e-6)
    np.testing.assert_allclose(by_energy.measured["joules"], by_power.measured["joules"])
    # One run per program and clock: energy of a run is watts times seconds.
    np.testing.assert_allclose(by_power.measured["joules"], by_power.measured["watts"] * by_power.measured["seconds"])


def test_without_voltage_its_course_is_found_from_the_power() -> None:
    found = POWER.of(powered(volts=False))
    assert not found.fit.terms.measured_volts
    assert found.fit.share < 1
    assert found.power_error < 0.1  # the true course bends: 0.9, 1.0, 1.3 V
    assert "V is not measured" in model_verdict(found).full_text


def test_a_program_is_no_part_of_its_own_prediction() -> None:
    table = powered(8)
    frame = table.frame.copy()
    own = frame["program"] == "p3"
    frame.loc[own, WATTS_COLUMN] *= 1.5
    found = POWER.of(PhaseTable(frame=frame, counters=table.counters)).programs.set_index("program")
    # The others know nothing of the half more: 1 / 1.5 - 1.
    assert found.loc["p3", "error"] == pytest.approx(-1 / 3, abs=1e-3)
    assert found.loc["p3", "mape"] == pytest.approx(1 / 3, abs=1e-3)
    assert found.loc["p3", "covered"] == 0
    assert found.loc["p3", "measured"] == pytest.approx((frame[WATTS_COLUMN] * frame["time_s"])[own].sum())
    assert list(found.index) == [f"p{number}" for number in range(8)]


def test_intervals_come_from_the_other_programs() -> None:
    found = POWER.of(powered(12, noise=0.05, seed=3)).programs
    off = found["error"].abs().to_numpy()
    # Without the first, the ceil(0.8 x 12) = 10th of 11 errors.
    width = np.sort(off[1:])[9]
    assert found["low"][0] == pytest.approx(found["predicted"][0] / (1 + width))
    assert found["high"][0] == pytest.approx(found["predicted"][0] / (1 - width))
    assert found["covered"][0] == float(found["low"][0] <= found["measured"][0] <= found["high"][0])


def test_two_parts() -> None:
    # y = 3 x + 2 exactly; a falling line has no slope below 0; a steeper one no constant below 0.
    assert two_parts(np.array([5.0, 8.0, 11.0]), np.array([1.0, 2.0, 3.0]), 0.0) == pytest.approx((3, 2))
    slope, constant = two_parts(np.array([4.0, 2.0]), np.array([1.0, 2.0]), 0.0)
    assert slope == 0
    assert constant == pytest.approx((1 / 4 + 1 / 2) / (1 / 16 + 1 / 4))
    assert two_parts(np.array([1.0, 4.0]), np.array([1.0, 2.0]), 0.0) == pytest.approx(((1 + 0.5) / (1 + 0.25), 0))
    # One point: a quarter is constant.
    assert two_parts(np.array([8.0]), np.array([2.0]), 0.25) == pytest.approx((3, 2))


def test_a_frequency_between_the_measured_ones() -> None:
    found = WATTS.of(powered(), PowerParams(program="p0", frequency=1250))
    assert found.changed.volts == pytest.approx(0.95)  # between 0.9 at 1 GHz and 1.0 at 1.5 GHz
    rows = powered().frame.query("program == 'p0' and `Clock(MHz)` == 1000")
    misses = (rows["L2_MISSES"] / rows["instructions"]).sum()
    # Four phases of 1e9 instructions: 0.8 ns each and 50 ns per miss.
    seconds = 4 * 0.8 + misses * 50
    assert found.changed.seconds == pytest.approx(seconds, rel=1e-3)
    energy = sum(NANOJOULES[name] * rows[name].sum() * 1e-9 for name in NANOJOULES) * 0.95**2
    watts = 0.1 * 0.95 + 0.3 * 0.95**2 * 1.25 + energy / seconds
    assert found.changed.watts == pytest.approx(watts, rel=1e-2)
    assert found.changed.joules == pytest.approx(found.changed.watts * found.changed.seconds)
    assert found.changed.edp == pytest.approx(found.changed.joules * found.changed.seconds)
    assert found.changes["energy"] == pytest.approx(found.changed.joules / found.base.joules - 1)
    # Energy times time, both as shares of what they were.
    assert 1 + found.changes["edp"] == pytest.approx((1 + found.changes["energy"]) * (1 + found.changes["time"]))
    assert not found.outside
    assert not found.measured


def test_what_was_measured_is_given_as_it_was() -> None:
    table = powered()
    found = WATTS.of(table, PowerParams(program="p1", frequency=1500))
    own = table.frame.query("program == 'p1' and `Clock(MHz)` == 1500")
    assert found.measured
    assert found.changed.joules == pytest.approx((own[WATTS_COLUMN] * own["time_s"]).sum())
    assert found.base.ghz == 2.0
    assert found.interval("energy") == (found.changed.joules, found.changed.joules)
    # At 0 the answer is the program as it was measured at its highest clock.
    usual = WATTS.of(table, PowerParams(program="p1"))
    assert (usual.changed, usual.moved) == (usual.base, False)
    assert watts_verdict(usual).answer.startswith("p1 at 2,000 MHz: ")


def test_another_voltage_alone() -> None:
    found = WATTS.of(powered(), PowerParams(program="p0", frequency=2000, voltage=1.0))
    assert found.changed.seconds == pytest.approx(found.base.seconds)
    # All but leakage goes with V^2, leakage with V: from 1.3 V to 1 V.
    leakage = 0.1 * 1.3
    assert found.changed.watts == pytest.approx((found.base.watts - leakage) / 1.69 + 0.1, rel=1e-3)
    verdict = watts_verdict(found)
    assert (verdict.level, "may not run" in verdict.full_text) == ("limited", True)


@pytest.mark.parametrize(
    ("frequency", "voltage", "what"), [(2400, 0, "2,400 MHz"), (900, 0, "900 MHz"), (1500, 1.5, "1.5 V"), (1500, 0.5, "0.5 V")]
)
def test_an_extrapolation_says_so_first(frequency: float, voltage: float, what: str) -> None:
    verdict = watts_verdict(WATTS.of(powered(), PowerParams(frequency=frequency, voltage=voltage)))
    assert verdict.answer.startswith("Extrapolation, do not rely on it")
    assert verdict.trust.startswith(f"{what} is outside")
    assert (verdict.level, verdict.too_long()) == ("poor", False)


def test_kwh_and_money() -> None:
    found = WATTS.of(powered(), PowerParams(n_runs=3_600_000, price=0.25))
    # 3.6 million runs of so many joules are as many kWh.
    assert found.kwh == pytest.approx(found.changed.joules)
    assert found.summary["cost"].tolist() == pytest.approx([found.kwh * 0.25] * 2)
    cost = {card.label: card for card in watts_cards(found)}["Cost"]
    assert cost.value == pytest.approx(found.kwh * 0.25)
    assert "kWh" in cost.note
    without = WATTS.of(powered(), PowerParams())
    assert without.summary["cost"].isna().all()
    assert {card.label: card for card in watts_cards(without)}["Cost"].shown.endswith("kWh")


def test_the_errors_of_another_frequency_are_those_of_frequencies_left_out() -> None:
    found = POWER.of(powered(noise=0.02, seed=1))
    assert len(found.moved) == 30
    own = found.moved[(found.moved["program"] == "p2") & (found.moved["mhz"] == 1000)].iloc[0]
    assert own["energy"] == pytest.approx((1 + own["time"]) * (1 + own["power"]) - 1)
    assert abs(own["time"]) < 1e-6  # the made time is a / f + b
    off = found.moved.pivot(index="program", columns="mhz", values="energy").abs().to_numpy()
    # Ten programs with three clocks: the ceil(0.8 x 11 x 3) = 27th of 30; without one, the 24th of 27.
    assert found.moved_width("energy") == pytest.approx(np.sort(off, axis=None)[26])
    assert found.moved_width("energy", without="p2") == pytest.approx(np.sort(np.delete(off, 2, axis=0), axis=None)[23])
    row = found.clocks.set_index("mhz").loc[1000]
    assert row["moved_energy"] == pytest.approx(off[:, 0].mean())
    assert (row["programs"], row["volts"]) == (10, 0.9)


def test_one_frequency_says_nothing_of_others() -> None:
    found = WATTS.of(powered(clocks=(1500,)))
    assert math.isnan(found.model.clock_error)
    assert found.model.moved.empty
    assert "One frequency" in watts_verdict(found).full_text
    moved = watts_verdict(WATTS.of(powered(clocks=(1500,)), PowerParams(frequency=1000)))
    assert (moved.level, moved.answer.startswith("Extrapolation")) == ("poor", True)


def test_tables_without_what_is_needed() -> None:
    table = powered()

    def without(*names: str) -> PhaseTable:
        kept = tuple(name for name in table.counters if name not in names)
        return PhaseTable(frame=table.frame.drop(columns=list(names)), counters=kept)

    with pytest.raises(ParameterError, match="how long each phase took"):
        POWER.of(without("time_s"))
    alone = WATTS.of(without("Clock(MHz)"))
    assert math.isnan(alone.changed.ghz)
    assert not watts_verdict(alone).too_long()
    with pytest.raises(ParameterError, match="no column of frequencies"):
        WATTS.of(without("Clock(MHz)"), PowerParams(frequency=1000))
    with pytest.raises(ParameterError, match="no column of voltages"):
        WATTS.of(without("Core Voltage(V)"), PowerParams(voltage=1))
    with pytest.raises(ParameterError, match="not in the table"):
        WATTS.of(table, PowerParams(program="q"))
    with pytest.raises(ParameterError, match="only program"):
        POWER.of(powered(1))


def test_durations_from_times_of_reading_or_from_cycles() -> None:
    table = powered()
    frame = table.frame.drop(columns="time_s")
    timed = frame.assign(run=1, time=frame.groupby("load").cumcount() * 0.25)
    rows, _, notes = power_rows(PhaseTable(frame=timed, counters=table.counters))
    assert set(rows.seconds) == {0.25}
    assert "0.25 s" in notes[0]
    counted = frame.assign(CPU_CYCLES=frame["Clock(MHz)"] * 1e6 * 2)
    rows, _, notes = power_rows(PhaseTable(frame=counted, counters=(*table.counters, "CPU_CYCLES")))
    assert set(rows.seconds) == {2.0}
    assert "never idled" in notes[0]


def test_rows_without_power_are_left_out_and_counted() -> None:
    table = powered(3)
    frame = table.frame.copy()
    frame.loc[0, WATTS_COLUMN], frame.loc[1, "L2_MISSES"] = 0.0, np.nan
    rows, _, notes = power_rows(PhaseTable(frame=frame, counters=table.counters))
    assert len(rows) == len(frame) - 2
    assert notes[0].startswith("2 of 36 phases are left out")


def test_cells_are_sums_over_their_phases() -> None:
    table = powered(2)
    rows, _, _ = power_rows(table)
    cells = cells_of(rows)
    own = table.frame.query("program == 'p1' and `Clock(MHz)` == 2000")
    assert cells.seconds[-1] == pytest.approx(own["time_s"].sum())
    assert cells.joules[-1] == pytest.approx((own["time_s"] * own[WATTS_COLUMN]).sum())
    assert cells.rates[-1, 0] == pytest.approx(own["instructions"].sum() / own["time_s"].sum())
    assert cells.runs.tolist() == [1] * 6
    assert volts_at(cells, 1.75) == pytest.approx(1.15)
    assert (volts_at(cells, 0.5), volts_at(cells, 3.0)) == pytest.approx((0.9, 1.3))
    twice = pd.concat([table.frame.assign(run=1), table.frame.assign(run=2, phase=table.frame["phase"] + 4)])
    assert cells_of(power_rows(PhaseTable(frame=twice, counters=table.counters))[0]).runs.tolist() == [2] * 6


def test_the_verdict_follows_the_errors() -> None:
    good = model_verdict(POWER.of(powered()))
    assert (good.level, good.too_long()) == ("good", False)
    assert model_verdict(POWER.of(powered(5))).level == "limited"
    wild = POWER.of(powered(10, noise=0.5, seed=2))
    assert model_verdict(wild).level in ("limited", "poor")
    cards = {card.label: card for card in model_cards(wild)}
    assert cards["Power, unseen program"].value == pytest.approx(wild.programs["mape"].mean())
    assert cards["Energy, unseen program"].value == pytest.approx(wild.programs["error"].abs().mean())
    assert cards["80% intervals"].shown == f"{int(wild.programs['covered'].sum())} of 10"


def test_what_was_measured_is_told_per_run() -> None:
    table = powered(4)
    twice = pd.concat([table.frame.assign(run=1), table.frame.assign(run=2, phase=table.frame["phase"] + 4)], ignore_index=True)
    once, found = (POWER.of(PhaseTable(frame=frame, counters=table.counters)).measured for frame in (table.frame, twice))
    assert (once["runs"].tolist(), found["runs"].tolist()) == ([1] * 12, [2] * 12)
    for name in ("seconds", "watts", "joules"):
        np.testing.assert_allclose(found[name], once[name])
