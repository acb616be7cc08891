"""The error of phases drawn at random, and of a weighted sum, by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from hemcore.prediction.explore import representative_phases
from hemcore.prediction.explore.representative_phases import error_of, random_error, space_of


def test_phases_stand_for_the_instructions_of_all() -> None:
    # A target of 2 per instruction is exact whichever phases are drawn; were phases counted, the first one would stand for 3 instructions.
    work = np.array([1.0, 9.0, 90.0])
    assert random_error(2 * work, work, 1, draws=20, seed=0) == pytest.approx(0)
    assert random_error(2 * work, work, 2, draws=20, seed=1) == pytest.approx(0)


def test_one_of_two_phases_drawn() -> None:
    # Costs 1 and 3 of as many instructions: twice 1 or twice 3 for 4, half too little or half too much.
    found = random_error(np.array([1.0, 3.0]), np.ones(2), 1, draws=40, seed=0)
    assert set(np.round(found, 12)) == {-0.5, 0.5}


def test_a_phase_is_not_drawn_twice() -> None:
    assert random_error(np.array([1.0, 3.0]), np.ones(2), 2, draws=20, seed=0) == pytest.approx(0)


def test_the_error_has_its_sign() -> None:
    # 2 * 30 for 50 is a fifth too much; 1 * 30 two fifths too little.
    assert error_of(np.array([20.0, 30.0]), np.array([1]), np.array([2.0])) == pytest.approx(0.2)
    assert error_of(np.array([20.0, 30.0]), np.array([1]), np.array([1.0])) == pytest.approx(-0.4)


def test_the_best_of_three_starts_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found = iter(
        [
            SimpleNamespace(loss=3, medoids=np.array([0, 1])),
            SimpleNamespace(loss=1, medoids=np.array([3, 2])),
            SimpleNamespace(loss=2, medoids=np.array([4, 5])),
        ]
    )
    monkeypatch.setattr(representative_phases, "fasterpam", lambda *given, **more: next(found))
    space = space_of(pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6]}))
    assert space.clusters(2)[0].tolist() == [2, 3]
