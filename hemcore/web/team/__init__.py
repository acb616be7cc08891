"""A team's server: who is there, whose shelf, how much. Without HEM_AUTH none of it is used: one user, this machine alone."""
