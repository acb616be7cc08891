"""Results as files: what comes back is what was written, and nothing but classes of hemcore is ever made."""

import json
import zipfile
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hemcore.trial.analysis import Found, Pieces, TrialParams

from hemcore.analysis import Analysis
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.headline import Card
from hemcore.jobs import codec
from hemcore.metrics import our_definitions
from hemcore.params import Params
from hemcore.planning import hems_for_metrics
from hemcore.registry import analyses_of, rooms
from hemcore.segmentation.params import SegmentationParams
from tests.core.few_runs import of_few_runs
from tests.core.kinds import kind_of

DAMAGED = (ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile)


def there_and_back(value: Any, folder: Path) -> Any:
    codec.write(folder / "file", value)
    return codec.read(folder / "file")


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.flags.writeable) == (b.dtype, b.shape, b.flags.writeable)
        if a.dtype == object:
            for one, other in zip(a.ravel(), b.ravel(), strict=True):
                same(one, other)
        else:
            np.testing.assert_array_equal(a, b)
    elif isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b, check_exact=True, check_index_type="exact", check_column_type="exact")
        assert a.attrs == b.attrs
    elif isinstance(a, pd.Series):
        pd.testing.assert_series_equal(a, b, check_exact=True, check_index_type="exact")
    elif isinstance(a, pd.Index):
        pd.testing.assert_index_equal(a, b, exact=True, check_freq=False)
    elif is_dataclass(a):
        for each in fields(a):
            same(getattr(a, each.name), getattr(b, each.name))
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other)
    elif isinstance(a, dict):
        same(list(a), list(b))
        same(list(a.values()), list(b.values()))
    elif isinstance(a, float):
        assert a == b or (a != a and b != b)
    else:
        assert a is b or bool(a == b)


VALUES: dict[str, Any] = {
    "plain": [None, True, 2, -(2**70), 0.1, float("inf"), float("nan"), "ü\x00\ud800", "", b"\x00\xff", Path("/a/b")],
    "nested": {"a": (1, [2, {"b": ()}]), 3: {4, 5}, (6, "c"): frozenset({7})},
    "scalars": [np.float32(1.5), np.int64(-1), np.bool_(True), np.str_("x"), np.datetime64("2026-01-02"), np.float64("nan")],
    "times": [pd.Timestamp("2026-01-02 03:04", tz="Europe/Madrid"), pd.Timedelta("1s"), pd.NaT, pd.NA],
    "arrays": [np.arange(3), np.zeros((0, 4)), np.array(5.0), np.ones((2, 3), order="F"), np.array(["a", "bc"]), np.arange(9)[::-3]],
    "large arrays": [np.arange(100_000.0), np.ones((300, 400), order="F").T, np.zeros(100_000, dtype=bool)],
    "object arrays": np.array([["a", None], [1.5, (1, 2)]], dtype=object),
    "series": [pd.Series([1, 2], index=["a", "b"], name="n"), pd.Series([], dtype=float), pd.Series(["x", None])],
    "indexes": [
        pd.RangeIndex(1, 9, 2, name="r"),
        pd.Index([0.5, 1.5]),
        pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", None]),
        pd.date_range("2026-01-01", periods=3, freq=None, tz="UTC").astype("datetime64[us, UTC]"),
        pd.CategoricalIndex(["a", "b", "a"]),
        pd.Index([], dtype=object),
    ],
    "frames": [
        pd.DataFrame(),
        pd.DataFrame({"a": [1, 2], "b": [0.5, np.nan], "c": ["x", None], "d": [True, False], "e": [3, 4]}),
        pd.DataFrame({"a": [1.0]}, index=pd.Index(["only"], name="hem")),
        pd.DataFrame(np.random.default_rng(0).random((20, 30)), columns=list(range(30))),
        pd.DataFrame({"mixed": [1, "two", (3,)], "list": [[1], [], None]}),
        pd.DataFrame({"cat": pd.Categorical(["a", None, "b"]), "int": pd.array([1, None, 3], dtype="Int64")}),
        pd.DataFrame([[1, 2]], columns=["twice", "twice"]),
        pd.DataFrame({"a": []}, columns=["a", "b"]),
        pd.DataFrame({"t": pd.to_datetime(["2026-01-01", None], utc=True)}),
    ],
    "params": [TrialParams(factor=7, stop="a"), SegmentationParams(event="x")],
    "classes": [
        Card(label="a", value=float("nan"), help="b"),
        Repair(*["x"] * len(Repair._fields)),
        Pieces(frame=pd.DataFrame({"a": [1]}), gathered_by=1, params=TrialParams()),
    ],
}


