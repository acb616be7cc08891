"""The roofline: each signature below the machine's roofs, and the classes of the rule."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hemcore.charts.colours import BASELINE, BESIDE_CLASSES, CLASS_COLOURS, MUTED, NOTHING, QUIET, TEXT, faint
from hemcore.charts.look import figure, plain
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import MOST, in_front, ringed, scatter
from hemcore.charts.series import area
from hemcore.charts.signatures.points import density, drawable, ends, groups, identified, log_axis
from hemcore.charts.signatures.view import SignatureView, uirevision, view_of
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import UnknownNameError
from hemcore.headline import amount
from hemcore.signatures import PEAKS, Peaks
from hemcore.signatures.class_rules import CPU, GPU, MEMORY, MIX
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.regions import RooflineLimits, roofline_limits
from hemcore.signatures.results import ClassifiedSignatures
from hemcore.signatures.signature_rows import BADGES

ROWS = 1_000
# The ridge point over the left end from which a word fits left of the middle on a phone; else it is nearer to the ridge point.
_WIDE = 1_000
X_TITLE, Y_TITLE = "operational intensity, FLOP/byte", "GFLOPS"
_HOVER = "%{x:,.3~r} FLOP/byte, %{y:,.4~r} GFLOPS<br>%{customdata[1]:.1%} of its roof at that intensity<br>CPI %{customdata[2]:.3~f}"


def draw(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """The roofline of the scene."""
    found: ClassifiedSignatures = scene.result
    view, where = view_of(scene), found.roofline
    x, y, share = (where[name].to_numpy() for name in ("intensity", "GFLOPS", "share"))
    shown = drawable(x, y)
    selected = chosen(found, view)
    others = {name: _peaks(name) for name in view.roofs}
    pinned = scene.baseline.params if scene.baseline is not None else None
    every = [found.params.peaks, *others.values(), *([pinned.peaks] if pinned is not None else [])]
    across, up = axes(x[shown], y[shown], *every)
    many = int(shown.sum()) > MOST
    places = in_front(shown, selected if many else None)
    more = [found.classes["row"].to_numpy(), share, found.classes["CPI"].to_numpy()]
    traces = [density(x[shown], y[shown], across, up)] if many else []
    traces += regions(found.params, across, up, shaded=_by_rule(found, view))
    points = scatter(x, y, groups(scene.table, found.classes, view.colour), places, hover=_HOVER, more=more)
    traces += [each | {"name": "GPU (the rule is not for it)"} if each["name"] == GPU else each for each in points]
    if selected is not None and not many:
        traces.append(ringed(x, y, np.flatnonzero(selected & shown), "selected"))
    for number, (name, peaks) in enumerate(others.items()):
        traces.append(_roof(peaks, across, BESIDE_CLASSES[number % len(BESIDE_CLASSES)], "dash", name))
    if pinned is not None and pinned.peaks != found.params.peaks:
        traces.append(_roof(pinned.peaks, across, BASELINE, "dot", "baseline's roofs"))
    traces += roofs(found.params, across)
    peaks, machine = found.params.peaks, found.params.machine
    subtitle = (
        f"{len(found.classes):,} of {found.seen.rows:,} {found.seen.name}; "
        f"{f'assumed: {machine}' if found.params.assumed else machine}, {amount(peaks.gbs, 6)} GB/s and {amount(peaks.gflops, 6)} GFLOPS"
    )
    if scene.baseline_words and pinned is not None:
        subtitle += f"; baseline: {scene.baseline_words}"
    return [
        figure(
            traces,
            title="What limits each signature, memory or arithmetic?",
            subtitle=subtitle,
            height=470,
            legend=True,
            uirevision=uirevision(scene, *view.roofs),
            xaxis=log_axis(X_TITLE, across),
            yaxis=log_axis(Y_TITLE, up),
            dragmode=view.drag,
            # The box goes once it has been told: the rings say what is selected, also after another choice.
            selectionrevision=f"{view.box}{view.row}",
        )
    ]


def _by_rule(found: ClassifiedSignatures, view: SignatureView) -> bool:
    """Whether the colors of the points are the rule's classes, those of the areas."""
    return view.colour == "class" and found.strategy.name == "roofline"


