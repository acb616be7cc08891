"""The size that the completion makes as large as it can, by hand."""

import numpy as np
import pytest

from hemcore.merge.much.max_determinant import _log_determinant


def test_the_log_of_a_determinant() -> None:
    assert _log_determinant(np.array([[2.0, 1], [1, 2]])) == pytest.approx(np.log(3))
    # Determinant -3: no step to a matrix that is not positive definite is a gain.
    assert _log_determinant(np.array([[1.0, 2], [2, 1]])) == -np.inf
