"""The sample files are what sample_data/README.md says they are."""

import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.compare import compare
from hemcore.datasets import CounterSeries, HemList, PhaseTable, SignatureTable, Subexperiments
from hemcore.datasets.shelf import samples
from hemcore.errors import ReadError, UnknownNameError
from hemcore.mpx.virtual import counted_slots
from hemcore.planning import PlanParams
from hemcore.planning.analysis import PLAN

FOLDER = Path(__file__).parents[2] / "sample_data"
README = (FOLDER / "README.md").read_text()
EVENTS = ["Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim"]
HEMS = {"CYCLES", *EVENTS}
SECTIONS = dict(re.findall(r"^## `([^`]+\.(?:csv\.gz|parquet))`\n(.*?)(?=^## |\Z)", README, flags=re.MULTILINE | re.DOTALL))


def read(relative: str) -> pd.DataFrame:
    path = FOLDER / relative
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path, sep=";" if "signatures" in relative else ",")


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_readme_describes_every_file_and_no_other() -> None:
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.suffix in (".parquet", ".gz")}
    shipped = {name for name in files if not name.startswith(("collect/", "answers/"))}
    separate = {name for name in shipped if "_separate/" in name}
    assert shipped - separate == set(SECTIONS)
    assert {name.split("/")[1] for name in separate} == {"hrm_separate", "much_separate", "synthetic_separate"}


PAIRS = ("arrays", "o1", "larger")
# What surely follows from each change: HEM, least and largest relative change of the truth.
KNOWN_CHANGES = {
    "arrays": {"Bi": (0.0, 0.0), "Bim": (0.0, 0.0), "D1mr": (-0.9, -0.7), "DLmw": (-0.75, -0.6)},
    "o1": {"Bi": (0.0, 0.0), "DLmw": (0.0, 0.0), "Ir": (0.1, 0.3), "Dr": (0.5, 0.7), "D1mr": (-0.01, 0.01)},
    "larger": {"Ir": (0.49, 0.5), "Bi": (0.499, 0.5), "D1mr": (0.49, 0.51), "I1mr": (0.0, 0.0)},
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_differs_by_what_its_change_does(name: str) -> None:
    before, after = samples.load("pairs-before"), samples.load(f"pairs-{name}")
    assert isinstance(before, Subexperiments)
    assert isinstance(after, Subexperiments)
    assert samples.before(f"pairs-{name}") == "pairs-before"
    assert [len(frame) for frame in after.frames] == [60, 60, 60]
    assert after.hems == before.hems
    assert before.truth is not None
    assert after.truth is not None
    change = after.truth.mean() / before.truth.mean() - 1
    for hem, (least, most) in KNOWN_CHANGES[name].items():
        assert least - 1e-3 <= change[hem] <= most + 1e-3, hem
    # The answer holds the truth of each HEM but for chance: 90% intervals, and the truth's own runs scatter.
    table = compare(before, after).table.set_index("hem").loc[change.index]
    assert ((table["low"] - 0.02 <= change) & (change <= table["high"] + 0.02)).all()


def test_pairs_are_small_and_listed_on_compare_alone() -> None:
    size = sum(path.stat().st_size for path in (FOLDER / "pairs").rglob("*.gz"))
    assert size < 1_500_000
    assert not samples.is_for("pairs-o1", "merge")
    assert samples.is_for("pairs-o1", "compare")
    assert samples.is_for("subexperiments-hrm", "merge")
    assert samples.before("subexperiments-hrm") is None


@pytest.mark.parametrize("relative", sorted(SECTIONS))
def test_rows_columns_and_ranges_are_those_of_the_readme(relative: str) -> None:
    frame, text = read(relative), SECTIONS[relative]
    rows, columns = re.search(r"^([\d,]+) rows, (\d+) columns", text, flags=re.MULTILINE).groups()  # type: ignore[union-attr]
    assert (len(frame), frame.shape[1]) == (number(rows), int(columns))
    described = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")][1:]
    if relative != "signatures/signatures_synthetic.csv.gz":
        assert [row[0] for row in described] == list(frame.columns)
    for name, _what, _unit, least, largest in described:
        if pd.api.types.is_numeric_dtype(frame[name]):
            assert (frame[name].min(), frame[name].max()) == pytest.approx((number(least), number(largest)), abs=1e-6)
        else:
            assert least == f"{frame[name].nunique()} values"


def test_all_files_are_under_15_mb() -> None:
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file() and "collect" not in path.parts)
    assert size < 15_000_000


