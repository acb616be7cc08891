"""Made-up analyses on the workers, and tests that see no job of each other's."""

from collections.abc import Iterator

import pytest

from hemcore import jobs
from hemcore.jobs import known_jobs
from tests.core.jobs import trial_room  # noqa: F401
from tests.core.jobs.patience import PATIENCE

PRELOAD = "tests.core.jobs.trial_room"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Each test sees no job of another's; the workers stay."""
    yield
    for job in jobs.jobs():
        job.cancel()
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    known_jobs._jobs.clear()


@pytest.fixture(scope="module", autouse=True)
def _workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HEM_DASK_SCHEDULER", raising=False)
        patch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", PRELOAD)
        patch.setenv("HEM_DATA_DIR", str(tmp_path_factory.mktemp("store")))
        yield
        jobs.close()
