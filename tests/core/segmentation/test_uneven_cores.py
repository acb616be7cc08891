"""Imbalance over cores, by hand: (most - mean) / mean over the intervals in which every core counted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.errors import ParameterError
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import CORES, SEGMENTATION
from hemcore.segmentation.uneven_cores import balance_cards, balance_sentence, balance_verdict, core_balance

NAN = np.nan


def series(counts: dict[str, list[list[float]]], runs: int = 1) -> CounterSeries:
    """counts: event -> core -> interval."""
    n_cores, n = np.shape(next(iter(counts.values())))
    intervals = [
        {"application": f"a core {core}", "run": run, "interval": number, "program": "a", "core": str(core), "time": 0.5 * (number + 1)}
        for run in range(1, runs + 1)
        for core in range(n_cores)
        for number in range(n)
    ]
    frame = pd.DataFrame({event: np.tile(np.ravel(values), runs) for event, values in counts.items()})
    return CounterSeries(intervals=pd.DataFrame(intervals), counts=frame, mode="OCOE")


# Means 100 and 150 over the two whole intervals; the third, in which core 1 did not count, is left out.
UNEVEN = {"cycles": [[90, 110, 5000], [150, 150, NAN]], "ipc": [[0.5, 1.5, 9], [2, 2, 9]], "misses": [[7, 7, 7], [7, 7, 7]]}
PARAMS = SegmentationParams(application="a core 1", event="cycles", run=1)


def test_the_imbalance_is_that_of_the_intervals_in_which_all_counted() -> None:
    found = core_balance(series(UNEVEN), PARAMS)
    assert found.places == ("core 0", "core 1")
    assert found.used == 2
    own = found.own
    assert own is not None
    assert own[["mean", "most", "place"]].tolist() == [250, 300, "core 1"]
    assert own["imbalance"] == pytest.approx(0.2)
    assert balance_sentence(found) == "core 1 counts 20% more cycles than the mean of 2 cores"
    np.testing.assert_array_equal(found.over_time, UNEVEN["cycles"])
    np.testing.assert_allclose(found.times, [0.0, 0.5, 1.0, 1.5])


def test_ratios_are_averaged_and_even_events_said_to_be_even() -> None:
    found = core_balance(series(UNEVEN), PARAMS.but(event="ipc"))
    own = found.own
    assert own is not None
    assert own["mean"] == pytest.approx((11 / 3 + 13 / 3) / 2)
    assert found.events["event"].tolist() == ["cycles", "ipc", "misses"]
    np.testing.assert_allclose(found.relative[:, 0], [-0.2, 0.2])
    even = core_balance(series(UNEVEN), PARAMS.but(event="misses"))
    assert balance_sentence(even) == "2 cores count misses alike: the most is 0% above the mean"


def test_places_are_named_by_what_tells_them_apart() -> None:
    """Two sockets of one core each: cores are numbered through, so core 1 needs no socket; as core 0 of both they do."""
    table = series({"cycles": [[1.0, 1.0], [3.0, 3.0]]})
    through = replace(table, intervals=table.intervals.assign(socket=table.intervals["core"]))
    assert core_balance(through, PARAMS).places == ("core 0", "core 1")
    again = replace(table, intervals=table.intervals.assign(socket=table.intervals["core"], core="0"))
    assert core_balance(again, PARAMS).places == ("socket 0 core 0", "socket 1 core 0")
    assert balance_sentence(core_balance(through, PARAMS)) == "core 1 counts 50% more cycles than the mean of 2 cores"


def test_ratios_are_said_to_be_above_the_mean_and_long_names_leave_the_number_of_places_out() -> None:
    """Means of .5 and 1.5: the higher is 50% above 1."""
    found = core_balance(series({"branch misses per cycle": [[0.5], [1.5]]}), PARAMS.but(event="branch misses per cycle"))
    assert balance_sentence(found) == "core 1 has branch misses per cycle 50% above the mean of 2 cores"
    assert balance_verdict(found).answer == "Core 1 has branch misses per cycle 50% above the mean of 2 cores."
    long = replace(found, params=found.params.but(event="a b c d e f g"), events=found.events.assign(event="a b c d e f g"))
    assert balance_verdict(long).answer == "Core 1 counts 50% more a b c d e f g than the mean."


def test_a_verdict_rests_on_runs() -> None:
    few = CORES.of(series(UNEVEN), PARAMS)
    assert CORES.verdict is not None
    assert CORES.verdict(few).level == "limited"
    assert "Only 1 run" in CORES.verdict(few).trust
    many = CORES.of(series(UNEVEN, runs=30), PARAMS)
    assert (many.n_runs, many.same) == (30, 30)
    assert CORES.verdict(many).level == "good"
    assert not CORES.verdict(many).too_long()


def test_the_whole_machine_tells_the_imbalance_of_its_cores() -> None:
    """Cycles of the machine: 240, 260 and, since core 1 did not count, none; core 1 still counts 300 against a mean of 250."""
    whole = at_level(series(UNEVEN), "machine")
    assert whole.applications == ["a"]
    asked = PARAMS.but(application="a")
    found = core_balance(whole, asked)
    assert found.places == ("core 0", "core 1")
    np.testing.assert_array_equal(found.over_time, UNEVEN["cycles"])
    assert balance_sentence(found) == "core 1 counts 20% more cycles than the mean of 2 cores"
    answer = SEGMENTATION.of(whole, asked)
    assert SEGMENTATION.verdict is not None
    assert "Core 1 counts 20% more cycles than the mean of 2 cores." in SEGMENTATION.verdict(answer).why
    of_one_run = whole.run("a", 1)
    assert core_balance(of_one_run, asked).places == ("core 0", "core 1")


def test_a_series_without_cores_is_refused_with_the_cure() -> None:
    table = series(UNEVEN)
    plain = CounterSeries(intervals=table.intervals[["application", "run", "interval"]], counts=table.counts, mode="OCOE")
    with pytest.raises(ParameterError, match="perf stat -A"):
        core_balance(plain, PARAMS)


def test_numbers_of_places_are_sorted_by_their_value() -> None:
    found = core_balance(series({"cycles": [[float(core), 9.0] for core in range(11)]}), PARAMS)
    assert found.places[-1] == "core 10"
    assert found.places[2] == "core 2"


def test_times_of_a_clock_begin_with_the_run_and_powers_are_averaged_over_it() -> None:
    """Seconds since 1970, as turbostat has them: the picture's axis is the time in the run. 3 W and 5 W are 4 W on average."""
    table = series({"PkgWatt": [[3, 5], [1, 1]], "cycles": [[1, 2], [3, 4]]})
    table = replace(table, intervals=table.intervals.assign(time=table.intervals["time"] + 1.7e9))
    found = core_balance(table, PARAMS.but(event="PkgWatt"))
    assert (found.seconds, found.times.tolist()) == (True, [0.0, 0.5, 1.0])
    assert found.own is not None
    assert found.own[["mean", "most", "place"]].tolist() == [2.5, 4.0, "core 0"]
    by_number = core_balance(replace(table, intervals=table.intervals.drop(columns="time")), PARAMS)
    assert (by_number.seconds, by_number.times.tolist()) == (False, [-0.5, 0.5, 1.5])


def test_nodes_that_other_events_are_of_are_no_cores() -> None:
    """As in a job archive: cycles by core, and memory by node."""
    table = series({"cycles": [[1, 1], [3, 3], [NAN, NAN]], "memory": [[NAN, NAN], [NAN, NAN], [7, 7]]})
    core = table.intervals["core"].where(table.intervals["core"] != "2", "")
    found = core_balance(replace(table, intervals=table.intervals.assign(node="n", core=core)), PARAMS)
    assert len(found.places) == 3
    assert balance_cards(found)[1].value == 2
