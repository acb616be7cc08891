"""HEM Workbench's analyses of hardware event monitor (HEM) readings.

    import hemcore as hem

    table = hem.read("runs.zip")                # files and folders, by the readers of an upload; table.repairs lists what was mended
    hem.samples()                               # the bundled samples; hem.load("series-ocoe") is one of them
    hem.merge([first, second], method="much")   # separate subexperiments as one table
    hem.plan(names, n_pmcs=4)                   # which HEMs to read together
    hem.estimate(frame)                         # what events counted while they had no counter
    hem.segment(frame["CYCLES"])                # phases of a run by change points
    hem.evaluate(frame, "CYCLES")               # how well a program that no model has seen is predicted
    hem.classify(frame)                         # what bounds each job, from its signature
    hem.metrics(table)                          # IPC, miss ratios, top-down: formulas over the events, with intervals
    hem.compare(before, after)                  # two sets of runs: what changed, and whether it is more than noise
    hem.relations(before, after)                # which correlations changed
    hem.identities(before, after)               # counts that contradict each other: sums that hold in some runs only
    hem.releases(first, second, third)          # three or more sets in order: since which one a HEM has another level

Data are typed tables or whatever a notebook holds: frames, Series, arrays, paths, lists and mappings of them. Each question gives an
`Answer`: `.table` (a DataFrame), `.verdict`, `.cards`, `.result`, `.plot()`; a notebook shows it. Parameters are keywords and are checked.
Whatever does not fit raises a `HemError` with one sentence that says what to do.
"""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hemcore.compiled_cache import choose as _choose_compiled_cache

if TYPE_CHECKING:
    from hemcore.errors import HemError as HemError
    from hemcore.front.answer import Answer as Answer
    from hemcore.front.questions import classify as classify
    from hemcore.front.questions import compare as compare
    from hemcore.front.questions import estimate as estimate
    from hemcore.front.questions import evaluate as evaluate
    from hemcore.front.questions import merge as merge
    from hemcore.front.questions import metrics as metrics
    from hemcore.front.questions import plan as plan
    from hemcore.front.questions import segment as segment
    from hemcore.front.questions_of_sets import identities as identities
    from hemcore.front.questions_of_sets import relations as relations
    from hemcore.front.questions_of_sets import releases as releases
    from hemcore.front.read_files import RepairWarning as RepairWarning
    from hemcore.front.read_files import load as load
    from hemcore.front.read_files import read as read
    from hemcore.front.read_files import samples as samples

__version__ = "0.1.0"
_choose_compiled_cache(Path(__file__).parent)
_QUESTIONS, _READ_FILES = "hemcore.front.questions", "hemcore.front.read_files"
# Where each name of the top level is; imported when it is first asked for.
_NAMES = {
    **dict.fromkeys(("merge", "plan", "estimate", "segment", "evaluate", "classify", "metrics", "compare"), _QUESTIONS),
    **dict.fromkeys(("relations", "identities", "releases"), "hemcore.front.questions_of_sets"),
    **dict.fromkeys(("read", "load", "samples", "RepairWarning"), _READ_FILES),
    "Answer": "hemcore.front.answer",
    "HemError": "hemcore.errors",
}
__all__ = [
    "Answer", "HemError", "RepairWarning", "classify", "compare", "estimate", "evaluate", "identities", "load", "merge", "metrics", "plan",
    "read", "relations", "releases", "samples", "segment",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"hemcore has no {name!r}; it offers {', '.join(sorted(_NAMES))}")
    return getattr(importlib.import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
