"""Several events of a run cut at one set of change points."""
