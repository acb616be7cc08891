"""Charts of a segmented run."""
