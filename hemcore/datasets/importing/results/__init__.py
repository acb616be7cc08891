"""What profilers and benchmarks write, as the text of a CSV."""
