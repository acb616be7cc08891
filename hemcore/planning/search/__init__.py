"""The search for a plan with few subexperiments: bounds, initial designs, swaps."""
