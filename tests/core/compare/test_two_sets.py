"""Two sets of runs: changes, intervals and findings that can be worked by hand, and how often they are right."""

import io
import re

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.compare import compare
from hemcore.compare.analysis import COMPARE_RUNS, COMPARE_SERIES
from hemcore.compare.false_discoveries import adjusted
from hemcore.compare.group_changes import cliffs_delta
from hemcore.compare.headline import bound_shown, named, verdict
from hemcore.compare.params import CompareParams
from hemcore.compare.results import COLUMNS, Comparison
from hemcore.compare.tail_probabilities import tail_probability
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, TableError


def runs(counts: dict[str, object] | pd.DataFrame) -> Subexperiments:
    """One subexperiment of these columns."""
    frame = pd.DataFrame(counts)
    return Subexperiments(frames=(frame,), n_pmcs=frame.shape[1], labels=("runs",))


def compared(before: dict[str, object] | pd.DataFrame, after: dict[str, object] | pd.DataFrame, **params: object) -> Comparison:
    return compare(runs(before), runs(after), **params)  # type: ignore[arg-type]


def row(found: Comparison, name: str) -> pd.Series:
    return found.table.set_index("hem").loc[name]


def noisy(rng: np.random.Generator, n: int, hems: int = 6, deviation: float = 0.05) -> pd.DataFrame:
    return pd.DataFrame(rng.normal(1_000, 1_000 * deviation, (n, hems)), columns=[f"H{place}" for place in range(hems)])


def test_the_adjusted_probabilities_are_benjamini_and_hochberg_s() -> None:
    # Sorted .01, .03, .04, .5 times 4 / rank: .04, .06, .0533, .5; each at most the next.
    np.testing.assert_allclose(adjusted([0.01, 0.04, 0.03, 0.5, np.nan]), [0.04, 0.16 / 3, 0.16 / 3, 0.5, np.nan])
    assert adjusted([]).shape == (0,)


def test_cliff_s_delta_counts_pairs() -> None:
    # Of nine pairs six are larger after, one is smaller, two are equal.
    assert cliffs_delta(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0, np.nan])) == pytest.approx(5 / 9)
    assert np.isnan(cliffs_delta(np.array([]), np.array([1.0])))


def test_a_change_is_the_ratio_of_the_means_with_the_error_of_both() -> None:
    before, after = [90.0, 100.0, 110.0, 100.0], [99.0, 110.0, 121.0, 110.0]
    found = row(compared({"A": before}, {"A": after}), "A")
    assert found["change"] == pytest.approx(0.1)
    assert (found["before"], found["after"], found["runs_before"], found["runs_after"]) == (100, 110, 4, 4)
    # Variance of each mean 200 / 3 / 4, as a share of it .0816 / 2 = .0408; of the log ratio its root times 2 ** .5.
    assert found["error"] == pytest.approx(np.sqrt(2 * 200 / 12) / 100)
    assert found["low"] < 0.1 < found["high"]
    assert list(compared({"A": before}, {"A": after}).table.columns[: len(COLUMNS)]) == list(COLUMNS)


def test_an_interval_of_well_behaved_runs_is_student_s() -> None:
    rng = np.random.default_rng(0)
    before, after = rng.normal(100, 5, 200), rng.normal(103, 5, 200)
    found = row(compared({"A": before}, {"A": after}), "A")
    error = np.sqrt(before.var(ddof=1) / 200 / before.mean() ** 2 + after.var(ddof=1) / 200 / after.mean() ** 2)
    expected = np.log(after.mean() / before.mean()) + np.array([-1.649, 1.649]) * error
    np.testing.assert_allclose(np.log1p([found["low"], found["high"]]), expected, atol=0.12 * error)


def test_an_interval_holds_no_change_where_that_is_usual() -> None:
    # One run of 39 counts 14, the others 10. It is among the ten before in 10 / 39 of all exchanges, as it was read. After has no error of
    # its own, so supposed changes jump from usual to impossible at no change itself.
    other = {"before": np.arange(10.0) + 90, "after": np.arange(29.0) + 80}
    found = row(compared({"A": [*[10.0] * 9, 14.0], "B": other["before"]}, {"A": [10.0] * 29, "B": other["after"]}), "A")
    assert found["probability"] == pytest.approx(20 / 39, abs=0.05)
    assert found["change"] == pytest.approx(10 / 10.4 - 1)
    assert found["low"] < found["high"] == 0


