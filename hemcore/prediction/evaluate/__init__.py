"""How good predictions of unseen programs are: by-program errors, intervals, costs, scenarios."""
