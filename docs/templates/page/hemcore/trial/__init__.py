"""The level of an event over a window of intervals."""

from hemcore.trial.params import LevelsParams

__all__ = ["LevelsParams"]