def test_where_runs_separate_the_probability_is_that_of_their_exchanges() -> None:
    # One of 20 ways to choose three of six, on either side.
    found = row(compared({"A": [1.0, 2.0, 3.0]}, {"A": [11.0, 12.0, 13.0]}), "A")
    assert found["probability"] == pytest.approx(0.1, abs=0.03)
    assert not found["changed"]


def test_the_tail_beyond_the_draws_goes_on_with_student_s() -> None:
    draws = np.sort(np.random.default_rng(0).normal(size=1_999))
    assert tail_probability(1.0, draws, freedom=100) == pytest.approx(0.317, abs=0.04)
    assert tail_probability(8.0, draws, freedom=10_000) == pytest.approx(1.2e-15, rel=9)
    # No surer than the number of exchanges.
    assert tail_probability(8.0, draws, freedom=10_000, ways=1e6) == pytest.approx(2e-6)
    assert tail_probability(0.0, np.zeros(1_999), freedom=5) == 1


def test_of_paired_runs_the_noise_that_both_share_counts_for_nothing() -> None:
    rng = np.random.default_rng(1)
    load = rng.normal(1_000, 200, 40)
    before, after = {"A": load + rng.normal(0, 1, 40)}, {"A": 1.01 * load + rng.normal(0, 1, 40)}
    alone, paired = row(compared(before, after), "A"), row(compared(before, after, paired=True), "A")
    assert paired["change"] == pytest.approx(0.01, abs=0.001)
    assert not alone["changed"]
    assert paired["changed"]
    assert (paired["high"] - paired["low"]) < (alone["high"] - alone["low"]) / 20
    assert row(compared(before, after, paired=True, statistic="median"), "A")["changed"]


def test_counts_that_are_often_0_change_by_a_difference() -> None:
    before, after = [0.0] * 28 + [3.0, 5.0], [0.0] * 29 + [4.0]
    found = compared({"A": before, "B": range(100, 130)}, {"A": after, "B": range(101, 131)})
    assert row(found, "A")["measure"] == "difference"
    assert row(found, "A")["change"] == pytest.approx(4 / 30 - 8 / 30)
    assert row(found, "B")["measure"] == "relative"
    assert any("often 0" in note for note in found.notes)


def test_a_constant_that_moves_is_sure_and_one_that_stays_is_none() -> None:
    n = 12
    found = compared({"A": [5.0] * n, "B": [7.0] * n}, {"A": [6.0] * n, "B": [7.0] * n})
    assert row(found, "A")[["change", "low", "high"]].tolist() == pytest.approx([0.2, 0.2, 0.2])
    assert row(found, "A")["changed"]
    assert row(found, "B")["change"] == 0
    assert row(found, "B")["probability"] == 1


def test_runs_needed_are_those_that_shrink_the_interval_to_the_change() -> None:
    rng = np.random.default_rng(3)
    found = row(compared({"A": rng.normal(100, 10, 50)}, {"A": rng.normal(101.2, 10, 50)}), "A")
    half = (np.log1p(found["high"]) - np.log1p(found["low"])) / 2
    assert not found["changed"]
    assert found["runs_needed"] == np.ceil(50 * ((half / np.log1p(found["change"])) ** 2 - 1))


def test_a_higher_level_is_wider_and_a_lower_rate_finds_less() -> None:
    rng = np.random.default_rng(4)
    before, after = noisy(rng, 60), noisy(rng, 60) * [1, 1, 1.02, 1.04, 1.1, 1]
    narrow, wide = (compared(before, after, level=level).table.set_index("hem") for level in (0.8, 0.95))
    assert (wide["low"] < narrow["low"]).all()
    assert (wide["high"] > narrow["high"]).all()
    found = [set(compared(before, after, rate=rate).changed["hem"]) for rate in (0.001, 0.3)]
    assert {"H4"} <= found[0] <= found[1]


def test_several_subexperiments_weigh_by_their_runs() -> None:
    frames = [pd.DataFrame({"A": [100.0] * 9 + [101.0]}), pd.DataFrame({"A": [200.0] * 29 + [201.0]})]
    before = Subexperiments(frames=(frames[0].assign(B=1.0), frames[1].assign(C=1.0)), n_pmcs=2, labels=("a", "b"))
    later = (frames[0].assign(B=1.0), frames[1].assign(A=frames[1]["A"] * 1.1, C=1.0))
    after = Subexperiments(frames=later, n_pmcs=2, labels=("a", "b"))
    # 10 runs did not change, 30 by log 1.1.
    assert row(compare(before, after), "A")["change"] == pytest.approx(np.exp(0.75 * np.log(1.1)) - 1)


