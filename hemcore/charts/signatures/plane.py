"""The threshold plane: CPI against MEM_GBS with the limits of the default strategy, and what changes class from the baseline."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import CLASS_COLOURS, faint
from hemcore.charts.look import figure
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import MOST, in_front, ringed, scatter
from hemcore.charts.series import area
from hemcore.charts.signatures.points import by_class, density, drawable, ends, log_axis
from hemcore.charts.signatures.view import uirevision
from hemcore.signatures.class_rules import CPU, GPU, MEMORY
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.results import ClassifiedSignatures

ROWS = 1_000


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """The plane with the limits; signatures that change class from the baseline are ringed."""
    found: ClassifiedSignatures = scene.result
    classes, params = found.classes, found.params
    x, y = classes["CPI"].to_numpy(), classes["MEM_GBS"].to_numpy()
    shown = drawable(x, y)
    across = ends(x[shown], params.cpu_cpi, params.mem_cpi)
    up = ends(y[shown], params.cpu_gbs, params.mem_gbs)
    traces = [density(x[shown], y[shown], across, up)] if shown.sum() > MOST else []
    traces += _boxes(params, across, up, 0.14)
    hover = "CPI %{x:.3~f}, %{y:,.4~r} GB/s"
    traces += scatter(x, y, by_class(classes["default"]), in_front(shown), hover=hover, more=[classes["row"].to_numpy()])
    changed = _changed(scene)
    if changed is not None:
        rows = in_front(shown & changed["changed"].to_numpy()) if bool((changed["changed"].to_numpy() & shown).any()) else np.array([], int)
        traces.append(ringed(x, y, rows, "changes class"))
    words = f"; baseline: {scene.baseline_words}" if changed is not None and scene.baseline_words else ""
    return [
        figure(
            traces,
            title="Which side of the default limits is each signature on?",
            subtitle=f"{len(classes):,} {found.seen.name}, by the default strategy{words}",
            height=440,
            legend=True,
            uirevision=uirevision(scene, "plane"),
            xaxis=log_axis("CPI, cycles per instruction", across),
            yaxis=log_axis("MEM_GBS, GB/s", up),
        )
    ]


def _boxes(params: SignatureParams, across: tuple[float, float], up: tuple[float, float], share: float) -> list[dict[str, object]]:
    """CPU-bound below and left of its limits, MEMORY-bound above and right of its."""
    (left, right), (low, high) = across, up
    corners = {
        CPU: (left, max(left, params.cpu_cpi), low, max(low, params.cpu_gbs)),
        MEMORY: (min(right, params.mem_cpi), right, min(high, params.mem_gbs), high),
    }
    found = []
    for name, (x0, x1, y0, y1) in corners.items():
        outline = np.array([x0, x0, x1, x1, x0]), np.array([y0, y1, y1, y0, y0])
        # A limit of 0 has no place on a logarithmic axis.
        found.append(area(np.maximum(outline[0], left), np.maximum(outline[1], low), faint(CLASS_COLOURS[name], share), ""))
        found.append(
            {
                "type": "scatter",
                "x": np.maximum(outline[0], left),
                "y": np.maximum(outline[1], low),
                "mode": "lines",
                "line": {"color": CLASS_COLOURS[name], "width": 1.5, "dash": "dash"},
                "name": f"limits of {name}",
                "hoverinfo": "skip",
            }
        )
    return found


def _changed(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """Of each signature: before, now (classes of the default strategy), changed; None without a baseline of the same dataset."""
    pinned: ClassifiedSignatures | None = scene.baseline
    if pinned is None:
        return None
    now, then = scene.result.classes, pinned.classes
    places = pd.Index(then["row"]).get_indexer(now["row"])
    before = then["default"].cat.codes.to_numpy()[places]
    before = np.where(places >= 0, before, -1)
    return pd.DataFrame(
        {
            "before": pd.Categorical.from_codes(before, categories=then["default"].cat.categories),
            "now": now["default"].array,
            "changed": (before >= 0) & (before != now["default"].cat.codes.to_numpy()),
        },
        index=now.index,
    )


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame:
    """What changes class from the baseline, by class before and now; without a baseline, what there is by class."""
    changed = _changed(scene)
    found: ClassifiedSignatures = scene.result
    if changed is None or not changed["changed"].any():
        counts = {name: n for name, n in found.classes["default"].value_counts(sort=False).items() if n or name != GPU}
        return pd.DataFrame({"class": list(counts), "signatures": list(counts.values())})
    own = changed[changed["changed"]]
    moved = own.groupby(["before", "now"], observed=True).size()
    return moved.rename("signatures").reset_index().sort_values("signatures", ascending=False, ignore_index=True)


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """What the areas are, and how many change class."""
    found: ClassifiedSignatures = scene.result
    limits = found.params
    notes = [
        f"CPU-bound: CPI at most {limits.cpu_cpi:g} and MEM_GBS at most {limits.cpu_gbs:g}. MEMORY-bound: CPI at least {limits.mem_cpi:g} "
        f"and MEM_GBS at least {limits.mem_gbs:g}. Everything else is MIX."
    ]
    if limits.rules != "documentation":
        notes.append(f"EAR {limits.rules} classifies values exactly on a limit as MIX.")
    changed = _changed(scene)
    if changed is None:
        notes.append("Pin this as the baseline, then move a limit: signatures that change class are ringed and counted.")
    else:
        n = int(changed["changed"].sum())
        notes.append(f"{n:,} of {len(changed):,} change class from the baseline.")
    shown = drawable(found.classes["CPI"].to_numpy(), found.classes["MEM_GBS"].to_numpy())
    if shown.sum() > MOST:
        notes.append(f"Shading: the density of {int(shown.sum()):,} points; {MOST:,} are drawn.")
    return " ".join(notes)
