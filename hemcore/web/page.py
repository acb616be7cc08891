"""How a page is registered, for navigation, Home, the links on Data, the warm-up and the tests."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from hemcore.resources import PAGES

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf

TableT = TypeVar("TableT")


@dataclass(frozen=True, kw_only=True)
class Start:
    """A one-click start: a bundled sample, and choices by field ("event": "Dr")."""

    sample: str
    choices: Mapping[str, object] = field(default_factory=dict)


def _any_table(table: object) -> bool:
    return True


def _as_it_stands(table: object) -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Page(Generic[TableT]):
    """A page of the app that works on tables of type TableT.

    name: of its script in pages/, its folder in hemcore/web, its URL and the prefix of its widget keys. title, icon: in the navigation.
    heading: above the page (default: the title). section: "Prepare", "Analyse" or "Show"; Home starts with an "Analyse". purpose: one
    sentence, the hover of the heading. answers: the question it answers, for Home and hovers.
    kind: the name of its table type, "" = none; also: those of further types that it takes, each with an analysis of its own.
    start: the samples of the empty state; Home uses the first. leads: the text of a link to it from a dataset ("Merge these
    subexperiments"). then: the names of the pages that "Continue to ..." opens: those that take a part
    of the answer, or Data, where the plan's readings come in. takes: whether it has an answer for a table; unless: what a dataset that it
    does not take says instead of the link ("" = nothing). opens: the initial choices
    for the user's own data, by field (see opening). asks: imports and returns its analyses by the page's names for them; Home uses the
    first, unless its start chooses another. picture: the name of its picture on Home. in_address: other names in its URL (a selection,
    a job). warm: work for the background warm-up.
    package: for a page of a plugin, the package with its page.py and how.md; "" = pages/ and hemcore/web.
    """

    name: str
    title: str
    icon: str
    answers: str
    purpose: str
    section: str = ""
    heading: str = ""
    kind: str = ""
    also: tuple[str, ...] = ()
    start: tuple[Start, ...] = ()
    leads: str = ""
    then: tuple[str, ...] = ()
    takes: Callable[[TableT], bool] = field(default=_any_table)
    unless: str = ""
    opens: Callable[[TableT], Mapping[str, object]] = field(default=_as_it_stands)
    asks: Callable[[], Mapping[str, "AnalysisOf[TableT]"]] = dict
    picture: str = ""
    in_address: tuple[str, ...] = ()
    warm: Callable[[], object] | None = None
    package: str = ""

    @property
    def script(self) -> Path:
        """The path of its script."""
        return Path(str(resources.files(self.package).joinpath("page.py"))) if self.package else PAGES / f"{self.name}.py"

    @property
    def how(self) -> str:
        """The text of "How it works" (formula, source, limits) as markdown, from how.md in its folder; "" without one."""
        folder = resources.files(self.package) if self.package else resources.files("hemcore.web").joinpath(self.name)
        file = folder.joinpath("how.md")
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the table types that it takes; empty without any."""
        return (self.kind, *self.also) if self.kind else ()

    @property
    def has_families(self) -> bool:
        """Whether a choice "family" on the page says which of its analyses is asked; else the kind of table does."""
        return len(self.methods) > 1 and not self.also

    @functools.cached_property
    def methods(self) -> Mapping[str, "AnalysisOf[TableT]"]:
        """Its analyses by the page's names for them, imported on first use."""
        return self.asks()

    def opening(self, table: TableT, *, bundled: bool) -> Mapping[str, object]:
        """The initial choices for a dataset, by field; none for bundled samples, whose defaults fit."""
        return {} if bundled else self.opens(table)

    def key(self, name: str) -> str:
        """The key of the page's widget `name`, which is also its name in the URL."""
        return f"{self.name}.{name}"

    def query(self, dataset_label: str, choices: Mapping[str, object] | None = None) -> dict[str, str]:
        """The query parameters of a link to the page with this dataset and these choices by field."""
        return {self.key("dataset"): dataset_label} | {self.key(name): in_link(value) for name, value in (choices or {}).items()}


def in_link(value: object) -> str:
    """A value as the URL has it."""
    # As sliders format a stop: another format ("2.0") would be ignored.
    return f"{value:g}" if isinstance(value, float) else str(value)