def test_from_five_programs_on_the_interval_is_over_programs() -> None:
    changes = np.array([0.1, 0.2, 0.0, 0.1, 0.1])
    sides = [
        pd.DataFrame({"program": [f"p{place}" for place in range(5) for _ in range(4)], "A": np.repeat(np.exp(shift), 4)})
        for shift in (np.zeros(5), changes)
    ]
    result = hem.compare(*sides).result
    found = row(result, "A")
    assert result.over == "programs"
    assert np.log1p(found["change"]) == pytest.approx(0.1)
    # Student's t with 4 degrees at 95%: 2.132.
    assert np.log1p(found["high"]) == pytest.approx(0.1 + 2.132 * changes.std(ddof=1) / np.sqrt(5), rel=1e-3)


def test_the_runs_of_series_are_totals_whose_gaps_take_the_mean() -> None:
    def series(rate: float, seed: int) -> CounterSeries:
        rng = np.random.default_rng(seed)
        counts = [pd.DataFrame({"A": rng.poisson(rate, 20).astype(float)}) for _ in range(30)]
        counts[0].loc[3:6, "A"] = np.nan
        return _series(counts)

    found = compare(series(100, 1), series(110, 2))
    assert row(found, "A")["before"] == pytest.approx(2_000, rel=0.02)
    assert row(found, "A")["changed"]
    halves = COMPARE_SERIES.of(series(100, 1), CompareParams())
    assert halves.halves
    assert not len(halves.changed)


def _series(counts: list[pd.DataFrame]) -> CounterSeries:
    parts = [frame.assign(application="p", run=run, time=range(len(frame))) for run, frame in enumerate(counts)]
    table = hem.read(_as_csv(pd.concat(parts)))
    assert isinstance(table, CounterSeries)
    return table


