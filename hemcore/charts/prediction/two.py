"""Any two counters of the phases against each other."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.look import figure, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import in_front
from hemcore.charts.prediction import phases
from hemcore.charts.prediction.correlation import SIGNS
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.errors import UnknownNameError
from hemcore.events.event_units import COUNTS, unit_of_event
from hemcore.headline import formatted
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.results import PhaseCorrelations
from hemcore.prediction.phase_rows import values_of

_MOST = 4_000


def pair(scene: Scene) -> tuple[str, str]:
    """(horizontal counter, vertical counter): as chosen, otherwise the one most correlated with the target, and the target.

    Raises UnknownNameError for a counter that is not in the table.
    """
    found: PhaseCorrelations = scene.more
    view, counters = view_of(scene), scene.table.counters
    for name in (view.across, view.up):
        if name and name not in counters:
            raise UnknownNameError(f"Counter: {name[:40]!r} is not in the table. Choose another.")
    up = view.up or found.target
    closest = [str(name) for name in found.against["counter"]]
    return view.across or next((name for name in closest if name != up), up), up


def draw(scene: Scene) -> list[go.Figure]:
    """The points; none before the correlations are available."""
    if scene.more is None:
        return []
    found: PhaseCorrelations = scene.more
    (across, up), view = pair(scene), view_of(scene)
    rows = phases.selection(scene).rows
    x, y = (values_of(scene.table, name, rows, per_instruction=view.rates) for name in (across, up))
    known = np.isfinite(x) & np.isfinite(y)
    places = in_front(known, most=_MOST)
    far = np.where(known, _away(x) + _away(y), 0.0)
    groups = phases.groups(scene.table, rows, phases.colour_of(scene), far)
    phase = scene.table.frame["phase"].to_numpy()[rows]
    hover = f"phase %{{customdata[1]:,}}<br>{short(across)} %{{x:,.5~r}}<br>{short(up)} %{{y:,.5~r}}"
    traces: list[dict[str, object]] = phases.drawn(x, y, groups, places, hover, [rows, phase])
    traces += phases.ring(scene, x, y, rows)
    r = float(found.found.matrix.to_numpy()[found.found.counters.index(across), found.found.counters.index(up)])
    r_text = f"{SIGNS[found.params.method]} {formatted(r, '+.2f')} of the values" if r == r else "no correlation"
    return [
        figure(
            traces,
            title=f"How does {short(up, 16)} depend on {short(across, 16)}?",
            subtitle=f"{int(known.sum()):,} phases ({found.of}); {r_text}",
            height=460,
            legend=True,
            uirevision=uirevision(scene, across, up, str(view.rates)),
            xaxis={"title": _titled(across, rates=view.rates), "range": _ends(x[known])},
            yaxis={"title": _titled(up, rates=view.rates), "range": _ends(y[known])},
        )
    ]


def _titled(counter: str, *, rates: bool) -> str:
    """The title of its axis: "cycles, per phase", "rapl_joules_total, J per phase", "Power(W)"."""
    unit = unit_of_event(counter).removesuffix(" per interval")
    per = "per instruction" if rates else "per phase" if unit_of_event(counter) in (COUNTS, f"{unit} per interval") else ""
    text = " ".join(filter(None, (unit if unit != COUNTS else "", per)))
    return ", ".join(filter(None, (short(counter, 26), text)))


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
    """The counters of the clicked phase; None if there is none."""
    return None if scene.more is None else phases.table_of(scene, phases.selection(scene).rows)


def caption(scene: Scene) -> str:
    """What is shown, and what is not."""
    if scene.more is None:
        return ""
    rows, view = phases.selection(scene).rows, view_of(scene)
    x, y = (values_of(scene.table, name, rows, per_instruction=view.rates) for name in pair(scene))
    known = np.isfinite(x) & np.isfinite(y)
    parts = [phases.clicked_text(scene)]
    if known.sum() > _MOST:
        parts.append(f"{_MOST:,} of {int(known.sum()):,} phases are shown.")
    if not known.all():
        parts.append(f"In {int((~known).sum()):,} phases one of the two is missing.")
    ends = _ends(x[known]), _ends(y[known])
    outside = int(((x < ends[0][0]) | (x > ends[0][1]) | (y < ends[1][0]) | (y > ends[1][1]))[known].sum())
    if outside:
        parts.append(f"{outside:,} are outside the axes; drag an axis to see them.")
    return " ".join(each for each in parts if each)
