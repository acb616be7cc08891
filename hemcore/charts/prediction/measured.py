"""Predicted against measured values: whole programs with their intervals, and every phase."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import MUTED, SERIES, TEXT
from hemcore.charts.look import figure, log_axis, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.point_groups import in_front, lean
from hemcore.charts.prediction.view import uirevision, view_of
from hemcore.headline import amount, counted_noun, percent
from hemcore.prediction.evaluate.prediction_intervals import SHUFFLED, Intervals, left_out_intervals
from hemcore.prediction.headline import interval_verdict

_MOST = 3_000
_HELD, _MISSED = SERIES[0], SERIES[3]


def draw(scene: Scene) -> list[go.Figure]:
    """Whole programs, and phases; none before the intervals are available."""
    found: Intervals | None = scene.more
    return [] if found is None else [_programs(scene, found), _phases(scene, found)]


def meanwhile(scene: Scene) -> Intervals:
    """The evaluation's own predictions with their errors as intervals: shown until those of the chosen model are computed."""
    return left_out_intervals(scene.result, scene.question.params)


def looked_at(scene: Scene, found: Intervals) -> str:
    """The selected program: as chosen, otherwise the one with the largest error of its total."""
    chosen = view_of(scene).unseen
    return chosen if chosen in set(found.programs["program"]) else farthest_off(found)


def farthest_off(found: Intervals) -> str:
    """The program with the largest error of its total."""
    off = (found.programs["predicted"] / found.programs["measured"] - 1).abs()
    return str(found.programs["program"].iloc[int(off.to_numpy().argmax())])


def ends(scene: Scene) -> str:
    """The suffix of the intervals' columns, such as "80"."""
    return view_of(scene).promised.partition(" ")[0]


