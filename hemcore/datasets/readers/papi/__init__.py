"""What PAPI writes: its list of events, and the counts of its high-level API."""
