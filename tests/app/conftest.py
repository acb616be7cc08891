"""What the page tests share: the app on a store of its own, driven through app.py, and small files to upload."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from hemcore import durations, jobs
from hemcore.analysis import Question
from hemcore.datasets.readers.formats import ReadOptions
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples, staged
from hemcore.datasets.shelf.library import SAMPLE_PREFIX, Entry, entries
from hemcore.datasets.shelf.store import DatasetRecord, DatasetStore
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.jobs import Job, known_jobs
from hemcore.planning.search.group_search import WORK_PER_SECOND
from hemcore.web import ask, last_resort, shelf
from hemcore.web.actions import report_box
from hemcore.web.data import columns
from hemcore.web.starts import previews

ROOT = Path(__file__).resolve().parents[2]
T2080 = Path(__file__).resolve().parents[3] / "shared" / "data" / "t2080"
TIMEOUT_S = 300


class Workbench:
    """The app as a visitor meets it: pages opened through app.py, uploads sent through the Data page."""

    def open(self, page: str, query: Mapping[str, str] | None = None) -> AppTest:
        """The page (its script's name under pages/) with these choices in its link, by their field, freshly opened and run once."""
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT_S)
        at.switch_page(f"pages/{page}.py")
        for name, value in (query or {}).items():
            at.query_params[f"{page}.{name}"] = value
        at.page_opened = page
        return self.run(at)

    def run(self, at: AppTest) -> AppTest:
        """Run, and hold that no exception reached the page: a traceback on a page is a defect."""
        at.run()
        assert not at.exception, [f"{each.message}\n{each.stack_trace}" for each in at.exception]
        return at

    def settled(self, at: AppTest) -> AppTest:
        """The page when the work that it began is done, and that which it begins then (of a baseline)."""
        for _ in range(5):
            waiting = [job for job in jobs.jobs() if not job.finished]
            if not waiting:
                break
            assert all(job.wait(TIMEOUT_S) for job in waiting)
            at = self.run(at)
        return at

    def choose_files(self, *files: tuple[str, bytes]) -> AppTest:
        """The Data page with these files chosen, before the button is pressed."""
        at = self.open("data")
        for name, content in files:
            at.file_uploader(key="data.upload").upload(name, content)
        return self.run(at)

    def put_on_shelf(self, at: AppTest) -> AppTest:
        """Press the button, where the page offers it (what cannot be read is told before)."""
        buttons = [each for each in at.button if each.label == "Add to your data" and not each.disabled]
        if not buttons:
            return at
        buttons[0].click()
        return self.run(at)

    def upload(self, *files: tuple[str, bytes]) -> AppTest:
        """Files chosen and put on the shelf as they are recognised."""
        return self.put_on_shelf(self.choose_files(*files))

    def pilot(self, runs: int = 120) -> str:
        """The id of subexperiments of three HEMs, all pairs, on the shelf."""
        random = np.random.default_rng(0)
        frames = []
        for pair in ("AB", "BC", "AC"):
            load = random.normal(1000, 100, runs)
            frames.append(pd.DataFrame({hem: load + random.normal(0, 60, runs) for hem in pair}))
        return shelf.store().take(Subexperiments(frames=tuple(frames), n_pmcs=2), name="my pilot", source="a test").id

    def merge(self, label: str, **query: str) -> AppTest:
        """The Merge page on the dataset of this label."""
        return self.open("merge", {"dataset": label, **query})

    def select(self, at: AppTest, name: str) -> AppTest:
        """The Data page with the row of this name clicked, among the visitor's own or the samples."""
        key, rows = next((key, list(rows["Name"])) for key, rows in self.lists(at).items() if name in list(rows["Name"]))
        at.session_state[key] = {"selection": {"rows": [rows.index(name)], "columns": [], "cells": []}}
        return self.run(at)

    @staticmethod
    def lists(at: AppTest) -> dict[str, pd.DataFrame]:
        """What the Data page lists: the visitor's own data where there is any, and the samples, by the key of the list."""
        return {each.key: each.value for each in at.dataframe if each.key in ("data.mine", "data.samples")}

    def shelf_rows(self, at: AppTest) -> pd.DataFrame:
        """Both lists as one, in their order on the page."""
        return pd.concat(self.lists(at).values(), ignore_index=True)

    def open_box(self, at: AppTest, label: str) -> AppTest:
        """The page with the box behind this button opened: its contents are drawn then alone."""
        at.session_state[f"{at.page_opened}.{label.lower().replace(' ', '-')}-box"] = True
        return self.run(at)

    def snippet(self, at: AppTest) -> str:
        """The Python that the page gives away."""
        return next(each.value for each in self.open_box(at, "Download").code if each.language == "python")

    def in_tab(self, at: AppTest, label: str):
        """The tab of this label, opened where it is not: only the open one is drawn."""
        key = f"{at.page_opened}.view"
        if key not in at.session_state or at.session_state[key] != label:
            at.session_state[key] = at.query_params[key] = label
            self.run(at)
        return next(each for each in at.tabs if each.label == label)

    @staticmethod
    def query_of(link) -> dict[str, str]:
        """The choices that a page link carries, by their field."""
        return {name.partition(".")[2]: value for name, value in parse_qsl(link.proto.query_string)}

    @property
    def records(self) -> list[DatasetRecord]:
        return shelf.store().records()

    def stored(self, *files: tuple[str, bytes], name: str | None = None, n_pmcs: int | None = None) -> Entry:
        """Files kept by the store itself, for tests of what comes after the upload."""
        record = shelf.store().add([UploadedFile(*file) for file in files], name=name, options=ReadOptions(n_pmcs=n_pmcs))
        return next(entry for entry in entries(shelf.store()) if entry.id == record.id)

    @staticmethod
    def read(markdown: str) -> str:
        """What a visitor reads of markdown in which everything was escaped."""
        return re.sub(r"\\(.)", r"\1", markdown)

    def sentences(self, at: AppTest) -> list[str]:
        """The error boxes' text as it is read."""
        return [self.read(each.value) for each in at.error]

    @staticmethod
    def pictures(block: Any) -> list[Any]:
        """The elements of pictures in the block; what only fetches plotly.js beforehand is none."""
        return [each for each in block.get("bidi_component") if b'"figure": ' in each.proto.bytes]

    @staticmethod
    def spec(picture: Any) -> dict[str, Any]:
        """What the browser is told of a picture: alt, height, figure ..."""
        return json.loads(picture.proto.bytes)

    def pick(self, at: AppTest, picture: Any, value: Any, event: str = "picked") -> None:
        """What a click on a point with this customdata sends, and the run that it causes."""
        states = at._tree.get_widget_states()
        told = json.dumps([{"event": event, "value": value}])
        states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{picture.proto.id}__events", json_trigger_value=told)
        at._run(states)
        assert not at.exception, [f"{each.message}\n{each.stack_trace}" for each in at.exception]

    @staticmethod
    def metrics(at: AppTest) -> dict[str, str]:
        return {each.label: each.value for each in at.metric}

    @staticmethod
    def tabs(at: AppTest) -> list[str]:
        return [each.label for each in at.tabs]


