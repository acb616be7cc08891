"""What can be asked of a counter series, on made series, the samples and real readings."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers.series import powmon_series as cortex_a15_log
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.segmentation import SegmentationParams, application_runs, optimal_threshold, profile_events, threshold_path
from hemcore.segmentation.analysis import (
    PATH,
    PEERS,
    PROFILE,
    PROFILE_EVENT,
    SEGMENTATION,
    SEGMENTS,
    THRESHOLDS,
    at_threshold,
    path,
    peers,
    thresholds,
    with_event_and_run,
)
from hemcore.segmentation.segments_export import segments_document
from tests.core.segmentation.made import NAN, made, params_of, table

CORTEX = Path(__file__).resolve().parents[4] / "shared" / "data" / "cortex_a15_cbench" / "runs_1GHz"


def test_thresholds_are_those_of_algorithm_1_over_the_runs() -> None:
    params = SegmentationParams(application="prog", event="A", max_threshold=60, trim_head=2)
    found = thresholds(table(), params)
    expected = optimal_threshold([run.counts for run in application_runs(table(), "prog", "A", trim_head=2)], 60)
    assert found.optimal.threshold == expected.threshold
    pd.testing.assert_frame_equal(found.optimal.per_run, expected.per_run)
    assert found.runs == (4, 2)
    assert found.params == params


def test_the_path_of_one_run_reads_the_segments_that_every_threshold_has() -> None:
    for statistic in ("rms", "mean"):
        found = path(table(), params_of(max_threshold=40, statistic=statistic, trim_tail=3))
        assert (found.path.min_threshold, found.path.max_threshold) == (1, 40)
        for threshold in (1, 4.5, 10, 40):
            read = found.at(threshold)
            direct = at_threshold(table(), params_of(threshold=threshold, statistic=statistic, trim_tail=3)).runs[0]
            assert read.segmentation.change_points == direct.segmentation.change_points
            np.testing.assert_array_equal(read.models, direct.models)
            assert read.truth(2) == direct.truth(2)
    counts = found.samples.counts
    pd.testing.assert_frame_equal(found.path.intervals, threshold_path(counts / np.std(counts), 1, 40, statistic="mean").intervals)


@pytest.mark.slow
def test_std_has_its_own_least_segment_unless_one_is_chosen() -> None:
    series = samples.load("series-ocoe")
    params = SegmentationParams(application="sensor_control", event="Dr", statistic="std", threshold=5)
    for analysis in (THRESHOLDS, PATH, SEGMENTS):
        automatic, ten, two = (analysis.of(series, params.but(min_distance=each)) for each in (None, 10, 2))
        cut = {
            "thresholds": lambda found: (found.optimal.threshold, found.optimal.min_distance),
            "path": lambda found: (found.path.change_points, found.path.min_distance),
            "segments": lambda found: [each.segmentation.change_points for each in found.runs],
        }[analysis.name.partition(".")[2]]
        assert cut(automatic) == cut(ten) != cut(two)
    document = segments_document(SEGMENTS.of(series, params))
    assert document["parameters"]["min_distance"] == 10
    assert min(each["n_samples"] for each in document["segments"]) >= 10


def test_the_profile_has_a_row_for_each_event_that_a_run_counted() -> None:
    found = PROFILE.of(table(), SegmentationParams(application="prog", max_threshold=60, trim_head=1))
    runs = {event: [run.counts for run in application_runs(table(), "prog", event, trim_head=1)] for event in ("A", "B")}
    pd.testing.assert_frame_equal(found.drop(columns=["recall_true", "precision_true"]), profile_events(runs, 60))
    assert found["n_runs"].tolist() == [2, 1]
    assert found["kept"].all()


def test_progress_is_told_between_nothing_and_all() -> None:
    shares: list[float] = []

    def progress(share: float, note: str) -> None:
        assert note
        shares.append(share)

    thresholds(table(), SegmentationParams(application="prog", event="A"), progress)
    path(table(), params_of(), progress)
    at_threshold(table(), params_of(), progress)
    PROFILE.of(table(), SegmentationParams(application="prog"), progress)
    assert len(shares) > 5
    assert all(0 <= share <= 1 for share in shares)
    assert shares[-1] == 1


def test_the_comparison_holds_ours_beside_ruptures_on_the_samples_of_the_run() -> None:
    found = peers(table(), SegmentationParams(application="prog", event="A", run=4, threshold=10.0, tolerance=2))
    ours = at_threshold(table(), params_of()).runs[0]
    assert len(found) > 1
    assert ours.segmentation.n_change_points in found.select_dtypes("number").iloc[0].tolist()


def test_where_the_truth_is_known_a_profile_tells_how_much_of_it_each_event_finds() -> None:
    series = table()
    profiled = PROFILE.of(series, SegmentationParams(application="prog"))
    at = at_threshold(series, SegmentationParams(application="prog", event="A", threshold=profiled["optimal_threshold"].iloc[0]))
    assert (profiled["recall_true"].iloc[0], profiled["precision_true"].iloc[0]) == at.median_truth
    assert "recall_true" not in PROFILE.of(table(stages=False), SegmentationParams(application="prog"))


def test_an_event_that_the_trims_leave_nothing_of_is_told_beside_the_others() -> None:
    early = np.array([5.0] * 3 + [NAN] * 17)
    series = made({"run": 1, "interval": np.arange(20)}, A=np.repeat([10.0, 900.0], 10), B=early)
    found = PROFILE.of(series, SegmentationParams(application="p", trim_head=5))
    assert found["event"].tolist() == ["A", "B"]
    assert found["why"].iloc[1] == "no run has a counted sample"
    assert np.isfinite(found["optimal_threshold"].iloc[0])


def test_the_table_stays_as_it_was() -> None:
    series = table()
    for statistic in ("rms", "mean"):
        at_threshold(series, params_of(statistic=statistic, trim_head=2))
        path(series, params_of(statistic=statistic)).at(3)
    pd.testing.assert_frame_equal(series.counts, table().counts)
    pd.testing.assert_frame_equal(series.intervals, table().intervals)


def test_the_stages_of_the_sample_program_are_all_found_by_the_mean_of_its_instructions() -> None:
    series = samples.load("series-ocoe")
    assert isinstance(series, CounterSeries)
    params = SegmentationParams(application="grid_solver", event="Ir", statistic="mean")
    best = thresholds(series, params).optimal.threshold
    found = at_threshold(series, params.but(threshold=best))
    assert len(found.runs) == len(series.runs("grid_solver"))
    assert found.agreement["recall_true"].min() == 1
    assert found.agreement["precision_true"].min() >= 0.6
    ends = found.segments.groupby("run", sort=False)["stop"].last()
    mine = (series.intervals["application"] == "grid_solver").to_numpy()
    assert ends.to_dict() == series.intervals[mine].groupby("run", sort=False).size().to_dict()
    truth = samples.truth("series-ocoe")
    assert isinstance(truth, pd.Series)
    for run in found.runs[:3]:
        stage = truth[mine & (series.intervals["run"] == run.samples.run).to_numpy()].to_numpy()
        assert run.samples.interval(run.samples.boundaries or ()).tolist() == (np.flatnonzero(stage[1:] != stage[:-1]) + 1).tolist()


@pytest.fixture(scope="module")
def cortex() -> CounterSeries:
    if not CORTEX.is_dir():
        pytest.skip(f"the Cortex-A15 readings are not at {CORTEX}")
    files = [UploadedFile(str(file.relative_to(CORTEX)), file.read_bytes()) for file in sorted(CORTEX.glob("events_list_1/*/*.data"))]
    return cortex_a15_log.read(files).table


@pytest.mark.parametrize(("event", "recall", "precision"), [("L1D_CACHE_ACCESS", 0.8, 0.95), ("L1D_CACHE_REFILL", 0.9, 0.7)])
def test_the_boundaries_of_thirty_programs_are_found_at_the_optimal_threshold(
    cortex: CounterSeries, event: str, recall: float, precision: float
) -> None:
    """Within two intervals of half a second, of some 2,340."""
    application = cortex.applications[0]
    best = thresholds(cortex, SegmentationParams(application=application, event=event)).optimal
    assert best.per_run["settled"].all()
    found = at_threshold(cortex, SegmentationParams(application=application, event=event, threshold=best.threshold, tolerance=2))
    assert len(found.runs) == 2
    assert all(len(run.samples.boundaries or ()) == 29 for run in found.runs)
    assert found.agreement["recall_true"].min() >= recall
    assert found.agreement["precision_true"].min() >= precision
    seconds = found.segments.groupby("run")[["start_s", "stop_s"]].agg(["first", "last"])
    assert seconds["start_s", "first"].max() < 1
    assert seconds["stop_s", "last"].min() > 1000


# What is not said


def test_what_is_not_chosen_is_the_first_that_was_counted() -> None:
    asked = with_event_and_run(table(), SegmentationParams())
    assert (asked.application, asked.event, asked.run) == ("prog", "A", 4)
    # Run 4 comes first, but did not count B.
    assert with_event_and_run(table(), SegmentationParams(event="B")).run == 2
    assert path(table(), SegmentationParams(event="B")).samples.run == 2
    assert SEGMENTATION.of(table(), SegmentationParams(event="B")).run.samples.run == 2
    given = params_of(run=2)
    assert with_event_and_run(table(), given) == given
    assert PROFILE_EVENT.of(table())["event"].tolist() == ["A"]


def test_what_is_not_chosen_is_in_the_result_where_it_was_read() -> None:
    assert THRESHOLDS.of(table()).params == SegmentationParams(application="prog", event="A")
    assert SEGMENTS.of(table()).params == SegmentationParams(application="prog", event="A")
    assert PATH.of(table()).params == SegmentationParams(application="prog", event="A", run=4)


def test_an_application_of_which_nothing_was_counted_and_names_that_are_not_there_are_told() -> None:
    empty = made({"run": 1, "interval": np.arange(20)}, A=np.full(20, NAN))
    for analysis in (THRESHOLDS, PATH, SEGMENTS, SEGMENTATION, PROFILE_EVENT, PROFILE, PEERS):
        with pytest.raises(ParameterError, match="^application: no event of 'p' was counted in any interval"):
            analysis.of(empty)
        with pytest.raises(UnknownNameError, match="^application: 'nothing' is not in this series"):
            analysis.of(table(), SegmentationParams(application="nothing"))
    with pytest.raises(ParameterError, match="after trimming 60 intervals at the head"):
        PATH.of(table(), SegmentationParams(trim_head=60))


def test_runs_taken_before_are_not_those_of_other_trims_events_or_tables() -> None:
    series = table()
    whole = at_threshold(series, params_of()).agreement["n_samples"].tolist()
    assert whole == [55, 60]
    for changed, n_samples in (
        ({"trim_head": 10}, [48, 50]),
        ({"trim_tail": 10}, [46, 50]),
        ({"event": "B"}, [60]),
        ({"application": "other"}, [60]),
        ({}, whole),
    ):
        assert at_threshold(series, params_of(**changed)).agreement["n_samples"].tolist() == n_samples
    assert at_threshold(table(stages=False), params_of()).agreement["n_samples"].tolist() == whole


def test_the_truth_of_a_profile_is_that_of_the_median_run() -> None:
    """Three runs of two stages: the change is at the boundary in two of them, and ten intervals late in the third."""
    level = np.tile(np.repeat([10.0, 1000.0], 30), 3)
    level[150:160] = 10.0
    series = made(
        {"run": np.repeat([1, 2, 3], 60), "interval": np.tile(np.arange(60), 3), "stage": np.tile(np.repeat(["a", "b"], 30), 3)}, A=level
    )
    found = PROFILE.of(series, SegmentationParams())
    at = at_threshold(series, SegmentationParams(threshold=float(found["optimal_threshold"].iloc[0])))
    assert at.agreement["recall_true"].tolist() == [1, 1, 0]
    assert found[["recall_true", "precision_true"]].to_numpy().tolist() == [[1.0, 1.0]]


def test_a_profile_of_events_of_which_some_know_no_boundary_has_a_row_for_each() -> None:
    """B was counted in the first stage alone, so that nothing can be found of the other."""
    counts = np.repeat([10.0, 1000.0], 30)
    series = made({"run": 1, "interval": np.arange(60), "stage": np.repeat(["a", "b"], 30)}, B=np.where(counts < 20, counts, NAN), A=counts)
    found = PROFILE.of(series, SegmentationParams())
    assert found["event"].tolist() == ["A", "B"]
    assert found["recall_true"].isna().tolist() == [False, True]
