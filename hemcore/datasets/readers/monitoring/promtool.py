"""What `promtool query range` prints: `x{instance="n1:9100", cpu="0"} =>`, and a line `1 @[1763895600.781]` for each value.

Source: Prometheus, cmd/promtool/query.go (promqlPrinter), model.SampleStream.String.
"""

import re

from hemcore.datasets.readers import decoding

_PRINTED = re.compile(r"(?:([A-Za-z_:][\w:]*) ?)?(?:\{(.*)\} )?=>\s*")
_POINT = re.compile(r"(\S+) @\[(\d+(?:\.\d+)?)\]\s*")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def is_printed(text: str) -> bool:
    """Whether a text begins as what promtool prints: a metric, and the first of its values."""
    first, second = (*text.lstrip().split("\n", 2), "")[:2]
    return _PRINTED.fullmatch(first.rstrip()) is not None and _POINT.fullmatch(second.rstrip()) is not None


def results_of(text: str) -> list[object]:
    """The results of what promtool prints. A line that is none of them is no point, which reading tells of."""
    found: list[object] = []
    values: list[object] = []
    for line in filter(None, map(str.rstrip, decoding.lines_of(text))):
        if (metric := _PRINTED.fullmatch(line)) is not None:
            name = {"__name__": metric[1]} if metric[1] else {}
            values = []
            found.append({"metric": {**name, **dict(_LABEL.findall(metric[2] or ""))}, "values": values})
        else:
            point = _POINT.fullmatch(line)
            values.append([point[2], point[1]] if point is not None else line)
    return found
