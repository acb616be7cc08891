"""The frame of a page: data and parameters in the sidebar; heading and actions, verdict, figures, pictures in tabs, "How it works"."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, cast

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hemcore.analysis import Analysis, AnyAnalysis, ParamsT, Question, ResultT
from hemcore.charts.picture import Picture, Scene
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError
from hemcore.headline import Card, Verdict
from hemcore.registry import pictures_of, view_of
from hemcore.web import ask, cards, choices, drawing, selection, sentences, shelf, tables, visits
from hemcore.web.actions import baseline, continue_on, downloads, keep, offers, report_box
from hemcore.web.everywhere.made_once import of_scene, once
from hemcore.web.form import Form, warn_of_link
from hemcore.web.page import Page, TableT
from hemcore.web.starts import demo_bar as demo
from hemcore.web.starts import empty_page


@dataclass(frozen=True, kw_only=True)
class Tab:
    """What a page adds to one of its pictures.

    controls: draws the picture's own controls and returns the view fields that they set. place: where they are: in "Options" above the
    picture, at the side (sliders that the picture follows), or openly above it (what is read before the picture). on_pick: the callback
    for a click on a point (gets the point's customdata). on_row: the callback for a click on a row of its table (gets the key and the
    table).
    """

    place: Literal["options", "side", "above"] = "options"
    controls: Callable[["Frame", Scene], dict[str, object]] | None = None
    on_pick: Callable[[drawing.Picked], None] | None = None
    on_row: Callable[[str, pd.DataFrame], None] | None = None


class Frame(Generic[TableT]):
    """One page while it is drawn. The constructor draws the heading; the page's script calls the rest in order."""

    def __init__(self, page: Page[TableT]) -> None:
        self.page, self.form, self._zoom = page, Form(page), selection.Zoom(page)
        with st.container(key="frame-head", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title(page.heading or page.title, width="content", anchor=False, help=page.purpose or None)
            self._actions = st.container(horizontal=True, horizontal_alignment="right", width="content", gap="small")
        demo.show(page)
        sentences.warn_in(st.container(gap="small"))
        sentences.repeat_link_warnings()
        self._top, self._figures = st.container(key="frame-top", gap="small"), st.container(key="frame-figures")
        self.dataset: Entry
        self.question: Question
        self.result: object = None
        self._baseline: object = None
        self._pin: Question | None = None
        self._view: dict[str, object] = {}
        # Over the open picture: what clears a selection in it.
        self.over: DeltaGenerator
        self._baseline_words = self._answer = ""
        choices.follow_link(page)
        choices.follow_address(page, ("pin", selection.ZOOM, *page.in_address))

    def work(self) -> None:
        """Split the page: `left`, the sidebar, for data and parameters; `right` for pictures, `under` for what comes after them."""
        with st.sidebar:
            self.left, self._end = st.container(gap="small"), st.container(key="frame-end", gap="small")
            self.sliders_here()
        self.right, self.under = st.container(key="frame-right"), st.container(key="frame-under")
        self._foot = st.container(key="frame-foot")
        if self.page.kind:  # a dataset will be drawn
            drawing.fetch_once(self.page.key("fetch-once"))

    def sliders_here(self) -> None:
        """Where the controls of pictures go that belong at the side; after the parameters, unless called among them."""
        self._side = st.container(gap="small")

    def beside(self) -> None:
        """Split the page itself: `left` for what is chosen, `right` for what it is; stacked on narrow screens."""
        if self.page.purpose:
            st.caption(self.page.purpose)
        with st.container(key="frame-work"):
            self.left, self.right = st.container(gap="small"), st.container()
        self._foot = st.container()

    def data(self, upload: Callable[[], None] | None = None) -> tuple[Entry, TableT]:
        """Draw the dataset picker here and return the entry and its table. The page stops if none is chosen or it cannot be read.

        upload: draws the page's own field for files where none is chosen, above the link to the Data page.
        """
        with sentences.show_errors(place=self.right):
            chosen = shelf.choose(self.page, self.right)
            if chosen is None:
                with self.right:
                    empty_page.show(self.page, upload)
                visits.end_page()
            self.dataset, table = shelf.at_level(self.page, chosen, shelf.table(chosen.id))
        st.caption(sentences.as_text(shelf.shape(self.dataset.id)))
        self.name(self.dataset.name)
        return self.dataset, cast(TableT, table)  # of the page's kind, like every entry offered

    def name(self, what: str) -> None:
        """Name the browser tab after what the page shows."""
        visits.name_tab(self.page, what)

    def chosen(self) -> None:
        """Undo and Defaults; call after the form is drawn."""
        choices.remember(self.page)
        choices.buttons(self.page)

    def ask(self, analysis: Analysis[TableT, ParamsT, ResultT], params: ParamsT) -> ResultT:
        """The answer; while a job computes it, its progress is shown and the page stops. A HemError is shown as its sentence."""
        question = Question(analysis=analysis, dataset=self.dataset.id, params=params)
        self.question = question
        with self.right, sentences.show_errors(actions=self.remedies):
            self.result = ask.answer(question, self.remedies)
        return self.result

    def remedies(self, error: HemError) -> list[sentences.Action]:
        """A button for each remedy of `error` that this page can apply."""
        return offers.buttons_for(self.page, self.dataset.id, error.remedies)

    def headline(self) -> None:
        """Draw verdict, baseline and headline figures; those of a picture that has its own are drawn with it."""
        analysis = self.question.analysis
        self._before: list[Card] = []
        with self._top, sentences.show_errors():
            self._band = st.container()
            pin = baseline.pinned(self.page)
            self._pin = pin
            if pin is not None:
                baseline.bar(self.page, self.question, pin)
                self._baseline_words = ", ".join(self.question.differences(pin, shelf.name_of))
                self._baseline = baseline.answer_of(pin, self.result) if self._baseline_words else None
                if self._baseline is not None and pin.analysis.cards is not None:
                    self._before = list(pin.analysis.cards(self._baseline))
            key = self.page.key("view")
            first = next(iter(pictures_of(analysis.name).values()), None)
            self._tab = str(st.session_state.get(key) or st.query_params.get(key) or (first.tab if first else ""))
            self._judged = False
            if not any((each.judged or each.headline) and each.tab == self._tab for each in pictures_of(analysis.name).values()):
                self._judge(analysis, self.result)

    def _judge(self, analysis: AnyAnalysis, result: object) -> None:
        """Draw verdict and figures of `result`, unless some are there."""
        if not self._judged:
            verdict = once(analysis.verdict, result) if analysis.verdict is not None else None
            figures = once(analysis.cards, result) if analysis.cards is not None else ()
            self._head(verdict, figures, self._before if analysis is self.question.analysis else ())

    def _head(self, verdict: Verdict | None, figures: Sequence[Card], before: Sequence[Card] = ()) -> None:
        self._judged = True
        if verdict is not None:
            self._answer = verdict.answer
            left = offers.still_to_go(verdict.remedies, self.question, self._tab)
            ahead = offers.ahead(self.page, left)
            steps, done = [*ahead, *(each for each in left if each not in ahead)], bool(verdict.remedies) and not left
            actions = offers.buttons_for(self.page, self.dataset.id, steps)
            with self._band:
                names = [value for value in self.question.params.model_dump().values() if isinstance(value, str)]
                cards.verdict(verdict, actions, self.page.key("offer"), step=bool(ahead), shown_below=done, names=names)
        if figures:
            with self._figures:
                cards.row(figures, before)

    def pictures(self, parts: Mapping[str, Tab] | None = None) -> None:
        """Draw the pictures in tabs (only the open one), then the actions for it, and "How it works". parts: by the picture's name."""
        table = shelf.table(self.dataset.id)
        scene = self._scene(table, None)
        shown = [each for each in pictures_of(self.question.analysis.name).values() if of_scene(each.shown, scene)]
        open_picture, figures = shown[0], []
        with self.right:
            warn_of_link(self.page.key("view"), "Tab", [each.tab for each in shown])
            self._zoom.check([each.name for each in pictures_of(self.question.analysis.name).values()])
            tabs = st.tabs([each.tab for each in shown], key=self.page.key("view"), on_change="rerun", bind="query-params")
            for tab, picture in zip(tabs, shown, strict=True):
                if tab.open:
                    open_picture = picture
                    with tab, sentences.show_errors(stop=False):
                        figures = self._draw(picture, (parts or {}).get(picture.name, Tab()), table)
        self._judge(self.question.analysis, self.result)  # where the open picture has no answer yet
        choices.settle(self.page)
        self._act(open_picture, figures)

    def _draw(self, picture: Picture, part: Tab, table: Table) -> list[go.Figure]:
        more = None
        if picture.needs is not None:
            asked = self.question.about(picture.needs)
            with nullcontext() if picture.meanwhile is None else self.under:
                done, more = ask.in_place(asked, actions=self.remedies)
            if not done:
                if picture.meanwhile is None:
                    return []
                more = picture.meanwhile(self._scene(table, None))
            elif picture.judged:
                self._judge(picture.needs, more)
        scene, self.over = self._scene(table, more), st.container()
        self._view = {} if part.controls is None else self._controlled(part, part.controls, scene)
        model = view_of(self.question.analysis.name)
        scene = self._scene(table, more, None if model is None else model(**self._view))
        if picture.headline is not None and not self._judged:
            self._head(*of_scene(picture.headline, scene))
        figures = list(of_scene(picture.draw, scene))
        # The verdict is what the picture says, for who cannot see it.
        alt = f"{picture.tab}: {self._answer}" if self._answer else picture.tab
        fits = len(figures) == 1 or picture.arranged(scene) != "stack"
        with st.container(key=f"frame-{picture.arranged(scene)}" if len(figures) > 1 else "frame-single"):
            for number, figure in enumerate(figures):
                name = f"{picture.name}-{number}"
                live = self._live(picture, scene) if number == 0 else {}
                zoom, on_zoom = self._zoom.of(name, figure), partial(self._zoom.put, name)
                drawing.show(figure, key=self.page.key(name), alt=alt, fits=fits, on_pick=part.on_pick, zoom=zoom, on_zoom=on_zoom, **live)
        caption = f"{of_scene(picture.caption, scene)} {picture.hint}".strip()
        if caption:
            st.caption(sentences.as_text(caption))
        rows = of_scene(picture.table, scene)
        if rows is not None and picture.plain_table:
            tables.show_plain(rows)
        elif rows is not None:
            key = self.page.key(f"{picture.name}-table")
            select = {"on_select": lambda: part.on_row(key, rows), "selection_mode": ["single-row"]} if part.on_row else {}
            tables.show(rows, alt=picture.tab, key=key, **select)
        return figures

    def _controlled(self, part: Tab, controls: Callable[["Frame", Scene], dict[str, object]], scene: Scene) -> dict[str, object]:
        if part.place == "above":
            return controls(self, scene)
        if part.place == "side":
            with self._side:
                return controls(self, scene)
        with st.container(key="frame-options"), choices.box(self.page, "Options", ":material/tune:"):
            return controls(self, scene)

    def _live(self, picture: Picture, scene: Scene) -> dict[str, Any]:
        """What the picture needs to follow the slider while it moves. rest: everything else that it depends on."""
        live = of_scene(picture.live, scene)
        if live is None:
            return {}
        params = self.question.params
        others = params.but(**{live.field: type(params).model_fields[live.field].default})
        rest = Question(analysis=self.question.analysis, dataset=self.question.dataset, params=others).id
        return {
            "live": live,
            "slider": self.page.key(live.field),
            "stands": getattr(params, live.field),
            "rest": f"{rest}|{self._view}|{self._pin and self._pin.id}|{self._baseline_words}|{self._baseline is None}",
        }

    def _scene(self, table: Table, more: object, view: object = None) -> Scene:
        if view is None:
            model = view_of(self.question.analysis.name)
            view = None if model is None else model()
        return Scene(
            question=self.question,
            table=table,
            result=self.result,
            view=view,
            more=more,
            baseline=self._baseline,
            baseline_words=self._baseline_words,
        )

    def _act(self, picture: Picture, figures: list[go.Figure]) -> None:
        # A baseline whose job is still running is reported too; one without an answer is not.
        pin = self._pin if self._baseline is not None or (self._pin is not None and ask.begun(self._pin)) else None
        pin = pin if self._baseline_words else None
        found = report_box.Found(self.page, self.question, self.dataset, picture, self._view, pin)
        demo.note(lambda: found.item())
        with self._actions:
            baseline.pin_button(self.page, self.question)
            keep.popover(self.page, self.question, self.dataset, self.result)
            downloads.popover(self.page, self.question, self.dataset, picture, figures)
            report_box.popover(found)
        with self._end:
            continue_on.buttons(self.page, self.question, self.dataset, self.result)
            report_box.continue_button(found)
        self.how()

    def how(self) -> None:
        """Draw "How it works": formula, source, limits."""
        text = self.page.how
        if text:
            with self._foot, st.expander("How it works", icon=":material/menu_book:"):
                st.markdown(text)
