"""Two curves along the path of dynamic time warping: where one waits for the other."""

import numpy as np
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, event_colour
from hemcore.charts.look import figure, short
from hemcore.charts.mpx.view import title_of, uirevision
from hemcore.charts.picture import Scene
from hemcore.charts.series import levels, reduced
from hemcore.mpx.results import Aligned, Multiplexed

_LINKS = 150


def has_truth(scene: Scene[Multiplexed]) -> bool:
    """Whether there is a curve to be aligned with."""
    return scene.result.curves.truth is not None


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """The estimate over the truth, in log10, and thin lines between the slots that are paired."""
    found: Aligned | None = scene.more
    if found is None:
        return []
    result: Multiplexed = scene.result
    colour = event_colour(result.curves.events, found.event)
    spread = float(max(found.estimate.max(), found.truth.max()) - min(found.estimate.min(), found.truth.min())) or 1.0
    lift = 1.15 * spread
    step = max(1, -(-len(found.path) // _LINKS))
    links = found.path[::step]
    x, y = levels(links[:, 0], links[:, 1], found.estimate[links[:, 0]] + lift, found.truth[links[:, 1]])
    traces: list[dict[str, object]] = [
        {
            "type": "scatter", "x": x, "y": y, "mode": "lines", "line": {"color": MUTED, "width": 0.8}, "opacity": 0.6, "name": "beside",
            "hoverinfo": "skip",
        },
        _curve(found.estimate, lift, title_of(found.method), colour, 1.6),
        _curve(found.truth, 0.0, "truth (OCOE)", MUTED, 2.5),
    ]  # fmt: skip
    return [
        figure(
            traces,
            title="Where does the estimate lag behind?",
            subtitle=f"{short(found.event)}, run {found.run} of {result.application}; DTW-cost {found.cost:.1f}",
            height=360,
            legend=True,
            uirevision=uirevision(scene, "aligned", found.run, found.event),
            xaxis={"title": "slot of the run", "showgrid": False},
            yaxis={"title": "log10(1 + count), the estimate lifted", "showticklabels": False, "showgrid": False},
        )
    ]  # fmt: skip


def _curve(values: np.ndarray, lift: float, name: str, colour: str, width: float) -> dict[str, object]:
    places, shown = reduced(values)
    return {
        "type": "scatter",
        "x": places,
        "y": (shown + lift).astype(np.float32),
        "customdata": np.rint(10**shown - 1),
        "mode": "lines",
        "name": name,
        "line": {"color": colour, "width": width},
        "hovertemplate": f"{name}, slot %{{x}}: %{{customdata:,.0f}}<extra></extra>",
    }


def caption(scene: Scene[Multiplexed]) -> str:
    """How far the curves are apart with and without waiting."""
    found: Aligned | None = scene.more
    if found is None:
        return ""
    waits = found.longest_wait
    return (
        f"The curves differ by {found.cost:.1f} along the path and by {found.apart:.1f} slot by slot; one waits at most "
        f"{waits:,} slot{'' if waits == 1 else 's'}. In log10(1 + count), the plain sum of differences (Wang et al. 2022, section 4.2)."
    )
