"""Which events of a run show its phases, and each event with its own segments."""