def axes(x: NDArray[np.float64], y: NDArray[np.float64], *every: Peaks) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where both axes go, so that there is room on both sides of each ridge point."""
    ridges, peaks = [each.ridge for each in every], [each.gflops for each in every]
    return ends(x, min(ridges) / 50, max(ridges) * 6), ends(y, min(peaks) / 500, max(peaks) * 1.6)


def chosen(found: ClassifiedSignatures, view: SignatureView) -> NDArray[np.bool_] | None:
    """Of each row of `classes`, whether it was selected; None where nothing was."""
    if len(view.box) == 4:
        where = found.roofline
        x, y = where["intensity"].to_numpy(), where["GFLOPS"].to_numpy()
        left, right, low, high = view.box
        return (x >= left) & (x <= right) & (y >= low) & (y <= high)
    if view.row is not None:
        return found.classes["row"].to_numpy() == view.row
    return None


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame:
    """The selected rows; where none are selected, how far below the roof each class is."""
    found: ClassifiedSignatures = scene.result
    selected = chosen(found, view_of(scene))
    if selected is None:
        return _by_class(found)
    where = found.roofline
    rows = found.classes[selected].iloc[:ROWS]
    why = f"why {found.strategy.name}"
    place = where.loc[rows.index, ["intensity", "share"]].rename(columns={"share": "share of its roof"})
    reason = rows[[why]] if why in rows.columns else rows[[]]
    badges = [name for name in BADGES if rows[name].any()]
    return pd.concat([identified(rows), rows[["class"]], place, rows[[*METRICS, *found.strategies, *badges]], reason], axis=1)


def _by_class(found: ClassifiedSignatures) -> pd.DataFrame:
    where = found.roofline.assign(**{"class": found.classes["class"], "CPI": found.classes["CPI"], "MEM_GBS": found.classes["MEM_GBS"]})
    grouped = where.groupby("class", observed=True)
    medians = grouped[["share", "intensity", "GFLOPS", "MEM_GBS", "CPI"]].median()
    medians = medians.rename(columns={name: f"{name} (median)" for name in medians.columns})
    medians = medians.rename(columns={"share (median)": "share of its roof"})
    return medians.assign(**{"largest share": grouped["share"].max()}).assign(signatures=grouped.size()).reset_index()


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """What is drawn of how many, and what the numbers mean."""
    found: ClassifiedSignatures = scene.result
    where, view = found.roofline, view_of(scene)
    x, y = where["intensity"].to_numpy(), where["GFLOPS"].to_numpy()
    shown = drawable(x, y)
    n, lost = int(shown.sum()), int((~shown).sum())
    colours = found.strategy.name if view.colour == "class" else view.colour
    same = _by_rule(found, view)
    notes = ["Areas and points: the classes by the roofline rule." if same else f"Dotted: the roofline rule's areas. Points: by {colours}."]
    selected = chosen(found, view)
    if selected is not None:
        rows = int(selected.sum())
        first = f"; the first {ROWS:,} are listed" if rows > ROWS else ""
        notes.append(f"Selected: {rows:,} {found.seen.noun if rows == 1 else found.seen.noun + 's'}{first}.")
    if n > MOST:
        notes.append(f"{n:,} points: shading shows their density (darker is denser), {len(in_front(shown, selected)):,} are drawn.")
    if lost:
        notes.append(f"{lost:,} without memory traffic or floating point operations cannot be drawn on logarithmic axes.")
    across, up = axes(x[shown], y[shown], found.params.peaks)
    outside = int(((x < across[0]) | (x > across[1]) | (y < up[0]) | (y > up[1]))[shown].sum())
    if outside:
        notes.append(f"{outside:,} lie outside the axes; drag an axis to see them.")
    limits = roofline_limits(found.params)
    if found.params.rules != "documentation" and limits.memory_gbs > found.params.peaks.gbs:
        notes.append(
            f"EAR {found.params.rules} compares bandwidth per CPU with the node's peak: {amount(limits.memory_gbs, 5)} GB/s would be "
            "required, so every signature left of the ridge point is MIX."
        )
    return " ".join(notes)


def roofs(params: SignatureParams, across: tuple[float, float]) -> list[dict[str, object]]:
    """The roofs that count, and the ridge point with its intensity."""
    peaks = params.peaks
    ridge = {
        "type": "scatter",
        "x": [peaks.ridge],
        "y": [peaks.gflops],
        "mode": "markers+text",
        "marker": {"color": TEXT, "size": 9, "symbol": "diamond"},
        "text": [f"ridge point {amount(peaks.ridge, 4)} FLOP/byte"],
        "textposition": "top left",
        "textfont": {"size": 11, "color": TEXT},
        "cliponaxis": False,  # in a low picture its text is higher than the plot
        "hovertemplate": f"ridge point: {amount(peaks.ridge, 4)} FLOP/byte<br>{plain(peaks.source)}<extra></extra>",
        "showlegend": False,
    }
    return [_roof(peaks, across, TEXT, "solid", "assumed roofs" if params.assumed else "roofs"), ridge]


def _roof(peaks: Peaks, across: tuple[float, float], colour: str, dash: str, name: str) -> dict[str, object]:
    left, right = min(across[0], peaks.ridge), max(across[1], peaks.ridge)
    return {
        "type": "scatter",
        "x": [left, peaks.ridge, right],
        "y": [left * peaks.gbs, peaks.gflops, peaks.gflops],
        "mode": "lines",
        "name": plain(name),
        "line": {"color": colour, "dash": dash, "width": 2},
        "hovertemplate": f"{plain(name)}: {amount(peaks.gbs, 6)} GB/s, {amount(peaks.gflops, 6)} GFLOPS"
        f"<br>{plain(peaks.source)}<extra></extra>",
    }


def regions(
    params: SignatureParams, across: tuple[float, float], up: tuple[float, float], *, shaded: bool = True
) -> list[dict[str, object]]:
    """The rule's class in each area under the roofs, by name; in its color if shaded, otherwise outlined."""
    limits, peaks, (left, right), low = roofline_limits(params), params.peaks, across, up[0]
    ridge = limits.ridge
    found = []

    def under(x: list[float], y: list[float], name: str) -> None:
        part = area(np.array(x), np.maximum(np.array(y), low), faint(CLASS_COLOURS[name], 0.10) if shaded else NOTHING, "")
        found.append(part if shaded else part | {"line": {"width": 1, "dash": "dot", "color": MUTED}})

    # A release's line may lie above the roof: nothing is there.
    memory = min(limits.memory_gbs, peaks.gbs)
    cpu = min(max(limits.cpu_gflops, low), peaks.gflops)
    under([ridge, ridge, right, right, ridge], [cpu, peaks.gflops, peaks.gflops, cpu, cpu], CPU)
    if limits.cpu_gflops > low:
        under([ridge, ridge, right, right, ridge], [low, cpu, cpu, low, low], MIX)
    start = max(left, low / memory)
    if memory < peaks.gbs:
        top = max(left, low / peaks.gbs)
        x = [top, ridge, ridge, start, top]
        under(x, [top * peaks.gbs, peaks.gflops, ridge * memory, start * memory, low if start > top else top * memory], MEMORY)
    under([start, ridge, ridge, start], [start * memory, ridge * memory, low, low], MIX)
    return [*found, *_words(limits, peaks, across, low, memory)]


