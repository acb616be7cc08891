"""The answer that every function of the notebook interface returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Analysis, Question
from hemcore.errors import HemError, UnknownNameError
from hemcore.front.frames import Key
from hemcore.front.small_svg import thumbnail
from hemcore.headline import Card, Verdict
from hemcore.params import Params
from hemcore.resources import is_installed

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from hemcore.charts.picture import AnyPicture

_MARKS = {"good": "✓", "limited": "!", "poor": "✕"}
_SMALL = "font-size:85%;opacity:.75"
_KEYS = (("application", "run"), ("program", "load"))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Answer:
    """The answer to one question. In a notebook it shows its verdict, its figures and a small picture.

    analysis: the analysis. data: the typed table it was applied to; data.repairs lists what was left out. params: its parameters.
    result: the complete typed result. times: the times of data's rows, if the input had a DatetimeIndex.
    """

    analysis: Analysis
    data: Any
    params: Params
    result: Any
    times: Mapping[Key, pd.DatetimeIndex] = field(default_factory=dict)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The result as a DataFrame, a copy that you may change. With columns of times if the data had a DatetimeIndex."""
        return _with_times(self.analysis.table_of(self.result).copy(), self.times)

    @cached_property
    def verdict(self) -> Verdict:
        """The answer in one sentence, whether to trust it, and why; empty if the analysis has no verdict."""
        return self.analysis.verdict(self.result) if self.analysis.verdict is not None else Verdict(answer="")

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The headline figures; may be empty."""
        return tuple(self.analysis.cards(self.result)) if self.analysis.cards is not None else ()

    @property
    def pictures(self) -> list[str]:
        """The names of the pictures that `plot` draws. Raises HemError if plotly is not installed."""
        return list(_pictures(self.analysis))

    def plot(self, name: str | None = None) -> "go.Figure":
        """A plotly figure of the answer. name: one of `pictures`; None: the first that applies to this answer.

        Raises HemError if plotly is not installed or there is nothing to draw, UnknownNameError for an unknown name.
        """
        return self.plots(name)[0]

    def plots(self, name: str | None = None) -> "list[go.Figure]":
        """All figures of a picture, at least one, since some pictures have several. Raises as `plot`."""
        known = _pictures(self.analysis)
        if not known:
            raise HemError(f"plot: {self.analysis.title} has no picture. Its numbers are in .table.")
        if name is not None and name not in known:
            raise UnknownNameError(f"plot: {str(name)[:60]!r} is not a picture of {self.analysis.title}; there are {', '.join(known)}.")
        for each in [name] if name is not None else list(known):
            figures = self._drawn(known[each], wanted=name is not None)
            if figures:
                return figures
        raise HemError(f"plot: {name or self.analysis.title} has nothing to draw here. Its numbers are in .table.")

    def _drawn(self, picture: "AnyPicture", *, wanted: bool) -> "list[go.Figure]":
        from hemcore.charts.picture import Scene
        from hemcore.registry import view_of

        if picture.needs is not None and not wanted:
            return []
        view = view_of(self.analysis.name)
        scene = Scene(
            question=Question(analysis=self.analysis, dataset="", params=self.params),
            table=self.data,
            result=self.result,
            view=None if view is None else view(),
            more=None if picture.needs is None else picture.needs.of(self.data, self.params),
        )
        return list(picture.draw(scene)) if picture.shown(scene) else []

    def __repr__(self) -> str:
        lines = [
            f"{self.analysis.title}: {_plain(self.verdict.answer)}".rstrip(": "),
            *(f"  {each.label}: {each.shown}" for each in self.cards),
        ]
        return "\n".join([*lines, f"  .table: {len(self.table):,} rows x {self.table.shape[1]} columns"])

    def _repr_html_(self) -> str:
        verdict = self.verdict
        trust = (
            f"<div>{_MARKS[verdict.level]} Trust: {escape(verdict.level)}. {escape(_plain(verdict.trust))}</div>" if verdict.answer else ""
        )
        why = _why(verdict)
        figures = "".join(
            f'<div title="{escape(each.help)}" style="padding:0 1.2em .4em 0"><div style="{_SMALL}">{escape(each.label)}</div>'
            f'<div style="font-size:130%">{escape(each.shown)}</div><div style="{_SMALL}">{escape(each.note)}</div></div>'
            for each in self.cards
        )
        return (
            f'<div class="hem-answer"><div style="{_SMALL}">{escape(self.analysis.title)}</div>'
            f"<div><b>{escape(_plain(verdict.answer))}</b></div>{trust}{why}"
            f'<div style="display:flex;flex-wrap:wrap;margin-top:.5em">{figures}</div>{thumbnail(self.result, self.table)}</div>'
        )


def _why(verdict: Verdict) -> str:
    sentences = getattr(verdict, "why", ())
    if not sentences:
        return ""
    return f"<details><summary>Why?</summary><ul>{''.join(f'<li>{escape(_plain(each))}</li>' for each in sentences)}</ul></details>"


def _plain(text: str) -> str:
    return " ".join(text.replace("**", "").replace("`", "").split())


def _pictures(analysis: Analysis) -> "Mapping[str, AnyPicture]":
    if not is_installed("plotly"):
        raise HemError("plot: plotly is not installed; pictures need it. Install it: pip install 'plotly>=7,<8'")
    from hemcore.registry import pictures_of

    return pictures_of(analysis.name)


def _with_times(table: pd.DataFrame, times: Mapping[Key, pd.DatetimeIndex]) -> pd.DataFrame:
    """`table` with times next to its positions (start and stop of segments, interval, phase, row)."""
    if not times:
        return table
    keys = next((each for each in _KEYS if any(name in table.columns for name in each)), ())
    only = next(iter(times)) if len(times) == 1 else None
    for column, new in (("start", "start_time"), ("stop", "stop_time"), ("interval", "time"), ("phase", "time"), ("row", "time")):
        if column not in table.columns or new in table.columns or not pd.api.types.is_integer_dtype(table[column]):
            continue
        places = table[column].to_numpy()
        found = np.full(len(table), np.datetime64("NaT", "ns"), dtype="datetime64[ns]")
        zone = next(iter(times.values())).tz
        groups: list[tuple[Any, Any]] = [(only, slice(None))]
        if only is None:
            named = [table[name] for name in keys if name in table.columns]
            groups = (
                [(key, rows) for key, rows in pd.DataFrame(dict(enumerate(named))).groupby(list(range(len(named)))).indices.items()]
                if named
                else []
            )
        for key, rows in groups:
            stamps = next((each for known, each in times.items() if key is only or _matches(known, key, keys, table)), None)
            if stamps is not None:
                found[rows] = _at(stamps, places[rows])
        stamped = pd.Series(pd.DatetimeIndex(found), index=table.index)
        table.insert(
            list(table.columns).index(column) + 1, new, stamped.dt.tz_localize("UTC").dt.tz_convert(zone) if zone is not None else stamped
        )
    return table


def _matches(known: Key, key: object, keys: tuple[str, ...], table: pd.DataFrame) -> bool:
    have = [value for name, value in zip(keys, known, strict=True) if name in table.columns]
    return have == list(key if isinstance(key, tuple) else (key,))


def _at(stamps: pd.DatetimeIndex, places: NDArray[np.int64]) -> NDArray[np.datetime64]:
    """The time at each position; at the position after the last one, the time when the last one ends."""
    plain = (stamps.tz_convert("UTC").tz_localize(None) if stamps.tz is not None else stamps).to_numpy().astype("datetime64[ns]")
    step = np.median(np.diff(plain).astype("int64")).astype("timedelta64[ns]") if len(plain) > 1 else np.timedelta64(0, "ns")
    every = np.append(plain, plain[-1] + step)
    return np.where((places >= 0) & (places < len(every)), every[np.clip(places, 0, len(every) - 1)], np.datetime64("NaT", "ns"))
