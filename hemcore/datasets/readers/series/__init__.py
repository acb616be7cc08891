"""Counter series: tables, cumulative counters, Cortex-A15 logs."""
