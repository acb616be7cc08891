"""Pictures of a merged table: a pair of its HEMs, correlations with one HEM, the margins."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT, sign_colours
from hemcore.charts.look import Layout, figure, plain, short
from hemcore.events.event_units import COUNTS, unit_of_event
from hemcore.headline import formatted

_POINTS = 4_000
_TURNS = 4
_ACROSS = 2
_SHARES = np.linspace(0, 100, 101, dtype=np.float32)


def pair_scatter(
    first: str,
    second: str,
    merged: pd.DataFrame,
    read: pd.DataFrame | None,
    *,
    title: str,
    subtitle: str = "",
    points: int = _POINTS,
    uirevision: str = "",
) -> go.Figure:
    """The pair in the merged table, dots, and the pair as read, rings (None: never read together), at most `points` points of each."""
    merged, real = merged[[first, second]], None if read is None or read.empty else read
    dots = {"color": SERIES[0], "size": 5, "opacity": 0.75}
    rings = {"color": TEXT, "size": 6, "opacity": 0.9, "symbol": "circle-open", "line": {"width": 1}}
    traces = []
    # In turns, so that neither covers the other.
    turns = 1 if real is None else _TURNS
    for turn in range(turns):
        for frame, name, marker in ((merged, "merged", dots), (real, "read together", rings)):
            if frame is not None:
                drawn = _thinned(frame, points).iloc[turn::turns]
                points_of = _points(drawn, first, second, f"{name} ({len(frame):,})", marker)
                traces.append(points_of | {"legendgroup": name, "showlegend": turn == 0})
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=380,
        uirevision=uirevision,
        legend=True,
        xaxis={"title": _per_run(first, 36)},
        yaxis={"title": _per_run(second, 30)},
    )


def anchor_ranking(correlations: pd.Series, *, anchor: str, title: str, uirevision: str = "") -> go.Figure:
    """Bars of r of the anchor with each other HEM, from the first of `correlations` on top to the last."""
    shown = correlations.dropna()
    values = shown.to_numpy(dtype=float)
    rows = np.arange(len(shown), dtype=np.int16)
    bars = {
        "type": "bar",
        "x": values.astype(np.float32),
        "y": rows,
        "orientation": "h",
        "marker": {"color": sign_colours(values.tolist())},
        "text": [formatted(value, "+.2f") for value in values.tolist()],
        "textposition": "outside",
        "textfont": {"size": 11, "color": TEXT},
        "cliponaxis": False,
        "hovertext": [plain(str(name)) for name in shown.index],
        "hovertemplate": "%{hovertext}<br>r = %{x:+.4f}<extra></extra>",
    }
    names = [short(str(name), 24) for name in shown.index]
    return figure(
        [bars],
        title=title,
        height=max(220, 60 + 24 * len(shown)),
        uirevision=uirevision,
        bargap=0.25,
        xaxis={"title": f"Pearson r with {short(anchor, 36)}", "range": [-1.3, 1.3], "tickvals": [-1, -0.5, 0, 0.5, 1], "zeroline": True},
        yaxis={"tickvals": rows, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
    )


def against_truth(
    merged: pd.DataFrame, real: pd.DataFrame, errors: pd.DataFrame, *, title: str, subtitle: str = "", uirevision: str = ""
) -> go.Figure:
    """r of each pair in the merged table against its true r; pairs off by more than twice their `errors` are marked.

    All three tables are HEMs x HEMs, for the same HEMs. Pairs without an r or an error are left out. customdata: the two HEMs' names.
    """
    names = [str(name) for name in real.index]
    first, second = np.triu_indices(len(names), 1)
    x, y, error = (frame.to_numpy(dtype=float)[first, second] for frame in (real, merged, errors))
    known = np.isfinite(x) & np.isfinite(y) & np.isfinite(error)
    beyond = known & (np.abs(y - x) > 2 * error)
    traces: list[dict[str, object]] = [
        {
            "type": "scatter",
            "x": [-1, 1],
            "y": [-1, 1],
            "mode": "lines",
            "name": "identical r",
            "line": {"color": MUTED, "width": 1.5},
            "hoverinfo": "skip",
        }
    ]
    for chosen, name, colour, symbol in (
        (known & ~beyond, "within noise", SERIES[0], "circle"),
        (beyond, "beyond noise", SERIES[3], "diamond"),
    ):
        at = np.flatnonzero(chosen)
        pairs = [(names[first[place]], names[second[place]]) for place in at]
        traces.append(
            {
                "type": "scatter",
                "x": x[at].astype(np.float32),
                "y": y[at].astype(np.float32),
                "mode": "markers",
                "name": f"{name} ({len(at):,})",
                "marker": {"color": colour, "symbol": symbol, "size": 8, "opacity": 0.8},
                "customdata": np.array(pairs, dtype=object).reshape(-1, 2),
                "text": [
                    f"<b>{plain(one)}</b><br><b>{plain(other)}</b><br>r = {formatted(y[place], '+.3f')} merged, "
                    f"{formatted(x[place], '+.3f')} true<br>"
                    f"noise alone: ±{error[place]:.3f}"
                    for (one, other), place in zip(pairs, at, strict=True)
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    low = min(-0.05, float(np.min(np.minimum(x, y)[known], initial=0.0)) - 0.05)
    reach = [low, 1.05]
    return figure(
        traces,
        title=title,
        subtitle=subtitle,
        height=420,
        uirevision=uirevision,
        legend=True,
        xaxis={"title": "Pearson r, true", "range": reach},
        yaxis={"title": "Pearson r, merged", "range": reach},
    )


def margins(hems: list[str], before: dict[str, np.ndarray], merged: pd.DataFrame, *, title: str, subtitle: str = "") -> go.Figure:
    """Quantiles of each HEM's readings and of its merged column: the curves coincide if the merge preserved the distribution."""
    across = min(_ACROSS, len(hems))
    down = -(-len(hems) // across)
    height = 40 + 165 * down
    traces: list[dict[str, object]] = []
    layout: Layout = {}
    names = []
    for number, hem in enumerate(hems):
        row, column = divmod(number, across)
        axis = "" if number == 0 else str(number + 1)
        for values, name, colour, opacity, width in (
            (before[hem], "all readings", MUTED, 1, 6),
            (merged[hem].to_numpy(), "merged", SERIES[0], 1, 1.5),
        ):
            traces.append(
                {
                    "type": "scatter",
                    "x": np.percentile(values, _SHARES).astype(np.float32),
                    "y": _SHARES,
                    "xaxis": f"x{axis}",
                    "yaxis": f"y{axis}",
                    "mode": "lines",
                    "name": name,
                    "legendgroup": name,
                    "showlegend": number == 0,
                    "line": {"color": colour, "width": width},
                    "opacity": opacity,
                    "hovertemplate": f"{plain(hem)}<br>%{{y:.0f}}% of runs are below %{{x:,.4~r}}<extra>{name}</extra>",
                }
            )
        left, top = column / across, 1 - row / down
        wide = [left + (0.03 if column else 0), left + 1 / across - (0.03 if column + 1 < across else 0)]
        high = [top - (1 / down - 42 / height), top - 22 / height]
        layout[f"xaxis{axis}"] = {"domain": wide, "anchor": f"y{axis}", "nticks": 4, "automargin": row + 1 == down}
        layout[f"yaxis{axis}"] = {
            "domain": high,
            "anchor": f"x{axis}",
            "tickvals": [0, 50, 100],
            **({"title": "runs below (%)"} if column == 0 else {"showticklabels": False}),
        }
        names.append(
            {
                "text": _per_run(hem, 22),
                "x": wide[0],
                "y": high[1],
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 11, "color": TEXT},
            }
        )
    return figure(traces, title=title, subtitle=subtitle, height=height, legend=True, annotations=names, **layout)


def _points(frame: pd.DataFrame, first: str, second: str, name: str, marker: Layout) -> Layout:
    return {
        "type": "scattergl",
        "x": frame[first].to_numpy(dtype=np.float32),
        "y": frame[second].to_numpy(dtype=np.float32),
        "mode": "markers",
        "name": name,
        "marker": marker,
        "hovertemplate": f"{short(first, 40)}: %{{x:,.6~r}}<br>{short(second, 40)}: %{{y:,.6~r}}<extra>{name}</extra>",
    }


def _thinned(frame: pd.DataFrame, points: int) -> pd.DataFrame:
    if len(frame) <= points:
        return frame
    return frame.iloc[np.random.default_rng(0).choice(len(frame), points, replace=False, shuffle=False)]


def _per_run(hem: str, width: int) -> str:
    """What an axis shows: counts of a run, or a temperature, a power or a ratio with the unit that its name does not show."""
    unit = unit_of_event(hem)
    return f"{short(hem, width)}, {'counts per run' if unit == COUNTS else unit.replace('interval', 'run')}".removesuffix(", ")
