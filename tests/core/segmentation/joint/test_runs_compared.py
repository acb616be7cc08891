"""How alike runs are that are cut jointly: the medians of the others beside the first run, by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.segmentation.joint.joint_readings import _bursts
from hemcore.segmentation.joint.joint_results import _compared


def found(*covering: float) -> Any:
    runs = [SimpleNamespace(segmentation=SimpleNamespace(change_points=np.array([5])), positions=np.arange(10)) for _ in covering]
    agreement = pd.DataFrame({"run": range(1, len(covering) + 1), "covering": covering, "in_order": covering, "duration_change": covering})
    return SimpleNamespace(runs=runs, agreement=agreement)


def test_the_first_run_is_not_compared_with_itself() -> None:
    alike = _compared(found(1.0, 0.9, 0.5))
    assert alike is not None
    assert (alike.n_runs, alike.covering, alike.in_order, alike.duration_change) == pytest.approx((3, 0.7, 0.7, 0.7))
    two = _compared(found(1.0, 0.6))
    assert two is not None
    assert two.covering == 0.6
    assert _compared(found(1.0)) is None


def test_a_burst_stands_out_of_what_is_around_it_and_a_level_does_not() -> None:
    roots = np.array([1.0] * 200 + [10] * 200)
    assert not _bursts(roots).any()
    roots[100] = 3
    assert np.flatnonzero(_bursts(roots)).tolist() == [100]
