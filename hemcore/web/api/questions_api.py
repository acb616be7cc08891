"""Questions in the API: an analysis by its registered name, of a dataset, with parameters; and its answer, which a job computes."""

import json
import math
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from hemcore import jobs
from hemcore.analysis import AnyAnalysis, AnyQuestion
from hemcore.datasets.owners import audit_log
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.frame_files import frame_bytes
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import ParameterError
from hemcore.headline import Verdict
from hemcore.params import Params, parameter
from hemcore.registry import analyses_of, analysis_named, question_from, rooms
from hemcore.web import shelf
from hemcore.web.api.datasets_api import table_here
from hemcore.web.api.exchange import Call, RefusedError, Reply
from hemcore.web.api.jobs_api import found

# What Prometheus has in place of words.
LEVELS = {"poor": 0, "limited": 1, "good": 2}


@dataclass(frozen=True, kw_only=True)
class AnalysisInfo:
    """parameters: their JSON Schema. has_verdict, has_table: whether its answer has one."""

    name: str
    title: str
    parameters: dict[str, object]
    has_verdict: bool
    has_table: bool


@dataclass(frozen=True, kw_only=True)
class VerdictInfo:
    """level: "good", "limited" or "poor"."""

    answer: str
    trust: str
    level: str
    why: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """value: null where it is not known. shown: as the page writes it."""

    name: str
    value: float | None
    shown: str
    note: str


@dataclass(frozen=True, kw_only=True)
class AnswerInfo:
    """The answer to a question, without its table."""

    id: str
    question: dict[str, object]
    title: str
    verdict: VerdictInfo | None
    figures: list[Figure]
    table: str | None


@dataclass(frozen=True, kw_only=True)
class DatedVerdict:
    """The verdict about one dataset; created: of the dataset, ISO 8601, UTC. value: 0 poor, 1 limited, 2 good."""

    dataset: str
    created: str
    value: int
    verdict: VerdictInfo
    figures: list[Figure]


class Asked(Params):
    """A question."""

    analysis: str = parameter("", title="Analysis", description="Its name, such as merge.copula.", longest=60)
    dataset: str = parameter(
        "", title="Dataset", description="The id of a dataset or a sample; ID@socket is a series by socket.", longest=200
    )
    params: dict[str, object] = parameter({}, title="Parameters", description="By name; those that are left out are at their defaults.")


class Dated(Params):
    """Which verdicts."""

    name: str = parameter("", title="Name", description="Of the datasets: one for each upload of that name.", longest=120)
    analysis: str = parameter("", title="Analysis", description="Its name.", longest=60)
    params: str = parameter("{}", title="Parameters", description="JSON: parameters by name.", longest=20_000)
    most: int = parameter(100, title="Most", description="How many datasets, the newest.", ge=1, le=1000)
    format: Literal["json", "prometheus"] = parameter(
        "json", title="Format", description="json, or the newest one alone as Prometheus reads it."
    )


def list_analyses(call: Call) -> Reply:
    """All analyses; one that is a part of another's answer has no verdict."""
    return Reply(json=[_analysis(each) for room in rooms() for each in analyses_of(room).values()])


def ask(call: Call) -> Reply:
    """Have a question answered; the same question is the same job."""
    question = question_from(call.body.model_dump())
    table = table_of(question)
    known = jobs.find(question.id)
    return Reply(job=known if known is not None and known.state == "done" else jobs.submit(question, question.seconds(table)))


def show_answer(call: Call) -> Reply:
    """Verdict and figures."""
    question, result = _answer(call)
    analysis = question.analysis
    has_table = isinstance(analysis.table_of(result), pd.DataFrame) or analysis.table_from is not None
    answer = AnswerInfo(
        id=question.id,
        question=dict(question.to_dict()),
        title=analysis.title,
        verdict=None if analysis.verdict is None else _verdict(analysis.verdict(result)),
        figures=_figures(analysis, result),
        table=f"answers/{question.id}/table" if has_table else None,
    )
    return Reply(json=answer)


def table_of_answer(call: Call) -> Reply:
    """The table that the page offers as a download; where that is another question's, it may have to be asked first."""
    question, result = _answer(call)
    if question.analysis.table_from is not None:
        question = question.about(question.analysis.table_from)
        job = job_of(question)
        if job.state != "done":
            return Reply(job=job)
        result = job.result()
    table = question.analysis.table_of(result)
    if not isinstance(table, pd.DataFrame):
        raise ParameterError(f"{question.analysis.title}: its answer has no table. Take its verdict and figures.")
    form = call.query.format
    audit_log.note("download", question.id, at=call.root)
    return Reply(content=frame_bytes(table, form), form=form, file_name=f"{question.analysis.name}.{form}")


