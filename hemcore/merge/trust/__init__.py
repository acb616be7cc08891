"""How far a merge can be trusted: noise, intervals, agreement of the subexperiments, quality on held-out halves."""
