"""The pictures of a measurement plan."""
