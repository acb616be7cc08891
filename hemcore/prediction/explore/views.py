"""Correlations, projections and representative phases of a phase table, as the page and the report show them."""

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.explore.correlations import correlate, correlate_with
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.principal_components import project
from hemcore.prediction.explore.representative_phases import PhaseSpace, error_of, random_error, space_of
from hemcore.prediction.explore.results import (
    CellCorrelations,
    Explored,
    MeasuredPhases,
    MeasuredPrograms,
    MeasuringCurve,
    PhaseCorrelations,
    PhaseProjection,
)
from hemcore.prediction.explore.total_errors import ProgramTotals
from hemcore.prediction.phase_rows import PhaseSelection, counts_of, keys_of, programs_of, select_phases, varied_program, within

SEEDS = 5
NUMBERS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
_COMPONENTS = 3
_DRAWS = 25
_MOST_SEEDED = 2**31


def correlations(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> PhaseCorrelations:
    """Correlations of every two counters over the phases of one granularity and load. Raises as select_phases does."""
    selection = select_phases(table, params)
    _report(progress, f"correlations of {len(selection.rows):,} phases")
    found = correlate(counts_of(table, selection.rows), method=params.method, progress=progress)
    programs = len(np.unique(keys_of(table).program[selection.rows]))
    return PhaseCorrelations(
        found=found, target=selection.target, of=selection.text, n_rows=len(selection.rows), n_programs=programs, params=params
    )


def cells(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> CellCorrelations:
    """Correlations of every counter with the target, at every granularity and load. Raises ParameterError for an unknown target."""
    selection, keys = select_phases(table, params), keys_of(table)
    others = [name for name in table.counters if name != selection.target]
    values = {name: within(table.frame[name])[0] for name in table.counters}
    rows: list[tuple[str, str, str, float, int]] = []
    every = [(granularity, load) for granularity in range(len(keys.granularities)) for load in range(len(keys.loads))]
    for number, (granularity, load) in enumerate(every):
        if progress is not None:
            progress(number / len(every), f"{keys.granularities[granularity]}, {keys.loads[load]}")
        chosen = np.flatnonzero((keys.granularity == granularity) & (keys.load == load))
        target = values[selection.target][chosen]
        for name in others:
            own = values[name][chosen]
            both = int((np.isfinite(target) & np.isfinite(own)).sum())
            r = correlate_with(target, own, params.method)
            rows.append((keys.granularities[granularity], keys.loads[load], name, r, both))
    found = pd.DataFrame(rows, columns=["granularity", "load", "counter", "r", "rows"])
    return CellCorrelations(cells=found, target=selection.target, granularities=keys.granularities, loads=keys.loads, params=params)


def projection(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> PhaseProjection:
    """The first three principal components of the phases of one load or of all loads. Raises as select_phases and project do."""
    selection = select_phases(table, params, all_loads=params.all_loads)
    _report(progress, f"principal components of {len(selection.rows):,} phases")
    found = project(counts_of(table, selection.rows), n_components=_COMPONENTS, scale=params.scale)
    return PhaseProjection(found=found, of=selection.text, params=params)


def measured_programs(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> MeasuredPrograms:
    """Every program's target estimated from n of its phases with 5 seeds, and from as many random phases.

    Raises ParameterError if no program has the target in every phase, or there is no other counter.
    """
    selection, keys = select_phases(table, params), keys_of(table)
    known = _features(table, selection)
    program = keys.program[selection.rows]
    rows, errors, drawn, left_out = [], [], [], []
    present = np.unique(program)
    for number, code in enumerate(present):
        if progress is not None:
            progress(number / len(present), f"program {number + 1} of {len(present)}")
        own = np.flatnonzero(program == code)
        cost = _target(table, selection, selection.rows[own])
        if not np.isfinite(cost).all() or not cost.max() > 0:
            left_out.append(keys.programs[code])
            continue
        n = min(params.n_measured, len(own))
        found, random = _errors(space_of(known.iloc[own]), cost, n, params.seed)
        rows.append((keys.programs[code], len(own), n, float(np.median(found)), float(found.max()), float(np.median(random))))
        errors.append(found)
        drawn.append(random)
    if not rows:
        raise ParameterError(
            f"{selection.target}: every program at {selection.text} has a phase without it, or only zeros. Choose another target."
        )
    return MeasuredPrograms(
        programs=pd.DataFrame(rows, columns=["program", "phases", "measured", "error", "largest", "random"]),
        errors=np.array(errors),
        random=np.array(drawn),
        not_counted=tuple(left_out),
        target=selection.target,
        of=selection.text,
        params=params,
    )


def curve(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> MeasuringCurve:
    """The error of one program's total against the number of measured phases. Raises ParameterError for an unknown program."""
    selection, keys = select_phases(table, params), keys_of(table)
    code, rows = _program(table, params, selection)
    cost = _target(table, selection, rows)
    _report(progress, f"phases of {keys.programs[code]}")
    found = []
    if np.isfinite(cost).all() and cost.max() > 0:
        space = space_of(_features(table, selection, rows))
        numbers = [n for n in NUMBERS if n < len(cost)] or [len(cost)]
        for place, n in enumerate(numbers):
            if progress is not None:
                progress(place / len(numbers), f"{n} phases of {keys.programs[code]}")
            own, random = _errors(space, cost, n, params.seed)
            found.append((n, float(np.median(own)), float(own.max()), float(np.median(random)), float(np.quantile(random, 0.9))))
    return MeasuringCurve(
        program=keys.programs[code],
        programs=tuple(programs_of(table, selection)),
        curve=pd.DataFrame(found, columns=["n", "error", "largest", "random", "random_largest"]),
        target=selection.target,
        of=selection.text,
        params=params,
    )


def measured_phases(
    table: PhaseTable,
    params: ExploreParams,
    progress: Progress | None,
    curve: MeasuringCurve,
    every: MeasuredPrograms | None,
    totals: ProgramTotals | None,
) -> MeasuredPhases:
    """The phases of one program to measure. Raises as `curve` does."""
    selection = select_phases(table, params)
    _, rows = _program(table, params, selection)
    space = space_of(_features(table, selection, rows))
    medoids, own, weights = space.clusters(min(params.n_measured, len(rows)), seed=params.seed)
    return MeasuredPhases(
        rows=rows,
        phase=table.frame["phase"].to_numpy()[rows].astype(np.int64),
        cost=_target(table, selection, rows),
        work=space.work,
        stands_for=medoids[own],
        weights=pd.Series(weights, index=medoids),
        curve=curve,
        every=every,
        totals=totals,
        params=params,
    )


def explored(
    table: PhaseTable,
    params: ExploreParams,
    progress: Progress | None,
    phases: PhaseCorrelations,
    measured: MeasuredPrograms | None,
    totals: ProgramTotals | None,
) -> Explored:
    """Correlations and measured programs as one result."""
    return Explored(phases=phases, measured=measured, totals=totals, params=params)


def _program(table: PhaseTable, params: ExploreParams, selection: PhaseSelection) -> tuple[int, Whole]:
    """(index of the chosen program, row numbers of its phases in order)."""
    keys = keys_of(table)
    program = keys.program[selection.rows]
    sizes = np.bincount(program, minlength=len(keys.programs))
    if params.program and params.program not in keys.programs:
        raise ParameterError(
            f"Program: {params.program[:60]!r} is not one of the table's {len(keys.programs)} programs. Choose one of them."
        )
    code = keys.programs.index(params.program or varied_program(table, selection))
    if not sizes[code]:
        raise ParameterError(
            f"Program: {keys.programs[code]!r} has no phase at {selection.text}. Choose another program, granularity or load."
        )
    rows = selection.rows[program == code]
    return code, rows[np.argsort(table.frame["phase"].to_numpy()[rows], kind="stable")]


def _errors(space: PhaseSpace, cost: Floats, n: int, seed: int) -> tuple[Floats, Floats]:
    """Absolute errors of the total: from representatives with SEEDS seeds, and from random phases."""
    found = np.empty(SEEDS)
    for number in range(SEEDS):
        medoids, _, weights = space.clusters(n, seed=(seed + number) % _MOST_SEEDED)
        found[number] = abs(error_of(cost, medoids, weights))
    return found, np.abs(random_error(cost, space.work, n, draws=_DRAWS, seed=seed))


def _features(table: PhaseTable, selection: PhaseSelection, rows: Whole | None = None) -> pd.DataFrame:
    """The counters except the target. Raises ParameterError if there are none."""
    counters = [name for name in table.counters if name != selection.target]
    if not counters:
        raise ParameterError(
            f"phases: the target {selection.target!r} is the only counter, so phases cannot be compared. Add other counters."
        )
    return table.frame[counters].iloc[selection.rows if rows is None else rows]


def _target(table: PhaseTable, selection: PhaseSelection, rows: Whole) -> Floats:
    found: Floats = table.frame[selection.target].to_numpy(dtype=float, na_value=np.nan)[rows]
    return found


def _report(progress: Progress | None, note: str) -> None:
    if progress is not None:
        progress(0.02, note)
