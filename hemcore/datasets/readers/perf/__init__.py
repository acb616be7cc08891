"""What `perf stat` prints: CSV, JSON lines, text."""
