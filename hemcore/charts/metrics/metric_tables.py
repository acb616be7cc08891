"""Tables of metrics, as pages and reports show them: all of them, and what is missing."""

import pandas as pd

from hemcore.charts.metrics.view import listed, view_of
from hemcore.charts.picture import Scene
from hemcore.headline import counted_noun, formatted
from hemcore.metrics.known_truth import truth_sentence
from hemcore.metrics.results import MetricRows, MetricsReport

_PASSED = {1.0: "yes", 0.0: "no"}


def all_table(scene: Scene[MetricsReport]) -> pd.DataFrame:
    """Every metric of the view in its unit, with the baseline's value where one is pinned."""
    rows = listed(scene.result.rows, view_of(scene))
    shown = rows[["metric"]].copy()
    for name in ("value", "low", "high", *(("truth",) if scene.result.truth else ())):
        shown[name] = _texts(rows[name] * rows["scale"])
    shown["unit"] = rows["unit"]
    if scene.baseline is not None:
        before = scene.baseline.rows.set_index("metric")
        shown["baseline"] = _texts(shown["metric"].map(before["value"] * before["scale"]))
    shown["past its threshold"] = rows["passed"].map(_PASSED).fillna("")
    shown["formula"], shown["with numbers"] = rows["formula"], [scene.result.worked.get(name, "") for name in rows["metric"]]
    shown["group"], shown["description"], shown["note"] = (rows[n] for n in ("group", "description", "note"))
    return shown.reset_index(drop=True)


def all_caption(scene: Scene[MetricsReport]) -> str:
    """How many are known, and how many are listed."""
    rows, shown = scene.result.rows, listed(scene.result.rows, view_of(scene))
    text = f"{counted_noun(int(rows['value'].notna().sum()), 'metric')} with a value of {len(rows):,}; low and high: the 80% interval."
    text = f"{text} {truth_sentence(rows, scene.result.truth_runs)}".strip()
    return text if len(shown) == len(rows) else f"{len(shown):,} of {len(rows):,} are listed. {text}"


def row_table(scene: Scene[MetricRows]) -> pd.DataFrame:
    """Every metric of the view over the rows of the table: median and the middle 80 %, in its unit."""
    found = scene.result
    about = listed(found.about, view_of(scene))
    shown = about[["metric"]].copy()
    for name, quantile in (("median", "median"), ("10% below", "low"), ("90% below", "high")):
        shown[name] = _texts(about[quantile] * about["scale"])
    shown["unit"], shown["rows with a value"] = about["unit"], about["known"]
    shown["needs"] = [", ".join(found.needs.get(name, ())) for name in about["metric"]]
    shown["group"], shown["formula"], shown["description"] = (about[n] for n in ("group", "formula", "description"))
    return shown.reset_index(drop=True)


def row_caption(scene: Scene[MetricRows]) -> str:
    """Over what, and how many are listed."""
    about = listed(scene.result.about, view_of(scene))
    of_all, rows = counted_noun(len(scene.result.about), "metric"), counted_noun(len(scene.result.rows), "row")
    return f"{len(about):,} of {of_all} are listed, over {rows}."


def lacking_table(scene: Scene[MetricsReport] | Scene[MetricRows]) -> pd.DataFrame:
    """What each metric without a value lacks."""
    needs = scene.result.needs
    return pd.DataFrame({"metric": list(needs), "needs": [", ".join(each) for each in needs.values()]})


def lacking_caption(scene: Scene[MetricsReport] | Scene[MetricRows]) -> str:
    """How many events and constants are missing."""
    lacking = sorted({each for needs in scene.result.needs.values() for each in needs})
    events = sum(not each.startswith("#") for each in lacking)
    said = f"{counted_noun(events, 'event')} and {counted_noun(len(lacking) - events, 'constant')}"
    return f"Missing: {said}. # marks a constant, which can be given under Constants."


def sums_table(scene: Scene[MetricsReport]) -> pd.DataFrame:
    """The identities."""
    shown: pd.DataFrame = scene.result.identities
    return shown.assign(holds=shown["holds"].map(_PASSED).fillna("unknown"))


def _texts(values: pd.Series) -> list[str]:
    """As text, since one column holds ratios and millions; "" for no value."""
    return [formatted(value, ".4g") if value == value else "" for value in values.tolist()]
