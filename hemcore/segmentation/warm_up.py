"""Compiles the compiled parts before anyone waits for them."""

import numpy as np
import pandas as pd

from hemcore.aligned_order import agreement_in_order
from hemcore.segmentation.joint.joint_search import segment_jointly
from hemcore.segmentation.params import Statistic
from hemcore.segmentation.segments import segment


def warm() -> None:
    """Run each search on a few samples, together and one event at a time, and compare two runs. Takes seconds the first time."""
    samples = np.arange(1.0, 9.0)
    statistic: Statistic
    for statistic in ("rms", "std", "mean"):
        segment(samples, 1.0, statistic=statistic, min_distance=2, early_exit=True)
    segment_jointly(pd.DataFrame({"A": samples, "B": samples % 3}))
    agreement_in_order([1.0, 2.0], [1.0, 3.0], [4, 4], [5, 3])
