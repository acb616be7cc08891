"""The analyses of two sets of runs: the replicates, which take the time, and the comparison, which reads them at a level and a rate."""

from collections.abc import Callable
from typing import Any, Concatenate, TypeVar

from hemcore.analysis import Analysis, AnyAnalysis, Progress
from hemcore.compare.headline import cards, verdict
from hemcore.compare.kept_hems import keeps_of
from hemcore.compare.params import ADDED, FIELDS, REPLICATE_FIELDS, CompareParams
from hemcore.compare.replicates import replicates_of
from hemcore.compare.results import Comparison, Replicates
from hemcore.compare.run_sets import Compared, RunSet, of_program, run_set_of
from hemcore.compare.two_sets import comparison_of
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError

TableT = TypeVar("TableT", Subexperiments, CounterSeries, PhaseTable, SignatureTable)
ResultT = TypeVar("ResultT")


def before_table(params: CompareParams) -> Compared:
    """The table of the dataset `params.before`. Raises ParameterError if none is chosen or it holds no readings, and as library.load."""
    if not params.before:
        raise ParameterError("before: none is chosen. Choose the dataset with the earlier runs, of the same kind.")
    return readings_of("before", params.before)


def readings_of(field: str, dataset: str) -> Compared:
    """The table of `dataset`, named by the parameter `field`. Raises ParameterError if it holds no readings, and as library.load."""
    table: Table = library.load(dataset)
    if not isinstance(table, Subexperiments | CounterSeries | PhaseTable | SignatureTable):
        raise ParameterError(f"{field}: {dataset[:60]!r} holds no readings. Choose a dataset of the same kind.")
    return table


def two_run_sets(table: Compared, params: CompareParams) -> tuple[RunSet, RunSet]:
    """The runs before and after, of the program chosen: of `params.before` and of `table`, or the halves of `table` if none is chosen."""
    after = run_set_of(of_program(table, params.among))
    return (run_set_of(of_program(before_table(params), params.among)), after) if params.before else after.halves()


def for_kind(
    kind: type[TableT], answer: Callable[Concatenate[Compared, CompareParams, ...], ResultT]
) -> Callable[Concatenate[TableT, CompareParams, Progress | None, ...], ResultT]:
    """`answer` as the computation of an analysis of tables of `kind`, whose annotation says so."""

    def compute(table: TableT, params: CompareParams, progress: Progress | None = None, *taken: Any) -> ResultT:
        return answer(table, params, *taken)

    compute.__annotations__["table"] = kind
    return compute


def _replicates(table: Compared, params: CompareParams) -> Replicates:
    before, after = two_run_sets(table, params)
    return replicates_of(before, after, params, halves=not params.before)


def _comparison(table: Compared, params: CompareParams, found: Replicates) -> Comparison:
    return comparison_of(found, params)


def _drawn(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, Replicates]:
    return Analysis(
        name=f"compare.{name}_replicates",
        title="Replicates",
        params=CompareParams,
        reads=REPLICATE_FIELDS,
        added=ADDED,
        compute=for_kind(kind, _replicates),
        gives="rows",
    )


def _compared(
    name: str, kind: type[TableT], replicates: Analysis[TableT, CompareParams, Replicates]
) -> Analysis[TableT, CompareParams, Comparison]:
    return Analysis(
        name=f"compare.{name}",
        title="Comparison",
        params=CompareParams,
        # The processor is that of the jobs' classes: a report's item and the Python keep it.
        reads=(*FIELDS, "processor") if kind is SignatureTable else FIELDS,
        added=(*ADDED, "between"),
        compute=for_kind(kind, _comparison),
        inputs=(replicates,),
        gives="table",
        named_by=("before",),
        keeps=keeps_of(kind),
        cards=cards,
        verdict=verdict,
    )


RUNS_REPLICATES = _drawn("runs", Subexperiments)
SERIES_REPLICATES = _drawn("series", CounterSeries)
PHASES_REPLICATES = _drawn("phases", PhaseTable)
SIGNATURES_REPLICATES = _drawn("signatures", SignatureTable)
COMPARE_RUNS = _compared("runs", Subexperiments, RUNS_REPLICATES)
COMPARE_SERIES = _compared("series", CounterSeries, SERIES_REPLICATES)
COMPARE_PHASES = _compared("phases", PhaseTable, PHASES_REPLICATES)
COMPARE_SIGNATURES = _compared("signatures", SignatureTable, SIGNATURES_REPLICATES)
# By kind of table, in this order.
REPLICATES: tuple[AnyAnalysis, ...] = (RUNS_REPLICATES, SERIES_REPLICATES, PHASES_REPLICATES, SIGNATURES_REPLICATES)
COMPARISONS: tuple[AnyAnalysis, ...] = (COMPARE_RUNS, COMPARE_SERIES, COMPARE_PHASES, COMPARE_SIGNATURES)
