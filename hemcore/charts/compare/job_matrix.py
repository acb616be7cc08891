"""Which jobs changed? A matrix from each class before to each after, beside the change of a job's energy per application."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hemcore.charts.colours import NOTHING, SERIES, TEXT, faint
from hemcore.charts.compare.forest import change_traces, in_words, signed
from hemcore.charts.look import figure, label_width, plain, short_names
from hemcore.charts.picture import Scene
from hemcore.compare.matched_jobs import JobChanges
from hemcore.compare.results import Comparison
from hemcore.headline import amount, counted_noun, percent

MOST_ROWS = 25


def jobs_in(scene: Scene[Comparison]) -> JobChanges:
    """The jobs at the level and rate of the page."""
    found: JobChanges = scene.more
    return found.at(scene.result.params)


def job_figures(scene: Scene[Comparison]) -> list[go.Figure]:
    """The matrix of classes, if any job has one on both sides; the energies, if any is known."""
    found = jobs_in(scene)
    shared = f"{scene.question.dataset}|{scene.result.params.before}|jobs"
    figures = [_matrix(found.flows, shared)] if found.flows["pairs"].sum() else []
    rows = _energies(found.table)
    return [*figures, _energy(rows.head(MOST_ROWS), scene, shared)] if len(rows) else figures


def _matrix(flows: pd.DataFrame, shared: str) -> go.Figure:
    names = [str(each) for each in dict.fromkeys(flows["class_before"])]
    n = len(names)
    pairs, chance = flows["pairs"].to_numpy(dtype=int), flows["by_chance"].to_numpy(dtype=float)
    down, across = np.divmod(np.arange(n * n), n)
    other = down != across
    hovers = [
        f"{names[i]} → {names[j]}: {counted_noun(int(count), 'job')}<br>{amount(expected)} if nothing had changed"
        for i, j, count, expected in zip(down, across, pairs, chance, strict=True)
    ]
    strongest = max(float(pairs.max()), 1.0)
    traces: list[dict[str, object]] = [
        {
            "type": "heatmap",
            "z": pairs.reshape(n, n).astype(float),
            "x": np.arange(n),
            "y": np.arange(n),
            "zmin": 0,
            "zmax": strongest,
            "colorscale": [(0.0, faint(SERIES[0], 0.03)), (1.0, faint(SERIES[0], 0.4))],
            "showscale": False,
            "xgap": 2,
            "ygap": 2,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "x": across,
            "y": down,
            "mode": "markers+text",
            "marker": {"symbol": "square", "size": 56, "color": NOTHING},
            "text": [f"{count:,}<br>({amount(expected, 2)})" for count, expected in zip(pairs.tolist(), chance.tolist(), strict=True)],
            "textfont": {"size": 12, "color": TEXT},
            "customdata": hovers,
            "hovertemplate": "%{customdata}<extra></extra>",
            "showlegend": False,
        },
    ]
    axis = {"tickvals": list(range(n)), "ticktext": names, "showgrid": False, "showline": False, "ticks": ""}
    return figure(
        traces,
        title="Did jobs change their class?",
        subtitle=f"{int(pairs[other].sum()):,} of {int(pairs.sum()):,} pairs of jobs differ; in brackets: by chance alone",
        height=330,
        uirevision=f"{shared}|classes",
        xaxis=axis | {"title": "class after", "range": [-0.5, n - 0.5]},
        yaxis=axis | {"title": "class before", "range": [n - 0.5, -0.5]},
    )


def _energies(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with a known change of energy, as the forest draws them: those surely changed first, each by size."""
    rows = table[table["energy_change"].notna()].rename(columns={"energy_change": "change", "energy_changed": "changed"})
    order = np.lexsort((-rows["change"].abs().to_numpy(dtype=float), ~rows["changed"].to_numpy(dtype=bool)))
    return rows.iloc[order].reset_index(drop=True)


