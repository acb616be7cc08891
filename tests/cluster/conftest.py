"""A SLURM for all of these tests, and the settings of each; `make test-cluster` runs them."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hemcore import jobs
from hemcore.jobs import known_jobs
from tests.cluster.own_slurm import OwnSlurm, missing
from tests.core.jobs import trial_room  # noqa: F401
from tests.core.jobs.conftest import PRELOAD
from tests.core.jobs.patience import PATIENCE

Settle = Callable[..., None]


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnSlurm]:
    lacking = missing() + ([] if importlib.util.find_spec("dask_jobqueue") else ["dask-jobqueue"])
    if sys.platform != "linux" or lacking:
        pytest.skip(f"no SLURM can be started here: {', '.join(lacking) or sys.platform}; `make test-cluster` installs what it needs")
    with OwnSlurm(tmp_path_factory.mktemp("slurm")) as started:
        yield started


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The server's folder, and its surroundings."""
    folder = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HEM_DASK_SCHEDULER", raising=False)
        patch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", PRELOAD)
        patch.setenv("HEM_DATA_DIR", str(folder / "store"))
        patch.setenv("HEM_CLUSTER", "slurm")
        patch.setenv("HEM_CLUSTER_FILE", str(folder / "cluster.toml"))
        yield folder
        jobs.close()


@pytest.fixture
def settle(slurm: OwnSlurm, site: Path) -> Iterator[Settle]:
    """Gives the cluster other settings than it has; without any, those of most tests."""

    def chosen(**changed: object) -> None:
        given = {
            "partition": "work",
            "walltime_minutes": 30,
            "memory_gb": 1.5,
            "max_jobs": 2,
            "idle_seconds": 600,
            "interface": "lo",
            "local_folder": str(site),
            "logs": str(site),
        } | changed
        text = "".join(f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}\n" for name, value in given.items())
        file = Path(os.environ["HEM_CLUSTER_FILE"])
        if not file.exists() or file.read_text() != text:
            jobs.close()
            file.write_text(text)

    chosen()
    yield chosen
    for job in jobs.jobs():
        job.cancel()
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    known_jobs._jobs.clear()
