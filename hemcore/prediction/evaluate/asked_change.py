"""The change asked of a what-if: text such as "Bcm -80%; Dr +20%", read and written."""

import re
from collections.abc import Mapping, Sequence

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.headline import formatted
from hemcore.prediction.params import names_of

_ONE = re.compile(r"(?P<name>.*\S)\s*(?P<sign>[+\-\N{MINUS SIGN}])\s*(?P<size>\d{1,7}(\.\d{1,6})?)\s*%")
MOST = 100.0  # times the count


def changes_of(text: str, counters: Sequence[str]) -> dict[str, float]:
    """The change of each counter as a fraction of its count, -0.8 for "Bcm -80%". Empty for "".

    Raises ParameterError for other text, a counter that is not there or named twice, less than -100% or more than +9,900%.
    """
    found: dict[str, float] = {}
    for part in names_of(text):
        match = _ONE.fullmatch(part)
        if match is None:
            raise ParameterError(f"Change: {part[:60]!r} is not a counter and a percentage. Write it as {counters[0]} -80%.")
        name, share = match["name"], float(match["size"]) / 100 * (1 if match["sign"] == "+" else -1)
        if name not in counters:
            raise ParameterError(f"Change: {name[:60]!r} is not used by the models. Choose one of {listed(counters)}.")
        if name in found:
            raise ParameterError(f"Change: {name} is named twice. Name it once.")
        if not -1 <= share <= MOST - 1:
            raise ParameterError(f"Change: {name} {part[len(name) :].strip()} is outside -100% to +{100 * (MOST - 1):,.0f}%.")
        if share:
            found[name] = share
    return found


def text_of(changes: Mapping[str, float]) -> str:
    """What `changes_of` reads: "Bcm -80%; Dr +20%"."""
    return "; ".join(f"{name} {100 * share:+.6g}%" for name, share in changes.items() if share)


def signed(share: float) -> str:
    """A change as cards and tables write it: "+72.4%", "−1.2%"; "an unknown change" if it is not known."""
    return "an unknown change" if share != share else formatted(share, "+.1%")


def in_words(changes: Mapping[str, float]) -> str:
    """The changes in a sentence: "Bcm −80%, Dr +20%"; of many the first two."""
    parts = [f"{name} {100 * share:+,.6g}%".replace("-", "−") for name, share in changes.items()]
    return ", ".join(parts) if len(parts) <= 2 else f"{', '.join(parts[:2])} and {len(parts) - 2} more"
