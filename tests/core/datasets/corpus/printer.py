"""Prints readings as the versions of perf do, after tools/perf/util/stat-display.c and builtin-stat.c; it knows nothing of readers."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What perf prints on one row. value: a number, or the words for one that was not counted."""

    event: str
    value: float | str
    unit: str = ""
    run: int = 1_000_000
    per_cent: float = 100.0
    time: float | None = None
    place: str = ""
    cpus: int | None = None
    cgroup: str | None = None
    spread: float | None = None
    metric: tuple[str, str] | None = None


def number(value: float | str, *, whole: bool, decimal: str, grouping: str = "", digits: int = 2) -> str:
    if isinstance(value, str):
        return value
    printed = f"{value:,.0f}" if whole else f"{value:,.{digits}f}"
    return printed.replace(",", "\0").replace(".", decimal).replace("\0", grouping)


def csv_row(reading: Reading, separator: str, *, decimal: str = ".", threshold: str = "", metric: bool = True) -> str:
    """A row of `perf stat -x`."""
    cells = []
    if reading.place:
        cells += [reading.place, *([str(reading.cpus)] if reading.cpus is not None else [])]
    cells += [number(reading.value, whole=not reading.unit, decimal=decimal), reading.unit, reading.event]
    if reading.cgroup is not None:
        cells.append(reading.cgroup)
    if reading.spread is not None:
        cells.append(f"{reading.spread:.2f}%".replace(".", decimal))
    cells += [str(reading.run), f"{reading.per_cent:.2f}".replace(".", decimal)]
    if metric:
        value, unit = reading.metric or ("", "")
        cells += [value.replace(".", decimal), unit]
    if threshold:
        cells.append(threshold)
    stamp = "" if reading.time is None else f"{int(reading.time):6}.{round(reading.time % 1 * 1e9):09}{separator}"
    return stamp + separator.join(cells)


def csv_text(readings: list[Reading], separator: str, **how: str | bool) -> str:
    return "".join(csv_row(reading, separator, **how) + "\n" for reading in readings)  # type: ignore[arg-type]


def json_row(reading: Reading, style: str) -> str:
    """A line of `perf stat -j`. style: "6.1" (a comma before the end), "6.4", "6.12" (numbers of CPUs as counters, metrics as texts)."""
    parts = []
    if reading.time is not None:
        parts.append(f'"interval" : {reading.time:.9f}')
    if reading.place:
        key = "cpu" if reading.place.isdigit() else "thread" if "-" in reading.place and reading.place[0] != "S" else "socket"
        parts.append(f'"{key}" : "{reading.place}"')
        if reading.cpus is not None:
            parts.append(f'"{"counters" if style == "6.12" else "aggregate-number"}" : {reading.cpus}')
    value = reading.value if isinstance(reading.value, str) else f"{reading.value:f}"
    parts += [f'"counter-value" : "{value}"', f'"unit" : "{reading.unit}"', f'"event" : "{reading.event}"']
    if reading.cgroup is not None:
        parts.append(f'"cgroup" : "{reading.cgroup}"')
    if reading.spread is not None:
        parts.append(f'"variance" : {reading.spread:.2f}')
    parts += [f'"event-runtime" : {reading.run}', f'"pcnt-running" : {reading.per_cent:.2f}']
    if reading.metric is not None:
        value = f'"{reading.metric[0]}"' if style == "6.12" else reading.metric[0]
        parts += [f'"metric-value" : {value}', f'"metric-unit" : "{reading.metric[1]}"']
    return "{" + ", ".join(parts) + (", }" if style == "6.1" else "}")


def text_row(reading: Reading, style: str, *, decimal: str = ".", grouping: str = ",") -> str:
    """A row for people. style: "3" (no unit, six decimals, event of 25 columns), "4" (unit, 25), "6" (unit, 32)."""
    value = number(reading.value, whole=not reading.unit, decimal=decimal, grouping=grouping, digits=6 if style == "3" else 2)
    stamp = "" if reading.time is None else f"{reading.time:16.9f} "
    place = f"{reading.place:<6} " if reading.place else ""
    if reading.cpus is not None:
        place += f"{reading.cpus:4} "
    unit = "" if style == "3" else f"{reading.unit:<4} "
    name = f"{reading.event:<{25 if style != '6' else 32}}"
    cgroup = f" {reading.cgroup:<16}" if reading.cgroup is not None else ""
    metric = f" # {reading.metric[0]:>8} {reading.metric[1]:<24}" if reading.metric is not None else ""
    spread = f"  ( +-{reading.spread:6.2f}% )" if reading.spread is not None else ""
    brackets = "[]" if style == "3" else "()"
    counted = not isinstance(reading.value, str)
    share = f" {brackets[0]}{reading.per_cent:.2f}%{brackets[1]}" if counted and reading.per_cent < 100 else ""
    return f"{stamp}{place}{value:>18} {unit}{name}{cgroup}{metric}{spread}{share}"


def text_block(readings: list[Reading], style: str, **how: str) -> str:
    rows = "".join(text_row(reading, style, **how) + "\n" for reading in readings)
    return f"\n Performance counter stats for './qsort 10':\n\n{rows}\n       1.002003004  seconds time elapsed\n\n"


def text_intervals(readings: list[Reading], style: str, **how: str) -> str:
    heading = "#           time             counts events\n" if style == "3" else "#           time             counts unit events\n"
    return heading + "".join(text_row(reading, style, **how) + "\n" for reading in readings)


def at(readings: list[Reading], **changed: object) -> list[Reading]:
    """The readings with these fields changed in each."""
    return [replace(reading, **changed) for reading in readings]  # type: ignore[arg-type]
