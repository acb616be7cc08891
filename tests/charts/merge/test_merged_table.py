"""Pictures of a merged table."""

import numpy as np
import pandas as pd

from hemcore.charts.merge.merged_table import margins, pair_scatter


def test_counts_beyond_single_precision_are_drawn_where_they_are() -> None:
    merged = pd.DataFrame({"A": [1.0, 2.0, 4.0], "B": [1e298, 1e299, 1e300]})
    points = pair_scatter("A", "B", merged, None, title="pair").data[0]
    assert (points.x.dtype, points.x.tolist()) == (np.float32, [1, 2, 4])
    assert points.y.tolist() == [1e298, 1e299, 1e300]
    curves = margins(["A", "B"], {"A": merged["A"].to_numpy(), "B": merged["B"].to_numpy()}, merged, title="margins").data
    assert [curve.x[-1] for curve in curves] == [4, 4, 1e300, 1e300]
