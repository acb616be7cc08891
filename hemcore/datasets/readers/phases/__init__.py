"""Phases of programs as they are written down, a format a file."""
