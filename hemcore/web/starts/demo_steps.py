"""The demo: nine steps over the pages, from the question to the report; on the samples, or on data of one's own of the same kinds.

A step opens a real page; its sentence is the verdict of the answer there, so it holds for any data.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

# In the URL of a step's page, its number from 1; and in the session, the step (from 0) that was shown last.
PARAMETER = "demo"
AT = "demo:at"


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of the demo.

    page: its name. sample: which of its samples, from 0. choices: set on any data, by field; a sample's own are set too. look: what to
    look at, in one sentence. ringed: the figure or widget to look at, by its key without the page's name. asks: a question that the
    presenter answers by moving `slider`, a field; both "" without one.
    """

    page: str
    look: str
    sample: int = 0
    choices: Mapping[str, object] = field(default_factory=dict)
    ringed: str = ""
    asks: str = ""
    slider: str = ""


STEPS = (
    Step(
        page="plan",
        look="Each column is read in one run; every pair of rows meets in some column.",
        ringed="plan-0",
        asks="What if the processor had four counters? Move PMCs.",
        slider="n_pmcs",
    ),
    Step(
        page="merge",
        choices={"family": "MUCH"},
        look="No run read all of these events, yet every pair has a correlation.",
        ringed="correlation-0",
        asks="What if near copies may not stay? Move dep_lvl to the left.",
        slider="dep_lvl",
    ),
    Step(
        page="metrics",
        look="Each tile is as wide as its share of the cycles; its interval, and the violet truth where it is known, are at its right end.",
        ringed="tree-0",
    ),
    Step(
        page="multiplexing",
        sample=1,  # counted all the time, so k has a slider
        look="Dots were counted, the line between them is estimated; the violet line is the truth, where it is known.",
        ringed="curves-0",
        asks="What if fewer slots were counted? Move Slots per count.",
        slider="slots_per_count",
    ),
    Step(
        page="segmentation",
        look="Each shade is a phase; the thick line is its mean.",
        ringed="segments-0",
        asks="Which phases are the strongest? Move Threshold to the right.",
        slider="threshold",
    ),
    Step(
        page="prediction",
        choices={"family": "Predict"},
        look="Each program was predicted by models that had never seen it.",
        ringed="programs-0",
    ),
    Step(
        page="prediction",
        choices={"family": "What-if"},
        look="The change that counts would make, with its interval, and each model next to it.",
        ringed="what-if-0",
        asks="What if there were more branch misses? Move a count.",
        slider="move-Bcm",
    ),
    Step(
        page="signatures",
        look="Each point is a job; the roofs are what the node could do.",
        ringed="roofline-0",
    ),
    Step(page="report", look="What was shown is one file that opens anywhere, and a notebook that computes it again."),
)
