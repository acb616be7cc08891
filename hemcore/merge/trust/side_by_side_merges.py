"""All merges in one table, each merging all HEMs, for comparisons on the same readings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from hemcore.merge.copula.copula_table import copula_merge
from hemcore.merge.hrm_table import merge_hrm
from hemcore.merge.much.much_table import much_merge
from hemcore.merge.params import HrmParams

_N_SIMS = 100


@dataclass(frozen=True, kw_only=True)
class Method:
    """One merge. title: as shown. merge: (frames, n_runs) -> merged table; raises HemError if it cannot merge these frames."""

    title: str
    merge: Callable[[Sequence[pd.DataFrame], int], pd.DataFrame]


def _hrm(frames: Sequence[pd.DataFrame], n_runs: int) -> pd.DataFrame:
    return merge_hrm(frames, HrmParams()).merged


def _simulated(frames: Sequence[pd.DataFrame], n_runs: int) -> pd.DataFrame:
    return much_merge(frames, n_runs, _N_SIMS, 1.0, method="simulated", unmeasured="complete").merged


def _calibrated(frames: Sequence[pd.DataFrame], n_runs: int) -> pd.DataFrame:
    return much_merge(frames, n_runs, _N_SIMS, 1.0, unmeasured="complete").merged


def _copula(frames: Sequence[pd.DataFrame], n_runs: int) -> pd.DataFrame:
    return copula_merge(frames, n_runs).merged


METHODS = {
    "hrm": Method(title="HRM", merge=_hrm),
    "simulated": Method(title="MUCH, simulated as R does", merge=_simulated),
    "calibrated": Method(title="MUCH, calibrated", merge=_calibrated),
    "copula": Method(title="Copula", merge=_copula),
}
