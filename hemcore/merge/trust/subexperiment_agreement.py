"""Whether the subexperiments of a collection agree: the same program, the same machine, the same units.

A HEM that several subexperiments read must have the same distribution in each. A subexperiment of another program, clock frequency or unit
can be detected by the HEMs it shares with the others, before anything is merged.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import kolmogorov

from hemcore.headline import amount
from hemcore.likeness import thinned
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments

# Differences of two distribution functions up to this are accepted however many runs show them: subexperiments measured on different
# days differ slightly, and a merge tolerates that.
ACCEPTED = 0.15
_CHANCE = 1e-3
_MOST_RUNS = 20_000
COLUMNS = ["subexperiment", "hem", "runs", "others", "apart", "ratio"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """Which subexperiments of a collection disagree with the others.

    disagree: one row per HEM of a named subexperiment: subexperiment, hem, runs, others (runs of the others), apart (largest difference
        of the distribution functions, 0 to 1), ratio (its median divided by the others'; NaN if theirs is 0). Empty if all agree.
    either: True if two disagree and no third one reads what they share, so either may be wrong.
    compared: number of HEMs that more than one subexperiment reads.
    """

    disagree: pd.DataFrame
    either: bool
    compared: int

    @property
    def named(self) -> list[str]:
        """The subexperiments that disagree with the others."""
        return list(dict.fromkeys(self.disagree["subexperiment"]))

    @property
    def text(self) -> str:
        """What disagrees, in one or two sentences; "" if all agree."""
        if not self.named:
            return ""
        worst = self.disagree.iloc[int(self.disagree["apart"].astype(float).argmax())]
        if self.either:
            one, other = self.named[:2]
            return (
                f"{one!r} and {other!r} do not agree: in {worst['subexperiment']!r} {_difference(worst)}. No third subexperiment reads it."
                " Check the program, clock and unit of both."
            )
        shown = ", ".join(repr(name) for name in self.named[:4])
        more = f" and {len(self.named) - 4} more" if len(self.named) > 4 else ""
        verb = "does" if len(self.named) == 1 else "do"
        return (
            f"{shown}{more} {verb} not agree with the other subexperiments: in {worst['subexperiment']!r} {_difference(worst)}. "
            "If the program, clock or unit was different, remove it or measure it again."
        )


def agreement(subexperiments: SubexperimentsLike) -> Agreement:
    """Compare the readings of each HEM that several subexperiments share.

    The readings of a HEM in one subexperiment are compared with those in all others by the two-sample Kolmogorov-Smirnov test, which uses
    the largest difference of the two distribution functions and so does not depend on the unit. A subexperiment disagrees if this is above
    0.15 and has a chance of less than one in 1,000 collections over all comparisons (Bonferroni). The one that disagrees most is named and
    removed, and the rest are compared again until all agree, so one bad subexperiment does not incriminate the good ones.

    Ties are handled exactly, which makes the test conservative. Limits: a subexperiment is judged only by HEMs that others read; with two
    alone, either may be wrong (`either`); a change of correlations that leaves every distribution unchanged is not detected; at most
    20,000 evenly spread runs of each are compared. With fewer than about 200 runs only differences above 0.2 are detected, with fewer than
    15 none.

    Raises TableError for bad input. Source: N. V. Smirnov 1939, "On the estimation of the discrepancy between empirical curves of
    distribution for two independent samples", Bulletin of Moscow University 2, 3-16.
    """
    table = complete_subexperiments(subexperiments)
    shared = {hem: numbers for hem, numbers in table.readers().items() if len(numbers) > 1}
    rows: list[tuple[object, ...]] = []
    either = False
    out: set[int] = set()
    comparisons = max(1, sum(len(numbers) for numbers in shared.values()))
    found = {hem: _disagreeing(table, hem, numbers, comparisons) for hem, numbers in shared.items()}
    while any(found.values()):
        score: dict[int, float] = {}
        for rows_of_hem in found.values():
            for row in rows_of_hem:
                score[row.number] = score.get(row.number, 0.0) + row.apart
        worst = max(score, key=lambda number: (score[number], -number))
        rivals = [number for number in score if number != worst and np.isclose(score[number], score[worst])]
        named = [worst, *rivals[:1]] if rivals and _alone(shared, found, worst, out) else [worst]
        either |= len(named) == 2
        for number in named:
            rows += [row.as_tuple(table, hem) for hem, rows_of_hem in found.items() for row in rows_of_hem if row.number == number]
            out.add(number)
        for hem, numbers in shared.items():
            if any(number in numbers for number in named):
                found[hem] = _disagreeing(table, hem, [number for number in numbers if number not in out], comparisons)
    return Agreement(disagree=pd.DataFrame(rows, columns=COLUMNS), either=either, compared=len(shared))


@dataclass(frozen=True)
class _Row:
    number: int
    runs: int
    others: int
    apart: float
    ratio: float

    def as_tuple(self, table: CompleteSubexperiments, hem: str) -> tuple[object, ...]:
        return (table.labels[self.number], hem, self.runs, self.others, self.apart, self.ratio)


def _disagreeing(table: CompleteSubexperiments, hem: str, numbers: list[int], comparisons: int) -> list[_Row]:
    """The subexperiments among `numbers` whose readings of `hem` disagree with the others'."""
    if len(numbers) < 2:
        return []
    parts = [thinned(table.floats[number][hem], _MOST_RUNS) for number in numbers]
    every = np.concatenate(parts)
    order = np.argsort(every, kind="stable")
    ordered = every[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])[order]
    below = np.arange(1, len(every) + 1)
    found = []
    for at, (number, part) in enumerate(zip(numbers, parts, strict=True)):
        own, n, m = np.cumsum(of == at), len(part), len(every) - len(part)
        apart = float(np.abs(own / n - (below - own) / m)[last].max())
        if apart <= ACCEPTED or kolmogorov(apart * np.sqrt(n * m / (n + m))) * comparisons > _CHANCE:
            continue
        median, usual = float(np.median(part)), float(np.median(ordered[of != at]))
        found.append(_Row(number, len(table.frames[number]), m, apart, median / usual if usual != 0 else float("nan")))
    return found


def _alone(shared: dict[str, list[int]], found: dict[str, list[_Row]], worst: int, out: set[int]) -> bool:
    """Whether the HEMs in which `worst` disagrees are read by only one other subexperiment."""
    hems = [hem for hem, rows in found.items() if any(row.number == worst for row in rows)]
    return all(len([number for number in shared[hem] if number not in out]) == 2 for hem in hems)


def _difference(row: pd.Series) -> str:
    ratio = float(row["ratio"])
    if not np.isfinite(ratio):
        return f"the median of {row['hem']} is not 0, as it is elsewhere"
    return f"the median of {row['hem']} is {amount(ratio)} times that of the others"