@pytest.mark.parametrize(("name", "subexperiments"), [("subexperiments-hrm", 3), ("subexperiments-much", 7)])
def test_subexperiments_have_500_runs_each_and_cover_the_14_hems(name: str, subexperiments: int) -> None:
    table = samples.load(name)
    assert isinstance(table, Subexperiments)
    assert len(table.frames) == subexperiments
    assert all(len(frame) >= 500 and frame.shape[1] == 6 for frame in table.frames)
    assert set(table.hems) == HEMS


def test_the_anchor_is_in_every_hrm_subexperiment() -> None:
    table = samples.load("subexperiments-hrm")
    assert isinstance(table, Subexperiments)
    assert table.common_hems == ["CYCLES"]


def test_every_pair_is_read_together_in_the_much_collection() -> None:
    table = samples.load("subexperiments-much")
    assert isinstance(table, Subexperiments)
    together = {frozenset(pair) for frame in table.frames for pair in itertools.combinations(frame.columns, 2)}
    assert len(together) == 14 * 13 // 2


def test_no_run_is_shared() -> None:
    runs = read("subexperiments/runs.csv.gz")
    assert not runs["seed"].duplicated().any()
    assert runs.groupby(["collection", "subexperiment"]).size().to_dict() == {
        **{("hrm", number): 500 for number in range(1, 4)},
        **{("much", number): 500 for number in range(1, 8)},
        ("truth", 1): 1_000,
    }


def test_no_two_subexperiments_have_the_same_readings() -> None:
    table = samples.load("subexperiments-much")
    assert isinstance(table, Subexperiments)
    for hem in table.hems:
        columns = [frozenset(frame[hem]) for frame in table.frames if hem in frame.columns]
        for one, other in itertools.combinations(columns, 2):
            assert len(one & other) < 0.5 * len(one), hem


@pytest.mark.parametrize("collection", ["hrm", "much"])
def test_the_stacked_file_is_the_separate_files_side_by_side(collection: str) -> None:
    stacked = read(f"subexperiments/{collection}_stacked.csv.gz")
    separate = sorted((FOLDER / f"subexperiments/{collection}_separate").glob("*.csv.gz"))
    for number_, path in enumerate(separate):
        frame = pd.read_csv(path)
        part = stacked.iloc[:, number_ * 6 : (number_ + 1) * 6]
        assert [name.split(".")[0] for name in part.columns] == list(frame.columns)
        np.testing.assert_array_equal(part.to_numpy(), frame.to_numpy())


def test_the_truth_has_all_14_hems_read_together_and_agrees_with_the_pieces() -> None:
    truth, much = samples.truth("subexperiments-much"), samples.load("subexperiments-much")
    assert isinstance(truth, Subexperiments)
    assert isinstance(much, Subexperiments)
    together = truth.frames[0]
    assert set(together.columns) == HEMS
    assert len(together) >= 1_000
    # Each piece is another sample of the same distribution: their means differ by chance alone.
    for frame in much.frames:
        for hem in frame.columns:
            error = np.hypot(frame[hem].std() / np.sqrt(len(frame)), together[hem].std() / np.sqrt(len(together)))
            assert abs(frame[hem].mean() - together[hem].mean()) < 5 * error, hem


def test_every_hem_varies_and_means_more_than_100() -> None:
    truth = samples.truth("subexperiments-much")
    assert isinstance(truth, Subexperiments)
    assert (truth.frames[0].mean() > 100).all()
    assert (truth.frames[0].std() / truth.frames[0].mean() > 0.05).all()


@pytest.fixture(scope="module")
def phases() -> PhaseTable:
    table = samples.load("phases")
    assert isinstance(table, PhaseTable)
    return table


