"""MUCH: which HEMs are merged, at which correlations, and the Gaussian that orders the readings."""
