"""Power and energy of unseen programs and frequencies, and totals from few phases, against what others would do in the same run.

    python benchmarks/bench_power.py [--quick] [--seeds N]

Peer: a ridge regression per frequency on standardised events (alpha 10), as is usual for boards with a sensor; at a frequency that was
left out, one ridge of all others. cBench: ODROID-XU3 readings (../shared/data), 30 programs, 3 frequencies. Few: 6 or 12 programs to train
on. Made: synthetic A15-like programs of a known law at other frequencies, with what no counter sees (2.5% and 7% by program) and noise.
PARSEC logs are not at hand; their bars (power 5%, energy 3%, a frequency 8%) are printed for comparison only. Coverage: models and 80%
intervals of half of the programs, on the other half. Totals: half of the sample's programs give the number of phases and the interval for
the other half. Prints one line each.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.linear_model import Ridge

from hemcore.datasets.readers.phases import powmon_phases
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.explore.total_errors import ENOUGH, conformal_width, program_totals
from hemcore.prediction.power.left_out_power import PowerModel, power_model
from hemcore.prediction.power.physics import PowerFits, terms_of
from hemcore.prediction.power.power_choice import PowerChoice
from hemcore.prediction.power.power_params import PowerParams
from hemcore.prediction.power.power_phases import PowerRows, cells_of, power_rows
from sample_data.collect import synthetic_power

CBENCH = Path(__file__).resolve().parents[2] / "shared" / "data" / "cortex_a15_cbench"


def cbench(folder: Path = CBENCH) -> PhaseTable | None:
    names = ("xu3_cset_perfcpu_cBench_eMMC_big.data", "cbench_split.data")
    if not folder.exists():
        return None
    return powmon_phases.read([UploadedFile(name, (folder / name).read_bytes()) for name in names]).table


def made(seed: int, unseen: float) -> PhaseTable:
    frame = synthetic_power.draw(20, 12, volts={500: 0.88, 900: 0.93, 1300: 1.02, 1700: 1.15, 1900: 1.25}, unseen=unseen, seed=seed)
    described = ("program", "granularity", "load", "phase", "time_s")
    return PhaseTable(frame=frame, counters=tuple(name for name in frame.columns if name not in described))


def errors(rows: PowerRows, watts: np.ndarray, of: np.ndarray) -> tuple[float, float]:
    """(power per phase, energy), means over the programs in `of`."""
    frame = pd.DataFrame({"program": rows.group[of], "off": np.abs(watts[of] / rows.watts[of] - 1)})
    joules = pd.DataFrame({"a": watts[of] * rows.seconds[of], "b": rows.watts[of] * rows.seconds[of]}).groupby(rows.group[of]).sum()
    return float(frame.groupby("program")["off"].mean().mean()), float((joules["a"] / joules["b"] - 1).abs().mean())


def ridge(rows: PowerRows, training: np.ndarray, to: np.ndarray) -> np.ndarray:
    X = rows.rates[training]
    middle, unit = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    return Ridge(alpha=10.0).fit((X - middle) / unit, rows.watts[training]).predict((rows.rates[to] - middle) / unit)


def peer(rows: PowerRows, held: np.ndarray) -> np.ndarray:
    """The watts of the programs `held` (True per program), each left out of the ridge of its frequency."""
    found = np.full(len(rows), np.nan)
    for clock in np.unique(rows.clock):
        for code in np.flatnonzero(held):
            here = rows.clock == clock
            to = here & (rows.group == code)
            if to.any():
                found[to] = ridge(rows, here & (rows.group != code), to)
    return found


def line(name: str, ours: float, theirs: float = float("nan"), bar: str = "") -> None:
    ratio = f"   peer {theirs:6.1%}   ratio {ours / theirs:4.2f}" if np.isfinite(theirs) else ""
    print(f"  {name:<58} {ours:6.1%}{ratio}{f'   ({bar})' if bar else ''}", flush=True)


def compare(title: str, table: PhaseTable) -> PowerModel:
    start = time.perf_counter()
    rows, _, _ = power_rows(table)
    found = power_model(table, PowerParams())
    took = time.perf_counter() - start
    print(f"{title}: {len(rows.programs)} programs, {len(found.clocks)} frequencies, {len(rows):,} phases; {took:.2f} s", flush=True)
    power, energy = errors(rows, peer(rows, np.ones(len(rows.programs), dtype=bool)), np.ones(len(rows), dtype=bool))
    line("power per phase, program left out", found.power_error, power, "PARSEC bar 5%, its ridge 7.3%")
    line("energy, program left out", found.energy_error, energy, "PARSEC bar 3%, its ridge 4.7%")
    apart = []
    for clock in np.unique(rows.clock):
        watts = np.full(len(rows), np.nan)
        for code in range(len(rows.programs)):
            to = (rows.clock == clock) & (rows.group == code)
            watts[to] = ridge(rows, (rows.clock != clock) & (rows.group != code), to)
        apart.append(errors(rows, watts, rows.clock == clock)[0])
    line("power, worst frequency left out (with the program)", found.clock_error, max(apart), "bar 8%")
    line("energy of a run at a frequency left out (what-if), worst", float(found.clocks["moved_energy"].max()))
    warm = power_model(table, PowerParams(temperature=True))
    print(f"  with temperature: {warm.power_error:.1%}, {warm.energy_error:.1%}, worst frequency {warm.clock_error:.1%}", flush=True)
    return found


def few(table: PhaseTable, numbers: tuple[int, ...], seeds: int) -> None:
    rows, _, _ = power_rows(table)
    cells = cells_of(rows)
    choice = PowerChoice(rows, cells, PowerFits(rows, cells.of, terms_of(rows)))
    for n in numbers:
        ours, theirs = [], []
        for seed in range(seeds):
            chosen = np.random.default_rng(seed).permutation(len(rows.programs))[:n]
            training, to = np.isin(rows.group, chosen), ~np.isin(rows.group, chosen)
            ours.append(errors(rows, choice.fit(np.isin(np.arange(len(rows.programs)), chosen)).watts(rows), to)[0])
            watts = np.full(len(rows), np.nan)
            for clock in np.unique(rows.clock):
                here = rows.clock == clock
                watts[to & here] = ridge(rows, training & here, to & here)
            theirs.append(errors(rows, watts, to)[0])
        line(f"power, {n} programs to train on, {seeds} draws", float(np.mean(ours)), float(np.mean(theirs)))


def covered(table: PhaseTable, seeds: int) -> float:
    """The share of programs inside the 80% intervals of their energy, by models and errors of the other half of the programs."""
    rows, _, _ = power_rows(table)
    cells = cells_of(rows)
    choice = PowerChoice(rows, cells, PowerFits(rows, cells.of, terms_of(rows)))
    programs = len(rows.programs)

    def off(training: np.ndarray, codes: np.ndarray) -> list[float]:
        joules = choice.fit(np.isin(np.arange(programs), training)).watts(rows) * rows.seconds
        return [abs(float(joules[rows.group == code].sum() / cells.joules[cells.group == code].sum()) - 1) for code in codes]

    inside: list[bool] = []
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(programs)
        known, new = order[: programs // 2], order[programs // 2 :]
        errors_known = [off(known[known != code], np.array([code]))[0] for code in known]
        width = conformal_width(np.array(errors_known)[:, None], 0.8)
        inside += [each <= width for each in off(known, new)]
    return float(np.mean(inside))


def totals(seeds: int, granularities: tuple[str, ...]) -> None:
    table = samples.load("phases")
    assert isinstance(table, PhaseTable)
    for granularity in granularities:
        for load in table.loads:
            found = program_totals(table, ExploreParams(granularity=granularity, load=load))
            off = np.abs(found.errors)
            inside_all, within, chosen = [], [], []
            for seed in range(seeds):
                order = np.random.default_rng(seed).permutation(len(found.programs))
                known, new = order[: len(order) // 2], order[len(order) // 2 :]
                widths = [conformal_width(off[known, place], 0.8) for place in range(len(found.numbers))]
                inside_all += [float((off[new, place] <= width).mean()) for place, width in enumerate(widths)]
                wide = [place for place, width in enumerate(widths) if not width <= ENOUGH]
                place = max(wide, default=-1) + 1
                if place < len(found.numbers):
                    chosen.append(found.numbers[place])
                    within.append(float((off[new, place] <= ENOUGH).mean()))
            median = float(np.median(off[:, found.numbers.index(5)]))
            inside = f"{np.mean(within):.0%} of the others within 2%" if within else "never enough"
            number = f"enough {np.median(chosen):.0f} (in {len(chosen)} of {seeds})" if chosen else "enough: none"
            print(f"  {found.of:<38} 5 phases {median:.2%} median; covered {np.mean(inside_all):.0%}; {number}, {inside}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--seeds", type=int, default=20)
    given = arguments.parse_args()
    table = cbench()
    if table is not None:
        compare("cBench, Cortex-A15", table)
        few(table, (6, 12), given.seeds)
        line(
            f"80% intervals of half the programs on the others, {given.seeds} draws: covered", covered(table, given.seeds), bar="75 to 85%"
        )
    for unseen in (0.025, 0.07):
        sets = 1 if given.quick else given.seeds
        compare(f"Made, {unseen:.1%} unseen by counters", made(1, unseen))
        shares = [covered(made(seed, unseen), 3) for seed in range(1, sets + 1)]
        line(f"80% intervals of half the programs on the others, {sets} sets: covered", float(np.mean(shares)), bar="75 to 85%")
    print("Totals from few phases, half of the programs known", flush=True)
    totals(given.seeds, ("10000", "30000"))


if __name__ == "__main__":
    main()
