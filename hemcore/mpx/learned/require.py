"""What training needs beyond the rest of the library."""

import importlib.util

from hemcore.errors import ParameterError


def require_training_packages() -> None:
    """Raises ParameterError unless jax and optax are installed: training needs them; estimating with a trained model does not."""
    for name in ("jax", "optax"):
        if not _is_installed(name):
            raise ParameterError(
                f"{name}: it is not installed, and training needs it; estimating with a trained model does not."
                " Install it: pip install 'hem-workbench[train]'"
            )


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:  # blocked: sys.modules has None in its place
        return False
