"""What policies cost in time and save in energy, and who used what."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import CLASS_COLOURS, MUTED, QUIET, RULE, SERIES, TEXT
from hemcore.charts.look import figure, plain, short
from hemcore.charts.picture import Scene
from hemcore.charts.signatures.view import uirevision, view_of
from hemcore.errors import UnknownNameError
from hemcore.headline import amount, percent
from hemcore.signatures.headline_usage import policy_verdict
from hemcore.signatures.results import ClassifiedSignatures, PolicyReport

_BARS, _WORDS, _POINTS = 20, 12, 2_000
_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "star", "x", "pentagon")


def compared(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """Time against energy of each policy at each frequency, both against the reference run of the same application."""
    found: PolicyReport | None = scene.more
    if found is None or not len(found.policies):
        return []
    rows = found.policies[found.policies["energy_change"].notna() & found.policies["time_change"].notna()]
    if not len(rows):
        return []
    policies = sorted(set(rows["policy"]))
    traces = []
    for number, policy in enumerate(policies):
        own = rows[rows["policy"] == policy].iloc[:_POINTS]
        words = [f"{amount(khz / 1e6)} GHz" if np.isfinite(khz) else "" for khz in own["def_freq_khz"]]
        limits = [f"<br>may lose {percent(limit)}" if np.isfinite(limit) else "" for limit in own["threshold"]]
        traces.append(
            {
                "type": "scatter",
                "x": own["time_change"].to_numpy(),
                "y": own["energy_change"].to_numpy(),
                "mode": "markers+text" if len(rows) <= _WORDS else "markers",
                "name": plain(str(policy)[:40]),
                "marker": {"size": 11, "color": SERIES[number % len(SERIES)], "symbol": _SYMBOLS[number % len(_SYMBOLS)]},
                "text": words,
                "textposition": "top center",
                "textfont": {"size": 11, "color": QUIET},
                "customdata": [
                    f"{plain(str(application)[:40])} at {word}{limit}"
                    for application, word, limit in zip(own["application"], words, limits, strict=True)
                ],
                "hovertemplate": f"{plain(str(policy)[:40])}: %{{customdata}}<br>time %{{x:+.1%}}, energy %{{y:+.1%}}<extra></extra>",
            }
        )
    axis = {"tickformat": "~%", "zeroline": True, "zerolinecolor": RULE}
    return [
        figure(
            traces,
            title="What does each policy save, and what does it cost?",
            subtitle="against the reference run of the same application; lower is less energy, further left is faster",
            height=400,
            legend=True,
            uirevision=uirevision(scene, "policies", found.params.reference_policy),
            xaxis=axis | {"title": "change in time from the reference"},
            yaxis=axis | {"title": "change in energy from the reference"},
        )
    ]


def policies_table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """The policies, the reference runs first."""
    found: PolicyReport | None = scene.more
    if found is None or not len(found.policies):
        return None
    rows = found.policies.sort_values(["application", "reference"], ascending=[True, False], kind="stable")
    rows = rows.drop(columns=[name for name in rows.columns if rows[name].isna().all()])
    return rows.iloc[:1_000].reset_index(drop=True)


def policies_caption(scene: Scene[ClassifiedSignatures]) -> str:
    """The verdict, and the columns of the table."""
    found: PolicyReport | None = scene.more
    if found is None:
        return ""
    verdict = policy_verdict(found)
    return (
        f"{verdict.text} threshold: the share of time that min_energy may lose; edp: energy times time; "
        "Over its threshold: more was lost than allowed. SLURM's batch steps are left out."
    )


def used(scene: Scene[ClassifiedSignatures]) -> list[go.Figure]:
    """Energy by class, user, account or application."""
    found: PolicyReport | None = scene.more
    if found is None:
        return []
    rows = _by(scene, found)
    known = rows[rows["energy_kwh"].notna()]
    value, unit = ("energy_kwh", "energy, kWh") if len(known) else ("node_hours", "node-hours")
    rows = rows[rows[value].notna()].iloc[:_BARS]
    if not len(rows):
        return []
    by = view_of(scene).by
    names = [str(each) for each in rows["group"]]
    most = float(rows[value].max()) or 1.0
    digits = max(0, 3 - math.floor(math.log10(most)))  # four significant ones of the largest, and as many decimals of all
    colours = [CLASS_COLOURS.get(name, MUTED) if by == "class" else SERIES[0] for name in names]
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": rows[value].to_numpy(),
        "y": list(range(len(names))),
        "marker": {"color": colours},
        "text": [f"{each:,.{digits}f}" for each in rows[value]],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"size": 11, "color": TEXT},
        "customdata": [plain(f"{name[:60]}: {amount(each, 4)}") for name, each in zip(names, rows["node_hours"], strict=True)],
        "hovertemplate": f"%{{customdata}} node-hours<br>%{{x:,.4~r}} {unit.rpartition(' ')[2]}<extra></extra>",
    }
    return [
        figure(
            [trace],
            title=f"Where did the {'energy' if len(known) else 'time'} go, by {by}?",
            subtitle=f"the {len(names)} largest" if len(names) == _BARS else "",
            height=90 + 24 * len(names),
            uirevision=uirevision(scene, "usage", by),
            xaxis={"title": unit, "range": [0, most * 1.15]},
            yaxis={
                "tickvals": list(range(len(names))),
                "ticktext": [short(name) for name in names],
                "range": [len(names) - 0.5, -0.5],
                "showgrid": False,
            },
        )
    ]


def _by(scene: Scene[ClassifiedSignatures], found: PolicyReport) -> pd.DataFrame:
    by, known = view_of(scene).by, list(dict.fromkeys(found.usage["by"]))
    if by not in known:
        raise UnknownNameError(f"Use by: {by[:40]!r} is not known here; there are {', '.join(known)}.")
    return found.usage[found.usage["by"] == by]


def used_table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame | None:
    """Node-hours and energy by what was chosen."""
    found: PolicyReport | None = scene.more
    return None if found is None else _by(scene, found).drop(columns="by").iloc[:1_000].reset_index(drop=True)


def used_caption(scene: Scene[ClassifiedSignatures]) -> str:
    """The definition of energy and mean power."""
    if scene.more is None:
        return ""
    return (
        "Energy: node power times the time of each signature; mean power: over the hours with a power reading. "
        "A row is of one node; SLURM's batch steps are left out."
    )