def _programs(scene: Scene, found: Intervals) -> go.Figure:
    level, rows = ends(scene), found.programs
    traces: list[dict[str, object]] = []
    kinds = [
        ("inside the interval", rows[f"covered_{level}"] & ~rows["far"], _HELD, "circle"),
        ("inside, but far from the others", rows[f"covered_{level}"] & rows["far"], _HELD, "diamond-open"),
        ("outside the interval", ~rows[f"covered_{level}"] & ~rows["far"], _MISSED, "circle"),
        ("outside, and far from the others", ~rows[f"covered_{level}"] & rows["far"], _MISSED, "diamond-open"),
    ]
    for name, own, colour, symbol in kinds:
        part = rows[own]
        if not len(part):
            continue
        predicted = part["predicted"].to_numpy(dtype=float)
        traces.append(
            {
                "type": "scatter", "mode": "markers", "name": name, "x": part["measured"].to_numpy(dtype=float), "y": predicted,
                "marker": {"color": colour, "symbol": symbol, "size": 9, "line": {"width": 2, "color": colour}},
                "error_y": {
                    "type": "data", "symmetric": False, "color": colour, "thickness": 1.2, "width": 3,
                    "array": part[f"high_{level}"].to_numpy(dtype=float) - predicted,
                    "arrayminus": predicted - part[f"low_{level}"].to_numpy(dtype=float),
                },
                "customdata": np.array([str(each) for each in part["program"]], dtype=object)[:, None],
                "text": [
                    f"{plain(str(each['program']))}<br>measured {amount(each['measured'], 4)}, predicted {amount(each['predicted'], 4)}"
                    f"<br>distance to the others {each['distance']:.2f}"
                    for each in part.to_dict("records")
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )  # fmt: skip
    both = np.concatenate([rows["measured"].to_numpy(dtype=float), rows["predicted"].to_numpy(dtype=float)])
    traces.insert(0, _diagonal(both))
    unit = short(scene.result.target, 22)
    return figure(
        traces,
        title="Do the intervals contain unseen programs?",
        subtitle=f"one dot per program, by {found.model}; {level}% intervals, {found.way}",
        height=400,
        legend=True,
        uirevision=uirevision(scene, "wholes", found.model),
        xaxis={"title": f"measured {unit} of the program"} | log_axis(rows["measured"].to_numpy(dtype=float)),
        yaxis={"title": f"predicted {unit}"} | log_axis(np.concatenate([both, *(rows[f"{end}_{level}"] for end in ("low", "high"))])),
    )


def _phases(scene: Scene, found: Intervals) -> go.Figure:
    program, level = looked_at(scene, found), ends(scene)
    rows = found.phases
    own = (rows["program"] == program).to_numpy()
    x, y = rows["measured"].to_numpy(dtype=float), rows["predicted"].to_numpy(dtype=float)
    codes, names = pd.factorize(rows["program"])
    places = in_front((x > 0) & (y > 0) & ~own, most=_MOST)
    mine = in_front(own & (x > 0), most=1_000)
    part = rows.iloc[mine]
    high = part[f"high_{level}"].to_numpy(dtype=float) - y[mine]
    traces: list[dict[str, object]] = [
        {
            "type": "scattergl", "mode": "markers", "name": "phases of the other programs", "x": lean(x[places]), "y": lean(y[places]),
            "marker": {"color": MUTED, "size": 4, "opacity": 0.45}, "customdata": codes[places].astype(np.int16)[:, None],
            "hovertemplate": "measured %{x:,.5~r}, predicted %{y:,.5~r}<extra></extra>",
        },
        _diagonal(np.concatenate([x, y])),
        {
            "type": "scatter", "mode": "markers", "name": short(program), "x": lean(x[mine]), "y": lean(y[mine]),
            "marker": {"color": SERIES[1], "size": 6},
            "error_y": {
                "type": "data", "symmetric": False, "color": SERIES[1], "thickness": 0.7, "width": 0,
                "array": lean(high), "arrayminus": lean(y[mine] - part[f"low_{level}"].to_numpy(dtype=float)),
            },
            "customdata": codes[mine].astype(np.int16)[:, None], "text": [f"phase {each:,}" for each in part["phase"]],
            "hovertemplate": f"{plain(program)}, %{{text}}<br>measured %{{x:,.5~r}}, predicted %{{y:,.5~r}}<extra></extra>",
        },
    ]  # fmt: skip
    unit = short(scene.result.target, 22)
    return figure(
        traces,
        title="How accurate are single phases?",
        subtitle=f"{counted_noun(len(rows), 'phase')} of {counted_noun(len(names), 'program')}, none trained on its own",
        height=400,
        legend=True,
        uirevision=uirevision(scene, "phases", found.model),
        xaxis={"title": f"measured {unit} of the phase"} | log_axis(x),
        yaxis={"title": f"predicted {unit}"} | log_axis(np.concatenate([x, y])),
    )


def _diagonal(values: np.ndarray) -> dict[str, object]:
    known = values[np.isfinite(values) & (values > 0)]
    low, high = (float(known.min()) * 0.9, float(known.max()) * 1.1) if len(known) else (0.1, 1.0)
    return {
        "type": "scatter", "mode": "lines", "name": "predicted = measured", "x": [low, high], "y": [low, high], "hoverinfo": "skip",
        "line": {"color": TEXT, "width": 1, "dash": "dot"},
    }  # fmt: skip


def table(scene: Scene) -> pd.DataFrame | None:
    """Every program with its interval."""
    found: Intervals | None = scene.more
    if found is None:
        return None
    level = ends(scene)
    shown = found.programs[["program", "measured", "predicted", f"low_{level}", f"high_{level}", f"covered_{level}", "distance", "far"]]
    return shown.rename(columns={f"low_{level}": "low", f"high_{level}": "high", f"covered_{level}": "in the interval"})


def caption(scene: Scene) -> str:
    """The coverage of the intervals, and that of intervals from shuffled rows."""
    found: Intervals | None = scene.more
    if found is None:
        return ""
    promised = int(ends(scene)) / 100
    shuffled = found.coverage[(found.coverage["way"] == SHUFFLED) & (found.coverage["promised"] == promised)]
    parts = [interval_verdict(found).text, *found.notes]
    if len(shuffled):
        covered = percent(float(shuffled["phases_covered"].iloc[0]))
        parts.append(f"{percent(promised)} intervals from shuffled rows would contain {covered} of a new program's phases.")
    if len(found.phases) > _MOST:
        parts.append(f"About {_MOST:,} of {len(found.phases):,} phases are shown.")
    return " ".join(parts)
