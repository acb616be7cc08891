"""The power model of a table, and how far off it is on programs and frequencies that were left out."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import ParameterError
from hemcore.prediction.arrays import Whole
from hemcore.prediction.explore.total_errors import conformal_width, interval_of
from hemcore.prediction.power.frequency_change import memory_share, run_at, volts_at
from hemcore.prediction.power.physics import PowerFit, PowerFits, terms_of
from hemcore.prediction.power.power_choice import PowerChoice
from hemcore.prediction.power.power_params import PowerParams
from hemcore.prediction.power.power_phases import PowerCells, PowerRows, cells_of, power_rows

PROMISED = 0.8
# With more programs than this several are left out together.
_MOST_FOLDS = 60


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerModel:
    """programs: one row per program, each predicted by the model that the others prefer: program, model (as power_choice.NAMES), phases,
    duration_s, measured and predicted (J, all phases), error (signed), mape (per phase), low, high (80% interval of the energy from the
    other programs' errors), covered.

    clocks: one row per frequency: mhz, volts, programs, and mean absolute errors over programs: power (per phase) and energy, by a model
    of the other frequencies and programs; moved_time, moved_power, moved_energy: of a run, from the program at the other frequencies.
    moved: the signed errors of these, one row per program and frequency: program, mhz, time, power, energy.
    stack: watts of each term in each program, by a model of all: program, term, watts. measured: program, mhz, volts, runs, seconds, watts,
    joules per run. fit: of all cells. cells, rows' names and places: what `run_at` needs.
    """

    programs: pd.DataFrame
    clocks: pd.DataFrame
    moved: pd.DataFrame
    stack: pd.DataFrame
    measured: pd.DataFrame
    fit: PowerFit
    cells: PowerCells
    names: tuple[str, ...]
    instructions: int
    cycles: int
    memory: float
    target: str
    notes: tuple[str, ...]
    params: PowerParams

    @property
    def power_error(self) -> float:
        """Mean over programs of the relative error of power per phase, each program left out."""
        return float(self.programs["mape"].mean())

    @property
    def energy_error(self) -> float:
        """Mean over programs of the absolute error of the energy of all phases, each program left out."""
        return float(self.programs["error"].abs().mean())

    @property
    def clock_error(self) -> float:
        """The largest error of power per phase over the frequencies left out; NaN with one frequency."""
        return float(self.clocks["power"].max()) if len(self.clocks) > 1 else float("nan")

    def moved_width(self, what: str, without: str = "") -> float:
        """What the error of `what` (time, power, energy) at another frequency stays below for 80% of programs; inf if too few."""
        others = self.moved[self.moved["program"] != without]
        off = others.pivot(index="program", columns="mhz", values=what).abs()
        off = off[off.notna().all(axis=1)] if off.notna().all(axis=1).any() else off.T.fillna(off.max(axis=1)).T
        return conformal_width(off.to_numpy(dtype=float), PROMISED) if len(off) else float("inf")


def power_model(table: PhaseTable, params: PowerParams, progress: Progress | None = None) -> PowerModel:
    """The model of the phases of `table`. Raises ParameterError as `power_rows` does, and for fewer than two programs."""
    rows, columns, notes = power_rows(table, params.target)
    if len(rows.programs) < 2:
        raise ParameterError(
            f"Watts: {rows.programs[0]!r} is the only program. Add at least one more, to train on one and predict the other."
        )
    cells, terms = cells_of(rows), terms_of(rows, temperature=params.temperature)
    fits = PowerFits(rows, cells.of, terms)
    if progress is not None:
        progress(0.2, f"{len(rows.programs):,} programs left out in turn")
    fold = np.arange(len(rows.programs)) % _MOST_FOLDS
    programs = _programs(rows, cells, fits, fold)
    whole = fits.fit(np.ones(len(cells.group), dtype=bool))
    instructions, cycles = rows.instructions, rows.cycles
    memory = memory_share(cells, instructions) if terms.with_clock else 0.0
    moved = _moved(rows, cells, fits, instructions, cycles, memory) if terms.with_clock else _no_moves()
    if progress is not None:
        progress(0.6, "frequencies left out in turn")
    watts = whole.parts(cells.rates, cells.volts, cells.ghz, cells.celsius)
    share = cells.seconds / np.bincount(cells.group, weights=cells.seconds)[cells.group]
    of_program = np.zeros((len(rows.programs), watts.shape[1]))
    np.add.at(of_program, cells.group, watts * share[:, None])
    return PowerModel(
        programs=programs,
        clocks=_clocks(rows, cells, fits, fold, moved),
        moved=moved,
        stack=pd.DataFrame(
            [(name, term, float(of_program[at, k])) for at, name in enumerate(rows.programs) for k, term in enumerate(terms.names)],
            columns=["program", "term", "watts"],
        ),
        measured=pd.DataFrame(
            {
                "program": [rows.programs[code] for code in cells.group],
                "mhz": cells.clock,
                "volts": cells.volts,
                "runs": cells.runs,
                "seconds": cells.seconds / cells.runs,
                "watts": cells.watts,
                "joules": cells.joules / cells.runs,
            }
        ),
        fit=whole,
        cells=cells,
        names=rows.programs,
        instructions=instructions,
        cycles=cycles,
        memory=memory,
        target=columns.target,
        notes=notes,
        params=params,
    )


def _programs(rows: PowerRows, cells: PowerCells, fits: PowerFits, fold: Whole) -> pd.DataFrame:
    found, choice = [], PowerChoice(rows, cells, fits)
    for number in np.unique(fold):
        chosen = choice.fit(fold != number)
        for code in np.flatnonzero(fold == number):
            own, cell = rows.take(rows.group == code), cells.group == code
            watts = chosen.watts(own)
            measured, predicted = float(cells.joules[cell].sum()), float(watts @ own.seconds)
            mape = float(np.abs(watts / own.watts - 1).mean())
            key = (code, rows.programs[code], chosen.name, len(own), float(own.seconds.sum()))
            found.append((*key, measured, predicted, predicted / measured - 1, mape))
    frame = pd.DataFrame(found, columns=["code", "program", "model", "phases", "duration_s", "measured", "predicted", "error", "mape"])
    frame = frame.sort_values("code", ignore_index=True).drop(columns="code")
    off = frame["error"].abs().to_numpy()[:, None]
    widths = [conformal_width(np.delete(off, at, axis=0), PROMISED) for at in range(len(frame))]
    ends = [interval_of(float(each), width) for each, width in zip(frame["predicted"], widths, strict=True)]
    known = np.isfinite(widths)
    frame["low"] = np.where(known, [low for low, _ in ends], np.nan)
    frame["high"] = np.where(known, [high for _, high in ends], np.nan)
    frame["covered"] = np.where(known, (frame["low"] <= frame["measured"]) & (frame["measured"] <= frame["high"]), np.nan).astype(float)
    return frame


def _moved(rows: PowerRows, cells: PowerCells, fits: PowerFits, instructions: int, cycles: int, memory: float) -> pd.DataFrame:
    found = []
    for clock in np.unique(cells.clock):
        if (cells.clock == clock).all():
            break
        fit = fits.fit(cells.clock != clock)
        for at in np.flatnonzero(cells.clock == clock):
            others = np.flatnonzero((cells.group == cells.group[at]) & (cells.clock != clock))
            if len(others):
                run = run_at(
                    cells, others, fit, instructions=instructions, cycles=cycles, memory=memory,
                    ghz=float(cells.ghz[at]), volts=float(cells.volts[at]),
                )  # fmt: skip
                seconds = cells.seconds[at] / cells.runs[at]
                time, power = run.seconds / seconds - 1, run.watts / cells.watts[at] - 1
                found.append((rows.programs[cells.group[at]], clock, time, power, (1 + time) * (1 + power) - 1))
    return pd.DataFrame(found, columns=["program", "mhz", "time", "power", "energy"])


def _no_moves() -> pd.DataFrame:
    return pd.DataFrame({"program": pd.Series(dtype=str)} | {name: pd.Series(dtype=float) for name in ("mhz", "time", "power", "energy")})


def _clocks(rows: PowerRows, cells: PowerCells, fits: PowerFits, fold: Whole, moved: pd.DataFrame) -> pd.DataFrame:
    found = []
    clocks = np.unique(cells.clock)
    for clock in clocks:
        here = cells.clock == clock
        own = moved[moved["mhz"] == clock]
        means = [float(own[name].abs().mean()) if len(own) else float("nan") for name in ("time", "power", "energy")]
        power, energy = float("nan"), float("nan")
        if len(clocks) > 1:
            mape, off = [], []
            for number in np.unique(fold[cells.group[here]]):
                training = ~here & (fold[cells.group] != number)
                if not training.any():
                    continue
                fit = fits.fit(training)
                joules = fits.joules(fit)
                for at in np.flatnonzero(here & (fold[cells.group] == number)):
                    part = rows.take(cells.of == at)
                    mape.append(np.abs(fit.watts(part.rates, part.volts, part.ghz, part.celsius) / part.watts - 1).mean())
                    off.append(abs(joules[at] / cells.joules[at] - 1))
            power, energy = (float(np.mean(each)) if each else float("nan") for each in (mape, off))
        found.append((clock, volts_at(cells, float(cells.ghz[here].mean())), int(here.sum()), power, energy, *means))
    names = ["mhz", "volts", "programs", "power", "energy", "moved_time", "moved_power", "moved_energy"]
    return pd.DataFrame(found, columns=names)
