"""What the Prediction page adds to its pictures, a file a group of tabs."""

from hemcore.web.prediction import explore, measuring

PARTS = {**explore.PARTS, **measuring.PARTS}
