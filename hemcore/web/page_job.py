"""A job that one page started and waits for: its id is in the session and in the URL, so a refresh finds it again."""

from dataclasses import dataclass

import streamlit as st

from hemcore import jobs
from hemcore.jobs import Job
from hemcore.web.page import Page


@dataclass(frozen=True)
class PageJob:
    """At most one such job at a time.

    name: in the URL, one of the page's `in_address`, which also restores it after a page switch. kind: the title of the jobs
    accepted, since a link can name any job.
    """

    page: Page
    name: str
    kind: str

    def begun(self, job: Job) -> None:
        """Make `job` the current one."""
        st.session_state[self._stored] = st.query_params[self.page.key(self.name)] = job.id

    def find(self) -> Job | None:
        """The job; None if none was started, or if no job of that id and kind exists, which is then forgotten."""
        id = st.session_state.get(self._stored)
        job = jobs.find(id) if id else None
        if job is not None and job.kind == self.kind:
            return job
        if id:
            self.forget()
        return None

    def forget(self) -> None:
        """Forget the job."""
        st.session_state.pop(self._stored, None)
        st.query_params.pop(self.page.key(self.name), None)

    @property
    def _stored(self) -> str:
        # The same key as in `choices.follow_address`, which reads it from the URL before the page is drawn.
        return f"{self.page.name}:{self.name}"
