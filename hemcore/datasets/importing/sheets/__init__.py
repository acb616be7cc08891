"""Sheets that hold more than one table, or remarks and statistics beside one."""
