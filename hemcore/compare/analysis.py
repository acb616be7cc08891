"""The analyses of two sets of runs: the replicates, which take the time, and the comparison, which reads them at a level and a rate."""

from collections.abc import Callable
from typing import TypeVar

from hemcore.analysis import Analysis, Progress
from hemcore.compare.headline import cards, verdict
from hemcore.compare.params import FIELDS, REPLICATE_FIELDS, CompareParams
from hemcore.compare.replicates import replicates_of
from hemcore.compare.results import Comparison, Replicates
from hemcore.compare.run_sets import Compared, RunSet, run_set_of
from hemcore.compare.two_sets import comparison_of
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError

TableT = TypeVar("TableT", Subexperiments, CounterSeries, PhaseTable, SignatureTable)


def before_table(params: CompareParams) -> Compared:
    """The table of the dataset `params.before`. Raises ParameterError if none is chosen or it holds no readings, and as library.load."""
    if not params.before:
        raise ParameterError("before: none is chosen. Choose the dataset with the earlier runs, of the same kind.")
    table: Table = library.load(params.before)
    if not isinstance(table, Subexperiments | CounterSeries | PhaseTable | SignatureTable):
        raise ParameterError(f"before: {params.before[:60]!r} holds no readings. Choose a dataset of the same kind.")
    return table


def two_run_sets(table: Compared, params: CompareParams) -> tuple[RunSet, RunSet]:
    """The runs before and after: of `params.before` and of `table`, or the halves of `table` if none is chosen."""
    after = run_set_of(table)
    return (run_set_of(before_table(params)), after) if params.before else after.halves()


def _replicates(table: Compared, params: CompareParams) -> Replicates:
    before, after = two_run_sets(table, params)
    return replicates_of(before, after, params, halves=not params.before)


def replicates_of_runs(table: Subexperiments, params: CompareParams, progress: Progress | None = None) -> Replicates:
    """The replicates of subexperiments. Raises as `replicates_of` and `before_table`."""
    return _replicates(table, params)


def replicates_of_series(table: CounterSeries, params: CompareParams, progress: Progress | None = None) -> Replicates:
    """The replicates of the runs of a series. Raises as `replicates_of` and `before_table`."""
    return _replicates(table, params)


def replicates_of_phases(table: PhaseTable, params: CompareParams, progress: Progress | None = None) -> Replicates:
    """The replicates of whole runs, or of the totals of programs. Raises as `replicates_of` and `before_table`."""
    return _replicates(table, params)


def replicates_of_signatures(table: SignatureTable, params: CompareParams, progress: Progress | None = None) -> Replicates:
    """The replicates of jobs. Raises as `replicates_of` and `before_table`."""
    return _replicates(table, params)


def compared_runs(table: Subexperiments, params: CompareParams, progress: Progress | None, found: Replicates) -> Comparison:
    """The comparison of subexperiments."""
    return comparison_of(found, params)


def compared_series(table: CounterSeries, params: CompareParams, progress: Progress | None, found: Replicates) -> Comparison:
    """The comparison of the runs of a series."""
    return comparison_of(found, params)


def compared_phases(table: PhaseTable, params: CompareParams, progress: Progress | None, found: Replicates) -> Comparison:
    """The comparison of whole runs, or of programs."""
    return comparison_of(found, params)


def compared_signatures(table: SignatureTable, params: CompareParams, progress: Progress | None, found: Replicates) -> Comparison:
    """The comparison of jobs."""
    return comparison_of(found, params)


def _drawn(name: str, compute: Callable[..., Replicates]) -> Analysis[TableT, CompareParams, Replicates]:
    return Analysis(
        name=f"compare.{name}_replicates", title="Replicates", params=CompareParams, reads=REPLICATE_FIELDS, compute=compute, gives="rows"
    )


def _compared(
    name: str, compute: Callable[..., Comparison], replicates: Analysis[TableT, CompareParams, Replicates]
) -> Analysis[TableT, CompareParams, Comparison]:
    return Analysis(
        name=f"compare.{name}",
        title="Comparison",
        params=CompareParams,
        reads=FIELDS,
        compute=compute,
        inputs=(replicates,),
        gives="table",
        named_by=("before",),
        cards=cards,
        verdict=verdict,
    )


RUNS_REPLICATES: Analysis[Subexperiments, CompareParams, Replicates] = _drawn("runs", replicates_of_runs)
SERIES_REPLICATES: Analysis[CounterSeries, CompareParams, Replicates] = _drawn("series", replicates_of_series)
PHASES_REPLICATES: Analysis[PhaseTable, CompareParams, Replicates] = _drawn("phases", replicates_of_phases)
SIGNATURES_REPLICATES: Analysis[SignatureTable, CompareParams, Replicates] = _drawn("signatures", replicates_of_signatures)
COMPARE_RUNS: Analysis[Subexperiments, CompareParams, Comparison] = _compared("runs", compared_runs, RUNS_REPLICATES)
COMPARE_SERIES: Analysis[CounterSeries, CompareParams, Comparison] = _compared("series", compared_series, SERIES_REPLICATES)
COMPARE_PHASES: Analysis[PhaseTable, CompareParams, Comparison] = _compared("phases", compared_phases, PHASES_REPLICATES)
COMPARE_SIGNATURES: Analysis[SignatureTable, CompareParams, Comparison] = _compared(
    "signatures", compared_signatures, SIGNATURES_REPLICATES
)
