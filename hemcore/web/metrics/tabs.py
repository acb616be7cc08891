"""The controls of the Metrics page's pictures, and the details of a metric that is clicked in the table."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from hemcore.charts.metrics.view import MetricsView, groups_of
from hemcore.charts.picture import Scene
from hemcore.metrics.known_constants import Constants
from hemcore.metrics.results import MetricsReport
from hemcore.web import sentences
from hemcore.web.form import Values, put
from hemcore.web.frame import Frame, Tab
from hemcore.web.metrics import PAGE

_DETAIL = "metrics:detail"
_MOST_CONSTANTS = 12


def _list(frame: Frame, scene: Scene) -> dict[str, object]:
    """Search, group and threshold; and the metric that was clicked."""
    rows = scene.result.rows if isinstance(scene.result, MetricsReport) else scene.result.about
    groups = sorted({each for text in rows["group"] for each in groups_of(text)})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen: Values = frame.form.values(MetricsView, ("search",))
        if groups:
            named = {"group": ["", *groups]}
            chosen |= frame.form.values(MetricsView, ("group",), choices=named, format_func=lambda group: group or "all groups")
        if isinstance(scene.result, MetricsReport):
            chosen |= frame.form.values(MetricsView, ("listed",))
    return chosen


def _list_with_detail(frame: Frame, scene: Scene) -> dict[str, object]:
    chosen = _list(frame, scene)
    _detail(scene)
    return chosen


def _pick_row(key: str, rows: pd.DataFrame) -> None:
    chosen = st.session_state[key].selection.rows
    st.session_state[_DETAIL] = str(rows["metric"].iloc[chosen[0]]) if chosen else ""


def _detail(scene: Scene) -> None:
    """The formula of the clicked metric, with the numbers put in where it is one of whole runs."""
    name, found = st.session_state.get(_DETAIL, ""), scene.result
    rows = found.rows if isinstance(found, MetricsReport) else found.about
    row = rows[rows["metric"] == name]
    if row.empty:
        numbers = " with the numbers put in" if isinstance(found, MetricsReport) else ""
        st.caption(f"Click on the left of a row to see its formula{numbers}.")
        return
    told = row.iloc[0]
    with st.container(border=True):
        st.markdown(f"**{sentences.as_text(name)}** {sentences.as_text(str(told['description']))}")
        st.code(str(told["formula"]), language=None, wrap_lines=True)
        if isinstance(found, MetricsReport) and name in found.worked:
            st.code(found.worked[name], language=None, wrap_lines=True)
        lacks = found.needs.get(name, ())
        notes = [f"Needs {', '.join(lacks)}." if lacks else "", str(told.get("note", "")) if not lacks else ""]
        if any(notes):
            st.caption(sentences.as_text(" ".join(filter(None, notes))))


def _phases(frame: Frame, scene: Scene) -> dict[str, object]:
    rows = scene.result.rows
    options = {name: [str(each) for each in rows[name].unique()] for name in ("granularity", "load")}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = frame.form.values(MetricsView, ("granularity", "load"), choices=options)
        programs = {"program": ["", *map(str, rows["program"].unique())]}
        chosen |= frame.form.values(MetricsView, ("program",), choices=programs, format_func=lambda name: name or "all programs")
    return chosen | _list(frame, scene)


def _more_runs(frame: Frame, scene: Scene) -> dict[str, object]:
    """The runs there would be, of which subexperiment, and the constants."""
    chosen: Values = frame.form.values(MetricsView, ("runs",))
    if len(scene.result.runs) > 1:
        parts = {"repeat": ["", *scene.result.runs]}
        chosen |= frame.form.values(MetricsView, ("repeat",), choices=parts, format_func=lambda part: part or "each of them")
    used = {str(row["constant"]): float(row["value"]) for row in scene.result.constants.to_dict("records")}
    _constants({**dict.fromkeys(_lacking(scene)), **used})
    return chosen


def _missing(frame: Frame, scene: Scene) -> dict[str, object]:
    """The constants without a value."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _constants(dict.fromkeys(_lacking(scene)))
    return {}


def _lacking(scene: Scene) -> list[str]:
    return sorted({each.removeprefix("#") for needs in scene.result.needs.values() for each in needs if each.startswith("#")})


def _constants(values: Mapping[str, float | None]) -> None:
    """A number field per constant, None where it is not known; they write the text field, which the link holds."""
    for name, value in list(values.items())[:_MOST_CONSTANTS]:
        title, unit = Constants.label(name)
        key = PAGE.key(f"constant-{name}")
        st.session_state[key] = value
        label = f"{title}{f', {unit}' if unit else ''}"
        help = f"The constant {name} of the formulas. Empty: as the definitions or the page know it."
        st.number_input(
            sentences.as_text(label),
            key=key,
            value=None,
            placeholder="not known",
            format="%g",
            on_change=_give,
            args=(name, key),
            help=sentences.as_text(help),
        )


def _give(name: str, key: str) -> None:
    value, text_key = st.session_state[key], PAGE.key("constants")
    given = [each.strip() for each in str(st.session_state.get(text_key, "")).replace("\n", ";").split(";") if each.strip()]
    others = [each for each in given if each.partition("=")[0].strip().removeprefix("#").lower() != name.lower()]
    new = [] if value is None or not np.isfinite(value) else [f"{name} = {float(value)!r}"]
    put(text_key, "; ".join([*others, *new]))


PARTS = {
    "all": Tab(place="above", controls=_list_with_detail, on_row=_pick_row),
    "phases": Tab(controls=_phases),
    "more_runs": Tab(place="side", controls=_more_runs),
    "missing": Tab(place="above", controls=_missing),
}
