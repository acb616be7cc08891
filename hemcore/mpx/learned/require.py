"""What training needs beyond the rest of the library."""

import importlib.util

from hemcore.errors import ParameterError


def jax_is_there() -> None:
    """Raises ParameterError where jax is not installed: estimating with a trained model needs none, training does."""
    try:
        found = importlib.util.find_spec("jax") is not None
    except ValueError:  # blocked: sys.modules has None in its place
        found = False
    if not found:
        raise ParameterError(
            "jax: it is not installed, and training needs it; estimating with a trained model does not."
            " Install it: pip install 'hem-workbench[train]'"
        )
