"""What looking at phases gives: frozen results, one class a view."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.prediction.arrays import Floats, Whole
from hemcore.prediction.explore.correlations import Correlations
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.principal_components import Projection
from hemcore.prediction.explore.representative_phases import error_of


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseCorrelations:
    """Correlations of the phases of one granularity and load. of: both in words; n_rows, n_programs: how many phases of how many."""

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
        """Each pair of counters whose correlation is known, as Correlations.pairs."""
        return self.found.pairs


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
        """The cells whose correlation is known."""
        return self.cells[self.cells["r"].notna()].reset_index(drop=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class PhaseProjection:
    """A projection of phases. of: granularity and load in words."""

    found: Projection
    of: str
    params: ExploreParams

    @property
    def scores(self) -> pd.DataFrame:
        """One row a phase: row (its place in the table), PC1, PC2 ..."""
        scores = self.found.scores
        return scores.reset_index(drop=True).assign(row=scores.index.to_numpy(dtype=np.int64))[["row", *scores.columns]]


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredPrograms:
    """How well five phases of each program give its whole target.

    programs: one row a program: program, phases, measured (how many of them, at most all), error (median over seeds of the absolute error
    of the program's sum, as a share), largest (the worst seed), random (the median of as many phases drawn at random). errors, random:
    every absolute error, shape (programs, seeds). not_counted: programs left out, since a phase of theirs misses the target.
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
        """Of all programs and seeds."""
        return float(np.median(self.errors))

    @property
    def mean(self) -> float:
        """Of all programs and seeds."""
        return float(self.errors.mean())

    @property
    def worst(self) -> float:
        """Of all programs and seeds."""
        return float(self.errors.max())

    @property
    def random_median(self) -> float:
        """Of phases drawn at random, all programs and seeds."""
        return float(np.median(self.random))


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuringCurve:
    """The error of a program's whole against how many of its phases are measured.

    program: of `programs`, those that have a phase at the granularity and load `of`. curve: one row a number of measured phases: n, error
    (median over seeds of the absolute error), largest, random (median of phases drawn at random), random_largest (nine in ten draws are
    at most so far off); no row where the target misses a phase.
    """

    program: str
    programs: tuple[str, ...]
    curve: pd.DataFrame
    target: str
    of: str
    params: ExploreParams


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredPhases:
    """Which phases of one program to measure, and how much of it they give.

    rows: places of its phases in the table, in their order; phase: their numbers; cost: the target of each phase, NaN where it was not
    counted; work: its executed instructions (1 each where they are not known). stands_for: of each phase the place, among its phases, of
    the measured one that stands for it. weights: of the measured phases (index: places among its phases). curve: against their number.
    every: of all programs, None where that takes long and nobody asked for it.
    """

    rows: Whole
    phase: Whole
    cost: Floats
    work: Floats
    stands_for: Whole
    weights: pd.Series
    curve: MeasuringCurve
    every: MeasuredPrograms | None
    params: ExploreParams

    @property
    def program(self) -> str:
        """The program whose phases they are."""
        return self.curve.program

    @property
    def target(self) -> str:
        """The counter that is measured."""
        return self.curve.target

    @property
    def estimate(self) -> float:
        """The program's target from the measured phases; NaN where one of them has none, or it is more than a float holds."""
        with np.errstate(over="ignore"):
            found = float((self.weights.to_numpy() * self.cost[self.weights.index.to_numpy()]).sum())
        return found if np.isfinite(found) else float("nan")

    @property
    def error(self) -> float:
        """How far the estimate is from the sum of all phases, as a share; NaN where the target misses a phase."""
        if not (np.isfinite(self.cost).all() and self.cost.max() > 0):
            return float("nan")
        return error_of(self.cost, self.weights.index.to_numpy(), self.weights.to_numpy())

    @property
    def measured(self) -> pd.DataFrame:
        """One row a phase to measure: phase, weight, stands_for (phases), share (of the program's work)."""
        places = self.weights.index.to_numpy()
        counts = np.bincount(self.stands_for, minlength=len(self.rows))[places]
        shares = np.bincount(self.stands_for, weights=self.work, minlength=len(self.rows))[places] / self.work.sum()
        return pd.DataFrame({"phase": self.phase[places], "weight": self.weights.to_numpy(), "stands_for": counts, "share": shares})


@dataclass(frozen=True, kw_only=True, eq=False)
class Explored:
    """What the counters of phases say at first sight. measured: None where that takes long and nobody asked for it."""

    phases: PhaseCorrelations
    measured: MeasuredPrograms | None
    params: ExploreParams

    @property
    def against(self) -> pd.DataFrame:
        """Each counter with the target, those without a correlation left out."""
        found = self.phases.against
        return found[found["r"].notna()].reset_index(drop=True)
