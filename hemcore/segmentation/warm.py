"""Compile what the first segmentation would otherwise wait for."""

import numpy as np

from hemcore.segmentation.params import Statistic
from hemcore.segmentation.path import threshold_path


def warm() -> None:
    """Compile the searches, or load them where this machine has compiled them before. Takes up to a few seconds the first time."""
    statistic: Statistic
    for statistic in ("rms", "std", "mean"):
        threshold_path(np.arange(1.0, 9.0), 1.0, 2.0, statistic=statistic, early_exit=True)
