"""EAR's own files and the machines they describe."""
