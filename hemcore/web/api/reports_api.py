"""Reports in the API: the list, one as its file, its page or its notebook, one less."""

from dataclasses import dataclass
from typing import Any, Literal

from hemcore import jobs
from hemcore.analysis import AnyQuestion
from hemcore.datasets.owners import audit_log
from hemcore.errors import ParameterError
from hemcore.params import Params, parameter
from hemcore.report import ReportShelf, render_html, render_notebook
from hemcore.web.api.datasets_api import table_here
from hemcore.web.api.exchange import Call, Reply
from hemcore.web.api.questions_api import job_of


@dataclass(frozen=True, kw_only=True)
class ReportInfo:
    """items: how many. created, changed: ISO 8601, UTC. fault: why it cannot be read, "" if it can."""

    id: str
    title: str
    items: int
    created: str
    changed: str
    fault: str


class ReportFile(Params):
    """How a report is sent."""

    format: Literal["json", "html", "ipynb"] = parameter("json", title="Format", description="Its file, its page or its notebook.")


def list_reports(call: Call) -> Reply:
    """Every report, the last changed first."""
    found = [
        ReportInfo(id=each.id, title=each.title, items=each.n_items, created=each.created, changed=each.changed, fault=each.damaged)
        for each in ReportShelf(call.root).entries()
    ]
    return Reply(json=found)


def show_report(call: Call) -> Reply:
    """Its file; its page or notebook once every answer is there: until then a job that is waited for."""
    report, form = ReportShelf(call.root).load(call.path["id"]), call.query.format
    waiting: list[jobs.Job] = []

    def answer(question: AnyQuestion) -> Any:
        job = job_of(question)
        if job.state == "done":
            return job.result()
        if not job.finished:
            waiting.append(job)
        raise ParameterError(job.error or f"{job.kind}: it is being computed.")

    if form == "json":
        content = report.to_json()
    else:
        render = render_html if form == "html" else render_notebook
        content = render(report, answer, table_of=table_here, root=call.root)
    if waiting:
        return Reply(job=waiting[0])
    audit_log.note("download", call.path["id"], at=call.root)
    return Reply(content=content, form=form, file_name=f"{report.title}.{form}")


def delete_report(call: Call) -> Reply:
    """Delete one of the owner's own; the Report page brings it back."""
    ReportShelf(call.root).delete(call.path["id"])
    return Reply(status=204)