class Noted:
    """A cached function of the app that notes which of its entries are of a test's own store, so that these alone are forgotten.

    What it says of a bundled sample stays: a sample has one id and one content. own: whether a call is of the test's store.
    """

    def __init__(self, cached: Any, own: Callable[..., bool]) -> None:
        self._cached, self._is_own = cached, own
        self._noted: list[tuple[tuple, dict]] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if samples.FOLDER != _SAMPLES_AT:  # a test hides the samples: what is known of them counts for nothing
            return self._cached.__wrapped__(*args, **kwargs)
        if self._is_own(*args, **kwargs):
            self._noted.append((args, kwargs))
        return self._cached(*args, **kwargs)

    def clear(self, *args: Any, **kwargs: Any) -> None:
        self._cached.clear(*args, **kwargs)

    def forget_own(self) -> None:
        """The entries of the test's own store, and no others."""
        for args, kwargs in self._noted:
            self._cached.clear(*args, **kwargs)
        self._noted.clear()


_SAMPLES_AT = samples.FOLDER


def _stored(dataset_id: str) -> bool:
    return not dataset_id.startswith(SAMPLE_PREFIX)


NOTED = {
    (shelf, "loaded_table"): Noted(shelf.loaded_table, _stored),
    (shelf, "known_shape"): Noted(shelf.known_shape, _stored),
    **{
        (columns, name): Noted(getattr(columns, name), lambda id, *more: _stored(id))
        for name in ("parts", "preview", "figures", "texts", "gaps")
    },
    (ask, "_computed"): Noted(ask._computed, lambda *key, _question, _table, _taken: _stored(_question.dataset)),
}


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty store for each test, and no cached result of another test's store; what is known of the bundled samples stays."""
    folder = tmp_path / "store"
    monkeypatch.setenv("HEM_DATA_DIR", str(folder))
    monkeypatch.setattr(jobs, "prepare", lambda: None)
    # Else it would hang on what ran before whether a job is begun.
    monkeypatch.setattr(ask, "_COLD_S", 0.0)
    # Else it would hang on how busy the computer is what a page computes itself.
    monkeypatch.setattr(durations, "keep_in", lambda folder: None)
    # A plan as good as can be found is test_planner's: pages show one that is found in a tenth of the work.
    monkeypatch.setattr("hemcore.planning.planner.WORK_PER_SECOND", WORK_PER_SECOND / 10)
    for (module, name), noted in NOTED.items():
        monkeypatch.setattr(module, name, noted)
    forget_own()
    yield folder
    forget_own()


def forget_own() -> None:
    """Forget what is cached of a test's own store; what is known of the samples stays."""
    for noted in NOTED.values():
        noted.forget_own()
    ask._here.clear()
    shelf.opened_store.cache_clear()
    report_box.opened_reports.clear()


