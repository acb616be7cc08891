"""Compiles the compiled parts before anyone waits for them."""

import numpy as np

from hemcore.faster_pam import fasterpam
from hemcore.prediction.models.clslr import Clslr, local_predictions
from hemcore.prediction.models.coordinate import lasso
from hemcore.prediction.models.relative_nnls import relative_fit


def warm() -> None:
    """Fit each compiled model to a few rows, and cluster them."""
    X = np.arange(24.0).reshape(8, 3) % 5 + 1
    y = X.sum(axis=1)
    relative_fit(X, y, np.ones(8))
    lasso(X.T @ X, X.T @ y, 0.1, True, np.zeros(3))
    local_predictions(X, y, X, [4], [0.1], positive=True)
    Clslr(n_neighbors=4).fit(X, y).predict(X)
    fasterpam(np.abs(y[:, None] - y), np.array([0, 1]))
