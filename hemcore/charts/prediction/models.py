"""How a model looks in every picture: its colour and symbol, and which models are drawn where nobody chose."""

from collections.abc import Sequence

from hemcore.charts.colours import MUTED, SERIES
from hemcore.prediction.evaluate import Evaluation
from hemcore.prediction.names import MODEL_NAMES

_SYMBOLS = ("circle", "diamond", "square", "triangle-up")
_MOST = 5


def colour_of_model(name: str) -> str:
    """The colour that the model has on every page; grey for a copy."""
    known = _place(name)
    return MUTED if name.startswith("copy") or known is None else SERIES[known % len(SERIES)]


def symbol_of_model(name: str) -> str:
    """The symbol that tells models of one colour apart."""
    known = _place(name)
    return "x" if name.startswith("copy") else _SYMBOLS[(known or 0) // len(SERIES) % len(_SYMBOLS)]


def usual_models(found: Evaluation) -> list[str]:
    """The best model, the better known ones, and the copy of another load."""
    wanted = [str(found.best["model"]), "RelativeNnls", "CLSLR", "Lasso", *(name for name in found.models if name.startswith("copy"))]
    return [name for name in dict.fromkeys(wanted) if name in found.models][:_MOST]


def drawn_models(found: Evaluation, chosen: Sequence[str]) -> list[str]:
    """The models that are drawn: those chosen that there are, else the usual ones."""
    return [name for name in chosen if name in found.models] or usual_models(found)


def _place(name: str) -> int | None:
    return MODEL_NAMES.index(name) if name in MODEL_NAMES else None
