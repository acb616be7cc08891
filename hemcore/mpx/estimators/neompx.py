"""The estimators of NeoMPX: an exponential from count to count, continuous (CAM) and slot by slot (DCAM)."""

import numpy as np

from hemcore.mpx.estimators.estimator import Estimator
from hemcore.mpx.sampled import Floats, Sampled

_SOURCE = "NeoMPX, Wang et al. 2020, CLUSTER; Lin et al. 2022"


def fill_cam(sampled: Sampled) -> Floats:
    """The mean of an exponential from this count a to the next one b, a (r - 1) / ln r with r = b / a, in every slot of the rotation.

    a itself where r = 1, and where a or b is 0, which no exponential reaches; at the ends of a run the nearest count.
    """
    before, after, _ = sampled.gaps
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        log = np.log(after) - np.log(before)
        mean = (after - before) / log
    usable = (before > 0) & (after > 0) & (np.abs(log) > 1e-9)
    return np.where(usable, np.clip(mean, np.minimum(before, after), np.maximum(before, after)), before)


def fill_dcam(sampled: Sampled) -> Floats:
    """a (b / a)^(j / K) in slot j of the K between the counts a and b; a straight line where one of them is 0."""
    before, after, way = sampled.gaps
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        curve = np.exp(np.log(before) * (1 - way) + np.log(after) * way)
    curve = np.clip(curve, np.minimum(before, after), np.maximum(before, after))
    return np.where((before > 0) & (after > 0), curve, before + (after - before) * way)


CAM = Estimator(
    name="cam",
    title="CAM",
    description="The mean of an exponential from count to count, the same in every slot of a rotation.",
    source=_SOURCE,
    fill=fill_cam,
)
DCAM = Estimator(
    name="dcam",
    title="DCAM",
    description="An exponential from count to count, slot by slot; a straight line where one is 0.",
    source=_SOURCE,
    fill=fill_dcam,
)