def _energy(rows: pd.DataFrame, scene: Scene[Comparison], shared: str) -> go.Figure:
    names = short_names(rows["application"].astype(str).tolist(), 26)
    hovers = [
        f"<b>{plain(str(row['application']))}</b>: {in_words(row)}"
        f"<br>{_joules(row['energy_before'])} → {_joules(row['energy_after'])} per job"
        for _, row in rows.iterrows()
    ]
    return figure(
        change_traces(rows, hovers),
        title="Does a job take more energy?",
        subtitle=f"after against before, with the {percent(scene.result.params.level)} interval",
        height=64 + max(18, min(30, 300 // len(rows))) * len(rows),
        uirevision=f"{shared}|energy",
        legend=True,
        sides=(label_width(names, 11) + 16, 70),
        xaxis={"title": f"change of the {scene.result.params.statistic} energy of a job, %", "tickformat": "~%", "zeroline": True},
        yaxis={"tickvals": np.arange(len(rows)), "ticktext": names, "range": [len(rows) - 0.4, -0.6], "showgrid": False},
    )


def _joules(energy: float) -> str:
    """In J, kJ, MJ or more."""
    if not np.isfinite(energy):
        return ""
    power = int(np.clip(np.floor(np.log10(max(abs(energy), 1)) / 3), 0, 4))
    return f"{amount(energy / 1000.0**power)} {('J', 'kJ', 'MJ', 'GJ', 'TJ')[power]}"


def job_caption(scene: Scene[Comparison]) -> str:
    """How many applications changed, and what is not in the pictures."""
    found = jobs_in(scene)
    table = found.table
    parts = []
    for column, noun in (("class_changed", "classes"), ("energy_changed", "energy per job")):
        changed = table.loc[table[column].astype(bool), "application"].astype(str).tolist()
        shown = f": {', '.join(plain(each) for each in changed[:3])}{' and others' if len(changed) > 3 else ''}" if changed else ""
        parts.append(f"The {noun} surely changed in {len(changed):,} of {counted_noun(len(table), 'application')}{shown}.")
    if table["energy_change"].notna().sum() > MOST_ROWS:
        parts.append(f"The {MOST_ROWS} largest changes of energy are drawn.")
    left = int(found.unmatched["jobs"].sum())
    if left:
        parts.append(f"{counted_noun(left, 'job')} without a partner: in the table.")
    parts.append(found.classes_by)
    return " ".join(parts)


def job_table(scene: Scene[Comparison]) -> pd.DataFrame:
    """A row per application that both sets have; below, the jobs without a partner and why."""
    found = jobs_in(scene)
    rows = found.table
    sure = {name: np.where(rows[name].astype(bool), "yes", "no") for name in ("class_changed", "energy_changed")}
    shown = pd.DataFrame(
        {
            "application": rows["application"].astype(str),
            "user": [counted_noun(int(each), "user") for each in rows["users"]] if "user" in found.named_by else "",
            "jobs before": rows["jobs_before"].astype(str),
            "jobs after": rows["jobs_after"].astype(str),
            "class": [_from_to(*each) for each in zip(rows["class_before"], rows["class_after"], strict=True)],
            "of another class": [
                f"{moved:,} of {pairs:,}" if pairs else "" for moved, pairs in zip(rows["moved"], rows["pairs"], strict=True)
            ],
            "by chance": [amount(float(each)) if pairs else "" for each, pairs in zip(rows["by_chance"], rows["pairs"], strict=True)],
            "class surely changed": np.where(rows["class_probability"].notna(), sure["class_changed"], ""),
            "energy before": [_joules(float(each)) for each in rows["energy_before"]],
            "energy after": [_joules(float(each)) for each in rows["energy_after"]],
            "energy": [signed(float(each)) for each in rows["energy_change"]],
            "interval": [_ends(float(low), float(high)) for low, high in zip(rows["low"], rows["high"], strict=True)],
            "energy surely changed": np.where(rows["energy_change"].notna(), sure["energy_changed"], ""),
            "not matched because": "",
        }
    )
    rest = found.unmatched
    alone = pd.DataFrame(
        {
            "application": rest["application"].astype(str),
            "user": rest["user"].astype(str),
            "jobs before": np.where(rest["side"] == "before", rest["jobs"].astype(str), ""),
            "jobs after": np.where(rest["side"] == "after", rest["jobs"].astype(str), ""),
            "not matched because": rest["reason"].astype(str),
        }
    )
    return pd.concat([shown, alone], ignore_index=True).fillna("")


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before or 'none'} → {after or 'none'}"


def _ends(low: float, high: float) -> str:
    return f"{signed(low)} to {signed(high)}" if np.isfinite(low) and np.isfinite(high) else ""
