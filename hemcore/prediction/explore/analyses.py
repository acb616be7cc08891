"""The analyses that explore phases: correlations, projections, and which phases to measure."""

from hemcore.analysis import Analysis
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import HemError
from hemcore.prediction.explore import headline as headline
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.representative_phases import MOST_ROWS, STARTS
from hemcore.prediction.explore.results import (
    CellCorrelations,
    Explored,
    MeasuredPhases,
    MeasuredPrograms,
    MeasuringCurve,
    PhaseCorrelations,
    PhaseProjection,
)
from hemcore.prediction.explore.views import (
    NUMBERS,
    SEEDS,
    cells,
    correlations,
    curve,
    explored,
    measured_phases,
    measured_programs,
    projection,
)
from hemcore.prediction.phase_rows import keys_of, select_phases


def _rows(table: PhaseTable, params: ExploreParams) -> int:
    try:
        return len(select_phases(table, params).rows)
    except HemError:  # reported when the analysis runs
        return 0


def _seconds_of_pairs(rows: int, pairs: float, params: ExploreParams) -> float:
    each = {"pearson": 1e-8, "spearman": 4e-8, "kendall": 3e-7}[params.method]
    return each * rows * pairs


def _seconds_of_correlations(table: PhaseTable, params: ExploreParams) -> float:
    k = len(table.counters)
    return _seconds_of_pairs(_rows(table, params), k * k / 2 if params.method == "kendall" else k, params)


def _seconds_of_cells(table: PhaseTable, params: ExploreParams) -> float:
    return _seconds_of_pairs(len(table.frame), 2 * len(table.counters), params)


def _seconds_of_projection(table: PhaseTable, params: ExploreParams) -> float:
    return 3e-8 * len(table.frame) * len(table.counters)


def _seconds_of_fits(phases: float, fits: float) -> float:
    """Seconds for one program: all distances, and k-medoids from each start."""
    used = min(phases, MOST_ROWS)
    return 1e-3 + 3e-8 * used**2 + fits * (3e-4 + STARTS * (5e-5 + 1.5e-8 * used**2))


def _program_size(table: PhaseTable, params: ExploreParams) -> float:
    return _rows(table, params) / max(1, len(keys_of(table).programs))


def _seconds_of_programs(table: PhaseTable, params: ExploreParams) -> float:
    return len(keys_of(table).programs) * _seconds_of_fits(_program_size(table, params), SEEDS)


def _seconds_of_curve(table: PhaseTable, params: ExploreParams) -> float:
    return _seconds_of_fits(_program_size(table, params), len(NUMBERS) * SEEDS)


_WHICH = ("target", "granularity", "load")

CORRELATE: Analysis[PhaseTable, ExploreParams, PhaseCorrelations] = Analysis(
    name="prediction.correlate",
    title="correlations of counters",
    params=ExploreParams,
    reads=(*_WHICH, "method"),
    compute=correlations,
    seconds=_seconds_of_correlations,
    gives="pairs",
    named_by=("granularity", "load", "method"),
    cards=headline.correlation_cards,
    verdict=headline.correlation_verdict,
)
CELLS: Analysis[PhaseTable, ExploreParams, CellCorrelations] = Analysis(
    name="prediction.cells",
    title="correlations at every granularity and load",
    params=ExploreParams,
    reads=("target", "method"),
    compute=cells,
    seconds=_seconds_of_cells,
    gives="known",
    named_by=("method",),
)
PROJECT: Analysis[PhaseTable, ExploreParams, PhaseProjection] = Analysis(
    name="prediction.project",
    title="principal components of phases",
    params=ExploreParams,
    reads=("granularity", "load", "scale", "all_loads"),
    compute=projection,
    seconds=_seconds_of_projection,
    gives="scores",
    named_by=("granularity", "load", "scale"),
)
REPRESENT: Analysis[PhaseTable, ExploreParams, MeasuredPrograms] = Analysis(
    name="prediction.represent",
    title="measuring five phases of each program",
    params=ExploreParams,
    reads=(*_WHICH, "seed"),
    compute=measured_programs,
    seconds=_seconds_of_programs,
    gives="programs",
    named_by=("granularity", "load"),
    cards=headline.measured_cards,
    verdict=headline.measured_verdict,
)
CURVE: Analysis[PhaseTable, ExploreParams, MeasuringCurve] = Analysis(
    name="prediction.curve",
    title="error against number of measured phases",
    params=ExploreParams,
    reads=(*_WHICH, "program", "seed"),
    compute=curve,
    seconds=_seconds_of_curve,
    gives="curve",
    named_by=("program",),
)
MEASURE: Analysis[PhaseTable, ExploreParams, MeasuredPhases] = Analysis(
    name="prediction.measure",
    title="which phases to measure",
    params=ExploreParams,
    reads=(*_WHICH, "program", "n_measured", "seed"),
    inputs=(CURVE,),
    optional=(REPRESENT,),
    compute=measured_phases,
    gives="measured",
    named_by=("program", "n_measured"),
    cards=headline.phases_cards,
    verdict=headline.phases_verdict,
)
EXPLORE: Analysis[PhaseTable, ExploreParams, Explored] = Analysis(
    name="prediction.explore",
    title="exploring phases",
    params=ExploreParams,
    reads=(*_WHICH, "method", "seed"),
    inputs=(CORRELATE,),
    optional=(REPRESENT,),
    compute=explored,
    gives="against",
    named_by=("granularity", "load", "method"),
    cards=headline.explored_cards,
    verdict=headline.explored_verdict,
)
