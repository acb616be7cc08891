"""HRM, MUCH and the copula merge: subexperiments -> one table.

HRM and MUCH, and the names of their functions, follow the vignette of the R package mergingTools 1.0.1 (Barcelona Supercomputing Center,
https://CRAN.R-project.org/package=mergingTools), below "BSC, mergingTools vignette".
"""

from collections.abc import Callable

from hemcore.callable_room import make_callable
from hemcore.datasets.readers.hem_columns import hem_names, propose_n_pmcs
from hemcore.datasets.readers.raw_experiments import (
    RawExperiments,
    process_raw_experiments,
    split_raw_experiments,
    subexperiments_from_frames,
)
from hemcore.merge.connected import connected_components
from hemcore.merge.copula.copula_table import MergeResult, copula_merge, merge_copula
from hemcore.merge.hrm_table import HrmResult, hrm_merge, merge_hrm
from hemcore.merge.much.gaussian import MvgParams, generate_mvg_params
from hemcore.merge.much.independent import dep_lvl_path, dependent_hems, get_independent_matrix
from hemcore.merge.much.much_table import MuchResult, merge_much, much_merge
from hemcore.merge.much.pair_completion import Completion, completion
from hemcore.merge.much.simulate import simulate_and_merge
from hemcore.merge.pair_correlation import correlation_matrix, pair_readings
from hemcore.merge.params import CopulaParams, HrmParams, MergeParams, MuchParams
from hemcore.merge.trust.correlation_intervals import measured_intervals
from hemcore.merge.trust.half_quality import MergeQuality, merge_quality
from hemcore.merge.trust.subexperiment_agreement import Agreement, agreement

__all__ = [
    "Agreement",
    "Completion",
    "CopulaParams",
    "HrmParams",
    "HrmResult",
    "MergeParams",
    "MergeQuality",
    "MergeResult",
    "MuchParams",
    "MuchResult",
    "MvgParams",
    "RawExperiments",
    "agreement",
    "completion",
    "connected_components",
    "copula_merge",
    "correlation_matrix",
    "dep_lvl_path",
    "dependent_hems",
    "generate_mvg_params",
    "get_independent_matrix",
    "hem_names",
    "hrm_merge",
    "measured_intervals",
    "merge_copula",
    "merge_hrm",
    "merge_much",
    "merge_quality",
    "much_merge",
    "pair_readings",
    "process_raw_experiments",
    "propose_n_pmcs",
    "simulate_and_merge",
    "split_raw_experiments",
    "subexperiments_from_frames",
]


def _question() -> Callable[..., object]:
    from hemcore.front.questions import merge

    return merge


make_callable(__name__, _question)
