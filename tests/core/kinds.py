"""Which analyses there are, and which tables one is for."""

import typing

from hemcore.analysis import Analysis
from hemcore.registry import analyses_of, rooms


def kind_of(analysis: Analysis) -> type:
    """The kind of table that it takes: the annotation of the first argument of what answers it."""
    function = analysis.compute or analysis.parts
    assert function is not None
    return typing.get_type_hints(function)[function.__code__.co_varnames[0]]


def own_analyses() -> dict[str, Analysis]:
    """Every analysis of hemcore by its name; not those of the room that the tests of jobs add."""
    return {name: each for room in rooms() if room != "trial" for name, each in analyses_of(room).items()}
