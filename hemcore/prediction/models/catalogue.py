"""The models by name: what each is, the settings it chooses among, and how it is fitted. Which settings are best is `tuning`'s."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hemcore.datasets.tables.checks import listed
from hemcore.errors import UnknownNameError
from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models import learners
from hemcore.prediction.models.fitted import AnyFitted

Fit = Callable[[Rows, str, Settings], AnyFitted]
OverGrid = Callable[[Rows, Rows, str, Sequence[Settings]], Floats]


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model by name.

    says: what it is, in a sentence. grid: settings among which the training programs choose, the first is taken where there are too few
    programs to choose by. fit: (rows, form, settings) -> fitted. over_grid: (train, test, form, grid) -> predictions (n, settings), where
    that is cheaper than one fit each. blend_of: names of models whose geometric mean it is. needs_rates: instructions must be counted.
    copies: it learns nothing and reads another load's target.
    """

    name: str
    says: str
    grid: tuple[Settings, ...] = field(default=({},))
    fit: Fit | None = None
    over_grid: OverGrid | None = None
    blend_of: tuple[str, ...] = ()
    needs_rates: bool = False
    copies: bool = False


_ALPHAS = tuple(float(f"{10**power:.3g}") for power in np.arange(-0.5, -5.1, -0.5))
_RIDGES = tuple(float(f"{10**power:.3g}") for power in np.arange(2, -6.1, -1.0))
_SIZES, _PENALTIES = (100, 300, 1_000, 2_000, 3_000), (1e-4, 1e-5, 1e-6)
_ONE_EACH: tuple[Settings, ...] = (
    {"sizes": (1_000,), "alphas": (1e-4,), "positive": True},
    *(
        {"sizes": (size,), "alphas": (alpha,), "positive": True}
        for size in _SIZES[:3]
        for alpha in (1e-3, *_PENALTIES)
        if (size, alpha) != (1_000, 1e-4)
    ),
)

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model(name="OLS", says="Ordinary least squares of the features, with an intercept.", fit=learners.ols),
        Model(
            name="Lasso",
            says="Standardised features, L1 penalty, intercept.",
            grid=tuple({"alpha": alpha} for alpha in (1e-2, *(each for each in _ALPHAS if each != 1e-2))),
            fit=learners.lasso,
            over_grid=learners.lasso_over,
        ),
        Model(
            name="Ridge",
            says="Standardised features, L2 penalty, intercept.",
            grid=tuple({"alpha": alpha} for alpha in (1e-2, *(each for each in _RIDGES if each != 1e-2))),
            fit=learners.ridge,
            over_grid=learners.ridge_over,
        ),
        Model(
            name="CLSLR",
            says="A Lasso of its own for every phase, on those that look most like it: the mean over five sizes and three penalties, "
            "since which of them is best differs from program to program.",
            grid=({"sizes": _SIZES, "alphas": _PENALTIES, "positive": True},),
            fit=learners.clslr,
        ),
        Model(
            name="CLSLR, one size",
            says="CLSLR with the one size and the one penalty that predict the training programs best, each left out in turn.",
            grid=_ONE_EACH,
            fit=learners.clslr,
            over_grid=learners.clslr_over,
        ),
        Model(
            name="CLSLR, thesis",
            says="CLSLR as document 003 has it: 100 neighbours, coefficients of either sign.",
            grid=({"sizes": (100,), "alphas": (1e-4,), "positive": False},),
            fit=learners.clslr,
        ),
        Model(name="RelativeNnls", says="Costs of at least 0 an event, the mean relative error least, programs equal.", fit=learners.nnls),
        Model(
            name="RelativeNnls, 3 counters",
            says="The same with the three counters that explain the training programs best, one after the other.",
            grid=({"n": 3},),
            fit=learners.nnls_few,
        ),
        Model(
            name="boosting",
            says="Histogram gradient boosting of the target an instruction; more misses never make it less.",
            fit=learners.boosting,
            needs_rates=True,
        ),
        Model(
            name="kNN10",
            says="The mean target an instruction of the ten phases with the most alike rates: what leaks most.",
            grid=({"n_neighbors": 10},),
            fit=learners.nearest,
            needs_rates=True,
        ),
        Model(
            name="blend",
            says="The geometric mean of RelativeNnls, boosting and CLSLR.",
            blend_of=("RelativeNnls", "boosting", "CLSLR"),
        ),
        Model(name="copy the other load", says="What the same phase took under the other load: no prediction at all.", copies=True),
    )
}


def model_named(name: str) -> Model:
    """The model of that name. Raises UnknownNameError where there is none."""
    if name not in MODELS:
        raise UnknownNameError(f"Model: {name!r} is not known; there are {listed(MODELS)}. Choose one of them.")
    return MODELS[name]
