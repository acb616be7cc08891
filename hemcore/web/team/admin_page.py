"""The page of administrators: people and what they hold, jobs, errors, retention, limits, the last lines of the log. No names of data."""

import os
import time
from datetime import UTC, datetime

import streamlit as st

from hemcore import jobs
from hemcore.datasets.owners import audit_log, job_limits, limits, people, whose
from hemcore.datasets.shelf import retention
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
_LIMITS = (
    "HEM_MAX_GB_PER_OWNER", "HEM_MAX_GB", "HEM_MAX_DATASETS_PER_OWNER", "HEM_MAX_DATASETS", "HEM_MAX_JOBS_PER_OWNER", "HEM_MAX_JOBS",
    "HEM_MAX_PROCESSOR_SECONDS_PER_OWNER", "HEM_MAX_PROCESSOR_SECONDS", "HEM_MAX_ROWS_PER_JOB", retention.KEEP_DAYS,
)  # fmt: skip


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
        st.metric("On the disk", f"{limits.held(base) / 1e9:.2f} GB", help="What several have is counted once.")
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
                "GB": limits.used(root) / 1e9,
                "Processor today (s)": job_limits.spent(root),
                "Deleted soon": len(retention.due(root)),
                "Pinned": len(retention.pinned(root)),
            }
        )
    st.dataframe(rows, hide_index=True, alt="People", column_config={"GB": st.column_config.NumberColumn(format="%.3f")})
    st.caption("GB: each person's files, also those that others have too.")


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
    st.caption("Jobs of this server process, the newest first. Others of the same store have their own.")


def _limits() -> None:
    st.dataframe([{"Limit": name, "Value": os.environ.get(name, "none")} for name in _LIMITS], hide_index=True, alt="Limits")
    done = retention.last_daily(whose.base())
    st.caption(f"Retention and clearing up were last done on {done}." if done else "Retention and clearing up have not been done yet.")


def _log(lines: list[dict[str, str]], known: dict[str, str]) -> None:
    if not lines:
        st.caption("There are none.")
        return
    rows = [line | {"who": known.get(line["who"], line["who"][:8])} for line in reversed(lines)]
    st.dataframe(rows, hide_index=True, alt="Lines of the log", column_order=("when", "who", "what", "which", "source"))


def _when(seen: float) -> str:
    return f"{datetime.fromtimestamp(seen, UTC):%Y-%m-%d %H:%M} UTC" if 0 < seen <= time.time() + 1 else ""
