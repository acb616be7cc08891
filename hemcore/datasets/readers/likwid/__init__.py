"""What `likwid-perfctr` writes: tables of totals (-o), time lines (-t)."""
