"""What a what-if says over the range of a counter and in its verdict, and the slope that tells how well a model responds."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction import PredictionParams
from hemcore.prediction.analysis import WHAT_IF
from hemcore.prediction.evaluate import change_curves, phase_changes
from hemcore.prediction.evaluate.change_curves import by_effect, change_curve, most_effect
from hemcore.prediction.evaluate.model_response import sound_models
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.models.fitted import Linear
from hemcore.prediction.models.tuning import Tuned
from hemcore.web.prediction.asking import _stops, change_to, label_of, stop_text
from hemcore.web.sentences import as_text


@pytest.fixture(scope="module")
def found() -> WhatIf:
    """Four programs of 30 phases of 1,000 instructions and 1 to 90 misses: CYCLES are Ir + 10 D1mr, give or take 5%."""
    random = np.random.default_rng(0)
    parts = []
    for program in range(4):
        misses = random.integers(1, 90, 30).astype(float)
        keys = {"program": f"p{program}", "granularity": 10, "load": "single core", "phase": np.arange(30)}
        parts.append(pd.DataFrame(keys | {"Ir": 1_000.0, "D1mr": misses, "CYCLES": (1_000 + 10 * misses) * random.uniform(0.95, 1.05, 30)}))
    table = PhaseTable(frame=pd.concat(parts, ignore_index=True), counters=("CYCLES", "Ir", "D1mr"))
    params = PredictionParams(models="cost per event", held_out="none", scope="all programs", together=True, change="Ir +100%")
    return WHAT_IF.of(table, params)


def test_a_curve_is_of_shares_however_many_phases_there_are(found: WhatIf) -> None:
    # Twice the instructions and all that goes along: twice the time, none: none.
    curve = change_curve(found, "Ir", (-1.0, 0.5, 1.0))
    assert curve["share"].tolist() == [-1.0, 0.5, 1.0]
    assert curve["change"].tolist() == pytest.approx([-1, 0.5, 1], abs=1e-6)


def test_an_interval_on_both_sides_of_nothing_leaves_the_sign_open(found: WhatIf) -> None:
    assert WHAT_IF.verdict is not None
    assert found.change is not None
    told = WHAT_IF.verdict(replace(found, change=replace(found.change, change=-0.01, low=-0.1, high=0.02)))
    assert told.answer.startswith("Direction unclear: ")
    assert told.trust.startswith("80% interval −10.0% to +2.0%")
    assert told.trust.endswith("Do not rely on the sign.")
    assert told.level == "poor"
    assert not replace(found.change, low=-0.1, high=-0.02).unsure
    # 0.8416 / 1.2816 of the way from the answer to the end beyond 0: 0.0657 of 0.1.
    for change, low, high, unsure in (
        (-0.065, -0.2, 0.035, True),
        (-0.067, -0.2, 0.033, False),
        (0.065, -0.035, 0.2, True),
        (0.067, -0.033, 0.2, False),
    ):
        assert replace(found.change, change=change, low=low, high=high).unsure is unsure
    below = WHAT_IF.verdict(replace(found, change=replace(found.change, change=-0.05, low=-0.1, high=-0.02)))
    assert below.trust.startswith("80% interval −10.0% to −2.0%")


def test_what_can_only_take_longer_does_not_take_less(found: WhatIf, monkeypatch: pytest.MonkeyPatch) -> None:
    # More misses alone cannot save time, fewer cannot cost any; of more misses in a shorter phase neither is known.
    monkeypatch.setattr(phase_changes, "interval", lambda *given, **more: (-0.5, 0.5))
    for asked, ends in (({"D1mr": 0.2}, (0, 0.5)), ({"D1mr": -0.2}, (-0.5, 0)), ({"D1mr": 0.2, "Ir": -0.1}, (-0.5, 0.5))):
        answer = phase_changes.changed_phases(found.ready, found.measured, asked, together=False)
        assert (answer.low, answer.high) == ends
        assert answer.unsure is (ends[0] < 0 < ends[1])


def test_the_counter_with_the_largest_effect_comes_first(found: WhatIf) -> None:
    # Half of the instructions and all that goes along: half the time; half of the misses: 5 of about 1,450 cycles for each of 45.
    assert found.change is not None
    effects = most_effect(replace(found, change=replace(found.change, asked={})))
    assert effects["counter"].tolist() == ["Ir", "D1mr"]
    assert effects["change"].tolist() == pytest.approx([-0.5, -0.155], abs=0.03)


def test_the_curve_has_the_answer_itself_where_it_is_asked(found: WhatIf) -> None:
    for asked in ({"D1mr": -0.4}, {"Ir": 0.2, "D1mr": 0.7}):
        there = replace(found, change=found.changed(asked))
        assert there.change is not None
        assert change_curve(there, "D1mr", (asked["D1mr"],))["change"].tolist() == [pytest.approx(there.change.change, rel=1e-12)]


def test_only_a_slow_model_is_asked_of_a_few_phases(found: WhatIf, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = found.measured
    after = replace(rows, X=rows.X * np.where(np.arange(len(rows)) % 17 == 0, 2.0, 1.0)[:, None])
    # Of 120 phases those at 0, 17, 34 ... take twice as long: 8 of 120; of the eight evenly spread 0, 17, 34, 51, 68, 85, 102, 119 all.
    model = Linear(form="counts", names=("Ir", "D1mr"), theta=np.array([1.0, 10.0]))
    even = np.full(len(rows), 1 / len(rows))
    assert phase_changes.change_of(model, rows, after, even) == pytest.approx(8 / 120)
    monkeypatch.setattr(phase_changes, "is_slow", lambda model: True)
    assert phase_changes.change_of(model, rows, after, even) == pytest.approx(1)


def test_sliders_stay_in_place_whatever_is_asked(found: WhatIf, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found.change is not None
    assert by_effect(found) == ("Ir", "D1mr")
    for asked in ({}, {"D1mr": 2.0}, {"Ir": -0.9}):
        assert by_effect(replace(found, change=found.changed(asked), params=found.params.but(change="D1mr +200%"))) == ("Ir", "D1mr")
    effects: list[object] = []
    monkeypatch.setattr(change_curves, "most_effect", lambda found: effects.append(found) or most_effect(found))
    for change in ("", "D1mr +5%", "Ir -5%"):
        by_effect(replace(found, params=found.params.but(change=change, start="p1")))
    assert len(effects) == 1
    # Without a model that answers they are in the order of the table.
    silent = replace(found, change=replace(found.change, asked={}, model=""), params=found.params.but(scope="program"))
    assert by_effect(silent) == found.ready.example.counters


@pytest.mark.parametrize(("share", "far"), [(0.25, False), (0.3, True)])
def test_a_change_is_far_if_more_than_a_quarter_of_it_is(found: WhatIf, monkeypatch: pytest.MonkeyPatch, share: float, far: bool) -> None:
    monkeypatch.setattr(phase_changes, "far_part", lambda *given: (1.0, share))
    assert phase_changes.changed_phases(found.ready, found.measured, {"D1mr": -0.1}, together=False).far is far


def test_a_counter_leaves_from_two_and_a_half_deviations_on() -> None:
    table = pd.DataFrame({"asked": [True, True, False], "apart": [2.6, 2.4, 9.0], "step": [1.0, 2.0, 3.0]})
    assert list(phase_changes._leaving(table, True)) == [True, False, False]
    # Without one that is so far apart, it is the one that went farthest.
    assert list(phase_changes._leaving(table.assign(apart=1.0), True)) == [False, True, False]
    assert list(phase_changes._leaving(table, False)) == [False] * 3


def test_a_model_that_ignores_a_part_of_what_is_asked_comes_second(found: WhatIf) -> None:
    models = {
        name: Tuned(model=name, fitted=Linear(form="counts", names=("Ir", "D1mr"), theta=np.array(theta)), settings={})
        for name, theta in (("instructions alone", [1.0, 0.0]), ("both", [1.0, 10.0]))
    }
    rows = [(name, *row) for name, moves in zip(models, (False, True), strict=True) for row in (("Ir", True, np.nan), ("D1mr", moves, 0.0))]
    response = pd.DataFrame(rows, columns=["model", "counter", "moves", "contrary"])
    scores = {"instructions alone": 0.01, "both": 0.02}
    ready = replace(found.ready, models=models, scores=scores, response=response, refits={}, change_errors={})
    asked = {"Ir": 0.1, "D1mr": 0.1}
    answer = phase_changes.changed_phases(ready, found.measured, asked, together=False)
    # All counts by a tenth: the time by a tenth.
    assert (answer.model, answer.change) == ("both", pytest.approx(0.1))
    assert phase_changes.changed_phases(ready, found.measured, {"Ir": 0.1}, together=False).model == "instructions alone"


def test_a_model_is_sound_if_it_goes_wrong_in_two_phases_of_a_hundred_at_most() -> None:
    response = pd.DataFrame({"model": ["a", "a", "b", "c"], "counter": ["x", "y", "x", "x"], "contrary": [0.0, 0.03, 0.02, np.nan]})
    assert sound_models(response) == ["b", "c"]


@pytest.mark.parametrize(
    ("text", "own", "share"),
    [
        ("12", 10, 0.2),
        ("0", 10, -1.0),
        ("1000", 10, 99.0),
        ("1001", 10, None),
        ("-1", 10, None),
        ("x", 10, None),
        ("nan", 10, None),
        ("1", 0, None),
    ],
)
def test_a_count_of_an_older_link_is_a_change(text: str, own: float, share: float | None) -> None:
    assert change_to(text, own) == (None if share is None else pytest.approx(share))


def test_a_slider_says_in_words_where_it_stands() -> None:
    assert [stop_text(each) for each in (0.0, -80.0, 20.0, 12.5, 9000.0)] == ["as measured", "−80%", "+20%", "+12.5%", "+9,000%"]
    assert _stops(0.0) == list(range(-100, 201))
    assert _stops(9000.0)[-2:] == [200, 9000]
    assert _stops(-12.5)[87:90] == [-13, -12.5, -12]


def test_a_slider_says_what_the_model_that_answers_makes_of_it(found: WhatIf) -> None:
    assert found.change is not None
    answers = replace(found.change, model="OLS")
    row = {"leaves": False, "goes_along": False, "share": 0.0, "now": 5.0, "ignored_by": "", "asked": False}

    def label(together: bool, **given: object) -> str:
        return label_of("Ir", row | given, answers, together=together)

    assert label(True) == "Ir"
    assert label(False, ignored_by="kNN; OLS") == "Ir · ignored"
    # Halving it halves what goes along, which the model does not ignore.
    assert label(True, ignored_by="kNN; OLS") == "Ir · through others"
    assert label(True, ignored_by="kNN; OLS", goes_along=True, share=0.25) == f":gray[{as_text('Ir · goes along +25.0%')}]"
    assert label(True, ignored_by="kNN") == "Ir"
    assert label(True, now=0.0, ignored_by="OLS") == "Ir · 0 here"
    assert label(True, leaves=True, asked=True) == ":red[Ir · far from all seen]"
