"""The process of the local cluster: `python -m hemcore.jobs.local <workers>`.

A separate process, because spawned workers import the parent's __main__, which under Streamlit is the app's script; and so that the cluster
ends with the server in every case: when the server ends, so does our standard input.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import LocalCluster

CONFIG = {
    # Work that kills its worker (out of memory) would also kill the next one.
    "distributed.scheduler.allowed-failures": 0,
    # By default a worker that is not back 15 s after a crash is given up; without the last one, work would wait forever. Instead, workers
    # are restarted indefinitely; if that fails, waiting work fails.
    "distributed.deploy.lost-worker-timeout": "10000 days",
    "distributed.scheduler.no-workers-timeout": "60s",
    # Work waiting behind long work moves to a free worker quickly.
    "distributed.scheduler.work-stealing-interval": "100ms",
    # Nothing is spilled to disk: results are fetched as soon as they exist.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.worker.profile.enabled": False,
    # Each process looks 50 times a second whether it keeps up: half of what idle workers cost.
    "distributed.admin.tick.interval": "1s",
    # No web pages: only the encrypted traffic between scheduler and workers.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def main() -> None:
    """Start the cluster, print its address as one line of JSON, serve until standard input ends, then end every process."""
    # Output of the analyses must not go into the pipe, from which the server reads one line.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.environ.setdefault("NPROC", "1")  # the threads of JAX in each worker: with more, workers that train beside one another take longer
    folder = tempfile.mkdtemp(prefix="hem-workers-")
    try:
        cluster, security = _start(int(sys.argv[1]), folder)
        with answer:
            reached = {"address": cluster.scheduler_address, "certificate": security.tls_client_cert, "key": security.tls_client_key}
            answer.write(json.dumps(reached | {"folder": folder}) + "\n")
        sys.stdin.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        # Our own process group; the workers hold nothing that needs a clean shutdown.
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)


def _start(workers: int, folder: str) -> "tuple[LocalCluster, Any]":
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    dask.config.set(CONFIG)
    # Any user of this machine can reach a localhost port, and a scheduler runs whatever it receives: hence the key.
    security = Security.temporary()
    options: dict[str, Any] = {
        "local_directory": folder,
        "silence_logs": "CRITICAL",
        "memory_limit": 1 / workers,  # of this machine's memory; the default is the share of one core
        "dashboard_address": "127.0.0.1:0",
        "scheduler_kwargs": {"dashboard": False},
    }
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", protocol="tls://", security=security, **options
    )
    return cluster, security


if __name__ == "__main__":
    main()
