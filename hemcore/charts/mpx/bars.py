"""Estimators side by side for one application: RA and WA, and what each does to the totals."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import QUIET, SERIES, TEXT
from hemcore.charts.dots_and_rings import baseline_ticks, dumbbells
from hemcore.charts.look import Layout, figure, label_width, plain
from hemcore.charts.mpx.view import counting, title_of, uirevision
from hemcore.charts.picture import Scene
from hemcore.headline import percent
from hemcore.mpx.headline import USABLE
from hemcore.mpx.results import Multiplexed


def has_scores(scene: Scene[Multiplexed]) -> bool:
    """Whether anything is scored."""
    return bool(len(scene.result.scores)) and bool(scene.result.by_method["ra"].notna().any())


def draw(scene: Scene[Multiplexed]) -> list[go.Figure]:
    """Two figures: accuracies, and totals."""
    rows = _ranked(scene.result)
    return [_accuracies(scene, rows), _totals(scene, rows)]


def _ranked(found: Multiplexed) -> pd.DataFrame:
    """The estimators, most accurate curve first."""
    return found.by_method.sort_values("ra", ascending=False, kind="stable", ignore_index=True)


def _accuracies(scene: Scene[Multiplexed], rows: pd.DataFrame) -> go.Figure:
    found: Multiplexed = scene.result
    pinned = _before(scene)
    traces = dumbbells(_names(rows), (rows["ra"], rows["wa"]), ("relative accuracy (RA)", "weighted accuracy (WA)"), (SERIES[0], SERIES[1]))
    lowest = min(0.0, float(rows[["ra", "wa"]].min().min()))
    if pinned is not None:
        for place, (score, lift) in enumerate((("ra", -0.18), ("wa", 0.18)), 1):
            before = pinned.set_index("method")[score].reindex(rows["method"]).to_numpy(dtype=np.float64)
            traces.insert(place, baseline_ticks(before, np.arange(len(rows)) + lift, "baseline", legend=score == "ra"))
    return figure(
        traces,
        title="Which estimator is most accurate?",
        subtitle=f"{found.application}, {counting(scene)} counted, {_runs(found)}",
        legend=True,
        uirevision=uirevision(scene, "bars"),
        xaxis={"title": "accuracy per slot (RA) and per count (WA)", "tickformat": "~%", "range": [lowest, 1.02]},
        shapes=[{"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": USABLE, "x1": USABLE, "line": {"color": TEXT, "dash": "dash"}}],
        annotations=[
            {
                "x": USABLE, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False, "font": {"size": 11, "color": QUIET},
                "text": "needed by a performance model", "xanchor": "right",
            }
        ],
        **_rows(rows),
    )  # fmt: skip


def _totals(scene: Scene[Multiplexed], rows: pd.DataFrame) -> go.Figure:
    return figure(
        dumbbells(_names(rows), (rows["total"], rows["off"]), ("mean error", "mean size of the error"), (SERIES[2], SERIES[2]), "+.1%"),
        title="How far off are run totals?",
        subtitle="dot: mean, too low left of 0; ring: mean size of the error",
        legend=True,
        uirevision=uirevision(scene, "totals"),
        xaxis={"title": "error of run totals", "tickformat": "~%", "zeroline": True},
        **_rows(rows),
    )


def _names(rows: pd.DataFrame) -> list[str]:
    return [title_of(str(each)) for each in rows["method"]]


def _rows(rows: pd.DataFrame) -> Layout:
    names, n = _names(rows), len(rows)
    return {
        "height": max(170, 60 + 26 * n),
        "sides": (label_width(names, 11) + 12, 72),
        "yaxis": {"tickvals": np.arange(n), "ticktext": [plain(each) for each in names], "range": [n - 0.4, -0.6], "showgrid": False},
    }


def _before(scene: Scene[Multiplexed]) -> pd.DataFrame | None:
    pinned: Multiplexed | None = scene.baseline
    return pinned.by_method if pinned is not None and len(pinned.scores) else None


def _runs(found: Multiplexed) -> str:
    n = len(found.runs)
    of = f" of {found.all_runs:,}" if n < found.all_runs else ""
    return f"{n:,}{of} run{'' if found.all_runs == 1 else 's'}"


def caption(scene: Scene[Multiplexed]) -> str:
    """What the means cover, and how alike two runs are."""
    found: Multiplexed = scene.result
    first = found.by_method.iloc[0]
    n, left = int(first["series"]), int(first["left_out"])
    text = f"Means over {n:,} series (one event in one run)"
    text += f"; {left:,} more have fewer than 20 hidden counts above 0 and are left out." if left else "."
    perfect_ra, perfect_wa = found.perfect
    if np.isfinite(perfect_ra):
        text += (
            f" Runs differ: perfect counts of one run, scored against another, have RA {percent(perfect_ra)} and WA {percent(perfect_wa)}; "
            "the picture scores against the same run."
        )
    return text


def table(scene: Scene[Multiplexed]) -> pd.DataFrame:
    """The figures of the picture."""
    rows = scene.result.by_method
    names = {"ra": "RA", "wa": "WA", "total": "total, signed", "off": "total, absolute", "series": "series", "left_out": "left out"}
    return rows.assign(method=[title_of(str(each)) for each in rows["method"]])[["method", *names]].rename(columns=names).round(4)
