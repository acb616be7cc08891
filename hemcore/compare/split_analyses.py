"""The change split into parts that sum to it: into phases of programs, and, for cycles, into events."""

from hemcore.analysis import Analysis, AnyAnalysis, Progress
from hemcore.compare.analysis import before_table
from hemcore.compare.cycle_waterfall import Waterfall, asked_by_waterfall, waterfall_of
from hemcore.compare.params import ADDED, CompareParams
from hemcore.compare.run_sets import of_program
from hemcore.compare.stages.asked_cuts import asked_by_phases, joint_cut
from hemcore.compare.stages.program_runs import halved, programs_of
from hemcore.compare.stages.stage_changes import StageChanges, stage_changes_of
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import TableError


def _phases(table: CounterSeries | PhaseTable, params: CompareParams, progress: Progress | None = None) -> StageChanges:
    after = programs_of(_own(table, params))
    if not params.before:
        return stage_changes_of(*halved(after), params, joint_cut, progress)
    before = before_table(params)
    if not isinstance(before, CounterSeries | PhaseTable) or type(before) is not type(table):
        raise TableError(f"phases: before is a {type(before).__name__}, after a {type(table).__name__}. Choose two datasets of one kind.")
    return stage_changes_of(programs_of(_own(before, params)), after, params, joint_cut, progress)


def _own(table: CounterSeries | PhaseTable, params: CompareParams) -> CounterSeries | PhaseTable:
    own = of_program(table, params.among)
    assert isinstance(own, CounterSeries | PhaseTable)
    return own


def _phases_of_series(table: CounterSeries, params: CompareParams, progress: Progress | None = None) -> StageChanges:
    return _phases(table, params, progress)


def _phases_of_phases(table: PhaseTable, params: CompareParams, progress: Progress | None = None) -> StageChanges:
    return _phases(table, params, progress)


def _waterfall(table: PhaseTable, params: CompareParams, progress: Progress | None = None) -> Waterfall:
    if not params.before:
        raise TableError("before: none is chosen, and cycles need two sets. Choose the dataset with the earlier runs.")
    before = before_table(params)
    if not isinstance(before, PhaseTable):
        raise TableError("before: it holds no phases. Choose a dataset of the same kind.")
    return waterfall_of(before, table, params)


PHASES_OF_SERIES: Analysis[CounterSeries, CompareParams, StageChanges] = Analysis(
    name="compare.series_stages",
    title="Phases before and after",
    params=CompareParams,
    reads=("before", "among", "paired"),
    added=ADDED,
    compute=_phases_of_series,
    asks=asked_by_phases,
    gives="table",
)
PHASES_OF_PHASES: Analysis[PhaseTable, CompareParams, StageChanges] = Analysis(
    name="compare.phases_stages",
    title="Phases before and after",
    params=CompareParams,
    reads=("before", "among", "paired"),
    added=ADDED,
    compute=_phases_of_phases,
    asks=asked_by_phases,
    gives="table",
)
WATERFALL: Analysis[PhaseTable, CompareParams, Waterfall] = Analysis(
    name="compare.phases_waterfall",
    title="Cycles before and after",
    params=CompareParams,
    reads=("before", "among", "seed"),
    added=ADDED,
    compute=_waterfall,
    asks=asked_by_waterfall,
    gives="table",
)
SPLITS: tuple[AnyAnalysis, ...] = (PHASES_OF_SERIES, PHASES_OF_PHASES, WATERFALL)