@pytest.mark.parametrize("name", VALUES)
def test_what_comes_back_is_what_was_written(name: str, tmp_path: Path) -> None:
    same(VALUES[name], there_and_back(VALUES[name], tmp_path))


def test_what_is_read_only_stays_so(tmp_path: Path) -> None:
    small, large = np.arange(3.0), np.arange(100_000.0)
    small.setflags(write=False)
    large.setflags(write=False)
    assert [each.flags.writeable for each in there_and_back([small, large, np.arange(3)], tmp_path)] == [False, False, True]


def test_what_is_at_two_places_is_written_once_and_is_one_thing_again(tmp_path: Path) -> None:
    array = np.random.default_rng(0).random(100_000)
    found = Found(hems=("a",), factor=1, pid=1, values=array, params=TrialParams())
    back = there_and_back([found, found, array], tmp_path)
    assert back[0] is back[1]
    assert back[2] is array_of(back[0])
    assert (tmp_path / "file").stat().st_size < 1.1 * array.nbytes


def array_of(found: Found) -> np.ndarray:
    return found.values  # noqa: PD011


def test_attrs_of_a_frame_come_back(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.0], "b": [2.0]})
    frame.attrs = {"unit": "counts", "n": 3}
    assert there_and_back(frame, tmp_path).attrs == frame.attrs


@dataclass(frozen=True)
class _Foreign:
    a: int = 1


class _ForeignParams(Params):
    pass


