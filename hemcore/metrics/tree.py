"""The top-down tree: where the slots of the pipeline go, how sure that is, and the path of the bottleneck.

Source: A. Yasin, A Top-Down method for performance analysis and counters architecture, ISPASS 2014, doi 10.1109/ISPASS.2014.6844459.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from hemcore.datasets.tables.metric_definitions import Metric, MetricDefinitions
from hemcore.errors import TableError
from hemcore.headline import percent
from hemcore.metrics.bootstrap import LEVEL, Bootstrapped, bootstrapped
from hemcore.metrics.identities import identities_frame, identities_of, sides
from hemcore.metrics.table_counts import Measured

COLUMNS = ("metric", "parent", "level", "share", "low", "high", "truth", "passed", "passed_share", "on_path", "to_share", "note")
# Without a threshold of its own, a node of level 1 deserves attention from here on; retiring is what should be high.
_ATTENTION, _WELL = 0.2, 0.7


@dataclass(frozen=True, kw_only=True, eq=False)
class TopDown:
    """A top-down tree.

    nodes: one row per node, parents before children: metric, parent, level, share (of the slots, 0 to 1; deeper nodes: of what their
    definition divides by), low and high (80 % interval), truth (NaN if unknown), passed (past its threshold; NaN if unknown), passed_share
    (in which share of the draws), on_path, to_share (what turns the metric's value into its share), note. path: the bottleneck, from
    level 1 down. sentence: that path as text. identities: whether children sum to their nodes, as check_identities has them.
    """

    nodes: pd.DataFrame
    path: tuple[str, ...]
    sentence: str
    identities: pd.DataFrame

    def node(self, metric: str) -> pd.Series:
        """The row of `metric`, by the names of `nodes`."""
        return _node(self.nodes, metric)


def top_down(
    definitions: MetricDefinitions,
    table: Measured,
    *,
    constants: Mapping[str, float] | None = None,
    anchor: str | None = None,
    draws: int = 400,
    seed: int = 0,
) -> TopDown:
    """The tree of `definitions` (metrics with a level) over whole runs.

    Raises TableError if no metric has a level, and as `bootstrapped` does.
    """
    names = tree_order(definitions)
    if not names:
        raise TableError(
            "metrics: none of these is on a level of a top-down tree. Use definitions with levels: `perf list -j --details` of an Intel"
            " processor, Intel's or Arm's files, or a column `level` (and `parent`) of your own."
        )
    sums = [each for each in identities_of(definitions) if each.name not in definitions.metrics]
    extra = sides(sums)
    found = bootstrapped(definitions, table, constants=constants, metrics=names, anchor=anchor, draws=draws, seed=seed, extra=extra)
    return tree_from(definitions, found, identities_frame(definitions, table, sums, found, constants, seed))


def tree_from(
    definitions: MetricDefinitions, found: Bootstrapped, identities: pd.DataFrame, truth: Mapping[str, float] = MappingProxyType({})
) -> TopDown:
    """The tree from draws that are there, whose metrics include the nodes.

    identities: those of the tree (`check_identities`). truth: the values of metrics where they are known.
    """
    names = [name for name in tree_order(definitions) if name in set(found.names)]
    place = {name: row for row, name in enumerate(found.names)}
    rows = [place[name] for name in names]
    metrics = [definitions.metrics[name] for name in names]
    to_share = np.array([_to_share(metric) for metric in metrics])
    low, high = found.interval()
    nodes = pd.DataFrame(
        {
            "metric": names,
            "parent": [metric.parent if metric.parent in names else "" for metric in metrics],
            "level": [metric.level for metric in metrics],
            "share": found.value[rows] * to_share,
            "low": low[rows] * to_share,
            "high": high[rows] * to_share,
            "truth": np.array([truth.get(name, np.nan) for name in names]) * to_share,
            "passed": found.passed[rows, 0],
            "passed_share": [
                float(np.nanmean(found.passed[row, 1:])) if np.isfinite(found.passed[row, 1:]).any() else np.nan for row in rows
            ],
            "to_share": to_share,
            "note": [" ".join(found.notes.get(name, ())) for name in names],
        }
    )
    path = _path(nodes)
    nodes["on_path"] = nodes["metric"].isin(path)
    return TopDown(nodes=nodes[list(COLUMNS)], path=path, sentence=_sentence(nodes, path), identities=identities)


def tree_order(definitions: MetricDefinitions) -> list[str]:
    """The metrics of the tree, each followed by its children; those whose parent is not in the tree stand on their own level's turn."""
    in_tree = {name: metric for name, metric in definitions.metrics.items() if metric.level}
    children: dict[str, list[str]] = {}
    for name, metric in in_tree.items():
        children.setdefault(metric.parent if metric.parent in in_tree and metric.parent != name else "", []).append(name)
    found: dict[str, None] = {}
    waiting = list(reversed(children.get("", [])))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += reversed(children.get(name, []))
    return list(found)


def _to_share(metric: Metric) -> float:
    """What turns a value into a share of 1: percentages are divided by 100."""
    return metric.scale / 100 if metric.unit == "%" else 1.0


def _node(nodes: pd.DataFrame, metric: str) -> pd.Series:
    return nodes[nodes["metric"] == metric].iloc[0]


def _path(nodes: pd.DataFrame) -> tuple[str, ...]:
    """From level 1 down, the largest node that is past its threshold; of level 1 without thresholds, the largest that should be low."""
    path: list[str] = []
    parent = ""
    while True:
        level = nodes[(nodes["parent"] == parent) & nodes["share"].notna()]
        if not path:
            level = level[level["level"] == 1]
        retiring = level["metric"].str.lower().str.contains("retiring")
        assumed = np.where(retiring, level["share"] > _WELL, level["share"] > _ATTENTION)
        passed = np.where(level["passed"].isna(), assumed & (not path), level["passed"] == 1)
        level = level[passed.astype(bool)]
        # A retiring that is not high is past its threshold only for what lies below it; what is lost comes first.
        lost = level[~level["metric"].str.lower().str.contains("retiring")] if not path else level
        level = lost if len(lost) else level
        if not len(level):
            return tuple(path)
        parent = str(level["metric"].iloc[int(level["share"].to_numpy().argmax())])
        path.append(parent)


def _sentence(nodes: pd.DataFrame, path: tuple[str, ...]) -> str:
    if not path:
        if not nodes.loc[nodes["level"] == 1, "share"].notna().any():
            return "The tree has no value on level 1: events are missing."
        return "No node of level 1 is past its threshold: there is no bottleneck to name."
    first = _node(nodes, path[0])
    extent = f"{percent(float(first['share']))} ({percent(float(first['low']))} to {percent(float(first['high']))})"
    below = " > ".join(path[1:])
    if not below:
        return f"{path[0]} takes {extent}."
    sure = percent(float(_node(nodes, path[-1])["passed_share"]))
    return f"{path[0]} takes {extent}, mostly {below} (past its threshold in {sure} of the draws)."


__all__ = ["LEVEL", "TopDown", "top_down", "tree_from", "tree_order"]
