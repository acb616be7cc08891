"""Two sets of runs: which program and which of its phases carry the change of each HEM."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from hemcore.compare.dependent_runs import run_order, shared_block, unseen_by_shared_blocks
from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.params import CompareParams
from hemcore.compare.run_sets import Floats
from hemcore.compare.stages.exact_split import Split, split
from hemcore.compare.stages.program_runs import ProgramRuns, programs_of
from hemcore.compare.stages.stage_cuts import Cut, StageCounts, aligned, cut_together, whole
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import TableError

COLUMNS = (
    "program", "phase", "hem", "change", "low", "high", "by_length", "by_length_low", "by_length_high", "by_rate", "share", "probability",
    "adjusted", "changed", "before", "after", "runs_before", "runs_after",
)  # fmt: skip
# Programs that are cut into phases: those that change most; of the others each whole run is one phase.
MOST_CUT = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class StageChanges:
    """The change of each HEM, split into the phases of programs.

    rows: one row per program, phase (from 1) and HEM: the numbers of `Split`; of phases that only one set has, the other count is 0.
    lengths: one row per program and phase: program, phase, before, after (mean length, NaN if the set lacks the phase), change, error,
        freedom, probability. unit: of lengths. cut: the programs that were cut into phases, those that change most first.
    notes: sentences about what was left out. params: of the comparison.
    """

    rows: pd.DataFrame
    lengths: pd.DataFrame
    unit: str
    cut: tuple[str, ...]
    notes: tuple[str, ...]
    params: CompareParams

    def at(self, params: CompareParams) -> "StageChanges":
        """The same at the level and rate of `params`."""
        return replace(self, params=params)

    @property
    def table(self) -> pd.DataFrame:
        """One row per program, phase and HEM, in the order of the runs: the change of the mean count of a run, low to high at params.level
        (NaN with one run), of which by_length (the phase lasts longer) and by_rate (it counts more per length); share: of the HEM's change
        over all programs and phases (NaN if that is 0); probability, adjusted (over all rows, Benjamini-Hochberg), changed; before, after.

        The changes of all rows of a HEM sum to the change of its total, by_length and by_rate to the change of their row."""
        found = _with_ends(self.rows, self.params)
        half = found["high"] - found["change"]
        scale = np.divide(found["length_error"], found["error"], out=np.zeros(len(found)), where=(found["error"] > 0).to_numpy())
        total = found.groupby("hem")["change"].transform("sum")
        found["by_rate"] = found["change"] - found["by_length"]
        found["by_length_low"], found["by_length_high"] = found["by_length"] - half * scale, found["by_length"] + half * scale
        found["share"] = (found["change"] / total).where(total != 0)
        return found[list(COLUMNS)]

    @property
    def length_table(self) -> pd.DataFrame:
        """One row per program and phase: before, after, change with low to high, probability, adjusted, changed."""
        return _with_ends(self.lengths, self.params).drop(columns=["error", "freedom"])


def phases(
    before: CounterSeries | PhaseTable,
    after: CounterSeries | PhaseTable,
    *,
    paired: bool = False,
    level: float = 0.9,
    rate: float = 0.05,
    cut: Cut | None = None,
) -> StageChanges:
    """Which program and phase carries the change from `before` to `after`, two series or two tables of phases.

    Runs of a series are cut into phases by all events together, those of each set and program alike; phases of both sets are matched in
    their order by their levels. paired, level, rate: as of CompareParams. cut: gives the change points of runs, shape (intervals, hems)
    each; default: the joint search of Segmentation. Raises TableError for sets without a common program or HEM and for other tables.
    """
    from hemcore.compare.stages.asked_cuts import joint_cut

    for name, table in (("before", before), ("after", after)):
        if not isinstance(table, CounterSeries | PhaseTable):
            raise TableError(f"phases: {name} is a {type(table).__name__}, which has no phases. Give a series or a table of phases.")
    params = CompareParams(paired=paired, level=level, rate=rate)
    return stage_changes_of(programs_of(before), programs_of(after), params, cut if cut is not None else joint_cut)


def stage_changes_of(
    before: Sequence[ProgramRuns],
    after: Sequence[ProgramRuns],
    params: CompareParams,
    cut: Cut,
    progress: Callable[[float, str], object] | None = None,
) -> StageChanges:
    """The split of two sets of programs. Raises as `phases`."""
    known = {each.name: each for each in before}
    pairs = [(known[each.name], each) for each in after if each.name in known]
    if not pairs:
        names = [[each.name for each in side] for side in (before, after)]
        if len(names[0]) != 1 or len(names[1]) != 1:
            raise TableError(
                f"phases: no program is in both sets; before has {listed(names[0])}, after {listed(names[1])}. Name them alike."
            )
        pairs = [(before[0], after[0])]
    first, second = pairs[0]
    if first.unit != second.unit:
        raise TableError(f"phases: before is in {first.unit}, after in {second.unit}: the units differ. Collect both with the same unit.")
    hems = [hem for hem in second.hems if hem in first.hems]
    if not hems:
        raise TableError(f"phases: no HEM is in both sets; before has {listed(first.hems)}, after {listed(second.hems)}. Rename columns.")
    pairs = [(one.of_hems(hems), two.of_hems(hems)) for one, two in pairs]
    found = [(whole(one), whole(two)) for one, two in pairs]
    sizes = [_moved(*each) for each in found]
    chosen = [place for place in np.argsort([-each for each in sizes], kind="stable").tolist() if _has_pieces(*pairs[place])][:MOST_CUT]
    for number, place in enumerate(chosen):
        if progress is not None:
            progress(number / len(chosen), f"phases of {pairs[place][1].name}")
        found[place] = cut_together(pairs[place][0], pairs[place][1], cut)
    rows: list[dict[str, object]] = []
    lengths: list[dict[str, object]] = []
    for (_, program), (one, two) in zip(pairs, found, strict=True):
        blocks = [_blocks(one.counts[:, :, place].sum(axis=1), two.counts[:, :, place].sum(axis=1)) for place in range(len(hems))]
        for number, (left, right) in enumerate(aligned(one, two), 1):
            key = {"program": program.name, "phase": number}
            rows += [key | each for each in _splits(one, two, left, right, hems, blocks, params.paired)]
            lengths.append(key | _length(one, two, left, right, max(blocks), params.paired))
    if not rows:
        raise TableError(f"phases: no HEM has a count in both sets; both have the columns {listed(hems)}. Count one of them in each.")
    return StageChanges(
        rows=pd.DataFrame(rows),
        lengths=pd.DataFrame(lengths),
        unit=second.unit,
        cut=tuple(pairs[place][1].name for place in chosen),
        notes=tuple(_notes(before, after, pairs, found, [place for place in range(len(pairs)) if place not in chosen])),
        params=params,
    )


def _has_pieces(before: ProgramRuns, after: ProgramRuns) -> bool:
    """Whether its runs have more than one piece."""
    return any(len(run) > 1 for each in (before, after) for run in each.runs)


def _moved(before: StageCounts, after: StageCounts) -> float:
    """How far the totals of a program moved: the largest log ratio over its HEMs, 0 if none was counted above 0 in both sets."""
    first, second = (np.nanmean(np.where(np.isfinite(each.counts), each.counts, 0.0).sum(axis=1), axis=0) for each in (before, after))
    fit = (first > 0) & (second > 0)
    return float(np.abs(np.log(second[fit] / first[fit])).max()) if fit.any() else 0.0


def _blocks(before: Floats, after: Floats) -> tuple[int, float]:
    """Runs per block, and how many times larger the variance is than such blocks show."""
    orders = run_order(before), run_order(after)
    length = shared_block(orders, min(len(before), len(after)))
    return length, unseen_by_shared_blocks(orders, length)


def _splits(
    before: StageCounts,
    after: StageCounts,
    left: int | None,
    right: int | None,
    hems: Sequence[str],
    blocks: Sequence[tuple[int, float]],
    paired: bool,
) -> Iterator[dict[str, object]]:
    for place, hem in enumerate(hems):
        sides = [_counted(each, phase, place) for each, phase in ((before, left), (after, right))]
        if any(phase is not None and side is None for phase, side in zip((left, right), sides, strict=True)):
            continue  # not counted in this phase, in one of the sets
        alike = paired and all(side is not None and len(side[0]) == len(before.counts) == len(after.counts) for side in sides)
        found: Split = split(sides[0], sides[1], block=blocks[place][0], unseen=blocks[place][1], paired=alike)
        runs = [0 if side is None else len(side[0]) for side in sides]
        yield {
            "hem": hem,
            "before": found.before,
            "after": found.after,
            "change": found.change,
            "by_length": found.by_length,
            "error": found.error,
            "length_error": found.length_error,
            "freedom": found.freedom,
            "probability": found.probability,
            "runs_before": runs[0],
            "runs_after": runs[1],
        }


def _counted(stages: StageCounts, phase: int | None, place: int) -> tuple[Floats, Floats] | None:
    """Counts and lengths of a phase in the runs that counted the HEM; None if no run did."""
    if phase is None:
        return None
    counts = stages.counts[:, phase, place]
    known = np.isfinite(counts)
    return (counts[known], stages.lengths[known, phase]) if known.any() else None


def _length(
    before: StageCounts, after: StageCounts, left: int | None, right: int | None, blocks: tuple[int, float], paired: bool
) -> dict[str, object]:
    sides = [None if phase is None else (each.lengths[:, phase],) * 2 for each, phase in ((before, left), (after, right))]
    alike = paired and None not in (left, right) and len(before.lengths) == len(after.lengths)
    found = split(sides[0], sides[1], block=blocks[0], unseen=blocks[1], paired=alike)
    return {
        "before": found.before if left is not None else np.nan,
        "after": found.after if right is not None else np.nan,
        "change": found.change,
        "error": found.error,
        "freedom": found.freedom,
        "probability": found.probability,
    }


def _with_ends(rows: pd.DataFrame, params: CompareParams) -> pd.DataFrame:
    """`rows` with low, high, adjusted and changed."""
    freedom = rows["freedom"].to_numpy(dtype=float)
    half = stdtrit(np.where(np.isfinite(freedom), freedom, 1.0), (1 + params.level) / 2) * rows["error"].to_numpy(dtype=float)
    controlled = adjusted(rows["probability"])
    change = rows["change"].to_numpy(dtype=float)
    return rows.assign(low=change - half, high=change + half, adjusted=controlled, changed=controlled <= params.rate)


def _notes(
    before: Sequence[ProgramRuns],
    after: Sequence[ProgramRuns],
    pairs: Sequence[tuple[ProgramRuns, ProgramRuns]],
    found: Sequence[tuple[StageCounts, StageCounts]],
    uncut: Sequence[int],
) -> Iterator[str]:
    common = {each.name for pair in pairs for each in pair}
    lost = dict.fromkeys(each.name for each in (*before, *after) if each.name not in common)
    if lost:
        yield f"Only one set has {listed(lost)}."
    left_out = [pairs[place][1].name for place in uncut if _has_pieces(*pairs[place])]
    if left_out:
        yield f"Each run is one phase in {listed(left_out)}; the {MOST_CUT} programs that change most are cut into phases."
    short = sum(
        len(program.runs) - len(stages.counts)
        for pair, both in zip(pairs, found, strict=True)
        for program, stages in zip(pair, both, strict=True)
    )
    if short:
        yield f"Left out: {short:,} {'run' if short == 1 else 'runs'} with another number of phases than most."
    if any(len(stages.counts) < 2 for both in found for stages in both):
        yield "Where a set has one run of a program, no interval is known."
