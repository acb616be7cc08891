"""Phases as points: colored by program, load, number or a describing column; and the clicked one."""

import weakref
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.charts.colours import CORRELATION_SCALE, MUTED, SERIES
from hemcore.charts.look import Layout
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import Groups, ringed, scatter
from hemcore.charts.prediction.view import view_of
from hemcore.datasets.tables.phase_table import KEYS, PhaseTable
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.phase_rows import PhaseSelection, keys_of, one_phase, select_phases

MOST = 3_000
_NAMED = 7
_STAGES = 6
_FEW = 50
_BY_PHASE = tuple(CORRELATION_SCALE[place][1] for place in (1, 2, 3, 7, 8, 9))
_described: "weakref.WeakKeyDictionary[PhaseTable, tuple[str, ...]]" = weakref.WeakKeyDictionary()


def colours_of(table: PhaseTable) -> list[str]:
    """What points can be colored by: program, columns with few distinct texts (such as the domain), load, and phase number."""
    if table not in _described:
        texts = [
            str(name)
            for name in table.frame.columns
            if name not in (*KEYS, *table.counters)
            and not pd.api.types.is_numeric_dtype(table.frame[name])
            and 1 < table.frame[name].nunique() <= _FEW
        ]
        _described[table] = ("program", *texts, "load", "phase")
    return list(_described[table])


def colour_of(scene: Scene) -> str:
    """What the points are colored by: as chosen, or by program if the table does not have that."""
    chosen = view_of(scene).colour
    return chosen if chosen in colours_of(scene.table) else "program"


def selection(scene: Scene, *, all_loads: bool = False) -> PhaseSelection:
    """The phases in the picture."""
    params = scene.question.params
    assert isinstance(params, ExploreParams)
    return select_phases(scene.table, params, all_loads=all_loads)


def groups(table: PhaseTable, rows: Whole, colour: str, far: Floats) -> Groups:
    """Groups of the phases at `rows`. far: the distance of each from the center; with many groups, the outermost ones get a color.

    Grouped by program, each program is a group with its name in the hover, even if it shares the gray of others.
    """
    if colour == "phase":
        return _by_number(table, rows)
    keys = keys_of(table)
    if colour == "program":
        codes, names = keys.program[rows], list(keys.programs)
    elif colour == "load":
        codes, names = keys.load[rows], list(keys.loads)
    else:
        texts = table.frame[colour].to_numpy(dtype=object)[rows]
        found, given = pd.factorize(pd.Series(texts).fillna("unknown"))
        codes, names = found.astype(np.int64), [str(each) for each in given]
    present, codes = np.unique(codes, return_inverse=True)
    names = [names[each] for each in present]
    sums = np.bincount(codes, weights=np.nan_to_num(far), minlength=len(names))
    out = np.argsort(-sums / np.maximum(np.bincount(codes, minlength=len(names)), 1), kind="stable")
    coloured = _lasting(present, out[: len(SERIES) if len(names) <= len(SERIES) else _NAMED])
    # Gray ones first, behind the others.
    order = sorted(range(len(names)), key=lambda code: code in coloured)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    colours = [coloured.get(code, MUTED) for code in order]
    return Groups(codes=place[codes], names=[names[code] for code in order], colours=colours, symbols=["circle"] * len(names))


def _lasting(present: Whole, chosen: Whole) -> dict[int, str]:
    """The color of each of the `chosen` groups, places in `present`: by the group's number in the table, so that it has the same in every
    picture, unless one further out has that: then the next one that is free."""
    free = list(range(len(SERIES)))
    colours = {}
    for code in chosen.tolist():  # the outermost first
        place = min(free, key=lambda each: (each - present[code]) % len(SERIES))
        free.remove(place)
        colours[int(code)] = SERIES[place]
    return colours


def drawn(x: Floats, y: Floats, groups: Groups, places: Whole, hover: str, more: Sequence[NDArray]) -> list[Layout]:
    """Traces of the groups, interleaved if there are few; all gray ones share one legend entry."""
    traces = scatter(x, y, groups, places, hover=hover, more=more, turns=4 if len(groups.names) <= len(SERIES) else 1)
    grey = [trace for trace in traces if trace["marker"]["color"] == MUTED]
    n = len({trace["legendgroup"] for trace in grey})
    for number, trace in enumerate(grey):
        trace |= {"showlegend": number == 0, "legendgroup": "others", "legendrank": len(groups.names) + 1}
        if number == 0 and n > 1:
            trace["name"] = f"{n:,} others"
    return traces


def _by_number(table: PhaseTable, rows: Whole) -> Groups:
    phase = table.frame["phase"].to_numpy()[rows].astype(float)
    program = keys_of(table).program[rows]
    last = np.maximum(np.bincount(program, minlength=1) * 0, 0).astype(float)
    np.maximum.at(last, program, phase)
    share = phase / np.maximum(last[program], 1.0)
    codes = np.clip((share * _STAGES).astype(np.int64), 0, _STAGES - 1)
    names = [f"{100 * number // _STAGES}% to {100 * (number + 1) // _STAGES}% of the program" for number in range(_STAGES)]
    return Groups(codes=codes, names=names, colours=_BY_PHASE, symbols=["circle"] * _STAGES)


def clicked(scene: Scene, rows: Whole) -> int | None:
    """The position of the clicked phase in `rows`; None if there is none, or it is not among them."""
    row = view_of(scene).row
    place = np.flatnonzero(rows == row) if row is not None else np.empty(0)
    return int(place[0]) if len(place) else None


def ring(scene: Scene, x: Floats, y: Floats, rows: Whole) -> list[dict[str, object]]:
    """A ring around the clicked phase, if there is one."""
    place = clicked(scene, rows)
    if place is None or not (np.isfinite(x[place]) and np.isfinite(y[place])):
        return []
    return [ringed(x, y, np.array([place]), "clicked")]


def table_of(scene: Scene, rows: Whole) -> pd.DataFrame | None:
    """The counters of the clicked phase; None if there is none."""
    row = view_of(scene).row
    if row is None or row >= len(scene.table.frame):
        return None
    return one_phase(scene.table, row, rows)


def clicked_text(scene: Scene) -> str:
    """Which phase was clicked; "" if none."""
    row = view_of(scene).row
    if row is None or row >= len(scene.table.frame):
        return ""
    own = scene.table.frame.iloc[row]
    return f"Table: phase {own['phase']:,} of {own['program']}, {own['load']}."
