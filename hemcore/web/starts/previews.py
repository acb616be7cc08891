"""What Home shows of a page: its picture and its verdict on the bundled sample, bundled with it by scripts/bundle-answers.

Those of other starts (a plugin's page) are computed beside the visit and kept for the process.
"""

import gzip
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import plotly.graph_objects as go
import plotly.io
import streamlit as st

from hemcore.analysis import Question, ResultT
from hemcore.charts.look import DIGITS
from hemcore.charts.picture import Scene
from hemcore.datasets.shelf.library import SAMPLE_PREFIX
from hemcore.errors import HemError
from hemcore.headline import Verdict
from hemcore.registry import pictures_of, view_of
from hemcore.resources import SAMPLES
from hemcore.web import ask, shelf
from hemcore.web.page import Page

HEIGHT = 210
FOLDER = SAMPLES / "answers"
_MOST = 32
# Nobody waits for it, but it takes the processor from those who work meanwhile.
_LONGEST_S = 20.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Preview:
    """A small picture and the verdict; reason: why there is no picture."""

    figure: go.Figure | None = None
    verdict: Verdict | None = None
    reason: str = ""


class _Previews:
    """Previews by what they are of; the one computed first goes when there are more than 32."""

    def __init__(self) -> None:
        self._done: OrderedDict[tuple, Preview] = OrderedDict()
        self._begun: set[tuple] = set()
        self._lock = threading.Lock()

    def find(self, page: Page) -> Preview | None:
        key = _key(page)
        with self._lock:
            found = self._done.get(key)
        if found is None and (found := _bundled(page)) is not None:
            with self._lock:
                self._done[key] = found
        return found

    def begin(self, pages: Sequence[Page]) -> None:
        pages = [page for page in pages if self.find(page) is None]
        with self._lock:
            missing = [page for page in pages if _key(page) not in self._done and _key(page) not in self._begun]
            self._begun.update(map(_key, missing))
        if missing:
            threading.Thread(target=self._compute, args=(missing,), name="home-previews", daemon=True).start()

    def _compute(self, pages: Sequence[Page]) -> None:
        for page in pages:
            made = _preview(page)
            with self._lock:
                self._done[_key(page)] = made
                self._begun.discard(_key(page))
                while len(self._done) > _MOST:
                    self._done.popitem(last=False)


@st.cache_resource(max_entries=1, show_spinner=False)
def _previews() -> _Previews:
    return _Previews()


def find(page: Page) -> Preview | None:
    """The preview of `page`; None until it is computed."""
    return _previews().find(page)


def begin(pages: Sequence[Page]) -> None:
    """Have the previews that are missing computed by a thread, one after the other in this order; each page has a start and a picture."""
    _previews().begin(pages)


def write(page: Page, folder: Path = FOLDER) -> Path:
    """Compute the preview of `page` and bundle it; returns the path. Raises HemError where it cannot be computed, OSError."""
    made = _made(_key(page), _page=page)
    if made.reason:  # what is bundled stays
        raise HemError(f"The preview of {page.title} is not written: {made.reason}")
    verdict = None if made.verdict is None else asdict(replace(made.verdict, remedies=()))
    figure = None if made.figure is None else json.loads(plotly.io.to_json(made.figure, validate=False))
    text = json.dumps({"key": repr(_key(page)), "verdict": verdict, "figure": figure})
    path = _path(page, folder)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def _path(page: Page, folder: Path) -> Path:
    return folder / f"{page.name}.json.gz"


def _bundled(page: Page) -> Preview | None:
    """None if none is bundled, one of another start is, or the sample is not here."""
    path = _path(page, FOLDER)
    if not path.is_file() or shelf.start_entry(page.start[0]) is None:
        return None
    given = json.loads(gzip.decompress(path.read_bytes()))
    if given["key"] != repr(_key(page)):
        return None
    verdict = None if given["verdict"] is None else Verdict(**given["verdict"] | {"why": tuple(given["verdict"]["why"])})
    figure = None if given["figure"] is None else go.Figure(given["figure"], _validate=False)
    return Preview(figure=figure, verdict=verdict)


def question_of(page: Page) -> Question:
    """What the page asks when its first start is opened. Raises HemError where the start's choices do not fit."""
    start = page.start[0]
    method = next((str(value) for value in start.choices.values() if value in page.methods), next(iter(page.methods)))
    analysis = page.methods[method]
    given = {name: value for name, value in start.choices.items() if name in analysis.params.model_fields}
    return Question(analysis=analysis, dataset=f"{SAMPLE_PREFIX}{start.sample}", params=analysis.params(**given))


def _key(page: Page) -> tuple:
    start = page.start[0]
    return (page.name, page.picture, start.sample, tuple(sorted(start.choices.items())))


def _preview(page: Page) -> Preview:
    try:
        return _made(_key(page), _page=page)
    except HemError as error:
        return Preview(reason=str(error))
    except Exception:
        # One page's fault must not take the others' pictures away.
        _log.exception("The preview of the page %s failed", page.name)
        return Preview(reason="The picture could not be drawn; see the server's log.")


@st.cache_resource(max_entries=_MOST, show_spinner=False)
def _made(key: tuple, *, _page: Page) -> Preview:
    # Cached, although _Previews keeps it too: inside a cached function the caches that it reads draw no spinner, which a thread cannot.
    question = question_of(_page)
    table, analysis = shelf.table(question.dataset), question.analysis
    seconds = question.seconds(table)
    if seconds > _LONGEST_S:
        return Preview(reason=f"The sample takes about {seconds:.0f} s to compute, once you open it.")
    result = _answer(question)
    picture, model = pictures_of(analysis.name)[_page.picture], view_of(analysis.name)
    more = None if picture.needs is None else question.about(picture.needs)
    figures = picture.draw(
        Scene(
            question=question,
            table=table,
            result=result,
            view=None if model is None else model(),
            more=None if more is None else _answer(more),
        )
    )
    return Preview(
        figure=small(figures[0]) if figures else None,
        verdict=None if analysis.verdict is None else analysis.verdict(result),
    )


def _answer(question: Question[ResultT]) -> ResultT:
    # By the page's own cache where it is quick: who opens the page then finds it there.
    result = ask.at_hand(question)
    return result if result is not None else question.answer(shelf.table(question.dataset))


def small(figure: go.Figure) -> go.Figure:
    """A thumbnail of `figure`: without title, legend, colour bar and words in the picture; small type, margins as thin as the ticks
    allow. Curves under one another have no numbers beside them: there is no room for those of two between the two."""
    thumbnail = go.Figure([trace for trace in figure.data if trace.name != DIGITS], figure.layout)
    thumbnail.update_layout(
        title=None, showlegend=False, coloraxis_showscale=False, height=HEIGHT, margin={"l": 2, "r": 2, "t": 6, "b": 2}, font={"size": 10}
    )
    thumbnail.update_traces(showscale=False, selector={"type": "heatmap"})
    thumbnail.update_traces(mode="markers", selector={"mode": "markers+text"})
    thumbnail.layout.annotations = ()
    axis = {"automargin": True, "title": {"standoff": 4, "font": {"size": 10}}, "tickfont": {"size": 9}}
    several = sum(each.visible is not False for each in thumbnail.select_yaxes()) > 1
    return thumbnail.update_xaxes(axis).update_yaxes(axis | ({"showticklabels": False} if several else {}))
