"""Thresholds and peaks of nodes for EAR, each with its source."""

import math
from dataclasses import dataclass, fields

import numpy as np

from hemcore.errors import ParameterError

DOCUMENT = "EAR documentation, Classification"
CODE = "EAR 5.1 to 6.3, src/library/api/clasify.c"
HEADER = "EAR 5.1 to 6.3, src/common/types/classification_limits.h"


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The limits of EAR's default strategy, of values of a whole node.

    cpu_cpi, cpu_gbs: below them a job is CPU-bound. mem_cpi, mem_gbs: above them it is MEMORY-bound. GB/s are 10^9 bytes/s.
    source: their origin. Raises ParameterError for a limit that is negative or not finite.
    """

    cpu_cpi: float
    cpu_gbs: float
    mem_cpi: float
    mem_gbs: float
    source: str = ""

    def __post_init__(self) -> None:
        _check(self, least=0.0)


@dataclass(frozen=True, kw_only=True)
class Peaks:
    """A node's roofline: gbs (10^9 bytes/s of main memory) and gflops (10^9 floating point operations/s), as in roofline.TAG.data.

    n_cpus: CPUs of a node, by which EAR's releases divide; None = not known. source: their origin.
    Raises ParameterError for a peak that is not above 0 or not finite.
    """

    gbs: float
    gflops: float
    n_cpus: int | None = None
    source: str = ""

    def __post_init__(self) -> None:
        _check(self, least=np.nextafter(0, 1))

    @property
    def ridge(self) -> float:
        """The ridge point in FLOP/byte: left of it memory is the limit, right of it arithmetic."""
        return self.gflops / self.gbs


def _check(given: Thresholds | Peaks, *, least: float) -> None:
    for field in fields(given):
        value = getattr(given, field.name)
        if field.name == "source" or (field.name == "n_cpus" and value is None):
            continue
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (number and math.isfinite(value) and value >= least):
            bound = "a number of at least 0" if least == 0 else "a finite number above 0"
            raise ParameterError(f"{field.name}: {value!r} must be {bound}. Correct it in the {type(given).__name__.lower()}.")


def theoretical_peaks(
    *,
    sockets: int,
    cores: int,
    ghz: float,
    channels: int,
    mega_transfers: float,
    fma_units: int = 2,
    vector_bits: int = 512,
    element_bits: int = 64,
) -> Peaks:
    """The peaks of a node by its data sheet, as ear-roofline computes them.

    cores, channels: of one socket. mega_transfers: of one memory channel, 10^6/s (DDR5-4800: 4800); a transfer has 8 bytes.
    fma_units, vector_bits: fused multiply-add units of a core and their width; element_bits: 64 for double, 32 for single precision.

    GB/s = sockets x channels x MT/s x 8 B; GFLOPS = sockets x cores x GHz x FMA units x 2 x vector / element bits.
    Raises ParameterError for a value that is not above 0. Source: EAR documentation, Roofline model (example: 2 x EPYC 9654).
    """
    given = {
        "sockets": sockets,
        "cores": cores,
        "ghz": ghz,
        "channels": channels,
        "mega_transfers": mega_transfers,
        "fma_units": fma_units,
        "vector_bits": vector_bits,
        "element_bits": element_bits,
    }
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not (math.isfinite(value) and value > 0):
            raise ParameterError(f"{name}: {value!r} must be a finite number above 0. See the processor's data sheet.")
    per_cycle = fma_units * 2 * vector_bits / element_bits
    precision = {64: "DP", 32: "SP"}.get(element_bits, f"{element_bits} bit")
    return Peaks(
        # Data sheets have no more digits; products of decimals do.
        gbs=float(f"{sockets * channels * mega_transfers * 8 / 1e3:.12g}"),
        gflops=float(f"{sockets * cores * ghz * per_cycle:.12g}"),
        n_cpus=int(sockets * cores),
        source=f"{sockets} x {cores} cores at {ghz:g} GHz x {per_cycle:g} FLOP/cycle ({precision}), "
        f"{sockets} x {channels} channels of {mega_transfers:g} MT/s",
    )


def _limits(cpu_cpi: float, cpu_gbs: float, mem_cpi: float, mem_gbs: float, source: str) -> Thresholds:
    return Thresholds(cpu_cpi=cpu_cpi, cpu_gbs=cpu_gbs, mem_cpi=mem_cpi, mem_gbs=mem_gbs, source=source)


# By architecture, as EAR's code groups them.
THRESHOLDS: dict[str, Thresholds] = {
    "Intel Sapphire Rapids and newer": _limits(0.4, 180, 0.4, 250, f"{DOCUMENT}; {CODE}"),
    "Intel before Sapphire Rapids, and others": _limits(0.6, 30, 0.8, 100, f"{HEADER}: the defaults"),
    "AMD before Zen 3": _limits(0.6, 250, 0.9, 350, CODE),
    # FAMILY_ZEN3 is 0x19, which Genoa (Zen 4) has too.
    "AMD Zen 3 and Zen 4 (Milan, Genoa)": _limits(
        0.45, 250, 0.6, 350, f"{CODE}: its row for Milan, since 5.1.4, which Genoa's family gets too"
    ),
    "AMD Zen 5 and newer": _limits(0.6, 400, 0.9, 500, CODE),
}


def _peaks(gbs: float, gflops: float, n_cpus: int, source: str) -> Peaks:
    return Peaks(gbs=gbs, gflops=gflops, n_cpus=n_cpus, source=source)


PEAKS: dict[str, Peaks] = {
    "2 x Xeon 8480+, DP at base 2.0 GHz": _peaks(614.4, 7168.0, 112, "2 x 56 cores x 2.0 GHz x 32 FLOP/cycle; 16 channels of DDR5-4800"),
    "2 x Xeon 8480+, DP at all-core turbo 3.0 GHz": _peaks(614.4, 10752.0, 112, "2 x 56 cores x 3.0 GHz x 32 FLOP/cycle"),
    "2 x Xeon 8480+, DP at boost 3.8 GHz": _peaks(614.4, 13619.2, 112, "2 x 56 cores x 3.8 GHz x 32 FLOP/cycle, as ear-roofline reckons"),
    "2 x Xeon 8480+, SP at base 2.0 GHz": _peaks(614.4, 14336.0, 112, "2 x 56 cores x 2.0 GHz x 64 FLOP/cycle"),
    "2 x EPYC 9654, as in EAR's documentation": _peaks(
        921.6, 22732.8, 192, f"{DOCUMENT}: 2 x 96 cores x 3.7 GHz x 32 FLOP/cycle, which is boost and single precision on Zen 4"
    ),
    "2 x EPYC 9654, DP at boost 3.7 GHz": _peaks(921.6, 11366.4, 192, "2 x 96 cores x 3.7 GHz x 16 FLOP/cycle"),
    "2 x EPYC 9654, DP at base 2.4 GHz": _peaks(921.6, 7372.8, 192, "2 x 96 cores x 2.4 GHz x 16 FLOP/cycle"),
}
