"""What the tabs of a comparison show beside the changes: correlations that changed, counts that contradict each other, jobs."""

from typing import TypeVar

from hemcore.analysis import Analysis, AnyAnalysis, Progress
from hemcore.compare.analysis import before_table, for_kind, two_run_sets
from hemcore.compare.contradictions import Contradictions, contradictions_of
from hemcore.compare.matched_jobs import JobChanges, changes_of_jobs
from hemcore.compare.matched_jobs.job_partners import asked_by_jobs
from hemcore.compare.params import ADDED, CompareParams
from hemcore.compare.relations import Relations, relations_of
from hemcore.compare.run_sets import Compared, of_program, one_run, run_set_of
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import TableError

TableT = TypeVar("TableT", Subexperiments, CounterSeries, PhaseTable, SignatureTable)


def _relations(table: Compared, params: CompareParams) -> Relations:
    return relations_of(*two_run_sets(table, params), params)


def _contradictions(table: Compared, params: CompareParams) -> Contradictions:
    after = run_set_of(of_program(table, params.among))
    if not params.before:
        return contradictions_of([after], [""])
    return contradictions_of([run_set_of(of_program(before_table(params), params.among)), after], ["before", "after"])


def _jobs(table: SignatureTable, params: CompareParams, progress: Progress | None = None) -> JobChanges:
    """Of `params.before`, or the first half of the rows, and `table`, or the second half."""
    if params.before:
        before = before_table(params)
        if not isinstance(before, SignatureTable):
            raise TableError("compare: before holds no signatures. Choose two datasets of one kind.")
        return changes_of_jobs(before, table, params)
    middle = len(table.frame) // 2
    if not middle:
        raise one_run()
    halves = SignatureTable(frame=table.frame.iloc[:middle]), SignatureTable(frame=table.frame.iloc[middle:])
    return changes_of_jobs(*halves, params)


def _related(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, Relations]:
    return Analysis(
        name=f"compare.{name}_relations",
        title="Relations",
        params=CompareParams,
        reads=("before", "among", "paired", "seed"),
        added=ADDED,
        compute=for_kind(kind, _relations),
        gives="table",
    )


def _contradicted(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, Contradictions]:
    return Analysis(
        name=f"compare.{name}_contradictions",
        title="Contradictions",
        params=CompareParams,
        reads=("before", "among"),
        added=ADDED,
        compute=for_kind(kind, _contradictions),
        gives="table",
    )


JOBS: Analysis[SignatureTable, CompareParams, JobChanges] = Analysis(
    name="compare.signatures_jobs",
    title="Jobs before and after",
    params=CompareParams,
    reads=("before", "processor", "statistic", "seed"),
    added=ADDED,
    compute=_jobs,
    asks=asked_by_jobs,
    gives="table",
)
# By kind of table, in the order of analysis.COMPARISONS.
RELATIONS: tuple[AnyAnalysis, ...] = (
    _related("runs", Subexperiments),
    _related("series", CounterSeries),
    _related("phases", PhaseTable),
    _related("signatures", SignatureTable),
)
CONTRADICTIONS: tuple[AnyAnalysis, ...] = (
    _contradicted("runs", Subexperiments),
    _contradicted("series", CounterSeries),
    _contradicted("phases", PhaseTable),
    _contradicted("signatures", SignatureTable),
)
