"""Tables of metrics, as pages and reports show them: all of them, and what is missing."""

import pandas as pd

from hemcore.charts.metrics.view import listed, view_of
from hemcore.charts.picture import Scene
from hemcore.headline import counted_noun, formatted
from hemcore.metrics.known_constants import Constants
from hemcore.metrics.known_truth import truth_sentence
from hemcore.metrics.results import MetricRows, MetricsReport

_ROUNDING = 1e-9  # of the larger side: a difference of it is of the arithmetic
_ALWAYS = ("metric", "value", "low", "high", "median", "formula")
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
    shown["formula"], shown["with numbers"] = _formulas(rows["formula"]), [scene.result.worked.get(name, "") for name in rows["metric"]]
    shown["group"], shown["description"], shown["note"] = (rows[n] for n in ("group", "description", "note"))
    return _told(shown)


def all_caption(scene: Scene[MetricsReport]) -> str:
    """How many are known, and how many are listed."""
    rows, shown = scene.result.rows, listed(scene.result.rows, view_of(scene))
    text = f"{int(rows['value'].notna().sum()):,} of {counted_noun(len(rows), 'metric')} have a value; low and high: the 80% interval."
    text = f"{text} {truth_sentence(rows, scene.result.truth_runs, scene.result.runs)}".strip()
    return text if len(shown) == len(rows) else f"{len(shown):,} of {len(rows):,} are listed. {text}"


def row_table(scene: Scene[MetricRows]) -> pd.DataFrame:
    """Every metric of the view over the rows of the table: median and the middle 80 %, in its unit."""
    found = scene.result
    about = listed(found.about, view_of(scene))
    shown = about[["metric"]].copy()
    for name, quantile in (("median", "median"), ("10% below", "low"), ("90% below", "high")):
        shown[name] = _texts(about[quantile] * about["scale"])
    shown["unit"], shown["rows with a value"] = about["unit"], about["known"]
    shown["formula"] = _formulas(about["formula"])
    shown["needs"] = [", ".join(found.needs.get(name, ())) for name in about["metric"]]
    shown["group"], shown["description"] = about["group"], about["description"]
    return _told(shown)


def _formulas(formulas: pd.Series) -> pd.Series:
    """Formulas to be read, without perf's escapes: "branch-misses / branches" for "branch\\-misses / branches"."""
    return formulas.str.replace("\\", "", regex=False)


def row_caption(scene: Scene[MetricRows]) -> str:
    """Over what, and how many are listed."""
    about = listed(scene.result.about, view_of(scene))
    of_all, rows = counted_noun(len(scene.result.about), "metric"), counted_noun(len(scene.result.rows), "row")
    return f"{len(about):,} of {of_all} are listed, over {rows}."


def lacking_table(scene: Scene[MetricsReport] | Scene[MetricRows]) -> pd.DataFrame:
    """What each metric without a value lacks; of constants also what they mean."""
    needs = scene.result.needs
    shown = pd.DataFrame({"metric": list(needs), "needs": [", ".join(each) for each in needs.values()]})
    meanings = ["; ".join(filter(None, map(_meaning, lacks))) for lacks in needs.values()]
    return shown.assign(meaning=meanings) if any(meanings) else shown


def _meaning(name: str) -> str:
    """What a constant ("#name") means; "" for an event, and where no more is known than its name."""
    constant = name.removeprefix("#")
    title, unit = Constants.label(constant)
    return "" if constant == name or title == constant else f"{title}, {unit}" if unit else title


def lacking_caption(scene: Scene[MetricsReport] | Scene[MetricRows]) -> str:
    """How many events and constants are missing."""
    lacking = sorted({each for needs in scene.result.needs.values() for each in needs})
    events = sum(not each.startswith("#") for each in lacking)
    missing = [(events, "event"), (len(lacking) - events, "constant")]
    text = f"Missing: {' and '.join(counted_noun(n, what) for n, what in missing if n)}."
    return f"{text} # marks a constant, which can be given under Constants." if len(lacking) > events else text


def sums_table(scene: Scene[MetricsReport]) -> pd.DataFrame:
    """The identities."""
    shown: pd.DataFrame = scene.result.identities
    near = _ROUNDING * shown[["left", "right"]].abs().max(axis=1)
    apart = {name: shown[name].where(~(shown[name].abs() <= near), 0.0) for name in ("difference", "low", "high")}
    shown = shown.assign(**apart)
    shown = shown.assign(**{name: _texts(shown[name]) for name in ("left", "right", "difference", "low", "high")})
    return shown.assign(holds=shown["holds"].map(_PASSED).fillna("unknown"))


def _told(shown: pd.DataFrame) -> pd.DataFrame:
    """Without the columns of text in which no row has any."""
    empty = [name for name in shown.columns if name not in _ALWAYS and (shown[name] == "").all()]
    return shown.drop(columns=empty).reset_index(drop=True)


def _texts(values: pd.Series) -> list[str]:
    """As text, since one column holds ratios and millions; "" for no value."""
    return [formatted(value, ".4g") if value == value else "" for value in values.tolist()]
