"""The analyses of three or more sets in order: their levels, which take the time, and the courses, at a level and a rate."""

from typing import TypeVar

from hemcore.analysis import Analysis, AnyAnalysis
from hemcore.compare.analysis import for_kind, readings_of
from hemcore.compare.params import ADDED, REPLICATE_FIELDS, CompareParams
from hemcore.compare.releases.course_changes import Releases, asked_by_courses, releases_of
from hemcore.compare.releases.course_headline import NEWEST, cards, verdict
from hemcore.compare.releases.levels_of_sets import SetLevels, set_levels
from hemcore.compare.run_sets import Compared, RunSet, of_program, run_set_of
from hemcore.datasets.shelf import library
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError

TableT = TypeVar("TableT", Subexperiments, CounterSeries, PhaseTable, SignatureTable)
# Without sets before, the runs in so many parts of their order.
_PARTS = 6


def sets_in_order(table: Compared, params: CompareParams) -> dict[str, RunSet]:
    """The sets by name: before, those between, and `table` last; without any, the runs of `table` in six parts.

    Raises ParameterError if sets between are given without one before, and as library.load.
    """
    between = [each.strip() for each in params.between.split(";") if each.strip()]
    last = run_set_of(of_program(table, params.among))
    if not params.before:
        if between:
            raise ParameterError("between: sets between are chosen, but none before. Choose the first set as before.")
        return {f"part {number}": part for number, part in enumerate(last.parts(_PARTS), start=1)}
    found: dict[str, RunSet] = {}
    for field, dataset in (("before", params.before), *(("between", each) for each in between)):
        _add(found, library.name_of(dataset), run_set_of(of_program(readings_of(field, dataset), params.among)))
    _add(found, NEWEST, last)
    return found


def _add(found: dict[str, RunSet], name: str, runs: RunSet) -> None:
    """Under a name of its own: names of datasets may repeat."""
    number, label = 1, name
    while label in found:
        number += 1
        label = f"{name} ({number})"
    found[label] = runs


def _levels(table: Compared, params: CompareParams) -> SetLevels:
    return set_levels(sets_in_order(table, params), params)


def _courses(table: Compared, params: CompareParams, levels: SetLevels) -> Releases:
    return releases_of(levels, params)


def _levelled(name: str, kind: type[TableT]) -> Analysis[TableT, CompareParams, SetLevels]:
    return Analysis(
        name=f"compare.{name}_set_levels",
        title="Levels of sets",
        params=CompareParams,
        reads=(*REPLICATE_FIELDS, "between"),
        added=ADDED,
        compute=for_kind(kind, _levels),
        gives="table",
    )


def _followed(
    name: str, kind: type[TableT], levels: Analysis[TableT, CompareParams, SetLevels]
) -> Analysis[TableT, CompareParams, Releases]:
    return Analysis(
        name=f"compare.{name}_releases",
        title="Courses over sets",
        params=CompareParams,
        reads=(*REPLICATE_FIELDS, "between", "level", "rate"),
        added=ADDED,
        compute=for_kind(kind, _courses),
        inputs=(levels,),
        asks=asked_by_courses,
        gives="changes",
        named_by=("before",),
        cards=cards,
        verdict=verdict,
    )


_RUNS, _SERIES = _levelled("runs", Subexperiments), _levelled("series", CounterSeries)
_PHASES, _SIGNATURES = _levelled("phases", PhaseTable), _levelled("signatures", SignatureTable)
# By kind of table, in the order of analysis.COMPARISONS.
SET_LEVELS: tuple[AnyAnalysis, ...] = (_RUNS, _SERIES, _PHASES, _SIGNATURES)
RELEASES: tuple[AnyAnalysis, ...] = (
    _followed("runs", Subexperiments, _RUNS),
    _followed("series", CounterSeries, _SERIES),
    _followed("phases", PhaseTable, _PHASES),
    _followed("signatures", SignatureTable, _SIGNATURES),
)
