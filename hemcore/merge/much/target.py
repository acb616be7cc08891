"""Which HEMs MUCH merges, and with which correlations, after constant HEMs, unmeasured pairs and dependent HEMs are handled."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.errors import Remedy, TableError
from hemcore.merge.inputs import CompleteSubexperiments
from hemcore.merge.much.gaussian import MvgParams, generate_mvg_params
from hemcore.merge.much.independent import DROP_COLUMNS, dependent_hems, get_independent_matrix
from hemcore.merge.much.pair_completion import completion
from hemcore.merge.pair_correlation import correlation_matrix, readings_together
from hemcore.merge.params import MuchParams
from hemcore.merge.remedies import BY_ANCHOR, BY_COPULA

_PAIRS_SHOWN = 6
_COMPLETE = Remedy(label="Complete unmeasured pairs", choose={"unmeasured": "complete"})
_DROP = Remedy(label="Leave HEMs out", choose={"unmeasured": "drop"})


@dataclass(frozen=True, kw_only=True, eq=False)
class MuchTarget:
    """correlation: of the HEMs to merge. measured: of all HEMs, as read. Other fields: see `MuchResult`."""

    correlation: pd.DataFrame
    measured: pd.DataFrame
    pair_readings: pd.DataFrame
    dropped: pd.DataFrame
    completed: pd.DataFrame
    completable: bool
    mvg_params: MvgParams


def much_target(table: CompleteSubexperiments, params: MuchParams) -> MuchTarget:
    """Decide what to merge: leave out constant HEMs, then handle unmeasured pairs as `unmeasured` says, then apply dep_lvl.

    Raises TableError if every HEM is constant, or a pair was never read together and `unmeasured` is "error".
    """
    measured = correlation_matrix(table, outlier_zscore=params.zscore)
    together = readings_together(table)
    spread = generate_mvg_params(table, measured, outlier_zscore=params.zscore).sds
    constant = [hem for hem in measured.columns if not spread[hem] > 0]
    drops = [(hem, "", np.nan, "it never changes") for hem in constant]
    known = measured.drop(index=constant, columns=constant)
    if known.empty:
        raise TableError(
            f"no HEM changes from run to run once outliers are left out ({len(constant)} HEMs, at most {together.to_numpy().max()} runs "
            "each); MUCH needs HEMs that change. Add runs, or use HRM."
        )
    completed = pd.DataFrame(columns=["hem_a", "hem_b", "r"])
    unknown, completable = _unknown_pairs(known), True
    if unknown and params.unmeasured == "error":
        by_anchor = any(all(hem in frame.columns for frame in table.frames) for hem in table.hems)
        raise TableError(
            _unmeasured_message(unknown, together), remedies=(BY_COPULA, *((BY_ANCHOR,) if by_anchor else ()), _COMPLETE, _DROP)
        )
    if unknown and params.unmeasured == "drop":
        known, left_out = _without_unknown(known)
        drops += left_out
    if unknown and params.unmeasured == "complete":
        full = completion(known.to_numpy())
        known, completable = pd.DataFrame(full.matrix, index=known.index, columns=known.columns), full.exists
        completed = pd.DataFrame([(a, b, known.loc[a, b]) for a, b in unknown], columns=completed.columns)
    dependent = dependent_hems(known, params.dep_lvl, absolute=params.absolute)
    drops += [(*row, "r is above dep_lvl") for row in dependent.itertuples(index=False, name=None)]
    correlation = get_independent_matrix(known, params.dep_lvl, absolute=params.absolute)
    return MuchTarget(
        correlation=correlation,
        measured=measured,
        pair_readings=together,
        dropped=pd.DataFrame(drops, columns=[*DROP_COLUMNS, "why"]),
        completed=completed,
        completable=completable,
        mvg_params=generate_mvg_params(table, correlation, outlier_zscore=params.zscore),
    )


def _unknown_pairs(known: pd.DataFrame) -> list[tuple[str, str]]:
    hems = list(known.columns)
    return [(hems[a], hems[b]) for a, b in np.argwhere(np.isnan(known.to_numpy())) if a < b]


def _unmeasured_message(unknown: list[tuple[str, str]], together: pd.DataFrame) -> str:
    shown = ", ".join(f"{a!r} with {b!r} ({_reason(int(together[a].loc[b]))})" for a, b in unknown[:_PAIRS_SHOWN])
    more = f" and {len(unknown) - _PAIRS_SHOWN} more" if len(unknown) > _PAIRS_SHOWN else ""
    pairs = "pair of HEMs has" if len(unknown) == 1 else "pairs of HEMs have"
    return (
        f"unmeasured: {len(unknown)} {pairs} no measured correlation: {shown}{more}. MUCH needs every pair in some subexperiment. Read "
        "them together, merge with the copula, or choose unmeasured='complete' (fill them from the measured pairs) or 'drop' (leave "
        "HEMs out)."
    )


def _reason(runs: int) -> str:
    return "never read together" if runs == 0 else f"{runs} runs, but one never changes in them"


def _without_unknown(known: pd.DataFrame) -> tuple[pd.DataFrame, list[tuple[str, str, float, str]]]:
    """Leave out the HEM with the most unknown pairs (the last read, if equal) until no such pair is left."""
    drops: list[tuple[str, str, float, str]] = []
    while True:
        missing = np.isnan(known.to_numpy())
        per_hem = missing.sum(axis=1)
        if per_hem.max() == 0:
            return known, drops
        worst = len(per_hem) - 1 - int(per_hem[::-1].argmax())
        hem = known.columns[worst]
        drops.append((hem, known.columns[int(missing[worst].argmax())], np.nan, "never read together"))
        known = known.drop(index=hem, columns=hem)
