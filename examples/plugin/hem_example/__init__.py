"""A plugin of HEM Workbench: one reader, one estimator, one analysis and its page."""

from hem_example.params import LevelsParams

__all__ = ["LevelsParams"]
