"""Searches for change points: exact optimal partitioning, its paths, thresholds and penalties."""
