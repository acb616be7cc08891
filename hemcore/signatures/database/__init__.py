"""Signatures read from EAR's database, read-only."""
