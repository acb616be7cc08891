"""The metrics of runs that read all HEMs together, where the dataset has some: what intervals from subexperiments are checked against."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import counted_noun
from hemcore.metrics.metric_values import evaluate


def true_values(
    definitions: MetricDefinitions, table: Subexperiments, names: Sequence[str], constants: Mapping[str, float] | None = None
) -> dict[str, float]:
    """By metric, its formula over the means of `table.truth`, without identities and metrics that have no value; empty without a truth."""
    if table.truth is None:
        return {}
    metrics = [name for name in names if not definitions.metrics[name].formula.is_identity]
    values = evaluate(definitions, table.truth.mean().to_frame().T, constants=constants, metrics=metrics).iloc[0]
    return {str(name): float(value) for name, value in values.items() if np.isfinite(value)}


def truth_sentence(rows: pd.DataFrame, truth_runs: int, runs: Mapping[str, int]) -> str:
    """How many of the 80% intervals of `rows` (metric_intervals with a column `truth`) hold the truth, and how many may be expected to;
    "" if none is known. The truth has an error too, whose variance is to that of the values about as a subexperiment's runs to truth_runs.

    truth_runs: how many runs the truth is from. runs: how many each subexperiment has.
    """
    known = rows[rows["truth"].notna() & rows["low"].notna()] if "truth" in rows.columns else rows.head(0)
    if not len(known):
        return ""
    held = int(known["truth"].between(known["low"], known["high"]).sum())
    expected = round(len(known) * (2 * ndtr(ndtri(0.9) / np.sqrt(1 + float(np.median(list(runs.values()))) / truth_runs)) - 1))
    return (
        f"{held:,} of {counted_noun(len(known), 'interval')} hold the truth; about {expected:,} are expected, since it is from"
        f" {truth_runs:,} other runs that read all HEMs together and is itself an estimate. Metrics that share events hold or miss"
        " together."
    )
