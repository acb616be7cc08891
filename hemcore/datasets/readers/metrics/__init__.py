"""Definitions of metrics: what perf lists, files of Intel's perfmon and of Arm's telemetry, LIKWID's groups, and our own."""
