"""Estimators by event and by application: heatmaps coloured around 0.9, which Wang et al. (2022) call usable."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import DIFFERENCE_SCALE, UNKNOWN
from hemcore.charts.heatmap_parts import cell_axis, cell_clicks, cell_digits, cells, digits_layout
from hemcore.charts.look import Layout, colour_bar, figure, label_width, plain, short_names
from hemcore.charts.mpx.view import SAID, SCORES, counting, title_of, uirevision, view_of
from hemcore.charts.picture import Scene
from hemcore.headline import amount, formatted, percent
from hemcore.mpx.evaluation import Evaluation
from hemcore.mpx.headline import USABLE
from hemcore.mpx.results import Multiplexed
from hemcore.mpx.scoring import means

_LOW, _TOTALS = 0.5, 0.2  # accuracies below it, and totals further off, are of one colour
_ROW, _LETTERS = 26, 18


def by_event(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """Events of the application by estimator."""
    found: Multiplexed = scene.result
    score = view_of(scene).score if view_of(scene).score != "DTW" else "RA"
    values = _wide(found.by_event, "event", SCORES[score], list(found.by_method["method"]))
    if SCORES[score] in ("ra", "wa") and len(found.ceiling):
        values["ceiling"] = means(found.ceiling, ["event"]).set_index("event")[SCORES[score]].reindex(values.index).to_numpy()
    return [
        heatmap(
            values,
            score,
            title="Which events does each estimator get right?",
            subtitle=f"{found.application}, {counting(scene)} counted; {SAID[score]}",
            uirevision=uirevision(scene, "events", score),
            keys=[[str(event), str(method)] for event in values.index for method in values.columns],
        )
    ]


def by_application(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """Applications, or events over all applications, by estimator: the shape of Tables 5 and 6."""
    found: Evaluation | None = scene.more
    if found is None:
        return []
    view = view_of(scene)
    values = found.table(view.by, SCORES[view.score])
    ks = sorted({amount(each) for each in found.slots_per_count.values()})
    return [
        heatmap(
            values,
            view.score,
            title=f"How good is each estimator by {view.by}?",
            subtitle=f"all applications, 1 slot in {' or '.join(ks)} counted; {SAID[view.score]}",
            uirevision=uirevision(scene, "applications", view.by, view.score),
            keys=[[str(row), str(method)] for row in values.index for method in values.columns],
        )
    ]


def _wide(rows: pd.DataFrame, by: str, score: str, methods: list[str]) -> pd.DataFrame:
    wide = rows.pivot(index=by, columns="method", values=score)
    wide.index, wide.columns = wide.index.astype(str), wide.columns.astype(str)
    return wide[methods]


def heatmap(values: pd.DataFrame, score: str, *, title: str, subtitle: str, uirevision: str, keys: list[list[str]]) -> go.Figure:
    """Rows by estimators, NaN grey; a transparent scatter over the cells, whose customdata are `keys`, reports the clicks."""
    figures = values.to_numpy(dtype=float)
    names, columns = short_names([str(each) for each in values.index], _LETTERS), [_title(str(each)) for each in values.columns]
    coloured = _coloured(figures, score)
    digits = [_digits(value, score) for value in figures.ravel().tolist()]
    rows = len(names)
    return figure(
        [
            cells(coloured.astype(np.float32), DIFFERENCE_SCALE, (-1, 1), gap_up_to=values.size, bar=_bar(score, figures)),
            *cell_digits(digits, coloured, 1.0, DIFFERENCE_SCALE),
            cell_clicks(keys, _hovers(values, score), len(columns), 20),
        ],
        title=title,
        subtitle=subtitle,
        height=90 + _ROW * rows,
        uirevision=uirevision,
        sides=(label_width(names, 11) + 12, 74),
        right=52,
        plot_bgcolor=UNKNOWN,
        **digits_layout(8),
        xaxis=cell_axis(11, list(range(len(columns))), [plain(each) for each in columns])
        | {"tickangle": -45, "range": [-0.5, len(columns) - 0.5]},
        yaxis=cell_axis(11, list(range(rows)), names) | {"range": [rows - 0.5, -0.5]},
    )


def _coloured(cells: NDArray[np.float64], score: str) -> NDArray[np.float64]:
    """Where on the scale from -1 to 1 each cell is: accuracies with what is usable in the middle and 1 at the end, totals around 0, costs
    from 0 up to the largest, of which one half of the scale is used."""
    if score == "DTW":
        return cells / _largest(cells)
    if score == "total":
        return np.clip(cells / _TOTALS, -1, 1)
    return np.clip(np.where(cells < USABLE, (cells - USABLE) / (USABLE - _LOW), (cells - USABLE) / (1 - USABLE)), -1, 1)


def _largest(cells: NDArray[np.float64]) -> float:
    known = cells[np.isfinite(cells)]
    return float(known.max()) if len(known) and known.max() > 0 else 1.0


def _bar(score: str, cells: NDArray[np.float64]) -> Layout:
    if score == "DTW":
        ticks, most = np.linspace(0, 1, 5), _largest(cells)
        return colour_bar(tickvals=ticks, ticktext=[amount(most * each) for each in ticks])
    ticks = np.linspace(-1, 1, 5)
    labels = ["−20%", "−10%", "0", "+10%", "+20%"] if score == "total" else [f"≤{percent(_LOW)}", "70%", "90%", "95%", "100%"]
    return colour_bar(tickvals=ticks, ticktext=labels)


def _title(method: str) -> str:
    return "another run" if method == "ceiling" else title_of(method)


def _digits(value: float, score: str) -> str:
    if not np.isfinite(value):
        return ""
    if score == "DTW":
        return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
    return formatted(100 * value, "+.1f") if score == "total" else f"{100 * value:.0f}"


def _hovers(values: pd.DataFrame, score: str) -> list[str]:
    hovers = []
    for row, figures in zip(values.index, values.to_numpy(dtype=float).tolist(), strict=True):
        for method, value in zip(values.columns, figures, strict=True):
            form = {"total": "+.1%", "DTW": ".1f"}.get(score, ".1%")
            figure = "too few counts above 0" if value != value else formatted(value, form)
            who = "perfect counts, scored against another run" if method == "ceiling" else plain(title_of(str(method)))
            hovers.append(f"<b>{plain(str(row))}</b><br>{who}<br>{score} {figure}")
    return hovers


def event_caption(scene: Scene[Multiplexed]) -> str:
    """The meaning of the colours."""
    return _legend(view_of(scene).score if view_of(scene).score != "DTW" else "RA", bool(len(scene.result.ceiling)))


def application_caption(scene: Scene[Multiplexed]) -> str:
    """The meaning of the colours, and the number of runs."""
    found: Evaluation | None = scene.more
    if found is None:
        return ""
    runs = found.scores[["application", "run"]].drop_duplicates().groupby("application").size()
    many = f"{runs.min():,}" if runs.min() == runs.max() else f"{runs.min():,} to {runs.max():,}"
    return f"{many} runs of each application. {_legend(view_of(scene).score, bool(len(found.ceiling)))}"


def _legend(score: str, ceiling: bool) -> str:
    text = {
        "RA": "Purple reaches the 90% that a performance model needs, orange does not. Low guesses raise RA: read it with WA and total.",
        "WA": "Purple reaches 90%, orange does not.",
        "total": "Percent: purple is too high, orange too low.",
        "DTW": "Lower is nearer. A count held until the next one costs nothing, so the cost favours fixed.",
    }[score]
    grey = " Grey: fewer than 20 hidden counts above 0."
    return text + grey + (" Another run: perfect counts, scored against another OCOE run." if ceiling and score in ("RA", "WA") else "")


def event_table(scene: Scene[Multiplexed]) -> pd.DataFrame:
    """The figures behind the cells."""
    rows = scene.result.by_event
    names = {"ra": "RA", "wa": "WA", "total": "total, signed", "off": "total, absolute", "series": "series", "left_out": "left out"}
    table = rows.assign(event=rows["event"].astype(str), method=[title_of(str(each)) for each in rows["method"]])
    return table[["event", "method", *names]].rename(columns=names).round(4)


def application_table(scene: Scene[Multiplexed]) -> pd.DataFrame | None:
    """The table in the shape of the paper's."""
    if scene.more is None:
        return None
    view = view_of(scene)
    table = scene.more.table(view.by, SCORES[view.score])
    # Shares, which a table shows as percentages by their names.
    score = {"ra": "RA ", "wa": "WA ", "total": "total by "}.get(SCORES[view.score], "")
    return table.rename(columns=lambda name: f"{score}{title_of(name)}").round(4).reset_index()
