"""What the tabs of a comparison show beside the changes: the correlations that changed, and counts that contradict each other."""

from typing import TypeVar

from hemcore.analysis import Analysis, AnyAnalysis
from hemcore.compare.analysis import before_table, for_kind, two_run_sets
from hemcore.compare.contradictions import Contradictions, contradictions_of
from hemcore.compare.params import CompareParams
from hemcore.compare.relations import Relations, relations_of
from hemcore.compare.run_sets import Compared, run_set_of
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments

TableT = TypeVar("TableT", Subexperiments, CounterSeries, PhaseTable, SignatureTable)


def _relations(table: Compared, params: CompareParams) -> Relations:
    return relations_of(*two_run_sets(table, params), params)


def _contradictions(table: Compared, params: CompareParams) -> Contradictions:
    after = run_set_of(table)
    if not params.before:
        return contradictions_of([after], [""])
    return contradictions_of([run_set_of(before_table(params)), after], ["before", "after"])


def _related(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, Relations]:
    return Analysis(
        name=f"compare.{name}_relations",
        title="Relations",
        params=CompareParams,
        reads=("before", "paired", "seed"),
        compute=for_kind(kind, _relations),
        gives="table",
    )


def _contradicted(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, Contradictions]:
    return Analysis(
        name=f"compare.{name}_contradictions",
        title="Contradictions",
        params=CompareParams,
        reads=("before",),
        compute=for_kind(kind, _contradictions),
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
