"""The headline figures of a merge: first its error, then its fit to the measured pairs."""

import numpy as np

from hemcore.headline import Card, amount
from hemcore.merge.outlier_words import outlier_card, short_name
from hemcore.merge.params import MuchParams
from hemcore.merge.results import MergeReport


def cards(report: MergeReport) -> list[Card]:
    """The headline figures of a merge."""
    n_merged, worst = report.merged.shape[1], report.worst
    outliers = [outlier_card(report.outliers)] if report.outliers is not None and report.outliers.matters else []
    return [
        _error_card(report),
        Card(
            label="HEMs merged",
            value=n_merged,
            text=f"{n_merged} of {report.n_hems}",
            note=f"{report.n_hems - n_merged} left out",
            help="HEM: hardware event monitor, one counted event."
            + (" HEMs whose r with a kept HEM exceeds dep_lvl are left out." if isinstance(report.params, MuchParams) else ""),
        ),
        Card(
            label="Merged runs",
            value=len(report.merged),
            note=f"from {report.n_subexperiments} subexperiment{'' if report.n_subexperiments == 1 else 's'}",
            help="Rows of the merged table. Each row stands for one run in which all HEMs were read.",
        ),
        Card(
            label="Correlation MSE",
            value=None if np.isnan(report.mse) else report.mse,
            form=".2g",
            note="fit to the measured pairs",
            help="Mean squared difference between the correlations of the merged table and those of the pairs read together."
            " It measures the fit to the readings, not the distance from the truth.",
            better="lower",
        ),
        Card(
            label="Worst pair, |Δr|",
            value=None if worst is None else abs(worst[2]),
            form=".2g",
            note="no pair has a measured correlation" if worst is None else f"{short_name(worst[0])} with {short_name(worst[1])}",
            help="The pair of HEMs whose merged correlation is furthest from the measured one.",
            better="lower",
        ),
        *outliers,
    ]


def _error_card(report: MergeReport) -> Card:
    """The error against the truth; where that is not known, the standard error of a measured correlation."""
    truth, noise = report.truth, report.noise
    if truth is not None:
        return Card(
            label="MSE against the truth",
            value=truth.mse,
            form=".2g",
            note=f"{amount(truth.noise, 2)} is sampling noise",
            help=f"Mean squared difference between the correlations of the merged table and those of {truth.n_runs:,} further runs that"
            " read all HEMs together. Sampling noise: the difference expected if all HEMs had been read together in as many runs as each"
            " pair was.",
            better="lower",
        )
    together, pairs = report.pairs_read_together
    known = bool(np.isfinite(noise))
    return Card(
        label="Error of measured r",
        value=noise if known else None,
        form=".2g",
        text=f"±{amount(noise, 2)}" if known else "",
        note=f"sampling noise, {together:,} of {pairs:,} pairs" if known else "no pair has a measured correlation",
        help="The typical standard error of a measured correlation: how much it would differ in other runs."
        " The truth is not known for these readings; no merge can be more accurate than this.",
        better="lower",
    )
