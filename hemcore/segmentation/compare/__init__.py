"""Segmentations compared: with the truth, with each other, with other searches."""
