"""How firm the medoids are: k-medoids anew with other seeds, and how alike the clusters are."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import SERIES, TEXT
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.charts.signatures.view import uirevision
from hemcore.signatures.headline import stability_verdict
from hemcore.signatures.results import ClassifiedSignatures, SeedStability


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """Agreement of the clusters of each seed with those of the first, and their silhouettes; nothing before they are found."""
    found: SeedStability | None = scene.more
    if found is None:
        return []
    seeds = found.seeds
    places = np.arange(len(seeds))
    silhouettes = seeds["silhouette"].to_numpy()
    figures = [
        ("rand_index", "Do other seeds find the same clusters?", "1 is the same, about 0 as alike as by chance", "adjusted Rand index"),
        ("silhouette", "Are the clusters of every seed as far apart?", "1 far apart, 0 on the border", "silhouette"),
    ]
    return [
        figure(
            [
                {
                    "type": "bar",
                    "x": places,
                    "y": seeds[name].to_numpy(),
                    "marker": {"color": SERIES[0]},
                    "text": [f"{each:.3f}" if np.isfinite(each) else "not known" for each in seeds[name]],
                    "textposition": "outside",
                    "cliponaxis": False,
                    "textfont": {"size": 11, "color": TEXT},
                    "customdata": seeds["seed"].to_numpy(),
                    "hovertemplate": f"seed %{{customdata}}: {axis} %{{y:.4f}}<extra></extra>",
                }
            ],
            title=title,
            subtitle=f"{words}; {len(seeds)} seeds" if name == "silhouette" else f"{words}; against seed {seeds['seed'].iloc[0]}",
            height=300,
            uirevision=uirevision(scene, name),
            xaxis={"title": "seed", "tickvals": places, "ticktext": [str(each) for each in seeds["seed"]], "showgrid": False},
            yaxis={"title": axis, "range": _range(seeds[name].to_numpy())},
        )
        for name, title, words, axis in figures
        if name != "silhouette" or np.isfinite(silhouettes).any()
    ]


def _range(values: np.ndarray) -> list[float]:
    """From 0, or below the least, to where the number over a bar of 1 has room."""
    return [min(0.0, float(np.nanmin(values, initial=0)) * 1.2), 1.15]


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """A row a seed."""
    return None if scene.more is None else scene.more.seeds


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """Whether the clusters can be relied on, and what the columns are."""
    found: SeedStability | None = scene.more
    if found is None:
        return ""
    verdict = stability_verdict(found)
    return f"{verdict.text} Share changed: the rows that change class through EAR's files."
