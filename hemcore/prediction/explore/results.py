"""Results of exploring phases, one frozen class per view."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.explore.correlations import Correlations
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.principal_components import Projection
from hemcore.prediction.explore.representative_phases import error_of
from hemcore.prediction.explore.total_errors import ProgramTotals, interval_of

_ONE_SIDED = 1.645


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseCorrelations:
    """Correlations over the phases of one granularity and load. of: both as text; n_rows, n_programs: numbers of phases and programs."""

    found: Correlations
    target: str
    of: str
    n_rows: int
    n_programs: int
    params: ExploreParams

    @property
    def against(self) -> pd.DataFrame:
        """Each counter with the target, as Correlations.against."""
        return self.found.against(self.target)

    @property
    def pairs(self) -> pd.DataFrame:
        """Each pair of counters with a known correlation, as Correlations.pairs."""
        return self.found.pairs

    @property
    def not_told_apart(self) -> list[str]:
        """The counters whose |r| is below the largest by no more than noise (one-sided 5%), strongest first; [] without a second one.

        Fisher's z, as if the two correlations were of different phases: those of the same phases differ by less noise, phases of one
        program by more.
        """
        known = self.against.dropna()
        z = np.arctanh(np.minimum(known["r"].abs().to_numpy(dtype=float), 1 - 1e-12))
        noise = _ONE_SIDED * np.sqrt(2 / (self.n_rows - 3)) if self.n_rows > 3 else np.inf
        return [str(name) for name in known["counter"].to_numpy()[1:][z[:1] - z[1:] <= noise]]


@dataclass(frozen=True, kw_only=True, eq=False)
class CellCorrelations:
    """Every counter with the target, at every granularity and load. cells: granularity, load, counter, r (NaN: constant), rows."""

    cells: pd.DataFrame
    target: str
    granularities: tuple[str, ...]
    loads: tuple[str, ...]
    params: ExploreParams

    @property
    def known(self) -> pd.DataFrame:
        """The cells with a known correlation."""
        return self.cells[self.cells["r"].notna()].reset_index(drop=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseProjection:
    """A projection of phases. of: granularity and load as text."""

    found: Projection
    of: str
    params: ExploreParams

    @property
    def scores(self) -> pd.DataFrame:
        """One row per phase: row (its row number in the table), PC1, PC2 ..."""
        scores = self.found.scores
        return scores.reset_index(drop=True).assign(row=scores.index.to_numpy(dtype=np.int64))[["row", *scores.columns]]


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredPrograms:
    """The error of each program's target when it is estimated from five of its phases.

    programs: one row per program: program, phases, measured (number of measured phases), error (median over seeds of the absolute relative
    error of the program's sum), largest (worst seed), random (median for as many random phases). errors: every absolute error, shape
    (programs, seeds); random: the same for random phases, shape (programs, draws). not_counted: programs left out because the target is
    missing in a phase.
    """

    programs: pd.DataFrame
    errors: Floats
    random: Floats
    not_counted: tuple[str, ...]
    target: str
    of: str
    params: ExploreParams

    @property
    def median(self) -> float:
        """Median error over all programs and seeds."""
        return float(np.median(self.errors))

    @property
    def mean(self) -> float:
        """Mean error over all programs and seeds."""
        return float(self.errors.mean())

    @property
    def worst(self) -> float:
        """Largest error over all programs and seeds."""
        return float(self.errors.max())

    @property
    def random_median(self) -> float:
        """Median error of random phases over all programs and draws."""
        return float(np.median(self.random))


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuringCurve:
    """The error of a program's total against the number of measured phases.

    program: one of `programs`, those with a phase at the granularity and load `of`. curve: one row per number of measured phases: n, error
    (median over seeds of the absolute error), largest, random (median for random phases), random_largest (their 90th percentile); no rows
    if the target is missing in a phase.
    """

    program: str
    programs: tuple[str, ...]
    curve: pd.DataFrame
    target: str
    of: str
    params: ExploreParams


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredPhases:
    """Which phases of one program to measure, and the estimate from them.

    rows: row numbers of its phases in the table, in order; phase: their numbers; cost: the target of each phase, NaN where not counted;
    work: its executed instructions (1 each if unknown). stands_for: for each phase, the index of the measured phase that represents it.
    weights: of the measured phases, indexed by their position among the program's phases. curve: the error against their number. every: the
    result for all programs, and totals: their errors by number of phases; None if not computed because it takes long.
    """

    rows: Whole
    phase: Whole
    cost: Floats
    work: Floats
    stands_for: Whole
    weights: pd.Series
    curve: MeasuringCurve
    every: MeasuredPrograms | None
    totals: ProgramTotals | None = None
    params: ExploreParams

    @property
    def program(self) -> str:
        """The program."""
        return self.curve.program

    @property
    def target(self) -> str:
        """The counter that is measured."""
        return self.curve.target

    @property
    def estimate(self) -> float:
        """The program's target estimated from the measured phases; NaN if it is missing in one of them."""
        return float((self.weights.to_numpy() * self.cost[self.weights.index.to_numpy()]).sum())

    @property
    def error(self) -> float:
        """The relative error of the estimate; NaN if the target is missing in a phase."""
        if not (np.isfinite(self.cost).all() and self.cost.max() > 0):
            return float("nan")
        return error_of(self.cost, self.weights.index.to_numpy(), self.weights.to_numpy())

    @property
    def half_width(self) -> float:
        """What the error stays below for 80% of unseen programs, from the totals of the others; inf or NaN if that is not known."""
        return self.totals.half_width(len(self.weights), without=self.program) if self.totals is not None else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 80% interval of the program's total; (NaN, NaN) if it is not known."""
        return interval_of(self.estimate, self.half_width)

    @property
    def measured(self) -> pd.DataFrame:
        """One row per phase to measure: phase, weight, stands_for (number of phases), share (of the program's work)."""
        places = self.weights.index.to_numpy()
        counts = np.bincount(self.stands_for, minlength=len(self.rows))[places]
        shares = np.bincount(self.stands_for, weights=self.work, minlength=len(self.rows))[places] / self.work.sum()
        return pd.DataFrame({"phase": self.phase[places], "weight": self.weights.to_numpy(), "stands_for": counts, "share": shares})


@dataclass(frozen=True, kw_only=True, eq=False)
class Explored:
    """Correlations and measured programs together. measured, totals: None if not computed because it takes long."""

    phases: PhaseCorrelations
    measured: MeasuredPrograms | None
    totals: ProgramTotals | None = None
    params: ExploreParams

    @property
    def against(self) -> pd.DataFrame:
        """Each counter's correlation with the target, without unknown ones."""
        found = self.phases.against
        return found[found["r"].notna()].reset_index(drop=True)
