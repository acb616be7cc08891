"""The What-if tab: one slider per counter, which writes the change that is asked; what goes along and what is ignored stands on it."""

import pandas as pd
import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.errors import HemError
from hemcore.prediction.evaluate.asked_change import MOST, changes_of, signed, text_of
from hemcore.prediction.evaluate.change_curves import RANGE, by_effect
from hemcore.prediction.evaluate.phase_changes import ChangeAnswer
from hemcore.prediction.evaluate.scenarios import WhatIf, starting_phase
from hemcore.web import hover_help, sentences
from hemcore.web.drawing import Picked
from hemcore.web.form import Values, put
from hemcore.web.frame import Frame, Tab
from hemcore.web.prediction import PAGE, kept_models, learning

_MOST = 24


def _controls(frame: Frame, scene: Scene) -> Values:
    found: WhatIf = scene.result
    _follow_older_link(found)
    if found.change is not None:
        _sliders(found, found.change)
    return {}


def _sliders(found: WhatIf, change: ChangeAnswer) -> None:
    rows = change.counters.set_index("counter", drop=False)
    names = by_effect(found)
    if len(names) > _MOST:
        st.caption(sentences.as_text(f"{_MOST} of {len(names):,} counters have a slider; write a change of the others."))
    for name in names[:_MOST]:
        row = rows.loc[name].to_dict()
        share = change.asked.get(name, 0.0)
        key = PAGE.key(f"move-{name}")
        st.session_state[key] = stands = round(100 * share, 6)
        label, help = label_of(name, row, change, together=found.params.together), _help(name, row, found)
        st.select_slider(
            label, _stops(stands), format_func=stop_text, key=key, help=help,
            on_change=_ask, args=(name, tuple(rows["counter"])), disabled=row["now"] == 0)  # fmt: skip


def _stops(stands: float) -> list[float]:
    """Per cent, each whole one of the range, and where the slider stands."""
    whole = {float(each) for each in range(round(100 * RANGE[0]), round(100 * RANGE[1]) + 1)}
    return sorted(whole | {stands})


def stop_text(per_cent: float) -> str:
    """What a slider says of its position: "as measured", "−80%", "+12.5%"."""
    return "as measured" if per_cent == 0 else f"{per_cent:+,.6g}%".replace("-", "−")


def label_of(name: str, row: dict, change: ChangeAnswer, *, together: bool) -> str:
    """The counter, and what a person should know before moving it, or after. row: of change.counters."""
    notes = []
    if row["leaves"]:
        notes.append("far from all seen")
    if row["goes_along"] and abs(row["share"]) >= 0.005:
        notes.append(f"goes along {signed(row['share'])}")
    if row["now"] == 0:
        notes.append("0 here")
    elif change.model and change.model in row["ignored_by"].split("; ") and not row["goes_along"]:
        notes.append("through others" if together else "ignored")  # by whom, the hover says
    text = sentences.as_text(f"{name} · {', '.join(notes)}" if notes else name)
    return f":red[{text}]" if row["leaves"] else f":gray[{text}]" if row["goes_along"] and not row["asked"] else text


def _help(name: str, row: dict, found: WhatIf) -> str:
    total = f"Measured: {row['now']:,.0f} in {found.subject}; then {row['then']:,.0f}."
    along = f" One standard deviation of what goes along: {signed(row['low'])} to {signed(row['high'])}." if row["goes_along"] else ""
    by = row["ignored_by"].replace("; ", ", ")
    still = "These move only with what goes along with it" if found.params.together else "The prediction does not move with it"
    ignored = f" {still}: {by}." if by else ""
    return hover_help.help_of_event(name, sentences.as_text(f"{total}{along}{ignored}")) or ""


def _ask(name: str, counters: tuple[str, ...]) -> None:
    """Write the moved slider into the text of the change, which the link and the baseline have."""
    try:
        asked = changes_of(str(st.session_state.get(PAGE.key("change"), "")), counters)
    except HemError:  # a text that was being written
        asked = {}
    asked[name] = float(st.session_state[PAGE.key(f"move-{name}")]) / 100
    put(PAGE.key("change"), text_of(asked))


def _follow_older_link(found: WhatIf) -> None:
    """A link of before had the counts of one phase: they become changes of it."""
    start = PAGE.key("if-")
    linked = {key: st.query_params[key] for key in st.query_params if key.startswith(start)}
    if not linked:
        return
    first: pd.Series = starting_phase(found.phases, found.params.start, found.params.start_phase)
    own = dict(zip(found.ready.example.counters, found.ready.example.X[int(first["row"])], strict=True))
    asked = {}
    for key, text in linked.items():
        name = key.removeprefix(start)
        share = change_to(text, float(own.get(name, 0.0)))
        if share is not None:
            asked[name] = share
        else:
            sentences.warn_of_link(f"The link asks for {name[:60]} {text[:60]!r}, which this phase cannot have; it is left out.")
        del st.query_params[key]
    learning.ask_next({"change": text_of(asked), "scope": "phase", "together": False})
    st.rerun()


def change_to(text: str, own: float) -> float | None:
    """The change, as a fraction, of the count `own` to the one in `text`; None if that is no count, or a change that cannot be asked."""
    try:
        count = float(text)
    except ValueError:
        return None
    return count / own - 1 if own > 0 and 0 <= count <= MOST * own else None


def _go_to(picked: Picked) -> None:
    """Start at the clicked phase."""
    program, phase = picked
    put(PAGE.key("start"), str(program))
    put(PAGE.key("start_phase"), int(phase))


PARTS = {
    "what-if": Tab(place="side", controls=_controls, on_pick=_go_to),
    "models": Tab(place="above", controls=kept_models.controls),
}
