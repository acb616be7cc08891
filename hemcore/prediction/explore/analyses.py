"""The analyses that explore phases: correlations, projections, and which phases to measure."""

from hemcore.analysis import Analysis
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.explore import headline as headline
from hemcore.prediction.explore.headline_totals import totals_cards, totals_verdict
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.results import (
    CellCorrelations,
    Explored,
    MeasuredPhases,
    MeasuredPrograms,
    MeasuringCurve,
    PhaseCorrelations,
    PhaseProjection,
)
from hemcore.prediction.explore.total_errors import ProgramTotals, program_totals
from hemcore.prediction.explore.views import (
    cells,
    correlations,
    curve,
    explored,
    measured_phases,
    measured_programs,
    projection,
)

_WHICH = ("target", "granularity", "load")

CORRELATE: Analysis[PhaseTable, ExploreParams, PhaseCorrelations] = Analysis(
    name="prediction.correlate",
    title="correlations of counters",
    params=ExploreParams,
    reads=(*_WHICH, "method"),
    compute=correlations,
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
    gives="known",
    named_by=("method",),
)
PROJECT: Analysis[PhaseTable, ExploreParams, PhaseProjection] = Analysis(
    name="prediction.project",
    title="principal components of phases",
    params=ExploreParams,
    reads=("granularity", "load", "scale", "all_loads"),
    compute=projection,
    gives="scores",
    named_by=("granularity", "load", "scale"),
)
REPRESENT: Analysis[PhaseTable, ExploreParams, MeasuredPrograms] = Analysis(
    name="prediction.represent",
    title="measuring five phases of each program",
    params=ExploreParams,
    reads=(*_WHICH, "seed"),
    compute=measured_programs,
    gives="programs",
    named_by=("granularity", "load"),
    cards=headline.measured_cards,
    verdict=headline.measured_verdict,
)
TOTALS: Analysis[PhaseTable, ExploreParams, ProgramTotals] = Analysis(
    name="prediction.totals",
    title="how many phases are enough",
    params=ExploreParams,
    reads=(*_WHICH, "seed"),
    compute=program_totals,
    gives="curve",
    named_by=("granularity", "load"),
    cards=totals_cards,
    verdict=totals_verdict,
)
CURVE: Analysis[PhaseTable, ExploreParams, MeasuringCurve] = Analysis(
    name="prediction.curve",
    title="error against number of measured phases",
    params=ExploreParams,
    reads=(*_WHICH, "program", "seed"),
    compute=curve,
    gives="curve",
    named_by=("program",),
)
MEASURE: Analysis[PhaseTable, ExploreParams, MeasuredPhases] = Analysis(
    name="prediction.measure",
    title="which phases to measure",
    params=ExploreParams,
    reads=(*_WHICH, "program", "n_measured", "seed"),
    inputs=(CURVE,),
    optional=(REPRESENT, TOTALS),
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
    optional=(REPRESENT, TOTALS),
    compute=explored,
    gives="against",
    named_by=("granularity", "load", "method"),
    cards=headline.explored_cards,
    verdict=headline.explored_verdict,
)
