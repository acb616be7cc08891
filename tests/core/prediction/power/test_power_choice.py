"""The ridge per frequency against scikit-learn's, and the model that programs prefer when others are left out."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from hemcore.prediction.analysis import POWER
from hemcore.prediction.error_levels import FEW_PROGRAMS
from hemcore.prediction.power.clock_ridge import PENALTY, ClockRidge, ClockRidgeFits
from hemcore.prediction.power.physics import PowerFit, PowerFits, Terms, terms_of
from hemcore.prediction.power.power_choice import BOTH, NAMES, PHYSICS, RIDGE, ChosenPower, PowerChoice
from hemcore.prediction.power.power_phases import PowerCells, PowerRows, cells_of
from tests.core.prediction.power.made_power import powered


def rows_of(rates: np.ndarray, watts: np.ndarray, group: np.ndarray, clock: np.ndarray) -> PowerRows:
    n = len(watts)
    return PowerRows(
        rates=rates, watts=watts, seconds=np.ones(n), volts=np.ones(n), ghz=clock / 1e3, celsius=np.full(n, np.nan), group=group,
        clock=clock, run=np.zeros(n, dtype=np.int64), programs=tuple(f"p{code}" for code in range(int(group.max()) + 1)),
        events=tuple(f"e{place}" for place in range(rates.shape[1])),
    )  # fmt: skip


def drawn(seed: int = 0, n: int = 240) -> PowerRows:
    random = np.random.default_rng(seed)
    rates = random.gamma(2.0, [1e9, 3e6, 50.0], (n, 3))
    rates[::5, 2] = 0.0
    watts = 0.5 + rates[:, 0] * 2e-10 + 0.05 * np.log(rates[:, 1]) + random.normal(0, 0.02, n)
    return rows_of(rates, watts, np.arange(n) % 6, np.where(np.arange(n) % 2 == 0, 1000.0, 2000.0))


def test_the_ridge_of_a_frequency_is_that_of_standardized_rates_and_their_logs() -> None:
    rows = drawn()
    cells = cells_of(rows)
    found = ClockRidgeFits(rows, cells).fit(cells.group != 2).watts(rows.rates, rows.clock)
    floors = np.array([0.05 * np.quantile(column[column > 0], 0.25) for column in rows.rates.T])
    X = np.hstack([rows.rates, np.log(rows.rates + floors)])
    for clock in (1000.0, 2000.0):
        here = rows.clock == clock
        own = here & (rows.group != 2)
        middle, unit = X[own].mean(axis=0), X[own].std(axis=0)
        theirs = Ridge(alpha=PENALTY).fit((X[own] - middle) / unit, rows.watts[own]).predict((X[here] - middle) / unit)
        np.testing.assert_allclose(found[here], theirs, rtol=1e-7)


def test_the_ridge_has_no_say_at_a_frequency_that_was_not_measured() -> None:
    rows = drawn()
    cells = cells_of(rows)
    found = ClockRidgeFits(rows, cells).fit(cells.clock == 1000).watts(rows.rates, rows.clock)
    assert (np.isnan(found) == (rows.clock == 2000)).all()
    # A rate that never changes, and one that is never above 0, change nothing.
    same = rows_of(np.column_stack([np.full(4, 7.0), np.zeros(4)]), np.array([1.0, 2, 3, 6]), np.arange(4), np.full(4, 1000.0))
    assert ClockRidgeFits(same, cells_of(same)).fit(np.ones(4, dtype=bool)).watts(same.rates, same.clock).tolist() == pytest.approx(
        [3.0] * 4
    )


def fixed(watts: float, of_ridge: float) -> dict[str, PowerFit | ClockRidge]:
    """Physics of leakage alone, and a ridge of one frequency that predicts the same for all."""
    terms = Terms(events=("e0",), with_clock=False, with_warmth=False, measured_volts=True, top=1.0, coldest=0.0)
    physics = PowerFit(terms=terms, theta=np.array([0.0, watts]), share=1.0)
    return {"physics": physics, "ridge": ClockRidge(floors=np.ones(1), by_clock={1000.0: (np.zeros(2), np.zeros(2), of_ridge)})}


def test_what_each_model_answers() -> None:
    rows = rows_of(np.ones((2, 1)), np.ones(2), np.array([0, 0]), np.array([1000.0, 2000.0]))
    both = fixed(2.0, 4.0)
    answers = {name: ChosenPower(name=name, **both).watts(rows).tolist() for name in NAMES}  # type: ignore[arg-type]
    # The ridge does not know the second frequency: physics there.
    assert answers == {PHYSICS: [2, 2], RIDGE: [4, 2], BOTH: [3, 2]}
    # Nor is power below 0.
    below = ChosenPower(name=RIDGE, **fixed(2.0, -4.0))  # type: ignore[arg-type]
    assert below.watts(rows).tolist() == [2, 2]


def choice_of(rows: PowerRows) -> PowerChoice:
    cells: PowerCells = cells_of(rows)
    return PowerChoice(rows, cells, PowerFits(rows, cells.of, terms_of(rows)))


def test_programs_prefer_what_predicts_those_left_out() -> None:
    # Power goes with the log of a rate: no sum of rates says that. Where it goes with the rate itself, physics is exact.
    random = np.random.default_rng(0)
    rates = np.exp(random.normal(0, 2, (320, 1)))
    group = np.repeat(np.arange(16), 20)
    logs = choice_of(rows_of(rates, 5 + np.log(rates[:, 0]) / 2, group, np.full(320, 1000.0)))
    every = np.ones(16, dtype=bool)
    assert logs.fit(every).name == RIDGE
    errors = dict(zip(NAMES, logs.errors(every), strict=True))
    assert errors[RIDGE] < errors[BOTH] < errors[PHYSICS]
    straight = choice_of(rows_of(rates, 1 + rates[:, 0], group, np.full(320, 1000.0)))
    assert straight.fit(every).name == PHYSICS


def test_errors_of_a_choice_are_of_programs_left_out_by_hand() -> None:
    # Two programs of one phase: each predicted by the other. No counter differs, so both models say what the other program took.
    rows = rows_of(np.ones((3, 1)), np.array([1.0, 2.0, 50.0]), np.arange(3), np.zeros(3))
    found = choice_of(rows).errors(np.array([True, True, False]))
    assert found == pytest.approx([(1 / 1 + 1 / 2) / 2] * 3, rel=1e-3)


def test_few_programs_are_answered_by_physics(monkeypatch: pytest.MonkeyPatch) -> None:
    n = FEW_PROGRAMS
    rates = np.random.default_rng(0).uniform(1, 2, (n, 1))
    choice = choice_of(rows_of(rates, np.ones(n), np.arange(n), np.full(n, 1000.0)))
    monkeypatch.setattr(choice, "errors", lambda programs: np.array([4.0, 3.0, 2.0]))
    assert choice.fit(np.ones(n, dtype=bool)).name == BOTH
    assert choice.fit(np.arange(n) > 0).name == PHYSICS


def test_the_table_of_programs_says_which_model_answered() -> None:
    found = POWER.of(powered())
    assert set(found.programs["model"]) == {PHYSICS}
