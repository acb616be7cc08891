"""Multiplexed counts: what a time-sliced reading of a series looks like."""
