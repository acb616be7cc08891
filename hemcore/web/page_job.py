"""A job that one page began and waits for: its id stands in the session and in the address, so that a refresh finds it again."""

from dataclasses import dataclass

import streamlit as st

from hemcore import jobs
from hemcore.jobs import Job
from hemcore.web.page import Page


@dataclass(frozen=True)
class PageJob:
    """The place of such a job: at most one at a time.

    name: in the address, one of the page's `in_address`, which brings it back after a page switch too. kind: of the jobs that are meant
    (their title); a link can name any other.
    """

    page: Page
    name: str
    kind: str

    def begun(self, job: Job) -> None:
        """`job` is the one from now on."""
        st.session_state[self._kept] = st.query_params[self.page.key(self.name)] = job.id

    def find(self) -> Job | None:
        """The job; None where none was begun, and where there is none of that id and kind, which is then forgotten."""
        asked = st.session_state.get(self._kept)
        job = jobs.find(asked) if asked else None
        if job is not None and job.kind == self.kind:
            return job
        if asked:
            self.forget()
        return None

    def forget(self) -> None:
        """The job is done with."""
        st.session_state.pop(self._kept, None)
        st.query_params.pop(self.page.key(self.name), None)

    @property
    def _kept(self) -> str:
        # As `choices.follow_address` calls it, which has taken it from the address before the page is drawn.
        return f"{self.page.name}:{self.name}"
