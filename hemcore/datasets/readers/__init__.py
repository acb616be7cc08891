"""Bytes to typed tables, one format a file."""
