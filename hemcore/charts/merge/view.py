"""The view of a merge: which matrix, pair, ranking and margins are shown, and the defaults."""

from collections.abc import Sequence
from typing import Literal

import pandas as pd

from hemcore.errors import ParameterError, UnknownNameError
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.fidelity import worst_pair
from hemcore.merge.trust.sampling_noise import TruthError
from hemcore.params import Params, parameter

MOST_MARGINS = 12
_FIRST_MARGINS = 6


class MergeView(Params):
    """The view of a merge. An empty name means the page chooses."""

    matrix: Literal["merged", "measured", "minus measured", "minus truth"] = parameter(
        "merged",
        title="Matrix",
        description="Correlations of the merged table, those measured for pairs read together, or the merged ones minus the measured"
        " ones or minus the truth, if known.",
    )
    order: Literal["as read", "clustered"] = parameter(
        "as read", title="Order of the HEMs", description="The order of the dataset, or correlated HEMs next to each other."
    )
    first_hem: str = parameter("", title="First HEM", description="First HEM of the pair drawn. Empty: of the worst pair.")
    second_hem: str = parameter("", title="Second HEM", description="Second HEM of the pair drawn. Empty: of the worst pair.")
    ranked: str = parameter(
        "", title="HEM to compare with", description="The others are ranked by |r| with it. Empty: the first of the merged table."
    )
    margin_hems: tuple[str, ...] = parameter(
        (), title="HEMs", description=f"HEMs whose distributions are compared, at most {MOST_MARGINS}. Empty: the first {_FIRST_MARGINS}."
    )


def pair_of(report: MergeReport, view: MergeView) -> tuple[str, str]:
    """The pair that `view` chooses, else the one that differs most (from the truth if that is shown), else the first two HEMs.

    Raises UnknownNameError for a HEM that is not in the merged table, ParameterError if both are the same or there is no pair.
    """
    hems = [str(hem) for hem in report.merged.columns]
    if len(hems) < 2:
        raise ParameterError("First HEM: the merged table has only one HEM and no pair. Raise dep_lvl to keep more.")
    worst = _worst_of_truth(report.achieved, report.truth) if view.matrix == "minus truth" else report.worst
    usual = worst[:2] if worst else (hems[0], hems[1])
    first = _known(view.first_hem, hems, "First HEM") if view.first_hem else ""
    second = _known(view.second_hem, hems, "Second HEM") if view.second_hem else ""
    if first and first == second:
        raise ParameterError(f"Second HEM: {second!r} is also the first HEM. Choose another.")
    first = first or next(hem for hem in usual if hem != second)
    return first, second or next(hem for hem in usual if hem != first)


def _worst_of_truth(achieved: pd.DataFrame, truth: TruthError | None) -> tuple[str, str, float] | None:
    if truth is None:
        return None
    hems = list(truth.real)
    return worst_pair(achieved.loc[hems, hems], truth.real)


def ranked_hem(report: MergeReport, view: MergeView) -> str:
    """The HEM that the others are compared with. Raises UnknownNameError for one that is not in the merged table."""
    hems = [str(hem) for hem in report.merged.columns]
    return _known(view.ranked, hems, "HEM to compare with") if view.ranked else hems[0]


def margin_hems(report: MergeReport, view: MergeView) -> list[str]:
    """The HEMs whose margins are compared. Raises UnknownNameError for one that is not in the merged table, ParameterError above 12."""
    hems = [str(hem) for hem in report.merged.columns]
    if len(view.margin_hems) > MOST_MARGINS:
        raise ParameterError(f"HEMs: {len(view.margin_hems)} are chosen; at most {MOST_MARGINS} margins fit a picture. Remove some.")
    return [_known(hem, hems, "HEMs") for hem in view.margin_hems] or hems[:_FIRST_MARGINS]


def _known(hem: str, hems: Sequence[str], field: str) -> str:
    if hem not in hems:
        raise UnknownNameError(f"{field}: {hem!r} is not in the merged table; it may have been left out. Choose another, or raise dep_lvl.")
    return hem


def matrices(report: MergeReport) -> list[str]:
    """The values of MergeView.matrix that can be shown."""
    return ["merged", "measured", "minus measured", *(["minus truth"] if report.truth is not None else [])]
