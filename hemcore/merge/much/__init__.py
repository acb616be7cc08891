"""MUCH: the HEMs and correlations to merge, and the Gaussian sample that orders the readings."""
