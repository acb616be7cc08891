"""The estimators of this project keep scikit-learn's own contract, one check a test."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from hemcore.prediction import Clslr, RelativeNnls

ESTIMATORS = [Clslr(), Clslr.thesis(), Clslr(n_neighbors=20, alpha=1e-3, scale="std", relative=True), RelativeNnls()]


@pytest.mark.filterwarnings("default::RuntimeWarning")
@parametrize_with_checks(ESTIMATORS)
def test_keeps_the_contract(estimator: Any, check: Any) -> None:
    check(estimator)
