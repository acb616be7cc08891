"""Processors by name, and the peaks and thresholds of a node that has them."""

import re
from dataclasses import dataclass

from hemcore.errors import UnknownNameError
from hemcore.signatures.ear.machines import THRESHOLDS, Peaks, Thresholds, theoretical_peaks

_SPR, _INTEL, _ZEN2, _ZEN3, _ZEN5 = THRESHOLDS  # in the order of the architectures there
_MARKS = re.compile(r"\((?:r|tm)\)|@.*|\b(?:cpu|processor|\d+-core)\b")


@dataclass(frozen=True, kw_only=True)
class Processor:
    """A processor by its data sheet.

    cores, channels: of one socket. ghz: base clock. mega_transfers: of a memory channel, 10^6/s. fma_bits: width of its two fused
    multiply-add units (of the equivalent two, where it has another number). architecture: one of THRESHOLDS.
    """

    cores: int
    ghz: float
    channels: int
    mega_transfers: float
    fma_bits: int
    architecture: str

    def peaks(self, sockets: int) -> Peaks:
        """The peaks of a node with `sockets` of them: double precision at base clock. Raises ParameterError if sockets is below 1."""
        return theoretical_peaks(
            sockets=sockets,
            cores=self.cores,
            ghz=self.ghz,
            channels=self.channels,
            mega_transfers=self.mega_transfers,
            vector_bits=self.fma_bits,
        )

    @property
    def thresholds(self) -> Thresholds:
        """EAR's default thresholds for its architecture."""
        return THRESHOLDS[self.architecture]


def _made(cores: int, ghz: float, channels: int, mega_transfers: float, fma_bits: int, architecture: str) -> Processor:
    return Processor(cores=cores, ghz=ghz, channels=channels, mega_transfers=mega_transfers, fma_bits=fma_bits, architecture=architecture)


# Cores, base GHz, memory channels and their MT/s by the data sheets (ark.intel.com, amd.com); the width of the units by the vendors'
# optimization manuals. Zen 4 runs 512-bit instructions in two halves, so its units count as 256 bits wide.
PROCESSORS: dict[str, Processor] = {
    "Xeon Platinum 8592+": _made(64, 1.9, 8, 5600, 512, _SPR),
    "Xeon Platinum 8480+": _made(56, 2.0, 8, 4800, 512, _SPR),
    "Xeon Platinum 8470": _made(52, 2.0, 8, 4800, 512, _SPR),
    "Xeon Platinum 8380": _made(40, 2.3, 8, 3200, 512, _INTEL),
    "Xeon Platinum 8360Y": _made(36, 2.4, 8, 3200, 512, _INTEL),
    "Xeon Platinum 8358": _made(32, 2.6, 8, 3200, 512, _INTEL),
    "Xeon Platinum 8268": _made(24, 2.9, 6, 2933, 512, _INTEL),
    "Xeon Platinum 8174": _made(24, 3.1, 6, 2666, 512, _INTEL),
    "Xeon Platinum 8160": _made(24, 2.1, 6, 2666, 512, _INTEL),
    "Xeon Gold 6148": _made(20, 2.4, 6, 2666, 512, _INTEL),
    "Xeon E5-2680 v4": _made(14, 2.4, 4, 2400, 256, _INTEL),
    "Xeon E5-2690 v3": _made(12, 2.6, 4, 2133, 256, _INTEL),
    "EPYC 9754": _made(128, 2.25, 12, 4800, 256, _ZEN3),
    "EPYC 9654": _made(96, 2.4, 12, 4800, 256, _ZEN3),
    "EPYC 9554": _made(64, 3.1, 12, 4800, 256, _ZEN3),
    "EPYC 7763": _made(64, 2.45, 8, 3200, 256, _ZEN3),
    "EPYC 7713": _made(64, 2.0, 8, 3200, 256, _ZEN3),
    "EPYC 7H12": _made(64, 2.6, 8, 3200, 256, _ZEN2),
    "EPYC 7742": _made(64, 2.25, 8, 3200, 256, _ZEN2),
}


def find_processor(name: str) -> str:
    """The name in PROCESSORS of the processor called `name`: as listed, as in /proc/cpuinfo, or its number alone ("9654").

    Raises UnknownNameError if there is none, or more than one.
    """
    given = set(_MARKS.sub(" ", name.lower()).split())
    words = {each: set(each.lower().split()) for each in PROCESSORS}
    found = [each for each, own in words.items() if given and (own <= given or given <= own)]
    if len(found) != 1:
        raise UnknownNameError(
            f"processor: {name[:60]!r} is {'not in the table' if not found else 'more than one'}; there are {', '.join(PROCESSORS)}. "
            "For another, enter its peaks: Peak bandwidth and Peak GFLOPS."
        )
    return found[0]
