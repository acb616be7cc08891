"""What profilers write about regions, kernels and metrics: rocprof, Caliper, Cube, toplev, PerfSpect."""
