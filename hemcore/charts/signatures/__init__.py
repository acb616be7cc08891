"""The pictures of signatures."""
