"""The metric and event files of Intel (intel/perfmon, `*_metrics.json`, `*_core.json`) and Arm (telemetry-solution, `*.json`).

Intel's formulas stand over aliases of one letter, which are resolved to the names of events and constants here.
Sources: https://github.com/intel/perfmon; https://gitlab.arm.com/telemetry-solution/telemetry-solution.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from hemcore.datasets.readers.metrics.found import Found
from hemcore.datasets.readers.repairs import Repair
from hemcore.errors import HemError
from hemcore.formulas.tokens import FUNCTIONS, tokens_of, written

_INDEX = re.compile(r"(?<=[\w\"])\[\s*\w+\s*\]")
_LEVEL = re.compile(r"(?:Topdown|Tma)_?L(\d)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
_REGISTER = re.compile(r"msr0x[0-9a-f]{1,8}")
_MOST_ROWS = 100_000


def is_intel_metrics(content: object) -> bool:
    """Whether parsed JSON is Intel's file of metrics."""
    rows = content.get("Metrics") if isinstance(content, Mapping) else None
    return isinstance(rows, list) and any(isinstance(each, Mapping) and "Formula" in each for each in rows[:50])


def is_intel_events(content: object) -> bool:
    """Whether parsed JSON is Intel's file of events: newer ones are an object with "Events", older ones a list."""
    rows = content.get("Events") if isinstance(content, Mapping) else content
    return isinstance(rows, list) and any(isinstance(each, Mapping) and "EventName" in each and "Counter" in each for each in rows[:50])


def is_arm(content: object) -> bool:
    """Whether parsed JSON is a file of Arm's telemetry solution."""
    return isinstance(content, Mapping) and isinstance(content.get("metrics"), Mapping) and isinstance(content.get("events"), Mapping)


def read_intel_metrics(name: str, content: Mapping[str, object], found: Found) -> None:
    """Add Intel's metrics: names are MetricName, formulas over the events' and constants' own names."""
    rows = _rows(content["Metrics"])
    by_label = {str(row[key]): str(row.get("MetricName")) for row in rows for key in ("LegacyName", "MetricName") if row.get(key)}
    parents = {str(row.get("ParentCategory")) for row in rows if row.get("ParentCategory")}
    for row in rows:
        metric = str(row.get("MetricName") or "")
        try:
            formula = _resolved(row, str(row.get("Formula") or ""), metric)
            threshold = _threshold(row.get("Threshold"), by_label, metric)
        except HemError as error:
            found.repairs.append(Repair(name, metric[:80], f"metric left out: {str(error)[:300]}", 1))
            continue
        group, above = str(row.get("MetricGroup") or ""), str(row.get("ParentCategory") or "")
        levels = [int(match[1]) for each in group.split(";") if (match := _LEVEL.fullmatch(each.strip()))]
        # "Level": 1 is also what no part of the tree has.
        in_tree = bool(above) or metric in parents or (bool(levels) and not metric.startswith(("Info_", "Bottleneck_")))
        found.metric(
            name,
            metric,
            formula,
            unit={"percent": "%"}.get(str(row.get("UnitOfMeasure") or ""), str(row.get("UnitOfMeasure") or "")),
            level=_whole(row.get("Level")) or (levels[0] if levels else 1) if in_tree else 0,
            parent=above,
            group=group,
            threshold=threshold,
            description=str(row.get("BriefDescription") or ""),
        )


def read_intel_events(content: object, found: Found) -> None:
    """Add what Intel's events mean, and the counters that may count them ("0 1 2 3", "fixed1").

    Those that are "TakenAlone" set up a register of the core (MSR 0x3F6 or 0x3F7) for what they count: one of a register at a time.
    """
    for row in _rows(content["Events"] if isinstance(content, Mapping) else content):
        if row.get("EventName"):
            text = str(row.get("PublicDescription") or row.get("BriefDescription") or "")
            counters, without_smt = (_counters(str(row.get(key) or "")) for key in ("Counter", "CounterHTOff"))
            alone = f"msr{row.get('MSRIndex') or ''}".lower() if str(row.get("TakenAlone")) == "1" else ""
            found.event(
                str(row["EventName"]),
                text,
                counters=counters,
                counters_smt_off=without_smt if without_smt != counters else "",
                alone=alone if _REGISTER.fullmatch(alone) else "alone" if alone else "",
            )


