"""Two sets of runs compared: what changed, surely.

comparison = compare(before, after)     # two tables of one kind; comparison.table has a row per HEM
pairs = relations(before, after)        # which correlations changed; pairs.table has a row per pair of HEMs
checks = identities(before, after)      # whether linear identities between HEMs hold in all runs, a row per check
courses = releases([first, ..., last])   # three or more tables in order; courses.changes has a row per change point
parts = phases(before, after)           # which program and phase carries the change, split exactly; series or tables of phases
bars = waterfall(before, after)         # why the cycles differ: bars of events that sum to the change; tables of phases or merged runs
jobs = changed_jobs(before, after)      # two tables of signatures; jobs.table has a row per application
"""

from collections.abc import Callable

from hemcore.callable_room import make_callable
from hemcore.compare.contradictions import LinearIdentity, identities
from hemcore.compare.cycle_waterfall import Waterfall, waterfall
from hemcore.compare.matched_jobs import JobChanges, changed_jobs
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import Relations, relations
from hemcore.compare.releases import Releases, releases
from hemcore.compare.results import Comparison, Replicates
from hemcore.compare.stages import StageChanges, phases
from hemcore.compare.two_sets import compare

__all__ = [
    "CompareParams", "Comparison", "JobChanges", "LinearIdentity", "Relations", "Releases", "Replicates", "StageChanges", "Waterfall",
    "changed_jobs", "compare", "identities", "phases", "relations", "releases", "waterfall",
]  # fmt: skip


def _question() -> Callable[..., object]:
    from hemcore.front.questions import compare as asked

    return asked


make_callable(__name__, _question)
