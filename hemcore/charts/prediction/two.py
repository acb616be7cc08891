"""Any two counters of the phases against each other."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import made, short
from hemcore.charts.picture import Scene
from hemcore.charts.points import in_front
from hemcore.charts.prediction import phases
from hemcore.charts.prediction.correlation import SIGNS
from hemcore.charts.prediction.view import kept, view_of
from hemcore.errors import UnknownNameError
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.results import PhaseCorrelations
from hemcore.prediction.phase_rows import values_of

_MOST = 4_000


def pair(scene: Scene) -> tuple[str, str]:
    """(the counter across, the counter up): as chosen, else the one that goes with the target most, and the target.

    Raises UnknownNameError for one that the table does not have.
    """
    found: PhaseCorrelations = scene.more
    view, counters = view_of(scene), scene.table.counters
    for name in (view.across, view.up):
        if name and name not in counters:
            raise UnknownNameError(f"Counter: {name[:40]!r} is none of the table's. Choose another.")
    up = view.up or found.target
    closest = [str(name) for name in found.against["counter"]]
    return view.across or next((name for name in closest if name != up), up), up


def draw(scene: Scene) -> list[go.Figure]:
    """The points; nothing before the correlations are there."""
    if scene.more is None:
        return []
    found: PhaseCorrelations = scene.more
    (across, up), view = pair(scene), view_of(scene)
    rows = phases.asked(scene).rows
    x, y = (values_of(scene.table, name, rows, per_instruction=view.rates) for name in (across, up))
    known = np.isfinite(x) & np.isfinite(y)
    places = in_front(known, most=_MOST)
    far = np.where(known, _away(x) + _away(y), 0.0)
    groups = phases.groups(scene.table, rows, phases.colour_of(scene), far)
    phase = scene.table.frame["phase"].to_numpy()[rows]
    hover = f"phase %{{customdata[1]:,}}<br>{short(across)} %{{x:,.5~g}}<br>{short(up)} %{{y:,.5~g}}"
    traces: list[dict[str, object]] = phases.drawn(x, y, groups, places, hover, [rows, phase])
    traces += phases.ring(scene, x, y, rows)
    unit = "per instruction" if view.rates else "a phase"
    r = float(found.found.matrix.to_numpy()[found.found.counters.index(across), found.found.counters.index(up)])
    said = f"{SIGNS[found.params.method]} {r:+.2f} of the counts".replace("-", "−") if r == r else "no correlation is known"
    return [
        made(
            traces,
            title=f"How does {short(up, 16)} go with {short(across, 16)}?",
            subtitle=f"{int(known.sum()):,} phases ({found.of}); {said}",
            height=460,
            legend=True,
            kept=kept(scene, across, up, str(view.rates)),
            xaxis={"title": f"{short(across, 26)}, {unit}", "range": _ends(x[known])},
            yaxis={"title": f"{short(up, 26)}, {unit}", "range": _ends(y[known])},
        )
    ]


def _away(values: Floats) -> Floats:
    known = values[np.isfinite(values)]
    if not len(known):
        return np.zeros(len(values))
    low, middle, high = (float(each) for each in np.quantile(known, [0.05, 0.5, 0.95]))
    return np.nan_to_num(np.abs(values - middle) / (high - low or 1.0))


def _ends(values: Floats) -> list[float]:
    if not len(values):
        return [0.0, 1.0]
    low, high = (float(each) for each in np.quantile(values, [0.002, 0.998]))
    room = 0.06 * (high - low) or max(abs(high), 1.0) * 0.06
    return [low - room, high + room]


def table(scene: Scene) -> pd.DataFrame | None:
    """The counters of the clicked phase; nothing where none was clicked."""
    return None if scene.more is None else phases.table_of(scene, phases.asked(scene).rows)


def caption(scene: Scene) -> str:
    """What is drawn of how many."""
    if scene.more is None:
        return ""
    rows, view = phases.asked(scene).rows, view_of(scene)
    x, y = (values_of(scene.table, name, rows, per_instruction=view.rates) for name in pair(scene))
    known = np.isfinite(x) & np.isfinite(y)
    said = [phases.words_of(scene)]
    if known.sum() > _MOST:
        said.append(f"Of {int(known.sum()):,} phases {_MOST:,} are drawn, evenly.")
    if not known.all():
        said.append(f"{int((~known).sum()):,} miss one of the two.")
    ends = _ends(x[known]), _ends(y[known])
    outside = int(((x < ends[0][0]) | (x > ends[0][1]) | (y < ends[1][0]) | (y > ends[1][1]))[known].sum())
    if outside:
        said.append(f"{outside:,} lie outside the axes; drag an axis to see them.")
    return " ".join(each for each in said if each)
