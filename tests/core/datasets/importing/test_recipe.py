"""A recipe is data: frozen, the same after JSON, and one sentence for whatever does not fit."""

import pytest

from hemcore.datasets.importing.recipe import ColumnRole, ImportRecipe, recipe_of
from hemcore.datasets.readers.format import options_key
from hemcore.errors import ParameterError

RECIPE = ImportRecipe(
    layout="intervals",
    kind="CounterSeries",
    decimal=",",
    header_row=3,
    units_row=4,
    skip_rows=(7,),
    leave_out=("notes.txt",),
    columns=(ColumnRole(name="Zeit", role="time", unit="ms", zone="Europe/Berlin"), ColumnRole(name="Zyklen", role="event")),
    per_interval="counts",
    blanks="in turns",
    min_mean=5.0,
    shape="ab",
)


def test_a_recipe_is_the_same_after_json() -> None:
    assert recipe_of(RECIPE.to_json()) == RECIPE
    assert recipe_of(RECIPE.model_dump()) == RECIPE
    assert recipe_of(RECIPE) is RECIPE
    assert recipe_of("{}") == ImportRecipe()
    assert options_key(RECIPE) != options_key(RECIPE.but(decimal="."))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"layout": "rows"}, "layout: 'rows' does not fit"),
        ({"version": 2}, "version: 2 is out of bounds"),
        ({"header_row": -2}, "header_row: -2 is out of bounds"),
        ({"colour": 1}, "colour: no such parameter"),
        ({"columns": [{"name": "a", "role": "colour"}]}, "role: 'colour' does not fit"),
        ({"columns": [{"name": "a", "role": "time"}, {"name": "b", "role": "time"}]}, "'a' and 'b' are both 'time'"),
        ({"columns": [{"name": "a"}, {"name": "a"}]}, "'a' appears more than once"),
        ({"layout": "runs", "kind": "CounterSeries"}, "'CounterSeries' does not fit layout 'runs'"),
        ({"skip_rows": [0]}, "skip_rows: 0 must be at least 1"),
        ({"header_row": 2, "units_row": 2}, "units_row: 2 is the header row too"),
        ("{", "recipe: not JSON"),
        ("[1]", "recipe: a list"),
        (3, "recipe: a int"),
    ],
)
def test_a_bad_value_is_one_sentence(given: object, said: str) -> None:
    with pytest.raises(ParameterError) as error:
        recipe_of(given)  # type: ignore[arg-type]
    assert said in str(error.value)
    assert "\n" not in str(error.value)