def dated_verdicts(call: Call) -> Reply:
    """Of each dataset of that name the verdict, if the question was answered; begins no work."""
    query: Dated = call.query
    analysis = analysis_named(query.analysis)
    if analysis.verdict is None:
        raise ParameterError(f"analysis: {analysis.title} has no verdict. Choose one that has.")
    try:
        params = json.loads(query.params)
    except (ValueError, RecursionError):
        raise ParameterError(f"params: {query.params[:60]!r} is not JSON. Give names and values, such as {{}}.") from None
    jobs.look_again()
    dated: list[DatedVerdict] = []
    most = 1 if query.format == "prometheus" else query.most
    for record in DatasetStore(call.root).records():
        if record.name != query.name or len(dated) == most:
            continue
        question = question_from({"analysis": analysis.name, "dataset": record.id, "params": params})
        job = jobs.find(question.id)
        if job is not None and job.state == "done":
            result = job.result()
            verdict = _verdict(analysis.verdict(result))
            value, figures = LEVELS[verdict.level], _figures(analysis, result)
            dated.append(DatedVerdict(dataset=record.id, created=record.created, value=value, verdict=verdict, figures=figures))
    if query.format == "prometheus":
        return Reply(content=_exposition(query.name, analysis.name, dated).encode(), form="prometheus")
    return Reply(json=dated[::-1])


def table_of(question: AnyQuestion) -> Table:
    """The table of a question. Raises UnknownNameError if whoever asks may not see it, or what else the question names."""
    shelf.permit_named(question)
    return table_here(question.dataset)


def job_of(question: AnyQuestion) -> jobs.Job:
    """The job of a question; submitted where there is none. Raises as table_of."""
    return jobs.find(question.id) or jobs.submit(question, question.seconds(table_of(question)))


def _analysis(analysis: AnyAnalysis) -> AnalysisInfo:
    schema = analysis.params.model_json_schema()
    schema["properties"] = {name: each for name, each in schema.get("properties", {}).items() if name in analysis.reads}
    return AnalysisInfo(
        name=analysis.name,
        title=analysis.title,
        parameters=schema,
        has_verdict=analysis.verdict is not None,
        has_table=bool(analysis.gives) or analysis.table_from is not None,
    )


def _answer(call: Call) -> tuple[AnyQuestion, Any]:
    """The question with this id and its result. Raises UnknownNameError for none that was asked, RefusedError without an answer yet."""
    job = found(call.path["id"])
    if job.question is None:
        raise RefusedError(404, f"answer {call.path['id'][:64]!r}: that job answers no question. See jobs/{job.id[:64]}.")
    table_of(job.question)  # what was shared may not be any more
    if job.state in ("failed", "cancelled"):
        raise RefusedError(409, job.error or f"{job.kind}: no result.")
    if job.state != "done":
        raise RefusedError(409, f"{job.kind}: it is {job.state}, {job.progress:.0%} done. Ask again, or see jobs/{job.id}.")
    return job.question, job.result()


def _verdict(verdict: Verdict) -> VerdictInfo:
    return VerdictInfo(answer=verdict.answer, trust=verdict.trust, level=verdict.level, why=verdict.why)


def _figures(analysis: AnyAnalysis, result: object) -> list[Figure]:
    cards = () if analysis.cards is None else analysis.cards(result)
    return [
        Figure(
            name=each.label,
            value=float(each.value) if each.value is not None and math.isfinite(each.value) else None,
            shown=each.shown,
            note=each.note,
        )
        for each in cards
    ]


def _exposition(name: str, analysis: str, dated: list[DatedVerdict]) -> str:
    """Prometheus' text: the newest verdict and its figures; empty without."""
    labels = f'dataset="{_escaped(name)}",analysis="{_escaped(analysis)}"'
    lines: list[str] = []
    for each in dated[:1]:
        lines += ["# HELP hem_verdict 0 poor, 1 limited, 2 good.", "# TYPE hem_verdict gauge", f"hem_verdict{{{labels}}} {each.value}"]
        lines += ["# HELP hem_figure A headline figure of the answer.", "# TYPE hem_figure gauge"]
        known = {figure.name: figure.value for figure in each.figures if figure.value is not None}
        lines += [f'hem_figure{{{labels},figure="{_escaped(figure)}"}} {value!r}' for figure, value in known.items()]
    return "".join(f"{line}\n" for line in lines)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
