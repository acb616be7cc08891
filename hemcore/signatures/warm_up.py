"""Compiles the compiled parts before anyone waits for them."""

import numpy as np

from hemcore.signatures.clusters.clara import fasterpam


def warm() -> None:
    """Cluster a few points."""
    fasterpam(np.arange(24.0).reshape(8, 3) % 5, 2, 0)
