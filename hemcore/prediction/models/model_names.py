"""The names of the models, without importing the libraries that fit them, and those of older links, files and calls."""

MODEL_NAMES = (
    "OLS",
    "Lasso",
    "Ridge",
    "CLSLR",
    "CLSLR, one size",
    "CLSLR, thesis",
    "cost per event",
    "cost per event, 3 counters",
    "boosting",
    "kNN10",
    "blend",
    "copy the other load",
    "cost per event, curves",
)

_BEFORE = {
    "RelativeNnls": "cost per event",
    "RelativeNnls, 3 counters": "cost per event, 3 counters",
    "RelativeNnls, curves": "cost per event, curves",
}


def current_name(name: str) -> str:
    """Today's name of a model for one of before; any other text as it is."""
    return _BEFORE.get(name, name)
