"""The pictures of a merge."""
