"""Which run at which frequency the folders of a log say: "Run_1/1400000/events_raw.data" is run 1 at 1,400,000 kHz."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from hemcore.datasets.readers.series.readings import runs_of_files

_RUN = re.compile(r"(?:run|rep|repetition)[\s_.\-]*(\d{1,15})", re.IGNORECASE)
# cpufreq gives kHz in whole MHz: 200000 to 9999000.
_KHZ = re.compile(r"([1-9]\d{2,3})000")
_WITH_UNIT = re.compile(r"(\d{1,15}(?:[.,]\d{1,15})?)[\s_\-]*([kMG])Hz", re.IGNORECASE)
_MHZ = {"k": 1e-3, "m": 1.0, "g": 1e3}


class _Place(NamedTuple):
    rest: tuple[str, ...]
    run: int | None
    mhz: float | None


def runs_of_logs(names: Sequence[str]) -> list[tuple[str, int]]:
    """(application, run) of each log from the folders that it lies in.

    Where each lies in a folder of a frequency ("1400000" in kHz, "1.4GHz"), the frequency is a part of the application and a folder "Run_1"
    is its run, whichever of the two is within the other; without such a folder runs are numbered in order. Where some lie in no folder of
    a frequency, as runs_of_files. Empty for no name.
    """
    places = [_place(name) for name in names]
    if not places or any(place.mhz is None for place in places):
        return runs_of_files(names)
    shared = 0
    while all(len(place.rest) > shared + 1 and place.rest[shared] == places[0].rest[shared] for place in places):
        shared += 1
    found: list[tuple[str, int]] = []
    taken: set[tuple[str, int]] = set()
    for place in places:
        application = f"{'/'.join(place.rest[shared:])} {place.mhz:.6g} MHz"
        run = place.run if place.run is not None else 1
        while (application, run) in taken:
            run += 1
        taken.add((application, run))
        found.append((application, run))
    return found


def _place(name: str) -> _Place:
    path = PurePosixPath(name)
    run, mhz = None, None
    rest: list[str] = []
    stem = path.name if _KHZ.fullmatch(path.name) else path.stem
    for part in (*path.parts[:-1], stem):
        if (said := _RUN.fullmatch(part)) is not None:
            run = int(said[1])
        elif (khz := _KHZ.fullmatch(part)) is not None:
            mhz = float(khz[1])
        elif (unit := _WITH_UNIT.fullmatch(part)) is not None:
            mhz = float(unit[1].replace(",", ".")) * _MHZ[unit[2].lower()]
        elif part != stem or not rest:
            # Logs are alike named in all folders: only without another folder is the name what there is.
            rest.append(part)
    return _Place(tuple(rest) or ("events",), run, mhz)
