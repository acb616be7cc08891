"""Questions over a small made-up merge and the bundled samples, and the words that nobody should be able to smuggle in."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.datasets import Subexperiments
from hemcore.merge.analysis import HRM, MUCH
from hemcore.merge.params import HrmParams, MuchParams
from hemcore.report import Report, ReportItem
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.segmentation.params import SegmentationParams

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)> &lt;b&gt; `x` ${y} <!--",
    "a\u2028b\u2029c",
    "nul\x00 bell\x07 esc\x1b[2J",
    "right\u202eto left",
    "W" * 250,
    "# head *bold* _under_ [link](javascript:alert(1)) $x$ \\(y\\)",
)
SERIES, MUCHES = "sample-series-ocoe", "sample-subexperiments-much"
PHASES = {"application": "sensor_control", "event": "Dr"}


def segmentation(**params: object) -> Question:
    return Question(analysis=SEGMENTATION, dataset=SERIES, params=SegmentationParams(**(PHASES | {"threshold": 2.0} | params)))


def much(dataset: str = MUCHES, **params: object) -> Question:
    return Question(analysis=MUCH, dataset=dataset, params=MuchParams(**params))


def made_up(names: tuple[str, ...] = ("anchor", "first", "second"), n: int = 40) -> Subexperiments:
    """Two subexperiments that share their first HEM, 40 runs each; every pair with it was read together."""
    random = np.random.default_rng(0)
    frames = []
    for name in names[1:]:
        anchor = random.gamma(5, 1000, n)
        frames.append(pd.DataFrame({names[0]: anchor, name: anchor * 2 + random.gamma(5, 300, n)}))
    return Subexperiments(frames=tuple(frames), n_pmcs=2)


def hrm(dataset: str = "made-up") -> Question:
    return Question(analysis=HRM, dataset=dataset, params=HrmParams())


def table_of(names: tuple[str, ...] = ("anchor", "first", "second")) -> Callable[[str], Subexperiments]:
    return lambda dataset: made_up(names)


@pytest.fixture
def item() -> ReportItem:
    return ReportItem(
        question=hrm(),
        picture="pairs",
        view={"first_hem": "anchor"},
        title="A pair",
        note="Look.",
        dataset_name="Made up",
        link="/merge?a=b",
    )


@pytest.fixture
def report(item: ReportItem) -> Report:
    return Report(title="The merge", intro="What we saw.", items=(item, ReportItem(question=hrm(), picture="correlation")))
