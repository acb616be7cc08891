"""What `perf list -j --details` (perf 6.2 and later) and `perf list --details` (text) print of metrics and events.

A metric is listed once for each of its groups. `tma_L1_group` holds a level of the top-down tree, `NAME_group` the children of NAME.
Source: linux, tools/perf/builtin-list.c.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from hemcore.datasets.readers.metrics.found import REMEDY, Found
from hemcore.errors import ReadError

_LEVEL = re.compile(r"(?:tma_L|Topdown_?L)(\d)(?:_group)?", re.IGNORECASE)
# Older lists put slots and instructions in the groups of levels too.
_IN_TREE = re.compile(r"tma_(?!info|bottleneck).*|.*(?:bound|speculation|retiring)", re.IGNORECASE)
_SCALE = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", re.DOTALL)
_GROUP_HEADING = re.compile(r"^(\S[^\[\]]*?):(?:\s*\[.*)?$")
_NAME = re.compile(r"^ {1,3}(\S+)\s*$")
_EVENT = re.compile(r"^ {1,3}([^\s\[]\S*(?: OR \S+)*)(?:\s+\[[^\]]*\])?\s*$")
_METRIC_SECTION = re.compile(r"^(?:Metrics|Metric Groups):\s*$")


def read_json(name: str, content: str, found: Found) -> None:
    """Add the metrics and events of `perf list -j`. Raises ReadError if it is no list of objects."""
    try:
        entries = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{name}: not valid JSON ({str(error)[:80]}). Save the whole output of `perf list -j --details`.") from None
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise ReadError(f"{name}: a list of objects is needed. {REMEDY}")
    groups: dict[str, list[str]] = {}
    first: dict[str, Mapping[str, object]] = {}
    for entry in entries:
        if "MetricName" in entry:
            metric = str(entry["MetricName"])
            first.setdefault(metric, entry)
            groups.setdefault(metric, []).extend(_split(str(entry.get("MetricGroup", ""))))
        elif entry.get("EventName"):
            text = str(entry.get("BriefDescription") or entry.get("PublicDescription") or "")
            for spelling in (str(entry["EventName"]), str(entry.get("EventAlias") or "")):
                if spelling and text:
                    found.event(spelling, text)
    for metric, entry in first.items():
        if not entry.get("MetricExpr"):
            raise ReadError(f"{name}: metric {metric[:60]!r} has no MetricExpr. Add --details: `perf list -j --details`.")
        add(
            found,
            name,
            metric,
            str(entry["MetricExpr"]),
            groups[metric],
            threshold=str(entry.get("MetricThreshold") or ""),
            description=str(entry.get("PublicDescription") or entry.get("BriefDescription") or ""),
            scale_unit=str(entry.get("ScaleUnit") or ""),
        )


def has_formulas(content: bytes) -> bool:
    """Whether a metric of `perf list` has more than its description under it."""
    return any(len(notes) > 1 for _, _, notes in _metric_blocks(content.decode(errors="replace").split("\n")))


def read_text(name: str, content: str, found: Found) -> None:
    """Add the metrics of `perf list --details`, and the events with what they mean. Raises ReadError if formulas are missing."""
    groups: dict[str, list[str]] = {}
    rows: dict[str, list[str]] = {}
    for group, metric, notes in _metric_blocks(content.split("\n")):
        if len(notes) >= 2:
            rows.setdefault(metric, notes)
            groups.setdefault(metric, []).extend([group] if group else [])
        elif metric not in rows:
            rows[metric] = notes
    without = [metric for metric, notes in rows.items() if len(notes) < 2]
    if rows and len(without) == len(rows):
        raise ReadError(f"{name}: its {len(rows):,} metrics have no formulas. Add --details: `perf list --details`.")
    for metric in without:
        del rows[metric]
    for metric, notes in rows.items():
        description, formula = notes[0], notes[1]
        threshold = notes[2] if len(notes) > 2 else ""
        add(found, name, metric, formula, groups.get(metric, []), threshold=threshold, description=description)


def add(
    found: Found,
    where: str,
    metric: str,
    formula: str,
    groups: Iterable[str],
    *,
    threshold: str = "",
    description: str = "",
    scale_unit: str = "",
) -> None:
    """Add a metric of perf's with its place in the tree, which its groups state."""
    named = tuple(dict.fromkeys(groups))
    level = next((int(match[1]) for each in named if (match := _LEVEL.fullmatch(each))), 0)
    # `tma_backend_bound_group` holds the children of tma_backend_bound; `tma_L2_group` is a level.
    above = [each.removesuffix("_group") for each in named if each.endswith("_group") and not _LEVEL.fullmatch(each)]
    if not _IN_TREE.fullmatch(metric):
        level, above = 0, []
    match = _SCALE.fullmatch(scale_unit)
    scale, unit = (float(match[1]), match[2].strip()) if match else (1.0, "")
    found.metric(
        where,
        metric,
        formula.strip(),
        unit=unit,
        scale=scale,
        level=level,
        parent=above[0] if above and level > 1 else "",
        group=";".join(named),
        threshold=threshold.strip(),
        description=description,
    )


def _split(groups: str) -> list[str]:
    return [each.strip() for each in groups.split(";") if each.strip()]


def _metric_blocks(lines: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """(group, metric, what stands under it in brackets) of the sections of metrics; long texts go on over several lines."""
    inside, group, metric = False, "", ""
    notes: list[str] = []
    open_note: list[str] = []
    for line in [*lines, ""]:
        if open_note:
            open_note.append(line.strip())
            if line.rstrip().endswith("]"):
                notes.append(_without_brackets(" ".join(open_note)))
                open_note = []
            elif len(open_note) > 500:
                return
            continue
        if not inside:
            inside = _METRIC_SECTION.match(line) is not None
            continue
        if line.startswith("    ") and line.strip().startswith("["):
            if line.rstrip().endswith("]"):
                notes.append(_without_brackets(line.strip()))
            else:
                open_note = [line.strip()]
            continue
        named = _NAME.match(line)
        if metric and (named or not line.startswith("    ")):
            yield group, metric, notes
            metric, notes = "", []
        if named:
            metric = named[1]
        elif (heading := _GROUP_HEADING.match(line)) is not None and not _METRIC_SECTION.match(line):
            group = heading[1]
    if metric:
        yield group, metric, notes


def _without_brackets(text: str) -> str:
    return text.strip()[1:-1].strip()


def event_descriptions(content: str) -> Iterator[tuple[str, str]]:
    """(event, what it counts) of the events that `perf list` describes, before the metrics."""
    event = ""
    for line in content.split("\n"):
        if _METRIC_SECTION.match(line):
            return
        stripped = line.strip()
        if event and line.startswith("     ") and stripped.startswith("["):
            yield event, stripped.strip("[]").strip()
            event = ""
        else:
            match = _EVENT.match(line)
            event = match[1].partition(" OR ")[0] if match else ""
