"""An estimated curve over the true one, and its lag along the path of dynamic time warping."""

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import TRUTH, event_colour, faint
from hemcore.charts.look import counted_title, figure, short
from hemcore.charts.mpx.view import title_of, uirevision
from hemcore.charts.picture import Scene
from hemcore.charts.series import are_whole, reduced
from hemcore.headline import amount, counted_noun
from hemcore.mpx.results import Aligned, Multiplexed


def has_truth(scene: Scene[Multiplexed]) -> bool:
    """Whether there is a curve to be aligned with."""
    return scene.result.curves.truth is not None


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """Estimate and truth over one time axis, and below them how many slots late each part of the estimate is."""
    found: Aligned | None = scene.more
    if found is None:
        return []
    result: Multiplexed = scene.result
    colour = event_colour(result.curves.events, found.event)
    late = found.late
    places = reduced(late)[0]
    most = max(1.0, float(np.abs(late).max()))
    traces: list[dict[str, object]] = [
        _curve(found.truth, "truth (OCOE)", TRUTH, 2.5),
        _curve(found.estimate, title_of(found.method), colour, 1.6),
        {
            "type": "scatter", "mode": "lines", "x": places, "y": late[places].astype(np.float32), "yaxis": "y2", "showlegend": False,
            "line": {"color": colour, "width": 1.2, "shape": "hv"}, "fill": "tozeroy", "fillcolor": faint(colour),
            "text": [_lag(each) for each in late[places]], "hovertemplate": "slot %{x:,}: %{text}<extra></extra>",
        },
    ]  # fmt: skip
    return [
        figure(
            traces,
            title="Where does the estimate lag behind?",
            subtitle=f"{short(found.event)}, run {found.run} of {result.application}; below: how many slots late or early it is",
            height=360,
            legend=True,
            uirevision=uirevision(scene, "aligned", found.run, found.event),
            xaxis={"title": "slot of the run", "showgrid": False, "anchor": "y2"},
            yaxis={"title": counted_title(found.event, whole=are_whole(found.truth)), "domain": [0.42, 1], "rangemode": "tozero"},
            yaxis2={
                "title": "slots", "domain": [0, 0.32], "range": [-1.25 * most, 1.25 * most], "zeroline": True,
                "tickvals": [-most, 0, most], "ticktext": [_lag(-most), "on time", _lag(most)],
            },
        )
    ]  # fmt: skip


def _lag(slots: float) -> str:
    """By how many slots it is late: "14 late", "2 early", "on time"."""
    return f"{amount(abs(slots), 2)} {'late' if slots > 0 else 'early'}" if round(slots, 2) else "on time"


def _curve(values: np.ndarray, name: str, colour: str, width: float) -> dict[str, object]:
    places, shown = reduced(values)
    return {
        "type": "scatter",
        "x": places,
        "y": np.rint(10**shown - 1).astype(np.float32),
        "mode": "lines",
        "name": name,
        "line": {"color": colour, "width": width},
        "hovertemplate": f"{name}, slot %{{x:,}}: %{{y:,.0f}}<extra></extra>",
    }


def caption(scene: Scene[Multiplexed]) -> str:
    """How far the curves are apart with and without the lag."""
    found: Aligned | None = scene.more
    if found is None:
        return ""
    most = found.longest_wait
    return (
        f"At most {counted_noun(most, 'slot')} lie between matching slots. The curves differ by "
        f"{found.cost:.1f} where slots are matched and by {found.apart:.1f} slot by slot: sums of differences of log10(1 + count) "
        "(Wang et al. 2022, section 4.2)."
    )
