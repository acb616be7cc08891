"""The base of every parameter model: one sentence for whatever does not fit, and what a form needs of a field."""

import contextlib
import json
import math
from typing import Any, Literal, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError, model_validator

from hemcore.errors import ParameterError
from hemcore.params import Params, control, parameter
from tests.core.kinds import own_analyses


class Cooking(Params):
    """Of no analysis: every kind of field."""

    heat: float = parameter(180.0, title="Heat", description="Of the oven.", ge=20, le=300, step=5, unit="degrees", slider=(50, 250))
    free: float = parameter(0.0, title="Free", description="Any number.")
    minutes: int = parameter(40, title="Minutes", description="In the oven.", ge=1, unit="minutes", stops=(1, 5, 60))
    rest: int | None = parameter(None, title="Rest", description="Minutes outside. Empty: none.", ge=0)
    dish: str = parameter("bread", title="Dish", description="What is made.")
    lid: bool = parameter(True, title="Lid", description="Whether it is covered.")
    place: Literal["top", "middle"] = parameter("middle", title="Place", description="Where it stands.")

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.lid and self.place == "top":
            raise ValueError("Lid: there is no room for one at the top. Choose middle, or leave it out.")
        return self


def refused(**values: Any) -> str:
    """The sentence that Cooking says to `values`."""
    with pytest.raises(ParameterError) as refusal:
        Cooking(**values)
    said = str(refusal.value)
    assert "\n" not in said
    assert "validation error" not in said
    assert "pydantic" not in said
    assert len(said) < 400
    assert said.endswith(".")
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__
    return said


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"heat": 19.5}, "heat: 19.5 is out of bounds; it must be greater than or equal to 20. Heat: Of the oven."),
        ({"heat": 301}, "heat: 301 is out of bounds; it must be less than or equal to 300. Heat: Of the oven."),
        ({"heat": math.nan}, "heat: nan is out of bounds; it must be a finite number. Heat: Of the oven."),
        ({"free": math.nan}, "free: nan is out of bounds; it must be a finite number. Free: Any number."),
        ({"free": -math.inf}, "free: -inf is out of bounds; it must be a finite number. Free: Any number."),
        ({"free": "Infinity"}, "free: 'Infinity' is out of bounds; it must be a finite number. Free: Any number."),
        ({"minutes": 0}, "minutes: 0 is out of bounds; it must be greater than or equal to 1. Minutes: In the oven."),
        (
            {"minutes": 1.5},
            "minutes: 1.5 does not fit; it must be a valid integer, got a number with a fractional part. Minutes: In the oven.",
        ),
        ({"minutes": None}, "minutes: None does not fit; it must be a valid integer. Minutes: In the oven."),
        ({"rest": -1}, "rest: -1 is out of bounds; it must be greater than or equal to 0. Rest: Minutes outside. Empty: none."),
        ({"dish": 3}, "dish: 3 does not fit; it must be a valid string. Dish: What is made."),
        (
            {"lid": "perhaps"},
            "lid: 'perhaps' does not fit; it must be a valid boolean, unable to interpret input. Lid: Whether it is covered.",
        ),
        ({"place": "floor"}, "place: 'floor' does not fit; it must be 'top' or 'middle'. Place: Where it stands."),
        ({"place": []}, "place: [] does not fit; it must be 'top' or 'middle'. Place: Where it stands."),
        ({"place": "top"}, "Lid: there is no room for one at the top. Choose middle, or leave it out."),
        (
            {"salt": 1},
            "salt: no such parameter; the parameters are heat, free, minutes, rest, dish, lid, place. Leave it out or correct the name.",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence(values: dict[str, Any], sentence: str) -> None:
    assert refused(**values) == sentence


def test_of_several_faults_one_is_told() -> None:
    assert refused(heat=1, minutes=0, salt=3).startswith("heat: 1 is out of bounds")


@pytest.mark.parametrize("name", ["self", "cls", "model_config", "given", "__init__", "", "heat ", "x" * 100_000, "\n<b>"])
def test_odd_names_are_only_unknown_ones(name: str) -> None:
    with pytest.raises(ParameterError, match="no such parameter"):
        Cooking(**{name: 1})
    with pytest.raises(ParameterError, match="no such parameter"):
        Cooking().but(**{name: 1})
    if name.isprintable():
        refused(**{name: 1})


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["heat", "minutes", "rest", "dish", "lid", "place"])
@pytest.mark.parametrize(
    "value",
    ["x" * 1_000_000, "\ud800", nested(900), nested(100_000), 10**400, 10**5000, -(10**400), 1e999, {}, b"\xff", object(), int, 3j],
    ids=[
        "a megabyte",
        "surrogate",
        "deep",
        "deeper",
        "400 digits",
        "5000 digits",
        "negative",
        "inf",
        "dict",
        "bytes",
        "object",
        "type",
        "j",
    ],
)
def test_odd_values_are_refused_in_one_sentence_or_kept_as_they_are(name: str, value: Any) -> None:
    if name in ("minutes", "rest") and value in (10**400, 10**5000):  # nothing bounds them above
        kept = getattr(Cooking(**{name: value}), name)
        assert kept == value
    else:
        assert refused(**{name: value}).startswith(f"{name}: ")


