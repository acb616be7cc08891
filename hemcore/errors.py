"""The HemError family: every error that is the input's and not the program's.

Each message names the argument or file, the line or column, the value, the bound that it broke and what to do. Pages catch HemError
alone and show the message as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Remedy:
    """A way out of an error that can be taken with one click.

    label: what it does ("Complete unmeasured pairs"). choose: the parameters to set, by their field. analysis: the name of the analysis to
    go over to ("merge.hrm"), "" = the same.
    """

    label: str
    choose: Mapping[str, object] = field(default_factory=dict)
    analysis: str = ""


class HemError(ValueError):
    """Something given to hemcore cannot be used; the message says what, where and what to do; remedies: what of it a page can offer."""

    def __init__(self, *message: object, remedies: Sequence[Remedy] = ()) -> None:
        super().__init__(*message)
        self.remedies = tuple(remedies)


class TableError(HemError):
    """A table breaks the rules of its kind (a column, a row or a value of it)."""


class ReadError(HemError):
    """A file cannot be read as the format that it was taken for."""


class ParameterError(HemError):
    """An argument of an analysis is outside its bounds."""


class StoreError(HemError):
    """The disk does not take or give a dataset; the message says which folder and what to do."""


class UnknownNameError(HemError):
    """A name (of a dataset, an event, a run) that nothing here goes by; the message lists those that do."""
