"""The models by name: description, candidate settings, and how each is fitted. `tuning` chooses the settings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hemcore.datasets.tables.checks import listed
from hemcore.errors import UnknownNameError
from hemcore.prediction.arrays import Flags, Floats, Settings, Whole
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models import learners
from hemcore.prediction.models.fitted import AnyFitted
from hemcore.prediction.models.model_names import current_name

Fit = Callable[[Rows, str, Settings], AnyFitted]
OverGrid = Callable[[Rows, Rows, str, Sequence[Settings]], Floats]
OverPrograms = Callable[[Rows, Flags, str, Sequence[Settings], Sequence[Whole]], Floats]


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model by name.

    description: a sentence. grid: candidate settings; the first is used if there are too few programs to choose. fit: (rows, form,
    settings) -> fitted model. over_grid: (train, test, form, grid) -> predictions (n, settings), if that is cheaper than one fit each.
    over_programs: (rows, tried rows, form, grid, programs left out together) -> the same of the tried rows, each without its program, if
    that is cheaper still.
    blend_of: names of the models of which it is the geometric mean. needs_rates: instructions must be counted. copies: it is not trained,
    but copies another load's target.
    """

    name: str
    description: str
    grid: tuple[Settings, ...] = ({},)
    fit: Fit | None = None
    over_grid: OverGrid | None = None
    over_programs: OverPrograms | None = None
    blend_of: tuple[str, ...] = ()
    needs_rates: bool = False
    copies: bool = False
    most_folds: int = 32


_ALPHAS = tuple(float(f"{10**power:.3g}") for power in np.arange(-0.5, -5.1, -0.5))
_RIDGES = tuple(float(f"{10**power:.3g}") for power in np.arange(2, -6.1, -1.0))
_SIZES, _PENALTIES = (100, 300, 1_000), (1e-4, 1e-5, 1e-6)
_ONE_EACH: tuple[Settings, ...] = (
    {"sizes": (1_000,), "alphas": (1e-4,), "positive": True},
    *(
        Settings(sizes=(size,), alphas=(alpha,), positive=True)
        for size in _SIZES
        for alpha in (1e-3, *_PENALTIES)
        if (size, alpha) != (1_000, 1e-4)
    ),
)

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model(name="OLS", description="Ordinary least squares of the features, with an intercept.", fit=learners.ols),
        Model(
            name="Lasso",
            description="Standardized features, L1 penalty, intercept.",
            grid=tuple({"alpha": alpha} for alpha in (1e-2, *(each for each in _ALPHAS if each != 1e-2))),
            fit=learners.lasso,
            over_programs=learners.lasso_over,
        ),
        Model(
            name="Ridge",
            description="Standardized features, L2 penalty, intercept.",
            grid=tuple({"alpha": alpha} for alpha in (1e-2, *(each for each in _RIDGES if each != 1e-2))),
            fit=learners.ridge,
            over_programs=learners.ridge_over,
        ),
        Model(
            name="CLSLR",
            description="A separate Lasso for each phase, fitted to the most similar phases: the mean over three sizes and penalties, "
            "because the best size and penalty differ between programs.",
            grid=({"sizes": _SIZES, "alphas": _PENALTIES, "positive": True},),
            fit=learners.clslr,
        ),
        Model(
            name="CLSLR, one size",
            description="CLSLR with the one size and penalty that are best on the training programs, each left out in turn.",
            grid=_ONE_EACH,
            fit=learners.clslr,
            over_grid=learners.clslr_over,
        ),
        Model(
            name="CLSLR, thesis",
            description="CLSLR as in Mahajan (2018): 100 neighbors, coefficients of either sign.",
            grid=({"sizes": (100,), "alphas": (1e-4,), "positive": False},),
            fit=learners.clslr,
        ),
        Model(
            name="cost per event",
            description="Non-negative cost per event with the smallest mean relative error, equal weight for each program.",
            fit=learners.nnls,
        ),
        Model(
            name="cost per event, 3 counters",
            description="The same with three counters, selected one at a time for the smallest error on the training programs.",
            grid=({"n": 3},),
            fit=learners.nnls_few,
        ),
        Model(
            name="cost per event, curves",
            description="The same with a cost curve per event, which may flatten or grow steeper but never falls, and, where that predicts "
            "better, costs of two kinds of misses together.",
            grid=({"pairs": False}, {"pairs": True}),
            most_folds=6,
            fit=learners.nnls_curves,
            needs_rates=True,
        ),
        Model(
            name="boosting",
            description="Histogram gradient boosting of the target per instruction. Time never falls with more of an "
            "event that costs time, another target never with more misses.",
            fit=learners.boosting,
            needs_rates=True,
        ),
        Model(
            name="kNN10",
            description="The mean target per instruction of the ten phases with the most similar rates; the most prone to leakage.",
            grid=({"n_neighbors": 10},),
            fit=learners.nearest,
            needs_rates=True,
        ),
        Model(
            name="blend",
            description="The geometric mean of cost per event, boosting and CLSLR.",
            blend_of=("cost per event", "boosting", "CLSLR"),
        ),
        Model(name="copy the other load", description="The target of the same phase under the other load; not a prediction.", copies=True),
    )
}


def model_named(name: str) -> Model:
    """The model of that name, or of one that it had before. Raises UnknownNameError if there is none."""
    name = current_name(name)
    if name not in MODELS:
        raise UnknownNameError(f"Model: {name!r} is not known. Choose one of {listed(MODELS)}.")
    return MODELS[name]
