"""The process of a scheduler whose workers are jobs of SLURM: `python -m hemcore.jobs.slurm`. Needs dask-jobqueue.

It asks for as many as there is work for and gives them back when they are idle. As with local.py it ends when our standard input ends, that
is with the server in every case, and its jobs with it. What keeps work waiting is sent to the topic WAITS.
"""

import asyncio
import getpass
import json
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import dask
from dask_jobqueue import SLURMCluster
from dask_jobqueue.slurm import SLURMJob
from distributed.deploy.adaptive import Adaptive
from distributed.scheduler import WorkerState
from distributed.security import Security

from hemcore.jobs import local, slurm_settings
from hemcore.jobs.slurm_settings import SlurmSettings
from hemcore.jobs.worker import WAITS, error_text

CONFIG = local.CONFIG | {
    # Work whose worker goes is done by another one; what has killed three is given up.
    "distributed.scheduler.allowed-failures": 2,
    "distributed.scheduler.no-workers-timeout": None,  # queues may take hours
    "distributed.comm.require-encryption": True,
}
WATCH_EVERY = 2.0  # seconds
AGAIN_AFTER = 10.0  # seconds after which a job that SLURM refused is asked for again
_MOST_ENDED = 2  # jobs in a row that end before a worker comes: then work is not kept waiting
# Shortly before its walltime (seconds) a worker hands over what it has, so that no finished part is lost with it.
_HAND_OVER = 60.0
_REASONS = {
    "Resources": "the partition is full",
    "Priority": "other jobs go first",
    "ReqNodeNotAvail": "its nodes are not available",
    "None": "",
}


class SlurmJob(SLURMJob):
    """A job of SLURM. refused: what sbatch said if it did not take it."""

    refused: str = ""
    told: bool = False
    asked_at: float = 0.0

    async def start(self) -> None:
        """Submit it. What sbatch says is for Watch: dask-jobqueue would log it, and wait for the worker."""
        self.asked_at = time.monotonic()
        try:
            await super().start()
        except (RuntimeError, ValueError, OSError) as error:
            said = str(error).partition("stderr:")[2] or str(error)
            lines = [line.strip().removeprefix("sbatch: ").removeprefix("error: ") for line in said.splitlines()]
            self.refused = " ".join(filter(None, lines)) or "sbatch failed"


class Workers(SLURMCluster):
    """The scheduler and its jobs."""

    job_cls = SlurmJob

    def _get_worker_security(self, security: object) -> None:
        """Workers have the key in their settings, so that none need be in a file that nodes see."""


class OnDemand(Adaptive):
    """As many workers as there are tasks; the time that a task takes, which dask goes by, is not known beforehand."""

    async def target(self) -> int:
        """At least one as long as someone may still fetch a result."""
        cluster: Any = self.cluster
        states = [task.state for task in cluster.scheduler.tasks.values()]
        work = sum(state in ("processing", "queued", "no-worker") for state in states)
        return max(work, int("memory" in states))


class Watch:
    """Looks why workers are not there yet, tells it, and has jobs that ended forgotten so that others are submitted."""

    def __init__(self, cluster: Any, name: str) -> None:
        self._cluster, self._name = cluster, name
        self._came: set[str] = set()
        self._ended = 0

    async def forever(self) -> None:
        """Look every WATCH_EVERY seconds."""
        while True:
            await asyncio.sleep(WATCH_EVERY)
            with suppress(OSError):
                await self._look()

    async def _look(self) -> None:
        here = {job_of(worker) for worker in self._cluster.scheduler.workers.values()}
        if here:
            self._came, self._ended = self._came | here, 0
        missing: dict[str, SlurmJob] = {name: job for name, job in self._cluster.workers.items() if name not in here}
        if not missing:
            return
        queue = await self._queue()
        if queue is None:
            return
        waits, final = "", ""
        for name, job in missing.items():
            if job.refused:
                if not job.told:
                    job.told, final = True, f"SLURM does not take the job: {job.refused.rstrip('.')}"
                if time.monotonic() - job.asked_at > AGAIN_AFTER:
                    await self._forget(name)
            elif job.job_id in queue:
                state, reason = queue[job.job_id]
                waits = f"SLURM's job {job.job_id} is {state.lower()}" + (f": {reason}" if reason and state == "PENDING" else "")
            elif job.job_id is not None and time.monotonic() - job.asked_at > WATCH_EVERY:
                await self._forget(name)
                if name not in self._came:
                    self._ended += 1
                    final = f"SLURM's job {job.job_id} ended before its worker came" if self._ended >= _MOST_ENDED else final
        if here:
            return
        if final and not waits:
            self._tell(f"{final}. Correct {slurm_settings.FILE}, or ask whoever runs the cluster.", True)
        elif waits:
            self._tell(waits, False)

    def _tell(self, why: str, final: bool) -> None:
        self._cluster.scheduler.log_event(WAITS, {"why": why, "final": final})

    async def _forget(self, name: str) -> None:
        self._cluster.worker_spec.pop(name, None)
        job = self._cluster.workers.pop(name, None)
        if job is not None:
            await job.close()

    async def _queue(self) -> dict[str, tuple[str, str]] | None:
        """State and reason of our jobs that SLURM knows, by id; None if it does not respond."""
        command = ["squeue", "--noheader", "--user", getpass.getuser(), "--name", self._name, "--format", "%i|%T|%r"]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        out, _ = await process.communicate()
        if process.returncode:
            return None
        rows = [line.split("|", 2) for line in out.decode(errors="replace").splitlines() if line.count("|") >= 2]
        return {id: (state, _REASONS.get(reason.partition(",")[0], reason.replace("_", " "))) for id, state, reason in rows}


