"""Segments several events of a run at one set of change points."""
