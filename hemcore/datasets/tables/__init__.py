"""The four typed tables, their checks and their words."""
