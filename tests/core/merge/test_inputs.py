"""What merges take their readings from: columns of each subexperiment once, in their own type and as float64."""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.inputs import complete_subexperiments
from hemcore.merge.trust.outliers import inliers, squared_deviations


def test_readings_are_the_complete_rows_in_their_type_and_as_floats() -> None:
    mixed = pd.DataFrame({"A": [1, 2, 3], "B": [0.5, np.nan, 1.5]})
    table = complete_subexperiments([mixed, pd.DataFrame({"A": [7, 8]})])
    assert [list(read) for read in table.readings] == [["A", "B"], ["A"]]
    assert table.readings[0]["A"].dtype == np.int64
    assert table.floats[0]["A"].tolist() == [1.0, 3.0]
    assert table.floats[0]["B"].tolist() == [0.5, 1.5]
    assert table.floats[1]["A"].tolist() == [7.0, 8.0]


def test_a_typed_table_is_completed_once() -> None:
    table = Subexperiments(frames=(pd.DataFrame({"A": [1.0, 2.0]}),), n_pmcs=1)
    assert complete_subexperiments(table) is complete_subexperiments(table)


def test_outliers_of_several_hems_at_once_are_those_of_each() -> None:
    values = np.random.default_rng(1).lognormal(0, 2, (5, 60))
    values[2] = 4.0
    distances = squared_deviations(values)
    for row, own in enumerate(values):
        centred = own - own.mean()
        assert np.array_equal(distances[row], centred * centred)
    for zscore in (1.0, 3.0, np.inf):
        found = inliers(distances, zscore)
        for row, own in enumerate(distances):
            spread = own.std(ddof=1)
            assert np.array_equal(found[row], own < own.mean() + zscore * spread if spread > 0 else np.ones(60, bool))
