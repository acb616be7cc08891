"""The bar of the demo over the page of its step: what to look at, the what-if question, and the way on, by button or key."""

from collections.abc import Callable

import streamlit as st

from hemcore.datasets.shelf import library
from hemcore.errors import HemError
from hemcore.report import ReportItem
from hemcore.web import sentences, shelf, visits
from hemcore.web.actions import report_box
from hemcore.web.form import put
from hemcore.web.page import Page
from hemcore.web.pages import page_named
from hemcore.web.starts.demo_steps import AT, PARAMETER, STEPS, Step

# In the session: the datasets of one's own by kind, and what was shown.
_DATA, _SHOWN = "demo:data", "demo:shown"
_TITLE = "Demo"


def play(step: int = 0, data: dict[str, str] | None = None) -> None:
    """Open the page of `step`. data: datasets of one's own by their kind; None: those of before."""
    if data is not None:
        st.session_state[_DATA], st.session_state[_SHOWN] = data, {}
    st.session_state[AT] = step
    page = page_named(STEPS[step].page)
    query = _query(page, STEPS[step]) | {PARAMETER: str(step + 1)}
    if visits.now() == page.name:  # it takes its choices from the link when it is opened, and it is open
        for key, value in query.items():
            if key != PARAMETER:
                put(key, value)
        st.query_params[PARAMETER] = query[PARAMETER]
        st.rerun()
    if page.name == "report":
        query |= _report()
    st.switch_page(page.script, query_params=query)


def show(page: Page) -> None:
    """Draw the bar of the step in the URL, if it is one of this page."""
    number = _number()
    if number is None or STEPS[number].page != page.name:
        return
    step, st.session_state[AT] = STEPS[number], number
    _ring(page, step)
    with st.container(key="frame-demo", horizontal=True, vertical_alignment="center", gap="small"):
        asks = f" **{sentences.as_text(step.asks)}**" if step.asks else ""
        st.markdown(f"**{number + 1} of {len(STEPS)}** {sentences.as_text(step.look)}{asks}")
        _button("Back", number - 1, "PageUp", "arrow_back")
        _button("Next", number + 1, "PageDown", "arrow_forward")
        st.button("Leave", key="demo.leave", type="tertiary", icon=":material/close:", on_click=_leave, help="Home resumes it.")


def note(item: Callable[[], ReportItem]) -> None:
    """Keep what the page of the step shows, for the report at the end; nothing without a demo."""
    number = _number()
    if number is not None:
        st.session_state.setdefault(_SHOWN, {})[number] = item()


def _number() -> int | None:
    text = st.query_params.get(PARAMETER, "")
    return int(text) - 1 if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(STEPS) else None


def _button(label: str, to: int, key: str, icon: str) -> None:
    there, icon = 0 <= to < len(STEPS), f":material/{icon}:"
    if st.button(label, key=f"demo.{label.lower()}", icon=icon, type="tertiary", shortcut=key, disabled=not there):
        play(to)


def _leave() -> None:
    st.query_params.pop(PARAMETER, None)


def _query(page: Page, step: Step) -> dict[str, str]:
    """The choices of the step's page: the visitor's own dataset of its kind, or its first sample."""
    label = st.session_state.get(_DATA, {}).get(page.kind)
    if label is not None:
        return page.query(label, step.choices)
    if not page.start:
        return {}
    start = page.start[step.sample]
    entry = shelf.start_entry(start)
    return {} if entry is None else page.query(entry.label, {**start.choices, **step.choices})


def _report() -> dict[str, str]:
    """A new report of what was shown, open."""
    shown: dict[int, ReportItem] = st.session_state.get(_SHOWN, {})
    if not shown:
        return {}
    try:
        report = report_box.reports().create(_TITLE)
        for _, item in sorted(shown.items()):
            report = report_box.reports().add(report.id, item)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
        return {}
    return {"report.open": report_box.label_of(report)}


def _ring(page: Page, step: Step) -> None:
    """A ring around what the step speaks of."""
    keys = [page.key(name).replace(".", "-") for name in (step.ringed, step.slider) if name]
    if keys:
        where = ", ".join(f".st-key-{key}" for key in keys)
        st.html(f"<style>{where} {{ outline: 3px solid #E08E0B; outline-offset: 2px; border-radius: 0.4rem; }}</style>")


def choose_data() -> None:
    """Boxes for the visitor's own datasets, one per kind that the demo opens and that there are some of; nothing without any."""
    own = _own_labels()
    if own:
        with st.expander("Play the demo on your own data"):
            for kind, (page, labels) in own.items():
                st.selectbox(f"For {page.title}", labels, index=None, placeholder="The sample", key=_box(kind))


def chosen_data() -> dict[str, str]:
    """What was chosen in those boxes: labels by kind."""
    return {kind: str(label) for kind in _own_labels() if (label := st.session_state.get(_box(kind)))}


def _box(kind: str) -> str:
    return f"demo.data-{kind}"


def _own_labels() -> dict[str, tuple[Page, list[str]]]:
    # Of pages with one kind, the first gives the box its name.
    pages = {page.kind: page for step in reversed(STEPS) if (page := page_named(step.page)).kind}
    own = {kind: [entry.label for entry in library.entries(shelf.store(), kind) if not entry.bundled] for kind in pages}
    return {kind: (page, own[kind]) for kind, page in pages.items() if own[kind]}
