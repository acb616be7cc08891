"""What the browser draws while a slider is moved is what the server would draw."""

import base64
import json

import numpy as np
import pytest

from hemcore.charts.colours import SERIES
from hemcore.charts.live import Live
from hemcore.charts.segmentation.run_curve import curve, live
from hemcore.datasets import load
from hemcore.segmentation.analysis import PATH
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.results import RunPath

PARAMS = SegmentationParams(application="sensor_control", event="Dr", max_threshold=100)


@pytest.fixture(scope="module", params=["rms", "mean", "std"])
def path(request) -> RunPath:
    return PATH.of(load("sample-series-ocoe"), PARAMS.but(statistic=request.param))


@pytest.mark.slow
def test_each_frame_is_the_picture_at_its_threshold(path: RunPath) -> None:
    found = live(path)
    assert len(found.stops) == len(found.frames) > 2
    assert list(found.stops) == sorted(found.stops)
    assert found.highest == path.path.max_threshold
    for number, (stop, frame) in enumerate(zip(found.stops, found.frames, strict=True)):
        until = [*found.stops, found.highest][number + 1]
        for threshold in (stop, (stop + until) / 2):
            figure = curve(path.at(threshold), event="Dr", unit="interval", colour=SERIES[0], title="t")
            drawn = {trace.meta: (trace.x, trace.y) for trace in figure.data}
            assert set(frame) == {"shades", "spreads", "means"} <= set(drawn)
            for meta, (x, y) in frame.items():
                np.testing.assert_array_equal(drawn[meta][0], x)
                np.testing.assert_array_equal(drawn[meta][1], y)


def test_it_is_made_once_of_a_path(path: RunPath) -> None:
    assert live(path) is live(path)


def test_few_segments_travel_however_long_the_path_is(monkeypatch: pytest.MonkeyPatch) -> None:
    path = PATH.of(load("sample-series-ocoe"), PARAMS)
    whole = live(PATH.of(load("sample-series-ocoe"), PARAMS))
    monkeypatch.setattr("hemcore.charts.segmentation.run_curve._SENT", 5)
    cut = live(path)
    assert 0 < len(cut.stops) < len(whole.stops)
    assert list(cut.stops) == list(whole.stops)[-len(cut.stops) :]


def test_the_json_packs_places_as_four_bytes_and_names_itself_by_its_content() -> None:
    one, other = (
        Live(field="threshold", stops=[1.0], highest=9.0, frames=[{"means": (np.array([0.0, 1.5, np.nan]), np.array([y, y, y]))}])
        for y in (1, 2)
    )
    said = json.loads(one.json)
    assert said["stops"] == [1.0]
    assert said["highest"] == 9.0
    packed = said["frames"][0]["means"]["x"]
    assert packed["dtype"] == "f4"
    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(packed["bdata"]), "<f4"), [0, 1.5, np.nan])
    assert one.id != other.id
    assert len(one.id) == 16


def test_each_point_tells_its_segment_as_the_picture_does(path: RunPath) -> None:
    found = live(path)
    for stop, told in zip(found.stops, found.hover, strict=True):
        figure = curve(path.at(stop), event="Dr", unit="interval", colour=SERIES[0], title="t")
        (counts,) = [trace for trace in figure.data if trace.meta in told]
        begins, columns = told[counts.meta]
        step = np.searchsorted(begins, counts.x, side="right") - 1
        np.testing.assert_array_equal(counts.customdata, np.stack([each[step] for each in columns], axis=1).astype(np.float32))


def test_what_is_not_a_number_is_nothing_in_json() -> None:
    made = Live(field="f", stops=[1.0], highest=2.0, frames=[{}], hover=[{"counts": (np.array([0.0]), [np.array([np.nan])])}])
    assert json.loads(made.json)["frames"] == [{"counts": {"begins": [0.0], "columns": [[None]]}}]
