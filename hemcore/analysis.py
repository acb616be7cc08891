"""What can be asked of a dataset: an Analysis, and a Question, which is an analysis of one dataset with parameters.

A Question is the key of cache and job; what is pinned, compared, reported and kept; and the Python that asks it again. Which analyses there
are stands in hemcore.registry.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, Generic, TypedDict, TypeVar

from hemcore.errors import HemError, ParameterError
from hemcore.headline import Card, Verdict
from hemcore.params import Params, control

if TYPE_CHECKING:  # asking what can be asked does not wait for pandas
    from hemcore.datasets.tables.kinds import Table

TableT = TypeVar("TableT")
ParamsT = TypeVar("ParamsT", bound=Params)
ResultT = TypeVar("ResultT")
OtherT = TypeVar("OtherT")
Progress = Callable[[float, str], object]
# Work above it runs as a job, with progress and a way to cancel it.
LONG_S = 1.0


class AskedQuestion(TypedDict):
    """A question as plain values: the names of analysis and dataset, and the parameters that the answer depends on."""

    analysis: str
    dataset: str
    params: dict[str, object]


def quick(table: object, params: object) -> float:
    """The seconds of an analysis that never makes anybody wait."""
    return 0.0


@dataclass(frozen=True, kw_only=True)
class Kept(Generic[TableT, ResultT]):
    """What of a result can be a dataset of its own on the shelf. make: (result, table) -> typed table; description: a phrase."""

    name: str
    description: str
    make: Callable[[ResultT, TableT], "Table"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Generic[TableT, ParamsT, ResultT]):
    """One thing that can be computed of a dataset: a ResultT of a TableT, by parameters of the model ParamsT.

    name: its room and what it is there: "merge.much" is `MUCH` of hemcore/merge/analysis.py. title: in words ("MUCH merge").
    params: its model. compute: (table, params, progress or None, *results of inputs, *results of optional) -> result; its arguments are
        never changed.
    reads: the fields of params that the result hangs on; the others are at their defaults when it is computed, so that no cached result
        can be of other values.
    inputs: analyses over the same params whose results compute takes. optional: the same, None where they take long and nobody has
        asked for them yet, or have no answer.
    part, parts, gather: work that fans out. parts(table, params) gives the params of each piece, `part` is their analysis, and
        gather(table, params, results) puts them together; compute is then not called.
    asks: imports and gives the analyses that compute itself asks about other tables; another room's are imported for this alone.
    seconds: about how long compute takes on a laptop (all parts together), from the table's size.
    gives: the attribute of the result that is its table to take away; "" = the result itself is the table.
    table_from: the analysis over the same params whose table is taken away; None = this one. json: result -> that table for programs.
    named_by: the fields that name its files, beside the dataset. keeps: what of the result can be kept on the shelf.
    cards, verdict: the headline figures and the verdict; None for a part of another answer.
    """

    name: str
    title: str
    params: type[ParamsT]
    reads: tuple[str, ...]
    compute: Callable[Concatenate[TableT, ParamsT, Progress | None, ...], ResultT] | None = None
    inputs: tuple["Analysis[TableT, Any, Any]", ...] = ()
    optional: tuple["Analysis[TableT, Any, Any]", ...] = ()
    part: "Analysis[TableT, ParamsT, Any] | None" = None
    parts: Callable[[TableT, ParamsT], Sequence[ParamsT]] | None = None
    gather: Callable[[TableT, ParamsT, Sequence[Any]], ResultT] | None = None
    asks: Callable[[], tuple["Analysis[Any, Any, Any]", ...]] = tuple
    seconds: Callable[[TableT, ParamsT], float] = quick
    gives: str = ""
    table_from: "Analysis[TableT, ParamsT, Any] | None" = None
    json: Callable[[ResultT], bytes] | None = None
    named_by: tuple[str, ...] = ()
    keeps: tuple[Kept[TableT, ResultT], ...] = ()
    cards: Callable[[ResultT], Sequence[Card]] | None = None
    verdict: Callable[[ResultT], Verdict] | None = None

    def of(self, table: TableT, params: ParamsT | None = None, progress: Progress | None = None) -> ResultT:
        """The result for `table`, computed here and now, inputs, optional ones and parts included.

        params: default: the model's defaults. Raises HemError as the analysis says.
        """
        params = params if params is not None else self.params()
        relevant = self.relevant_params(params)
        if self.parts is not None and self.part is not None and self.gather is not None:
            pieces = self.parts(table, relevant)
            found = []
            for number, piece in enumerate(pieces):
                if progress is not None:
                    progress(number / len(pieces), f"{number + 1} of {len(pieces)}")
                found.append(self.part.of(table, piece))
            if progress is not None:
                progress(1.0, "done")
            return self.gather(table, relevant, found)
        assert self.compute is not None
        taken: list[object] = []
        steps = (*self.inputs, *self.optional)
        for number, each in enumerate(steps):
            within = _within(progress, number, len(steps) + 1)
            try:
                taken.append(each.of(table, params, within))
            except HemError:
                if each in self.inputs:
                    raise
                taken.append(None)
        return self.compute(table, relevant, _within(progress, len(steps), len(steps) + 1), *taken)

    def relevant_params(self, params: Params) -> ParamsT:
        """`params` with what this analysis does not read at its default. Raises ParameterError for the params of another analysis."""
        if not isinstance(params, self.params):
            raise ParameterError(f"params: {type(params).__name__} does not fit {self.title}, which takes {self.params.__name__}.")
        return params.only(self.reads)

    def table_of(self, result: ResultT) -> Any:
        """The table of `result` that is taken away."""
        return getattr(result, self.gives) if self.gives else result

    def is_long(self, table: TableT, params: Params) -> bool:
        """Whether it takes over about a second on a laptop, so that a job should do it."""
        return self.seconds(table, self.relevant_params(params)) > LONG_S


@dataclass(frozen=True, kw_only=True)
class Question(Generic[ResultT]):
    """What is asked of a dataset: `analysis` of the dataset with the id `dataset`, with `params`."""

    analysis: Analysis[Any, Any, ResultT]
    dataset: str
    params: Params

    def to_dict(self) -> AskedQuestion:
        """The question as plain values, the parameters that the answer hangs on and no others; `registry.question_from` reads it."""
        asked = self.analysis.relevant_params(self.params).model_dump(mode="json", include=set(self.analysis.reads))
        return {"analysis": self.analysis.name, "dataset": self.dataset, "params": asked}

    @property
    def id(self) -> str:
        """64 hex digits, the same for the same question and no other: the key of caches and jobs."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    @property
    def link(self) -> str:
        """The question as text for an address: compact JSON, parameters at their defaults left out."""
        plain = self.to_dict()
        default = self.analysis.params().model_dump(mode="json")
        moved = {name: value for name, value in plain["params"].items() if value != default[name]}
        return json.dumps([plain["analysis"], plain["dataset"], moved], separators=(",", ":"), ensure_ascii=False)

    def about(self, analysis: Analysis[Any, Any, OtherT]) -> "Question[OtherT]":
        """What another analysis over the same params says of the same dataset."""
        return Question(analysis=analysis, dataset=self.dataset, params=self.params)

    def answer(self, table: object, progress: Progress | None = None) -> ResultT:
        """The result for the dataset's `table`, computed here and now."""
        return self.analysis.of(table, self.params, progress)

    def python(self, *, comment: str = "") -> str:
        """Python that asks it again with hemcore alone; its last line gives the table that the page gives away."""
        room, _, name = self.analysis.name.partition(".")
        asked, model = self.to_dict()["params"], type(self.params).__name__
        given = ", ".join(f"{field}={value!r}" for field, value in asked.items())
        gives = self.analysis.gives or "result"
        table = f"{name.upper()}.of(table, params)" + (f".{gives}" if self.analysis.gives else "")
        return "\n".join(
            [
                "from hemcore.datasets import load",
                f"from hemcore.{room} import {model}",
                f"from hemcore.{room}.analysis import {name.upper()}",
                "",
                *([f"# {_one_line(comment)}"] if comment else []),
                f"table = load({self.dataset!r})",
                f"params = {model}({given})",
                f"{gives} = {table}",
            ]
        )

    def differences(self, other: "Question[Any]", dataset_name: Callable[[str], str] = str) -> list[str]:
        """What differs from `other` to this question, in words: "dep_lvl 0.85 → 0.95". Empty for the same question."""
        words = []
        if other.dataset != self.dataset:
            words.append(f"dataset {dataset_name(other.dataset)} → {dataset_name(self.dataset)}")
        if other.analysis is not self.analysis:
            words.append(f"{other.analysis.title} → {self.analysis.title}")
        before, after = other.to_dict()["params"], self.to_dict()["params"]
        model = type(self.params)
        for name, value in after.items():
            if name in before and before[name] != value:
                title = control(model, name).title
                # An abbreviation ("MPX share") stays as it is.
                title = title if title[:2].isupper() else title[:1].lower() + title[1:]
                words.append(f"{title} {_plain(before[name])} → {_plain(value)}")
        return words


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None or value == "":
        return "automatic"
    # Every digit: two values that differ must not read the same.
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _within(progress: Progress | None, number: int, steps: int) -> Progress | None:
    """The progress of step `number` (from 0) of `steps` alike ones, told as a share of all of them."""
    return None if progress is None else lambda share, note: progress((number + share) / steps, note)
