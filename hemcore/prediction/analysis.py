"""What can be asked of phases."""

from hemcore.prediction.explore_analysis import CELLS, CORRELATE, CURVE, EXPLORE, MEASURE, PROJECT, REPRESENT

__all__ = ["CELLS", "CORRELATE", "CURVE", "EXPLORE", "MEASURE", "PROJECT", "REPRESENT"]
