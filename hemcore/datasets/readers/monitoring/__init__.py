"""What monitoring systems export: ClusterCockpit's job archive, Prometheus range queries, OpenTelemetry metrics."""
