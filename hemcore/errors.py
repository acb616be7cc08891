"""HemError and its subclasses: errors in the input, not in the program.

Each message names the argument or file, the line or column, the value, the bound it broke and what to do. Pages show it as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Remedy:
    """The next step after an error or a doubtful answer, in one click.

    label: what it does ("Complete unmeasured pairs"). choose: the parameters to set, by field. analysis: the analysis to switch to
    ("merge.hrm"), "" = the same. page: the page to open instead ("plan"); of Data, `choose` may name the dataset that is open there
    ("opened", "" = that of the answer).
    """

    label: str
    choose: Mapping[str, object] = field(default_factory=dict)
    analysis: str = ""
    page: str = ""


class HemError(ValueError):
    """Input that cannot be used; the message states what, where and what to do. remedies: fixes that a page can offer."""

    def __init__(self, *message: object, remedies: Sequence[Remedy] = ()) -> None:
        super().__init__(*message)
        self.remedies = tuple(remedies)


class TableError(HemError):
    """A table breaks the rules of its kind (a column, a row or a value)."""


class ReadError(HemError):
    """A file cannot be read in the expected format."""


class UnclearNumbersError(ReadError):
    """Numbers such as "1,234" can be read in two ways, and nothing in the file settles which: the decimal sign must be chosen."""


class ParameterError(HemError):
    """An argument of an analysis is outside its bounds."""


class StoreError(HemError):
    """A dataset cannot be written or read; the message names the folder and what to do."""


class UnknownNameError(HemError):
    """An unknown name (of a dataset, an event, a run); the message lists the known ones."""
