"""How a visitor starts: the demo, small pictures of the samples, and what a page without a dataset shows."""