def _as_csv(frame: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO(frame[["application", "run", "time", "A"]].to_csv(index=False).encode())
    file.name = "series.csv"
    return file


def test_arguments_stay_and_the_same_seed_is_the_same_answer() -> None:
    rng = np.random.default_rng(5)
    before, after = noisy(rng, 30), noisy(rng, 30)
    kept = before.copy(), after.copy()
    first, again, other = (compared(before, after, seed=seed).table for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first["low"].equals(other["low"])
    pd.testing.assert_frame_equal(before, kept[0])
    pd.testing.assert_frame_equal(after, kept[1])


@pytest.mark.parametrize(
    ("before", "after", "params", "sentence"),
    [
        ({"A": [1.0, 2.0]}, {"B": [1.0, 2.0]}, {}, "no HEM is in both sets"),
        ({"A": [1.0]}, {"A": [2.0]}, {}, "at least two runs"),
        ({"A": [1.0, 2.0]}, {"A": [1.0, 2.0, 3.0]}, {"paired": True}, "Switch pairing off"),
        ({"A": [1.0, 2.0]}, {"A": [1.0, 2.0]}, {"level": 1.5}, "level"),
    ],
)
def test_what_cannot_be_compared_is_told(before: dict, after: dict, params: dict, sentence: str) -> None:
    with pytest.raises(HemError, match=sentence):
        compared(before, after, **params)


def test_tables_of_two_kinds_are_refused() -> None:
    with pytest.raises(TableError, match="both must be of one kind"):
        hem.compare("subexperiments-much", "phases")


def test_without_a_set_before_the_halves_are_compared_and_doubted() -> None:
    found = COMPARE_RUNS.of(runs(noisy(np.random.default_rng(6), 80)), CompareParams())
    told = COMPARE_RUNS.verdict(found)
    assert found.halves
    assert told.level != "good"
    assert "two halves" in " ".join([told.trust, *told.why])


def test_the_verdict_names_the_largest_change_or_what_would_have_been_seen() -> None:
    rng = np.random.default_rng(7)
    before = noisy(rng, 100)
    changed = COMPARE_RUNS.verdict(compared(before, noisy(rng, 100) * [1, 1.2, 1.05, 1, 1, 1], rate=0.001))
    assert changed.answer.startswith("H1: ")
    assert changed.answer.endswith("more, 1 other changed too.")
    same = COMPARE_RUNS.verdict(compared(before, noisy(rng, 100)))
    assert same.answer.startswith("Nothing changed by more than ")
    few = COMPARE_RUNS.verdict(compared(noisy(rng, 8), noisy(rng, 8) * 1.5))
    assert few.level != "good"
    wild = COMPARE_RUNS.verdict(compared(np.exp(noisy(rng, 40, deviation=0.5) / 500), np.exp(noisy(rng, 40, deviation=0.5) / 500)))
    assert wild.answer == "No change is larger than chance."
    assert re.fullmatch(r"A change of up to \d{2,3}\.\d% could hide in these runs\.", wild.trust)


@pytest.mark.sweep(of=2)
@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_where_nothing_changed_few_sets_have_a_finding(statistic: str) -> None:
    rng = np.random.default_rng(8)
    made = {"normal": lambda n: rng.normal(100, 5, (n, 6)), "heavy": lambda n: rng.lognormal(0, 1.5, (n, 6)).round(1)}
    names = [f"H{place}" for place in range(6)]
    found = []
    for number in range(80):
        draw = made[("normal", "heavy")[number % 2]]
        sides = [pd.DataFrame(draw(n), columns=names) for n in (12, 25)]
        found.append(len(compared(*sides, statistic=statistic, seed=number).changed) > 0)
    assert np.mean(found) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("sigma", "n"), [(0.3, 10), (1.0, 60)])
def test_intervals_hold_the_true_change(sigma: float, n: int) -> None:
    rng = np.random.default_rng(9)
    names = [f"H{place}" for place in range(60)]
    inside = []
    for seed in range(6):
        before, after = (pd.DataFrame(rng.lognormal(0, sigma, (n, 60)) * times, columns=names) for times in (1, 1.1))
        table = compared(before, after, seed=seed).table
        inside += ((table["low"] <= 0.1) & (table["high"] >= 0.1)).tolist()
    assert 0.85 <= np.mean(inside) <= 0.95


@pytest.mark.slow
def test_three_per_cent_in_one_of_fourteen_is_found() -> None:
    rng = np.random.default_rng(10)
    found = 0
    for seed in range(20):
        before, after = noisy(rng, 200, 14, 0.065), noisy(rng, 200, 14, 0.065)
        found += bool(row(compared(before, after.assign(H3=after["H3"] * 1.03), seed=seed), "H3")["changed"])
    assert found >= 18


def test_a_bound_is_rounded_up_to_tenths_of_a_percent() -> None:
    assert [bound_shown(each) for each in (1.2556, 0.0321, 0.00431, 0.005, 0.0)] == pytest.approx([1.256, 0.033, 0.0044, 0.005, 0.0])


def test_of_a_long_name_the_middle_is_left_out() -> None:
    assert named(pd.Series({"hem": "MEM_LOAD_RETIRED.L3_MISS:umask=0x20"}), 24) == "MEM_LOAD_RE…S:umask=0x20"
    assert named(pd.Series({"hem": "L2\n MISS"})) == "L2 MISS"


def test_no_verdict_is_green_where_a_set_has_hems_that_the_other_lacks() -> None:
    rng = np.random.default_rng(4)
    before, after = noisy(rng, 40), noisy(rng, 40)
    after["H0"] *= 1.5
    assert verdict(compared(before, after)).level == "good"
    for sets in ((before, after.drop(columns="H3")), (before.drop(columns="H3"), after)):
        found = verdict(compared(*sets))
        assert found.level == "limited"
        assert found.trust == "The sets do not hold the same HEMs: is this the right set before?"
        assert any("did not count it: H3." in reason for reason in found.why)


def test_of_several_programs_the_verdict_names_the_mean_and_what_their_sum_does() -> None:
    """p counts 1,000 and then twice as many, q 9,000 both times: 2 ** .5 is +41.4%, 10,000 to 11,000 is +10%."""

    def cores(of_p: int) -> CounterSeries:
        wobble = np.array([0.999, 1.001, 0.998, 1.002, 0.999, 1.001, 0.997, 1.003] * 4)
        rows = pd.DataFrame({"application": np.repeat(["p", "q"], 32), "run": [*range(32)] * 2, "interval": 1})
        return CounterSeries(intervals=rows, counts=pd.DataFrame({"cycles": np.outer([of_p, 9_000], wobble).ravel()}), mode="OCOE")

    found = compare(cores(1_000), cores(2_000))
    assert row(found, "cycles")["change"] == pytest.approx(np.sqrt(2) - 1, abs=1e-9)
    assert (row(found, "cycles")["before"], row(found, "cycles")["after"]) == (pytest.approx(5_000), pytest.approx(5_500))
    told = verdict(found)
    assert re.fullmatch(r"cycles: 41\.\d% to 41\.\d% more in the geometric mean of 2 programs\.", told.answer)
    assert any("counted together, cycles changed by +10.0%." in each for each in told.why)
    assert not told.too_long()
    one = verdict(compare(cores(1_000).where(np.arange(64) < 32), cores(2_000).where(np.arange(64) < 32)))
    assert "geometric" not in one.full_text
