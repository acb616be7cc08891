"""What if there were more runs: the median interval against runs, and each metric's now and then."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import BASELINE, SERIES, TEXT, faint
from hemcore.charts.look import figure, label_width, log_axis, plain, short, short_names
from hemcore.charts.metrics.view import view_of
from hemcore.charts.picture import Scene
from hemcore.headline import percent
from hemcore.metrics.interval_widths import FEWEST, MOST, curves, median_width, repeating, widths
from hemcore.metrics.results import MetricsReport

_MOST, _POINTS = 15, 33


def runs_then(scene: Scene[MetricsReport]) -> dict[str, float]:
    """The runs of each subexperiment that would have others, as the view has it."""
    view = view_of(scene)
    parts = [view.repeat] if view.repeat in scene.result.runs else list(scene.result.runs)
    return dict.fromkeys(parts, view.runs)


def more_runs_figures(scene: Scene[MetricsReport]) -> list[go.Figure]:
    """The curves, and the intervals of the 15 widest metrics now and then; none if no metric has an interval."""
    shown = widths(scene.result, runs_then(scene)).head(_MOST)
    return [] if shown.empty else [_curves(scene), _bars(scene, shown)]


def _curves(scene: Scene[MetricsReport]) -> go.Figure:
    found = curves(scene.result, np.geomspace(FEWEST, MOST, _POINTS).tolist())
    # The others lie on each other near the line of no change; the table has them.
    best = repeating(scene.result, 1000)["subexperiment"].tolist() if len(scene.result.runs) > 1 else []
    alone = list(dict.fromkeys([*([view_of(scene).repeat] if view_of(scene).repeat in scene.result.runs else []), *best[:1]]))
    traces = []
    for number, name in enumerate(["all", *alone]):
        whole = name == "all"
        label = "each subexperiment" if whole else f"{short(name, 22)} alone"
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": label,
                "x": found["runs"],
                "y": found[name],
                "line": {"color": TEXT if whole else SERIES[(number - 1) % len(SERIES)], "width": 3 if whole else 1.8},
                "hovertemplate": f"{plain(label)}<br>%{{x:,.0f}} runs: %{{y:.1%}}<extra></extra>",
            }
        )
    then = runs_then(scene)
    now = median_width(scene.result, {})
    marks = [(max(then.values()), median_width(scene.result, then), "as chosen", "diamond", SERIES[1])]
    if len(set(scene.result.runs.values())) == 1:
        marks.append((float(next(iter(scene.result.runs.values()))), now, "now", "circle", BASELINE))
    traces += [
        {"type": "scatter", "mode": "markers", "name": name, "x": [x], "y": [y], "marker": {"size": 11, "symbol": symbol, "color": colour},
         "hovertemplate": f"{name}<br>%{{x:,.0f}} runs: %{{y:.1%}}<extra></extra>"}
        for x, y, name, symbol, colour in marks
    ]  # fmt: skip
    return figure(
        traces,
        title="What would more runs do to the median interval?",
        subtitle="half the 80% interval, relative to the metric",
        height=300,
        uirevision=f"{scene.question.dataset}|curves",
        legend=True,
        sides=(64, 70),
        xaxis={"title": "runs of the subexperiment", **log_axis([FEWEST, MOST])},
        yaxis={"title": "half the median interval", "tickformat": "~%", "rangemode": "tozero"},
    )


def _bars(scene: Scene[MetricsReport], shown: pd.DataFrame) -> go.Figure:
    names, places = short_names(shown["metric"].tolist(), 30), np.arange(len(shown))
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "x": shown[column],
            "y": places,
            "width": width,
            "marker": {"color": colour},
            "customdata": [plain(metric) for metric in shown["metric"]],
            "hovertemplate": f"%{{customdata}}<br>{name}: %{{x:.1%}}<extra></extra>",
        }
        for name, column, width, colour in (("now", "now", 0.8, faint(BASELINE, 0.35)), ("then", "then", 0.44, SERIES[0]))
    ]
    return figure(
        traces,
        title="Which intervals would that narrow?",
        subtitle="half the 80% interval, relative to the metric, now and then",
        height=60 + 20 * len(shown),
        uirevision=f"{scene.question.dataset}|then",
        legend=True,
        sides=(label_width(names, 11) + 16, 70),
        barmode="overlay",
        xaxis={"title": "half the interval", "tickformat": "~%", "rangemode": "tozero"},
        yaxis={"tickvals": places, "ticktext": names, "range": [len(shown) - 0.4, -0.6], "showgrid": False},
    )


def more_runs_caption(scene: Scene[MetricsReport]) -> str:
    """What the choice would do, and which subexperiment to repeat."""
    now, then = median_width(scene.result, {}), median_width(scene.result, runs_then(scene))
    if not np.isfinite(now):
        return ""
    change = f"The median interval would be ±{percent(then, 1)} in place of ±{percent(now, 1)}."
    first = repeating(scene.result, 1000).iloc[0]
    if len(scene.result.runs) < 2:
        return change
    narrower = percent(float(first["narrower"]), 1)
    return f"{change} 1,000 more runs of {first['subexperiment']} narrow it most: by {narrower}."


def more_runs_table(scene: Scene[MetricsReport]) -> pd.DataFrame | None:
    """What 1,000 further runs of each subexperiment alone would do."""
    if len(scene.result.runs) < 2:
        return None
    found = repeating(scene.result, 1000)
    return pd.DataFrame(
        {
            "subexperiment": found["subexperiment"],
            "runs now": found["runs"],
            "median interval with 1,000 more": [f"±{percent(each, 1)}" for each in found["median interval"]],
            "narrower by": [percent(each, 1) for each in found["narrower"]],
        }
    )
