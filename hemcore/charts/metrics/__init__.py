"""The pictures of metrics."""
