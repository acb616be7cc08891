"""LIKWID's performance groups (`GROUP.txt`): events on counters, and metrics whose formulas stand over the counters' names.

Source: LIKWID wiki, "likwid-perfctr", section on performance groups.
"""

import re
from collections import Counter

from hemcore.datasets.readers.metrics.found import Found
from hemcore.datasets.readers.repairs import Repair
from hemcore.errors import HemError
from hemcore.formulas.tokens import FUNCTIONS, tokens_of, written

# What LIKWID itself measures or knows: seconds, and seconds per cycle at the nominal clock.
_CONSTANTS = ("time", "inverseClock")
_METRIC = re.compile(r"(?P<name>.+?)\s*(?:\[(?P<unit>[^\[\]]*)\])?\s*$")
_SHARES = ("front end", "speculation", "bad speculation", "retiring", "back end")


def is_group(text: str) -> bool:
    """Whether `text` is a performance group."""
    return bool(re.search(r"^SHORT\b", text, re.MULTILINE) and re.search(r"^EVENTSET\b", text, re.MULTILINE) and "METRICS" in text)


def read_group(name: str, text: str, found: Found) -> None:
    """Add the metrics of one group, its name being the file's; a metric that cannot be read is left out and listed."""
    group = re.sub(r".*/|\.txt$", "", name)
    section, short = "", ""
    events: dict[str, str] = {}
    metrics: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if line.startswith("SHORT"):
            short = line[len("SHORT") :].strip()
        elif line in ("EVENTSET", "METRICS", "LONG"):
            section = line
        elif line and section == "EVENTSET":
            counter, _, event = line.partition(" ")
            if event.strip():
                events[counter.partition(":")[0]] = event.strip() + "".join(f":{each}" for each in counter.split(":")[1:])
        elif line and section == "METRICS":
            metrics.append((number, line))
    times = Counter(events.values())
    # One event on several boxes of the uncore: the counter tells them apart, as in LIKWID's output.
    named = {counter: event if times[event] == 1 else f"{event}:{counter}" for counter, event in events.items()}
    for counter, event in named.items():
        held = _counter_of_a_plan(counter)
        if held:
            found.event(event, "", counters=held)
    for number, line in metrics:
        label, _, formula = line.rpartition(" ")
        match = _METRIC.fullmatch(label.strip())
        if match is None or not formula:
            found.repairs.append(Repair(f"{name}, line {number}", line[:60], "left out: a name and a formula without blanks are needed", 1))
            continue
        try:
            resolved = _resolved(formula, named, f"metric {match['name']}")
        except HemError as error:
            found.repairs.append(Repair(f"{name}, line {number}", match["name"][:80], f"metric left out: {str(error)[:300]}", 1))
            continue
        share = short.lower().startswith("top down") and match["name"].lower() in _SHARES and match["unit"] == "%"
        found.metric(
            name,
            match["name"],
            resolved,
            unit=match["unit"] or "",
            level=1 if share else 0,
            group=group,
            description=short,
        )


def _counter_of_a_plan(counter: str) -> str:
    """The only counter that holds the event on `counter`, as a plan calls it; "" if any PMC does. A unit beside the core keeps its name."""
    kind = counter.rstrip("0123456789")
    number = counter[len(kind) :]
    return {"FIXC": f"fixed{number}", "TMA": f"tma{number}", "PMC": ""}.get(kind, counter)


def _resolved(formula: str, events: dict[str, str], what: str) -> str:
    parts = []
    for token in tokens_of(formula, what):
        if token.kind != "name" or token.text.lower() in FUNCTIONS:
            parts.append(token.text)
        elif token.text in _CONSTANTS:
            parts.append(written(token.text, constant=True))
        else:
            parts.append(written(events.get(token.text, token.text)))
    return " ".join(part for part in parts if part)
