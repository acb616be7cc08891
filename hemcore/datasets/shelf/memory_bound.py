"""A bound on the memory that reading one upload may take, in a process of its own: its breach is a sentence, not a dead worker."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from hemcore.datasets.readers.reading_limits import MOST_MORE, MOST_TIMES
from hemcore.errors import HemError, ReadError

# What pandas and Arrow say when they are refused memory, and what a reader makes of it.
_REFUSED = re.compile("C error: out of memory|Unknown error: Wrapping .* failed", re.DOTALL)
_DATA = re.compile(r"^VmData:\s+(\d+) kB$", re.MULTILINE)
# What no limit on data counts, and a reading takes all the same: pages of libraries' code, seen up to 26 MiB.
_OF_CODE = 32 << 20
_SAID_AGAIN = 1.1  # times the size of before
_is_own = False


def _silent(sentence: str) -> None:
    pass


_last_words: Callable[[str], None] = _silent


def bound_this_process(last_words: Callable[[str], None] = _silent) -> None:
    """From now on `bounded` bounds this process. For a process that does one thing at a time: the limit is of all its threads.

    last_words: given a sentence, before memory is short, on what has happened if this process ends at once: libraries in C++ abort it where
    they are refused memory.
    """
    global _is_own, _last_words
    _is_own, _last_words = True, last_words


@contextmanager
def bounded(size: int, name: str) -> Iterator[Callable[[int], None]]:
    """Within, at most 4 x `size` bytes + 300 MiB more are to be had (as reading_limits has it), where the process was given to
    `bound_this_process` and the system can limit it (Linux); elsewhere nothing changes. What it gives is told how many bytes more are
    unpacked, for which there is more. Raises ReadError, which calls the upload `name`, when they do not suffice.
    """
    held = _held() if _is_own else None
    if held is None:
        yield lambda more: None
        return
    import resource  # not there on Windows

    before = soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    usual = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())  # the usual one takes a gigabyte ahead, of which nothing is counted
    unpacked, said = 0, -1.0

    def allow(more: int) -> None:
        nonlocal unpacked, said
        unpacked += more
        resource.setrlimit(resource.RLIMIT_DATA, (_least(held + MOST_TIMES * unpacked + MOST_MORE - _OF_CODE, soft, hard), hard))
        if unpacked > _SAID_AGAIN * said:
            said = unpacked
            _last_words(f"{name}: the process that read it ended, as one does that needs more than {_most(unpacked)}")

    allow(size)
    try:
        yield allow
    except (MemoryError, HemError, pa.ArrowException) as error:
        resource.setrlimit(resource.RLIMIT_DATA, before)  # first of all: the sentence takes memory too, and what was refused is still held
        if not isinstance(error, MemoryError) and _REFUSED.search(str(error)) is None:
            raise
        raise ReadError(f"{name}: reading it takes more than {_most(unpacked)}") from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
        pa.set_memory_pool(usual)
        _last_words("")


def _most(unpacked: int) -> str:
    most = f"{(MOST_TIMES * unpacked + MOST_MORE) / 2**20:,.0f} MiB of memory, the most for {unpacked / 2**20:,.0f} MiB unpacked"
    return f"{most}. Send fewer rows or columns at once, in several uploads."


def _held() -> int | None:
    """Bytes of private memory that this process holds now; None where the system does not say."""
    try:
        found = _DATA.search(Path("/proc/self/status").read_text())
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _least(*limits: int) -> int:
    return min(limit for limit in limits if limit >= 0)  # -1 is no limit
