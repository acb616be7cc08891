"""Questions about the sample, in few words."""

from typing import Any

from hemcore.analysis import Analysis, Question
from hemcore.registry import analysis_named

SAMPLE = "sample-subexperiments-hrm"


def trial(name: str, dataset: str = SAMPLE, **params: Any) -> Question:
    """The trial analysis `name` of the sample."""
    analysis: Analysis = analysis_named(f"trial.{name}")
    return Question(analysis=analysis, dataset=dataset, params=analysis.params(**params))
