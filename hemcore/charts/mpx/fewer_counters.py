"""Accuracy against k: what would be lost with fewer counters, or won with more."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, TEXT
from hemcore.charts.look import figure
from hemcore.charts.mpx.view import TRAINED, colour_of_method, title_of, uirevision, view_of
from hemcore.charts.picture import Scene
from hemcore.errors import ParameterError
from hemcore.headline import percent
from hemcore.mpx.headline import USABLE
from hemcore.mpx.results import Multiplexed, WhatIf

_DASHES = ("solid", "dash")
_SYMBOLS = ("circle", "diamond-open")  # the second: a color for the second time


def can_try(scene: Scene[Multiplexed]) -> bool:
    """Whether slots can be hidden: of what was counted all the time."""
    return scene.table.mode == "OCOE" or scene.table.truth is not None


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """RA and WA against k, one line per estimator."""
    if scene.more is None:
        return []
    return [
        _figure(scene, "ra", "How accurate are curves with fewer counters?"),
        _figure(scene, "wa", "How accurate are counts with fewer counters?"),
    ]


def _figure(scene: Scene[Multiplexed], score: str, title: str) -> go.Figure:
    found: WhatIf = scene.more
    result: Multiplexed = scene.result
    every = list(dict.fromkeys(found.rows["method"].astype(str)))
    chosen = view_of(scene).compared or tuple(every)
    unknown = [each for each in chosen if each not in every]
    if unknown:
        raise ParameterError(f"Estimators: {unknown[0][:40]!r} is not known; there are {', '.join(every)}.")
    traces: list[dict[str, object]] = []
    for name in chosen:
        rows = found.rows[found.rows["method"] == name]
        colour, turn = colour_of_method(name)
        traces.append(
            {
                "type": "scatter",
                "x": rows["slots_per_count"].to_numpy(),
                "y": rows[score].to_numpy(dtype=float),
                "mode": "lines+markers",
                "name": title_of(name),
                "line": {"color": colour, "width": 2, "dash": _DASHES[turn]},
                "marker": {"size": 7, "symbol": _SYMBOLS[turn]},
                "customdata": rows["slots_per_count"].to_numpy(),
                "hovertemplate": f"{title_of(name)}, 1 slot in %{{x}}: %{{y:.1%}}<extra></extra>",
            }
        )
    now = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": result.slots_per_count, "x1": result.slots_per_count}
    usable = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": USABLE, "y1": USABLE}
    return figure(
        traces,
        title=title,
        subtitle=f"{found.application}, {found.runs:,} run{'' if found.runs == 1 else 's'}; dashed: {percent(USABLE)}, dotted: current k",
        height=320,
        legend=True,
        uirevision=uirevision(scene, "what-if", score),
        xaxis={"title": "slots per count, k", "showgrid": False, "tickvals": sorted(set(found.rows["slots_per_count"]))},
        yaxis={
            "title": "relative accuracy (RA)" if score == "ra" else "weighted accuracy (WA)",
            "tickformat": "~%",
            "range": [0, 1],
        },
        shapes=[
            now | {"line": {"color": MUTED, "dash": "dot", "width": 1.5}},
            usable | {"line": {"color": TEXT, "dash": "dash", "width": 1}},
        ],
    )


def caption(scene: Scene[Multiplexed]) -> str:
    """What k means for counters."""
    found: WhatIf | None = scene.more
    if found is None:
        return ""
    ks = sorted(set(found.rows["slots_per_count"]))
    half = f" Halving the counters doubles k, for example from {ks[0]} to {2 * ks[0]}." if 2 * ks[0] in ks else ""
    trained = sorted(set(found.rows.loc[found.rows["method"].astype(str).isin(TRAINED), "slots_per_count"]))
    models = (
        f" A trained model works at one k; the stored ones trained on {found.application} have k = {' and '.join(map(str, trained))}."
        if trained
        else f" A trained model works at one k; none trained on {found.application} is stored."
    )
    noise = (
        " Fewer counters are not better where a line rises: compare it with the band over rotations under Slots per count."
        if any((np.diff(each.sort_values("slots_per_count")["ra"]) > 0).any() for _, each in found.rows.groupby("method", observed=True))
        else ""
    )
    return f"With k slots per count, {len(scene.table.events)} events need about {len(scene.table.events)}/k counters.{half}{noise}{models}"


def table(scene: Scene[Multiplexed]) -> pd.DataFrame | None:
    """The figures of the lines."""
    found: WhatIf | None = scene.more
    if found is None:
        return None
    rows = found.rows.assign(method=[title_of(str(each)) for each in found.rows["method"]])
    names = {"slots_per_count": "k", "method": "method", "ra": "RA", "wa": "WA", "total": "total, signed", "off": "total, absolute"}
    return rows[list(names)].rename(columns=names).round(4)
