"""Two sets of runs compared: what changed, surely.

comparison = compare(before, after)     # two tables of one kind; comparison.table has a row per HEM
pairs = relations(before, after)        # which correlations changed; pairs.table has a row per pair of HEMs
checks = identities(before, after)      # whether linear identities between HEMs hold in all runs, a row per check
jobs = changed_jobs(before, after)      # two tables of signatures; jobs.table has a row per application
"""

import sys
from types import ModuleType
from typing import Any

from hemcore.compare.contradictions import LinearIdentity, identities
from hemcore.compare.matched_jobs import JobChanges, changed_jobs
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import Relations, relations
from hemcore.compare.results import Comparison, Replicates
from hemcore.compare.two_sets import compare

__all__ = [
    "CompareParams", "Comparison", "JobChanges", "LinearIdentity", "Relations", "Replicates", "changed_jobs", "compare", "identities",
    "relations",
]  # fmt: skip


class _Callable(ModuleType):
    """This package has the name of the front door's `hemcore.compare(...)`, so it can be called as that."""

    def __call__(self, *data: Any, **params: Any) -> Any:
        from hemcore.front.questions import compare as asked

        return asked(*data, **params)


sys.modules[__name__].__class__ = _Callable
