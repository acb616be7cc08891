"""What is made of an answer once: when it is made again, and that nothing is kept alive by it."""

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import pytest

from hemcore.analysis import Question
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.merge.analysis import MUCH
from hemcore.web.actions.downloads import image_bytes
from hemcore.web.everywhere import made_once
from hemcore.web.everywhere.made_once import of_scene, once


@dataclass(frozen=True)
class Answer:
    number: int


@pytest.fixture(autouse=True)
def calls() -> Iterator[list[object]]:
    _calls.clear()
    made_once._known.clear()
    yield _calls
    made_once._known.clear()


_calls: list[object] = []


def _doubled(answer: Answer, times: int = 2) -> list[int]:
    _calls.append(answer)
    return [answer.number * times]


def _tripled(answer: Answer) -> list[int]:
    return [answer.number * 3]


def test_of_one_object_it_is_made_once_and_is_the_same_object(calls: list[object]) -> None:
    answer = Answer(4)
    assert once(_doubled, answer) is once(_doubled, answer)
    assert once(_doubled, answer) == [8]
    assert len(calls) == 1


def test_an_equal_object_another_number_and_another_function_are_made_anew(calls: list[object]) -> None:
    answer, equal = Answer(4), Answer(4)
    assert [once(_doubled, answer), once(_doubled, equal), once(_doubled, answer, 5), once(_tripled, answer)] == [[8], [8], [20], [12]]
    assert len(calls) == 3
    assert once(_doubled, answer) == [8]
    assert len(calls) == 3


def test_nothing_is_kept_alive_and_what_was_made_goes_with_its_object() -> None:
    answer = Answer(4)
    once(_doubled, answer)
    assert len(made_once._known) == 1
    _calls.clear()
    del answer
    gc.collect()
    assert not made_once._known


def test_an_object_that_took_the_place_of_another_is_not_taken_for_it() -> None:
    answer = Answer(4)
    once(_doubled, answer)
    other = Answer(7)
    [(key, (held, made))] = made_once._known.items()
    place = next(number for number, each in enumerate(key) if each == (id(answer),))
    made_once._known[(*key[:place], (id(other),), *key[place + 1 :])] = held, made
    assert once(_doubled, other) == [14]


def test_what_has_no_weak_reference_is_made_each_time(calls: list[object]) -> None:
    numbers = [Answer(1)]
    assert once(len, numbers) == 1
    assert not made_once._known
    numbers.append(Answer(2))
    assert once(len, numbers) == 2


def test_what_is_raised_is_not_kept() -> None:
    failing = [True]

    def make(answer: Answer) -> int:
        if failing:
            raise ValueError("not yet")
        return answer.number

    answer = Answer(4)
    with pytest.raises(ValueError, match="not yet"):
        once(make, answer)
    failing.clear()
    assert once(make, answer) == 4


def test_the_longest_unused_goes_first(calls: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_once, "_MOST", 2)
    first, second, third = Answer(1), Answer(2), Answer(3)
    for each in (first, second, first, third, first):
        once(_doubled, each)
    assert [each.number for each in calls if isinstance(each, Answer)] == [1, 2, 3]
    once(_doubled, second)
    assert len(calls) == 4


def _seen(scene: Scene[Any]) -> list[object]:
    _calls.append(scene)
    return [scene.result.number, scene.baseline_words]


def test_a_scene_is_drawn_again_for_any_other_part_of_it(calls: list[object]) -> None:
    params = MUCH.params()
    table, result, other = Answer(0), Answer(1), Answer(1)

    def scene(**changed: Any) -> Scene[Any]:
        question = Question(analysis=MUCH, dataset=changed.pop("dataset", "a" * 64), params=changed.pop("params", params))
        return Scene(**{"question": question, "table": table, "result": result, **changed})

    assert of_scene(_seen, scene()) is of_scene(_seen, scene())
    assert len(calls) == 1
    changes: list[dict[str, Any]] = [
        {"dataset": "b" * 64},
        {"params": params.but(dep_lvl=0.6)},
        {"table": other},
        {"result": other},
        {"more": other},
        {"baseline": other},
        {"baseline_words": "dep_lvl .9"},
        {"view": params},
    ]
    for number, change in enumerate(changes, 2):
        for _ in range(2):
            of_scene(_seen, scene(**change))
        assert len(calls) == number, change


def test_a_download_leaves_the_shown_figure_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = figure([{"type": "scatter", "x": [1, 2], "y": [2, 1]}], title="A question?", height=300)
    shown = drawn.to_plotly_json()
    monkeypatch.setattr(go.Figure, "to_image", lambda self, **more: str(self.layout.paper_bgcolor).encode())
    assert image_bytes(drawn, "png") == b"white"
    assert drawn.to_plotly_json() == shown
