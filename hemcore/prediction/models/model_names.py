"""The names of the models, without importing the libraries that fit them."""

MODEL_NAMES = (
    "OLS",
    "Lasso",
    "Ridge",
    "CLSLR",
    "CLSLR, one size",
    "CLSLR, thesis",
    "RelativeNnls",
    "RelativeNnls, 3 counters",
    "boosting",
    "kNN10",
    "blend",
    "copy the other load",
    "RelativeNnls, curves",
)
