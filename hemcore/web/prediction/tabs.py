"""What the Prediction page adds to its pictures, a file a group of tabs."""

from hemcore.web.prediction import asking, explore, measuring, predicting

PARTS = {**explore.PARTS, **measuring.PARTS, **predicting.PARTS, **asking.PARTS}
