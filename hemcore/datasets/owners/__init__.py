"""Owners of a team's store: who they are, what each one has, shares, limits, the log. A single user's store has none of it."""
