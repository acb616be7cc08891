"""In which unit the readings of an event are, by its name: the one place that says whether they are counts.

Names as tools write them: "Power [W]", "power_w", "PCK_POWER_W" (EAR), "node_hwmon_temp_celsius" and "rapl_joules_total" (Prometheus's
base units), "PkgTmp" (turbostat, in °C), "Tctl" (AMD), "power/energy-pkg/" (perf, in J).
"""

import re
from functools import lru_cache

from hemcore.events.hardware_tree import is_intensive, is_momentary

COUNTS, UNKNOWN = "counts", "value"
# Labels of Prometheus behind a name.
_LABELS = re.compile(r"(?: [\w.]+=\S*)+$")
# A unit that the name shows as it is: "Power(W)", "Clock [MHz]", "%usr", "PkgWatt", "Bzy_MHz", "rx kB/s".
_SHOWN = re.compile(r"[)\]]$|^%|%$|[kMG]Hz$|Watts?$|RPM$|/s(?:ec)?$")
_IN_NAME = re.compile(r"[(\[]([^()\[\]]+)[)\]]$|^(%)|(%|[kMG]Hz|Watts?|RPM|[^\s_]+/s(?:ec)?)$")
_OF_PERF = {"task-clock": "msec", "cpu-clock": "msec", "duration_time": "ns", "user_time": "ns", "system_time": "ns"}
# Units written out at the end of a name.
_WORDS = {
    word: unit
    for unit, words in (
        ("W", "watt watts"),
        ("mW", "milliwatt milliwatts"),
        ("J", "joule joules"),
        ("V", "volts"),
        ("mV", "millivolts"),
        ("A", "ampere amperes amps"),
        ("mA", "milliamperes milliamps"),
        ("°C", "celsius degc"),
        ("Hz", "hertz"),
        ("MHz", "mhz megahertz"),
        ("GHz", "ghz"),
        ("kHz", "khz"),
        ("s", "seconds"),
        ("ms", "milliseconds"),
        ("B", "bytes"),
        ("%", "percent pct"),
        ("rpm", "rpm"),
    )
    for word in words.split()
}
# Short units, which many names of events end in, with a word that the name must have as well.
_SHORT = {
    short: (unit, re.compile(word))
    for word, units in (
        ("power|watt", "W mW kW"),
        ("energ", "J mJ uJ nJ kJ"),
        ("volt|vdd|vcore", "V mV"),
        ("curr|amp", "A mA"),
        ("temp", "C"),
        ("freq|clock", "Hz"),
        ("time|duration|latency", "s sec ms us ns"),
    )
    for unit in units.split()
    for short in (unit.lower(),)
}
_TIME = re.compile(r"(?:^|[^a-z])(?:time|runtime|duration|elapsed|latency|power|energy)$")
# turbostat's, and those of AMD as `sensors` prints them.
_TEMPERATURE = re.compile(r"(?:Pkg|Core|GFX|Sys)?Tmp|T(?:ctl|die|ccd\d*)")
# Units that a file may give beside a name; a count is in none of them.
_READINGS = re.compile(r"%|°?[CF]|K|[munµkM]?(?:W|Wh|V|A|J|s)|[kMG]?Hz|rpm|RPM|[kKMGT]?i?(?:B|bit)|[^\d\W][\w.]*/s")
# Identifiers of @grafana/data, valueFormats/categories.ts.
_OF_GRAFANA = {
    "watt": "W",
    "mwatt": "mW",
    "kwatt": "kW",
    "megwatt": "MW",
    "watth": "Wh",
    "kwatth": "kWh",
    "joule": "J",
    "volt": "V",
    "mvolt": "mV",
    "amp": "A",
    "mamp": "mA",
    "celsius": "°C",
    "fahrenheit": "°F",
    "kelvin": "K",
    "hertz": "Hz",
    "rothz": "Hz",
    "rotrpm": "rpm",
    "percent": "%",
    "bytes": "B",
    "decbytes": "B",
    "bits": "bit",
    "Bps": "B/s",
    "binBps": "B/s",
    "bps": "bit/s",
    "rotrads": "rad/s",
    "cps": "counts/s",
    "ops": "ops/s",
    "reqps": "req/s",
    "iops": "io/s",
}


@lru_cache(maxsize=8_192)
def unit_of_event(event: str) -> str:
    """ "W" of "power_w", "J per interval" of "rapl_joules_total"; COUNTS of what has no unit.

    "" where the name shows its unit; UNKNOWN of a power, a ratio, a time and the like without one. Sums over an interval, such as energies,
    are per interval; states at a moment are not.
    """
    name = _LABELS.sub("", event.strip())
    first = name.partition(":")[0].strip().lower()
    if first in _OF_PERF:
        return f"{_OF_PERF[first]} per interval"
    if first.startswith(("power/energy-", "energy-")):
        return "Joules per interval"
    if _SHOWN.search(name):
        return ""
    if _TEMPERATURE.fullmatch(name):
        return "°C"
    total = first.endswith("_total")
    stem, _, last = re.sub(r"[\s.]", "_", first.removesuffix("_total")).rpartition("_")
    unit = _WORDS.get(last, "")
    if stem.endswith("_per"):
        unit = ""
    elif not unit and last in _SHORT and _SHORT[last][1].search(stem):
        unit = {"C": "°C", "sec": "s"}.get(_SHORT[last][0], _SHORT[last][0])
    if unit:
        return f"{unit} per interval" if total or unit.endswith("J") else unit
    return UNKNOWN if is_momentary(name) or is_intensive(name) or _TIME.search(first) else COUNTS


def unit_with_name(event: str) -> str:
    """`unit_of_event`, and of a name that shows its unit that one: "MHz" of "Clock [MHz]", "Watt" of "PkgWatt", "kB/s" of "rx kB/s"."""
    name = _LABELS.sub("", event.strip())
    shown = _IN_NAME.search(name)
    return unit_of_event(event) or (next(filter(None, shown.groups())) if shown else UNKNOWN)


def is_counted(event: str) -> bool:
    """Whether the readings of `event` are counts: its name says no unit, and it is no ratio and no state at a moment."""
    return unit_of_event(event) == COUNTS


def with_unit(name: str, unit: str) -> str:
    """ "power [W]" of a reading whose file gives its unit elsewhere than in its name, in brackets or not, or as Grafana calls it ("watt").

    `name` itself where it says one, or where `unit` is none of readings ("1", "events", "short").
    """
    text = unit.strip().strip("[]()").strip()
    text = _OF_GRAFANA.get(text, text)
    given = _READINGS.fullmatch(text) is not None and unit_of_event(name) in (COUNTS, UNKNOWN)
    return f"{name} [{text}]" if given else name
