"""The connection to the workers: our own on a laptop, the scheduler named by HEM_DASK_SCHEDULER on a cluster."""

import contextlib
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from hemcore.jobs.job import Job, JobError
from hemcore.jobs.tasks import Task
from hemcore.jobs.worker import said, stop, work

START_TIMEOUT = 60.0  # seconds; a laptop under load
CONNECT_TIMEOUT = 10.0  # seconds
STOP_GRACE = 1.0  # seconds between asking work to stop and ending its worker
WORKERS = 2  # so that short work does not wait for long work
MAX_STARTS = 4  # of work that had not begun when its worker died of other work

logger = logging.getLogger(__name__)


class Cluster:
    """A scheduler, its workers, and our client.

    address: a dask scheduler ("tcp://host:8786"); None starts our own on this machine, which takes a second or two.

    Raises JobError when it cannot be reached or started.
    """

    def __init__(self, address: str | None) -> None:
        self.address = address
        self._process: subprocess.Popen[str] | None = None
        self._folder: str | None = None
        self._topic = f"hem-{uuid.uuid4().hex}"
        self._jobs: dict[str, Job] = {}
        self._lost = False
        from distributed import Client, Security

        security = None
        if address is None:
            reached = self._start()
            address, certificate, key = reached["address"], reached["certificate"], reached["key"]
            self._folder = reached["folder"]
            security = Security(require_encryption=True, tls_ca_file=certificate, tls_client_cert=certificate, tls_client_key=key)
        try:
            self._client = Client(address, security=security, timeout=CONNECT_TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
            self._end_process()
            where = f"HEM_DASK_SCHEDULER: no scheduler answers at {address!r}" if self._process is None else "The workers do not answer"
            raise JobError(f"{where} ({said(error)}). Start it, or correct the address, and try again.") from error

    @property
    def alive(self) -> bool:
        """Whether it takes work."""
        return not self._lost and self._client.status == "running" and (self._process is None or self._process.poll() is None)

    def run(self, job: Job, task: Task) -> None:
        """Do `task` for `job` and wait for it; the job ends in every case."""
        for _ in range(MAX_STARTS):
            if job.cancel_asked:
                job.end_cancelled()
            if job.finished or self._run_once(job, task):
                return
        job.end("failed", error=f"{job.kind}: the workers died again and again before they could begin. Is memory short? Try again.")

    def _run_once(self, job: Job, task: Task) -> bool:
        """False when the worker died of other work before it began this one."""
        from distributed import KilledWorker
        from distributed.scheduler import NoWorkerError

        key = f"hem-{uuid.uuid4().hex}"
        self._jobs[key] = job
        try:
            # Subscribed anew each time: the scheduler may have been restarted since.
            self._client.subscribe_topic(self._topic, self._heard)
            named = os.environ.get("HEM_DATA_DIR")
            root = os.path.abspath(named) if named else None
            future = self._client.submit(work, key, self._topic, task, root, key=key, pure=False)
            if not job.submitted(lambda: threading.Thread(target=self._stop, args=(job, future), name="hem-stop", daemon=True).start()):
                future.cancel(force=True)
                return True
            state, value = future.result()
        except KilledWorker:
            if job.cancel_asked:
                job.end_cancelled()
            elif job.state == "queued":
                return False
            else:
                remedy = "This is most often lack of memory: close other programs or choose less data, and try again."
                job.end("failed", error=f"{job.kind}: the worker died before it was done. {remedy}")
        except NoWorkerError:
            self._lost = True
            job.end("failed", error=f"{job.kind}: no worker is left to run it. Try again; new ones will be started.")
        except CancelledError:
            # Also distributed's own, which is how futures end when the scheduler goes.
            if job.cancel_asked:
                job.end_cancelled()
            else:
                self._lost = True
                job.end("failed", error=f"{job.kind}: the connection to the workers was lost before it was done. Try again.")
        except Exception as error:
            logger.exception("%s failed outside its function", task.name)
            job.end(
                "failed", error=f"{job.kind}: the workers could not run {task.name} ({said(error)}). Do they have this version of hemcore?"
            )
        else:
            if state == "done":
                job.end("done", result=value)
            elif state == "cancelled":
                job.end_cancelled()
            else:
                job.end("failed", error=value)
        finally:
            del self._jobs[key]
        return True

    async def _heard(self, event: tuple[float, dict[str, Any]]) -> None:
        """What a worker says: that it begins, or how far it is."""
        message = event[1]
        key = message["key"]
        job = self._jobs.get(key)
        if "pid" not in message:
            if job is not None:
                job.report(message["done"], message["note"])
        elif job is None or job.finished:
            # Cancelled while queued, and taken up in that very moment.
            await self._client.run(stop, key, workers=[message["address"]], on_error="ignore")
        else:
            job.running(key, message["address"], message["pid"])

    def _stop(self, job: Job, future: Any) -> None:
        """Stop `job`: take it from the queue, or set its flag on the worker; on our own workers, end the worker that does not listen."""
        while not job.finished and self.alive:
            place = job.place
            if place is None:
                # Still queued. If a worker takes it up right now, the next turn finds it there.
                if not job.wait(0.1) and job.place is None:
                    future.cancel(force=True)
                    job.end_cancelled()
                continue
            with contextlib.suppress(Exception):  # the worker may die meanwhile; then the job ends by that
                self._client.run(stop, place.key, workers=[place.address], on_error="ignore")
            if job.wait(STOP_GRACE) or self._process is None:
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(place.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    def _start(self) -> dict[str, str]:
        """Start our own scheduler and workers in a process beside this one (see local.py)."""
        root = str(Path(__file__).parents[2])
        environment = dict(os.environ)
        # The store's folder goes with each job: it may be changed while the workers live.
        environment.pop("HEM_DATA_DIR", None)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hemcore.jobs.local", str(WORKERS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C is the server's; it ends us in order
        )
        assert self._process.stdout is not None
        watch = threading.Timer(START_TIMEOUT, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
            self._process.stdout.close()
        if not line:
            self._end_process()
            raise JobError(
                f"The workers did not start within {START_TIMEOUT:g} s; the server's log says why. Is memory or disk short? Try again."
            )
        return dict(json.loads(line))

    def close(self) -> None:
        """Let go of the scheduler; our own ends, with whatever runs on it."""
        if self.alive and self._process is None:
            # Without us to ask for the result, workers that are not ours would still go on to the end.
            for place in [job.place for job in list(self._jobs.values()) if job.place is not None]:
                with contextlib.suppress(Exception):
                    self._client.run(stop, place.key, workers=[place.address], on_error="ignore")
        self._lost = True
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        self._end_process()

    def _end_process(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._folder is not None:  # it removes its folder itself, unless it was killed
            shutil.rmtree(self._folder, ignore_errors=True)
