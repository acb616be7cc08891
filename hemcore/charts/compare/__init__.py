"""Pictures of what changed between two sets of runs."""
