"""When an answer about power is green, and what it warns of, by hand."""

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from hemcore.prediction.power.power_headline import model_cards, model_verdict, watts_cards, watts_verdict

NAN = float("nan")


def model(error: float = 0.04, programs: int = 30) -> Any:
    return SimpleNamespace(
        target="W", power_error=error, energy_error=0.03, clock_error=0.08, notes=(),
        programs=pd.DataFrame({"error": [0.01] * (programs - 1) + [-0.3], "covered": [1.0] * (programs - 2) + [0.0, NAN]}),
        clocks=pd.DataFrame({"mhz": [1000.0, 2000.0], "power": [0.08, 0.02]}),
        fit=SimpleNamespace(share=0.5, terms=SimpleNamespace(measured_volts=True, with_clock=True, with_warmth=False)),
    )  # fmt: skip


def run(joules: float, seconds: float, volts: float = NAN, ghz: float = 1.0) -> Any:
    return SimpleNamespace(joules=joules, seconds=seconds, watts=joules / seconds, edp=joules * seconds, volts=volts, ghz=ghz)


def asked(found: Any = None, *, volts: float = NAN, width: float = 0.1, outside: tuple[str, ...] = (), measured: bool = False) -> Any:
    """A run of 100 J in 10 s at 2 GHz, which at 1 GHz takes 80 J in 16 s."""
    params = SimpleNamespace(voltage=None, price=0.5, n_runs=36_000, frequency=0.0)
    return SimpleNamespace(
        model=found or model(), program="fft", base=run(100, 10, ghz=2.0), changed=run(80, 16, volts), measured=measured,
        usual_volts=1.0, reach=(0.6, 2.0),
        moved=True, outside=list(outside), widths={"energy": width, "time": 0.1, "power": 0.1}, interval=lambda what: (72.0, 90.0),
        changes={"energy": -0.2, "time": 0.6, "power": -0.5, "edp": 0.28}, kwh=0.8, params=params,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("error", "programs", "level"),
    [
        (0.05, 30, "good"),
        (0.051, 30, "limited"),
        (0.2, 30, "limited"),
        (0.21, 30, "poor"),
        (0.05, 8, "good"),
        (0.05, 7, "limited"),
        (NAN, 30, "poor"),
    ],
)
def test_small_errors_over_enough_programs_are_green(error: float, programs: int, level: str) -> None:
    assert model_verdict(model(error, programs)).level == level


def test_the_worst_program_and_frequency_are_named() -> None:
    found = model_verdict(model())
    assert "the worst is 30.0% off in energy" in found.trust
    assert any("power at most 8.0% off (1,000 MHz)" in each for each in found.why)
    shown = {each.label: each for each in model_cards(model())}
    # 28 of the 29 whose interval is known.
    covered = next(each for label, each in shown.items() if label.endswith("intervals"))
    assert (covered.value, covered.shown) == (pytest.approx(28 / 29), "28 of 29")
    assert shown["Unseen frequency"].note == "the worst of 2"


def test_energy_time_and_power_at_another_frequency() -> None:
    found = watts_verdict(asked())
    assert found.answer == "fft at 1,000 MHz: energy −20.0%, time +60.0%, power −50.0%."
    assert "interval of energy −28.0% to −10.0%" in found.trust
    assert found.level == "good"
    shown = {each.label: each.shown for each in watts_cards(asked())}
    assert (shown["Energy to solution"], shown["Time"], shown["Power"], shown["EDP"]) == ("80 J", "16 s", "5 W", "1,280 J s")
    # 0.8 kWh at 0.5 each.
    assert shown["Cost"] == "0.4"


@pytest.mark.parametrize(("volts", "warned"), [(0.99, True), (0.995, False), (1.0, False), (NAN, False)])
def test_less_voltage_than_measured_there_may_not_run(volts: float, warned: bool) -> None:
    found = watts_verdict(asked(volts=volts))
    assert (found.why[0].startswith("Below the 1 V"), found.level) == (warned, "limited" if warned else "good")


def test_wide_unknown_and_extrapolated_answers_are_not_green() -> None:
    assert [watts_verdict(asked(width=width)).level for width in (0.2, 0.21, float("inf"))] == ["good", "poor", "poor"]
    assert watts_verdict(asked(width=0.5, measured=True)).level == "good"
    far = watts_verdict(asked(outside=("3,000 MHz is outside", "2 V is outside"), volts=0.5))
    assert (far.level, far.trust, far.why[0]) == ("poor", "3,000 MHz is outside.", "2 V is outside.")
    assert watts_verdict(asked(model(0.3), volts=0.5)).level == "poor"
