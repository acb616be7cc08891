"""A program's total from a few of its phases: its error on every program, the interval that follows, and how many phases are enough.

The interval of a program's total comes from the errors of the other programs' totals, each measured in full: split conformal prediction
with a program as one observation (Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, 2005; Dunn, Wasserman, Ramdas:
Distribution-free prediction sets for two-layer hierarchical models, 2023, DOI 10.1080/01621459.2022.2060112).
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Floats
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.representative_phases import error_of, random_error, space_of
from hemcore.prediction.phase_rows import keys_of, select_phases

NUMBERS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
SEEDS = 3
PROMISED, ENOUGH = 0.8, 0.02
_DRAWS = 15
_MOST_SEEDED = 2**31


@dataclass(frozen=True, kw_only=True, eq=False)
class ProgramTotals:
    """The errors of every program's total, estimated from `numbers` of its phases.

    errors: signed and relative (0.01: 1% too high), shape (programs, numbers, seeds); 0 where a program has no more phases than that.
    random: absolute, of as many random phases, shape (programs, numbers, draws). not_counted: programs left out because the target is
    missing in a phase. of: granularity and load as text.
    """

    programs: tuple[str, ...]
    numbers: tuple[int, ...]
    errors: Floats
    random: Floats
    not_counted: tuple[str, ...]
    target: str
    of: str
    params: ExploreParams

    def half_width(self, n: int, *, without: str = "", promised: float = PROMISED) -> float:
        """What the absolute error of an unseen program's total from n phases stays below, with probability `promised`.

        From the other programs' errors, `without` left out, at the largest of `numbers` that is at most n (the smallest, for fewer).
        inf for too few programs (fewer than 4 for 0.8).
        """
        place = max(int(np.searchsorted(self.numbers, n, side="right")) - 1, 0)
        others = [program != without for program in self.programs]
        return conformal_width(np.abs(self.errors[others, place]), promised)

    @property
    def curve(self) -> pd.DataFrame:
        """One row per number of phases: n, error (median over programs and seeds), half_width (of 80% intervals of an unseen program),
        covered (the share of programs and seeds inside the interval that the other programs give), largest, random (median).

        half_width and covered are NaN for too few programs."""
        rows = []
        for place, n in enumerate(self.numbers):
            off = np.abs(self.errors[:, place])
            widths = np.array([self.half_width(n, without=program) for program in self.programs])
            inside = np.mean(off <= widths[:, None]) if np.isfinite(widths).all() else np.nan
            width = self.half_width(n) if math.isfinite(self.half_width(n)) else np.nan
            rows.append((n, np.median(off), width, inside, off.max(), np.median(self.random[:, place])))
        return pd.DataFrame(rows, columns=["n", "error", "half_width", "covered", "largest", "random"])

    @property
    def usual_size(self) -> float:
        """The number of phases that half of the programs have no more than, rounded up to one of `numbers`; inf if it is above all.

        Read off the random phases, which are exact where all of a program's phases are measured.
        """
        first_exact = np.where(np.abs(self.random).max(axis=2) > 0, np.inf, np.array(self.numbers)).min(axis=1)
        return float(np.median(first_exact))

    def enough(self, limit: float = ENOUGH) -> int | None:
        """The number of phases from which on 80% of unseen programs have a total within `limit`; None if none of `numbers` is enough."""
        wide = [n for n, width in zip(self.numbers, self.curve["half_width"], strict=True) if not width <= limit]
        return next((n for n in self.numbers if n > max(wide, default=0)), None)


def conformal_width(off: Floats, promised: float) -> float:
    """The absolute error that a further program stays below with probability `promised`; inf if these programs are too few to tell.

    off: absolute errors, shape (programs, seeds); seeds share the weight of their program. The ceil(promised (programs + 1) seeds)-th
    smallest of them.
    """
    programs, seeds = off.shape
    rank = math.ceil(promised * (programs + 1) * seeds - 1e-9)
    return float(np.sort(off, axis=None)[rank - 1]) if 0 < rank <= programs * seeds else math.inf


def interval_of(estimate: float, half_width: float) -> tuple[float, float]:
    """The interval of a total from its estimate: the total is estimate / (1 + error), and |error| at most `half_width`."""
    return estimate / (1 + half_width), estimate / (1 - half_width) if half_width < 1 else math.inf


def program_totals(table: PhaseTable, params: ExploreParams, progress: Progress | None = None) -> ProgramTotals:
    """The errors of every program's total from 1 to 20 of its phases, with 3 seeds, and of as many random phases.

    Raises ParameterError if no program has the target in every phase, or there is no other counter.
    """
    selection, keys = select_phases(table, params), keys_of(table)
    counters = [name for name in table.counters if name != selection.target]
    if not counters:
        raise ParameterError(
            f"phases: the target {selection.target!r} is the only counter, so phases cannot be compared. Add other counters."
        )
    code = keys.program[selection.rows]
    target = table.frame[selection.target].to_numpy(dtype=float, na_value=np.nan)[selection.rows]
    names, errors, drawn, left_out = [], [], [], []
    present = np.unique(code)
    for number, program in enumerate(present):
        own = np.flatnonzero(code == program)
        if progress is not None:
            progress(number / len(present), f"program {number + 1} of {len(present)}")
        cost = target[own]
        if not np.isfinite(cost).all() or not cost.max() > 0:
            left_out.append(keys.programs[program])
            continue
        found, random = _errors(table.frame[counters].iloc[selection.rows[own]], cost, params.seed)
        names.append(keys.programs[program])
        errors.append(found)
        drawn.append(random)
    if not names:
        raise ParameterError(
            f"{selection.target}: every program at {selection.text} has a phase without it, or only zeros. Choose another target."
        )
    return ProgramTotals(
        programs=tuple(names),
        numbers=NUMBERS,
        errors=np.array(errors),
        random=np.array(drawn),
        not_counted=tuple(left_out),
        target=selection.target,
        of=selection.text,
        params=params,
    )


def _errors(phases: pd.DataFrame, cost: Floats, seed: int) -> tuple[Floats, Floats]:
    """Signed errors of representatives, shape (numbers, SEEDS), and absolute ones of random phases, shape (numbers, _DRAWS)."""
    found, random = np.zeros((len(NUMBERS), SEEDS)), np.zeros((len(NUMBERS), _DRAWS))
    space = space_of(phases)
    for place, n in enumerate(NUMBERS):
        if n >= len(cost):
            break  # all of them are measured
        for number in range(SEEDS):
            medoids, _, weights = space.clusters(n, seed=(seed + number) % _MOST_SEEDED)
            found[place, number] = error_of(cost, medoids, weights)
        random[place] = np.abs(random_error(cost, space.work, n, draws=_DRAWS, seed=seed))
    return found, random
