"""Settings of a SLURM cluster: read from a file, refused in a sentence."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from hemcore import jobs
from hemcore.errors import ParameterError
from hemcore.jobs import slurm_settings
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE

pytestmark = pytest.mark.whole


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine where jobs can be submitted."""
    monkeypatch.setattr(shutil, "which", lambda tool: f"/usr/bin/{tool}")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setenv("HEM_CLUSTER", "slurm")
    monkeypatch.setenv("HEM_CLUSTER_FILE", str(tmp_path / "cluster.toml"))
    return tmp_path / "cluster.toml"


def test_every_key_is_read(file: Path) -> None:
    file.write_text('partition = "short"\nmax_jobs = 8\ncores = 2\nmemory_gb = 6\nshared_folder = false\noptions = ["--qos=low"]\n')
    found = slurm_settings.chosen()
    assert found is not None
    assert (found.partition, found.max_jobs, found.cores, found.memory_gb) == ("short", 8, 2, 6.0)
    assert (found.shared_folder, found.options, found.min_jobs) == (False, ("--qos=low",), 0)


def test_all_of_it_is_optional(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEM_CLUSTER_FILE")
    assert slurm_settings.chosen() == slurm_settings.SlurmSettings()
    monkeypatch.delenv("HEM_CLUSTER")
    assert slurm_settings.chosen() is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_jobs = 0", "cluster.toml: max_jobs: 0 is out of bounds; it must be greater than or equal to 1"),
        ("min_jobs = 5", "cluster.toml: min_jobs: 5 is above max_jobs, 4. Choose fewer."),
        ("queue = 'short'", "cluster.toml: queue: no such parameter; the parameters are partition, account,"),
        ("partition = short", "HEM_CLUSTER_FILE: .*cluster.toml cannot be read .*line 1, column 13.*Correct it"),
        (None, "HEM_CLUSTER_FILE: .*cluster.toml cannot be read .*No such file.*Correct it"),
    ],
)
def test_what_does_not_fit_is_a_sentence(file: Path, text: str | None, sentence: str) -> None:
    if text is not None:
        file.write_text(text)
    with pytest.raises(ParameterError, match=sentence):
        slurm_settings.chosen()


def test_a_machine_that_cannot_submit_is_a_sentence(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match=r"dask-jobqueue is not installed\. Install it: pip install 'hem-workbench\[cluster\]'"):
        slurm_settings.chosen()
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    with pytest.raises(ParameterError, match="sbatch is not installed here. Run the server where jobs can be submitted"):
        slurm_settings.chosen()
    monkeypatch.setenv("HEM_CLUSTER", "pbs")
    with pytest.raises(ParameterError, match="HEM_CLUSTER: 'pbs' is not known; it must be slurm"):
        slurm_settings.chosen()


def test_a_job_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.close()
    monkeypatch.setenv("HEM_CLUSTER", "pbs")
    job = jobs.submit(trial("hems"))
    assert job.wait(PATIENCE)
    assert job.error == "HEM_CLUSTER: 'pbs' is not known; it must be slurm. Correct it, or leave it out."
