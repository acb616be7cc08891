"""Exploring phases: correlations, principal components, and which phases and counters to measure."""
