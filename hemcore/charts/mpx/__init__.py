"""The pictures of estimated counts."""
