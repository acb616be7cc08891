"""Phases before any prediction: correlations, principal components, which phases and counters to measure."""
