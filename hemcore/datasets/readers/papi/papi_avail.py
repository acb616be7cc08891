"""What `papi_avail` prints: the preset events of a processor, which of them it has, and how many are counted at once.

Source: PAPI, src/utils/papi_avail.c; Mahajan's thesis, section 6.3.2, prints one of a Cortex-A53.
"""

import re
from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.readers.decoding import text_of
from hemcore.errors import ReadError

_AT_ONCE = re.compile(r"^[ \t]*Number (?:of )?[Hh]ardware [Cc]ounters\s*:\s*(\d+)\s*$", re.MULTILINE)
_MODEL = re.compile(r"^[ \t]*Model string(?: and code)?\s*:\s*(\S(?:.*\S)?)[ \t]*$", re.MULTILINE)
_EVENT = re.compile(r"^[ \t]*(PAPI_\w+)\s+(0x[0-9a-fA-F]+)\s+(?:(Yes|No)\s+)?(Yes|No)\s+(.*?)\s*$")
_CONTINUED = re.compile(r"^[ \t]*(?:↪\s*|\s{4,})(\S.*?)\s*$")
_AGAIN = "Send what the command papi_avail prints, from its first line on."


@dataclass(frozen=True, kw_only=True, eq=False)
class PapiAvail:
    """The preset events of a processor.

    n_pmcs: how many are counted at once; None where the text does not say. model: the processor, "" where it is not named. events: one
    row per event that the processor has: event, derived (made of several native events, so that it takes more than one counter), what.
    """

    n_pmcs: int | None
    model: str
    events: pd.DataFrame

    @property
    def counters(self) -> list[str]:
        """The names of the events that the processor has."""
        return list(self.events["event"])


def read_papi_avail(name: str, content: bytes) -> PapiAvail:
    """The events of the text `content` of the file `name`, those that are not available left out; a description may go on in a second line.

    `papi_avail -a` lists the available ones alone, without the column that says so. Raises ReadError for a text without any event.
    """
    text = text_of(name, content, remedy=_AGAIN)
    found: list[dict[str, object]] = []
    listed = 0
    open_row: dict[str, object] | None = None
    for line in text.splitlines():
        match = _EVENT.match(line)
        if match is not None:
            listed += 1
            open_row = {"event": match[1], "derived": match[4] == "Yes", "what": match[5]}
            if match[3] == "No":
                open_row = None
            else:
                found.append(open_row)
            continue
        more = _CONTINUED.match(line) if open_row is not None else None
        if more is None:
            open_row = None
        elif open_row is not None:
            open_row["what"] = f"{open_row['what']} {more[1]}"
    if not listed:
        raise ReadError(f"{name}: no line such as 'PAPI_TOT_CYC 0x8000003b Yes No Total cycles'. {_AGAIN}")
    if not found:
        raise ReadError(f"{name}: {listed} preset events, none of them available on that processor. Is its PMU enabled?")
    once, model = _AT_ONCE.search(text), _MODEL.search(text)
    return PapiAvail(n_pmcs=int(once[1]) if once else None, model=model[1] if model else "", events=pd.DataFrame(found))
