"""What Prometheus asks a team's server on its second port, HEM_METRICS_PORT: sessions, reruns, jobs, bytes, failures; no names.

The text format of https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4. Each process has a port of its own.
"""

import bisect
import threading
import time
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from streamlit.runtime.runtime import Runtime

from hemcore.datasets.owners import limits, people, whose
from hemcore.errors import ParameterError

BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0)
_LAST = 1_000  # reruns that the p95 is of
_BYTES_EVERY_S = 60.0


class Reruns:
    """How long runs of pages took here, in seconds, and how many ended with an unexpected error. Thread-safe."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum, self.failures = 0.0, 0
        self._last: deque[float] = deque(maxlen=_LAST)
        self._lock = threading.Lock()

    def add(self, seconds: float) -> None:
        """A run has ended."""
        with self._lock:
            self._counts[bisect.bisect_left(BOUNDS, seconds)] += 1
            self._sum += seconds
            self._last.append(seconds)

    def failed(self) -> None:
        """A run has ended with an unexpected error."""
        with self._lock:
            self.failures += 1

    def lines(self) -> Iterator[str]:
        """The histogram, and the time that 95% of the last 1,000 were within; NaN before the first."""
        with self._lock:
            counts, total, last = list(self._counts), self._sum, sorted(self._last)
        yield "# TYPE hem_rerun_seconds histogram"
        so_far = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
            so_far += count
            yield f'hem_rerun_seconds_bucket{{le="{bound}"}} {so_far}'
        yield f"hem_rerun_seconds_sum {total:.6f}"
        yield f"hem_rerun_seconds_count {so_far}"
        p95 = last[-(-len(last) * 95 // 100) - 1] if last else float("nan")
        yield from _single("hem_rerun_seconds_p95", "gauge", p95)
        yield from _single("hem_page_failures_total", "counter", self.failures)


RERUNS = Reruns()
_bytes = (-_BYTES_EVERY_S, 0)  # when they were counted, and how many


def text() -> str:
    """All metrics of this process and its store."""
    from hemcore.jobs import known_jobs  # not before a job or a first question: its imports take half a second

    states = [job.state for job in known_jobs.everyones() if job.owner]
    base = whose.base()
    lines = [*_single("hem_sessions", "gauge", _sessions()), *RERUNS.lines(), "# TYPE hem_jobs gauge"]
    lines += [f'hem_jobs{{state="{state}"}} {states.count(state)}' for state in ("queued", "running")]
    lines.append("# TYPE hem_jobs_ended_total counter")
    lines += [f'hem_jobs_ended_total{{state="{state}"}} {known_jobs.ended[state]}' for state in ("done", "failed", "cancelled")]
    lines += _single("hem_store_bytes", "gauge", _held())
    lines += _single("hem_people", "gauge", len(people.all_people(base)))
    return "\n".join(lines) + "\n"


def serve(port: str, address: str) -> None:
    """Answer at that port from now on, in a thread. Raises ParameterError for a port that cannot be had."""
    try:
        server = ThreadingHTTPServer((address, int(port)), _Answer)
    except (OSError, ValueError, OverflowError) as error:
        why = getattr(error, "strerror", None) or "it is no port"
        raise ParameterError(
            f"HEM_METRICS_PORT: {address}:{port[:20]} cannot be used ({why}). Choose a free port, one for each server."
        ) from None
    threading.Thread(target=server.serve_forever, name="hem-metrics", daemon=True).start()


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = text().encode() if self.path == "/metrics" else b"It is at /metrics.\n"
        self.send_response(200 if self.path == "/metrics" else 404)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: it is asked every few seconds."""


def _single(name: str, kind: str, value: float) -> list[str]:
    return [f"# TYPE {name} {kind}", f"{name} {value}"]


def _sessions() -> int:
    return Runtime.instance()._session_mgr.num_active_sessions() if Runtime.exists() else 0


def _held() -> int:
    global _bytes
    if time.monotonic() - _bytes[0] >= _BYTES_EVERY_S:
        _bytes = time.monotonic(), limits.held(whose.base())
    return _bytes[1]