def read_arm(name: str, content: Mapping[str, object], found: Found) -> None:
    """Add Arm's metrics and events; the roots of the top-down decision tree are its level 1."""
    roots = _inside(content, "methodologies", "topdown_methodology", "decision_tree").get("root_nodes")
    of_metric: dict[str, list[str]] = {}
    groups = _inside(content, "groups", "metrics")
    for group in groups:
        members = _inside(groups, group).get("metrics")
        for metric in members if isinstance(members, list) else ():
            of_metric.setdefault(str(metric), []).append(str(group))
    product = _inside(content, "product_configuration")
    # PMUv3 counts cycles in a register of its own, PMCCNTR (Arm Architecture Reference Manual, DDI 0487, "Performance Monitors").
    own = {"CPU_CYCLES": "cycle"} if str(product.get("pmu_architecture", "")).lower().startswith("pmu_v3") else {}
    for event, entry in _inside(content, "events").items():
        if isinstance(entry, Mapping):
            found.event(str(event), str(entry.get("description") or entry.get("title") or ""), counters=own.get(str(event), ""))
    for metric, entry in _inside(content, "metrics").items():
        if isinstance(entry, Mapping):
            unit = str(entry.get("units") or "")
            found.metric(
                name,
                str(metric),
                str(entry.get("formula") or ""),
                unit="%" if unit.startswith("percent") else unit,
                level=1 if isinstance(roots, list) and metric in roots else 0,
                group=";".join(of_metric.get(str(metric), [])),
                description=str(entry.get("description") or entry.get("title") or ""),
            )
    if isinstance(slots := product.get("num_slots"), int):
        found.constant("slots", float(slots), f"{name}: num_slots")


def _inside(content: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """The object under these names, one in the other; empty where there is none."""
    for name in names:
        within = content.get(name)
        content = within if isinstance(within, Mapping) else {}
    return content


def _whole(value: object) -> int:
    return value if isinstance(value, int) else int(str(value)) if str(value).isdecimal() and len(str(value)) < 3 else 0


def _rows(rows: object) -> Sequence[Mapping[str, object]]:
    return [each for each in rows[:_MOST_ROWS] if isinstance(each, Mapping)] if isinstance(rows, list) else []


def _resolved(row: Mapping[str, object], formula: str, metric: str) -> str:
    """The formula over names. A constant whose name is a number is that number; what no list declares is a constant."""
    events = {str(each.get("Alias")): str(each.get("Name")) for each in _rows(row.get("Events"))}
    constants = {str(each.get("Alias")): str(each.get("Name")) for each in _rows(row.get("Constants"))}

    def name(alias: str) -> str:
        if alias in events:
            return written(events[alias])
        constant = constants.get(alias, alias)
        return constant if _NUMBER.fullmatch(constant) else written(constant, constant=True)

    return _rewritten(_INDEX.sub("", formula), name, f"metric {metric}")


def _threshold(given: object, by_label: Mapping[str, str], metric: str) -> str:
    """The threshold over the names of metrics; "" if there is none. Labels such as `metric_TMA_..Memory_Bound(%)` name metrics."""
    if not isinstance(given, Mapping) or not given.get("Formula"):
        return ""
    aliases = {str(each.get("Alias")): str(each.get("Value")) for each in _rows(given.get("ThresholdMetrics"))}
    labels = {alias: by_label.get(label, re.sub(r"^metric_(?:TMA_)?\.*|\(%\)$", "", label)) for alias, label in aliases.items()}
    return _rewritten(str(given["Formula"]), lambda alias: written(str(labels.get(alias, alias))), f"threshold of {metric}")


def _rewritten(formula: str, name: Callable[[str], str], what: str) -> str:
    parts = []
    for token in tokens_of(formula, what[:120]):
        if token.kind == "constant":
            parts.append(written(token.text, constant=True))
        else:
            named = token.kind == "name" and token.text.lower() not in FUNCTIONS
            parts.append(name(token.text) if named else token.text)
    return " ".join(part for part in parts if part)


def _counters(text: str) -> str:
    """ "0,1,2,3" -> "0 1 2 3"; "Fixed counter 1" -> "fixed1"; "" for what is neither."""
    fixed = re.search(r"fixed\s*(?:counter)?\s*(\d+)", text, re.IGNORECASE)
    if fixed:
        return f"fixed{fixed[1]}"
    numbers = re.findall(r"\d+", text)
    return " ".join(numbers)
