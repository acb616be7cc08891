"""Formulas over events, constants and metrics: a closed grammar of arithmetic, parsed and never executed as code."""
