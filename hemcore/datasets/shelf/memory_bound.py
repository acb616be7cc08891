"""A bound on the memory that reading one upload may take, in a process of its own: its breach is a sentence, not a dead worker."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hemcore.errors import ReadError

# Measured: most files take 3 to 10 times their unpacked size, rows of a few characters 19 times, of which there may be 60 MB.
TIMES, SPARE = 10, 512 << 20
_DATA = re.compile(r"^VmData:\s+(\d+) kB$", re.MULTILINE)
_is_own = False


def bound_this_process() -> None:
    """From now on `bounded` bounds this process. For a process that does one thing at a time: the limit is of all its threads."""
    global _is_own
    _is_own = True


@contextmanager
def bounded(size: int, name: str) -> Iterator[None]:
    """Within, at most 10 x `size` bytes + 512 MiB more are to be had, where the process was given to `bound_this_process` and the system
    can limit it (Linux); elsewhere nothing changes. Raises ReadError, which calls the upload `name`, when they do not suffice.
    """
    held = _held() if _is_own else None
    if held is None:
        yield
        return
    import resource  # not there on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = TIMES * size + SPARE
    resource.setrlimit(resource.RLIMIT_DATA, (_least(held + most, soft, hard), hard))
    try:
        yield
    except MemoryError:
        raise ReadError(
            f"{name}: reading it takes more than {most / 2**20:,.0f} MiB of memory, the most for {size / 2**20:,.0f} MiB unpacked. "
            "Send fewer rows or columns at once."
        ) from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int | None:
    """Bytes of private memory that this process holds now; None where the system does not say."""
    try:
        found = _DATA.search(Path("/proc/self/status").read_text())
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _least(*limits: int) -> int:
    return min(limit for limit in limits if limit >= 0)  # -1 is no limit