def test_phases_of_all_programs_granularities_and_loads(phases: PhaseTable) -> None:
    domains = phases.frame.groupby("domain")["program"].nunique()
    assert len(domains) == 8
    assert (domains >= 3).all()
    assert len(phases.programs) >= 24
    assert len(phases.granularities) >= 4
    assert phases.loads == ["single core", "dual core no load", "dual core full load"]
    combinations = phases.frame.groupby(["program", "granularity", "load"], sort=False).ngroups
    assert combinations == len(phases.programs) * len(phases.granularities) * 3


def test_a_phase_has_the_basic_blocks_of_its_granularity_and_only_the_last_fewer(phases: PhaseTable) -> None:
    frame = phases.frame
    last = frame["phase"] == frame.groupby(["program", "granularity", "load"])["phase"].transform("max")
    assert (frame.loc[~last, "blocks"] == frame.loc[~last, "granularity"]).all()
    assert (frame["blocks"] <= frame["granularity"]).all()


def test_the_request_servers_phases_are_of_the_run_that_its_series_begin_with(phases: PhaseTable) -> None:
    frame = phases.frame[(phases.frame["program"] == "request_server_day") & (phases.frame["load"] == "single core")]
    slots = read("series/ocoe.parquet").query("program == 'request_server_day' and run == 1")
    for granularity, own in frame.groupby("granularity"):
        assert own["blocks"].sum() == slots["blocks"].sum(), granularity
        assert own["Bcm"].sum() == pytest.approx(slots["Bcm"].sum(), rel=0.02), granularity
        assert own["Ir"].sum() == pytest.approx(slots["Ir"].sum(), rel=0.02), granularity


def test_granularities_cut_the_same_work(phases: PhaseTable) -> None:
    work = phases.frame[phases.frame["load"] == "single core"].groupby(["program", "granularity"])[["blocks", "Ir"]].sum().unstack()
    assert (work["blocks"].nunique(axis=1) == 1).all()
    # The few instructions that end a phase are part of it.
    assert (work["Ir"].max(axis=1) / work["Ir"].min(axis=1) < 1.02).all()


def test_loads_share_the_events_and_differ_in_cycles(phases: PhaseTable) -> None:
    frame = phases.frame.sort_values(["program", "granularity", "phase"])
    one, other = (frame[frame["load"] == load] for load in ("single core", "dual core full load"))
    np.testing.assert_array_equal(one[EVENTS].to_numpy(), other[EVENTS].to_numpy())
    assert (one["CYCLES"].to_numpy() != other["CYCLES"].to_numpy()).mean() > 0.5


def test_misses_never_exceed_what_they_are_misses_of(phases: PhaseTable) -> None:
    frame = phases.frame
    for part, whole in (("D1mr", "Dr"), ("D1mw", "Dw"), ("DLmr", "D1mr"), ("DLmw", "D1mw"), ("ILmr", "I1mr"), ("Bcm", "Bc"), ("Bim", "Bi")):
        assert (frame[part] <= frame[whole]).all(), (part, whole)


@pytest.fixture(scope="module")
def ocoe() -> CounterSeries:
    table = samples.load("series-ocoe")
    assert isinstance(table, CounterSeries)
    return table


@pytest.fixture(scope="module")
def mpx() -> CounterSeries:
    table = samples.load("series-mpx")
    assert isinstance(table, CounterSeries)
    return table


def test_series_of_eight_programs_with_60_runs_of_200_to_700_slots(ocoe: CounterSeries) -> None:
    assert ocoe.mode == "OCOE"
    assert len(ocoe.applications) >= 8
    assert ocoe.events == EVENTS
    assert all(len(ocoe.runs(application)) >= 60 for application in ocoe.applications)
    slots = ocoe.intervals.groupby(["application", "run"]).size()
    assert slots.between(200, 700).all()
    assert not ocoe.counts.isna().any(axis=None)


