"""What `promtool query range` prints: `x{instance="n1:9100", cpu="0"} =>`, and a line `1 @[1763895600.781]` for each value; and what
`promtool tsdb dump-openmetrics` prints: `x_total{instance="n1:9100"} 1 1763895600.781`, a line for each value.

Sources: Prometheus, cmd/promtool/query.go (promqlPrinter), model.SampleStream.String; OpenMetrics 1.0, "Text format".
"""

import re

from hemcore.datasets.readers import decoding

_PRINTED = re.compile(r"(?:([A-Za-z_:][\w:]*) ?)?(?:\{(.*)\} )?=>\s*")
_POINT = re.compile(r"(\S+) @\[(\d+(?:\.\d+)?)\]\s*")
_SAMPLE = re.compile(r"([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+) (\d{9,}(?:\.\d+)?)\s*")
_MILLISECONDS = 1e11  # of OpenMetrics times are in seconds, of Prometheus' own text in milliseconds
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def is_printed(text: str) -> bool:
    """Whether a text begins as what promtool prints: a metric, and the first of its values with its time."""
    if text.startswith("# "):
        return next((_SAMPLE.fullmatch(line) is not None for line in decoding.lines_of(text) if line[:1] not in ("#", "")), False)
    first, second = (*text.lstrip().split("\n", 2), "")[:2]
    return _PRINTED.fullmatch(first.rstrip()) is not None and _POINT.fullmatch(second.rstrip()) is not None


def results_of(text: str) -> list[object]:
    """The results of what promtool prints. A line that is none of them is no point, which reading tells of."""
    found: list[object] = []
    values: list[object] = []
    if text.startswith("# "):
        return _samples(text)
    for line in filter(None, map(str.rstrip, decoding.lines_of(text))):
        if (metric := _PRINTED.fullmatch(line)) is not None:
            name = {"__name__": metric[1]} if metric[1] else {}
            values = []
            found.append({"metric": {**name, **dict(_LABEL.findall(metric[2] or ""))}, "values": values})
        else:
            point = _POINT.fullmatch(line)
            values.append([point[2], point[1]] if point is not None else line)
    return found


def _samples(text: str) -> list[object]:
    series: dict[tuple[str, str], list[object]] = {}
    for line in filter(None, map(str.rstrip, decoding.lines_of(text))):
        if (point := _SAMPLE.fullmatch(line)) is not None:
            time = float(point[4])
            series.setdefault((point[1], point[2] or ""), []).append([time / 1e3 if time > _MILLISECONDS else time, point[3]])
        elif not line.startswith("#"):
            series.setdefault(("", ""), []).append(line)
    return [{"metric": {"__name__": name, **dict(_LABEL.findall(labels))}, "values": values} for (name, labels), values in series.items()]
