"""Pictures of power and energy: another frequency, errors on what was left out, and where the watts go."""
