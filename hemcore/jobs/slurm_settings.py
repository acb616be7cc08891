"""What HEM_CLUSTER_FILE says of a SLURM cluster: which jobs to ask it for, and what they see of this machine."""

import importlib.util
import os
import shutil
import tomllib
from pathlib import Path
from typing import Self

from pydantic import model_validator

from hemcore.errors import ParameterError
from hemcore.params import Params, parameter

CLUSTER, FILE = "HEM_CLUSTER", "HEM_CLUSTER_FILE"


class SlurmSettings(Params):
    """The keys of the file, all optional."""

    partition: str = parameter("", title="Partition", description="blank: the site's default.")
    account: str = parameter("", title="Account", description="blank: the site's default.")
    walltime_minutes: int = parameter(60, title="Walltime", description="minutes after which SLURM ends a job.", ge=1, le=43_200)
    cores: int = parameter(1, title="Cores", description="per job; each is a worker.", ge=1, le=1024)
    memory_gb: float = parameter(4.0, title="Memory", description="GB per job, shared by its workers.", ge=0.5, le=10_000)
    min_jobs: int = parameter(0, title="Fewest jobs", description="that stay when there is no work.", ge=0, le=1000)
    max_jobs: int = parameter(4, title="Most jobs", description="at once.", ge=1, le=1000)
    idle_seconds: int = parameter(120, title="Idle", description="seconds without work after which a job is given back.", ge=1, le=86_400)
    local_folder: str = parameter("/tmp", title="Local folder", description="on the nodes, for what workers write meanwhile.")
    shared_folder: bool = parameter(
        True, title="Shared folder", description="whether nodes see HEM_DATA_DIR under its path; if not, data goes through the scheduler."
    )
    interface: str = parameter(
        "", title="Interface", description='network between this machine and the nodes ("ib0"); blank: the usual one.'
    )
    python: str = parameter("", title="Python", description="the interpreter on the nodes; blank: the path of this one.")
    logs: str = parameter("", title="Logs", description="an existing folder that nodes can write to, for what workers print; blank: none.")
    options: tuple[str, ...] = parameter((), title="Options", description='further ones of sbatch: "--qos=short".')

    @model_validator(mode="after")
    def _fewest_and_most(self) -> Self:
        if self.min_jobs > self.max_jobs:
            raise ValueError(f"min_jobs: {self.min_jobs} is above max_jobs, {self.max_jobs}. Choose fewer.")
        return self


def chosen() -> SlurmSettings | None:
    """The settings if HEM_CLUSTER is "slurm"; None if it is not set.

    Raises ParameterError for another value, a file that cannot be read or has a value that does not fit, and where SLURM's commands or
    dask-jobqueue are missing.
    """
    named = os.environ.get(CLUSTER, "")
    if not named:
        return None
    if named != "slurm":
        raise ParameterError(f"{CLUSTER}: {named[:40]!r} is not known; it must be slurm. Correct it, or leave it out.")
    for tool in ("sbatch", "squeue", "scancel"):
        if shutil.which(tool) is None:
            raise ParameterError(f"{CLUSTER}: {tool} is not installed here. Run the server where jobs can be submitted.")
    if importlib.util.find_spec("dask_jobqueue") is None:
        raise ParameterError(f"{CLUSTER}: dask-jobqueue is not installed. Install it: pip install 'hem-workbench[cluster]'.")
    path = os.environ.get(FILE, "")
    try:
        return SlurmSettings(**tomllib.loads(Path(path).read_text("utf-8")) if path else {})
    except ParameterError as error:
        raise ParameterError(f"{path}: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: not TOML, not UTF-8
        raise ParameterError(f"{FILE}: {path} cannot be read ({error}). Correct it.") from None
