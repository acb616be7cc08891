"""What columns and values are likely to be, where nothing says it: roles, cumulative counters, blanks that rotate."""
