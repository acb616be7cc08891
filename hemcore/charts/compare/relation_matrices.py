"""Which correlations changed? A heatmap of the changes beside one of the correlations before (below the diagonal) and after (above)."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.correlation_matrices import correlation_heatmap
from hemcore.charts.picture import Scene
from hemcore.compare.relations import Relations
from hemcore.compare.results import Comparison
from hemcore.headline import counted_noun, formatted, percent
from hemcore.merge.trust.fidelity import cluster_order

MOST_HEMS = 60


def relations_in(scene: Scene[Comparison]) -> Relations:
    """The relations at the level and rate of the page."""
    found: Relations = scene.more
    return found.at(scene.result.params)


def relation_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """Two heatmaps: the changes of r, white where chance explains them; and r before and after."""
    table = relations_in(scene).table
    names = _hems(table)
    before, after, change, runs = (_square(table, each, names) for each in ("before", "after", "change", "runs_after"))
    sure = _square(table.assign(sure=table["changed"].astype(float)), "sure", names).to_numpy() > 0
    texts = _hover_texts(table)
    both = np.where(np.tri(len(names), dtype=bool), before, after)
    np.fill_diagonal(both, 1.0)
    beside = pd.DataFrame(both, index=names, columns=names)
    runs = runs.fillna(0)
    shared = f"{scene.question.dataset}|{scene.result.params.before}|relations"
    return [
        correlation_heatmap(
            change,
            title="Which correlations changed?",
            subtitle="r after minus before; uncolored: may be noise; grey: unknown",
            readings=runs,
            difference=True,
            noise=~sure & np.isfinite(change.to_numpy()),
            intervals=texts,
            uirevision=f"{shared}|changes",
        ),
        correlation_heatmap(
            beside,
            title="How were they correlated, and how now?",
            subtitle="rank correlation r; below the diagonal before, above after",
            readings=runs,
            intervals=texts,
            uirevision=f"{shared}|both",
        ),
    ]


def _hems(table: pd.DataFrame) -> list[str]:
    """Similar HEMs next to each other; of many, those with the surest changes."""
    ranked = list(dict.fromkeys(table[["hem_a", "hem_b"]].to_numpy().ravel().tolist()))[:MOST_HEMS]
    return cluster_order(_square(table, "before", ranked))


def _square(table: pd.DataFrame, column: str, names: list[str]) -> pd.DataFrame:
    kept = table[table["hem_a"].isin(names) & table["hem_b"].isin(names)]
    place = {hem: at for at, hem in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    first, second = (kept[name].map(place).to_numpy(dtype=int) for name in ("hem_a", "hem_b"))
    values[first, second] = values[second, first] = kept[column].to_numpy(dtype=float)
    return pd.DataFrame(values, index=names, columns=names)


def _hover_texts(table: pd.DataFrame) -> dict[tuple[str, str], str]:
    found = {}
    for row in table.itertuples():
        judged = "surely changed" if row.changed else "the change may be noise"
        text = f"before {row.before:+.3f}, after {row.after:+.3f}<br>change {row.low:+.3f} to {row.high:+.3f}: {judged}"
        found[str(row.hem_a), str(row.hem_b)] = found[str(row.hem_b), str(row.hem_a)] = text
    return found


def relation_caption(scene: Scene[Comparison]) -> str:
    """How many changed, the surest, and what is not in the picture."""
    table = relations_in(scene).table
    changed = table[table["changed"]]
    parts = [f"{len(changed):,} of {counted_noun(len(table), 'correlation')} surely changed."]
    if len(changed):
        most = changed.iloc[int(changed["change"].abs().to_numpy().argmax())]
        ends = (formatted(float(most[each]), "+.2f") for each in ("before", "after"))
        parts.append(f"Most: {most['hem_a']} with {most['hem_b']}, from {' to '.join(ends)}.")
    n = len(set(table["hem_a"]) | set(table["hem_b"]))
    if n > MOST_HEMS:
        parts.append(f"The {MOST_HEMS} HEMs with the surest changes of {n:,} are drawn.")
    parts.append("Ranks are correlated, so one extreme run counts as one run.")
    return " ".join(parts)


def relation_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """Every pair: r before and after, the change with its interval, whether it is sure."""
    rows = relations_in(scene).table
    shown = rows[["hem_a", "hem_b"]].copy()
    for name in ("before", "after", "change", "low", "high"):
        shown[name] = [formatted(float(each), "+.3f") for each in rows[name]]
    shown["surely changed"] = np.where(rows["changed"], "yes", "no")
    shown["chance"] = [percent(float(each), 1) for each in rows["adjusted"]]
    shown["runs before"], shown["runs after"] = (rows[name].astype(int) for name in ("runs_before", "runs_after"))
    return shown
