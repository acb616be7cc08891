"""The metrics of runs that read all HEMs together, where the dataset has some: what intervals from subexperiments are checked against."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

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


def truth_sentence(rows: pd.DataFrame, runs: int) -> str:
    """How many of the intervals of `rows` (metric_intervals with a column `truth`) hold the truth; "" if none is known.

    runs: how many runs the truth is from.
    """
    known = rows[rows["truth"].notna() & rows["low"].notna()] if "truth" in rows.columns else rows.head(0)
    if not len(known):
        return ""
    held = int(known["truth"].between(known["low"], known["high"]).sum())
    source = f"{runs:,} other runs that read all HEMs together"
    return f"{held:,} of {counted_noun(len(known), 'interval')} hold the truth, which is from {source} and is itself an estimate."
