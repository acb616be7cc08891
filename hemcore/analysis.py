"""An Analysis, and a Question: an analysis of one dataset with parameters, which is the key of caches, jobs, links and reports.

hemcore.registry lists the analyses.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Protocol, TypeAlias, TypedDict, TypeVar, cast
from weakref import WeakKeyDictionary

from hemcore import durations
from hemcore.errors import HemError, ParameterError
from hemcore.headline import Card, Verdict
from hemcore.params import Params, control

if TYPE_CHECKING:  # listing the analyses does not wait for pandas
    from hemcore.datasets.tables.kinds import Table

TableT = TypeVar("TableT")
ParamsT = TypeVar("ParamsT", bound=Params)
ResultT = TypeVar("ResultT")
OtherT = TypeVar("OtherT")
ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")
Progress = Callable[[float, str], object]
# The parts of work that fans out, by table: pages ask at every move how long it takes, and to list the parts takes long itself.
_pieces: WeakKeyDictionary[Any, dict[tuple[str, Params], Sequence[Params]]] = WeakKeyDictionary()
LONG_S = 1.0  # longer work runs as a job, with progress and a Cancel button


class Each(Protocol):
    """Applies a function to every item and gives the results in order: `map`, or jobs.each, which does it on the workers."""

    def __call__(self, function: Callable[[ItemT], FoundT], items: Iterable[ItemT], /) -> Iterable[FoundT]: ...


class AskedQuestion(TypedDict):
    """A question as plain values: analysis, dataset, and the parameters that the answer depends on."""

    analysis: str
    dataset: str
    params: dict[str, object]


@dataclass(frozen=True, kw_only=True)
class Kept(Generic[TableT, ResultT]):
    """A part of a result that can be stored as a dataset of its own. make: (result, table) -> typed table; description: a phrase.

    kind: the kind of that table ("PhaseTable"), for a button that opens it on a page of this kind.
    """

    name: str
    description: str
    kind: str
    make: Callable[[ResultT, TableT], "Table"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Generic[TableT, ParamsT, ResultT]):
    """A computation on a dataset: from a TableT to a ResultT, with parameters of the model ParamsT.

    name: room and name, as `registry.analysis_named` takes it ("merge.much"). title: for people ("MUCH merge").
    params: the parameter model. compute: (table, params, progress or None, *results of inputs, *results of optional) -> result; it never
        changes its arguments.
    reads: the fields of params that the result depends on; compute sees all others at their defaults, so a cached result cannot depend
        on them. added: those that came after answers were stored; at their defaults they are no part of a question's id.
    inputs: analyses over the same params whose results compute takes. calls_for: further ones, after them, that some params
        need. optional: the same, but None if they failed, or if they take long and have not been computed yet.
    part, parts, gather: work that fans out. parts(table, params) returns the params of each part, which `part` answers;
        gather(table, params, results) combines the results; compute answers only what has no parts. so_far(params of the parts, results,
        None for those to come, at_once(table, params)) is the table shown until then; at_once takes a moment, before the first is done.
    asks: imports and returns the analyses that compute itself runs on other tables; other rooms are imported here only.
    repeats: the fields of reads that multiply the work (a number of runs, of searches); how long it takes is measured.
    gives: the attribute of the result that is its downloadable table; "" = the result itself.
    table_from: the analysis over the same params whose table is downloaded; None = this one. json: result -> that table as JSON.
    named_by: the fields that, after the dataset, name its files. keeps: the parts of the result that can be stored as datasets.
    cards, verdict: the headline figures and the verdict; None for a part of another answer.
    """

    name: str
    title: str
    params: type[ParamsT]
    reads: tuple[str, ...]
    added: tuple[str, ...] = ()
    compute: Callable[Concatenate[TableT, ParamsT, Progress | None, ...], ResultT] | None = None
    inputs: tuple["AnalysisOf[TableT]", ...] = ()
    calls_for: Callable[[ParamsT], tuple["AnalysisOf[TableT]", ...]] | None = None
    optional: tuple["AnalysisOf[TableT]", ...] = ()
    part: "AnalysisOf[TableT] | None" = None
    parts: Callable[[TableT, ParamsT], Sequence[ParamsT]] | None = None
    gather: Callable[[TableT, ParamsT, Sequence[Any]], ResultT] | None = None
    so_far: Callable[[Sequence[ParamsT], Sequence[Any], Sequence[Any]], Any] | None = None
    at_once: Callable[[TableT, ParamsT], Sequence[Any]] | None = None
    asks: Callable[[], tuple["AnyAnalysis", ...]] = tuple
    repeats: tuple[str, ...] = ()
    gives: str = ""
    table_from: "Analysis[TableT, ParamsT, Any] | None" = None
    json: Callable[[ResultT], bytes] | None = None
    named_by: tuple[str, ...] = ()
    keeps: tuple[Kept[TableT, ResultT], ...] = ()
    cards: Callable[[ResultT], Sequence[Card]] | None = None
    verdict: Callable[[ResultT], Verdict] | None = None

    def of(self, table: TableT, params: ParamsT | None = None, progress: Progress | None = None) -> ResultT:
        """The result for `table`, computed now and in this process, including inputs, optional inputs and parts.

        params: default: the model's defaults. Raises HemError as the analysis does.
        """
        relevant = self.relevant_params(params := params if params is not None else self.params())
        pieces = self.parts_of(table, relevant)
        if self.part is not None and self.gather is not None and (pieces or self.compute is None):
            found, tell = [], progress or (lambda share, note: None)
            for number, piece in enumerate(pieces):
                tell(number / len(pieces), f"{number + 1} of {len(pieces)}")
                found.append(self.part.of(table, piece))
            tell(1.0, "done")
            return self.gather(table, relevant, found)
        taken, inputs = list[object](), self.inputs_for(params)
        steps = (*inputs, *self.optional)
        for number, each in enumerate(steps):
            within = _within(progress, number, len(steps) + 1)
            try:
                taken.append(each.of(table, params, within))
            except HemError:
                if each in inputs:
                    raise
                taken.append(None)
        return self.computed(table, relevant, _within(progress, len(steps), len(steps) + 1), *taken)

    def computed(self, table: TableT, params: ParamsT, progress: Progress | None, *taken: object) -> ResultT:
        """compute, whose duration is remembered. params: the relevant ones; taken: the results of inputs and optional inputs."""
        assert self.compute is not None
        start = time.perf_counter()
        result = self.compute(table, params, progress, *taken)
        durations.record(self._work(table, params), time.perf_counter() - start)
        return result

    def inputs_for(self, params: ParamsT) -> tuple["AnalysisOf[TableT]", ...]:
        """The analyses whose results compute takes with these params: `inputs`, then those that the params call for."""
        return self.inputs if self.calls_for is None else (*self.inputs, *self.calls_for(params))

    def relevant_params(self, params: Params) -> ParamsT:
        """`params` with every field that this analysis does not read at its default. Raises ParameterError for other params."""
        if not isinstance(params, self.params):
            raise ParameterError(f"params: {type(params).__name__} does not fit {self.title}, which takes {self.params.__name__}.")
        return params.only(self.reads)

    def fields_asked(self, params: Params) -> tuple[str, ...]:
        """The fields of `reads` that identify the question: all but those of `added` that are at their defaults."""
        return tuple(
            each for each in self.reads if each not in self.added or getattr(params, each) != self.params.model_fields[each].default
        )

    def table_of(self, result: ResultT) -> Any:
        """The downloadable table of `result`."""
        return getattr(result, self.gives) if self.gives else result

    def seconds(self, table: TableT, params: Params) -> float:
        """About how long compute takes here (all parts together), from similar runs; 0 if it cannot be asked of this table."""
        if self.part is not None and (pieces := self.pieces(table, params)):
            return sum(self.part.seconds(table, each) for each in pieces)
        return 0.0 if self.compute is None else durations.expected(self._work(table, self.relevant_params(params)))

    def parts_of(self, table: TableT, params: ParamsT) -> Sequence[ParamsT]:
        """The params of each part, as `parts` lists them; empty if it is done in one. params: the relevant ones."""
        return () if self.parts is None else self.parts(table, params)

    def pieces(self, table: TableT, params: Params) -> Sequence[ParamsT]:
        """The params of each part, remembered; empty without parts, or if it cannot be asked of this table."""
        relevant = self.relevant_params(params)
        known, key = _pieces.setdefault(table, {}), (self.name, relevant)
        with suppress(HemError):  # told when it is computed
            known[key] = known.get(key) or self.parts_of(table, relevant)
        return cast("Sequence[ParamsT]", known.get(key, ()))

    def is_long(self, table: TableT, params: Params) -> bool:
        """Whether it takes more than about a second, so that it should run as a job."""
        return self.seconds(table, params) > LONG_S

    def _work(self, table: TableT, params: ParamsT) -> durations.Work:
        return durations.work_of(self.name, table, params, self.fields_asked(params), self.repeats)


# What can be said of an analysis without its parameters and results; and of one for any table.
AnalysisOf: TypeAlias = Analysis[TableT, Any, Any]
AnyAnalysis: TypeAlias = Analysis[Any, Any, Any]
AnalysisTo: TypeAlias = Analysis[Any, Any, ResultT]


@dataclass(frozen=True, kw_only=True)
class Question(Generic[ResultT]):
    """`analysis` of the dataset with the id `dataset`, with `params`."""

    analysis: AnalysisTo[ResultT]
    dataset: str
    params: Params

    def to_dict(self) -> AskedQuestion:
        """The question as plain values, with only the parameters that the answer depends on; `registry.question_from` reads it."""
        asked = self.analysis.fields_asked(self.params)
        return {"analysis": self.analysis.name, "dataset": self.dataset, "params": self._plain_params(asked)}

    @property
    def id(self) -> str:
        """64 hex digits, unique to the question: the key of caches and jobs."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    @property
    def link(self) -> str:
        """The question as text for a URL: compact JSON without the parameters that are at their defaults."""
        return json.dumps([self.analysis.name, self.dataset, self.changed], separators=(",", ":"), ensure_ascii=False)

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters that the answer depends on and that are not at their defaults, as plain values; may be empty."""
        default = self.analysis.params().model_dump(mode="json")
        return {name: value for name, value in self.to_dict()["params"].items() if value != default[name]}

    @property
    def choices(self) -> list[str]:
        """`changed` in words: "dep_lvl 0.95"."""
        return [f"{_named(type(self.params), name)} {_plain(value)}" for name, value in self.changed.items()]

    @property
    def inputs(self) -> tuple["AnyQuestion", ...]:
        """The questions whose answers this one takes, in the order of the analysis's `inputs_for`."""
        return tuple(self.about(each) for each in self.analysis.inputs_for(self.params))

    def about(self, analysis: AnalysisTo[OtherT]) -> "Question[OtherT]":
        """The question of another analysis over the same params, about the same dataset."""
        return Question(analysis=analysis, dataset=self.dataset, params=self.params)

    def answer(self, table: object, progress: Progress | None = None) -> ResultT:
        """The result for the dataset's `table`, computed now and in this process."""
        return self.analysis.of(table, self.params, progress)

    def seconds(self, table: object) -> float:
        """About how long `answer` takes."""
        taken = (*self.inputs, *(self.about(each) for each in self.analysis.optional))
        return self.analysis.seconds(table, self.params) + sum(each.seconds(table) for each in taken)

    def python(self, *, comment: str = "") -> str:
        """Python that computes the answer with hemcore alone; its last line is the table that the page offers as a download.

        The analysis is looked up by its name, which stays what it is wherever its module is, and in whatever package.
        """
        one_line = " ".join("".join(letter if letter.isprintable() else " " for letter in comment).split())
        arguments = ", ".join(f"{field}={value!r}" for field, value in self.to_dict()["params"].items())
        gives = self.analysis.gives
        return "\n".join(
            [
                "from hemcore.datasets import load\nfrom hemcore.registry import analysis_named\n",
                *([f"# {one_line}"] if comment else []),
                f"table = load({self.dataset!r})",
                f"analysis = analysis_named({self.analysis.name!r})",
                f"params = analysis.params({arguments})",
                f"{gives} = analysis.of(table, params).{gives}" if gives else "result = analysis.of(table, params)",
            ]
        )

    def differences(self, other: "AnyQuestion", dataset_name: Callable[[str], str] = str) -> list[str]:
        """What changes from `other` to this question: "dep_lvl 0.85 → 0.95". Empty for the same question."""
        found = [f"dataset {dataset_name(other.dataset)} → {dataset_name(self.dataset)}"] if other.dataset != self.dataset else []
        if other.analysis is not self.analysis:
            found.append(f"{other.analysis.title} → {self.analysis.title}")
        before, after = (each._plain_params(each.analysis.reads) for each in (other, self))
        for name, value in after.items():
            if name in before and before[name] != value:
                found.append(f"{_named(type(self.params), name)} {_plain(before[name])} → {_plain(value)}")
        return found

    def _plain_params(self, names: Iterable[str]) -> dict[str, Any]:
        """These of the fields that the analysis reads, as plain values."""
        return dict(self.analysis.relevant_params(self.params).model_dump(mode="json", include=set(names)))


AnyQuestion: TypeAlias = Question[Any]


def _named(model: type[Params], field: str) -> str:
    """The title of the field inside a sentence; "MPX share" keeps its capitals."""
    title = control(model, field).title
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None or value == "":
        return "automatic"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)  # with every digit: what differs must look different


def _within(progress: Progress | None, number: int, steps: int) -> Progress | None:
    """Progress within step `number` (from 0) of `steps` equal steps, as a share of all of them."""
    return None if progress is None else lambda share, note: progress((number + share) / steps, note)
