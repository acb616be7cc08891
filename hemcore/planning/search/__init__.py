"""The search for a plan with few subexperiments: bounds, designs to start from, exchanges."""