def _words(limits: RooflineLimits, peaks: Peaks, across: tuple[float, float], low: float, memory: float) -> list[dict[str, object]]:
    """The rule's names in their areas; that of the strip under the memory roof stands over it, where no points are, with a line to it."""
    left, right = across
    found: list[dict[str, object]] = []
    at = [
        ((limits.ridge * right) ** 0.5, max(low * 2, peaks.gflops * 1e-3), CPU),
        ((left * limits.ridge) ** 0.5 * 2, max(low * 2, (left * limits.ridge) ** 0.5 * memory / 60), MIX),
    ]
    if memory < peaks.gbs:
        x = (left * limits.ridge) ** 0.5 / 2 if limits.ridge / left > _WIDE else limits.ridge / 2.5
        y = max(low * 2, x * peaks.gbs * 1.3)
        at.append((x, y, MEMORY))
        found.append(
            {
                "type": "scatter",
                "x": [x * 1.05, y / (peaks.gbs * memory) ** 0.5],
                "y": [y, y],
                "mode": "lines+markers",
                "marker": {"size": [0, 5], "color": QUIET},
                "line": {"width": 1, "color": QUIET},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
    words = {
        "type": "scatter",
        "x": [x for x, _, _ in at],
        "y": [y for _, y, _ in at],
        "mode": "text",
        "text": [f"rule: {name}" for _, _, name in at],
        "textposition": ["middle left" if name == MEMORY else "middle center" for _, _, name in at],
        "textfont": {"size": 11, "color": QUIET},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [*found, words]


def _peaks(name: str) -> Peaks:
    if name not in PEAKS:
        raise UnknownNameError(f"Further roofs: {name[:60]!r} is not known; they are {', '.join(PEAKS)}.")
    return PEAKS[name]


def path_traces(params: SignatureParams, across: tuple[float, float], up: tuple[float, float]) -> list[dict[str, object]]:
    """Regions and roofs without points, for what is laid over them."""
    return [*regions(params, across, up), *roofs(params, across)]
