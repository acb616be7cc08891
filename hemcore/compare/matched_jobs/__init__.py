"""Jobs before and after, matched by user and application: changes of class and of energy."""

from hemcore.compare.matched_jobs.job_changes import JobChanges, changed_jobs, changes_of_jobs

__all__ = ["JobChanges", "changed_jobs", "changes_of_jobs"]
