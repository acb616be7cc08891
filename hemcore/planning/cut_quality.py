"""How much fewer runs, or fewer subexperiments, would reduce the quality of a merge, measured on pilot readings."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, TableError
from hemcore.planning.search.point_pairs import components_of

Merge = Callable[[Sequence[pd.DataFrame], int], pd.DataFrame]
Compare = Callable[[pd.DataFrame, pd.DataFrame], Mapping[str, float]]
ALL, FEWER_RUNS, FEWER_GROUPS = "all", "fewer runs", "fewer subexperiments"
_FEWEST_RUNS = 20
_MOST_JUDGES = 12
# Rows of a merge: this many times the judging rows, up to a maximum.
_LARGER, _MOST_MERGED = 4, 4_000


def quality_against_time(
    table: Subexperiments,
    merge: Merge | None = None,
    compare: Compare | None = None,
    *,
    shares: Sequence[float] = (0.7, 0.5, 0.3),
    fewer: Sequence[int] = (1, 2, 3),
    seconds_per_run: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The quality of a merge of all readings, of a fraction of the runs, and of fewer subexperiments, and the time that each takes.

    One half of the runs of every subexperiment is merged, completely or reduced; the other half of all subexperiments, including those
    left out, judges (12 evenly spread ones if there are more). The figures therefore apply to half the runs; they show which reduction
    costs less.

    table: pilot readings. merge: (frames, rows) -> merged table; None: the copula merge. compare: (merged table, rows read together) ->
    figures by name; None: `compared` of hemcore.likeness, on as many merged rows as real ones. shares: of the runs, above 0, below 1.
    fewer: numbers of subexperiments to leave out, first those whose pairs are read elsewhere, as long as every HEM is read and the rest
    is connected.
    Returns one row per plan: what ("all", "fewer runs", "fewer subexperiments"), subexperiments, runs (merged per subexperiment, the
    smallest), seconds (of all runs merged), and one column per figure, the mean over the judges; NaN if no judge gives it.
    Raises ParameterError for an invalid share or number, TableError if no subexperiment has two HEMs and 20 runs, and whatever `merge`
    raises.
    """
    halves = Halves(table, shares=shares, fewer=fewer, seconds_per_run=seconds_per_run, seed=seed)
    found, steps = [], len(halves.plans)
    for number in range(steps):
        within = None if progress is None else lambda done, note, number=number: progress((number + done) / steps, note)
        found.append(halves.quality(number, merge, compare, within))
    return pd.DataFrame(found)


