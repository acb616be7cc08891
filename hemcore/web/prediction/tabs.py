"""Controls and clicks of the Prediction page's tabs, one file per group."""

from hemcore.web.prediction import asking, explore, measuring, predicting

PARTS = {**explore.PARTS, **measuring.PARTS, **predicting.PARTS, **asking.PARTS}
