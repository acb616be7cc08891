"""The analyses of unseen programs: errors, intervals, cost shares, and models for a what-if."""

from hemcore.analysis import Analysis
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction import headline, headline_change
from hemcore.prediction.evaluate.by_program import (
    Evaluation,
    Fold,
    first_folds,
    fold,
    folds_in_turn,
    gathered,
    programs_to_hold_out,
    scores_so_far,
)
from hemcore.prediction.evaluate.cycle_costs import CostStack, cost_stack
from hemcore.prediction.evaluate.leakage import Leak, LeakFold, gathered_leak, leak_fold, leak_folds
from hemcore.prediction.evaluate.prediction_intervals import Intervals, ProgramIntervals, gathered_intervals, program_intervals
from hemcore.prediction.evaluate.scenarios import WhatIf, what_if
from hemcore.prediction.models.trained_models import FittedModels, TrainedPart, gathered_models, trained_part, training_parts
from hemcore.prediction.params import PredictionParams

_ROWS = ("target", "counters", "form", "granularity", "load", "train_granularity", "train_load", "group", "most_phases")

_CHANGE = ("change", "scope", "start", "start_phase", "together")


def every_granularity(table: PhaseTable, params: PredictionParams) -> list[PredictionParams]:
    """The parameters of each fold: every program at every granularity that has the load."""
    load = params.load or table.loads[0]
    read = table.frame.loc[table.frame["load"] == load, "granularity"].unique()
    pieces = []
    for granularity in (each for each in table.granularities if each in read):
        changed = params.but(granularity=str(granularity), load=load)
        try:
            pieces += folds_in_turn(table, changed)
        except ParameterError:
            if len(read) == 1:
                raise
    if not pieces:
        raise ParameterError("Phases: no granularity has two programs. Add at least one more, to train on one and predict the other.")
    return pieces


FOLD: Analysis[PhaseTable, PredictionParams, Fold] = Analysis(
    name="prediction.fold",
    title="prediction of one program",
    params=PredictionParams,
    reads=(*_ROWS, "models", "held_out", "part"),
    added=("part",),
    compute=fold,
)
EVALUATION: Analysis[PhaseTable, PredictionParams, Evaluation] = Analysis(
    name="prediction.evaluation",
    title="prediction of unseen programs",
    params=PredictionParams,
    reads=(*_ROWS, "models"),
    part=FOLD,
    parts=folds_in_turn,
    gather=gathered,
    so_far=scores_so_far,
    at_once=first_folds,
    gives="phases",
    named_by=("target", "granularity", "load"),
    cards=headline.cards,
    verdict=headline.verdict,
)
GRANULARITIES: Analysis[PhaseTable, PredictionParams, Evaluation] = Analysis(
    name="prediction.granularities",
    title="errors at every granularity",
    params=PredictionParams,
    reads=tuple(name for name in (*_ROWS, "models") if name not in ("granularity", "train_granularity")),
    part=FOLD,
    parts=every_granularity,
    gather=gathered,
    gives="summary",
    named_by=("target", "load"),
)
PROGRAM_INTERVALS: Analysis[PhaseTable, PredictionParams, ProgramIntervals] = Analysis(
    name="prediction.program_intervals",
    title="prediction intervals of one program",
    params=PredictionParams,
    reads=(*_ROWS, "model", "seed", "held_out"),
    compute=program_intervals,
)
INTERVALS: Analysis[PhaseTable, PredictionParams, Intervals] = Analysis(
    name="prediction.intervals",
    title="prediction intervals",
    params=PredictionParams,
    reads=(*_ROWS, "model", "seed"),
    part=PROGRAM_INTERVALS,
    parts=programs_to_hold_out,
    gather=gathered_intervals,
    gives="phases",
    named_by=("target", "model"),
    cards=headline.interval_cards,
    verdict=headline.interval_verdict,
)
COST_STACK: Analysis[PhaseTable, PredictionParams, CostStack] = Analysis(
    name="prediction.cost_stack",
    title="where the cycles go",
    params=PredictionParams,
    reads=("target", "counters", "granularity", "load", "group", "most_phases", "n_bootstrap", "seed"),
    compute=cost_stack,
    repeats=("n_bootstrap",),
    gives="programs",
    named_by=("target", "granularity", "load"),
    cards=headline.stack_cards,
    verdict=headline.stack_verdict,
)
LEAK_FOLD: Analysis[PhaseTable, PredictionParams, LeakFold] = Analysis(
    name="prediction.leak_fold",
    title="rows left out together",
    params=PredictionParams,
    reads=(*_ROWS, "seed", "part"),
    compute=leak_fold,
)
LEAK: Analysis[PhaseTable, PredictionParams, Leak] = Analysis(
    name="prediction.leak",
    title="shuffled rows against programs left out",
    params=PredictionParams,
    reads=(*_ROWS, "seed"),
    part=LEAK_FOLD,
    parts=leak_folds,
    gather=gathered_leak,
    gives="scores",
)
MODELS_PART: Analysis[PhaseTable, PredictionParams, TrainedPart] = Analysis(
    name="prediction.models_part",
    title="models with or without some programs",
    params=PredictionParams,
    reads=(*_ROWS, "models", "held_out", "part"),
    compute=trained_part,
)
MODELS_READY: Analysis[PhaseTable, PredictionParams, FittedModels] = Analysis(
    name="prediction.models_ready",
    title="trained models",
    params=PredictionParams,
    reads=(*_ROWS, "models", "held_out"),
    part=MODELS_PART,
    parts=training_parts,
    gather=gathered_models,
    gives="summary",
)
WHAT_IF: Analysis[PhaseTable, PredictionParams, WhatIf] = Analysis(
    name="prediction.what_if",
    title="what if a phase had other counts",
    params=PredictionParams,
    reads=(*MODELS_READY.reads, "kept", *_CHANGE),
    added=_CHANGE,
    inputs=(MODELS_READY,),
    compute=what_if,
    gives="summary",
    named_by=("target", "held_out"),
    cards=headline_change.change_cards,
    verdict=headline_change.change_verdict,
)
