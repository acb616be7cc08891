"""Events as tools list them: `likwid-perfctr -e`, `papi_native_avail`, PAPI's `papi_decode` and `perf list -j`.

Sources: LIKWID, src/applications/likwid-perfctr.lua; PAPI, src/utils/papi_native_avail.c and papi_decode.c; perf, builtin-list.c.
"""

import csv
import json
import re

from hemcore.datasets.importing.other_forms.listed_events import ListedEvents

_LIKWID = re.compile(r"^Event tags \(tag, id, umask, counters", re.MULTILINE)
_LIKWID_EVENT = re.compile(r"^[ \t]*(\w+), *0x[0-9A-Fa-f]+, *0x[0-9A-Fa-f]+, *[A-Z]\S*", re.MULTILINE)
_NATIVE = re.compile(r"^[ \t]*(?:Available native events|=* *Native Events in Component)", re.MULTILINE)
_NATIVE_EVENT = re.compile(r"^\| {1,3}([^\s:|][^\s|]*) *\|? *$", re.MULTILINE)  # descriptions and masks stand further in
_DECODED = re.compile(r"name,derived,postfix,")
_EVENT_NAME, _NO_LIST = '"EventName"', ('"MetricName"', '"MetricExpr"', '"Counter"')


def listed_by_tool(text: str) -> ListedEvents | None:
    """The names of the events in what one of these tools prints, each once; None for any other text, and for one without an event.

    A list of perf's that has metrics, or counters of its events, is none of these.
    """
    if _LIKWID.search(text) is not None:
        names = _LIKWID_EVENT.findall(text)
    elif _NATIVE.search(text) is not None:
        names = _NATIVE_EVENT.findall(text)
    elif _DECODED.match(text) is not None:
        names = [row[0].strip() for row in csv.reader(text.splitlines()[1:]) if row]
    elif text.lstrip()[:1] == "[" and _EVENT_NAME in text and not any(word in text for word in _NO_LIST):
        names = _of_perf(text)
    else:
        return None
    once = dict.fromkeys(name for name in names if name)
    return ListedEvents(["hem"], ["hem"], [[name] for name in once]) if once else None


def _of_perf(text: str) -> list[str]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [each["EventName"] for each in entries if isinstance(each, dict) and isinstance(each.get("EventName"), str)]
