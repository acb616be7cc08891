"""The models: what they are, how they are fitted and tuned, and how they are stored."""
