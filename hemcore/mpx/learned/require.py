"""What training needs beyond the rest of the library."""

import importlib.util

from hemcore.errors import ParameterError


def require_training_packages() -> None:
    """Raises ParameterError unless jax and optax are installed: training needs them; estimating with a trained model does not."""
    for name in ("jax", "optax"):
        if importlib.util.find_spec(name) is None:
            raise ParameterError(f"{name}: it is not installed, and training needs it. Install it: pip install 'hem-workbench[mpx]'")
