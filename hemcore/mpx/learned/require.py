"""What training needs beyond the rest of the library."""

import importlib.util

from hemcore.errors import ParameterError


def jax_is_there() -> None:
    """Raises ParameterError where jax is not installed: estimating with a trained model needs none, training does."""
    if importlib.util.find_spec("jax") is None:
        raise ParameterError("jax: it is not installed, and training needs it. Install it: pip install 'hem-workbench[mpx]'")
