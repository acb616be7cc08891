"""A form drawn from a Params model: its titles, bounds, slider ends, steps and units are the widgets'; the link carries each field."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from hemcore.params import Control, Params, control
from hemcore.web import glossary, sentences
from hemcore.web.page import Page


@dataclass(frozen=True)
class Slider:
    """Ends and start of a slider that hang on the data; within the field's own. value: where it stands unless it was moved."""

    low: float
    high: float
    value: float | None = None


class Form:
    """The widgets of one page. A widget's key, and its name in the link, is "page.field"."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def values(
        self,
        model: type[Params],
        fields: Iterable[str],
        *,
        choices: Mapping[str, Sequence[object]] | None = None,
        sliders: Mapping[str, Slider] | None = None,
        format_func: Any = None,
        listed: bool = False,
        empty: str = "automatic",
    ) -> dict[str, Any]:
        """Draw one widget a field of `model`, in this order, and return their values unchecked.

        choices: options of fields that depend on the dataset; of a field that allows only some values, those of
        them that it can have here. sliders: fields whose slider's ends or start do. empty: what a box of a number stands for while it is.
        """
        return {
            name: self._widget(control(model, name), (choices or {}).get(name), (sliders or {}).get(name), format_func, listed, empty)
            for name in fields
        }

    def stands(self, name: str) -> Any:
        """What the widget of `name` stands at, before it is drawn; None where it was not drawn yet."""
        return st.session_state.get(self._page.key(name))

    def put(self, name: str, value: object) -> None:
        """Put the widget of `name` at `value`; before it is drawn in this run, or from a callback."""
        put(self._page.key(name), value)

    def _widget(
        self, field: Control, options: Sequence[Any] | None, slider: Slider | None, format_func: Any, listed: bool, empty: str
    ) -> Any:
        key, label = self._page.key(field.name), field.label
        shared: dict[str, Any] = {"key": key, "help": field.description, "bind": "query-params"}
        low, high = field.low, field.high
        if slider is not None:
            low, high = slider.low, slider.high
        elif field.slider is not None:
            low, high = field.slider
        allowed = options if options is not None else field.choices
        default = field.default if slider is None or slider.value is None else slider.value
        if options is not None and default not in options:
            default = options[0] if options else None
        remember_default(self._page, key, default)
        warn_of_link(key, field.title, ("true", "false") if field.kind is bool else allowed, low, high)
        if options is not None and (field.choices is None or listed):
            if format_func is not None:
                shared["format_func"] = format_func
            stands = self.stands(field.name) or st.query_params.get(key, default)
            shared["help"] = glossary.help_of_event(str(stands), field.description)
            return st.selectbox(label, list(options), index=list(options).index(default) if options else None, **shared)
        if field.choices is not None:
            allowed = list(allowed or ())
            if self.stands(field.name) not in (None, *allowed):
                self.put(field.name, default)  # of other data
            return st.segmented_control(label, allowed, default=default, required=True, width="stretch", **shared)
        if field.kind is bool:
            return st.toggle(label, value=bool(default), **shared)
        if slider is not None or field.slider is not None:
            return self._slider(field, low, high, default, shared)
        if field.kind == int | None:
            return st.number_input(label, min_value=low, max_value=high, value=default, step=1, placeholder=empty, **shared)
        if field.kind is int:
            return int(st.number_input(label, min_value=low, max_value=high, value=default, step=int(field.step or 1), **shared))
        if field.kind is float:
            step = field.step or 1.0
            return st.number_input(label, min_value=float(low), max_value=float(high), value=float(default), step=float(step), **shared)
        return st.text_input(label, value=default or "", **shared)

    def _slider(self, field: Control, low: float, high: float, value: Any, shared: dict[str, Any]) -> Any:
        if field.stops is not None:
            # What a link or a click asks for is a stop too.
            asked = self.stands(field.name)
            near = [asked] if asked is not None else _number_in_link(shared["key"])
            within = {*field.stops, value, *near}
            stops = sorted(stop for stop in within if low <= stop <= high)
            return st.select_slider(field.label, stops, value=value, format_func=lambda stop: f"{stop:.10g}", **shared)
        whole = field.kind is int
        least, most = (int(each) if whole else float(each) for each in (low, high))
        start = min(max(value, least), most)
        step = max(1, int(field.step or 1)) if whole else float(field.step) if field.step else None
        asked = self.stands(field.name)
        if asked is not None and not least <= asked <= most:
            # A baseline, an undone choice or other data can ask for what this slider does not reach.
            self.put(field.name, min(max(asked, least), most))
            sentences.warn(f"{field.title}: {asked:,} is not from {least:,} to {most:,}; the nearest is shown.")
        return st.slider(field.label, min_value=least, max_value=most, value=start, step=step, **shared)


def put(key: str, value: object) -> None:
    """Put the widget `key` at `value`; before it is drawn in this run, or from a callback."""
    if key not in st.session_state:
        # What is set for a widget that was never drawn does not get into the address by itself.
        if value is None:
            st.query_params.pop(key, None)
        elif isinstance(value, list | tuple):
            st.query_params[key] = [str(each) for each in value]
        else:
            st.query_params[key] = str(value).lower() if isinstance(value, bool) else str(value)
    st.session_state[key] = value


def remember_default(page: Page, key: str, default: object) -> None:
    """What the button "Defaults" puts the widget `key` back to."""
    st.session_state.setdefault(f"{page.name}:defaults", {})[key] = default


def warn_of_link(key: str, title: str, options: Sequence[object] | None, low: float | None = None, high: float | None = None) -> None:
    """A link is followed as far as it can be; what it asks of the widget `key` beyond that is said and not passed over.

    Before the widget is drawn. options: what it can stand at; None: any number from low to high.
    """
    asked = st.query_params.get_all(key)
    if not asked or key in st.session_state:
        return
    if options is not None:
        known = {str(option) for option in options}
        strange = next((each for each in asked if each not in known), None)
        if strange is not None:
            sentences.warn(f"The link asks for {title} {strange[:200]!r}, which is not here; another is shown.")
    elif low is not None and high is not None:
        numbers = _number_in_link(key)
        if not numbers or not low <= numbers[0] <= high:
            sentences.warn(f"The link asks for {title} {asked[-1][:200]!r}, which is not from {low:g} to {high:g}; another value is shown.")


def _number_in_link(key: str) -> list[float]:
    try:
        number = float(st.query_params.get(key, ""))
    except ValueError:
        return []
    return [number] if math.isfinite(number) else []
