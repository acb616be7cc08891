"""Builds the sample programs and collects sample_data/ from them: `python -m sample_data.collect`."""
