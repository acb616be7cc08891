"""Made-up analyses on the workers, and tests that see no job of each other's."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hemcore import jobs
from hemcore.jobs import filed_answers, known_jobs
from tests.core.jobs import trial_room  # noqa: F401
from tests.core.jobs.patience import PATIENCE

PRELOAD = "tests.core.jobs.trial_room"
GIVEN_UP = "1s"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Each test sees no job of another's and none of its answers; the workers stay."""
    yield
    for job in jobs.jobs():
        job.cancel()
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    known_jobs._jobs.clear()
    filed_answers._listed.clear()
    shutil.rmtree(Path(os.environ["HEM_DATA_DIR"]) / filed_answers.FOLDER, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HEM_DASK_SCHEDULER", raising=False)
        patch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", PRELOAD)
        # Of dask's own 15 s, so that workers of ours that were given up would be missed soon.
        patch.setenv("DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT", GIVEN_UP)
        patch.setenv("HEM_DATA_DIR", str(tmp_path_factory.mktemp("store")))
        yield
        jobs.close()
