"""Do the counts agree with one another? A row per check, with the factor by which a HEM differs from what the others imply."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, QUIET, SERIES
from hemcore.charts.compare.forest import signed
from hemcore.charts.look import figure, label_width, plain, short_names
from hemcore.charts.picture import Scene
from hemcore.compare.contradictions import Contradictions
from hemcore.compare.results import Comparison
from hemcore.headline import counted_noun, percent

MOST_ROWS = 40


def checks_drawn(found: Contradictions) -> pd.DataFrame:
    """The checks with a factor: broken ones first, each by its distance from 1; at most 40."""
    rows = found.table[found.table["factor"].notna()]
    order = np.lexsort((-np.abs(np.log(rows["factor"].to_numpy(dtype=float))), rows["holds"].to_numpy(dtype=bool)))
    return rows.iloc[order].head(MOST_ROWS).reset_index(drop=True)


def contradiction_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """One figure; none if nothing could be checked."""
    rows = checks_drawn(scene.more)
    if rows.empty:
        return []
    where = [f"{_checked(str(each))} \N{MIDDLE DOT} {place}" for each, place in zip(rows["identity"], rows["checked_in"], strict=True)]
    names = short_names(where, 40)
    ends = rows[["factor", "low", "high"]].to_numpy(dtype=float) - 1
    # A factor of thousands leaves no room for the others: its dot stands at the edge.
    most = float(np.clip(np.nanmax(np.abs(ends)), 0.002, 1.0)) * 1.15
    kept = rows["holds"].to_numpy(dtype=bool)
    traces = [_dots(rows, np.flatnonzero(kept == holds), holds, most) for holds in (False, True) if (kept == holds).any()]
    return [
        figure(
            traces,
            title="Do the counts agree with one another?",
            subtitle="how far a HEM is from what the other HEMs, or the other subexperiments, imply",
            height=64 + max(18, min(30, 330 // len(rows))) * len(rows),
            uirevision=f"{scene.question.dataset}|{scene.result.params.before}|contradictions",
            legend=True,
            sides=(label_width(names, 11) + 16, 70),
            xaxis={
                "title": "more or less than implied, %",
                "range": [-most, most],
                "tickformat": "~%",
                "zeroline": True,
                "zerolinecolor": QUIET,
                "zerolinewidth": 1.5,
            },
            yaxis={"tickvals": np.arange(len(rows)), "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
        )
    ]


def _checked(identity: str) -> str:
    """One HEM held against itself in other subexperiments is named once."""
    left, _, right = identity.partition(" = ")
    return left if left == right else identity


def _dots(rows: pd.DataFrame, places: np.ndarray, holds: bool, most: float) -> dict[str, object]:
    some = rows.iloc[places]
    middle, low, high = (np.clip(some[name].to_numpy(dtype=float) - 1, -most, most) for name in ("factor", "low", "high"))
    colour = MUTED if holds else SERIES[3]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "agrees" if holds else "contradicts the others",
        "x": middle,
        "y": places,
        "marker": {"size": 8 if holds else 11, "color": colour, "symbol": "circle-open" if holds else "diamond"},
        "error_x": {"array": high - middle, "arrayminus": middle - low, "color": colour, "thickness": 1.2 if holds else 2, "width": 3},
        "customdata": [
            plain(f"{sentence} ({signed(factor - 1)})") for sentence, factor in zip(some["sentence"], some["factor"], strict=True)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def contradiction_caption(scene: Scene[Comparison]) -> str:
    """What contradicts what, or that nothing does."""
    table = scene.more.table
    if table.empty:
        return (
            "Nothing could be checked: no HEM is a sum or multiple of others in the same runs, and none was read in several subexperiments."
        )
    broken = table[~table["holds"]]
    if broken.empty:
        return f"{counted_noun(len(table), 'check')}: no count contradicts another."
    return f"{len(broken):,} of {counted_noun(len(table), 'check')} {'fails' if len(broken) == 1 else 'fail'}. {broken['sentence'].iloc[0]}"


def _in_words(identity: str) -> str:
    left, _, right = identity.partition(" = ")
    return f"{left} is the same in every subexperiment" if left == right else identity


def contradiction_table(scene: Scene[Comparison]) -> pd.DataFrame | None:
    """Every check in words; None if nothing could be checked."""
    rows = scene.more.table
    if rows.empty:
        return None
    ends = [
        f"{signed(low - 1)} to {signed(high - 1)}" if np.isfinite(low) else ""
        for low, high in zip(rows["low"].astype(float), rows["high"].astype(float), strict=True)
    ]
    return pd.DataFrame(
        {
            "identity": [_in_words(str(each)) for each in rows["identity"]],
            "checked in": rows["checked_in"],
            "holds": np.where(rows["holds"], "yes", "no"),
            "hem": rows["hem"],
            "more or less than implied": [signed(float(each) - 1) for each in rows["factor"]],
            "interval": ends,
            "chance": [percent(float(each), 2) if np.isfinite(each) else "" for each in rows["probability"].astype(float)],
            "in words": rows["sentence"],
        }
    )
