"""Results drawn as plotly figures, one file an analysis."""
