"""The page of administrators: people and what they hold, jobs, errors, retention, limits, the last lines of the log. No names of data."""

import os
import time
from datetime import UTC, datetime

import streamlit as st

from hemcore import jobs
from hemcore.datasets.owners import audit_log, job_limits, limits, people, whose
from hemcore.datasets.shelf import retention
from hemcore.headline import data_size
from hemcore.jobs import known_jobs
from hemcore.web import sentences
from hemcore.web.page import Page
from hemcore.web.team import session_owner

PAGE: Page = Page(
    name="administration",
    title="Administration",
    icon=":material/admin_panel_settings:",
    answers="Who is here, what they hold, and what failed?",
    purpose="People, bytes, jobs, errors and retention of this server.",
)
_LINES = 500
_LIMITS = {
    "HEM_MAX_GB_PER_OWNER": "GB per person",
    "HEM_MAX_GB": "GB of all people",
    "HEM_MAX_DATASETS_PER_OWNER": "Datasets per person",
    "HEM_MAX_DATASETS": "Datasets of all people",
    "HEM_MAX_JOBS_PER_OWNER": "Jobs at once per person",
    "HEM_MAX_JOBS": "Jobs at once of all people",
    "HEM_MAX_PROCESSOR_SECONDS_PER_OWNER": "Processor seconds per day and person",
    "HEM_MAX_PROCESSOR_SECONDS": "Processor seconds per day of all people",
    "HEM_MAX_ROWS_PER_JOB": "Rows per job",
    retention.KEEP_DAYS: "Days until what no one opens is deleted",
}


def show() -> None:
    """Draw the page."""
    st.title(PAGE.title, help=PAGE.purpose, anchor=False)
    if not session_owner.is_admin():
        sentences.show("This page is for administrators. Ask yours to add you to their group.")
        return
    base = whose.base()
    known = {each.key: each.label for each in people.all_people(base)}
    everyones = [job for job in known_jobs.everyones() if job.owner]
    lines = audit_log.last(base, _LINES)
    failed = [line for line in lines if line["what"] == "job.failed"]
    with st.container(horizontal=True):
        st.metric("People", f"{len(known):,}")
        st.metric("On the disk", data_size(limits.held(base)), help="What several have is counted once.")
        st.metric("Jobs here, not done", sum(not job.finished for job in everyones), help="Of this server process.")
        st.metric("Processor today", f"{job_limits.spent(base):,.0f} s", help="What workers spent on jobs since 00:00 UTC.")
        st.metric("Failed jobs", len(failed), help=f"In the last {_LINES} lines of the log.")
    tabs = st.tabs(["People", "Jobs", "Errors", "Limits", "Log"], key="administration.view", on_change="rerun")
    draws = (lambda: _people(known), lambda: _jobs(everyones, known), lambda: _log(failed, known), _limits, lambda: _log(lines, known))
    for tab, draw in zip(tabs, draws, strict=True):
        if tab.open:
            with tab:
                draw()


def _people(known: dict[str, str]) -> None:
    rows = []
    for key, label in known.items():
        root, who = whose.folder_of(key), people.person(key)
        kept = root / "datasets"
        rows.append(
            {
                "Person": label,
                "Last here": _when(who.seen if who is not None else 0.0),
                "Datasets": len(list(kept.iterdir())) if kept.is_dir() else 0,
                "MB": limits.used(root) / 1e6,
                "Processor today (s)": job_limits.spent(root),
                "Deleted soon": len(retention.due(root)),
                "Pinned": len(retention.pinned(root)),
            }
        )
    st.dataframe(rows, hide_index=True, alt="People", column_config={"MB": st.column_config.NumberColumn(format="localized")})
    st.caption("MB: each person's files, also those that others have too.")


def _jobs(everyones: list[jobs.Job], known: dict[str, str]) -> None:
    rows = [
        {
            "Person": known.get(job.owner, job.owner[:8]),
            "Work": job.kind,
            "State": job.state,
            "Done": f"{job.progress:.0%}",
            "Processor (s)": round(job.processor, 1),
            "Began": "" if job.started is None else f"{job.started:%Y-%m-%d %H:%M} UTC",
        }
        for job in reversed(everyones)
    ]
    if rows:
        st.dataframe(rows, hide_index=True, alt="Jobs")
    else:
        st.caption("There are none.")
    st.caption("Jobs of this server process, the newest first. Others of the same store have their own.")


def _limits() -> None:
    rows = [{"Limit": text, "Value": os.environ.get(name) or "none", "Set by": name} for name, text in _LIMITS.items()]
    st.dataframe(rows, hide_index=True, alt="Limits")
    done = retention.last_daily(whose.base())
    st.caption(f"Retention and clearing up were last done on {done}." if done else "Retention and clearing up have not been done yet.")


def _log(lines: list[dict[str, str]], known: dict[str, str]) -> None:
    if not lines:
        st.caption("There are none.")
        return
    rows = [
        {
            "When (UTC)": line["when"][:19].replace("T", " "),
            "Who": known.get(line["who"], line["who"][:8]),
            "What": line["what"],
            "From": line["source"],
            "Id": line["which"],
        }
        for line in reversed(lines)
    ]
    st.dataframe(rows, hide_index=True, alt="Lines of the log")


def _when(seen: float) -> str:
    return f"{datetime.fromtimestamp(seen, UTC):%Y-%m-%d %H:%M} UTC" if 0 < seen <= time.time() + 1 else ""
