"""Changes split into phases: the split by hand, runs cut in order, phases matched, parts that sum to the change."""

import numpy as np
import pandas as pd
import pytest

from hemcore.compare.stages import StageChanges, phases
from hemcore.compare.stages.exact_split import split
from hemcore.compare.stages.program_runs import ProgramRuns, programs_of
from hemcore.compare.stages.stage_cuts import StageCounts, _cut_by, aligned, cut_together, ends_in_order
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.errors import TableError


def runs(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def test_a_split_by_hand() -> None:
    # 20 in a length of 10, then 60 in 20: rates 2 and 3. Longer: 10 x 2.5 = 25; faster: 1 x 15 = 15.
    found = split((runs(20, 20), runs(10, 10)), (runs(60, 60), runs(20, 20)))
    assert (found.before, found.after, found.change, found.by_length, found.by_rate) == (20, 60, 40, 25, 15)
    assert (found.error, found.length_error, found.probability) == (0, 0, 0)


def test_the_error_by_hand() -> None:
    # Means 10 and 20; variances 2 and 8 of two runs each: error sqrt(2/2 + 8/2), Welch's freedom 25 / (1 + 16).
    found = split((runs(9, 11), runs(1, 1)), (runs(18, 22), runs(1, 1)))
    assert found.error == pytest.approx(np.sqrt(5))
    assert found.freedom == pytest.approx(25 / 17)
    # Of equal lengths nothing is by length, without doubt.
    assert (found.by_length, found.length_error) == (0, 0)
    # Runs that move together say more in pairs: differences 9 and 11, error 1, one degree of freedom.
    pairs = split((runs(9, 11), runs(1, 1)), (runs(18, 22), runs(1, 1)), paired=True)
    assert (pairs.error, pairs.freedom) == pytest.approx((1, 1))
    # Two runs per block: two blocks of sums -4 and 4 in four runs: variance (16 + 16) 2 / 16.
    blocks = split((runs(8, 8, 12, 12), runs(1, 1, 1, 1)), (runs(1, 1, 1, 1), runs(1, 1, 1, 1)), block=2)
    assert blocks.error == pytest.approx(2)


def test_the_error_of_a_part_is_that_of_many_runs() -> None:
    rng = np.random.default_rng(1)

    def one() -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        lengths = rng.normal(100, 10, 40), rng.normal(130, 10, 40)
        return (lengths[0] * rng.normal(5, 0.3, 40), lengths[0]), (lengths[1] * rng.normal(6, 0.3, 40), lengths[1])

    found = [split(*one()) for _ in range(400)]
    assert np.std([each.by_length for each in found]) == pytest.approx(np.mean([each.length_error for each in found]), rel=0.12)
    assert np.std([each.change for each in found]) == pytest.approx(np.mean([each.error for each in found]), rel=0.12)


def test_a_phase_of_one_set_is_all_length() -> None:
    lost = split((runs(20, 30), runs(10, 10)), None)
    assert (lost.before, lost.after, lost.by_length, lost.by_rate) == (25, 0, -25, 0)
    new = split(None, (runs(20, 30), runs(10, 10)))
    assert (new.by_length, new.by_rate) == (25, 0)
    assert new.error == pytest.approx(5)  # deviations -5 and 5: variance 50, of two runs
    assert np.isnan(split((runs(20), runs(10)), (runs(30), runs(10))).error)


def test_runs_are_cut_in_order_by_hand() -> None:
    # Roots of the counts 1 1 3 3 3 2 against the levels 1, 3, 2.
    run = np.square([[1.0], [1.0], [3.0], [3.0], [3.0], [2.0]])
    levels, scale = np.array([[1.0], [3.0], [2.0]]), np.array([1.0])
    assert ends_in_order(run, levels, scale) == [2, 5]
    # A phase has one piece at least, though it fits badly; an interval that was not counted goes where the others leave it.
    assert ends_in_order(np.square([[1.0], [1.0], [3.0]]), levels, scale) == [1, 2]
    run[3] = np.nan
    assert ends_in_order(run, levels, scale) == [2, 5]
    assert ends_in_order(run[:2], levels, scale) == []


def test_both_sets_are_cut_by_the_levels_of_both() -> None:
    # Levels 1 and 3 cut both runs in the middle. The first run's own levels are 1.5 and 2.8 then, of which 2.1 is nearer to 1.5; those of
    # both runs are 1 and 2.45.
    one, two, reference = (
        np.square([[float(each)] for each in roots]) for roots in ((1.5, 1.5, 2.1, 3.5), (0.5, 0.5, 2.1, 2.1), (1, 1, 3, 3))
    )
    assert _cut_by([[one]], reference, [2])[0] == [[[3]]]
    assert _cut_by([[one], [two]], reference, [2])[0] == [[[2]], [[2]]]


def _of_roots(*roots: float) -> ProgramRuns:
    run = np.square(np.array(roots))[:, None]
    return ProgramRuns(name="p", hems=("A",), unit="1 s", cut=False, runs=(run,), lengths=(np.ones(len(roots)),))


@pytest.mark.parametrize(
    ("after", "own", "lengths"),
    [
        # Cut by itself it scatters as little as cut by the phases of the other: both are cut alike.
        ((1.2, 1, 1.2, 1, 3, 3.2, 3.2, 3), [4, 5], ([4, 1, 3], [4, 1, 3])),
        # In the other order no phase of one is a phase of the other: each has its own.
        ((3.2, 3, 3.2, 3, 1, 1.2), [4], ([4, 4], [4, 2])),
    ],
)
def test_a_set_has_phases_of_its_own_only_if_it_scatters_far_less_by_them(
    after: tuple[float, ...], own: list[int], lengths: tuple[list[int], list[int]]
) -> None:
    points = iter(([4], own))
    found = cut_together(_of_roots(1, 1.2, 1, 1.2, 3, 3.2, 3, 3.2), _of_roots(*after), lambda _: [next(points)])
    assert tuple(each.lengths[0].tolist() for each in found) == lengths


def _stages(*levels: float) -> StageCounts:
    return StageCounts(counts=np.array([[[10 * each] for each in levels]]), lengths=np.full((1, len(levels)), 10.0))


def test_phases_are_matched_in_order() -> None:
    assert aligned(_stages(1, 9, 4), _stages(2, 18, 8)) == [(0, 0), (1, 1), (2, 2)]
    # A new one in the middle.
    assert aligned(_stages(1, 100), _stages(1, 36, 100)) == [(0, 0), (None, 1), (1, 2)]
    assert aligned(_stages(1, 36, 100), _stages(1, 100)) == [(0, 0), (1, None), (2, 1)]


LEVELS = {"fill": 100.0, "sort": 900.0, "drain": 400.0}


def series(seed: int, n_runs: int = 12, factor: float = 1.0, longer: float = 1.0) -> CounterSeries:
    """Runs of three stages; in `sort`, A counts `factor` as much per interval, and it lasts `longer`."""
    rng = np.random.default_rng(seed)
    parts, keys = [], []
    for run in range(1, n_runs + 1):
        stages = [name for name in LEVELS for _ in range(int(rng.integers(36, 44) * (longer if name == "sort" else 1)))]
        own = np.array([LEVELS[name] * (factor if name == "sort" else 1) for name in stages])
        parts.append(np.column_stack([rng.poisson(own), rng.poisson([2 * LEVELS[name] for name in stages])]))
        keys.append(pd.DataFrame({"application": "box", "run": run, "interval": np.arange(len(stages))}))
    counts = pd.DataFrame(np.concatenate(parts), columns=["A", "B"]).astype(float)
    return CounterSeries(intervals=pd.concat(keys, ignore_index=True), counts=counts, mode="OCOE", interval_unit="1 s")


def of(found: StageChanges, hem: str) -> pd.DataFrame:
    return found.table[found.table["hem"] == hem].set_index("phase")


def test_the_phase_that_counts_more_is_named_by_its_rate() -> None:
    found = phases(series(1), series(2, factor=1.2))
    assert found.cut == ("box",)
    rows = of(found, "A")
    assert len(rows) == 3
    assert rows["changed"].tolist() == [False, True, False]
    # 20% more of 900 in some 40 intervals.
    assert rows.loc[2, "by_rate"] == pytest.approx(0.2 * 900 * 40, rel=0.05)
    assert abs(rows.loc[2, "by_length"]) < 0.2 * rows.loc[2, "by_rate"]
    assert not of(found, "B")["changed"].any()
    assert not found.length_table["changed"].any()


def test_the_phase_that_lasts_longer_is_named_by_its_length() -> None:
    found = phases(series(1), series(2, longer=1.5))
    assert found.length_table["changed"].tolist() == [False, True, False]
    assert found.length_table.loc[1, "change"] == pytest.approx(20, abs=2.5)
    for hem, level in (("A", 900), ("B", 1800)):
        rows = of(found, hem)
        assert rows["changed"].tolist() == [False, True, False]
        assert rows.loc[2, "by_length"] == pytest.approx(20 * level, rel=0.12)
        assert abs(rows.loc[2, "by_rate"]) < 0.05 * rows.loc[2, "by_length"]


def test_parts_sum_to_the_change_of_the_total() -> None:
    before, after = series(1), series(2, factor=1.3, longer=1.2)
    found = phases(before, after)
    for hem in ("A", "B"):
        rows = of(found, hem)
        totals = [each.counts[hem].sum() / 12 for each in (before, after)]
        assert abs(rows["change"].sum() - (totals[1] - totals[0])) <= 1e-9 * totals[1]
        assert abs((rows["by_length"] + rows["by_rate"]).sum() - (totals[1] - totals[0])) <= 1e-9 * totals[1]
        assert rows["share"].sum() == pytest.approx(1)


def pair(name: str) -> PhaseTable:
    """The runs of a real set that read all its HEMs together, as whole runs of one program."""
    truth = samples.load(name).truth  # type: ignore[union-attr]
    frame = truth.reset_index(drop=True).assign(program="box", granularity="whole run", load="alone", phase=range(len(truth)))
    return PhaseTable(frame=frame, counters=tuple(truth.columns))


@pytest.mark.slow
@pytest.mark.parametrize("after", ["pairs-arrays", "pairs-o1", "pairs-larger"])
def test_parts_of_the_real_pairs_sum_to_the_change(after: str) -> None:
    one, two = pair("pairs-before"), pair(after)
    found = phases(one, two)
    assert found.unit == "Ir"  # instructions stand for the length: a change is more of them, or more per instruction
    for hem in one.counters:
        rows = of(found, hem)
        total = two.frame[hem].mean() - one.frame[hem].mean()
        assert abs((rows["by_length"] + rows["by_rate"]).sum() - total) <= 1e-9 * max(two.frame[hem].mean(), 1.0)
    assert of(found, "Ir")["by_rate"].tolist() == pytest.approx([0.0], abs=1e-6)


def test_given_phases_stand_as_they_are() -> None:
    frame = pd.DataFrame(
        {"program": "p", "granularity": "segment", "load": ["run 1"] * 2 + ["run 2"] * 2, "phase": [0, 1] * 2, "intervals": [5, 10, 7, 10]}
    )
    (program,) = programs_of(PhaseTable(frame=frame.assign(A=[1.0, 2.0, 3.0, 4.0]), counters=("A",)))
    assert (program.name, program.unit, program.cut, len(program.runs)) == ("p", "intervals", True, 2)
    assert program.lengths[1].tolist() == [7, 10]
    assert program.runs[1].tolist() == [[3], [4]]


def test_what_cannot_be_split_is_a_sentence() -> None:
    one = series(1, n_runs=2)
    other = CounterSeries(intervals=one.intervals, counts=one.counts.rename(columns={"A": "C", "B": "D"}), mode="OCOE", interval_unit="1 s")
    with pytest.raises(TableError, match="no HEM is in both sets"):
        phases(one, other)
    with pytest.raises(TableError, match="the units differ. Collect both with the same unit"):
        phases(one, CounterSeries(intervals=one.intervals, counts=one.counts, mode="OCOE", interval_unit="2 s"))
    with pytest.raises(TableError, match="before is a SignatureTable, which has no phases"):
        phases(samples.load("signatures"), one)  # type: ignore[arg-type]