def test_a_copy_with_other_values_is_checked_as_the_first_was() -> None:
    first = Cooking(heat=200)
    assert first.but(minutes=5) == Cooking(heat=200, minutes=5)
    assert first == Cooking(heat=200)
    assert first.but() == first
    with pytest.raises(ParameterError, match="^minutes: 0 is out"):
        first.but(minutes=0)
    with pytest.raises(ParameterError, match="^Lid: there is no room"):
        first.but(place="top")
    with pytest.raises(ValidationError):
        first.heat = 20.0  # type: ignore[misc]


def test_only_some_fields_leave_the_others_at_their_defaults() -> None:
    params = Cooking(heat=200, minutes=5, dish="pie")
    assert params.only(("heat", "dish")) == Cooking(heat=200, dish="pie")
    assert params.only(()) == Cooking()
    assert params.only(Cooking.model_fields) == params


def test_a_text_of_a_thousand_characters_is_kept_as_it_is() -> None:
    for text in ("x" * 1000, "<b>\u202e\n\0", "\U0001f600 \u00e4", "'; drop"):
        assert Cooking(dish=text).dish == text
    assert refused(dish="x" * 1001).startswith("dish: 'xxx")


def test_the_two_zeros_are_one_value() -> None:
    zero = Cooking(free=-0.0).free
    assert math.copysign(1, zero) == 1
    assert Cooking(free=-0.5).free == -0.5


def test_values_that_mean_a_number_are_that_number() -> None:
    assert Cooking(heat="200", minutes="5", lid="false").model_dump() == Cooking(heat=200.0, minutes=5, lid=False).model_dump()


def test_what_a_form_needs_of_a_field() -> None:
    heat = control(Cooking, "heat")
    assert (heat.name, heat.title, heat.description, heat.default, heat.kind) == ("heat", "Heat", "Of the oven.", 180.0, float)
    assert (heat.low, heat.high, heat.step, heat.unit, heat.slider) == (20, 300, 5, "degrees", (50, 250))
    assert (heat.stops, heat.choices, heat.label) == (None, None, "Heat, degrees")
    minutes = control(Cooking, "minutes")
    assert (minutes.low, minutes.high, minutes.stops, minutes.slider, minutes.label) == (1, None, (1, 5, 60), None, "Minutes")
    assert control(Cooking, "place").choices == ("top", "middle")
    assert (control(Cooking, "rest").kind, control(Cooking, "rest").low) == (int | None, 0)
    assert (control(Cooking, "dish").low, control(Cooking, "dish").step, control(Cooking, "dish").unit) == (None, None, "")


MODELS = sorted({each.params for each in own_analyses().values()}, key=lambda model: model.__name__)


@pytest.mark.parametrize("model", MODELS)
def test_every_field_of_every_model_can_be_drawn_and_begins_within_its_bounds(model: type[Params]) -> None:
    defaults = model()
    assert model(**dict(defaults)) == defaults
    assert model.__doc__
    for name in model.model_fields:
        field = control(model, name)
        assert field.title, name
        assert field.description.endswith("."), name
        assert field.default == getattr(defaults, name)
        if field.kind in (int, float):
            assert field.low is not None, name
            assert field.high is not None, name
            assert field.low <= field.default <= field.high, name
            assert field.step, name
        if field.slider is not None:
            assert field.low <= field.slider[0] < field.slider[1] <= field.high, name
        if field.stops is not None:
            assert field.slider is not None, name
            assert list(field.stops) == sorted(set(field.stops)), name
            assert field.slider[0] <= field.stops[0], name
            assert field.stops[-1] <= field.slider[1], name
        if field.choices is not None:
            assert field.default in field.choices, name
        assert len(field.label) < 60


@pytest.mark.parametrize("model", MODELS)
def test_a_field_takes_its_bounds_and_nothing_beyond(model: type[Params]) -> None:
    for name in model.model_fields:
        field = control(model, name)
        for bound, beyond in ((field.low, -1), (field.high, 1)):
            if bound is not None:
                with pytest.raises(ParameterError, match=f"^{name}: .* is out of bounds; it must be (greater|less) than or equal to"):
                    model(**{name: bound + beyond})


@pytest.mark.slow
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists, max_leaves=5), st.data())
def test_any_plain_value_is_taken_or_told(value: Any, data: st.DataObject) -> None:
    model = data.draw(st.sampled_from([model for model in MODELS if model.model_fields]))
    name = data.draw(st.sampled_from(sorted(model.model_fields)))
    with contextlib.suppress(ParameterError):
        params = model(**{name: value})
        said = json.dumps(params.model_dump(mode="json"), allow_nan=False, ensure_ascii=False).encode()
        assert model(**json.loads(said)) == params
