"""The number of change points at every threshold, as the curve of its slider."""

import numpy as np

from hemcore.segmentation.results import RunPath
from hemcore.slider_curve import SliderCurve


def threshold_curve(path: RunPath) -> SliderCurve:
    """Change points of the run against the threshold, from the path's first threshold to its last."""
    steps = path.path.intervals
    x, found = steps["threshold_from"].tolist(), steps["n_change_points"].tolist()
    last = float(steps["threshold_to"].iloc[-1])
    return SliderCurve(
        field="threshold",
        label="Threshold",
        answer="change points",
        x=np.array([*x, last], dtype=float),
        y=np.array([*found, found[-1]], dtype=float),
        form=",.0f",
        stairs=True,
        log=True,
    )