def test_the_request_server_comes_first_in_seven_stages_a_run(ocoe: CounterSeries, mpx: CounterSeries) -> None:
    assert ocoe.applications[0] == mpx.applications[0] == "request_server_day"
    own = (ocoe.intervals["application"] == "request_server_day").to_numpy()
    for _, stages in samples.truth("series-ocoe")[own].groupby(ocoe.intervals.loc[own, "run"]):
        begins = stages[stages != stages.shift()]
        assert list(begins) == ["fill", "lookups", "rules", "report", "sessions", "lookups", "backup"]


def test_the_runs_of_a_program_differ(ocoe: CounterSeries) -> None:
    totals = ocoe.counts["Ir"].groupby([ocoe.intervals["application"], ocoe.intervals["run"]]).sum().groupby("application").nunique()
    assert (totals >= 59).all()


def test_the_true_stages_line_up(ocoe: CounterSeries) -> None:
    stages = samples.truth("series-ocoe")
    assert isinstance(stages, pd.Series)
    assert len(stages) == len(ocoe.intervals)
    per_run = stages.groupby([ocoe.intervals["application"], ocoe.intervals["run"]]).nunique()
    assert (per_run >= 3).all()
    assert (stages != "").all()


def test_multiplexed_runs_are_other_runs(ocoe: CounterSeries, mpx: CounterSeries) -> None:
    assert mpx.mode == "MPX"
    for application in ocoe.applications:
        assert not set(ocoe.runs(application)) & set(mpx.runs(application))


def test_multiplexed_values_are_the_truth_where_counted_and_missing_elsewhere(mpx: CounterSeries) -> None:
    truth = samples.truth("series-mpx")
    assert isinstance(truth, CounterSeries)
    assert mpx.share is not None
    counted = mpx.share.to_numpy() == 1
    np.testing.assert_array_equal(mpx.counts.to_numpy()[counted], truth.counts.to_numpy()[counted])
    assert np.isnan(mpx.counts.to_numpy()[~counted]).all()
    run = mpx.run(mpx.applications[0], mpx.runs(mpx.applications[0])[0])
    expected = counted_slots(len(run.counts), 13, 4, start=int(run.intervals["run"].iloc[0]))
    np.testing.assert_array_equal(run.counts.notna().to_numpy(), expected)


def test_signatures_and_their_kinds() -> None:
    table, kinds = samples.load("signatures"), samples.truth("signatures")
    assert isinstance(table, SignatureTable)
    assert isinstance(kinds, pd.Series)
    assert len(table.frame) == len(kinds) == 5_000
    idle = (kinds == "IDLE").to_numpy()
    assert table.frame.loc[idle, "CPI"].isna().all()
    assert table.frame.loc[~idle, "CPI"].notna().all()
    medians = table.frame.groupby(kinds.to_numpy())["CPI"].median()
    assert medians["CPU-bound"] < medians["MIX"] < medians["MEMORY-bound"]


def test_every_name_loads_and_says_whether_it_has_a_truth() -> None:
    for name in samples.names():
        samples.load(name)
        assert samples.title(name)
        if samples.has_truth(name):
            samples.truth(name)
        else:
            with pytest.raises(UnknownNameError, match="no truth is known"):
                samples.truth(name)


def test_the_hems_to_plan_are_those_of_the_subexperiments() -> None:
    hems, much = samples.load("hems-request-server"), samples.load("subexperiments-much")
    assert isinstance(hems, HemList)
    assert isinstance(much, Subexperiments)
    assert set(hems.hems) == set(much.hems) == HEMS
    # What the collection was read in is what a plan of them gives: no plan of 14 HEMs at 6 a time needs fewer.
    assert len(much.frames) == len(PLAN.of(hems, PlanParams(n_pmcs=6)).plan.subexperiments) == 7


def test_an_unknown_name_lists_those_that_are() -> None:
    with pytest.raises(UnknownNameError, match="'subexperiment' is not a sample dataset; they are 'subexperiments-hrm'"):
        samples.load("subexperiment")


def test_a_missing_file_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    with pytest.raises(ReadError, match="the sample file is missing. Restore sample_data/"):
        samples.load("phases")
