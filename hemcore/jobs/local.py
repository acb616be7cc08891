"""The local cluster's own process: `python -m hemcore.jobs.local <workers>`.

A process of its own because spawned workers import the parent's __main__, which under Streamlit is the app's script; and because the
cluster then ends with the server however the server ends: when the server is gone, so is the other end of our standard input.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from typing import Any

CONFIG = {
    # Work that kills its worker (out of memory) would kill the next one too.
    "distributed.scheduler.allowed-failures": 0,
    # By default a worker that is absent 15 s after a death (dead again, or slow to start) is given up for good: the last one gone,
    # work would wait for ever. Workers are restarted without end instead; should that fail, waiting work is failed.
    "distributed.deploy.lost-worker-timeout": "10000 days",
    "distributed.scheduler.no-workers-timeout": "60s",
    # Work waiting behind long work moves soon to a worker that is free.
    "distributed.scheduler.work-stealing-interval": "100ms",
    # No data is spilled to disk: results are fetched as soon as they are there.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.worker.profile.enabled": False,
    # No pages: nothing but the scheduler's and the workers' own talk, which is encrypted.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def main() -> None:
    """Start the cluster, print how to reach it as one line of JSON, serve until standard input ends, then end every process."""
    # What the analyses print must not go down the pipe that the server reads once.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    folder = tempfile.mkdtemp(prefix="hem-workers-")
    try:
        cluster, security = _start(int(sys.argv[1]), folder)
        with answer:
            reached = {"address": cluster.scheduler_address, "certificate": security.tls_client_cert, "key": security.tls_client_key}
            answer.write(json.dumps(reached | {"folder": folder}) + "\n")
        sys.stdin.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        # We lead a process group of our own, and the workers hold nothing worth a slow goodbye.
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)


def _start(workers: int, folder: str) -> tuple[Any, Any]:
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    dask.config.set(CONFIG)
    # Anyone on this machine can reach a localhost port, and a scheduler runs whatever it is sent: only we hold the key.
    security = Security.temporary()
    options: dict[str, Any] = {
        "local_directory": folder,
        "silence_logs": "CRITICAL",
        "memory_limit": 1 / workers,  # of this machine's; by default a worker has the share of one core
        "dashboard_address": "127.0.0.1:0",
        "scheduler_kwargs": {"dashboard": False},
    }
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", protocol="tls://", security=security, **options
    )
    return cluster, security


if __name__ == "__main__":
    main()