@pytest.fixture
def nothing_known(data_dir: Path) -> None:
    """Not even of the samples is anything cached, for tests of what is computed and when."""
    for noted in NOTED.values():
        noted.clear()


@pytest.fixture(scope="session", autouse=True)
def packages_scanned_once() -> Iterator[None]:
    """Each AppTest looks through all installed packages for components, half of what opening a page costs; they do not change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def scripts_are_joined() -> Iterator[None]:
    """AppTest asks a thousand times a second whether the page is done, in a thread that then takes turns with the page's."""
    asked = local_script_runner.require_widgets_deltas

    def joined(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        asked(runner, 1 if runner.script_stopped() else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", joined)
        yield


@pytest.fixture(scope="session", autouse=True)
def lighter_workers() -> Iterator[None]:
    """One worker, and what it imports first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hemcore.jobs.cluster.WORKERS", 1)
        patch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", "tests.app.lighter")
        yield


@pytest.fixture(autouse=True)
def previews_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Home computes nothing beside a test of another page; Home's own tests put their own in the place of this."""
    monkeypatch.setattr(previews, "begin", lambda pages: None)


@pytest.fixture(autouse=True)
def nothing_unforeseen(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception, Any], None]:
    """An unexpected exception fails the test instead of becoming a sentence; returns the last resort itself, for its own tests."""
    shown = last_resort.tell

    def raised(error: Exception, page: Any) -> None:
        raise error

    monkeypatch.setattr(last_resort, "tell", raised)
    return shown


@pytest.fixture
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No job of another test is known; the workers stay for the next one."""
    monkeypatch.setattr(known_jobs, "_jobs", {})


@pytest.fixture(scope="package")
def workers() -> Iterator[None]:
    """The workers that a job has started end with the tests of pages."""
    yield
    jobs.close()


@pytest.fixture
def never_done(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], dict[str, Job]]:
    """(ids as they were submitted, jobs by id): jobs that begin and never run."""
    known: dict[str, Job] = {}
    submitted: list[str] = []

    def submit(question: Question, seconds: float | None = None) -> Job:
        submitted.append(question.id)
        known[question.id] = Job(question.id, question.analysis.title, question)
        return known[question.id]

    monkeypatch.setattr(jobs, "submit", submit)
    monkeypatch.setattr(jobs, "find", lambda asked: known.get(asked if isinstance(asked, str) else asked.id))
    return submitted, known


@pytest.fixture
def no_more_begun(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function: from its call on jobs begin and never run; what was done before is found."""
    known: dict[str, Job] = {}
    find = jobs.find

    def begun() -> None:
        monkeypatch.setattr(jobs, "submit", lambda asked, seconds: known.setdefault(asked.id, Job(asked.id, asked.analysis.title, asked)))
        monkeypatch.setattr(jobs, "find", lambda asked: find(asked) or known.get(asked if isinstance(asked, str) else asked.id))

    return begun


@pytest.fixture
def workbench(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The app on an empty store. Uploads of any size are read at once, without a worker's start; test_large_upload has them read by one.

    Work that the page began and the test did not wait for ends with the test.
    """
    monkeypatch.setattr(staged, "larger_than", lambda files, size: False)
    monkeypatch.setattr(staged, "MANY", 10**6)
    yield Workbench()
    for job in [each for each in jobs.jobs() if not each.finished]:
        job.cancel()
        known_jobs._jobs.pop((job.owner, job.id), None)


@pytest.fixture
def second_store(data_dir: Path) -> DatasetStore:
    """The same folder as another tab or process sees it."""
    return DatasetStore(data_dir)


@pytest.fixture(scope="session")
def t2080() -> Path:
    if not T2080.is_dir():
        pytest.skip(f"the T2080 readings are not at {T2080}")
    return T2080


@pytest.fixture(scope="session")
def csv_of():
    """A function: columns (pairs of name and values, names may repeat) -> the bytes of a CSV file."""

    def made(columns: list[tuple[str, object]]) -> bytes:
        frame = pd.DataFrame({position: values for position, (_, values) in enumerate(columns)})
        return frame.to_csv(index=False, header=[name for name, _ in columns]).encode()

    return made


@pytest.fixture(scope="session")
def zip_of():
    """A function: (entry name, bytes) ... -> the bytes of a .zip."""

    def made(files: list[tuple[str, bytes]]) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files:
                archive.writestr(name, content)
        return buffer.getvalue()

    return made


@pytest.fixture(scope="session")
def readings():
    """A function: (HEM names, runs, seed) -> columns of counts for csv_of, about 5,000 a run and correlated with one another."""

    def made(hems: list[str], runs: int = 40, seed: int = 3) -> list[tuple[str, object]]:
        random = np.random.default_rng(seed)
        load = random.normal(size=runs)
        return [(hem, np.rint(5000 + 300 * load + 300 * random.normal(size=runs)).astype(int)) for hem in hems]

    return made
