"""Metrics by phase: a heatmap of phases x metrics, each metric against its own mean, with true values on hover."""

from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import DIFFERENCE_SCALE, UNKNOWN
from hemcore.charts.heatmap_parts import cell_axis
from hemcore.charts.look import colour_bar, figure, label_width, plain, short, short_names
from hemcore.charts.metrics.view import MetricsView, listed, view_of
from hemcore.charts.picture import Scene
from hemcore.headline import amount, counted_noun
from hemcore.metrics.heat_cells import MOST_METRICS, PhaseCells, phase_cells
from hemcore.metrics.results import MetricRows

_BOUND = 3.0
_ROW, _LEAST, _MOST = 16, 160, 560  # px
_SLANTED = 14  # more names stand upright
_last: WeakKeyDictionary[MetricRows, tuple[MetricsView, PhaseCells]] = WeakKeyDictionary()


def cells_of(scene: Scene[MetricRows]) -> PhaseCells:
    """The cells that the view asks for. Raises as `phase_cells` does."""
    view, last = view_of(scene), _last.get(scene.result)
    if last is None or last[0] != view:
        names = listed(scene.result.about, view)["metric"].tolist()
        chosen = {"program": view.program, "granularity": view.granularity, "load": view.load}
        last = _last[scene.result] = view, phase_cells(scene.result, names, **chosen)
    return last[1]


def heat_figure(scene: Scene[MetricRows]) -> list[go.Figure]:
    """The heatmap; none where no metric has a value."""
    cells = cells_of(scene)
    names = [str(name) for name in cells.actual.columns]
    if not names or not cells.labels:
        return []
    units = scene.result.about.set_index("metric")["unit"]
    ends = ["%" if unit == "%" else f" {unit}" if unit else "" for unit in units.reindex(names)]
    texts = [
        [f"{amount(value, 4)}{plain(end)}" if np.isfinite(value) else "no value" for value, end in zip(row, ends, strict=True)]
        for row in cells.actual.to_numpy()
    ]
    across, down = short_names(names, 26), [short(label, 26) for label in cells.labels]
    step = max(1, -(-len(down) * 12 // _MOST))
    size = 9 if len(names) > _SLANTED else 10
    wide = label_width(across, 9)
    trace = {
        "type": "heatmap",
        "z": cells.standard.to_numpy(dtype=np.float32),
        "x": [plain(name) for name in names],
        "y": [plain(label) for label in cells.labels],
        "xgap": 1 if len(names) <= 30 else 0,
        "ygap": 1 if len(down) <= 40 else 0,
        "zmin": -_BOUND,
        "zmax": _BOUND,
        "colorscale": DIFFERENCE_SCALE,
        "colorbar": colour_bar(title={"text": "SD", "font": {"size": 10}}),
        "customdata": texts,
        "hovertemplate": "<b>%{y}</b><br>%{x}<br>%{customdata} (%{z:+.1f} SD)<extra></extra>",
    }
    height = min(_MOST, max(_LEAST, _ROW * len(down)))
    upright = len(names) > _SLANTED
    above = round(wide * 0.75) + 12
    drawn = figure(
        [trace],
        title="Which phases are unlike the others, and in which metric?",
        subtitle=f"rows: {cells.each}; color: standard deviations from the metric's mean over the rows",
        height=height + above + 8,
        uirevision=f"{scene.question.dataset}|heat",
        # A page shows as many of the names as fit its width and height.
        meta={"across": {"names": names, "ticks": across, "size": size}, "down": {"names": cells.labels, "ticks": down, "size": 10}},
        sides=(label_width(down, 10) + 14, 8),
        right=56,
        plot_bgcolor=UNKNOWN,
        # Above the cells: of many rows the window shows the first.
        xaxis=cell_axis(size, list(range(len(names))), across) | {"type": "category", "tickangle": -90 if upright else -45, "side": "top"},
        yaxis=cell_axis(10, list(range(0, len(down), step)), down[::step]) | {"type": "category", "range": [len(down) - 0.5, -0.5]},
    )
    drawn.layout.margin.t += above
    return [drawn]


def heat_caption(scene: Scene[MetricRows]) -> str:
    """How much is shown."""
    cells = cells_of(scene)
    text = f"{counted_noun(len(cells.labels), 'row')}, {counted_noun(cells.actual.shape[1], 'metric')}; grey: no value."
    more = f" {cells.left_out:,} more metrics have a value; search to see them ({MOST_METRICS} fit)." if cells.left_out else ""
    return text + more


def heat_table(scene: Scene[MetricRows]) -> pd.DataFrame | None:
    """The true values, in the metrics' units."""
    cells = cells_of(scene)
    values = cells.actual.set_axis([f"{name}: value" if name == "phase" else name for name in cells.actual.columns], axis=1)
    return pd.concat([pd.DataFrame({"phase": cells.labels}), values], axis=1)
