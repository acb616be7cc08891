"""Compares segmentations with the truth, with each other and with other searches."""
