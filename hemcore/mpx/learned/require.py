"""What training needs beyond the rest of the library."""

from hemcore.errors import ParameterError
from hemcore.resources import is_installed


def require_training_packages() -> None:
    """Raises ParameterError unless jax and optax are installed: training needs them; estimating with a trained model does not."""
    for name in ("jax", "optax"):
        if not is_installed(name):
            raise ParameterError(
                f"{name}: it is not installed, and training needs it; estimating with a trained model does not."
                " Install it: pip install 'hem-workbench[train]'"
            )