class Halves:
    """Pilot readings, split into a half to merge and a half that judges; arguments and errors as of `quality_against_time`.

    plans: what is merged, each with its name (ALL, FEWER_RUNS, FEWER_GROUPS).
    """

    def __init__(
        self,
        table: Subexperiments,
        *,
        shares: Sequence[float] = (0.7, 0.5, 0.3),
        fewer: Sequence[int] = (1, 2, 3),
        seconds_per_run: float = 1.0,
        seed: int = 0,
    ) -> None:
        _check(shares, fewer, seconds_per_run)
        random = np.random.default_rng(seed)
        halves: list[pd.DataFrame] = []
        judges: list[pd.DataFrame] = []
        for frame in table.frames:
            order = random.permutation(len(frame))
            cut = (len(frame) + 1) // 2
            halves.append(frame.iloc[order[:cut]].reset_index(drop=True))
            judges.append(frame.iloc[order[cut:]].dropna().reset_index(drop=True))
        able = [judge for judge in judges if 2 * len(judge) >= _FEWEST_RUNS and judge.shape[1] > 1]
        if not able:
            raise TableError(
                f"table: no subexperiment has two HEMs and {_FEWEST_RUNS} runs, which a comparison by halves needs. Measure more runs."
            )
        self._judges = [able[at * len(able) // min(len(able), _MOST_JUDGES)] for at in range(min(len(able), _MOST_JUDGES))]
        self._seconds = seconds_per_run
        left_out = _left_out(table)
        self.plans = [(ALL, halves)]
        self.plans += [
            (FEWER_RUNS, [half.iloc[: max(2, round(share * len(half)))] for half in halves]) for share in sorted(shares, reverse=True)
        ]
        self.plans += [
            (FEWER_GROUPS, [half for at, half in enumerate(halves) if at not in left_out[:count]])
            for count in sorted(set(fewer))
            if count <= len(left_out)
        ]

    def quality(
        self, number: int, merge: Merge | None = None, compare: Compare | None = None, progress: Progress | None = None
    ) -> dict[str, float | str]:
        """The row of one of `plans`."""
        return self.row(number, self.figures(number, 0, merge, compare, progress, shares=1))

    @property
    def shares(self) -> int:
        """Into how many pieces the judging of a plan can be divided: its merge is made for each, and takes a few hundredths of it."""
        return min(2, len(self._judges))

    def figures(
        self,
        number: int,
        share: int,
        merge: Merge | None = None,
        compare: Compare | None = None,
        progress: Progress | None = None,
        *,
        shares: int,
    ) -> list[dict[str, float]]:
        """What one share of the judges, in their order, says of one of `plans`, a dict per judge. share: from 0, of so many `shares`."""
        merge, compare = merge or merged_by_copula, compare or _compared
        what, frames = self.plans[number]
        first, after = (part * len(self._judges) // shares for part in (share, share + 1))
        judges = self._judges[first:after]
        merged, figures = None, []
        for done, judge in enumerate((None, *judges)):
            if progress is not None:
                progress(done / (1 + len(judges)), f"{what}, plan {number + 1} of {len(self.plans)}")
            if judge is None:
                merged = merge(frames, min(_MOST_MERGED, _LARGER * max(len(each) for each in self._judges)))
            elif merged is not None:
                figures.append(dict(compare(merged, judge)))
        return figures

    def row(self, number: int, figures: Sequence[Mapping[str, float]]) -> dict[str, float | str]:
        """The row of one of `plans`, given what all judges say of it."""
        what, frames = self.plans[number]
        runs = [len(frame) for frame in frames]
        means = pd.DataFrame(list(figures)).mean()
        return {
            "what": what,
            "subexperiments": len(frames),
            "runs": min(runs),
            "seconds": sum(runs) * self._seconds,
            **{str(name): float(means[name]) for name in means.index},
        }


def merged_by_copula(frames: Sequence[pd.DataFrame], rows: int) -> pd.DataFrame:
    """The copula merge of subexperiments: `rows` rows with a column per HEM. Raises as the merge does."""
    from hemcore.merge.analysis import COPULA  # not needed without pilot readings

    table = Subexperiments(frames=tuple(frames), n_pmcs=max(frame.shape[1] for frame in frames))
    return COPULA.of(table, COPULA.params(n_runs=rows)).merged


def _compared(merged: pd.DataFrame, real: pd.DataFrame) -> dict[str, float]:
    # Half a second to import.
    from hemcore.likeness import compared

    return compared(merged, real, at_most=len(real))


def _check(shares: Sequence[float], fewer: Sequence[int], seconds_per_run: float) -> None:
    for share in shares:
        if not 0 < share < 1:
            raise ParameterError(f"shares: {share} is out of bounds; a fraction of the runs is above 0 and below 1.")
    for count in fewer:
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ParameterError(f"fewer: {count!r} is out of bounds; at least 1 subexperiment is left out.")
    if not (np.isfinite(seconds_per_run) and seconds_per_run >= 0):
        raise ParameterError(f"seconds_per_run: {seconds_per_run} must be a finite number of at least 0.")


def _left_out(table: Subexperiments) -> list[int]:
    """Subexperiments that can be left out, in order: first the one with the fewest pairs that no other reads."""
    number = {hem: at for at, hem in enumerate(table.hems)}
    groups = {at: [number[str(hem)] for hem in frame.columns] for at, frame in enumerate(table.frames)}
    gone: list[int] = []
    while len(groups) > 1:
        pairs = np.zeros((len(number),) * 2, int)
        for group in groups.values():
            pairs[np.ix_(group, group)] += 1
        lost = {at: int((pairs[np.ix_(group, group)] == 1).sum()) for at, group in groups.items()}
        chosen = next(
            (
                at
                for at in sorted(groups, key=lambda at: (lost[at], at))
                if len(components_of([group for other, group in groups.items() if other != at], len(number))) == 1
            ),
            None,
        )
        if chosen is None:
            break
        gone.append(chosen)
        del groups[chosen]
    return gone
