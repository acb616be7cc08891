"""Counts in narrow types, as frames of a caller's own may have them, give what wide ones give."""

import math

import numpy as np
import pandas as pd
import pytest

from hemcore.merge import correlation_matrix, generate_mvg_params, hrm_merge
from hemcore.merge.ranks import stable_order


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.float32, np.float64])
def test_an_order_of_a_narrow_type_is_that_of_its_values(kind: type) -> None:
    whole = np.issubdtype(kind, np.integer)
    low, high = (np.iinfo(kind).min, np.iinfo(kind).max) if whole else (-(2**24) + 1, 2**24 - 1)
    low, high = max(low, -(2**40)), min(high, 2**40)
    random = np.random.default_rng(5)
    values = random.integers(low, high, 400, endpoint=True).astype(kind)
    values[:8] = [high, low, high, low + 1, low, high - 1, high, low]
    before = values.copy()
    np.testing.assert_array_equal(stable_order(values), np.argsort(values.astype(np.float64), kind="stable"))
    np.testing.assert_array_equal(values, before)


def test_hrm_of_signed_bytes_is_that_of_wide_numbers() -> None:
    random = np.random.default_rng(6)
    wide = [pd.DataFrame({"T": random.integers(-120, 121, 80), hem: random.integers(0, 100, 80)}) for hem in "AB"]
    narrow = [frame.astype(np.int8) for frame in wide]
    pd.testing.assert_frame_equal(hrm_merge(narrow, "T"), hrm_merge(wide, "T"), check_dtype=False)


def test_means_and_spreads_of_float32_are_summed_in_full() -> None:
    # Whole numbers that float32 holds; their sum it does not.
    counts = (16_000_000 + np.random.default_rng(7).integers(0, 700_000, 30_001)).astype(np.float32)
    frame = pd.DataFrame({"A": counts, "B": counts[::-1]})
    matrix = correlation_matrix([frame])
    narrow, wide = (generate_mvg_params([each], matrix, outlier_zscore=math.inf) for each in (frame, frame.astype(np.float64)))
    exact = math.fsum(counts.tolist()) / len(counts)
    assert narrow.means["A"] == pytest.approx(exact, rel=1e-15)
    pd.testing.assert_series_equal(narrow.means, wide.means, rtol=1e-15)
    pd.testing.assert_series_equal(narrow.sds, wide.sds, rtol=1e-14)
    assert narrow.readings["A"].dtype == np.float32
    kept = generate_mvg_params([frame], matrix, outlier_zscore=1.0).counts
    pd.testing.assert_series_equal(kept, generate_mvg_params([frame.astype(np.float64)], matrix, outlier_zscore=1.0).counts)
