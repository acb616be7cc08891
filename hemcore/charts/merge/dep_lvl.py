"""The HEMs kept by dep_lvl: the small picture under its slider."""

import pandas as pd

from hemcore.charts.colours import SERIES
from hemcore.charts.small import Mark, SmallPicture, Steps


def dep_lvl_curve(path: pd.DataFrame, dep_lvl: float) -> SmallPicture:
    """HEMs kept, and the smallest eigenvalue of their correlation matrix, at every dep_lvl; a line marks the chosen dep_lvl."""
    x = [*path["dep_lvl"].tolist(), 1.0]
    kept, eigenvalue = path["n_kept"].tolist(), path["smallest_eigenvalue"].tolist()
    return SmallPicture(
        panels=(
            Steps(name="HEMs kept", x=x, y=kept, colour=SERIES[0], low=0, high=max(kept, default=1)),
            Steps(name="smallest eigenvalue", x=x, y=eigenvalue, colour=SERIES[2], low=min(0.0, *eigenvalue), high=1),
        ),
        marks=(Mark(x=dep_lvl, colour=SERIES[3], text=f"dep_lvl {dep_lvl:g}", dash="4 3"),),
        ends=(0.0, 1.0),
        ticks={0.0: "0", 0.5: "dep_lvl 0.5", 1.0: "1"},
        text=f"HEMs kept and their smallest eigenvalue at each dep_lvl; dep_lvl is {dep_lvl:g}",
    )
