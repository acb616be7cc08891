"""A form drawn from a Params model: its titles, descriptions, bounds, steps and units are the widgets'; the URL carries each field."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin

import annotated_types
import streamlit as st
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from hemcore.errors import ParameterError
from hemcore.web import errors

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Slider:
    """A field drawn as a slider from `low` to `high`. value: where it stands unless it was moved (default: the field's own default).

    stops: the values that it stops at (default: evenly); the value it stands at is always one.
    """

    low: float
    high: float
    value: float | None = None
    stops: tuple[float, ...] | None = None


def form(
    model: type[Model],
    *,
    fields: Iterable[str] | None = None,
    choices: Mapping[str, Sequence[str]] | None = None,
    fixed: Mapping[str, Any] | None = None,
    linked: bool = True,
) -> Model:
    """Draw one widget a field and return the checked model.

    fields: which fields to draw, in this order (default: all); the others keep `fixed` or their defaults.
    choices: options of text fields that depend on the dataset (the anchor HEMs, say).
    linked: whether the URL carries the fields.

    A field's name is its widget's key and its name in the URL. Raises ParameterError when the values do not fit the model, which the
    widgets' own bounds make impossible in an honest browser.
    """
    return checked(
        model, dict(fixed or {}) | values(model, fields if fields is not None else model.model_fields, choices=choices, linked=linked)
    )


def values(
    model: type[BaseModel],
    fields: Iterable[str],
    *,
    choices: Mapping[str, Sequence[Any]] | None = None,
    sliders: Mapping[str, Slider] | None = None,
    linked: bool = True,
) -> dict[str, Any]:
    """Draw the widgets of `fields` alone and return their values unchecked, for a form in several places.

    sliders: fields drawn as a slider, with ends within the field's own bounds.
    """
    return {name: _widget(name, model.model_fields[name], (choices or {}).get(name), linked, (sliders or {}).get(name)) for name in fields}


def checked(model: type[Model], given: Mapping[str, Any]) -> Model:
    """The model of `given`. Raises ParameterError when it does not fit."""
    try:
        return model(**given)
    except ValidationError as error:
        first = error.errors()[0]
        raise ParameterError(f"{'.'.join(map(str, first['loc']))}: {first['input']!r} does not fit: {first['msg']}.") from None


def _widget(name: str, field: FieldInfo, options: Sequence[Any] | None, linked: bool, slider: Slider | None = None) -> Any:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    label = field.title or name
    if extra.get("unit"):
        label = f"{label}, {extra['unit']}" if extra["unit"] != label.lower() else label
    shared: dict[str, Any] = {"key": name, "help": field.description, "bind": "query-params" if linked else None}
    if linked:
        _told_if_not_to_be_had(name, field, options, slider)
    if options is not None:
        return st.selectbox(label, list(options), **shared)
    if get_origin(field.annotation) is Literal:
        return st.segmented_control(
            label, list(get_args(field.annotation)), default=field.default, required=True, width="stretch", **shared
        )
    if field.annotation is bool:
        return st.toggle(label, value=field.default, **shared)
    low, high = _bounds(field)
    if slider is not None:
        return _slider(name, label, field, slider, shared)
    if field.annotation == int | None:
        return st.number_input(label, min_value=low, max_value=high, value=field.default, step=1, placeholder="automatic", **shared)
    if field.annotation is int:
        return int(
            st.number_input(label, min_value=low, max_value=high, value=field.default, step=int(str(extra.get("step", 1))), **shared)
        )
    if field.annotation is float and low is not None and high is not None:
        step = float(str(extra.get("step", (high - low) / 100)))
        if high - low <= 2:
            return st.slider(label, min_value=float(low), max_value=float(high), value=field.default, step=step, **shared)
        return st.number_input(label, min_value=float(low), max_value=float(high), value=field.default, step=step, **shared)
    return st.text_input(label, value=field.default or "", **shared)


def _told_if_not_to_be_had(name: str, field: FieldInfo, options: Sequence[Any] | None, slider: Slider | None) -> None:
    """A link is followed as far as it can be; what it asks for beyond that is said and not passed over."""
    asked = st.query_params.get(name)
    if asked is None or name in st.session_state:
        return
    if options is None and get_origin(field.annotation) is Literal:
        options = get_args(field.annotation)
    if options is not None:
        if asked not in [str(option) for option in options]:
            errors.warn(f"The link asks for {field.title} {asked!r}, which is not here; another is shown.")
        return
    low, high = (slider.low, slider.high) if slider is not None else _bounds(field)
    if low is None or high is None:
        return
    numbers = _number_in_link(name)
    if not numbers or not low <= numbers[0] <= high:
        errors.warn(f"The link asks for {field.title} {asked!r}, which is not from {low:g} to {high:g}; another value is shown.")


def _slider(name: str, label: str, field: FieldInfo, slider: Slider, shared: dict[str, Any]) -> Any:
    value = field.default if slider.value is None else slider.value
    if slider.stops is not None:
        # What a link or a click asks for is a stop too.
        asked = [st.session_state[name]] if name in st.session_state else _number_in_link(name)
        stops = sorted({*slider.stops, value, *(each for each in asked if slider.low <= each <= slider.high)})
        return st.select_slider(label, stops, value=value, format_func=lambda stop: f"{stop:g}", **shared)
    whole = field.annotation is int
    low, high, value = (int(each) if whole else float(each) for each in (slider.low, slider.high, min(max(value, slider.low), slider.high)))
    return st.slider(label, min_value=low, max_value=high, value=value, step=1 if whole else None, **shared)


def _number_in_link(name: str) -> list[float]:
    try:
        number = float(st.query_params.get(name, ""))
    except ValueError:
        return []
    return [number] if math.isfinite(number) else []


def _bounds(field: FieldInfo) -> tuple[Any, Any]:
    low = next((each.ge for each in field.metadata if isinstance(each, annotated_types.Ge)), None)
    high = next((each.le for each in field.metadata if isinstance(each, annotated_types.Le)), None)
    return low, high
