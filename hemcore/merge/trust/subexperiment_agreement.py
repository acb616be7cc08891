"""Whether the subexperiments of a collection are of one kind: the same program, the same machine, the same units.

A HEM that several subexperiments read must have the same distribution in each. One that was taken with another program, at another clock
or in another unit shows by the HEMs that it shares with the others, before anything is merged.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import kolmogorov

from hemcore.likeness import thinned
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments

# The largest difference of two distributions' shares below that is let pass, however many runs show it: subexperiments taken on other
# days differ by a little, and a merge bears that.
LET_PASS = 0.15
_CHANCE = 1e-3
_MOST_RUNS = 20_000
COLUMNS = ["subexperiment", "hem", "runs", "others", "apart", "ratio"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """What of a collection does not go together.

    disagree: one row a HEM of a subexperiment that is named: subexperiment, hem, runs, others (runs of the others), apart (largest
        difference of the shares below, 0 to 1), ratio (its median by the others'; NaN where theirs is 0). No row where all agree.
    either: whether those named are two of which nobody can say which is off, because no third one reads what they share.
    compared: HEMs that more than one subexperiment reads.
    """

    disagree: pd.DataFrame
    either: bool
    compared: int

    @property
    def named(self) -> list[str]:
        """The subexperiments that do not agree with the others."""
        return list(dict.fromkeys(self.disagree["subexperiment"]))

    @property
    def words(self) -> str:
        """What does not agree, a sentence or two; "" where all do."""
        if not self.named:
            return ""
        worst = self.disagree.iloc[int(self.disagree["apart"].astype(float).argmax())]
        if self.either:
            one, other = self.named[:2]
            return (
                f"{one!r} and {other!r} are not of the same kind: {_far(worst)} times as large in {worst['subexperiment']!r}, and no third "
                "one reads it. Check the program, the clock and the unit of both."
            )
        shown = ", ".join(repr(name) for name in self.named[:4])
        more = f" and {len(self.named) - 4} more" if len(self.named) > 4 else ""
        verb = "does" if len(self.named) == 1 else "do"
        return (
            f"{shown}{more} {verb} not agree with the other subexperiments: {_far(worst)} times theirs in {worst['subexperiment']!r}. "
            "Was it another program, clock or unit? Take it out or read it again."
        )


def agreement(subexperiments: SubexperimentsLike) -> Agreement:
    """Compare the readings of each HEM that several subexperiments share.

    Each subexperiment's readings of a HEM are set against those of all others by the two-sample Kolmogorov-Smirnov test: by the largest
    difference of the shares of runs below a value, which no unit changes. It disagrees where that is above 0.15 and would be so by chance
    in one of 1,000 collections, over all comparisons (Bonferroni). The subexperiment that disagrees most is named and taken out, and the
    others are compared anew, until all agree: one bad subexperiment does not make the good ones bad.

    Ties: equal readings are passed at once, so that the difference is exact, and the test errs on the side of silence. Limits: a
    subexperiment is judged only by HEMs that others read; of two alone, nobody knows which is off (`either`); what changes how HEMs go
    together and none of their distributions is not seen; up to 20,000 evenly spread runs of each are compared. Below about 200 runs only
    differences above 0.2 can show, below 15 none.

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
            rows += [row.told(table, hem) for hem, rows_of_hem in found.items() for row in rows_of_hem if row.number == number]
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

    def told(self, table: CompleteSubexperiments, hem: str) -> tuple[object, ...]:
        return (table.labels[self.number], hem, self.runs, self.others, self.apart, self.ratio)


def _disagreeing(table: CompleteSubexperiments, hem: str, numbers: list[int], comparisons: int) -> list[_Row]:
    """Those of the subexperiments `numbers` whose readings of `hem` do not agree with the others'."""
    if len(numbers) < 2:
        return []
    parts = [thinned(table.frames[number][hem].to_numpy(dtype=float), _MOST_RUNS) for number in numbers]
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
        if apart <= LET_PASS or kolmogorov(apart * np.sqrt(n * m / (n + m))) * comparisons > _CHANCE:
            continue
        median, usual = float(np.median(part)), float(np.median(ordered[of != at]))
        found.append(_Row(number, len(table.frames[number]), m, apart, median / usual if usual != 0 else float("nan")))
    return found


def _alone(shared: dict[str, list[int]], found: dict[str, list[_Row]], worst: int, out: set[int]) -> bool:
    """Whether what `worst` disagrees in is read by one other subexperiment only."""
    hems = [hem for hem, rows in found.items() if any(row.number == worst for row in rows)]
    return all(len([number for number in shared[hem] if number not in out]) == 2 for hem in hems)


def _far(row: pd.Series) -> str:
    ratio = float(row["ratio"])
    return f"the median of {row['hem']} is {ratio:,.3g}" if np.isfinite(ratio) else f"{row['hem']} is 0 elsewhere, not"
