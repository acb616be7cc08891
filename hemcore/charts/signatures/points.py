"""Signatures as points on logarithmic axes: colours by class, application, user or time; density behind where they are many."""

import weakref
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.charts.colours import CLASS_COLOURS, CORRELATION_SCALE, MUTED, SERIES, sequential
from hemcore.charts.look import tick_texts
from hemcore.charts.point_groups import Groups, lean
from hemcore.charts.signatures.view import Colour
from hemcore.datasets.tables.signature_table import IDENTIFIERS, SignatureTable
from hemcore.signatures.class_rules import TABLE_CLASSES
from hemcore.signatures.signature_rows import is_loop

_NAMED, _TIMES = 7, 6
_CELLS = (120, 80)
_FEW_DECADES = 2.0
_SYMBOLS = ("circle", "square", "diamond", "triangle-up")
_APPLICATION, _USER, _TIME = ("JOBNAME", "APPID"), ("USERID",), ("JOB_START_TIME", "START_TIME", "TIMESTAMP")
_COLUMNS = {"application": _APPLICATION, "user": _USER, "time": _TIME}
_BY_TIME = tuple(CORRELATION_SCALE[place][1] for place in (1, 2, 3, 7, 8, 9))
_known: "weakref.WeakKeyDictionary[SignatureTable, Facts]" = weakref.WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What of a table decides which pictures there are: whether it has loops in time, and whether policies or frequencies differ."""

    loops: bool
    policies: bool
    colours: tuple[Colour, ...]


def facts(table: SignatureTable) -> Facts:
    """The facts of `table`, found once."""
    if table not in _known:
        frame = table.first
        loop = bool(is_loop(frame).any())
        differ = [name for name in ("POLICY", "DEF_FREQ_KHZ", "JOB_DEF_FREQ") if name in frame.columns and frame[name].nunique() > 1]
        colours: tuple[Colour, ...] = ("application", "user", "time")
        _known[table] = Facts(
            loops=loop and "TIMESTAMP" in frame.columns,
            policies=not loop and "POLICY" in frame.columns and bool(differ),
            colours=("class", *(name for name in colours if _column(frame, name) is not None)),
        )
    return _known[table]


def by_class(classes: pd.Series) -> Groups:
    """Groups of a categorical column of TABLE_CLASSES."""
    colours = [CLASS_COLOURS[name] for name in TABLE_CLASSES]
    return Groups(codes=classes.cat.codes.to_numpy().astype(np.int64), names=TABLE_CLASSES, colours=colours, symbols=_SYMBOLS)


def groups(table: SignatureTable, classes: pd.DataFrame, colour: Colour) -> Groups:
    """Groups of the rows of `classes` (ClassifiedSignatures.classes); by class where the table does not have what is asked for."""
    name = None if colour == "class" else _column(table.first, colour)
    if name is None:
        return by_class(classes["class"])
    values = table.first[name].iloc[classes["row"].to_numpy()]
    if colour == "time":
        return _by_time(pd.to_numeric(values, errors="coerce").to_numpy(dtype=float, na_value=np.nan))
    texts = values.astype(str)
    counted = texts.value_counts()
    order = sorted(counted.index, key=lambda each: (-int(counted[each]), each))
    first, others = order[:_NAMED], len(order) > _NAMED
    codes = pd.Index(first).get_indexer(texts)
    names = [*first, *([f"{len(order) - _NAMED:,} others"] if others else [])]
    colours = [*SERIES[: len(first)], *([MUTED] if others else [])]
    return Groups(codes=np.where(codes < 0, len(first), codes), names=names, colours=colours, symbols=["circle"] * len(names))


def _by_time(seconds: NDArray[np.float64]) -> Groups:
    known = seconds[np.isfinite(seconds)]
    if not len(known):
        return Groups(codes=np.full(len(seconds), 0), names=["time not read"], colours=[MUTED], symbols=["circle"])
    edges = np.linspace(known.min(), known.max(), _TIMES + 1)
    codes = np.clip(np.searchsorted(edges, np.nan_to_num(seconds, nan=edges[0]), side="right") - 1, 0, _TIMES - 1)
    days = known.max() - known.min() > 3 * 86_400
    names = [f"from {pd.to_datetime(edge, unit='s'):{'%Y-%m-%d' if days else '%H:%M:%S'}} UTC" for edge in edges[:-1]]
    return Groups(codes=codes, names=names, colours=_BY_TIME, symbols=["circle"] * _TIMES)


def _column(frame: pd.DataFrame, colour: str) -> str | None:
    return next((name for name in _COLUMNS[colour] if name in frame.columns and frame[name].notna().any()), None)


def density(x: NDArray[np.float64], y: NDArray[np.float64], across: tuple[float, float], up: tuple[float, float]) -> dict[str, object]:
    """How many points lie where, for logarithmic axes from and to these values: darker is more."""
    edges = [np.geomspace(*ends, cells + 1) for ends, cells in zip((across, up), _CELLS, strict=True)]
    cells = [_cell(values, *ends, number) for values, ends, number in zip((x, y), (across, up), _CELLS, strict=True)]
    within = (cells[0] >= 0) & (cells[1] >= 0)
    places = cells[0][within] * _CELLS[1] + cells[1][within]
    counts = np.bincount(places, minlength=_CELLS[0] * _CELLS[1]).reshape(_CELLS)
    with np.errstate(divide="ignore"):
        z = np.where(counts > 0, np.log10(counts + 1), np.nan).T
    return {
        "type": "heatmap",
        "x": lean(edges[0]),
        "y": lean(edges[1]),
        "z": z.astype(np.float32),
        "colorscale": sequential(MUTED),
        "showscale": False,
        "hoverinfo": "skip",
        "zsmooth": False,
    }


def _cell(values: NDArray[np.float64], low: float, high: float, cells: int) -> NDArray[np.int64]:
    """The number of the cell of each value, of `cells` of equal width on a logarithmic axis; -1 outside. The last holds its upper end."""
    found = np.log10(values)
    found -= np.log10(low)
    found *= cells / (np.log10(high) - np.log10(low))
    outside = (found < 0) | (found > cells)
    return np.where(outside, -1, np.minimum(found, cells - 1)).astype(np.int64)


def ends(values: NDArray[np.float64], *within: float) -> tuple[float, float]:
    """Where a logarithmic axis begins and ends: the middle 99 % of the values above 0, some room, and what shall be `within`."""
    known = values[np.isfinite(values) & (values > 0)]
    if not len(known):
        known = np.array([1.0])
    low, high = (float(each) for each in np.quantile(known, [0.005, 0.995]))
    inside = [each for each in within if each > 0]
    return min([low, *inside]) / 1.6, max([high, *inside]) * 1.6


def drawable(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Of each point, whether it has a place on two logarithmic axes."""
    return np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0)


def log_axis(title: str, within: tuple[float, float]) -> dict[str, object]:
    """A logarithmic axis from and to these values."""
    low, high = (float(each) for each in np.log10(within))
    # By itself plotly writes "2" for 0.2, 2 and 20.
    steps = (1,) if high - low > _FEW_DECADES else (1, 2, 3, 5) if high - low > 1 else (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
    # One power more at each end, for an axis that is dragged.
    ticks = [step * 10.0**power for power in range(int(np.floor(low)) - 1, int(np.ceil(high)) + 1) for step in steps]
    return {"type": "log", "title": title, "range": [low, high], "tickvals": ticks, "ticktext": tick_texts(ticks)}


def identified(rows: pd.DataFrame) -> pd.DataFrame:
    """The identifiers of `rows` as texts, since their digits are no amounts; those that are the same in all rows are left out."""
    names = [name for name in IDENTIFIERS if name in rows.columns]
    telling = [name for name in names if rows[name].nunique() > 1] or names[:1]
    return rows[telling].astype(str)
