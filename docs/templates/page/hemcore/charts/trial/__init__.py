"""The picture of a level."""
