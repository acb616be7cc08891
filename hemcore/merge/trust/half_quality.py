"""The quality of a merge measured on the user's own readings: one half of the runs is merged, the other half judges."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.analysis import Progress
from hemcore.errors import HemError, ParameterError, TableError
from hemcore.headline import counted_noun
from hemcore.likeness import MEASURES, compared
from hemcore.merge.connected import check_connected
from hemcore.merge.inputs import CompleteSubexperiments, SubexperimentsLike, complete_subexperiments
from hemcore.merge.pair_correlation import readings_together
from hemcore.merge.trust.judge_sight import auc_of_all, auc_seen, auc_told
from hemcore.merge.trust.side_by_side_merges import METHODS
from hemcore.merge.unread_pairs import never_together

Frames = Sequence[pd.DataFrame]
Merge = Callable[[Frames, int], pd.DataFrame]

TRUE_ROWS = "true rows"
_FEWEST_RUNS = 20
_MOST_JUDGES = 12
_ENOUGH_JUDGES = 6
# Rows of a merge: this many times the judging rows, up to a maximum.
_LARGER = 4
_MOST_MERGED = 4_000


@dataclass(frozen=True, kw_only=True, eq=False)
class MergeQuality:
    """How similar merged rows are to rows read together.

    rows: one row per method, first "true rows" (one half of the real rows against the other): method, auc (of a classifier that separates
        merged rows from real ones; 0.5 = it cannot), energy (distance, 0 = the same distribution), spearman_mse, pearson_mse (of the
        correlations of the pairs read together), seconds (of one merge of a half), why (the reason if a method could not merge; then NaN).
    judges: the subexperiments whose other half judged. runs: in a half of the smallest of them. hems: how many HEMs a judge reads (the
        median). n_hems: of how many; a judge of all of them and of more runs sees more.
    told: the smallest auc that these judges tell from 0.5 (rows read together exceed it in 1 of 20 collections): methods at or below it
        cannot be told from real rows, nor from each other. seen: the auc that they tell from 0.5 in 9 of 10 collections. NaN if unknown.
    n_unread: how many of n_pairs pairs are never read together, and so have no judge.
    """

    rows: pd.DataFrame
    judges: tuple[str, ...]
    runs: int
    hems: int = 0
    n_hems: int = 0
    told: float = float("nan")
    seen: float = float("nan")
    n_unread: int = 0
    n_pairs: int = 0

    @property
    def sight(self) -> str:
        """What the judges could have noticed, one or two sentences; "" if that is not known."""
        if not np.isfinite(self.told):
            return ""
        more = "A judge of more runs would see more."
        if 1 < self.hems < self.n_hems:
            more = (
                f"To a judge of all {self.n_hems:,} HEMs, {self.told:.2f} is {auc_of_all(self.told, self.hems, self.n_hems):.2f} or more."
            )
        return (
            f"{counted_noun(len(self.judges), 'judge')} of {counted_noun(self.hems, 'HEM')} and {self.runs:,} runs cannot tell an AUC up to"
            f" {self.told:.2f} from 0.5 and notice {self.seen:.2f} in nine of ten collections. {more}"
        )

    def of(self, method: str) -> pd.Series:
        """The row of `method`."""
        return self.rows[self.rows["method"] == method].iloc[0]


def merge_quality(
    subexperiments: SubexperimentsLike,
    methods: Iterable[str] | Mapping[str, Merge] = tuple(METHODS),
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> MergeQuality:
    """Split the runs of each subexperiment in half, merge the first halves, and compare with the second halves on the HEMs read together.

    With fewer than 6 subexperiments, also with the halves exchanged. Figures are means over the subexperiments (12 evenly spread ones if
    there are more) and both directions. Any plan works, a star too, because only runs are held out. Rank methods by auc and energy,
    relative to true rows: with few runs, the correlations of half the runs have a larger error than a good merge.

    methods: names of METHODS, or a mapping from names to functions (frames, n_runs) -> merged table. Raises ParameterError for an unknown
    method, TableError for bad input and if no subexperiment has two HEMs and 20 runs.
    """
    return judged_by_halves(subexperiments, {TRUE_ROWS: None, **_merges(methods)}, seed=seed, progress=progress)


def checked_judges(subexperiments: SubexperimentsLike) -> tuple[CompleteSubexperiments, list[int]]:
    """The readings, and the places of the subexperiments that judge. Raises TableError as `merge_quality` does."""
    table = complete_subexperiments(subexperiments)
    check_connected(table)
    able = [number for number, frame in enumerate(table.frames) if len(frame) >= _FEWEST_RUNS and frame.shape[1] > 1]
    if not able:
        raise TableError(
            f"subexperiments: none has two HEMs and {_FEWEST_RUNS} runs, which a comparison by halves needs. Measure more runs."
        )
    return table, [able[at * len(able) // min(len(able), _MOST_JUDGES)] for at in range(min(len(able), _MOST_JUDGES))]


def judged_by_halves(
    subexperiments: SubexperimentsLike, merges: Mapping[str, Merge | None], *, seed: int = 0, progress: Progress | None = None
) -> MergeQuality:
    """As `merge_quality`, of these merges by name; None: the first half as it is. No row depends on the other merges."""
    table, judges = checked_judges(subexperiments)
    random = np.random.default_rng(seed)
    halves: tuple[list[pd.DataFrame], list[pd.DataFrame]] = ([], [])
    for frame in table.frames:
        order = random.permutation(len(frame))
        cut = (len(frame) + 1) // 2
        # A single run is in both halves; it never judges.
        for part, chosen in zip(halves, (order[:cut], order[cut:] if len(frame) > 1 else order), strict=True):
            part.append(frame.iloc[chosen].reset_index(drop=True))
    half = int(np.median([len(halves[1][number]) for number in judges]))
    n_runs = min(_LARGER * half, max(half, _MOST_MERGED))
    ways = (halves, halves[::-1]) if len(judges) < _ENOUGH_JUDGES else (halves,)
    steps, done = len(ways) * len(merges), 0
    found: dict[str, list[list[float]]] = {name: [] for name in merges}
    seconds: dict[str, list[float]] = {name: [] for name in merges}
    why: dict[str, str] = dict.fromkeys(found, "")
    for way, (one, other) in enumerate(ways, start=1):
        for name, merge in merges.items():
            if progress is not None:
                progress(done / steps, name if len(ways) == 1 else f"{name}, half {way} of 2")
            done += 1
            try:
                start = time.perf_counter()
                merged = None if merge is None else merge(one, n_runs)
                if merged is not None:
                    seconds[name].append(time.perf_counter() - start)
                # Each judge draws its own rows: all of one draw would err together.
                judged = [compared(one[at] if merged is None else merged, other[at], seed + at, at_most=half) for at in judges]
                found[name] += [list(each.values()) for each in judged]
            except HemError as error:
                why[name] = str(error)
    rows = [
        (name, *_means(each), float(np.median(seconds[name])) if seconds.get(name) else np.nan, why[name]) for name, each in found.items()
    ]
    unread = never_together(readings_together(table), 0)
    return MergeQuality(
        rows=pd.DataFrame(rows, columns=["method", *MEASURES, "seconds", "why"]),
        judges=tuple(table.labels[at] for at in judges),
        runs=min(len(halves[1][at]) for at in judges),
        hems=int(np.median([table.frames[at].shape[1] for at in judges])),
        n_hems=len(table.hems),
        told=auc_told(half, len(judges) * len(ways)),
        seen=auc_seen(half, len(judges) * len(ways)),
        n_unread=len(unread.pairs),
        n_pairs=unread.n_pairs,
    )


def _merges(methods: Iterable[str] | Mapping[str, Merge]) -> dict[str, Merge]:
    if isinstance(methods, Mapping):
        return dict(methods)
    names = list(methods)
    unknown = [name for name in names if name not in METHODS]
    if unknown or not names:
        wrong = f"{str(unknown[0])[:60]!r} is not a merge" if unknown else "none is named"
        raise ParameterError(f"methods: {wrong}; choose from {', '.join(METHODS)}.")
    return {name: METHODS[name].merge for name in names}


def _means(found: list[list[float]]) -> list[float]:
    values = np.array(found, dtype=float).reshape(-1, len(MEASURES))
    return [float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in values.T]
