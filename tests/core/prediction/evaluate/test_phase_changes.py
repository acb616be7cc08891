"""Changes whose answers can be worked out by hand: costs of 1 per instruction and 10 per miss, and what goes along."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import WHAT_IF
from hemcore.prediction.evaluate.asked_change import changes_of, in_words, signed, text_of
from hemcore.prediction.evaluate.counter_cloud import cloud
from hemcore.prediction.evaluate.model_response import responses, sound_models
from hemcore.prediction.evaluate.phase_changes import model_spread
from hemcore.prediction.model_rows import Rows, select
from hemcore.prediction.models.fitted import Curves, Linear

ASKED = PredictionParams(models="OLS; cost per event", held_out="none", scope="all programs", together=False)


def table(n_programs: int = 4, n_phases: int = 30) -> PhaseTable:
    """1,000 instructions and 1 to 90 misses of the first level each, twice as many reads as misses: CYCLES are Ir + 10 D1mr."""
    random = np.random.default_rng(0)
    parts = []
    for program in range(n_programs):
        misses = random.integers(1, 90, n_phases).astype(float)
        keys = {"program": f"p{program}", "granularity": 10, "load": "single core", "phase": np.arange(n_phases)}
        reads = 200 * misses**0.5 * np.exp(random.normal(0, 0.01, n_phases))
        counts = {"Ir": 1_000.0, "D1mr": misses, "Dr": reads, "CYCLES": 1_000 + 10 * misses}
        parts.append(pd.DataFrame(keys | counts))
    return PhaseTable(frame=pd.concat(parts, ignore_index=True), counters=("CYCLES", "Ir", "D1mr", "Dr"))


def rows_of(X: list[list[float]], counters: tuple[str, ...], group: list[int] | None = None) -> Rows:
    n = len(X)
    unknown = np.full(n, np.nan)
    codes = np.array(group or [0] * n, dtype=np.int64)
    groups = tuple(f"p{code}" for code in range(int(codes.max()) + 1))
    known = {"X": np.array(X, dtype=float), "y": np.ones(n), "group": codes, "place": np.arange(n)}
    return Rows(**known, copied=unknown, volts=unknown, hertz=unknown, groups=groups, counters=counters)


def test_text_of_a_change_and_back() -> None:
    asked = changes_of("Bcm -80%; L1 misses +12.5 %; Ir \N{MINUS SIGN}0%", ("Bcm", "L1 misses", "Ir"))
    assert asked == {"Bcm": pytest.approx(-0.8), "L1 misses": pytest.approx(0.125)}
    assert text_of(asked) == "Bcm -80%; L1 misses +12.5%"
    assert changes_of("", ("Bcm",)) == {}
    assert [signed(each) for each in (-0.8, 0.125, 0.012, 0.0, float("nan"))] == ["−80.0%", "+12.5%", "+1.2%", "0%", "an unknown change"]
    assert in_words({"a": -0.5, "b": 1.0, "c": 0.2}) == "a −50%, b +100% and 1 more"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bcm", "'Bcm' is not a counter and a percentage"),
        ("Dr -10%", "'Dr' is not used by the models"),
        ("Bcm -10%; Bcm +20%", "Bcm is named twice"),
        ("Bcm -101%", "outside -100% to"),
        ("Bcm +9901%", "outside -100% to"),
    ],
)
def test_a_change_that_cannot_be_is_told(text: str, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        changes_of(text, ("Bcm",))


def test_the_change_of_known_costs() -> None:
    # Without half of the misses, CYCLES fall by 5 D1mr of 1,000 + 10 D1mr: in each program by its own share, all count the same.
    own = table()
    frame = own.frame.groupby("program")[["D1mr", "CYCLES"]].sum()
    change = WHAT_IF.of(own, ASKED.but(change="D1mr -50%")).change
    assert change is not None
    assert change.model in ("OLS", "cost per event")
    assert change.change == pytest.approx(float((-5 * frame["D1mr"] / frame["CYCLES"]).mean()), rel=1e-3)
    assert change.low <= change.change <= change.high < 0
    one = WHAT_IF.of(own, ASKED.but(change="D1mr -50%", scope="program", start="p2")).change
    assert one is not None
    assert one.change == pytest.approx(-5 * frame.loc["p2", "D1mr"] / frame.loc["p2", "CYCLES"], rel=1e-3)
    assert one.measured == frame.loc["p2", "CYCLES"]


def test_a_temperature_and_a_ratio_are_means_over_the_phases() -> None:
    """Thirty phases at 50 degrees are at 50, and not at 1,500; their IPC is no sum either, and their instructions are."""
    own = table()
    frame = own.frame.rename(columns={"CYCLES": "temp"}).assign(
        temp=lambda each: 50 + each["D1mr"] / 10, ipc=lambda each: 1 + each["D1mr"] / 90
    )
    warm = PhaseTable(frame=frame, counters=("temp", "Ir", "D1mr", "ipc"))
    change = WHAT_IF.of(warm, ASKED.but(target="temp", change="D1mr -50%", scope="program", start="p2", counters="Ir; D1mr; ipc")).change
    assert change is not None
    p2 = frame[frame["program"] == "p2"]
    assert change.measured == pytest.approx(p2["temp"].mean())
    now = change.counters.set_index("counter")["now"]
    assert now["D1mr"] == p2["D1mr"].sum()
    assert now["ipc"] == pytest.approx(p2["ipc"].mean())


def test_longer_phases_take_longer_in_proportion() -> None:
    change = WHAT_IF.of(table(), ASKED.but(change="Ir +72%", together=True, models="cost per event")).change
    assert change is not None
    assert (change.change, change.low, change.high) == pytest.approx((0.72, 0.72, 0.72), abs=1e-6)
    assert not change.far


def test_what_goes_along_is_the_slope_of_the_logs() -> None:
    # Reads go with the square root of misses: a quarter of the misses comes with half of the reads. Alone, reads stay.
    rows = select(table(), PredictionParams()).train
    found = cloud(rows)
    at = {name: rows.counters.index(name) for name in rows.counters}
    together, alone = (found.moved(rows, {"D1mr": 0.25}, together=each) for each in (True, False))
    assert np.median(together.X[:, at["Dr"]] / rows.X[:, at["Dr"]]) == pytest.approx(0.5, abs=0.03)
    assert (together.X[:, at["D1mr"]] / rows.X[:, at["D1mr"]]).tolist() == pytest.approx([0.25] * len(rows))
    assert (alone.X[:, at["Dr"]] == rows.X[:, at["Dr"]]).all()
    assert (together.X[:, at["Ir"]] == rows.X[:, at["Ir"]]).all()


def test_one_in_twenty_left_out_phases_is_far_and_nonsense_is() -> None:
    rows = select(table(8, 60), PredictionParams()).train
    found = cloud(rows)
    assert 0 < found.far < 2
    broken = found.moved(rows, {"Dr": 20.0}, together=False)
    assert (found.distances(broken) > found.far).all()
    # Reads are apart from what misses let expect, and by more than before.
    place = found.counters.index("Dr")
    assert (np.abs(found.apart(broken)[:, place]) > np.abs(found.apart(rows)[:, place])).all()


def test_a_far_change_says_so_before_its_number() -> None:
    own = table(8, 60)
    noise = np.random.default_rng(1).uniform(0.95, 1.05, len(own.frame))
    noisy = PhaseTable(frame=own.frame.assign(CYCLES=own.frame["CYCLES"] * noise + own.frame["Dr"] / 2), counters=own.counters)
    found = WHAT_IF.of(noisy, ASKED.but(change="Dr +1900%"))
    assert WHAT_IF.verdict is not None
    assert WHAT_IF.cards is not None
    told = WHAT_IF.verdict(found)
    assert told.answer.startswith("Extrapolation, so uncertain: Dr +1,900%, CYCLES ")
    assert told.level == "poor"
    assert "No phase measured has such counts (Dr" in told.trust
    assert next(each for each in WHAT_IF.cards(found) if each.label == "Distance").note == "far: an extrapolation"


def test_signs_and_stillness_of_models() -> None:
    rows = rows_of([[100, 10, 3], [200, 20, 5]], ("Ir", "D1mr", "temperature"))
    good = Linear(form="counts", names=rows.counters, theta=np.array([1.0, 10.0, 0.0]))
    wrong = Linear(form="counts", names=rows.counters, theta=np.array([1.0, -1.0, 5.0]))
    found = responses({"good": good, "wrong": wrong}, rows, "CYCLES").set_index(["model", "counter"])
    assert found["moves"].to_dict() == {
        ("good", "Ir"): True, ("good", "D1mr"): True, ("good", "temperature"): False,
        ("wrong", "Ir"): True, ("wrong", "D1mr"): True, ("wrong", "temperature"): True,
    }  # fmt: skip
    assert found.loc[("wrong", "D1mr"), "contrary"] == 1
    assert found.loc[("good", "D1mr"), "contrary"] == 0
    # No sign is known of a temperature, nor of anything where power is predicted.
    assert np.isnan(found.loc[("wrong", "temperature"), "contrary"])
    assert sound_models(found.reset_index()) == ["good"]
    assert sound_models(responses({"good": good, "wrong": wrong}, rows, "Power")) == ["good", "wrong"]


@dataclass(frozen=True)
class _Peak:
    """Most time at 10 misses: 100, 75 at 5 and 0 at 20."""

    def predict(self, rows: Rows) -> np.ndarray:
        return 100 - (rows.X[:, 1] - 10) ** 2 + 1e-6


def test_a_model_is_not_sound_if_time_falls_on_one_side_alone() -> None:
    # Half of 10 misses take less time, as they should; twice as many too.
    found = responses({"peak": _Peak()}, rows_of([[100, 10]], ("Ir", "D1mr")), "CYCLES")  # type: ignore[dict-item]
    assert found.set_index("counter").loc["D1mr", "contrary"] == 1
    assert sound_models(found) == []


@pytest.mark.filterwarnings("error")
def test_a_model_that_predicts_nothing_with_more_of_an_event_is_not_sound() -> None:
    # 100 - 10 D1mr: 55 at half of the misses, 10 as measured, -80 with twice as many, which has no logarithm.
    rows = rows_of([[100, 9]], ("Ir", "D1mr"))
    falling = Linear(form="counts", names=rows.counters, theta=np.array([1.0, -10.0]))
    found = responses({"falling": falling}, rows, "CYCLES").set_index("counter")
    assert found["moves"].to_dict() == {"Ir": True, "D1mr": True}
    assert found.loc["D1mr", "contrary"] == 1
    assert sound_models(found.reset_index()) == []


def test_a_curve_by_hand() -> None:
    # Rates of misses 0.1 and 0.5, knots at 0.2 and 0.4: parts 0.1, 0, 0 and 0.2, 0.2, 0.1; costs 10, 5, 1 per miss, 1 per instruction.
    model = Curves(
        form="rates", knots=np.array([[1.0, 0.2], [1.0, 0.4]]), pairs=np.zeros((0, 2), dtype=np.int64), scales=np.zeros(0),
        theta=np.array([1.0, 10, 0, 5, 0, 1]),
    )  # fmt: skip
    rows = rows_of([[100, 10], [100, 50]], ("Ir", "D1mr"))
    assert model.predict(rows).tolist() == pytest.approx([100 * (1 + 1.0), 100 * (1 + 2.0 + 1.0 + 0.1)])


def test_models_as_accurate_widen_the_interval_by_how_far_apart_they_are() -> None:
    # Halved by the one that answers, with an error of 10%; a quarter by one of 12%: log 2 apart, over both the root of half its square.
    models = pd.DataFrame(
        {"model": list("abcd"), "mape": [0.1, 0.12, 0.2, 0.11], "change": [-0.5, -0.75, 9.0, 9.0], "right": [True, True, True, False]}
    )
    # One that is half as accurate, or wrong, says nothing.
    assert model_spread(models, "a") == pytest.approx(np.log(2) / np.sqrt(2))
    assert model_spread(models[:1], "a") == 0
    assert model_spread(models.assign(right=False), "a") == 0
    assert model_spread(models.assign(change=-1.0), "a") == 0
