"""The pictures of phases and predictions."""
