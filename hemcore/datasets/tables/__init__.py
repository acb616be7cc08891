"""The typed tables, their checks and their names."""