@pytest.mark.parametrize(
    "value",
    [_Foreign(), _ForeignParams(), SimpleNamespace(a=1), object(), len, Found, HemError("x"), 1j, np.ma.masked_array([1]), np.void(b"a")],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_form_as_a_file_is_refused(value: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="cannot be stored in a file"):
        codec.write(tmp_path / "file", {"a": [value]})


@pytest.mark.parametrize(
    "node",
    [
        {"class": "os:system", "fields": {}},
        {"class": "subprocess:Popen", "fields": {"args": "true"}},
        {"class": "hemcore.jobs.codec:os.system", "fields": {}},
        {"class": "hemcore.jobs.job:Job", "fields": {}},
        {"class": "hemcore.jobs.cluster:subprocess.Popen", "fields": {}},
        {"class": "hemcore.trial.analysis:Path", "fields": {}},
        {"class": "hemcore.nothing:Here", "fields": {}},
        {"class": "hemcore..errors:HemError", "fields": {}},
        {"class": "hemcore.headline:Card", "fields": {"label": "a"}},
        {"class": "hemcore.headline:Card.__class__", "fields": {}},
        {"params": "hemcore.jobs.filed_results:Filed", "values": {}},
        {"params": "pydantic:BaseModel", "values": {}},
        {"params": "hemcore.trial.analysis:TrialParams", "values": {"unheard": 1}},
        {"named": "hemcore.headline:Card", "items": []},
        {"unheard": 1},
        {"same": 3},
        {"array": {"member": "no such.npy"}, "frozen": False},
    ],
    ids=str,
)
def test_a_file_makes_nothing_but_results_of_hemcore(node: Any, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "file", "w") as file:
        file.writestr("result.json", json.dumps({"value": node, "pools": {}}))
    with pytest.raises(DAMAGED):
        codec.read(tmp_path / "file")


def test_an_array_of_pickles_is_not_read(tmp_path: Path) -> None:
    np.save(tmp_path / "0.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(tmp_path / "file", "w") as file:
        file.write(tmp_path / "0.npy", "0.npy")
        file.writestr("result.json", json.dumps({"value": {"array": {"member": "0.npy"}, "frozen": False}, "pools": {}}))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        codec.read(tmp_path / "file")


def _every() -> list[Analysis]:
    return [each for room in rooms() if room != "trial" for each in analyses_of(room).values()]


@cache
def _tables() -> list[Any]:
    """The bundled samples, of the large ones few rows, since a result's form is the same; and what none of them is: the loops of a job."""
    jobs = samples.load("signatures").frame.head(6)
    places = np.arange(len(jobs))
    loops = SignatureTable(frame=jobs.assign(JOBID=1, STEPID=0, LOOPID=places, TIMESTAMP=1_700_000_000 + 10 * places))
    # The synthetic processor's are of kinds that are there, with more columns.
    names = [name for name in samples.names() if not name.endswith("-synthetic")]
    return [*map(_few_rows, map(samples.load, names)), loops]


# What takes minutes at its defaults, and need not to be written and read.
_FEW: dict[str, Any] = {"models": "cost per event; Ridge", "most_phases": 150, "n_bootstrap": 20}
_OF_MODELS = ("evaluation", "granularities", "intervals", "leak", "leak_fold", "models_ready", "models_part", "cost_stack", "what_if")
_SHORTER: dict[str, dict[str, Any]] = {
    "mpx.pair": {"ocoe": "sample-series-ocoe"},
    "mpx.network": {"estimator": "mlp", "event": "Bc"},
    "mpx.train": {"steps": 2},
    "compare.phases_waterfall": {"before": "sample-phases"},
    "planning.search": {"time_limit": 0.1},
    "merge.copula_rows": {"swaps": 2_000},
    "planning.cuts": {"pilot": "sample-subexperiments-much"},
    "planning.widths": {"pilot": "sample-subexperiments-much"},
    "planning.widths_by_runs": {"pilot": "sample-subexperiments-much"},
    **dict.fromkeys((f"prediction.{name}" for name in _OF_MODELS), _FEW),
}


def _few_rows(table: Any) -> Any:
    """Of a sample's rows those of its first runs, programs or jobs."""
    if isinstance(table, CounterSeries):
        runs = table.intervals["run"].to_numpy()
        return table.where(np.isin(runs, np.unique(runs)[:4]))
    if isinstance(table, PhaseTable):
        return replace(table, frame=table.frame[table.frame["program"].isin(table.frame["program"].unique()[:4])])
    return replace(table, frame=table.frame.head(600)) if isinstance(table, SignatureTable) else table


def _pilot(table: Any) -> Any:
    """Few runs of subexperiments, and any other sample whole."""
    if not isinstance(table, Subexperiments):
        return table
    return of_few_runs(replace(table, frames=table.frames[:2], labels=table.labels[:2]))


def _tables_for(analysis: Analysis) -> list[Any]:
    """Those of its kind; a few runs of one where a network is trained or many merges are compared."""
    kind = kind_of(analysis)
    found = [table for table in _tables() if isinstance(table, kind)]
    if analysis.name in ("merge.compare", "merge.compared"):
        return [of_few_runs(replace(found[0], frames=found[0].frames[:3]), 40)]
    if analysis.name in ("mpx.network", "mpx.train"):
        return [found[0].where(found[0].intervals["run"].to_numpy() <= 12)]
    if analysis.name in ("compare.series_relations", "compare.series_set_levels", "compare.series_releases"):  # those of many runs
        return [samples.load("series-ocoe")]
    # No sample is a merge: the phases stand for its runs, but for what has two sets of phases.
    if analysis.name != "compare.phases_waterfall" and analysis.name.startswith(("metrics.over_table", "compare.phases")):
        runs = found[0].frame.head(200)
        return [replace(found[0], frame=runs.assign(program="all", load="single core", granularity="whole run", phase=range(len(runs))))]
    if analysis.name == "planning.widths":
        return [hems_for_metrics(our_definitions("valgrind"), ["IPC", "L1D miss ratio"])]
    if analysis.name == "segmentation.cores":  # no sample tells cores apart: its applications stand for them
        intervals = found[0].intervals
        return [replace(found[0], intervals=intervals.assign(program="all", core=pd.factorize(intervals["application"])[0].astype(str)))]
    return found


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("analysis", _every(), ids=lambda analysis: analysis.name)
def test_every_answer_about_a_sample_comes_back(analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hemcore.likeness._TREES", 5)
    # What cuts are judged by.
    monkeypatch.setattr("hemcore.planning.analysis.library.load", lambda id: _pilot(samples.load(id.removeprefix("sample-"))))
    tried = 0
    whole = next((each for each in _every() if each.part is analysis), None)
    for table in _tables_for(analysis):
        try:
            params = analysis.params(**_SHORTER.get(analysis.name, {}))
            if whole is not None and (parts := whole.parts_of(table, whole.params(**_SHORTER.get(whole.name, {})))):
                params = parts[0]
            answer = analysis.of(table, params)
        except HemError:
            continue  # of other data of this kind
        tried += 1
        same(answer, there_and_back(answer, tmp_path))
    assert tried, "no sample is for it"
