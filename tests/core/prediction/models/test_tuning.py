"""Which settings a model takes, worked out on paper for models that are one multiplication."""

from dataclasses import replace

import numpy as np

from hemcore.prediction.arrays import Settings
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.catalogue import Model, model_named
from hemcore.prediction.models.tuning import choose, folds
from tests.core.prediction.few_programs import Multiple, rows_of


def times(rows: Rows, form: str, settings: Settings) -> Multiple:
    """Learns nothing: its setting is the factor."""
    return Multiple(settings["factor"])


def of_factors(*factors: float) -> Model:
    return Model(name="times", description="", grid=tuple({"factor": factor} for factor in factors), fit=times)  # type: ignore[arg-type]


def test_the_settings_with_the_least_error_are_chosen() -> None:
    # The target is Ir itself, so a factor of 3 is off by 200%, of 1 by nothing, of 2 by 100%.
    rows = rows_of(y=[10, 20, 30], x=[10, 20, 30], programs=[0, 1, 2])
    assert choose(of_factors(3.0, 1.0, 2.0), rows, "counts") == {"factor": 1.0}


def test_every_program_counts_the_same_however_many_phases_it_has() -> None:
    # Program 0 has eight phases of cost 1, three other programs one phase each, of cost 2.
    # Factor 1: errors 0, 50%, 50%, 50%: 37.5% over programs, 13.6% over phases.
    # Factor 2: errors 100%, 0, 0, 0: 25% over programs, 72.7% over phases.
    rows = rows_of(y=[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2], x=[1] * 11, programs=[0] * 8 + [1, 2, 3])
    assert choose(of_factors(1.0, 2.0), rows, "counts") == {"factor": 2.0}


def test_a_programs_error_is_the_mean_over_its_phases() -> None:
    # In each program factor 1 is off by 0, 0 and 90% (mean 30%), factor 1.4 by 40%, 40% and 86% (mean 55%, though its largest is smaller).
    rows = rows_of(y=[1, 1, 10] * 3, x=[1] * 9, programs=[0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert choose(of_factors(1.4, 1.0), rows, "counts") == {"factor": 1.0}


def test_a_program_is_predicted_without_its_own_rows() -> None:
    seen: list[set[int]] = []

    def remembers(rows: Rows, form: str, settings: Settings) -> Multiple:
        seen.append(set(rows.group.tolist()))
        return Multiple(1.0)

    model = Model(name="remembers", description="", grid=({"a": 1}, {"a": 2}), fit=remembers)  # type: ignore[arg-type]
    choose(model, rows_of(y=[1, 1, 1], x=[1, 1, 1], programs=[0, 1, 2]), "counts")
    # Each program left out once, for each of the two settings.
    assert seen == [{1, 2}, {1, 2}, {0, 2}, {0, 2}, {0, 1}, {0, 1}]


def test_of_too_few_programs_the_first_setting_is_taken() -> None:
    rows = rows_of(y=[10, 20], x=[10, 20], programs=[0, 1])
    assert choose(of_factors(3.0, 1.0), rows, "counts") == {"factor": 3.0}
    three = rows_of(y=[10, 20, 30], x=[10, 20, 30], programs=[0, 1, 2])
    assert choose(of_factors(3.0, 1.0), three, "counts") == {"factor": 1.0}


def test_of_settings_that_are_as_good_the_first_is_taken_and_no_prediction_is_the_worst() -> None:
    rows = rows_of(y=[10, 20, 30], x=[10, 20, 30], programs=[0, 1, 2])
    # 0.5 and 1.5 are both off by 50%; a prediction that is no number loses to any.
    assert choose(of_factors(float("nan"), 1.5, 0.5), rows, "counts") == {"factor": 1.5}


def test_programs_are_left_out_one_by_one_or_every_so_many_together() -> None:
    programs = np.arange(5)
    assert [each.tolist() for each in folds(programs, 5)] == [[0], [1], [2], [3], [4]]
    assert [each.tolist() for each in folds(programs, 2)] == [[0, 2, 4], [1, 3]]


def test_the_penalties_that_are_tried() -> None:
    # Lasso: the half powers of ten below 1; Ridge: the powers from 100 down. Of as good ones the first is taken: a hundredth.
    lasso, ridge = ([setting["alpha"] for setting in model_named(name).grid] for name in ("Lasso", "Ridge"))
    assert lasso == [0.01, 0.316, 0.1, 0.0316, 0.00316, 0.001, 0.000316, 1e-4, 3.16e-5, 1e-5]
    assert ridge == [0.01, 100, 10, 1, 0.1, 0.001, 1e-4, 1e-5, 1e-6]


def test_the_folds_of_a_grid_from_moments_choose_as_one_fit_each_does() -> None:
    random = np.random.default_rng(0)
    x = random.gamma(2.0, 1.0, 60)
    rows = rows_of(y=list(3 * x + random.gamma(1.0, 1.0, 60)), x=list(x), programs=[0] * 20 + [1] * 20 + [2] * 15 + [3] * 5)
    for name in ("Lasso", "Ridge"):
        model = model_named(name)
        assert choose(model, rows, "counts") == choose(replace(model, over_programs=None), rows, "counts")
