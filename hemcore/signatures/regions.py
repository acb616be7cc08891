"""The lines of the roofline's rule on the plane of intensity and GFLOPS."""

from dataclasses import dataclass

from hemcore.signatures.classify import _SHARE_5_1, _SHARE_5_2
from hemcore.signatures.params import SignatureParams


@dataclass(frozen=True, kw_only=True)
class RooflineLimits:
    """The lines of the rule, as figures of a node.

    ridge: FLOP/byte; at least it is the right side. memory_gbs: left of it, MEMORY-bound is at least this, GB/s. cpu_gflops: right of it,
    CPU-bound is at least this; 0 where every signature there is.
    """

    ridge: float
    memory_gbs: float
    cpu_gflops: float


def roofline_limits(params: SignatureParams) -> RooflineLimits:
    """The lines for `params`. EAR's releases compare values per CPU with the peaks of the file, so their lines are n_cpus times higher."""
    peaks = params.peaks
    if params.rules == "documentation":
        return RooflineLimits(ridge=peaks.ridge, memory_gbs=params.bandwidth_share * peaks.gbs, cpu_gflops=0.0)
    share = _SHARE_5_1 if params.rules == "5.1" else _SHARE_5_2
    least = _SHARE_5_1 * peaks.gflops * params.cpus if params.rules == "5.1" else 0.0
    return RooflineLimits(ridge=peaks.ridge, memory_gbs=share * peaks.gbs * params.cpus, cpu_gflops=least)
