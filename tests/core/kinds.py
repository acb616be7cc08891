"""Which tables an analysis is for."""

import typing

from hemcore.analysis import Analysis


def kind_of(analysis: Analysis) -> type:
    """The kind of table that it takes: the annotation of the first argument of what answers it."""
    function = analysis.compute or analysis.parts
    assert function is not None
    return typing.get_type_hints(function)[function.__code__.co_varnames[0]]
