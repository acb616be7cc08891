"""The connection to the workers: local ones, those of a SLURM cluster (HEM_CLUSTER), or those of the scheduler in HEM_DASK_SCHEDULER."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hemcore.jobs import filed_answers, slurm_settings
from hemcore.jobs.job import WORKERS, Job, JobError, Place
from hemcore.jobs.run import Run
from hemcore.jobs.tasks import Call, Home, Task
from hemcore.jobs.turns import Turns
from hemcore.jobs.worker import WAITS, Message, Waits, error_text, stop

if TYPE_CHECKING:
    from distributed import Future

ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")

# Seconds. The first start after an installation also compiles all that is imported: on a busy computer it took over a minute.
START_TIMEOUT = 300.0
CONNECT_TIMEOUT = 10.0  # seconds, to a scheduler that is not ours
GOODBYE = 0.2  # seconds to send a last message to workers that are not ours
COUNT_EVERY, COUNT_WITHIN = 1.0, 2.0  # seconds between counting the threads of workers that are not ours, and for it
_AHEAD = 2  # items per worker: one running, one waiting


class Cluster:
    """A scheduler, its workers, and our client.

    address: a Dask scheduler ("tcp://host:8786"); None starts one on this machine, which takes a second or two; its workers run here, or as
    jobs of SLURM if HEM_CLUSTER says so, unless `near`. Raises JobError if it cannot be reached or started, ParameterError for settings
    that do not fit.
    """

    def __init__(self, address: str | None, *, near: bool = False) -> None:
        self.address = address
        self._slurm = None if near else slurm_settings.chosen()
        if self._slurm is not None and address is not None:
            raise JobError(f"{slurm_settings.CLUSTER} and HEM_DASK_SCHEDULER are both set. Leave one of them out.")
        self._most = WORKERS if self._slurm is None else self._slurm.max_jobs * self._slurm.cores
        self._near: Cluster | None = None
        self._near_lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._folder: str | None = None
        self._topic = f"hem-{uuid.uuid4().hex}"
        self._runs: dict[str, Run] = {}
        self._lost = False
        self._turns, self._threads, self._counted = Turns(self._slots), self._most, -COUNT_EVERY
        from distributed import Client, Security

        security = None
        if address is None:
            reached = self._start()
            address, certificate, key = reached["address"], reached["certificate"], reached["key"]
            self._folder = reached["folder"]
            security = Security(require_encryption=True, tls_ca_file=certificate, tls_client_cert=certificate, tls_client_key=key)
        try:
            timeout = CONNECT_TIMEOUT if self._process is None else START_TIMEOUT
            self._client = Client(address, security=security, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
            self._end_process()
            where = f"HEM_DASK_SCHEDULER: no scheduler responds at {address!r}" if self._process is None else "The workers do not respond"
            raise JobError(f"{where} ({error_text(error)}). Start it, or correct the address, and try again.") from error

    @property
    def alive(self) -> bool:
        """Whether it accepts work."""
        return not self._lost and self._client.status == "running" and (self._process is None or self._process.poll() is None)

    def run(self, job: Job, task: Task, root: str | None) -> None:
        """Do `task` for `job`, with the store `root`, and wait for it; the job always ends."""
        if self._slurm is not None and isinstance(task, Call):
            # An upload does not wait in a queue to be read, and is a file of this machine.
            self._nearby().run(job, task, root)
            return
        # Subscribed anew each time: the scheduler may have been restarted since.
        self._client.subscribe_topic(self._topic, self._heard)
        if self._slurm is not None:
            self._client.subscribe_topic(WAITS, self._waits)
        ours = self._process is not None and self._slurm is None
        home = Home(root, {} if ours else filed_answers.versions(), self._slurm is None or self._slurm.shared_folder)
        kill = self._kill if self._process is not None else None
        run = Run(job, self._client, self._topic, self._runs, self._turns, home, kill, lambda: self.alive, self._tell_to_stop)
        run.do(task)
        self._lost = self._lost or run.lost

    def each(self, function: Callable[[ItemT], FoundT], items: Iterable[ItemT]) -> Iterator[FoundT]:
        """The result of `function` for each of `items`, in order; only a few are sent to the workers at once. Raises as jobs.each."""
        from distributed import CancelledError, KilledWorker

        there = len(self._client.scheduler_info(n_workers=-1)["workers"])
        at_once = _AHEAD * max(1, there if self._slurm is None else self._most)
        waiting: deque[Future[FoundT]] = deque()
        try:
            for item in items:
                waiting.append(self._client.submit(function, item, pure=False))
                if len(waiting) >= at_once:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except (KilledWorker, CancelledError):
            raise JobError("A worker died while processing an item. Is memory short? Use smaller items and try again.") from None
        finally:
            for future in waiting:
                future.cancel()

    def _slots(self) -> int:
        """How many pieces the workers run at once."""
        if self._process is None and time.monotonic() - self._counted > COUNT_EVERY:
            self._counted = time.monotonic()
            with contextlib.suppress(Exception):  # the scheduler may be gone, which ends the work too
                threads: dict[str, int] = self._client.nthreads(callback_timeout=COUNT_WITHIN)
                self._threads = max(1, sum(threads.values()))
        return self._threads

    async def _heard(self, event: tuple[float, Message]) -> None:
        message = event[1]
        run = self._runs.get(message["key"])
        if run is not None:
            run.heard(message)
        elif "pid" in message:
            # Withdrawn from the queue, but started at that very moment.
            self._tell_to_stop(Place(message["key"], message["address"], message["pid"]))

    async def _waits(self, event: tuple[float, Waits]) -> None:
        """What slurm.py says of why there is no worker yet; final: none will come."""
        for run in set(self._runs.values()):
            if event[1]["final"]:
                run.give_up(event[1]["why"])
            else:
                run.job.waits(event[1]["why"])

    def _tell_to_stop(self, place: Place) -> None:
        """Set the stop flag of the work there; does not wait, since a worker busy in C code does not respond."""
        self._have_run(stop, place.key, place=place, nanny=False)

    def _kill(self, place: Place) -> None:
        """End the worker there, which does not stop."""
        number = signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM
        if self._slurm is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(place.pid, number)
        else:
            self._have_run(os.kill, place.pid, number, place=place, nanny=True)

    def _have_run(self, function: Callable[..., object], *arguments: object, place: Place, nanny: bool) -> None:
        """Have the worker there, or the process that watches it, call `function`; does not wait."""

        async def tell() -> None:
            with contextlib.suppress(Exception):  # the worker may die meanwhile, which ends the work too
                await self._client.run(function, *arguments, workers=[place.address], nanny=nanny, on_error="ignore")

        loop = self._client.loop
        if loop is not None:
            loop.add_callback(tell)

    def _nearby(self) -> "Cluster":
        """The workers of this machine beside those of a SLURM cluster."""
        with self._near_lock:
            if self._near is None or not self._near.alive:
                self._near = Cluster(None, near=True)
            return self._near

    def _start(self) -> dict[str, str]:
        """Start a scheduler in another process: with workers here (local.py) or as jobs of SLURM (slurm.py)."""
        root = str(Path(__file__).parents[2])
        environment = dict(os.environ)
        # The store's folder is sent with each job, since it may change while the workers live.
        environment.pop("HEM_DATA_DIR", None)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environment.get("PYTHONPATH")]))
        module = ["hemcore.jobs.local", str(WORKERS)] if self._slurm is None else ["hemcore.jobs.slurm"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", *module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C goes to the server, which shuts us down
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
                f"The workers did not start within {START_TIMEOUT:g} s; see the server's log. Is memory or disk short? Try again."
            )
        reached = dict(json.loads(line))
        if "error" in reached:
            self._end_process()
            raise JobError(reached["error"])
        return reached

    def close(self) -> None:
        """Disconnect; a local scheduler ends, with everything running on it."""
        if self.alive and self._process is None:
            # Workers that are not ours would keep working, although no one needs the result.
            places = {place for run in list(self._runs.values()) for place in run.job.places}
            for place in places:
                self._tell_to_stop(place)
            if places:
                time.sleep(GOODBYE)
        self._lost = True
        if self._near is not None:
            self._near.close()
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
            self._process.wait(5 if self._slurm is None else 15)  # it cancels its jobs
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._folder:  # it removes its own folder, unless it was killed
            shutil.rmtree(self._folder, ignore_errors=True)
