"""A form drawn from a Params model: titles, bounds, slider ranges, steps and units; the URL holds every field."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import streamlit as st
from streamlit.errors import StreamlitAPIException

from hemcore.params import Control, Params, control
from hemcore.web import hover_help, sentences
from hemcore.web.page import Page, in_link

# Values of fields, or of options of a widget: unchecked until a model, or the widget, takes them.
Values: TypeAlias = dict[str, Any]
# In the session: what the program put into widgets, by key.
_PUT = "form:put"


@dataclass(frozen=True)
class Slider:
    """A slider range that depends on the data, within the field's own. value: its default position."""

    low: float
    high: float
    value: float | None = None


class Form:
    """The widgets of one page. The key of a widget, and its name in the URL, is "page.field"."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def values(
        self,
        model: type[Params],
        fields: Iterable[str],
        *,
        choices: Mapping[str, Sequence[object]] | None = None,
        sliders: Mapping[str, Slider] | None = None,
        format_func: Callable[[str], str] | None = None,
        listed: bool = False,
        linked: bool = False,
        empty: str = "automatic",
    ) -> Values:
        """Draw one widget per field of `model`, in this order, and return their values unchecked.

        choices: options of fields that depend on the dataset; for a field with fixed choices, those available here. sliders: ranges that
        depend on the dataset. linked: whether the address has a list's first option too, because which one is first depends on what else is
        stored. empty: the placeholder of an empty number box.
        """
        return {
            name: self._widget(
                control(model, name), (choices or {}).get(name), (sliders or {}).get(name), format_func, listed, linked, empty
            )
            for name in fields
        }

    def stands(self, name: str) -> Any:
        """The value of the widget of `name`, before it is drawn; None if it was never drawn."""
        return st.session_state.get(self._page.key(name))

    def put(self, name: str, value: object) -> None:
        """Set the widget of `name` to `value`; before it is drawn in this run, or from a callback."""
        put(self._page.key(name), value)

    def _widget(
        self,
        field: Control,
        options: Sequence[object] | None,
        slider: Slider | None,
        format_func: Callable[[str], str] | None,
        listed: bool,
        always_linked: bool,
        empty: str,
    ) -> object:
        key, label = self._page.key(field.name), field.label
        shared: Values = {"key": key, "help": field.description, "bind": "query-params"}
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
        if not always_linked:
            _drop_default_of_link(key, default)
        linked_id = str(st.query_params.get(key, ""))
        if (
            format_func is not None
            and self.stands(field.name) is None
            and linked_id
            and linked_id in (options or ())
            and format_func(linked_id) != linked_id
        ):
            self.put(field.name, linked_id)  # a link by the id, as that of a job has it
        # A link has the option as it is shown.
        linked = allowed if options is None or format_func is None else [format_func(str(each)) for each in options]
        warn_of_link(key, field.title, ("true", "false") if field.kind is bool else linked, low, high)
        if always_linked and self.stands(field.name) is None and st.query_params.get(key) not in (linked or ()):
            self.put(field.name, default)
        if options is not None and (field.choices is None or listed):
            if format_func is not None:
                shared["format_func"] = format_func
            stands = self.stands(field.name) or st.query_params.get(key, default)
            shared["help"] = hover_help.help_of_event(str(stands), field.description)
            first = list(options).index(default) if options and not always_linked else None
            return st.selectbox(label, list(options), index=first, **shared)
        if field.choices is not None:
            allowed = list(allowed or ())
            if self.stands(field.name) not in (None, *allowed):
                self.put(field.name, default)  # left from another dataset
            return st.segmented_control(label, allowed, default=default, required=True, width="stretch", **shared)
        if field.kind is bool:
            return st.toggle(label, value=bool(default), **shared)
        if slider is not None or field.slider is not None:
            return self._slider(field, low, high, default, shared)
        if field.kind == int | None:
            return st.number_input(label, min_value=low, max_value=high, value=default, step=1, placeholder=empty, **shared)
        if field.kind == float | None:
            least, most = float(low), float(high)
            return st.number_input(
                label, min_value=least, max_value=most, value=default, step=float(field.step or 1), placeholder=empty, **shared
            )
        if field.kind is int:
            return int(st.number_input(label, min_value=low, max_value=high, value=default, step=int(field.step or 1), **shared))
        if field.kind is float:
            step = field.step or 1.0
            return st.number_input(label, min_value=float(low), max_value=float(high), value=float(default), step=float(step), **shared)
        return st.text_input(label, value=default or "", **shared)

    def _slider(self, field: Control, low: float, high: float, value: Any, shared: Values) -> object:
        if field.stops is not None:
            # A value from a link or a click is a stop too.
            chosen = self.stands(field.name)
            near = [chosen] if chosen is not None else _number_in_link(self._page.key(field.name))
            within = {*field.stops, value, *near}
            stops = sorted(stop for stop in within if low <= stop <= high)
            return st.select_slider(field.label, stops, value=value, format_func=lambda stop: f"{stop:.10g}", **shared)
        whole = field.kind is int
        least, most = (int(each) if whole else float(each) for each in (low, high))
        start = min(max(value, least), most)
        step = max(1, int(field.step or 1)) if whole else float(field.step) if field.step else None
        chosen = self.stands(field.name)
        if chosen is not None and not least <= chosen <= most:
            # A baseline, Undo or another dataset can set a value outside this slider.
            self.put(field.name, min(max(chosen, least), most))
            sentences.warn(f"{field.title}: {chosen:,} is outside {least:,} to {most:,}; the nearest value is shown.")
        # As every text writes it: 1,800 and 0.25, not 1800.00.
        shape = "localized" if most >= 1000 and (whole or step is None or step >= 1) else None
        return st.slider(field.label, min_value=least, max_value=most, value=start, step=step, format=shape, **shared)


def put(key: str, value: object) -> None:
    """Set the widget `key` to `value`; before it is drawn in this run, or from a callback."""
    if key not in st.session_state:
        # Streamlit does not write the value of a widget that was never drawn to the URL.
        if value is None:
            st.query_params.pop(key, None)
        elif isinstance(value, list | tuple):
            st.query_params[key] = [str(each) for each in value]
        else:
            st.query_params[key] = str(value).lower() if isinstance(value, bool) else str(value)
    st.session_state[key] = value
    st.session_state.setdefault(_PUT, {})[key] = value


def newly_put() -> Values:
    """What was `put` since the last call, by widget key."""
    given: Values = st.session_state.pop(_PUT, {})
    return given


def remember_default(page: Page, key: str, default: object) -> None:
    """Record the value that the button "Defaults" restores for the widget `key`."""
    st.session_state.setdefault(f"{page.name}:defaults", {})[key] = default


def _drop_default_of_link(key: str, default: object) -> None:
    """A default is not in the URL: neither where a link or a sample's button put it there, before the widget was drawn."""
    if st.query_params.get(key) == in_link(default):
        with suppress(StreamlitAPIException):  # a widget that was drawn does it itself
            del st.query_params[key]


def warn_of_link(key: str, title: str, options: Sequence[object] | None, low: float | None = None, high: float | None = None) -> None:
    """Warn if the link asks for a value that the widget `key` cannot have. Call before the widget is drawn.

    options: its possible values; None: any number from low to high.
    """
    linked = st.query_params.get_all(key)
    if not linked or key in st.session_state:
        return
    if options is not None:
        known = {str(option) for option in options}
        strange = next((each for each in linked if each not in known), None)
        if strange is not None:
            sentences.warn_of_link(f"The link asks for {title} {strange[:200]!r}, which is not available; another is shown.")
    elif low is not None and high is not None:
        numbers = _number_in_link(key)
        if not numbers or not low <= numbers[0] <= high:
            sentences.warn_of_link(
                f"The link asks for {title} {linked[-1][:200]!r}, which is outside {low:g} to {high:g}; another value is shown."
            )


def _number_in_link(key: str) -> list[float]:
    try:
        number = float(st.query_params.get(key, ""))
    except ValueError:
        return []
    return [number] if math.isfinite(number) else []