def job_of(worker: WorkerState) -> str:
    """The name of the worker's job: "hem-1f3-0" of "hem-1f3-0-2", its third worker."""
    return "-".join(str(worker.name).split("-")[:3])


def main() -> None:
    """Start the scheduler, print its address as one line of JSON, serve until standard input ends, then cancel every job."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.umask(0o077)  # a job's script, which contains the workers' key, is a file for a moment
    name = f"hem-{uuid.uuid4().hex[:12]}"
    settings = slurm_settings.chosen()
    assert settings is not None
    for secret in [each for each in os.environ if each.startswith("HEM_")]:
        del os.environ[secret]  # SLURM keeps the environment of a job
    try:
        with answer:
            try:
                reached = _start(settings, name)
            except (OSError, ValueError, RuntimeError) as error:
                reached = {"error": f"{slurm_settings.CLUSTER}: the scheduler did not start ({error_text(error)}). Correct the settings."}
            answer.write(json.dumps(reached) + "\n")
        sys.stdin.read()
    finally:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["scancel", "--user", getpass.getuser(), "--name", name], timeout=10, check=False)
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)


def _start(settings: SlurmSettings, name: str) -> dict[str, str]:
    # Any user of the network can reach the scheduler, which runs whatever it receives: hence the key. Workers get it in their job's script,
    # which SLURM shows to its owner alone.
    security = Security.temporary()
    certificate, key = str(security.tls_client_cert), str(security.tls_client_key)
    dask.config.set(
        CONFIG | {"distributed.comm.tls.ca-file": certificate, "distributed.comm.tls.worker": {"cert": certificate, "key": key}}
    )
    cluster: Any = Workers(security=security, **_arguments(settings, name))
    least, most = settings.min_jobs * settings.cores, settings.max_jobs * settings.cores
    cluster.adapt(Adaptive=OnDemand, minimum=least, maximum=most, interval="500ms", wait_count=2 * settings.idle_seconds, worker_key=job_of)
    cluster.loop.add_callback(Watch(cluster, name).forever)
    return {"address": cluster.scheduler_address, "certificate": certificate, "key": key, "folder": ""}


def _arguments(settings: SlurmSettings, name: str) -> dict[str, Any]:
    """What SLURMCluster takes."""
    seconds = 60.0 * settings.walltime_minutes
    spare = min(_HAND_OVER, seconds / 6)
    # Another interpreter has packages of its own.
    path = "unset PYTHONPATH" if settings.python else f"export PYTHONPATH={shlex.quote(str(Path(__file__).parents[2]))}:$PYTHONPATH"
    prologue = [
        f"export DASK_INTERNAL_INHERIT_CONFIG={dask.config.serialize(dask.config.global_config)}",
        path,
        "export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NPROC=1",  # the last is that of JAX
    ]
    if not settings.shared_folder:
        prologue += [
            "umask 077",
            f'export HEM_DATA_DIR="$(mktemp -d {shlex.quote(settings.local_folder)}/hem-XXXXXXXX)"',
            "trap 'rm -rf \"$HEM_DATA_DIR\"' EXIT",
        ]
    printed = [] if settings.logs else ["--output=/dev/null"]
    return {
        "queue": settings.partition or None,
        "account": settings.account or None,
        "walltime": str(settings.walltime_minutes),
        "cores": settings.cores,
        "processes": settings.cores,
        "memory": f"{settings.memory_gb:g}GB",
        "local_directory": settings.local_folder,
        "log_directory": settings.logs or None,
        "job_name": name,
        "name": name,
        "python": settings.python or sys.executable,
        "interface": settings.interface or None,
        "protocol": "tls://",
        "scheduler_options": {"dashboard": False, "dashboard_address": ":0"},
        "job_script_prologue": prologue,
        "job_extra_directives": [*printed, *settings.options],
        "worker_extra_args": ["--no-dashboard", "--lifetime", f"{seconds - spare:g}s", "--lifetime-stagger", f"{spare / 2:g}s"],
        "silence_logs": "CRITICAL",
    }


if __name__ == "__main__":
    main()
