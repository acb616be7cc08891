"""What the counters of executed instructions and of cycles are usually called, numbers of cores, and temperatures."""

import re
from collections.abc import Iterable, Sequence

INSTRUCTIONS = ("Ir", "INST_RETIRED", "PAPI_TOT_INS", "instructions", "INSTRUCTIONS", "inst_retired.any", "INSTR_EXECUTED", "TOT_INS")
CYCLES = ("CYCLES", "PAPI_TOT_CYC", "cycles", "CPU_CYCLES", "cpu-cycles", "PROCESSOR_CYCLES", "TOT_CYC")


def instructions_of(counters: Iterable[str]) -> str | None:
    """The counter of executed instructions; None if there is none."""
    return _first(INSTRUCTIONS, list(counters))


def cycles_of(counters: Iterable[str]) -> str | None:
    """The counter of cycles; None if there is none."""
    return _first(CYCLES, list(counters))


def _first(names: Iterable[str], counters: Sequence[str]) -> str | None:
    return next((name for name in names if name in counters), None)


def is_core_count(name: str) -> bool:
    """Whether a column says how many cores were on: "Cores(#)", "n_cores", "Core Count", "cpus_online", "Number of cores".

    "core" and "cpu" alone name one core by its number.
    """
    return _CORE_COUNT.fullmatch(name) is not None


_CORE_COUNT = re.compile(
    r"\s*(?:(?:n|num|nr|number of|active|online|used)[ _]*(?:cores?|cpus?|cpu[ _]cores?)|cores|cpus|cpu[ _]cores"
    r"|(?:cores?|cpus?|cpu[ _]cores?)(?:[ _]*(?:count|online|used|active|on)|(?=\s*[(\[]#)))"
    r"(?:[ _]*(?:count|online|used|active|on))?\s*(?:[(\[]#[)\]])?\s*",
    re.IGNORECASE,
)


def is_temperature(name: str) -> bool:
    """Whether a column is a temperature by its name, with or without a unit: "Temp", "temp1_input", "CoreTmp", AMD's "Tctl", "Tccd1"."""
    return _TEMPERATURE.fullmatch(name) is not None


# AMD's are those of the Linux driver k10temp (Documentation/hwmon/k10temp.rst).
_TEMPERATURE = re.compile(
    r"(?:.*[^A-Za-z])?(?i:t(?:ctl|die|ccd\d*|case|junction)|temp(?:erature?)?\d*(?:_input)?)(?:[\s_]*(?:°?C|[(\[][^()\[\]]*[)\]]))?\s*|\w+Tmp"
)
