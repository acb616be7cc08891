"""The pictures of a segmented run."""
